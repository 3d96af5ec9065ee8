//! Many games side by side: the same as single games, however the work is split.

use std::num::NonZeroUsize;

use constructor::batch::observation::{Observer, SIZE};
use constructor::batch::{Arrays, Batch, BatchOptions, Opponent, Rewards, Step, WrongAction};
use constructor::game::{Action, Builder, Game, RandomChance, Trades};
use constructor::players::{Budget, PlayerKind};
use constructor::rng;
use constructor::simulate::{Simulation, derive_seed};
use constructor::text::{CONSTRUCTOR, WATAN};

const SLOTS: usize = 11;

/// The arrays of a batch.
struct Owned {
    observations: Vec<u8>,
    masks: Vec<u8>,
    players: Vec<i8>,
    rewards: Vec<f32>,
    ends: [Vec<bool>; 2],
    winners: Vec<i8>,
    seeds: Vec<u64>,
}

impl Owned {
    fn new() -> Self {
        Self {
            observations: vec![0; SLOTS * SIZE],
            masks: vec![0; SLOTS * Action::COUNT],
            players: vec![0; SLOTS],
            rewards: vec![0.0; SLOTS * Builder::COUNT],
            ends: [vec![false; SLOTS], vec![false; SLOTS]],
            winners: vec![0; SLOTS],
            seeds: vec![0; SLOTS],
        }
    }

