//! Speed of the rules and of simulations.
//!
//! Chance and random players draw from xoshiro256++ (`SmallRng`), and chance is [`FastChance`]. A ply is any action, also a
//! forced one; a turn ends with [`Action::EndTurn`].

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Builder, FastChance, Game, Phase, Trades, perft};
use constructor::players::{Greedy, PlayerFactory, PlayerKind, next_action, playout};
use constructor::rng;
use constructor::simulate::{Cancellation, KeepOptions, Simulation, run};
use constructor::text::CONSTRUCTOR;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The number of turns after which a game of random players ends without a result.
const MAX_TURNS: u64 = 10_000;

fn new_game(rng: &mut SmallRng) -> Game {
    Game::new(CONSTRUCTOR.rules, RandomLayout.layout(rng))
}

/// Plays random games until `count` actions satisfy `counts`, and returns the time.
fn random_play(count: u64, trades: Trades, counts: impl Fn(Action) -> bool) -> Duration {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut done = 0;
    let begun = Instant::now();
    while done < count {
        let mut game = new_game(&mut rng);
        playout(&mut game, MAX_TURNS, |game, _| {
            if done == count {
                return None;
            }
            let action = game.legal_actions(trades).sample_with(|count| rng::below(&mut rng, count))?;
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
            done += u64::from(counts(action));
            Some(action)
        });
        black_box(&game);
    }
    begun.elapsed()
}

/// Plays a game of greedy players for at most `max_turns` turns, and returns the last position.
fn greedy_play(mut game: Game, max_turns: u64, players: &mut [Greedy; Builder::COUNT], rng: &mut SmallRng) -> Game {
    playout(&mut game, max_turns, |game, _| {
        let action = next_action(game, Trades::Off, players, rng)?;
        game.apply_unchecked(action, &mut FastChance(&mut *rng), |_| {});
        Some(action)
    });
    game
}

/// Positions at the start of a turn, after `turns` turns of greedy players.
fn positions_after(turns: u64, count: usize) -> Vec<Game> {
    let mut rng = SmallRng::seed_from_u64(2);
    let mut players: [Greedy; Builder::COUNT] = Default::default();
    let games = std::iter::repeat_with(|| {
        let game = new_game(&mut rng);
        greedy_play(game, turns, &mut players, &mut rng)
    });
    games.filter(|game| matches!(game.phase(), Phase::TurnStart(_))).take(count).collect()
}

/// Positions of random games, in all phases.
fn positions_of_play(count: usize) -> Vec<Game> {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = new_game(&mut rng);
        for _ in 0..200 {
            let Some(action) = game.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut rng, count)) else {
                break;
            };
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
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
        let mut rng = SmallRng::seed_from_u64(4);
        let mut players: [Greedy; Builder::COUNT] = Default::default();
        let begun = Instant::now();
        for _ in 0..count {
            let game = new_game(&mut rng);
            black_box(greedy_play(game, MAX_TURNS, &mut players, &mut rng));
        }
        begun.elapsed()
    });
    let middles = positions_after(80, 64);
    each(&mut group, "greedy playout from turn 80", |count| {
        let mut rng = SmallRng::seed_from_u64(5);
        let mut players: [Greedy; Builder::COUNT] = Default::default();
        let begun = Instant::now();
        // Many playouts from one position, as in a search.
        for playout in 0..count {
            let game = middles[usize::try_from(playout / PLAYOUTS).unwrap_or_default() % middles.len()];
            black_box(greedy_play(game, MAX_TURNS, &mut players, &mut rng));
        }
        begun.elapsed()
    });
    group.finish();
}

fn position(criterion: &mut Criterion) {
    // Few enough for the first-level cache, with their copies.
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
    group.bench_function("16 hashes", |bencher| {
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

fn simulate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulate, four greedy players");
    group.sample_size(10);
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for threads in [1, 2, 4, 8].into_iter().filter(|&threads| threads <= cores).filter_map(NonZeroUsize::new) {
        each(&mut group, &format!("game, {threads} threads"), |count| {
            let greedy = PlayerFactory::from(PlayerKind::Greedy);
            let mut simulation = Simulation::new(&CONSTRUCTOR, std::array::from_fn(|_| greedy.clone()));
            (simulation.games, simulation.seed) = (count, 6);
            let begun = Instant::now();
            black_box(run(&simulation, 0..count, threads, &Cancellation::default(), KeepOptions::default(), &mut ()));
            begun.elapsed()
        });
    }
    group.finish();
}

criterion_group!(benches, play, position, simulate);
criterion_main!(benches);
