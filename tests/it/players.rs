//! The computer players, beside second implementations of their descriptions, with plain lists and `check`.

use std::collections::BTreeSet;

use std::io::{Read, Write};
use std::path::Path;

use constructor::app::play::{JournalFile, Seats};
use constructor::app::text_game::{LoopEnd, SharedGame, TextGame};
use constructor::board::{Edge, LayoutSource, RandomLayout, Resource, Terrain, Tile, Vertex};
use constructor::game::{Action, Builder, Game, Hand, Offer, Phase, RandomChance, Residence, Trades, cost};
use constructor::players::{
    Budget, FlatMonteCarlo, Greedy, Linear, Network, OpponentKind, Player, PlayerKind, Random, TURN_NETWORK,
    VALUE_NETWORK, Weights, WinModel, next_action,
};
use constructor::rng;
use constructor::simulate::{Simulation, Stats};
use constructor::statistics::wilson_interval;
use constructor::text::save;
use constructor::text::{Dialogue, EDITIONS};
use constructor_common::voice::Voice;
use rand::Rng;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::times::times;

/// Four persons.
pub fn persons() -> Seats {
    Seats::all_human(&EDITIONS[0])
}

/// Plays the text game of four persons on these streams. Returns the game as it is then, and why it ended.
pub fn play_lines(
    dialogue: Dialogue,
    journal: Option<&mut JournalFile>,
    input: impl Read,
    output: impl Write,
    save: impl FnMut(&Path, &str) -> Result<(), String>,
) -> (Dialogue, Result<(), LoopEnd>) {
    let (game, mut seats) = (SharedGame::new(dialogue), persons());
    let text_game = TextGame::new(&game, &mut seats, input, output, save, Voice::new("game"));
    let end = text_game.with_journal(journal).run();
    (game.into_inner(), end)
}

/// The greedy player, from its description.
#[derive(Default)]
struct PlainGreedy {
    /// The builders who were offered a trade in this turn.
    asked: usize,
}

fn ways(game: &Game, tile: Tile) -> u32 {
    match game.layout()[tile] {
        Terrain::Resource(_, roll) => (1..=6).filter(|die| (1..=6).contains(&(i32::from(roll.value()) - die))).count(),
        Terrain::Park => 0,
    }
    .try_into()
    .unwrap()
}

fn kinds(game: &Game, vertex: Vertex) -> BTreeSet<Resource> {
    let around = Tile::all().filter(|tile| tile.vertices().contains(&vertex));
    around
        .filter_map(|tile| match game.layout()[tile] {
            Terrain::Resource(resource, _) => Some(resource),
            Terrain::Park => None,
        })
        .collect()
}

fn own(game: &Game, builder: Builder) -> Vec<Vertex> {
    Vertex::all().filter(|&vertex| game.residences(builder).contains(vertex)).collect()
}

/// The value of a vertex: 12 for each new resource, and 1 for each of the 36 rolls that produce.
fn worth(game: &Game, builder: Builder, vertex: Vertex) -> u32 {
    let income: BTreeSet<Resource> = own(game, builder).into_iter().flat_map(|own| kinds(game, own)).collect();
    let new = u32::try_from(kinds(game, vertex).difference(&income).count()).unwrap();
    12 * new + Tile::all().filter(|tile| tile.vertices().contains(&vertex)).map(|tile| ways(game, tile)).sum::<u32>()
}

/// The first of those with the highest value.
fn best(game: &Game, builder: Builder, vertices: impl IntoIterator<Item = Vertex>) -> Option<Vertex> {
    let mut vertices: Vec<Vertex> = vertices.into_iter().collect();
    vertices.sort_by_key(|&vertex| (std::cmp::Reverse(worth(game, builder, vertex)), vertex));
    vertices.first().copied()
}

fn joined(one: Vertex, other: Vertex) -> bool {
    Edge::all().any(|edge| edge.ends().contains(&one) && edge.ends().contains(&other))
}

/// The distance between two sets of vertices in roads, and the nearest sites.
fn nearest(from: &BTreeSet<Vertex>, sites: &[Vertex]) -> Option<(usize, Vec<Vertex>)> {
    let mut reached = from.clone();
    for distance in 0..5 {
        let near: Vec<Vertex> = sites.iter().copied().filter(|site| reached.contains(site)).collect();
        if !near.is_empty() {
            return Some((distance, near));
        }
        reached = around(&reached);
    }
    None
}

