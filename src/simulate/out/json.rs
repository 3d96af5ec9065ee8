//! The summary of a simulation as JSON.

use std::fmt;

use constructor_common::Foreign;
use serde::{Deserialize, Serialize, Serializer};

use super::is_partial;
use crate::game::Builder;
use crate::simulate::adjusted::AdjustedRate;
use crate::simulate::game_result::Quantity;
use crate::simulate::job::Job;
use crate::simulate::simulation::Simulation;
use crate::simulate::stats::{Stats, is_zero};
use crate::statistics::{ratio, wilson_interval};

/// The information about how a summary was made. Unlike the rest of the summary, it differs from run to run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunInfo {
    /// The command line.
    pub command: String,
    /// The duration of the run in seconds.
    pub duration_s: f64,
    /// The faults of players that are programs: one entry for each program and reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ProgramFault>,
}

/// A reason why a program was replaced, with the number of games in which this happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramFault {
    /// The program.
    pub player: String,
    /// The reason.
    pub reason: String,
    /// The number of games.
    pub games: u64,
}

impl fmt::Display for ProgramFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, reason, games } = self;
        let (player, reason) = (Foreign::from(player.as_str()), Foreign::from(reason.as_str()));
        write!(f, "{player} {reason} in {games} of the games; a greedy player went on")
    }
}

#[derive(Serialize)]
struct Summary<'s> {
    run: &'s RunInfo,
    job: Job,
    first: u64,
    games: u64,
    /// Whether some games were not played, although no sequential test was decided.
    interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential_test: Option<SequentialTest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjusted: Option<AdjustedRate>,
    without_result: u64,
    plies: u64,
    turns: Turns,
    rolls: Vec<RollCount>,
    wins_by_seat: [u64; Builder::COUNT],
    players: Vec<PlayerSummary<'s>>,
}

#[derive(Serialize)]
struct SequentialTest {
    low: f64,
    high: f64,
    boards: u64,
    /// The win rate that the test accepts; `None` if it is not decided.
    accepted: Option<f64>,
}

#[derive(Serialize)]
struct Turns {
    mean: f64,
    median: u64,
    percentile_95: u64,
}

#[derive(Serialize)]
struct RollCount {
    roll: usize,
    times: u64,
}

#[derive(Serialize)]
struct PlayerSummary<'s> {
    player_number: usize,
    player: &'s str,
    wins: u64,
    win_rate: f64,
    /// The lower end of the 95 % interval.
    win_rate_low: f64,
    win_rate_high: f64,
    games_by_seat: [u64; Builder::COUNT],
    wins_by_seat: [u64; Builder::COUNT],
    #[serde(flatten)]
    means: Means,
    /// The number of games in which the player failed.
    #[serde(skip_serializing_if = "is_zero")]
    failed: u64,
}

/// The mean of each quantity per game.
struct Means([f64; Quantity::ALL.len()]);

impl Serialize for Means {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            Quantity::ALL.iter().zip(self.0).map(|(quantity, mean)| (format!("mean_{}", quantity.name()), mean)),
        )
    }
}

/// Writes the statistics, with the information about the run, as a JSON object and a newline.
///
/// # Errors
/// When the JSON writer fails; no such case is known.
pub fn json(simulation: &Simulation, stats: &Stats, run: &RunInfo) -> serde_json::Result<String> {
    let mean = |sum| ratio(sum, stats.games);
    let players = simulation.players.iter().zip(&stats.players).enumerate().map(|(number, (player, sums))| {
        let (win_rate_low, win_rate_high) = wilson_interval(sums.wins, stats.games);
        PlayerSummary {
            player_number: number + 1,
            player: player.name(),
            wins: sums.wins,
            win_rate: mean(sums.wins),
            win_rate_low,
            win_rate_high,
            games_by_seat: sums.games_by_seat,
            wins_by_seat: sums.wins_by_seat,
            means: Means(sums.quantities().map(mean)),
            failed: sums.failed,
        }
    });
    let sequential_test = simulation.sprt.map(|[low, high]| SequentialTest {
        low,
        high,
        boards: stats.boards.iter().sum(),
        accepted: simulation.verdict(stats),
    });
    let summary = Summary {
        run,
        job: Job::new(simulation),
        first: simulation.first,
        games: stats.games,
        interrupted: is_partial(simulation, stats),
        sequential_test,
        adjusted: simulation.adjusted_rate(stats),
        without_result: stats.without_result,
        plies: stats.plies,
        turns: Turns {
            mean: stats.turns.mean(),
            median: stats.turns.quantile(0.5),
            percentile_95: stats.turns.quantile(0.95),
        },
        rolls: (2..).zip(stats.rolls).map(|(roll, times)| RollCount { roll, times }).collect(),
        wins_by_seat: stats.wins_by_seat,
        players: players.collect(),
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