    fn step(&mut self, batch: &mut Batch, run: impl FnOnce(Step<'_>)) {
        let [terminated, truncated] = &mut self.ends;
        let arrays = Arrays {
            observations: &mut self.observations,
            masks: &mut self.masks,
            players: &mut self.players,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            winners: &mut self.winners,
            seeds: &mut self.seeds,
            ..Arrays::default()
        };
        run(batch.step(arrays).unwrap());
    }
}

fn forwards(step: Step<'_>) {
    step.run();
}

/// Cuts a step to single slots, and does the last of them first.
fn backwards(step: Step<'_>) {
    if step.slots() < 2 {
        return step.run();
    }
    let (first, second) = step.split();
    backwards(second);
    backwards(first);
}

fn kinds() -> [Opponent; 3] {
    [PlayerKind::Greedy, PlayerKind::Normal, PlayerKind::Expert]
        .map(|kind| Opponent::Player(kind.factory(&Budget::playouts(2))))
}

#[test]
fn every_slot_is_a_single_game() {
    for (edition, trades) in [(&CONSTRUCTOR, Trades::Off), (&WATAN, Trades::On)] {
        let options = BatchOptions { trades, max_turns: 40, max_steps: 300, ..BatchOptions::new(edition) };
        let (mut batch, mut arrays) = (Batch::new(options, 3, SLOTS).unwrap(), Owned::new());
        arrays.step(&mut batch, forwards);
        let begin = |number: u64| {
            let mut rng = rng::from_seed(derive_seed(3, number));
            let layout = constructor::board::LayoutSource::layout(&constructor::board::RandomLayout, &mut rng);
            (Game::new(edition.rules, layout), rng, number, 0, 0)
        };
        let mut games: Vec<_> = (0..SLOTS as u64).map(begin).collect();
        let (mut actions, mut ended) = (vec![0; SLOTS], 0);
        for _ in 0..700 {
            batch.sample_actions(&mut actions);
            batch.choose(actions.iter().copied()).unwrap();
            arrays.step(&mut batch, backwards);
            for (slot, (game, rng, number, turns, steps)) in games.iter_mut().enumerate() {
                let action = Action::from_index(u16::try_from(actions[slot]).unwrap()).unwrap();
                game.apply(action, &mut RandomChance(rng), |_| {}).unwrap();
                (*turns, *steps) = (*turns + u64::from(action == Action::EndTurn), *steps + 1);
                let is_truncated = game.winner().is_none() && (*turns >= 40 || *steps >= 300);
                assert_eq!([arrays.ends[0][slot], arrays.ends[1][slot]], [game.winner().is_some(), is_truncated]);
                if game.winner().is_some() || is_truncated {
                    ended += 1;
                    let next = *number + SLOTS as u64;
                    (*game, *rng, *number, *turns, *steps) = begin(next);
                    assert_eq!(arrays.seeds[slot], derive_seed(3, next));
                }
                let (mut seen, acting) = ([0; SIZE], game.current_player().unwrap());
                Observer::new(game).observe(game, 0, acting, &mut seen);
                assert_eq!(arrays.observations[slot * SIZE..][..SIZE], seen);
                let mask = &arrays.masks[slot * Action::COUNT..][..Action::COUNT];
                let legal = game.legal_actions(trades);
                assert!(Action::all().all(|action| legal.contains(action) == (mask[usize::from(action.index())] == 1)));
            }
        }
        assert!(ended > 10, "{ended}");
    }
}

/// The games of a match between the second player and three greedy ones, with an agent outside who plays as that player would.
#[test]
fn paired_boards_are_those_of_a_match() {
    let greedy = || PlayerKind::Greedy.factory(&Budget::playouts(1));
    let mut simulation = Simulation::versus(&CONSTRUCTOR, greedy(), greedy());
    (simulation.games, simulation.seed) = (16, 8);
    let expected = simulation.run(NonZeroUsize::MIN);
    let options = BatchOptions {
        opponents: Some([(); 3].map(|()| Opponent::Player(greedy()))),
        skip_forced: true,
        paired_boards: true,
        max_turns: 10_000,
        ..BatchOptions::new(&CONSTRUCTOR)
    };
    let (mut wins, mut batch, mut arrays) = (0, Batch::new(options, 8, SLOTS).unwrap(), Owned::new());
    let mut numbers: Vec<u64> = (0..SLOTS as u64).collect();
    let mut players: Vec<_> = (0..SLOTS).map(|_| greedy().make()).collect();
    let (mut finished, mut rng) = (0, rng::from_seed(0));
    arrays.step(&mut batch, forwards);
    while finished < 16 {
        let seats = arrays.players.clone();
        let choose = |slot: usize| {
            let state = batch.state(slot).unwrap();
            let action = players[slot].choose(&state.game, &state.legal_actions(), &mut rng).unwrap();
            i64::from(action.index())
        };
        let actions: Vec<i64> = (0..SLOTS).map(choose).collect();
        batch.choose(actions).unwrap();
        arrays.step(&mut batch, forwards);
        for slot in (0..SLOTS).filter(|&slot| arrays.ends[0][slot]) {
            if numbers[slot] < 16 {
                finished += 1;
                wins += u64::from(arrays.winners[slot] == seats[slot]);
            }
            numbers[slot] += SLOTS as u64;
        }
    }
    assert_eq!(wins, expected.players[0].wins);
}

#[test]
fn a_snapshot_goes_on_with_the_same_bytes() {
    let outside = [Opponent::Outside, kinds()[0].clone(), Opponent::Outside];
    for opponents in [None, Some(kinds()), Some(outside)] {
        let options = BatchOptions { opponents, rewards: Rewards::Points, ..BatchOptions::new(&CONSTRUCTOR) };
        let mut batch = Batch::new(options.clone(), 5, SLOTS).unwrap();
        let mut arrays = Owned::new();
        let play = |batch: &mut Batch, arrays: &mut Owned| {
            let mut actions = vec![0; SLOTS];
            while batch.waiting().iter().any(|&number| number >= 0) {
                batch.sample_actions(&mut actions);
                let slots: Vec<usize> = (0..SLOTS).filter(|&slot| batch.waiting()[slot] >= 0).collect();
                let own: Vec<i64> = slots.iter().map(|&slot| actions[slot]).collect();
                batch.answer(&slots, &own).unwrap();
                arrays.step(batch, forwards);
            }
            batch.sample_actions(&mut actions);
            batch.choose(actions).unwrap();
            arrays.step(batch, forwards);
        };
        arrays.step(&mut batch, forwards);
        (0..90).for_each(|_| play(&mut batch, &mut arrays));
        let written = serde_json::to_string(&batch.snapshot()).unwrap();
        let mut other = Batch::new(options, 1, SLOTS).unwrap();
        other.restore(&serde_json::from_str(&written).unwrap()).unwrap();
        let mut others = Owned::new();
        others.step(&mut other, backwards);
        assert_eq!((&others.observations, other.seed()), (&arrays.observations, 5));
        for _ in 0..60 {
            play(&mut batch, &mut arrays);
            play(&mut other, &mut others);
            assert_eq!((&arrays.observations, &arrays.masks), (&others.observations, &others.masks));
            assert_eq!((&arrays.rewards, &arrays.seeds), (&others.rewards, &others.seeds));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut batch = Batch::new(BatchOptions::new(&CONSTRUCTOR), 5, SLOTS).unwrap();
    let mut arrays = Owned::new();
    assert_eq!(batch.step(Arrays { winners: &mut [0; 3], ..Arrays::default() }).err(), Some("winners"));
    arrays.step(&mut batch, forwards);
    let before = serde_json::to_string(&batch.snapshot()).unwrap();
    for (wrong, action) in [(3, 54), (10, -1), (0, 361), (7, i64::MAX)] {
        let actions = (0..SLOTS).map(|slot| if slot == wrong { action } else { 0 });
        assert_eq!(batch.choose(actions), Err(WrongAction { slot: wrong, action }));
        arrays.step(&mut batch, forwards);
    }
    let small = Batch::new(BatchOptions::new(&CONSTRUCTOR), 5, 2).unwrap().snapshot();
    assert_eq!(batch.restore(&small), Err("it has 2 slots, not 11".to_owned()));
    let watan = Batch::new(BatchOptions::new(&WATAN), 5, SLOTS).unwrap().snapshot();
    assert!(batch.restore(&watan).unwrap_err().starts_with("it is of these settings: watan "));
    assert_eq!(serde_json::to_string(&batch.snapshot()).unwrap(), before);
}
