//! Statistics of many games.

/// The 97.5th percentile of the standard normal distribution, for two-sided 95 % intervals.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Returns the 95 % confidence interval of a proportion, within 0 to 1, after `successes` of `trials`.
///
/// (Edwin Wilson, "Probable inference, the law of succession, and statistical inference", 1927.)
///
/// ```
/// use constructor_common::statistics::wilson_interval;
/// let (low, high) = wilson_interval(50, 100);
/// assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4);
/// assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
/// ```
#[must_use]
pub fn wilson_interval(successes: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (proportion, trials) = (ratio(successes, trials), to_f64(trials));
    let center = proportion + Z_95 * Z_95 / (2.0 * trials);
    let half_width = Z_95 * (proportion * (1.0 - proportion) / trials + Z_95 * Z_95 / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + Z_95 * Z_95 / trials;
    (((center - half_width) / scale).max(0.0), ((center + half_width) / scale).min(1.0))
}

/// Returns the mean of a sample and the half-width of its 95 % confidence interval, by the normal approximation.
///
/// Returns `(0, 0)` for an empty sample, and an infinite half-width for a single value.
///
/// ```
/// use constructor_common::statistics::mean_with_interval;
/// let (mean, half_width) = mean_with_interval(&[4.0, 8.0, 6.0, 2.0]);
/// assert!((mean - 5.0).abs() < 1e-9 && (half_width - 2.53).abs() < 1e-2);
/// ```
#[must_use]
pub fn mean_with_interval(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let count = to_f64(values.len() as u64);
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, if values.len() > 1 { Z_95 * (variance / count).sqrt() } else { f64::INFINITY })
}

/// Returns `part / whole`; 0 if `whole` is 0.
#[must_use]
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { to_f64(part) / to_f64(whole) }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2⁵³")]
const fn to_f64(count: u64) -> f64 {
    count as f64
}

/// The number of occurrences of each value.
///
/// ```
/// use constructor_common::statistics::Histogram;
/// let mut turns = Histogram::default();
/// for value in [3, 1, 4, 1, 5] {
///     turns.add(value);
/// }
/// assert_eq!((turns.mean(), turns.quantile(0.5), turns.quantile(0.95)), (2.8, 3, 5));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: std::collections::BTreeMap<u64, u64>,
}

impl Histogram {
    /// Adds one value.
    pub fn add(&mut self, value: u64) {
        *self.counts.entry(value).or_default() += 1;
    }

    /// Returns the values in ascending order, each with the number of its occurrences.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// Adds all values of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &count) in &other.counts {
            *self.counts.entry(value).or_default() += count;
        }
    }

    /// Returns the number of values.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the mean of the values; 0 if there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        ratio(self.counts.iter().map(|(value, count)| value * count).sum(), self.len())
    }

    /// Returns the least value `v` such that at least the share `fraction` (0 to 1) of all values is at most `v`. For 0.5, this is the
    /// median.
    ///
    /// Returns 0 if there are no values.
    #[must_use]
    pub fn quantile(&self, fraction: f64) -> u64 {
        let needed = fraction * to_f64(self.len());
        let mut cumulative = 0;
        for (&value, &count) in &self.counts {
            cumulative += count;
            if to_f64(cumulative) >= needed {
                return value;
            }
        }
        0
    }
}

/// From values and the numbers of their occurrences.
impl FromIterator<(u64, u64)> for Histogram {
    fn from_iter<T: IntoIterator<Item = (u64, u64)>>(values: T) -> Self {
        let mut histogram = Self::default();
        for (value, count) in values {
            *histogram.counts.entry(value).or_default() += count;
        }
        histogram
    }
}

/// Returns a number as text, with commas between groups of three digits.
///
/// ```
/// use constructor_common::statistics::with_thousands_separators;
/// assert_eq!([7, 999, 1_000, 1_234_567].map(with_thousands_separators), ["7", "999", "1,000", "1,234,567"]);
/// ```
#[must_use]
pub fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the log-likelihood ratio of the hypothesis "the mean win rate is `high`" against the hypothesis "it is `low`".
///
/// `boards_by_wins` has the number of boards that ended with 0, 1, ..., `N - 1` wins. (Abraham Wald's sequential probability ratio test,
/// "Sequential tests of statistical hypotheses", 1945, in its normal approximation.)
///
/// Games on the same board are not independent, so boards are the samples and their variance is estimated. Returns 0 for fewer than two
/// boards, and if all boards have the same number of wins.
///
/// ```
/// use constructor_common::statistics::sprt_llr;
/// let boards = [10, 20, 40, 20, 10];
/// assert!(sprt_llr(&boards, [0.25, 0.5]) > 3.0);
/// assert!(sprt_llr(&boards, [0.5, 0.75]) < -3.0);
/// ```
#[must_use]
pub fn sprt_llr<const N: usize>(boards_by_wins: &[u64; N], [low, high]: [f64; 2]) -> f64 {
    let boards = to_f64(boards_by_wins.iter().sum());
    let win_rate = |wins: usize| ratio(wins as u64, N as u64 - 1);
    let counts = || boards_by_wins.iter().enumerate().map(|(wins, &boards)| (to_f64(boards), win_rate(wins)));
    let mean = counts().map(|(boards, rate)| boards * rate).sum::<f64>() / boards;
    let squares = counts().map(|(boards, rate)| boards * (rate - mean).powi(2)).sum::<f64>();
    if boards < 2.0 || squares == 0.0 {
        return 0.0;
    }
    let variance = squares / (boards - 1.0);
    boards * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
}

