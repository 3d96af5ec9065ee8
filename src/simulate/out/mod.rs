//! The output of a simulation: a table, JSON and CSV.

mod csv;
#[cfg(feature = "serde")]
mod json;
mod table;

use super::simulation::Simulation;
use super::stats::Stats;

pub use self::csv::{csv_header, csv_rows};
#[cfg(feature = "serde")]
pub use self::json::{ProgramFault, RunInfo, json};
pub use self::table::table;

/// The suffix of the name of a player that failed and was replaced.
const FAILED: &str = " (failed)";

/// Returns whether the simulation ended early: not all of its games were played, and no sequential test was decided.
fn is_partial(simulation: &Simulation, stats: &Stats) -> bool {
    stats.games < simulation.games && simulation.verdict(stats).is_none()
}
