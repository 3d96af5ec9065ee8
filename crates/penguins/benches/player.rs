//! Speed and strength of the engine's search: `cargo bench -p penguins`.

#![expect(clippy::expect_used, reason = "a bench fails by a panic")]

use std::time::{Duration, Instant};

use constructor_common::rng::{below, from_seed};
use constructor_common::statistics::{ratio, wilson_interval};
use penguins::board::{Board, Direction, Field, Number, Place};
use penguins::game::{Game, Phase, Seat};
use penguins::generate::{BoardSpec, Shape, generate};
use penguins::players::PlayerKind;
use penguins::players::engine::search;
use penguins::players::limit::Limit;

const SECOND: Duration = Duration::from_secs(1);

fn main() {
    println!(
        "positions looked at in a second, in millions, at the first move of a game of three penguins each, the most of five times"
    );
    for size in [8, 10, 20] {
        let game = started(size, size, 3, 0);
        let rate = |threads: usize| {
            let started = Instant::now();
            let nodes = search(&game, within(SECOND), threads).map_or(0, |result| result.nodes);
            ratio(nodes, 1_000_000) / started.elapsed().as_secs_f64()
        };
        let [one, two] = [1, 2].map(|threads| (0..5).map(|_| rate(threads)).fold(0.0, f64::max));
        println!("{size} x {size}: one thread {one:.2}, two threads {two:.2}, {:.2} times as many", two / one);
    }
    println!("\nends of games of two on 8 x 8, with two and three penguins each, cold, solved in a second");
    for floes in [24, 30, 36, 40] {
        let positions = (0..).filter_map(|seed| end(floes, seed)).take(200);
        solved(&format!("{floes} floes within reach"), positions);
    }
    println!("\na lone penguin, cold, solved in a second");
    for (floes, rows, columns) in [(48, 7, 7), (47, 8, 9), (59, 9, 10), (60, 8, 8)] {
        for has_holes in [false, true] {
            let kind = if has_holes { "with holes anywhere" } else { "an island, or full" };
            let positions = (0..200).filter_map(|seed| lonely(rows, columns, floes, has_holes, seed));
            solved(&format!("{floes} floes of {rows} x {columns}, {kind}"), positions);
        }
    }
}

fn within(time: Duration) -> Limit {
    Limit { deadline: Some(Instant::now() + time), nodes: u64::MAX }
}

/// Searches each position and reports how many are solved.
fn solved(what: &str, positions: impl Iterator<Item = Game>) {
    let (mut all, mut certain, mut time) = (0, 0, Duration::ZERO);
    for game in positions {
        let started = Instant::now();
        let is_exact_all = search(&game, within(SECOND), 1).is_some_and(|result| result.exact.is_some());
        all += 1;
        if is_exact_all {
            certain += 1;
            time += started.elapsed();
        }
    }
    if all > 0 {
        let (low, high) = wilson_interval(certain, all);
        println!(
            "{what}: {certain} of {all}, {:.1} % ({:.1} to {:.1}), {:.1} ms on average",
            100.0 * ratio(certain, all),
            100.0 * low,
            100.0 * high,
            time.as_secs_f64() * 1e3 / ratio(certain.max(1), 1),
        );
    }
}

/// A game of two before its first move, with penguins placed greedily.
fn started(rows: usize, columns: usize, penguins: usize, seed: u64) -> Game {
    let spec = BoardSpec { rows, columns, penguins: 2 * penguins, shape: Shape::Full };
    let board = generate(spec, seed).expect("there is such a board");
    let mut game = Game::new(board, Seat::first(2), Phase::Placement { penguins }, 0);
    let mut greedy = PlayerKind::Greedy.player(seed);
    while let Some(action) = greedy.decide(&game, Instant::now()) {
        game.act(action).expect("it is by the rules");
    }
    game.begin_movement();
    game
}

/// A game between alpha-beta players when `floes`, or up to two fewer, are still reachable.
fn end(floes: usize, seed: u64) -> Option<Game> {
    let mut game = started(8, 8, 2 + usize::from(seed % 2 == 1), seed);
    while reachable_fish(game.board()) > floes && !game.is_over() {
        let result = search(&game, Limit { deadline: None, nodes: 20_000 }, 1);
        match result {
            Some(result) => {
                game.act(result.action).expect("it is by the rules");
            }
            None => game.pass(),
        }
    }
    if reachable_fish(game.board()) + 2 < floes || game.is_over() {
        return None;
    }
    while !game.can_act(game.turn()) {
        game.pass();
    }
    Some(game)
}

fn reachable_fish(board: &Board) -> usize {
    let is_floe = |place: Place| matches!(board.get(place), Field::Floe(_));
    let mut open: Vec<Place> = board.places().filter(|&place| matches!(board.get(place), Field::Penguin(_))).collect();
    let mut seen: Vec<Place> = Vec::new();
    while let Some(place) = open.pop() {
        for next in Direction::ALL.into_iter().filter_map(|way| board.next(place, way)) {
            if is_floe(next) && !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    seen.len()
}

/// A penguin with a connected region of `floes` to itself; `None` if there is none.
fn lonely(rows: usize, columns: usize, floes: usize, has_holes: bool, seed: u64) -> Option<Game> {
    let full = floes + 1 == rows * columns || has_holes;
    let shape = if full { Shape::Full } else { Shape::Island };
    let mut board = generate(BoardSpec { rows, columns, penguins: 0, shape }, seed).expect("there is such a board");
    let random = &mut from_seed(seed);
    let place = board_place(&board, random);
    let player = Number::all().next().expect("there is a first number");
    board.set(place, Field::Penguin(player));
    if reachable_fish(&board) < floes {
        return None;
    }
    while reachable_fish(&board) > floes {
        let hole = board_place(&board, random);
        let (before, reached) = (board.get(hole), reachable_fish(&board));
        if hole != place {
            board.set(hole, Field::Water);
            if reachable_fish(&board) + 1 < reached {
                board.set(hole, before);
            }
        }
    }
    Some(Game::new(board, Seat::first(2), Phase::Movement, 0))
}

/// A random place with ice.
fn board_place(board: &Board, random: &mut rand_chacha::ChaCha8Rng) -> Place {
    let geometry: Vec<Place> = board.places().filter(|&place| board.get(place) != Field::Water).collect();
    geometry[below(random, u32::try_from(geometry.len()).expect("a board has at most 10,000 fields")) as usize]
}
