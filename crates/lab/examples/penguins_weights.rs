//! Fits the weights of `players/eval.rs` to games of the engine against itself, by least squares:
//!
//!     cargo run --release --manifest-path crates/lab/Cargo.toml --example penguins_weights -- 500 1500
//!
//! plays 500 games with 1,500 positions searched for each move, on boards of several sizes, from partly random
//! openings, and prints the weight of each feature in 64ths of a fish: for each stage of a game on small boards, with the
//! estimate by steps and its margin, and by free floes per penguin on large ones.

#![expect(clippy::expect_used, reason = "a tool fails by a panic")]

use std::time::Instant;

use constructor_common::rng::{below, from_seed};
use penguins::board::{Number, Place};
use penguins::game::{Game, Phase, Seat};
use penguins::generate::{BoardSpec, Shape, generate};
use penguins::players::PlayerKind;
use penguins::players::bitboard::{Bitboard, Interleaved};
use penguins::players::engine::search;
use penguins::players::eval::{EvalInput, FISH, Features, STAGES, uses_slides};
use penguins::players::geometry::Geometry;
use penguins::players::limit::Limit;

/// Rows and columns of the boards.
const SIZES: [(usize, usize); 8] = [(8, 8), (10, 10), (8, 8), (10, 10), (7, 8), (11, 11), (16, 14), (20, 20)];

/// The bins of large boards: the maximum number of free floes per penguin of each.
const SHARES: [u32; 9] = [16, 24, 40, 55, 70, 90, 110, 140, 180];

/// A position of a game: free floes (per penguin on large boards), features, and the difference of fish that the player
/// to move gained.
struct Seen {
    is_large: bool,
    free: u32,
    features: Features,
    result: f64,
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("numbers of games and positions"));
    let (games, nodes) = (args.next().unwrap_or(500), args.next().unwrap_or(1500));
    let seen: Vec<Seen> = (0..games).flat_map(|seed| game(seed, nodes)).collect();
    let (large, small): (Vec<&Seen>, Vec<&Seen>) = seen.iter().partition(|seen| seen.is_large);
    println!("small boards, by free floes");
    fit(&small, &STAGES);
    println!("large boards, by free floes for each penguin");
    fit(&large, &SHARES);
}

/// Fits weights to the positions of each bin of free floes, and of more than the last.
fn fit(seen: &[&Seen], stages: &[u32]) {
    let mut above = None;
    for most in stages.iter().copied().chain([u32::MAX]) {
        let is_in_it = |seen: &&Seen| seen.free <= most && above.is_none_or(|above| seen.free > above);
        let stage: Vec<&Seen> = seen.iter().copied().filter(is_in_it).collect();
        above = Some(most);
        let features = |seen: &Seen| seen.features.map(f64::from);
        let weights = fitted(stage.iter().map(|seen| (features(seen), seen.result)));
        let value = |seen: &Seen| dot(weights, features(seen));
        let squares: f64 = stage.iter().map(|seen| (value(seen) - seen.result).powi(2)).sum();
        let off = (squares / f64::from(u32::try_from(stage.len().max(1)).expect("not that many"))).sqrt();
        // The value by the features of steps, which are the first, and how far it is off.
        let by_steps = |seen: &Seen| *features(seen).first_chunk::<BY_STEPS>().expect("there are more features");
        let estimate = fitted(stage.iter().map(|seen| (by_steps(seen), value(seen))));
        let mut errors: Vec<f64> =
            stage.iter().map(|seen| (dot(estimate, by_steps(seen)) - value(seen)).abs()).collect();
        errors.sort_by(f64::total_cmp);
        let margin = errors.get(errors.len() * 9 / 10).copied().unwrap_or_default();
        let shown = |weights: &[f64]| {
            let weights: Vec<String> =
                weights.iter().map(|weight| format!("{:.0}", weight * f64::from(FISH))).collect();
            format!("[{}]", weights.join(", "))
        };
        println!(
            "up to {most}, {} positions, off by {off:.2} fish: {}, estimate {}, margin {}",
            stage.len(),
            shown(&weights),
            shown(&estimate),
            shown(&[margin])
        );
    }
}

/// The number of features by steps, which are the first.
const BY_STEPS: usize = 4;

