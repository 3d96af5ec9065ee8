//! Where the engine loses games of two against the plain alpha-beta player, with long searches as the judge:
//!
//!     cargo run --release --manifest-path crates/lab/Cargo.toml --example penguins_losses -- 40 10 300 8 2
//!
//! plays 40 games with 10 ms for each action on 8x8 with two penguins each, and then values every position by a search of 300 ms.
//! The margin that the judge expects changes with each action; prints how much fish the actions of each side cost it in each phase,
//! a game on average: in the games that the engine won, and in those that it did not.

#![expect(clippy::expect_used, reason = "a tool fails by a panic")]

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use constructor_common::threads::parallel_map;
use constructor_lab::yardsticks::alpha_beta::AlphaBeta;
use penguins::board::{Field, Place};
use penguins::game::{Game, Phase, Seat};
use penguins::generate::{BoardSpec, Shape, generate};
use penguins::players::engine::search;
use penguins::players::eval::FISH;
use penguins::players::limit::Limit;
use penguins::players::{Player, PlayerKind};

/// The phases of the movement: the minimum number of free floes of each, in percent of those after the placements.
const PHASES: [u32; 4] = [75, 50, 25, 0];

/// A game that was judged: the final margin of the engine, the margin that the judge expected after the placements, and by phase the
/// fish that the actions of the engine and of the other cost them.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    margin: f64,
    placed: f64,
    costs: [[f64; 2]; PHASES.len()],
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u16>().expect("numbers"));
    let mut next = |default: u16| args.next().unwrap_or(default);
    let (games, time, judge, rows, penguins) = (next(40), next(10), next(300), next(8), next(2));
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let part = |thread: usize| {
        let games = (0..games).filter(|&game| usize::from(game) % threads == thread);
        games.map(|number| game(number, time, judge, rows, penguins)).collect::<Vec<_>>()
    };
    let judged = parallel_map(threads, part).into_iter().flatten();
    let (won, not_won): (Vec<Judged>, Vec<Judged>) = judged.partition(|judged| judged.margin > 0.0);
    for (what, games) in [("won", won), ("not won", not_won)] {
        let count = f64::from(u16::try_from(games.len().max(1)).expect("few games"));
        let mean = |of: &dyn Fn(&Judged) -> f64| games.iter().map(of).sum::<f64>() / count;
        let (placed, margin) = (mean(&|judged| judged.placed), mean(&|judged| judged.margin));
        println!(
            "{} games {what}: margin after the placements {placed:+.2} fish, at the end {margin:+.2}",
            games.len()
        );
        for (phase, least) in PHASES.iter().enumerate() {
            let [engine, other] = [0, 1].map(|side| mean(&|judged| judged.costs[phase][side]));
            println!(
                "  with at least {least} % of the floes: the engine's moves cost it {engine:.2}, the other's {other:.2}"
            );
        }
    }
}

/// Plays and judges a game; each board twice, with the seats swapped.
fn game(number: u16, time: u16, judge: u16, rows: u16, penguins: u16) -> Judged {
    let (rows, penguins) = (usize::from(rows), usize::from(penguins));
    let spec = BoardSpec { rows, columns: rows, penguins: 2 * penguins, shape: Shape::Full };
    let board = generate(spec, 7_000 + u64::from(number / 2)).expect("there is such a board");
    let seat = usize::from(number % 2);
    let mut players: [Box<dyn Player>; 2] = [PlayerKind::Engine.player(0), Box::new(AlphaBeta)];
    let mut game = Game::new(board, Seat::first(2), Phase::Placement { penguins }, 0);
    let mut judged = Judged::default();
    let margin = |game: &Game| {
        let [engine, other] =
            [seat, 1 - seat].map(|seat| f64::from(u32::try_from(game.seats()[seat].score).expect("few fish")));
        engine - other
    };
    // The margin that the judge expects at the end.
    let expected = |game: &Game| {
        let limit = Limit { deadline: Some(Instant::now() + Duration::from_millis(judge.into())), nodes: u64::MAX };
        let value = search(game, limit, 1).map_or(0.0, |found| f64::from(found.value) / f64::from(FISH));
        margin(game) + if game.turn() == seat { value } else { -value }
    };
    let mut all_floes = None;
    // The phase and the side of the last action, and the margin that was expected before it.
    let mut last: Option<(usize, usize, f64)> = None;
    loop {
        if game.is_over() && game.phase() != Phase::Movement {
            game.begin_movement();
        }
        if !game.is_over() && !game.can_act(game.turn()) {
            game.pass();
            continue;
        }
        let side = usize::from(game.turn() != seat);
        if game.phase() == Phase::Movement {
            let now = if game.is_over() { margin(&game) } else { expected(&game) };
            if let Some((phase, side, before)) = last {
                judged.costs[phase][side] += if side == 0 { before - now } else { now - before };
            } else {
                judged.placed = now;
            }
            if game.is_over() {
                return Judged { margin: now, ..judged };
            }
            let is_floe = |&place: &Place| matches!(game.board().get(place), Field::Floe(_));
            let floes = u32::try_from(game.board().places().filter(is_floe).count()).expect("few floes");
            let percent = 100 * floes / *all_floes.get_or_insert(floes);
            let phase = PHASES.iter().position(|&least| percent >= least).expect("the last is 0");
            last = Some((phase, side, now));
        }
        let deadline = Instant::now() + Duration::from_millis(time.into());
        let action = players[side].decide(&game, deadline).expect("there is an action");
        game.act(action).expect("it is by the rules");
    }
}
