//! Figures of many games.

/// The standard normal distribution has 2.5 % beyond it.
const Z: f64 = 1.959_963_984_540_054;

/// The interval in which a share lies with a confidence of 95 %, when something happened so many times out of all: from
/// 0 to 1. (Edwin Wilson, "Probable inference, the law of succession, and statistical inference", 1927.)
///
/// ```
/// use groundwork::statistics::wilson;
/// let (low, high) = wilson(50, 100);
/// assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4);
/// assert_eq!(wilson(0, 0), (0.0, 1.0));
/// ```
#[must_use]
pub fn wilson(times: u64, all: u64) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    let (share, all) = (ratio(times, all), count(all));
    let middle = share + Z * Z / (2.0 * all);
    let spread = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let whole = 1.0 + Z * Z / all;
    (((middle - spread) / whole).max(0.0), ((middle + spread) / whole).min(1.0))
}

/// The mean of values, and how far from it the mean of all values may be, with a confidence of 95 %, when they are drawn from a
/// normal distribution or are many. 0 of none; without bound of a single one.
///
/// ```
/// use groundwork::statistics::mean;
/// let (middle, spread) = mean(&[4.0, 8.0, 6.0, 2.0]);
/// assert!((middle - 5.0).abs() < 1e-9 && (spread - 2.53).abs() < 1e-2);
/// ```
#[must_use]
pub fn mean(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let all = count(values.len() as u64);
    let middle = values.iter().sum::<f64>() / all;
    let variance = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (all - 1.0);
    (middle, if values.len() > 1 { Z * (variance / all).sqrt() } else { f64::INFINITY })
}

/// What share of all so many are; 0 of nothing.
#[must_use]
pub fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { count(part) / count(all) }
}

/// A count as a number to reckon with.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2⁵³")]
const fn count(number: u64) -> f64 {
    number as f64
}

/// How often each value came up.
///
/// ```
/// use groundwork::statistics::Histogram;
/// let mut turns = Histogram::default();
/// for value in [3, 1, 4, 1, 5] {
///     turns.add(value);
/// }
/// assert_eq!((turns.mean(), turns.quantile(0.5), turns.quantile(0.95)), (2.8, 3, 5));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    times: std::collections::BTreeMap<u64, u64>,
}

impl Histogram {
    /// Takes down one value.
    pub fn add(&mut self, value: u64) {
        *self.times.entry(value).or_default() += 1;
    }

    /// Takes down all that another has.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &times) in &other.times {
            *self.times.entry(value).or_default() += times;
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.times.values().sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Their mean; 0 of none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        ratio(self.times.iter().map(|(value, times)| value * times).sum(), self.len())
    }

    /// The least value up to which such a share of all values lie, 0 to 1; for one half, the median. 0 of none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> u64 {
        let wanted = share * count(self.len());
        let mut so_far = 0;
        for (&value, &times) in &self.times {
            so_far += times;
            if count(so_far) >= wanted {
                return value;
            }
        }
        0
    }
}

/// How much likelier a share of `more` is than one of `less`, as a logarithm, when of so many boards none, one, two, three or
/// four games were won. The games of a board are not independent, so the boards are what is counted, and their variance is
/// estimated. (The sequential probability ratio test of Abraham Wald, "Sequential tests of statistical hypotheses", 1945,
/// with a normal distribution.) 0 of fewer than two boards, or when all are the same.
///
/// ```
/// use groundwork::statistics::log_likelihood_ratio;
/// let boards = [10, 20, 40, 20, 10];
/// assert!(log_likelihood_ratio(&boards, [0.25, 0.5]) > 3.0);
/// assert!(log_likelihood_ratio(&boards, [0.5, 0.75]) < -3.0);
/// ```
#[must_use]
pub fn log_likelihood_ratio(boards: &[u64; 5], [less, more]: [f64; 2]) -> f64 {
    let all = count(boards.iter().sum());
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = boards.iter().zip(shares).map(|(&boards, share)| count(boards) * share).sum::<f64>() / all;
    let squares = boards.iter().zip(shares).map(|(&boards, share)| count(boards) * (share - mean).powi(2)).sum::<f64>();
    if all < 2.0 || squares == 0.0 {
        return 0.0;
    }
    let variance = squares / (all - 1.0);
    all * (more - less) * (2.0 * mean - less - more) / (2.0 * variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_share_and_narrow() {
        for (times, all) in [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (300, 1000)] {
            let (low, high) = wilson(times, all);
            let share = ratio(times, all);
            assert!(
                0.0 <= low && low <= share && share <= high + 1e-12 && high <= 1.0,
                "{times} of {all}: {low} {high}"
            );
        }
        let width = |times, all| wilson(times, all).1 - wilson(times, all).0;
        assert!(width(300, 1000) < width(30, 100) && width(30, 100) < width(3, 10));
        // A worked value: 8 of 10 gives 0.4902 to 0.9433.
        let (low, high) = wilson(8, 10);
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn a_share_in_the_middle_speaks_for_neither() {
        assert!(log_likelihood_ratio(&[10, 0, 0, 0, 10], [0.4, 0.6]).abs() < 1e-12);
        assert_eq!(log_likelihood_ratio(&[0; 5], [0.4, 0.6]).to_bits(), 0);
        assert_eq!(log_likelihood_ratio(&[0, 9, 0, 0, 0], [0.4, 0.6]).to_bits(), 0);
        // Of four boards with 1, 1, 3 and 3 of 4 games the mean is 1/2 and the variance 1/12: 4 x 1/4 x 1/4 / (2/12).
        let ratio = log_likelihood_ratio(&[0, 2, 0, 2, 0], [0.25, 0.5]);
        assert!((ratio - 1.5).abs() < 1e-12, "{ratio}");
        // Of two boards, with none and with all: 2 x 1/4 x 1/4 / (2/2).
        let ratio = log_likelihood_ratio(&[1, 0, 0, 0, 1], [0.25, 0.5]);
        assert!((ratio - 0.125).abs() < 1e-12, "{ratio}");
        assert_eq!(log_likelihood_ratio(&[1, 0, 0, 0, 0], [0.25, 0.5]).to_bits(), 0);
    }

    #[test]
    fn values_are_counted_however_they_come_together() {
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
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|share| first.quantile(share)), [1, 50, 95, 100]);

        let mut twice = Histogram::default();
        for value in [7, 7, 4] {
            twice.add(value);
        }
        assert!((twice.mean() - 6.0).abs() < 1e-12);
    }
}
