//! What is written of a simulation: a table, JSON and CSV.

mod csv;
#[cfg(feature = "serde")]
mod json;
mod table;

use super::simulation::Simulation;
use super::stats::Stats;

pub use self::csv::{CSV_HEADER, csv_rows};
#[cfg(feature = "serde")]
pub use self::json::{ProgramFault, RunInfo, json};
pub use self::table::table;

/// The suffix of the name of a player that failed and was replaced.
const FAILED: &str = " (failed)";

/// Returns whether the games of these statistics are only the first of those that were to be played, without a decision of a sequential
/// test.
fn is_partial(simulation: &Simulation, stats: &Stats) -> bool {
    stats.games < simulation.games && simulation.verdict(stats).is_none()
}
