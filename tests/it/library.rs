//! The library as its users see it: action indices and masks, notation, serde, players of one's own, interruption.

use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use constructor::board::{Edge, LayoutSource, RandomLayout, Tile, Vertex};
use constructor::game::{Action, Game, LegalActions, Phase, RandomChance, Trades};
use constructor::players::{
    Budget, FlatMonteCarlo, Limit, Mcts, Player, PlayerFactory, PlayerKind, StopSignal, next_action, playout,
};
use constructor::rng;
use constructor::simulate::{Simulation, Stats};
use constructor::text::{CONSTRUCTOR, EDITIONS, Edition};
use rand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::times::times;

/// Every position of one random game with trades, with the action played in it.
fn random_game(edition: &Edition, seed: u64, mut visit: impl FnMut(&Game, Action)) {
    let mut rng = rng::from_seed(seed);
    let mut game = Game::new(edition.rules, RandomLayout.layout(&mut rng));
    playout(&mut game, 300, |game, _| {
        let action = game.legal_actions(Trades::On).sample_with(|count| rng::below(&mut rng, count))?;
        visit(game, action);
        game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
        Some(action)
    });
}

#[test]
fn action_index_round_trips() {
    let actions: Vec<Action> = Action::all().collect();
    assert_eq!(actions.len(), Action::COUNT);
    for (index, &action) in (0..).zip(&actions) {
        assert_eq!(action.index(), index, "{action:?}");
        assert_eq!(Action::from_index(index), Some(action));
    }
    assert_eq!(Action::from_index(u16::try_from(Action::COUNT).unwrap()), None);
    assert_eq!(Action::from_index(u16::MAX), None);
}

/// The indices are part of the public interface: data sets and trained networks depend on them.
#[test]
fn action_index_is_stable() {
    let vertex = |number| Vertex::new(number).unwrap();
    for (action, index) in [
        (Action::Settle(vertex(0)), 0),
        (Action::Settle(vertex(53)), 53),
        (Action::Roll, 54),
        (Action::MoveGeese(Tile::new(0).unwrap()), 55),
        (Action::BuildRoad(Edge::new(0).unwrap()), 78),
        (Action::BuildBasement(vertex(0)), 150),
        (Action::Improve(vertex(0)), 204),
        (Action::Accept, 358),
        (Action::Refuse, 359),
        (Action::EndTurn, 360),
    ] {
        assert_eq!(action.index(), index, "{action:?}");
    }
}

#[test]
fn legal_action_mask_equals_check() {
    for edition in &EDITIONS {
        random_game(edition, 1, |game, _| {
            let mask = game.legal_actions(Trades::On).mask();
            for action in Action::all() {
                assert_eq!(mask.contains(action), game.check(action).is_ok(), "{action:?}");
            }
        });
    }
}

#[test]
fn notation_round_trips_in_every_edition() {
    for edition in &EDITIONS {
        for seed in 0..times(1) {
            random_game(edition, seed, |game, _| {
                for action in game.legal_actions(Trades::On) {
                    let text = edition.action_text(action);
                    assert_eq!(edition.parse_action(&text, game.phase()), Ok(action), "{}: {text}", edition.name);
                    assert_eq!(edition.parse_action(&text.to_uppercase(), game.phase()), Ok(action), "{text}");
                }
            });
        }
    }
}

#[test]
fn display_shows_the_board_of_a_game() {
    let mut rng = rng::from_seed(3);
    let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
    let before = game.to_string();
    game.apply(Action::Settle(Vertex::new(0).unwrap()), &mut RandomChance(&mut rng), |_| {}).unwrap();
    let after = game.to_string();
    assert_eq!(before.lines().next(), Some("                    | 0|-- 0--| 1|"));
    assert_eq!(after.lines().next(), Some("                    |BB|-- 0--| 1|"));
    assert!(before.lines().skip(1).eq(after.lines().skip(1)), "nothing else changes");
}