fn around(reached: &BTreeSet<Vertex>) -> BTreeSet<Vertex> {
    let joined_to_any =
        |&vertex: &Vertex| reached.contains(&vertex) || reached.iter().any(|&other| joined(vertex, other));
    Vertex::all().filter(joined_to_any).collect()
}

fn level(game: &Game, vertex: Vertex) -> u32 {
    match game.residence(vertex) {
        None => 0,
        Some(Residence::Basement) => 1,
        Some(Residence::House) => 2,
        Some(Residence::Tower) => 3,
    }
}

impl PlainGreedy {
    fn choose(&mut self, game: &Game, trades: Trades) -> Action {
        let builder = game.current_player().unwrap();
        let allowed = |action: &Action| game.check(*action).is_ok();
        match game.phase() {
            Phase::TurnStart(_) => {
                self.asked = 0;
                Action::Roll
            }
            Phase::Setup(_) => {
                let sites = Vertex::all().filter(|&vertex| allowed(&Action::Settle(vertex)));
                Action::Settle(best(game, builder, sites).unwrap())
            }
            Phase::MoveGeese(_) => Self::geese(game, builder),
            Phase::Rob(_) => {
                let victims = Builder::ALL.into_iter().filter(|&victim| allowed(&Action::Rob(victim)));
                Action::Rob(Self::leader(game, victims))
            }
            Phase::DuringTurn(_) => self.turn(game, builder, trades),
            Phase::Offered(offer) => Self::answer(game, offer),
            Phase::Over(_) => unreachable!(),
        }
    }

    /// The victim with most points, then with most units, then the last.
    fn leader(game: &Game, builders: impl Iterator<Item = Builder>) -> Builder {
        let mut builders: Vec<Builder> = builders.collect();
        builders.sort_by_key(|&builder| (game.points(builder), game.hand(builder).counts().iter().sum::<u32>()));
        *builders.last().unwrap()
    }

    fn geese(game: &Game, builder: Builder) -> Action {
        let leader = Self::leader(game, Builder::ALL.into_iter().filter(|&other| other != builder));
        let touches = |tile: Tile, builder| own(game, builder).iter().any(|own| tile.vertices().contains(own));
        let free: Vec<Tile> =
            Tile::all().filter(|&tile| game.geese() != Some(tile) && !touches(tile, builder)).collect();
        let cost = |tile: &Tile| {
            let there = own(game, leader).into_iter().filter(|own| tile.vertices().contains(own));
            ways(game, *tile) * there.map(|own| level(game, own)).sum::<u32>()
        };
        let mut worst: Vec<Tile> = free.iter().copied().filter(|&tile| touches(tile, leader)).collect();
        worst.sort_by_key(cost);
        let anywhere = Tile::all().find(|&tile| game.geese() != Some(tile)).unwrap();
        Action::MoveGeese(*worst.last().or(free.first()).unwrap_or(&anywhere))
    }

    fn turn(&mut self, game: &Game, builder: Builder, trades: Trades) -> Action {
        let allowed = |action: &Action| game.check(*action).is_ok();
        let improvable: Vec<Vertex> = Vertex::all().filter(|&vertex| allowed(&Action::Improve(vertex))).collect();
        let houses = improvable.iter().copied().filter(|&vertex| level(game, vertex) == 2);
        if let Some(vertex) = best(game, builder, houses).or_else(|| best(game, builder, improvable.iter().copied())) {
            return Action::Improve(vertex);
        }
        let sites = Vertex::all().filter(|&vertex| allowed(&Action::BuildBasement(vertex)));
        if let Some(vertex) = best(game, builder, sites) {
            return Action::BuildBasement(vertex);
        }
        let roads: Vec<Edge> = Edge::all().filter(|&edge| allowed(&Action::BuildRoad(edge))).collect();
        if !Self::has_site(game, builder) && !roads.is_empty() {
            let ends = roads.iter().flat_map(|road| road.ends()).collect();
            let free: Vec<Vertex> = Vertex::all().filter(|&vertex| game.free_sites().contains(vertex)).collect();
            if let Some((distance, near)) = nearest(&ends, &free) {
                let site = best(game, builder, near).unwrap();
                let leads = |road: &&Edge| {
                    nearest(&road.ends().into_iter().collect(), &[site]).is_some_and(|(roads, _)| roads <= distance)
                };
                return Action::BuildRoad(*roads.iter().find(leads).unwrap());
            }
        }
        if trades == Trades::On { self.offer(game, builder).unwrap_or(Action::EndTurn) } else { Action::EndTurn }
    }

