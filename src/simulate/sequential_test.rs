//! The decision of the sequential test of a match.

use super::simulation::Simulation;
use super::stats::Stats;
use crate::game::Builder;
use crate::statistics::sprt_llr;

impl Simulation {
    /// Returns the win rate that the sequential test accepts; `None` if there is no test or it is still undecided.
    #[must_use]
    pub fn verdict(&self, stats: &Stats) -> Option<f64> {
        sequential_test(stats.boards.first_chunk::<{ Builder::COUNT + 1 }>()?, self.sprt?)
    }
}

/// Returns which of two win rates a sequential test accepts, with error probabilities of 5 %; `None` if it is still undecided.
///
/// `boards_by_wins` has the number of boards that ended with 0, 1, ..., 4 wins.
#[must_use]
pub fn sequential_test(boards_by_wins: &[u64; Builder::COUNT + 1], rates: [f64; 2]) -> Option<f64> {
    const ERROR: f64 = 0.05;
    let llr = sprt_llr(boards_by_wins, rates);
    let bound = ((1.0 - ERROR) / ERROR).ln();
    if llr >= bound {
        Some(rates[1])
    } else if llr <= -bound {
        Some(rates[0])
    } else {
        None
    }
}
