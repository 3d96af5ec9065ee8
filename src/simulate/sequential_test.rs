//! The decision of the sequential test of a match.

use super::simulation::Simulation;
use super::stats::Stats;
use crate::game::Builder;
use crate::statistics::sprt_llr;

impl Simulation {
    /// Returns the win rate that the sequential test accepts, with error probabilities of 5 %; `None` if there is no test or it is still
    /// undecided.
    #[must_use]
    pub fn verdict(&self, stats: &Stats) -> Option<f64> {
        const ERROR: f64 = 0.05;
        let rates = self.sprt?;
        let llr = sprt_llr(stats.boards.first_chunk::<{ Builder::COUNT + 1 }>()?, rates);
        let bound = ((1.0 - ERROR) / ERROR).ln();
        if llr >= bound {
            Some(rates[1])
        } else if llr <= -bound {
            Some(rates[0])
        } else {
            None
        }
    }
}