    /// Whether the builder has a site for a basement, regardless of cost.
    fn has_site(game: &Game, builder: Builder) -> bool {
        Vertex::all().any(|vertex| game.basement_sites(builder).contains(vertex))
    }

    fn offer(&mut self, game: &Game, builder: Builder) -> Option<Action> {
        let has = |wanted| own(game, builder).into_iter().any(|own| level(game, own) == wanted);
        let mut wishes = vec![];
        if has(2) {
            wishes.push(cost::residence(Residence::Tower));
        }
        if has(1) {
            wishes.push(cost::residence(Residence::House));
        }
        let basement = cost::residence(Residence::Basement);
        wishes.push(if Self::has_site(game, builder) { basement } else { cost::ROAD });
        while self.asked < 3 {
            self.asked += 1;
            let to = (0..self.asked).fold(builder, |builder, _| builder.next());
            for wish in &wishes {
                if let Some((give, take)) = Self::exchange(game.hand(builder), *wish)
                    && game.hand(to).counts()[take.index()] > 0
                {
                    return Some(Action::Offer { to, give, take });
                }
            }
        }
        None
    }

    /// The trade of one unit that makes the wish affordable, giving the resource with the largest surplus (the last of
    /// equals).
    fn exchange(hand: Hand, wish: Hand) -> Option<(Resource, Resource)> {
        let left = |kind: Resource| i64::from(hand.count(kind)) - i64::from(wish.count(kind));
        let missing: Vec<Resource> = Resource::ALL.into_iter().filter(|&kind| left(kind) < 0).collect();
        let &[take] = missing.as_slice() else { return None };
        let mut others = Resource::ALL;
        others.sort_by_key(|&kind| left(kind));
        (left(take) == -1 && left(others[4]) > 0).then_some((others[4], take))
    }

    fn answer(game: &Game, offer: Offer) -> Action {
        let hand = game.hand(offer.to).counts();
        let is_good = hand[offer.take.index()] >= hand[offer.give.index()] + 2;
        if is_good && game.points(offer.from) <= game.points(offer.to) { Action::Accept } else { Action::Refuse }
    }
}

/// Both greedy players, move by move, in games with random others, which reach all kinds of positions.
#[test]
fn greedy_equals_its_description() {
    let count = times(20);
    let mut kinds = BTreeSet::new();
    // The players are reused from board to board.
    let mut greedy: [Greedy; 4] = Default::default();
    for seed in 0..count {
        let mut draws = SmallRng::seed_from_u64(seed);
        let edition = &EDITIONS[usize::try_from(seed).unwrap() % EDITIONS.len()];
        let mut game = Game::new(edition.rules, RandomLayout.layout(&mut draws));
        let trades = if seed % 3 == 0 { Trades::Off } else { Trades::On };
        let mut plain: [PlainGreedy; 4] = Default::default();
        let mut turns = 0;
        while turns < 120
            && let Some(builder) = game.current_player()
        {
            let actions = game.legal_actions(trades);
            if let Phase::TurnStart(_) = game.phase() {
                greedy[builder.index()].begin_turn();
                turns += 1;
            }
            let expected = plain[builder.index()].choose(&game, trades);
            let chosen = greedy[builder.index()].choose(&game, &actions, &mut draws);
            assert_eq!(chosen, Some(expected), "game {seed}, turn {turns}: {game:?}");
            kinds.insert(format!("{expected:?}").split([' ', '(']).next().unwrap().to_owned());
            // Blue and Red follow it; Orange and Yellow do so half of the time.
            let strays = builder.index() > 1 && rng::below(&mut draws, 2) == 0;
            let strayed = strays.then(|| actions.sample_with(|count| rng::below(&mut draws, count))).flatten();
            game.apply(strayed.unwrap_or(expected), &mut RandomChance(&mut draws), |_| {}).unwrap();
        }
    }
    assert!(kinds.len() == 11 || count < 60, "{kinds:?}");
}

