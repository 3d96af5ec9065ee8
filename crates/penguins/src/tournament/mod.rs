//! Tournaments: games on generated boards, each board with every rotation of the seats.

pub mod report;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use constructor_common::statistics::{mean_with_interval, ratio, wilson_interval};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use crate::generate::{BoardSpec, GenerateError, generate};
use crate::lock;
use crate::referee::program::Workspace;
use crate::referee::verify::Fault;
use crate::referee::{Contestant, Match, MatchError, PlayerResult, Policy, SetupError};

/// The settings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// The number of boards; each is played once for every rotation of the seats.
    pub boards: u64,
    /// The specification of the boards.
    pub spec: BoardSpec,
    /// The number of penguins of each player.
    pub penguins: usize,
    /// The seed of the boards.
    pub seed: u64,
    /// The time limit of a call.
    pub time: Duration,
    /// The policy on faults.
    pub policy: Policy,
    /// The number of games played in parallel; the number of cores if `None`.
    pub jobs: Option<usize>,
    /// The contestants.
    pub contestants: Vec<Contestant>,
}

/// The id that stands for the calling thread in calls to the scheduler.
const CALLING_THREAD: Pid = Pid::from_raw(0);

/// Why a tournament failed.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A board cannot be generated.
    #[error(transparent)]
    GenerateError(#[from] GenerateError),
    /// The contestants cannot play a game.
    #[error(transparent)]
    SetupError(#[from] SetupError),
    /// A game cannot be played to its end.
    #[error(transparent)]
    MatchError(#[from] MatchError),
}

/// The results of the games, by the number of the game. Each game has the results of its players in the order of their seats.
pub type GameResults = BTreeMap<u64, Vec<PlayerResult>>;

/// The results of one contestant over all games.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The name.
    pub name: String,
    /// Points: 1 for each win, divided equally in a tie.
    pub points: f64,
    /// The number of games won alone.
    pub wins: u64,
    /// For each game, the lead in fish over the best opponent.
    pub margins: Vec<f64>,
    /// The number of faults of each kind.
    pub faults: BTreeMap<Fault, u64>,
    /// The number of calls.
    pub calls: u64,
    /// The total time.
    pub time: Duration,
    /// The longest time of a call.
    pub longest: Duration,
}

impl Tournament {
    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.boards * self.contestants.len() as u64
    }

    /// Returns the number of games played in parallel.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// Plays all games in parallel jobs. Each job is pinned to a core, together with the programs that it starts.
    ///
    /// Adds each finished game to `results`, and then calls `progress` with the number of finished games.
    ///
    /// # Errors
    /// When a board cannot be generated, or a game cannot be played. `results` then contains the games that were finished.
    pub fn play(
        &self,
        workspace: &Arc<Workspace>,
        results: &Mutex<GameResults>,
        progress: impl Fn(u64) + Sync,
    ) -> Result<(), TournamentError> {
        let next = AtomicU64::new(0);
        let failure: Mutex<Option<TournamentError>> = Mutex::default();
        let cores: Vec<usize> = sched_getaffinity(CALLING_THREAD)
            .map(|allowed| (0..CpuSet::count()).filter(|&core| allowed.is_set(core) == Ok(true)).collect())
            .unwrap_or_default();
        let jobs = self.jobs();
        let (next, failure) = (&next, &failure);
        let progress = &progress;
        let work = move |core: Option<usize>| {
            if let Some(core) = core {
                let mut only = CpuSet::new();
                // Without pinning, only the times are noisier.
                let _ = only.set(core).and_then(|()| sched_setaffinity(CALLING_THREAD, &only));
            }
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                let has_failed = || lock(failure).is_some();
                if game >= self.games() || has_failed() {
                    return;
                }
                match self.game(game, workspace) {
                    Ok(records) => {
                        // Called under the lock, so that the numbers ascend.
                        let mut results = lock(results);
                        results.insert(game, records);
                        progress(results.len() as u64);
                    }
                    Err(failed) => *lock(failure) = Some(failed),
                }
            }
        };
        thread::scope(|scope| {
            for job in 1..jobs {
                let core = cores.get(job % cores.len().max(1)).copied();
                // If a thread cannot be spawned, the other threads do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, move || work(core));
            }
            // Orphans are children of the main thread, so it must not start programs itself.
            let core = cores.first().copied();
            if thread::Builder::new().spawn_scoped(scope, move || work(core)).is_err() {
                work(None);
            }
        });
        lock(failure).take().map_or(Ok(()), Err)
    }

    /// Returns the rotation of the seats in a game, from 0.
    #[expect(clippy::cast_possible_truncation, reason = "there are at most nine seats")]
    fn rotation(&self, game: u64) -> usize {
        (game % self.contestants.len() as u64) as usize
    }

    /// Returns the number of the contestant in a seat of a game, from 0.
    fn contestant(&self, game: u64, seat: usize) -> usize {
        (seat + self.rotation(game)) % self.contestants.len()
    }

    /// Returns the number of the board of a game, from 0.
    fn board(&self, game: u64) -> u64 {
        game / self.contestants.len() as u64
    }

    fn game(&self, game: u64, workspace: &Arc<Workspace>) -> Result<Vec<PlayerResult>, TournamentError> {
        let board = generate(self.spec, self.seed.wrapping_add(self.board(game)))?;
        let mut contestants = self.contestants.clone();
        contestants.rotate_left(self.rotation(game));
        let seed = self.seed.wrapping_add(game);
        Ok(Match::new(board, self.penguins, (self.time, self.policy), &contestants, seed, workspace)?.play(|_| ())?)
    }

    /// Returns the standings of all contestants, most points first.
    #[must_use]
    pub fn standings(&self, games: &GameResults) -> Vec<Standing> {
        let mut standings = vec![Standing::default(); self.contestants.len()];
        for (&game, records) in games {
            let most = records.iter().map(|record| record.score).max().unwrap_or(0);
            let first = records.iter().filter(|record| record.score == most).count() as u64;
            for (seat, record) in records.iter().enumerate() {
                let standing = &mut standings[self.contestant(game, seat)];
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

/// Formats the standings as a table.
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
    let mut text = align_columns(&rows);
    for standing in standings {
        for (fault, times) in &standing.faults {
            text.push_str(&format!("{}: {fault}, {times} times\n", standing.name));
        }
    }
    text
}

/// Formats rows in columns: the first left-aligned, the others right-aligned.
#[must_use]
pub fn align_columns<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
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