/// Returns the log-likelihood ratio of the hypothesis "the mean is `high`" against the hypothesis "it is `low`", for a sample of normal
/// values.
///
/// `variance` is that of the sample around its own mean. Under each hypothesis, the likelihood is the greatest over all variances, that is, for
/// the mean square around the mean of the hypothesis: a generalised likelihood ratio. Returns 0 for fewer than two values, and if all values are
/// equal.
///
/// ```
/// use constructor_common::statistics::normal_llr;
/// assert!(normal_llr(100, 0.5, 0.04, [0.25, 0.5]) > 3.0);
/// assert!(normal_llr(100, 0.5, 0.04, [0.5, 0.75]) < -3.0);
/// assert!(normal_llr(100, 0.5, 0.04, [0.4, 0.6]).abs() < 1e-9);
/// ```
#[must_use]
pub fn normal_llr(count: u64, mean: f64, variance: f64, [low, high]: [f64; 2]) -> f64 {
    if count < 2 || variance <= 0.0 {
        return 0.0;
    }
    let square = |of: f64| variance + (mean - of).powi(2);
    to_f64(count) / 2.0 * (square(low) / square(high)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_interval_contains_the_proportion_and_narrows() {
        for (successes, trials) in [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (300, 1000)] {
            let (low, high) = wilson_interval(successes, trials);
            let proportion = ratio(successes, trials);
            assert!(
                0.0 <= low && low <= proportion && proportion <= high + 1e-12 && high <= 1.0,
                "{successes} of {trials}: {low} {high}"
            );
        }
        let width = |successes, trials| wilson_interval(successes, trials).1 - wilson_interval(successes, trials).0;
        assert!(width(300, 1000) < width(30, 100) && width(30, 100) < width(3, 10));
        // A published value: 8 of 10 gives 0.4902 to 0.9433.
        let (low, high) = wilson_interval(8, 10);
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn sprt_llr_of_worked_examples() {
        assert!(sprt_llr(&[10, 0, 0, 0, 10], [0.4, 0.6]).abs() < 1e-12, "the middle favours neither hypothesis");
        assert_eq!(sprt_llr(&[0; 5], [0.4, 0.6]).to_bits(), 0);
        assert_eq!(sprt_llr(&[0, 9, 0, 0, 0], [0.4, 0.6]).to_bits(), 0);
        // Four boards with 1, 1, 3 and 3 of 4 wins: mean 1/2, variance 1/12, so 4 x 1/4 x 1/4 / (2/12).
        let llr = sprt_llr(&[0, 2, 0, 2, 0], [0.25, 0.5]);
        assert!((llr - 1.5).abs() < 1e-12, "{llr}");
        // Two boards, one with no win and one with all wins: 2 x 1/4 x 1/4 / (2/2).
        let llr = sprt_llr(&[1, 0, 0, 0, 1], [0.25, 0.5]);
        assert!((llr - 0.125).abs() < 1e-12, "{llr}");
        assert_eq!(sprt_llr(&[1, 0, 0, 0, 0], [0.25, 0.5]).to_bits(), 0);
    }

    #[test]
    fn histogram_does_not_depend_on_the_order() {
        let (mut first, mut second) = (Histogram::default(), Histogram::default());
        assert!(first.is_empty());
        assert_eq!((first.mean().to_bits(), first.quantile(0.5)), (0, 0));
        for value in 1..=100 {
            if value % 2 == 0 { first.add(value) } else { second.add(value) }
        }
        first.merge(&second);
        assert!(!first.is_empty());
        assert_eq!(first.len(), 100);
        assert!((first.mean() - 50.5).abs() < 1e-12);
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|fraction| first.quantile(fraction)), [1, 50, 95, 100]);

        let mut repeated = Histogram::default();
        for value in [7, 7, 4] {
            repeated.add(value);
        }
        assert!((repeated.mean() - 6.0).abs() < 1e-12);
    }
}