/// Takes the last legal action.
struct Last;

impl Player for Last {
    fn choose(&mut self, game: &Game, actions: &constructor::game::LegalActions, _: &mut dyn Rng) -> Option<Action> {
        assert!(actions.len() > 1, "who can do but one thing is not asked");
        assert!(!matches!(game.phase(), Phase::TurnStart(_)));
        actions.nth(actions.len() - 1)
    }
}

/// Chooses an illegal action.
struct Cheat;

impl Player for Cheat {
    fn choose(&mut self, _: &Game, _: &constructor::game::LegalActions, _: &mut dyn Rng) -> Option<Action> {
        Some(Action::Roll)
    }
}

#[test]
fn next_action_asks_only_for_real_choices() {
    let mut draws = SmallRng::seed_from_u64(1);
    let mut game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
    let settle = |vertex| Some(Action::Settle(Vertex::new(vertex).unwrap()));
    assert_eq!(next_action(&game, Trades::Off, &mut [Last, Last, Last, Last], &mut draws), settle(53));
    assert_eq!(next_action(&game, Trades::Off, &mut [Cheat, Cheat, Cheat, Cheat], &mut draws), settle(0));
    for _ in 0..400 {
        let action = next_action(&game, Trades::On, &mut [Last, Last, Last, Last], &mut draws).unwrap();
        game.apply(action, &mut RandomChance(&mut draws), |_| {}).unwrap();
    }
}

/// Counts its calls.
#[derive(Default)]
struct Counting {
    turns: u32,
    seen: u32,
    asked: u32,
}

impl Player for Counting {
    fn choose(&mut self, _: &Game, actions: &constructor::game::LegalActions, _: &mut dyn Rng) -> Option<Action> {
        self.asked += 1;
        actions.nth(0)
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
    }

    fn observe(&mut self, _: &Game) {
        self.seen += 1;
    }
}

#[test]
fn boxed_player_forwards_all_methods() {
    fn play(player: &mut impl Player, game: &Game, draws: &mut SmallRng) {
        player.begin_turn();
        player.observe(game);
        player.observe(game);
        for _ in 0..3 {
            assert_eq!(
                player.choose(game, &game.legal_actions(Trades::Off), draws),
                game.legal_actions(Trades::Off).nth(0)
            );
        }
    }
    let mut draws = SmallRng::seed_from_u64(4);
    let game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
    let mut boxed = Box::new(Counting::default());
    play(&mut boxed, &game, &mut draws);
    assert_eq!((boxed.turns, boxed.seen, boxed.asked), (1, 2, 3));
}

#[test]
fn players_are_reusable_on_another_board() {
    let mut draws = SmallRng::seed_from_u64(5);
    for kind in [PlayerKind::Greedy, PlayerKind::Normal, PlayerKind::Classic] {
        let mut old = kind.player(&Budget::playouts(1));
        for _ in 0..20 {
            let game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
            let actions = game.legal_actions(Trades::Off);
            let expected = kind.player(&Budget::playouts(1)).choose(&game, &actions, &mut draws);
            assert_eq!(old.choose(&game, &actions, &mut draws), expected, "{kind:?}");
        }
    }
}

#[test]
fn random_is_uniform() {
    const TIMES: u32 = 54 * 200;
    let mut draws = SmallRng::seed_from_u64(2);
    let game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
    let mut counts = [0_u32; 54];
    for _ in 0..TIMES {
        let Some(Action::Settle(vertex)) = Random.choose(&game, &game.legal_actions(Trades::Off), &mut draws) else {
            panic!("it is the setup");
        };
        counts[vertex.index()] += 1;
    }
    // Chi-square with 53 degrees of freedom exceeds 105 with probability 1e-5.
    let square: f64 = counts.iter().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
    assert!(square < 105.0, "{square}");
}

/// Weights that are 0 except for these.
fn weights(set: &[(&str, f32)]) -> Weights {
    let line = |line: &str| {
        let name = line.split_whitespace().next().unwrap();
        let value = set.iter().find(|(wanted, _)| *wanted == name).map_or(0.0, |(_, value)| *value);
        format!("{name} {value}\n")
    };
    let text: String = Weights::normal().write().lines().map(line).collect();
    let weights = Weights::parse(&text).unwrap();
    let nonzero = weights.0.iter().filter(|weight| **weight != 0.0).count();
    assert_eq!(nonzero, set.len(), "{set:?}");
    weights
}

