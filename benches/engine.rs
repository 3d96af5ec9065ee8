//! How fast the rules are for players who think in games.
//!
//! Chance and players draw from xoshiro256++, the small generator of the rand family, and chance draws
//! [quickly](constructor::game::FastChance). A ply is any action, also a forced one; a turn is one builder's.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Builder, FastChance, Game, Phase, Trades, perft};
use constructor::players::{Budget, Greedy, PlayerKind, next_action};
use constructor::rng;
use constructor::simulate::{Progress, Simulation, run};
use constructor::text::CONSTRUCTOR;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// A game of random players ends without a result after so many turns.
const MOST_TURNS: u64 = 10_000;

fn new_game(draws: &mut SmallRng) -> Game {
    Game::new(CONSTRUCTOR.rules, RandomLayout.layout(draws))
}

/// Plays random games until enough has been done, and returns how long it took.
fn random_play(enough: u64, trades: Trades, counts: impl Fn(Action) -> bool) -> Duration {
    let mut draws = SmallRng::seed_from_u64(1);
    let mut done = 0;
    let begun = Instant::now();
    while done < enough {
        let mut game = new_game(&mut draws);
        while let Phase::Setup(_) = game.phase()
            && let Some(action) = game.legal_actions(trades).sample_with(|count| rng::below(&mut draws, count))
        {
            game.apply_unchecked(action, &mut FastChance(&mut draws), |_| {});
            done += u64::from(counts(action));
        }
        let mut turns = 0;
        while done < enough && turns < MOST_TURNS && !matches!(game.phase(), Phase::Over(_)) {
            let choose = |chance: &mut FastChance<_>, count| rng::below(chance.0, count);
            game.play_turn(trades, &mut FastChance(&mut draws), choose, |action| done += u64::from(counts(action)));
            turns += 1;
        }
        black_box(&game);
    }
    begun.elapsed()
}

fn greedy_play(mut game: Game, players: &mut [Greedy; Builder::COUNT], draws: &mut SmallRng) -> Game {
    let mut turns = 0;
    while turns < MOST_TURNS
        && let Some(action) = next_action(&game, Trades::Off, players, draws)
    {
        game.apply_unchecked(action, &mut FastChance(draws), |_| {});
        turns += u64::from(action == Action::EndTurn);
    }
    game
}

/// Positions of greedy games at the beginning of a turn, after so many turns.
fn positions_after(turns: u64, count: usize) -> Vec<Game> {
    let mut draws = SmallRng::seed_from_u64(2);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = new_game(&mut draws);
        let mut players: [Greedy; Builder::COUNT] = Default::default();
        let mut left = turns;
        while left > 0
            && let Some(action) = next_action(&game, Trades::Off, &mut players, &mut draws)
        {
            game.apply_unchecked(action, &mut FastChance(&mut draws), |_| {});
            left -= u64::from(action == Action::EndTurn);
        }
        if matches!(game.phase(), Phase::TurnStart(_)) {
            positions.push(game);
        }
    }
    positions
}

/// Positions in all phases.
fn positions_of_play(count: usize) -> Vec<Game> {
    let mut draws = SmallRng::seed_from_u64(3);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = new_game(&mut draws);
        for _ in 0..200 {
            let Some(action) = game.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut draws, count))
            else {
                break;
            };
            game.apply_unchecked(action, &mut FastChance(&mut draws), |_| {});
        }
        positions.push(game);
    }
    positions
}

fn each(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut time: impl FnMut(u64) -> Duration) {
    group.throughput(Throughput::Elements(1));
    group.bench_function(name, |bencher| bencher.iter_custom(&mut time));
}

fn play(criterion: &mut Criterion) {
    const PLAYOUTS: u64 = 1_000;
    let mut group = criterion.benchmark_group("play");
    group.sample_size(20);
    each(&mut group, "random ply", |count| random_play(count, Trades::Off, |_| true));
    each(&mut group, "random turn", |count| random_play(count, Trades::Off, |action| action == Action::EndTurn));
    each(&mut group, "random ply, trades on", |count| random_play(count, Trades::On, |_| true));
    each(&mut group, "game of four greedy players", |count| {
        let mut draws = SmallRng::seed_from_u64(4);
        let mut players: [Greedy; Builder::COUNT] = Default::default();
        let begun = Instant::now();
        for _ in 0..count {
            let game = new_game(&mut draws);
            black_box(greedy_play(game, &mut players, &mut draws));
        }
        begun.elapsed()
    });
    let middles = positions_after(80, 64);
    each(&mut group, "greedy playout from turn 80", |count| {
        let mut draws = SmallRng::seed_from_u64(5);
        let mut players: [Greedy; Builder::COUNT] = Default::default();
        let begun = Instant::now();
        // As a player would who thinks: many from one position.
        for playout in 0..count {
            let game = middles[usize::try_from(playout / PLAYOUTS).unwrap_or_default() % middles.len()];
            black_box(greedy_play(game, &mut players, &mut draws));
        }
        begun.elapsed()
    });
    group.finish();
}

fn position(criterion: &mut Criterion) {
    // So few that they stay in the first cache, with copies of them.
    const COUNT: usize = 16;
    let positions = positions_of_play(COUNT);
    let mut group = criterion.benchmark_group("position");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("16 sets of legal actions", |bencher| {
        bencher.iter(|| positions.iter().map(|game| black_box(game).legal_actions(Trades::Off).len()).sum::<u32>());
    });
    group.bench_function("16 copies", |bencher| {
        let mut copies = positions.clone();
        bencher.iter(|| {
            for (copy, game) in copies.iter_mut().zip(&positions) {
                *copy = *black_box(game);
            }
            black_box(&copies);
        });
    });
    group.bench_function("16 keys", |bencher| {
        bencher.iter(|| positions.iter().map(|game| black_box(game).hash64()).fold(0, |all, key| all ^ key));
    });
    group.finish();

    let game = positions_after(40, 1)[0];
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&game, 5, Trades::Off)));
    group.sample_size(10);
    group.bench_function("depth 5 from turn 40", |bencher| bencher.iter(|| perft(black_box(&game), 5, Trades::Off)));
    group.finish();
}

/// Nobody watches.
struct Unwatched;

impl Progress for Unwatched {
    fn played(&mut self, _games: u64) {}

    fn wants_rows(&self) -> bool {
        false
    }

    fn rows(&mut self, _text: &str) {}
}

fn simulate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulate, four greedy players");
    group.sample_size(10);
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for threads in [1, 2, 4, 8].into_iter().filter(|&threads| threads <= cores).filter_map(NonZeroUsize::new) {
        each(&mut group, &format!("game, {threads} threads"), |count| {
            let simulation = Simulation {
                edition: &CONSTRUCTOR,
                source: Box::new(RandomLayout),
                players: [PlayerKind::Greedy; Builder::COUNT],
                games: count,
                seed: 6,
                most_turns: MOST_TURNS,
                trades: Trades::Off,
                budgets: [Budget::Playouts(1); 4],
                rotates_seats: true,
                is_match: false,
                test: None,
            };
            let begun = Instant::now();
            black_box(run(&simulation, 0..count, threads, &AtomicBool::new(false), |_| String::new(), &mut Unwatched));
            begun.elapsed()
        });
    }
    group.finish();
}

criterion_group!(benches, play, position, simulate);
criterion_main!(benches);