fn assert_serde_round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn serde_round_trips_games_actions_and_events() {
    for edition in &EDITIONS {
        random_game(edition, 5, |game, action| {
            assert_serde_round_trip(game);
            assert_serde_round_trip(&action);
            let mut events = Vec::new();
            let mut next = *game;
            next.apply_unchecked(action, &mut RandomChance(&mut rng::from_seed(1)), |event| events.push(event));
            assert_serde_round_trip(&events);
        });
    }
}

/// Ends its turn at once, and counts nothing else.
struct Idle;

impl Player for Idle {
    fn choose(&mut self, _game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        actions.iter().find(|&action| action == Action::EndTurn).or_else(|| actions.nth(0))
    }
}

/// Chooses an illegal action whenever it is asked.
struct Illegal;

impl Player for Illegal {
    fn choose(&mut self, game: &Game, _actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        Action::all().find(|&action| game.check(action).is_err())
    }
}

#[test]
fn player_factory_enters_own_players_into_a_match() {
    let idle = PlayerFactory::new("idle", || Box::new(Idle));
    let greedy = PlayerFactory::from(PlayerKind::Greedy);
    let mut simulation = Simulation::versus(&CONSTRUCTOR, idle, greedy);
    simulation.games = 40;
    let stats = Stats::play(&simulation, 0..simulation.games, |_| {});
    assert_eq!((stats.games, stats.players[0].wins, stats.players[0].roads), (40, 0, 0), "it builds nothing");
}

#[test]
fn illegal_choices_are_replaced_by_the_first_legal_action() {
    let mut rng = rng::from_seed(2);
    let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
    let mut players = [Illegal, Illegal, Illegal, Illegal];
    for _ in 0..500 {
        let Some(action) = next_action(&game, Trades::On, &mut players, &mut rng) else { break };
        assert_eq!(game.check(action), Ok(()));
        if !matches!(game.phase(), Phase::TurnStart(_)) {
            assert_eq!(Some(action), game.legal_actions(Trades::On).nth(0));
        }
        game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
    }
}

/// Players stop within 100 ms; the test allows more for loaded machines.
#[test]
fn stop_signal_interrupts_thinking_players() {
    let mut rng = rng::from_seed(4);
    let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
    let actions = game.legal_actions(Trades::Off);
    let stop = StopSignal::default();
    let budget = Budget::new(Limit::Time(Duration::from_mins(10))).with_stop_signal(stop.clone());
    let players: [Box<dyn Player>; 2] =
        [Box::new(Mcts::new(budget.clone())), Box::new(FlatMonteCarlo::new(budget.clone()))];
    for mut player in players {
        stop.reset();
        let started = thread::scope(|scope| {
            let stopping = scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                stop.stop();
                Instant::now()
            });
            let action = player.choose(&game, &actions, &mut rng);
            assert!(action.is_some_and(|action| game.check(action).is_ok()), "it still answers");
            stopping.join().unwrap()
        });
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

fn run_example(name: &str, args: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO"))
        // The profile of the tests, so that the dependencies are built already.
        .args(["run", "--quiet", "--locked", "--profile", "test", "--example", name, "--"])
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .timeout(Duration::from_mins(10))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn example_bot_plays_a_match() {
    let (ok, text, errors) = run_example("bot", &["40", "1"]);
    assert!(ok, "{errors}");
    assert!(text.contains("builder") && text.contains("greedy"), "{text}");
}

#[test]
fn example_watch_prints_events_up_to_the_winner() {
    let (ok, text, errors) = run_example("watch", &["3"]);
    assert!(ok, "{errors}");
    for event in ["Rolled(", "Gained(", "ResidenceBuilt(", "TurnBegan("] {
        assert!(text.contains(event), "{event}");
    }
    let last = text.lines().rfind(|line| line.ends_with(')')).unwrap();
    assert!(last.starts_with("Won("), "{last}");
}

#[test]
fn example_perft_counts_from_a_saved_game() {
    let (ok, text, errors) = run_example("perft", &["saves/one-move-from-winning.sv", "2"]);
    assert!(ok, "{errors}");
    assert_eq!(text.lines().count(), 2, "{text}");
    let (ok, _, errors) = run_example("perft", &["no.sv"]);
    assert!(!ok && errors.contains("perft: no.sv: "), "{errors}");
}