/// A game on the sample layout in Blue's turn, without production so far.
fn in_turn(blue: &str, others: &str) -> Game {
    const LAYOUT: &str = include_str!("../../layout.txt");
    let text = format!("0\n{blue}\n{others}\n{LAYOUT}-1\n");
    let position = save::read_game(&EDITIONS[0], text.as_bytes()).unwrap();
    let mut game = Game::from_saved(EDITIONS[0].rules, &position).unwrap();
    let mut chance = constructor::game::ScriptedChance {
        roll: constructor::board::Roll::new(12).unwrap(),
        discard: Hand::EMPTY,
        steal: Resource::Brick,
    };
    game.apply(Action::Roll, &mut chance, |_| {}).unwrap();
    game
}

/// The choice of a player with these weights.
fn choice_by(set: &[(&str, f32)], game: &Game) -> Action {
    let mut draws = SmallRng::seed_from_u64(0);
    Linear::new(weights(set)).choose(game, &game.legal_actions(Trades::Off), &mut draws).unwrap()
}

const OTHERS: &str = "0 0 0 0 0 r h 1 B\n0 0 0 0 0 r h 47 B\n0 0 0 0 0 r h 5 B";

#[test]
fn linear_weights_determine_the_action() {
    // Blue has a basement on 37 (energy 8 and 5, WiFi 11), a house on 49 (glass 9, WiFi 6), and roads to site 25.
    let blue = "9 9 9 9 9 r 38 47 h 37 B 49 H";
    let game = in_turn(blue, OTHERS);
    let choice = |set: &[(&str, f32)]| choice_by(set, &game);
    let vertex = |number| Vertex::new(number).unwrap();
    assert_eq!(choice(&[]), Action::EndTurn);
    assert_eq!(choice(&[("house", 1.0)]), Action::Improve(vertex(37)));
    assert_eq!(choice(&[("house", 1.0), ("tower", 2.0)]), Action::Improve(vertex(49)));
    assert_eq!(choice(&[("house", 1.0), ("tower", 2.0), ("much", -9.0)]), Action::EndTurn);
    assert_eq!(choice(&[("house", -1.0), ("much", 2.0)]), Action::Improve(vertex(49)));
    assert_eq!(choice(&[("house-worth", 1.0)]), Action::EndTurn, "nothing is worth anything");
    assert_eq!(choice(&[("house-worth", 1.0), ("tower-worth", 1.0), ("energy", 1.0)]), Action::Improve(vertex(37)));
    assert_eq!(choice(&[("house-worth", 1.0), ("tower-worth", 1.0), ("glass", 1.0)]), Action::Improve(vertex(49)));
    assert_eq!(choice(&[("basement", 1.0), ("house", 0.5)]), Action::BuildBasement(vertex(25)));
    let Action::BuildRoad(_) = choice(&[("road", 1.0), ("basement", 0.5)]) else { panic!("a road") };
    assert_eq!(choice(&[("road", 1.0), ("road-besides", -2.0)]), Action::EndTurn, "25 is a site already");
}

#[test]
fn linear_weights_rate_needs_of_others() {
    // Red comes from 26 and could build on 25 too, or the road between.
    let blue = "9 9 9 9 9 r 38 47 h 37 B 49 H";
    let choice = |red: &str, set: &[(&str, f32)]| choice_by(set, &in_turn(blue, &OTHERS.replacen("r h 1 B", red, 1)));
    let (near, at_site) = ("r 39 h 1 B", "r 39 35 h 1 B");
    let basement = Action::BuildBasement(Vertex::new(25).unwrap());
    let road = |number| Action::BuildRoad(Edge::new(number).unwrap());
    assert_eq!(choice(near, &[("wanted-basement", 1.0)]), Action::EndTurn);
    assert_eq!(choice(at_site, &[("wanted-basement", 1.0)]), basement);
    let guard = [("wanted-guard", 1.0), ("first-brick", 1.0), ("first-energy", 1.0), ("first-heat", 1.0)];
    assert_eq!(choice("r h 1 B", &guard), Action::EndTurn, "nobody comes near");
    assert_eq!(choice(near, &guard), road(35));
}

