//! What the boards of a match say: the win rate that is adjusted for luck, and the decision of the sequential test.

use super::adjusted::AdjustedRate;
use super::simulation::Simulation;
use super::stats::Stats;
use crate::game::Builder;
use crate::statistics::{Z_95, normal_llr, ratio, sprt_llr};

impl Simulation {
    /// Returns the first side's win rate from adjusted results; `None` if results are not adjusted, or without two boards.
    #[must_use]
    pub fn adjusted_rate(&self, stats: &Stats) -> Option<AdjustedRate> {
        let coefficient = self.adjustment.as_ref()?.coefficient;
        let boards = stats.boards.iter().sum::<u64>();
        let [count, games] = [boards, self.schedule.games_per_board()].map(|count| ratio(count, 1));
        let (mean, variance) = stats.adjusted.mean_and_variance(boards);
        let counts = || (0_u32..).zip(stats.boards).map(|(won, boards)| (f64::from(won), ratio(boards, 1)));
        let plain_mean = counts().map(|(won, boards)| won * boards).sum::<f64>() / count;
        let plain_variance = counts().map(|(won, boards)| boards * (won - plain_mean).powi(2)).sum::<f64>() / count;
        let half_width = Z_95 * (variance / (count - 1.0)).sqrt() / games;
        let win_rate = mean / games;
        (boards > 1).then_some(AdjustedRate {
            coefficient,
            win_rate,
            win_rate_low: win_rate - half_width,
            win_rate_high: win_rate + half_width,
            games_ratio: (variance > 0.0 && plain_variance > 0.0).then(|| plain_variance / variance),
        })
    }

    /// Returns the win rate that the sequential test accepts; `None` if there is no test or it is still undecided.
    ///
    /// Results that are adjusted for luck are no counts. Their means over boards are taken as normal: see [`normal_llr`].
    #[must_use]
    pub fn verdict(&self, stats: &Stats) -> Option<f64> {
        let (rates, boards) = (self.sprt?, stats.boards.first_chunk::<{ Builder::COUNT + 1 }>()?);
        if self.adjustment.is_none() {
            return sequential_test(boards, rates);
        }
        let count = boards.iter().sum();
        let (mean, variance) = stats.adjusted.mean_and_variance(count);
        // The rates of a board with four games.
        let of_board = rates.map(|rate| 4.0 * rate);
        decide(normal_llr(count, mean, variance, of_board), rates)
    }
}

/// Returns which of two win rates a sequential test accepts, with error probabilities of 5 %; `None` if it is still undecided.
///
/// `boards_by_wins` has the number of boards that ended with 0, 1, ..., 4 wins.
#[must_use]
pub fn sequential_test(boards_by_wins: &[u64; Builder::COUNT + 1], rates: [f64; 2]) -> Option<f64> {
    decide(sprt_llr(boards_by_wins, rates), rates)
}

fn decide(llr: f64, rates: [f64; 2]) -> Option<f64> {
    const ERROR: f64 = 0.05;
    let bound = ((1.0 - ERROR) / ERROR).ln();
    if llr >= bound {
        Some(rates[1])
    } else if llr <= -bound {
        Some(rates[0])
    } else {
        None
    }
}
