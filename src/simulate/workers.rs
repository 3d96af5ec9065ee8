//! Distributing games over threads and collecting the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::{GameResult, Simulation, Stats};
use crate::game::Builder;
use crate::players::{PlayerFactory, StopSignal};

/// How many games a thread takes at a time: some milliseconds' worth; of slow players, the games of one board.
const CHUNK: u64 = 256;
const CHUNK_SLOW: u64 = Builder::COUNT as u64;

/// How a [`run`] is ended early. Clones share the signals.
#[derive(Clone, Debug, Default)]
pub struct Interruption {
    /// No more games begin. Those in progress are finished, unless a player of theirs [is slow](PlayerFactory::is_slow): then they
    /// are dropped. Give this signal to the budgets of such players, so that they stop thinking.
    pub stop: StopSignal,
    /// The games in progress are dropped too.
    pub drop_games: StopSignal,
}

/// Receives the progress of [`run`], on the thread that called it.
pub trait Progress {
    /// This many games have been played in all.
    fn played(&mut self, games: u64);

    /// Whether [`Progress::rows`] wants a row for each game.
    fn wants_rows(&self) -> bool;

    /// The next rows, in the order of the games.
    fn rows(&mut self, text: &str);
}

/// Runs `part(0..threads)` in parallel and returns the results in order. Part 0 runs on this thread; a part whose thread panicked
/// or could not be spawned is run again here.
pub(super) fn parallel_map<T: Send>(threads: NonZeroUsize, part: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let part = &part;
    thread::scope(|scope| {
        let spawn = |number| thread::Builder::new().spawn_scoped(scope, move || part(number)).ok();
        let others: Vec<_> = (1..threads.get()).map(spawn).collect();
        let mut parts = vec![part(0)];
        for (number, other) in (1..).zip(others) {
            parts.push(other.and_then(|other| other.join().ok()).unwrap_or_else(|| part(number)));
        }
        parts
    })
}

/// Plays the games with these numbers on several threads and returns their statistics, which do not depend on the number of
/// threads unless it is interrupted. `row` formats a game for [`Progress::rows`].
pub fn run(
    simulation: &Simulation,
    numbers: Range<u64>,
    threads: NonZeroUsize,
    interruption: &Interruption,
    row: impl Fn(&GameResult) -> String + Sync,
    progress: &mut dyn Progress,
) -> Stats {
    let next = AtomicU64::new(0);
    let wants_rows = progress.wants_rows();
    let is_slow = simulation.players.iter().any(PlayerFactory::is_slow);
    let size = if is_slow { CHUNK_SLOW } else { CHUNK };
    let Interruption { stop, drop_games } = interruption;
    let is_dropped = || drop_games.is_stopped() || is_slow && stop.is_stopped();
    let work = |done: &mpsc::Sender<(u64, Stats, String)>| {
        while !stop.is_stopped() {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let first = numbers.start.saturating_add(chunk.saturating_mul(size));
            if first >= numbers.end {
                break;
            }
            let mut rows = String::new();
            let games = first..numbers.end.min(first + size);
            let stats = Stats::play_until(simulation, games, is_dropped, |result| {
                if wants_rows {
                    rows += &row(result);
                }
            });
            if done.send((chunk, stats, rows)).is_err() {
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
        for (chunk, stats, rows) in receiver {
            all.merge(&stats);
            progress.played(numbers.start + all.games);
            pending.insert(chunk, rows);
            while let Some(rows) = pending.remove(&written) {
                progress.rows(&rows);
                written += 1;
            }
        }
        all
    })
}