#[test]
fn linear_weights_rate_harm_to_others() {
    // Red, with a house on 11, touches the same tiles as Orange with basements on 10 and 17. Blue lacks one heat for a
    // house.
    let text = "0\n0 0 2 2 0 r h 53 B\n0 0 0 1 0 r h 11 H\n3 0 0 0 0 r h 9 B 17 B\n0 0 0 0 0 r h 5 B 51 B\n";
    let text = format!("{text}{}-1\n", include_str!("../../layout.txt"));
    let position = save::read_game(&EDITIONS[0], text.as_bytes()).unwrap();
    let mut game = Game::from_saved(EDITIONS[0].rules, &position).unwrap();
    let mut chance = constructor::game::ScriptedChance {
        roll: constructor::board::Roll::new(7).unwrap(),
        discard: Hand::EMPTY,
        steal: Resource::Brick,
    };
    game.apply(Action::Roll, &mut chance, |_| {}).unwrap();
    let tile = |number| Tile::new(number).unwrap();
    assert_eq!(choice_by(&[("geese-theft", 1.0)], &game), Action::MoveGeese(tile(0)), "Orange can be robbed there");
    assert_eq!(choice_by(&[("geese-own", 1.0)], &game), Action::MoveGeese(tile(0)), "anywhere but at home");
    assert_eq!(choice_by(&[("geese-own", -1.0)], &game), Action::MoveGeese(tile(18)), "at home");
    let chosen = |set: &[(&str, f32)]| {
        let Action::MoveGeese(tile) = choice_by(set, &game) else { panic!("the geese move") };
        tile
    };
    let red = Vertex::new(11).unwrap();
    assert!(chosen(&[("theft-house", 1.0)]).corners().contains(red), "Red has heat");
    assert!(!chosen(&[("theft-road", 1.0)]).corners().contains(red), "Blue has heat for a road");
    // Only Yellow produces all resources of a house: heat on tile 2 and glass on tile 17.
    assert_eq!(chosen(&[("harm-house", 1.0)]), tile(2));
    assert_eq!(chosen(&[("harm-road", 1.0)]), tile(0), "nobody can pay for a road, so nobody is harmed");
    game.apply(Action::MoveGeese(tile(5)), &mut chance, |_| {}).unwrap();
    assert_eq!(choice_by(&[("rob-units", 1.0)], &game), Action::Rob(Builder::Orange));
    assert_eq!(choice_by(&[("rob-units", -1.0)], &game), Action::Rob(Builder::Red));
    assert_eq!(choice_by(&[("theft-house", 1.0)], &game), Action::Rob(Builder::Red), "heat is what is short");
    assert_eq!(choice_by(&[("theft-house", -1.0)], &game), Action::Rob(Builder::Orange));
}

#[test]
fn weights_round_trip() {
    let tuned = Weights::normal();
    assert_eq!(Weights::parse(&tuned.write()), Ok(tuned.clone()));
    assert!(tuned.0.iter().filter(|weight| **weight != 0.0).count() > 20, "they are read from their file");
    let text = tuned.write();
    for (from, to, complaint) in [
        ("energy", "enegry", "line 2: expected 'energy' and a number"),
        ("brick  ", "brick x", "line 1: expected 'brick' and a number"),
        ("brick  ", "brick NaN #", "line 1: expected 'brick' and a number"),
        ("rob-units", "# ", "line 28: expected 'rob-units' and a number"),
    ] {
        let error = Weights::parse(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.to_string(), complaint);
    }
}

fn wins(one: PlayerKind, other: PlayerKind, boards: u64, playouts: u32) -> (f64, f64) {
    let budget = Budget::playouts(playouts);
    let mut simulation = Simulation::versus(&EDITIONS[0], one.factory(&budget), other.factory(&budget));
    simulation.games = 4 * boards;
    simulation.seed = 11;
    simulation.max_turns = 2_000;
    let tally = Stats::play(&simulation, 0..simulation.games, |_| {});
    wilson_interval(tally.players[0].wins, tally.games)
}

