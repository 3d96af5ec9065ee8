//! Ratings of players from the games of each pair of them.

use rand::RngExt;

use super::adjusted::AdjustedSums;
use super::schedule::MAX_BOARD_GAMES;
use crate::rng;
use crate::statistics::ratio;

/// The results of two players against each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairResult {
    /// The number of boards on which the first player won 0, 1, ... 6 of 6 games.
    pub boards: [u64; MAX_BOARD_GAMES + 1],
    /// The number of games without a result. They count as half a win for each player.
    pub without_result: u64,
    /// The results of the first player on these boards, if they are adjusted for luck.
    pub adjusted: Option<AdjustedSums>,
}

impl PairResult {
    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        MAX_BOARD_GAMES as u64 * self.boards.iter().sum::<u64>()
    }

    /// Returns the number of games that the first player won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.boards.iter().zip(0..).map(|(boards, wins)| boards * wins).sum()
    }

    /// Returns the first player's share of the games; a game without a result counts as half a win. A share that is adjusted for luck is kept
    /// within 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.adjusted.is_none() {
            return ratio(2 * self.wins() + self.without_result, 2 * self.games());
        }
        (self.win_rate() + ratio(self.without_result, 2 * self.games())).clamp(0.0, 1.0)
    }

    /// Returns the first player's win rate. A rate that is adjusted for luck may lie outside 0 to 1.
    #[must_use]
    pub fn win_rate(&self) -> f64 {
        let Some(adjusted) = self.adjusted else { return ratio(self.wins(), self.games()) };
        let (mean, _) = adjusted.mean_and_variance(self.boards.iter().sum());
        mean / ratio(MAX_BOARD_GAMES as u64, 1)
    }

    /// Returns the second player's win rate.
    #[must_use]
    pub fn loss_rate(&self) -> f64 {
        1.0 - self.win_rate() - ratio(self.without_result, self.games())
    }

    /// Adds other results of the same two players.
    pub fn add(&mut self, other: &Self) {
        for (boards, more) in self.boards.iter_mut().zip(other.boards) {
            *boards += more;
        }
        self.without_result += other.without_result;
        if let Some(more) = other.adjusted {
            self.adjusted.get_or_insert_default().add(more);
        }
    }
}

/// A player's rating in Elo, and its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating; the mean of all players is 0. A player whose rating is 100 higher wins 64 % of the games.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Lists all pairs of the players with the numbers below `players`, in a fixed order.
///
/// The order is (0, 1), (0, 2), ..., (1, 2), ...
pub fn pairs(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| (one, other)))
}

/// Fits a Bradley-Terry model to the results of all pairs, and returns the strengths of the players as Elo ratings with the mean 0. Each
/// result is a share of the games and the number of games.
///
/// (Ralph Bradley and Milton Terry, "Rank analysis of incomplete block designs", 1952; fitted by the iteration of David Hunter, "MM
/// algorithms for generalized Bradley-Terry models", 2004.) Half a win is added to both sides of each pair, so that the ratings stay
/// finite.
fn fit(players: usize, shares: &[(f64, f64)]) -> Vec<f64> {
    const ROUNDS: u32 = 2_000;
    let mut strengths = vec![1.0; players];
    for _ in 0..ROUNDS {
        let (mut wins, mut weights) = (vec![0.0; players], vec![0.0; players]);
        for ((one, other), &(share, games)) in pairs(players).zip(shares) {
            let won = share * games + 0.5;
            let games = games + 1.0;
            wins[one] += won;
            wins[other] += games - won;
            let weight = games / (strengths[one] + strengths[other]);
            weights[one] += weight;
            weights[other] += weight;
        }
        let next: Vec<f64> = wins.iter().zip(&weights).map(|(wins, weight)| wins / weight).collect();
        let log_mean = next.iter().map(|strength: &f64| strength.ln()).sum::<f64>() / count(players);
        let next: Vec<f64> = next.into_iter().map(|strength| strength / log_mean.exp()).collect();
        let change = next.iter().zip(&strengths).map(|(new, old)| (new / old).ln().abs()).fold(0.0, f64::max);
        strengths = next;
        if change < 1e-9 {
            break;
        }
    }
    strengths.into_iter().map(|strength| 400.0 * strength.log10()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2⁵³")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// Returns the ratings of players from the results of all [pairs].
///
/// The intervals come from a bootstrap over boards, since games on the same board are not independent. Its seed is fixed, so the same
/// results give the same intervals.
///
/// ```
/// use constructor::simulate::{PairResult, ratings};
/// let even = PairResult { boards: [0, 0, 10, 20, 10, 0, 0], ..PairResult::default() };
/// let better = PairResult { boards: [0, 0, 0, 10, 20, 10, 0], ..PairResult::default() };
/// let ratings = ratings(3, &[better, better, even]);
/// assert!(ratings[0].low > 50.0 && ratings[1].low < ratings[2].elo && ratings[2].elo < ratings[1].high);
/// ```
#[must_use]
pub fn ratings(players: usize, results: &[PairResult]) -> Vec<Rating> {
    const SAMPLES: usize = 400;
    let share = |result: &PairResult| (result.score(), count(usize::try_from(result.games()).unwrap_or(usize::MAX)));
    let elos = fit(players, &results.iter().map(share).collect::<Vec<_>>());
    let mut rng = rng::from_seed(0);
    let mut samples = vec![Vec::with_capacity(SAMPLES); players];
    for _ in 0..SAMPLES {
        let resampled: Vec<_> = results.iter().map(|result| share(&resample(result, &mut rng))).collect();
        for (samples, elo) in samples.iter_mut().zip(fit(players, &resampled)) {
            samples.push(elo);
        }
    }
    elos.into_iter()
        .zip(samples)
        .map(|(elo, mut samples)| {
            samples.sort_by(f64::total_cmp);
            let cut = SAMPLES / 40;
            Rating { elo, low: samples[cut], high: samples[SAMPLES - 1 - cut] }
        })
        .collect()
}

/// Draws a bootstrap sample: as many boards as the result has, each drawn from the boards of the result. Of adjusted results, only the mean and
/// the variance are known, so the sum of the sample is drawn from a normal distribution.
fn resample(result: &PairResult, rng: &mut impl RngExt) -> PairResult {
    let all = result.boards.iter().sum::<u64>();
    if let Some(adjusted) = result.adjusted {
        let (mean, variance) = adjusted.mean_and_variance(all);
        let (mean, deviation) = (mean * ratio(all, 1), (variance * ratio(all, 1)).sqrt());
        // The sum of twelve uniform draws is nearly normal, with a variance of 1.
        let normal = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        return PairResult { adjusted: Some(adjusted.with_sum(mean + normal * deviation)), ..*result };
    }
    let mut boards = [0; MAX_BOARD_GAMES + 1];
    for _ in 0..all {
        let mut number = u64::from(rng::below(rng, u32::try_from(all).unwrap_or(u32::MAX)));
        for (drawn, &there) in boards.iter_mut().zip(&result.boards) {
            if number < there {
                *drawn += 1;
                break;
            }
            number -= there;
        }
    }
    PairResult { boards, ..*result }
}
