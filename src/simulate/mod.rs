//! Simulations: many games of computer players, and their statistics.
//!
//! The seed of each game is derived from the seed of the simulation and the game's number; games on the same board have the same seed. Two
//! generators are made from this seed: one for chance and one for the players. So results do not depend on the number of threads, and each
//! game can be replayed alone, also from a [script](fn@script) in the text game.

mod adjusted;
mod game_result;
#[cfg(feature = "serde")]
mod job;
mod luck;
mod match_results;
#[cfg(feature = "serde")]
mod merge;
mod out;
mod play;
mod ratings;
mod schedule;
mod script;
mod seeds;
#[cfg(feature = "serde")]
mod signature;
mod simulation;
mod stats;
#[cfg(feature = "serde")]
mod tournament;
#[cfg(feature = "serde")]
mod unit;
mod watcher;
mod workers;

pub use adjusted::{AdjustedRate, AdjustedSums, Adjustment, UNITS_PER_WIN, in_wins};
pub use game_result::{GameResult, MAX_STEPS, Quantity, SeatResult, TURNS_PER_STEP};
#[cfg(feature = "serde")]
pub use job::{Job, JobPlayer};
pub use match_results::sequential_test;
#[cfg(feature = "serde")]
pub use merge::{MergeError, Merged, Units};
#[cfg(feature = "serde")]
pub use out::{ProgramFault, RunInfo, json};
pub use out::{csv_header, csv_rows, table};
pub use ratings::{PairResult, Rating, pairs, ratings};
pub use schedule::Schedule;
pub use script::script;
#[cfg(feature = "serde")]
pub(crate) use seeds::dice_seed;
pub use seeds::{derive_seed, players_seed};
#[cfg(feature = "serde")]
pub use signature::signature;
pub use simulation::Simulation;
pub use stats::{PlayerStats, Stats};
#[cfg(feature = "serde")]
pub use tournament::{PlayedBoards, TOURNAMENT_FORMAT, Tournament, TournamentSetting};
#[cfg(feature = "serde")]
pub use unit::{Unit, UnitError};
#[cfg(feature = "serde")]
pub use watcher::Recording;
pub use workers::{Cancellation, GAMES_BETWEEN_TESTS, KeepOptions, Played, Progress, run, run_with_sequential_test};