fn dot<const COUNT: usize>(weights: [f64; COUNT], features: [f64; COUNT]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// Returns the positions of one game after its opening.
fn game(seed: u64, nodes: u64) -> Vec<Seen> {
    let random = &mut from_seed(seed);
    let (rows, columns) = SIZES[below(random, 8) as usize];
    let penguins = [2, 3, 2, 3, 1, 4][below(random, 6) as usize];
    let shape = if below(random, 2) == 0 { Shape::Island } else { Shape::Full };
    let board =
        generate(BoardSpec { rows, columns, penguins: 2 * penguins, shape }, seed).expect("there is such a board");
    let mut game = Game::new(board, Seat::first(2), Phase::Placement { penguins }, 0);
    let mut placing =
        [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Engine][below(random, 3) as usize].player(seed);
    let mut drawing = PlayerKind::Random.player(seed);
    while let Some(action) = placing.decide(&game, Instant::now()) {
        game.act(action).expect("it is by the rules");
    }
    game.begin_movement();
    let opening = below(random, 10);
    let mut positions: Vec<(usize, Seen)> = Vec::new();
    let mut ply = 0;
    let lead = |game: &Game, seat: usize| -> f64 {
        let score =
            |seat: usize| f64::from(u32::try_from(game.seats()[seat].score).expect("a board has at most 30,000 fish"));
        score(seat) - score(1 - seat)
    };
    while !game.is_over() {
        let turn = game.turn();
        if !game.can_act(turn) {
            game.pass();
            continue;
        }
        let is_drawn = ply < opening && below(random, 2) == 0;
        ply += 1;
        let action = if is_drawn {
            positions.clear();
            drawing.decide(&game, Instant::now())
        } else {
            search(&game, Limit { deadline: None, nodes }, 1).map(|result| result.action)
        };
        // As in play: slides on small boards only.
        let now = if rows.max(columns) <= 11 {
            look::<Interleaved<3, 4, 11>>(&game)
        } else {
            look::<Interleaved<7, 3, 20>>(&game)
        };
        positions.push((turn, Seen { result: lead(&game, turn), ..now }));
        game.act(action.expect("there is something to do")).expect("it is by the rules");
    }
    let from_now_on = |(turn, seen): (usize, Seen)| Seen { result: lead(&game, turn) - seen.result, ..seen };
    positions.into_iter().map(from_now_on).collect()
}

/// Returns the features for the player to move; the result is not known yet.
fn look<B: Bitboard>(game: &Game) -> Seen {
    let numbers: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
    let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
    let (geometry, position) = Geometry::<B>::from_board(game.board(), whole, &numbers);
    let penguins = [position.penguins[game.turn()], position.penguins[1 - game.turn()]];
    let features = EvalInput { penguins, players: [1, 1] }.features(&geometry, position.free);
    let is_large = !uses_slides::<B>();
    let free = position.free.count() / if is_large { position.count() } else { 1 };
    Seen { is_large, free, features, result: 0.0 }
}

/// Returns the least-squares weights of features for results, by the normal equations, with slight ridge regularisation so that the
/// solution is unique.
fn fitted<const COUNT: usize>(samples: impl Iterator<Item = ([f64; COUNT], f64)>) -> [f64; COUNT] {
    // For each feature, its products with all features and with the result.
    let mut rows = [([0.0; COUNT], 0.0); COUNT];
    for (index, row) in rows.iter_mut().enumerate() {
        row.0[index] = 1.0;
    }
    for (features, result) in samples {
        for (row, feature) in rows.iter_mut().zip(features) {
            for (product, other) in row.0.iter_mut().zip(features) {
                *product += feature * other;
            }
            row.1 += feature * result;
        }
    }
    for index in 0..COUNT {
        let pivot = rows[index].0[index];
        let solved = (rows[index].0.map(|product| product / pivot), rows[index].1 / pivot);
        rows[index] = solved;
        for other in (0..COUNT).filter(|&other| other != index) {
            let factor = rows[other].0[index];
            for (product, solved) in rows[other].0.iter_mut().zip(solved.0) {
                *product -= factor * solved;
            }
            rows[other].1 -= factor * solved.1;
        }
    }
    rows.map(|(_, weight)| weight)
}