/// Each step of the ladder in `docs/players.md`, with few games.
#[test]
#[ignore = "long: a match of many games"]
fn kinds_beat_the_kind_before() {
    let (low, _) = wins(PlayerKind::Normal, PlayerKind::Greedy, 400, 1);
    assert!(low > 0.36, "{low}");
    let (low, _) = wins(PlayerKind::Hard, PlayerKind::Greedy, 12, 200);
    assert!(low > 0.4, "{low}");
    let (low, _) = wins(PlayerKind::Classic, PlayerKind::Greedy, 60, 1);
    assert!(low > 0.25, "{low}");
    let (low, _) = wins(PlayerKind::Expert, PlayerKind::Greedy, 12, 200);
    assert!(low > 0.4, "{low}");
    let (low, _) = wins(PlayerKind::Expert, PlayerKind::Normal, 24, 200);
    assert!(low > 0.3, "{low}");
}

#[test]
fn win_model_prefers_the_leader() {
    let value = VALUE_NETWORK.pretrained();
    let parse = |text: &str| Network::parse(&VALUE_NETWORK, text);
    let text = include_str!("../../src/players/data/value.txt");
    assert_eq!((parse(text).as_ref(), parse(&value.write()).as_ref()), (Ok(&*value), Ok(&*value)));
    for (from, to, complaint) in [
        ("\npoints.1 ", "\npoint.1 ", "line 38: expected 'points.1' and 64 numbers"),
        ("\nscore ", "\nscore NaN ", "line 162: expected 'score' and 64 numbers"),
    ] {
        assert_eq!(parse(&text.replacen(from, to, 1)).unwrap_err().to_string(), complaint);
    }
    assert_eq!(parse("").unwrap_err().to_string(), "line 1: expected 'points.0' and 64 numbers");
    let turn = Network::parse(&TURN_NETWORK, text).unwrap_err().to_string();
    assert_eq!(turn, "line 161: expected 'action.0' and 64 numbers");

    let chances = |others: &str| {
        let game = in_turn("0 0 0 0 0 r 38 47 h 37 B 49 B", others);
        let chances = WinModel::default().chances(&game, [OpponentKind::Normal; 4]);
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{chances:?}");
        chances[0]
    };
    // The others have a basement each, or one of them has three towers.
    let (leads, is_behind) = (chances(OTHERS), chances(&OTHERS.replace("1 B", "1 T 14 T 22 T")));
    assert!(leads > 0.5 && is_behind < 0.1, "{leads}, {is_behind}");
    let mut won = in_turn("3 2 2 2 1 r 38 47 h 37 T 49 T 30 H 51 B", OTHERS);
    let action = Action::Improve(Vertex::new(30).unwrap());
    won.apply(action, &mut RandomChance(&mut SmallRng::seed_from_u64(0)), |_| {}).unwrap();
    assert_eq!(
        WinModel::default().chances(&won, [OpponentKind::Rollout; 4]).map(f32::to_bits),
        [1.0, 0.0, 0.0, 0.0].map(f32::to_bits)
    );
}

/// Every player that searches takes an immediate win.
#[test]
fn searching_players_take_a_win() {
    let game = in_turn("3 2 2 2 1 r 38 47 h 37 T 49 T 30 H 51 B", OTHERS);
    let actions = game.legal_actions(Trades::Off);
    for kind in [PlayerKind::Classic, PlayerKind::Hard, PlayerKind::Expert] {
        let mut player = kind.player(&Budget::playouts(200));
        let mut draws = SmallRng::seed_from_u64(1);
        let chosen = player.choose(&game, &actions, &mut draws).unwrap();
        let mut after = game;
        after.apply(chosen, &mut RandomChance(&mut draws), |_| {}).unwrap();
        assert_eq!(after.winner(), Some(Builder::Blue), "{kind:?} does {chosen:?}");
    }
}

/// The opponent models of an expert.
fn takes_on_others(expert: Builder) -> impl Iterator<Item = [OpponentKind; Builder::COUNT]> {
    let count = OpponentKind::ALL.len();
    (0..count.pow(3)).map(move |number| {
        let mut rest = number;
        Builder::ALL.map(|builder| {
            if builder == expert {
                return OpponentKind::Rollout;
            }
            let model = OpponentKind::ALL[rest % count];
            rest /= count;
            model
        })
    })
}

