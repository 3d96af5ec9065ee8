//! Many games on generated boards, each board with all rotations of the seats, and what came of them.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use constructor_common::statistics::{mean_with_interval, ratio, wilson_interval};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::arguments::Tournament;
use crate::generate::{NoBoard, generate};
use crate::referee::check::Fault;
use crate::referee::{Match, Record, Refused};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// There are no such boards.
    #[error(transparent)]
    NoBoard(#[from] NoBoard),
    /// The programs do not play with one another.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// One who played, over all games.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// What it is called.
    pub name: String,
    /// A point for every game in which nobody has more fish; where several have the most, they share it.
    pub points: f64,
    /// How often it alone had the most fish.
    pub wins: u64,
    /// In each game, how many fish more it had than the best other.
    pub margins: Vec<f64>,
    /// How often it did what wrong.
    pub faults: BTreeMap<Fault, u64>,
    /// How often it was called.
    pub calls: u64,
    /// How long it took in all.
    pub time: Duration,
    /// How long the longest call took.
    pub longest: Duration,
}

impl Tournament {
    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.boards * self.contestants.len() as u64
    }

    /// Plays all games, as many side by side as there are cores, each kept to one of them, with the programs that play in it.
    /// Says after each how many are played.
    ///
    /// # Errors
    /// When there is no such board, or the programs do not play with one another.
    pub fn play(&self, progress: impl Fn(u64) + Sync) -> Result<Vec<Standing>, Failed> {
        let next = AtomicU64::new(0);
        let results: Mutex<BTreeMap<u64, Vec<Record>>> = Mutex::default();
        let failure: Mutex<Option<Failed>> = Mutex::default();
        let cores: Vec<usize> = sched_getaffinity(None)
            .map(|allowed| (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect())
            .unwrap_or_default();
        let jobs = self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        let (next, results, failure) = (&next, &results, &failure);
        let progress = &progress;
        let work = move |core: Option<usize>| {
            if let Some(core) = core {
                let mut only = CpuSet::new();
                only.set(core);
                // Elsewhere it is as right, only less even.
                let _ = sched_setaffinity(None, &only);
            }
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                let has_failed = || failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
                if game >= self.games() || has_failed() {
                    return;
                }
                match self.game(game) {
                    Ok(records) => {
                        // Said while nobody else can come between, so that the numbers rise.
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        results.insert(game, records);
                        progress(results.len() as u64);
                    }
                    Err(failed) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed),
                }
            }
        };
        thread::scope(|scope| {
            for job in 1..jobs {
                let core = cores.get(job % cores.len().max(1)).copied();
                // Where there is no room for a thread, those that there are do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, move || work(core));
            }
            // The children of the first thread are orphans, so it does not start any.
            let core = cores.first().copied();
            if thread::Builder::new().spawn_scoped(scope, move || work(core)).is_err() {
                work(None);
            }
        });
        if let Some(failed) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(failed);
        }
        let results = results.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.standings(results.iter().map(|(&game, records)| (game, records.as_slice()))))
    }

    /// How far the seats are rotated in a game, from 0.
    #[expect(clippy::cast_possible_truncation, reason = "there are at most nine seats")]
    fn rotation(&self, game: u64) -> usize {
        (game % self.contestants.len() as u64) as usize
    }

    fn game(&self, game: u64) -> Result<Vec<Record>, Failed> {
        let number = game / self.contestants.len() as u64;
        let board = generate(self.wanted, self.seed.wrapping_add(number))?;
        let mut contestants = self.contestants.clone();
        contestants.rotate_left(self.rotation(game));
        let seed = self.seed.wrapping_add(game);
        Ok(Match::new(board, self.penguins, (self.time, self.policy), &contestants, seed)?.play(|_| ()))
    }

    /// What came of the games, the most points first.
    fn standings<'r>(&self, games: impl Iterator<Item = (u64, &'r [Record])>) -> Vec<Standing> {
        let mut standings = vec![Standing::default(); self.contestants.len()];
        for (game, records) in games {
            let most = records.iter().map(|record| record.score).max().unwrap_or(0);
            let first = records.iter().filter(|record| record.score == most).count() as u64;
            for (seat, record) in records.iter().enumerate() {
                let standing = &mut standings[(seat + self.rotation(game)) % self.contestants.len()];
                standing.name.clone_from(&record.name);
                if record.score == most {
                    standing.points += ratio(1, first);
                    standing.wins += u64::from(first == 1);
                }
                let others = records.iter().enumerate().filter(|&(other, _)| other != seat);
                let best = others.map(|(_, other)| other.score).max().unwrap_or(0);
                standing.margins.push(ratio(record.score, 1) - ratio(best, 1));
                for (&fault, times) in &record.faults {
                    *standing.faults.entry(fault).or_default() += times;
                }
                standing.calls += record.calls;
                standing.time += record.time;
                standing.longest = standing.longest.max(record.longest);
            }
        }
        standings.sort_by(|one, other| other.points.total_cmp(&one.points));
        standings
    }
}

/// The standings as a table.
#[must_use]
pub fn table(standings: &[Standing]) -> String {
    let mut rows = vec![
        ["id", "points", "first", "games", "share", "95 %", "margin", "95 %", "mean ms", "longest ms", "faults"]
            .map(str::to_owned),
    ];
    for standing in standings {
        let games = standing.margins.len() as u64;
        let (low, high) = wilson_interval(standing.wins, games);
        let (margin, spread) = mean_with_interval(&standing.margins);
        let each = standing.time.as_secs_f64() * 1e3 / ratio(standing.calls.max(1), 1);
        rows.push([
            standing.name.clone(),
            format!("{:.1}", standing.points),
            standing.wins.to_string(),
            games.to_string(),
            format!("{:.1} %", 100.0 * ratio(standing.wins, games)),
            format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
            format!("{margin:+.1}"),
            format!("{:+.1} to {:+.1}", margin - spread, margin + spread),
            format!("{each:.2}"),
            format!("{:.1}", standing.longest.as_secs_f64() * 1e3),
            standing.faults.values().sum::<u64>().to_string(),
        ]);
    }
    let mut text = aligned(&rows);
    for standing in standings {
        for (fault, times) in &standing.faults {
            text.push_str(&format!("{}: {fault}, {times} times\n", standing.name));
        }
    }
    text
}

/// Rows in columns: the first one to the left, all others to the right.
#[must_use]
pub fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let mut line = format!("{:1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            line.push_str(&format!("  {cell:>width$}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
