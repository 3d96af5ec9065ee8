//! Games are shared out among threads, and what comes of them is put together in the order of the games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::{Played, Simulation, Tally};
use crate::game::Builder;

/// How many games a thread takes at a time: some milliseconds' worth, or the games of a board where players think.
const CHUNK: u64 = 256;
const CHUNK_OF_THINKERS: u64 = Builder::COUNT as u64;

/// What is told while games are played, on the thread that called [`run`].
pub trait Progress {
    /// So many games have been played, of all.
    fn played(&mut self, games: u64);

    /// A row for each game is wanted in [`Progress::rows`].
    fn wants_rows(&self) -> bool;

    /// The rows of games, one text after the other in the order of the games.
    fn rows(&mut self, text: &str);
}

/// What each of so many threads comes to, by its number, in their order; this one is the first of them. The part of a thread
/// that failed, or for which the system has no room, is done here.
pub(super) fn in_threads<T: Send>(threads: NonZeroUsize, part: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let part = &part;
    thread::scope(|scope| {
        let start = |number| thread::Builder::new().spawn_scoped(scope, move || part(number)).ok();
        let others: Vec<_> = (1..threads.get()).map(start).collect();
        let mut parts = vec![part(0)];
        for (number, other) in (1..).zip(others) {
            parts.push(other.and_then(|other| other.join().ok()).unwrap_or_else(|| part(number)));
        }
        parts
    })
}

/// Plays the games with these numbers on so many threads, until `stop` is set: then those that were begun are finished.
/// `row` makes a line of a game.
///
/// The result does not depend on the number of threads.
pub fn run(
    simulation: &Simulation,
    numbers: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    row: impl Fn(&Played) -> String + Sync,
    progress: &mut dyn Progress,
) -> Tally {
    let next = AtomicU64::new(0);
    let wants_rows = progress.wants_rows();
    let thinks = simulation.players.iter().any(|kind| kind.thinks());
    let size = if thinks { CHUNK_OF_THINKERS } else { CHUNK };
    let work = |done: &mpsc::Sender<(u64, Tally, String)>| {
        while !stop.load(Ordering::Relaxed) {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let first = numbers.start.saturating_add(chunk.saturating_mul(size));
            if first >= numbers.end {
                break;
            }
            let mut rows = String::new();
            let some = first..numbers.end.min(first + size);
            let tally = Tally::of(simulation, some, |played| {
                if wants_rows {
                    rows += &row(played);
                }
            });
            if done.send((chunk, tally, rows)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let started = (0..threads.get()).take_while(|_| {
            let sender = sender.clone();
            thread::Builder::new().spawn_scoped(scope, move || work(&sender)).is_ok()
        });
        if started.count() == 0 {
            // The system has no room for another thread.
            work(&sender);
        }
        drop(sender);
        let mut all = Tally::default();
        let mut waiting = BTreeMap::new();
        let mut written = 0;
        for (chunk, tally, rows) in receiver {
            all.merge(&tally);
            progress.played(numbers.start + all.games);
            waiting.insert(chunk, rows);
            while let Some(rows) = waiting.remove(&written) {
                progress.rows(&rows);
                written += 1;
            }
        }
        all
    })
}
