//! Distributing games over threads and collecting the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::watcher::Unwatched;
use super::{GameResult, Simulation, Stats, csv_rows};
use crate::game::Builder;
use crate::players::{PlayerFactory, StopSignal};

/// The number of games that a thread takes at a time. `CHUNK` games take some milliseconds. With slow players, a thread takes about
/// `CHUNK_SLOW` games, which are about the games of one board.
const CHUNK: u64 = 256;
const CHUNK_SLOW: u64 = Builder::COUNT as u64;

/// The number of games between two checks of a sequential test.
pub const GAMES_BETWEEN_TESTS: u64 = 128;

/// The signals that end a [`run`] early. Clones share the signals.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    /// Stops the start of further games. The games in progress are finished, unless a player of the simulation [is
    /// slow](PlayerFactory::is_slow): then they are dropped. Give this signal to the budgets of such players, so that they stop thinking.
    pub stop: StopSignal,
    /// Drops the games in progress too.
    pub drop_games: StopSignal,
}

/// Receives the progress of [`run`], on the thread that called it.
pub trait Progress {
    /// Receives the number of games of the simulation that have been played.
    fn played(&mut self, games: u64);

    /// Receives the next games, in the order of their numbers.
    fn games(&mut self, _games: Played) {}
}

/// Ignores the progress.
impl Progress for () {
    fn played(&mut self, _games: u64) {}
}

/// Games with consecutive numbers, and the outputs of these games that [`KeepOptions`] selects.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The number of games.
    pub games: u64,
    /// The [CSV rows](super::csv_rows) of these games.
    pub rows: String,
    /// The records of these games.
    pub records: String,
    /// The results of these games.
    pub results: Vec<GameResult>,
}

/// The selection of outputs that are kept for each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeepOptions {
    /// Whether the CSV rows are kept.
    pub rows: bool,
    /// Whether the [records](crate::record) are kept.
    pub records: bool,
    /// Whether the results are kept.
    pub results: bool,
}

/// The message that a thread sends after each chunk: the number of the chunk, its statistics and its games.
type Done = (u64, Stats, Played);

impl Simulation {
    /// Plays all games on this many threads, and returns their statistics.
    ///
    /// Ignores [`Simulation::sprt`]: there is no sequential test.
    #[must_use]
    pub fn run(&self, threads: NonZeroUsize) -> Stats {
        run(self, self.numbers(), threads, &Cancellation::default(), KeepOptions::default(), &mut ())
    }
}

/// Plays all games of a simulation. If there is a sequential test and `all_games` is false, stops as soon as the test is decided.
///
/// Returns the statistics of the games: with a sequential test, one entry for every [`GAMES_BETWEEN_TESTS`] games; otherwise one entry for
/// all games.
pub fn run_with_sequential_test(
    simulation: &Simulation,
    all_games: bool,
    threads: NonZeroUsize,
    cancellation: &Cancellation,
    outputs: KeepOptions,
    progress: &mut dyn Progress,
) -> Vec<Stats> {
    let part_size = if simulation.sprt.is_some() { GAMES_BETWEEN_TESTS } else { simulation.games };
    let (mut parts, mut all) = (Vec::new(), Stats::default());
    let numbers = simulation.numbers();
    while all.games < simulation.games && !cancellation.stop.is_stopped() {
        let first = numbers.start + all.games;
        let games = first..numbers.end.min(first.saturating_add(part_size));
        let part = run(simulation, games, threads, cancellation, outputs, progress);
        all.merge(&part);
        // Nothing counts of games that do not complete a board.
        let is_empty = part.games == 0;
        parts.push(part);
        if is_empty || !all_games && simulation.verdict(&all).is_some() {
            break;
        }
    }
    parts
}

/// Plays the games with these numbers on several threads and returns their statistics. Unless the run is cancelled, the statistics do not
/// depend on the number of threads.
pub fn run(
    simulation: &Simulation,
    numbers: Range<u64>,
    threads: NonZeroUsize,
    cancellation: &Cancellation,
    outputs: KeepOptions,
    progress: &mut dyn Progress,
) -> Stats {
    let next = AtomicU64::new(0);
    let is_slow = simulation.players.iter().any(PlayerFactory::is_slow);
    // A chunk has whole boards.
    let board = simulation.schedule.games_per_board();
    let size = if is_slow { board.max(CHUNK_SLOW / board * board) } else { CHUNK / board * board };
    let Cancellation { stop, drop_games } = cancellation;
    let is_dropped = || drop_games.is_stopped() || is_slow && stop.is_stopped();
    let work = |done: &mpsc::Sender<Done>| {
        while !stop.is_stopped() {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let first = numbers.start.saturating_add(chunk.saturating_mul(size));
            if first >= numbers.end {
                break;
            }
            let mut played = Played::default();
            let games = first..numbers.end.min(first.saturating_add(size));
            let each = |result: &GameResult| {
                if outputs.rows {
                    csv_rows(simulation, result, &mut played.rows);
                }
                if outputs.results {
                    played.results.push(result.clone());
                }
            };
            let (stats, records) = play(simulation, games, is_dropped, outputs.records, each);
            (played.games, played.records) = (stats.games, records);
            if done.send((chunk, stats, played)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let spawned = (0..threads.get()).take_while(|_| {
            let sender = sender.clone();
            thread::Builder::new().spawn_scoped(scope, move || work(&sender)).is_ok()
        });
        if spawned.count() == 0 {
            // No thread could be spawned.
            work(&sender);
        }
        drop(sender);
        let mut all = Stats::default();
        let mut pending = BTreeMap::new();
        let mut written = 0;
        for (chunk, stats, played) in receiver {
            all.merge(&stats);
            progress.played(numbers.start - simulation.first + all.games);
            pending.insert(chunk, played);
            while let Some(played) = pending.remove(&written) {
                progress.games(played);
                written += 1;
            }
        }
        all
    })
}

/// Plays games.
///
/// Returns the statistics of the games. If `wants_records` is true, also returns the records.
fn play(
    simulation: &Simulation,
    games: Range<u64>,
    is_dropped: impl Fn() -> bool,
    wants_records: bool,
    each: impl FnMut(&GameResult),
) -> (Stats, String) {
    #[cfg(feature = "serde")]
    if wants_records {
        let mut recording = super::Recording::new(simulation);
        let stats = Stats::play_until(simulation, games, is_dropped, &mut recording, each);
        return (stats, recording.take());
    }
    #[cfg(not(feature = "serde"))]
    let _ = wants_records;
    (Stats::play_until(simulation, games, is_dropped, &mut Unwatched, each), String::new())
}
