//! Results that are adjusted for luck: how they are adjusted, and their sums. `luck.rs` measures the luck.

use crate::players::WinModel;

/// The number of units in one win. Luck and adjusted results are whole numbers of units, so that their sums do not depend on the order of
/// the games.
pub const UNITS_PER_WIN: i64 = 1 << 20;

/// How results are adjusted for luck.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// The multiple of the luck that is subtracted from each result, usually 0 to 1. It has to be chosen before the games are played.
    pub coefficient: f64,
    /// The value function. A [job](super::Job) has only the coefficient, so units are those of the pretrained function.
    pub model: WinModel,
}

impl Adjustment {
    /// Makes an adjustment by the pretrained value function.
    #[must_use]
    pub fn new(coefficient: f64) -> Self {
        Self { coefficient, model: WinModel::default() }
    }
}

/// Returns a number of units as a number of wins.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "exact below 2⁵³ units, and near enough above")]
pub const fn in_wins(units: i64) -> f64 {
    units as f64 / UNITS_PER_WIN as f64
}

/// Sums over the boards of a match, in [units](UNITS_PER_WIN) of a win. They do not depend on the order of the boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct AdjustedSums {
    /// The sum of the adjusted results.
    pub results: i64,
    /// The sum of their squares, each rounded to a unit.
    pub squares: i64,
}

/// A win rate from results that are adjusted for luck.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AdjustedRate {
    /// The coefficient of the luck.
    pub coefficient: f64,
    /// The win rate.
    pub win_rate: f64,
    /// The lower end of its 95 % interval, by the normal approximation over boards.
    pub win_rate_low: f64,
    /// The upper end.
    pub win_rate_high: f64,
    /// The variance of the boards' results as they were, divided by that of the adjusted results: how many times as many games the adjustment is
    /// worth. `None` if all boards have the same result.
    pub games_ratio: Option<f64>,
}

impl AdjustedSums {
    /// Adds the adjusted result of a board.
    pub(super) const fn add_board(&mut self, result: i64) {
        self.add(Self {
            results: result,
            squares: (result.saturating_mul(result) + UNITS_PER_WIN / 2) / UNITS_PER_WIN,
        });
    }

    /// Adds other sums.
    pub const fn add(&mut self, other: Self) {
        self.results = self.results.saturating_add(other.results);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// Returns sums with this sum of results, in wins.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "far below 2⁵³ units")]
    pub(super) fn with_sum(self, results: f64) -> Self {
        Self { results: (results * UNITS_PER_WIN as f64).round() as i64, ..self }
    }

    /// Returns whether nothing was adjusted.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the mean result of a board, in wins, and the variance of the results around it, over this many boards.
    #[must_use]
    pub fn mean_and_variance(self, boards: u64) -> (f64, f64) {
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2⁵³")]
        let boards = boards.max(1) as f64;
        let mean = in_wins(self.results) / boards;
        (mean, (in_wins(self.squares) / boards - mean * mean).max(0.0))
    }
}