/// An expert trades for its own good, and not without end.
#[test]
fn mcts_trades_for_its_own_good() {
    let mut draws = SmallRng::seed_from_u64(4);
    let mut accepted = 0;
    for _ in 0..3 {
        let mut game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
        let kinds = [PlayerKind::Expert, PlayerKind::Expert, PlayerKind::Quiet, PlayerKind::Greedy];
        let mut players = kinds.map(|kind| kind.player(&Budget::playouts(30)));
        let (mut offers, mut turns) = (0, 0);
        while turns < 300
            && let Some(action) = next_action(&game, Trades::On, &mut players, &mut draws)
        {
            match (action, game.phase()) {
                (Action::Roll, _) => (offers, turns) = (0, turns + 1),
                (Action::Offer { .. }, Phase::DuringTurn(builder)) => {
                    offers += 1;
                    assert!(offers <= 4, "too many offers in a turn");
                    assert_ne!(builder, Builder::Orange, "who is quiet offers nothing");
                }
                (Action::Accept, Phase::Offered(offer)) if offer.to != Builder::Yellow => {
                    accepted += 1;
                    let mut after = game;
                    after.apply(action, &mut RandomChance(&mut draws), |_| {}).unwrap();
                    // The win rates depend on the opponent model.
                    let rises = takes_on_others(offer.to).any(|models| {
                        let chance = |game: &Game| WinModel::default().chances(game, models)[offer.to.index()];
                        chance(&after) > chance(&game)
                    });
                    assert!(rises, "{offer:?} is no good for {:?}, whoever the others are", offer.to);
                }
                _ => {}
            }
            game.apply(action, &mut RandomChance(&mut draws), |_| {}).unwrap();
        }
    }
    assert!(accepted > 0, "nobody ever trades");
}

#[test]
fn flat_mc_answers_within_time() {
    let mut draws = SmallRng::seed_from_u64(8);
    let game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
    let actions = game.legal_actions(Trades::Off);
    let choice = |budget| FlatMonteCarlo::new(budget).choose(&game, &actions, &mut SmallRng::seed_from_u64(1));
    assert_eq!(choice(Budget::playouts(100)), choice(Budget::playouts(100)), "it is always the same");
    let timed = choice(Budget::time(std::time::Duration::from_millis(5))).unwrap();
    assert_eq!(game.check(timed), Ok(()));
}

#[test]
fn linear_weights_determine_the_setup() {
    let mut draws = SmallRng::seed_from_u64(3);
    let mut boards = || Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut draws));
    let choose = |player: &mut Linear, game: &Game| {
        player.choose(game, &game.legal_actions(Trades::Off), &mut SmallRng::seed_from_u64(0)).unwrap()
    };
    // With weight on room alone: the first vertex with the most sites two roads away.
    let game = boards();
    let room = |vertex: Vertex| {
        let at_distance_two = |other: &Vertex| {
            *other != vertex && Vertex::all().any(|between| joined(vertex, between) && joined(between, *other))
        };
        Vertex::all().filter(at_distance_two).count()
    };
    let most = Vertex::all().map(room).max().unwrap();
    let first = Vertex::all().find(|&vertex| room(vertex) == most).unwrap();
    assert_eq!(choice_by(&[("room", 1.0)], &game), Action::Settle(first));
    // A player reused from another board plays the same.
    let mut player = Linear::default();
    for _ in 0..20 {
        let game = boards();
        assert_eq!(choose(&mut player, &game), choose(&mut Linear::default(), &game));
    }

    let game = in_turn("9 9 9 9 9 r 38 47 h 37 B 49 H", OTHERS);
    let choice = |set: &[(&str, f32)]| choice_by(set, &game);
    assert_eq!(choice(&[("house", 1.0), ("house-worth", -2.0), ("energy", 1.0)]), Action::EndTurn);
    assert_eq!(
        choice(&[("road-to-site", 1.0), ("road-towards-site", 1.0)]),
        Action::EndTurn,
        "sites are worth nothing"
    );
    for name in ["road-to-site", "road-towards-site"] {
        let Action::BuildRoad(_) = choice(&[(name, 1.0), ("heat", 1.0), ("brick", 1.0)]) else { panic!("{name}") };
    }
}
