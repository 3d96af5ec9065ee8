//! Fast sampling of chance, for playouts.

use rand::Rng;
use rand_distr::{Distribution, Hypergeometric};

use super::chance::{Chance, RandomChance};
use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::rng;

/// Draws from the same distribution as [`RandomChance`], but faster. The sequence of draws is not stable between versions, so do not use it
/// for games that are replayed.
///
/// ```
/// use constructor::game::{Chance, Hand, FastChance};
/// use rand::{SeedableRng, rngs::SmallRng};
/// let mut rng = SmallRng::seed_from_u64(3);
/// let held = Hand::new([5, 0, 0, 6, 0]);
/// let lost = FastChance(&mut rng).discard(held, 5);
/// assert_eq!(lost.total(), 5);
/// assert!(held.covers(lost));
/// ```
#[derive(Debug)]
pub struct FastChance<'r, R: Rng>(pub &'r mut R);

impl<R: Rng> Chance for FastChance<'_, R> {
    /// Draws one of the 36 outcomes of two dice.
    #[inline]
    fn roll(&mut self) -> Roll {
        const ROLLS: [Roll; 36] = {
            let mut rolls = [Roll::of_faces([1, 1]); 36];
            let mut way = 0;
            while way < 36 {
                rolls[way as usize] = Roll::of_faces([way / 6 + 1, way % 6 + 1]);
                way += 1;
            }
            rolls
        };
        ROLLS[rng::below(self.0, 36) as usize]
    }

    /// Chooses the method by the size of the hand. For at most 28 units, draws a subset of half the units at once; for more than 4,096
    /// units, draws one count for each resource; otherwise, draws the units one by one.
    #[inline]
    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let total = held.total();
        if total > MAX_SINGLY {
            return discard_many(held, count, self.0);
        }
        if count != total / 2 || total > MAX_UNRANKED {
            return RandomChance(self.0).discard(held, count);
        }
        held.select(random_half_mask(total, self.0))
    }

    /// Draws the stolen unit as [`RandomChance`] does.
    #[inline]
    fn steal(&mut self, held: Hand) -> Option<Resource> {
        RandomChance(self.0).steal(held)
    }
}

/// The largest hand whose units are drawn one by one.
const MAX_SINGLY: u32 = 4096;

/// Draws `count` of the held units from a multivariate hypergeometric distribution: one count for each resource, one resource after
/// another.
#[cold]
fn discard_many(held: Hand, count: u32, rng: &mut impl Rng) -> Hand {
    let (mut total, mut left) = (held.total(), count.min(held.total()));
    Hand::new(Resource::ALL.map(|resource| {
        let own = held.count(resource);
        // Fails only if `own` or `left` exceeds `total`.
        let drawn = Hypergeometric::new(total.into(), own.into(), left.into()).map_or(0, |units| units.sample(rng));
        total -= own;
        // The bounds hold anyway, unless rounding in the sampler breaks them.
        let drawn = u32::try_from(drawn).unwrap_or(u32::MAX).clamp(left.saturating_sub(total), own.min(left));
        left -= drawn;
        drawn
    }))
}

/// Draws a mask uniformly from all masks of `total` bits that have half of the bits set, rounded down.
#[inline]
fn random_half_mask(total: u32, rng: &mut impl Rng) -> u64 {
    let number = rng::below(rng, HALVES[total as usize].ways);
    nth_half_mask(total, number)
}

/// Returns the mask at position `number` among the masks of `total` bits with half of them set (unranking).
///
/// Masks are ordered by the popcount of the low [`LOW_BITS`] bits, then by the low bits, then by the high bits (a combinatorial number
/// system in two digits).
#[inline]
fn nth_half_mask(total: u32, number: u32) -> u64 {
    let halves = &HALVES[total as usize];
    if total as usize <= LOW_BITS {
        return nth_word(halves.set, number);
    }
    // Branchless: the position of `number` among the cumulative counts.
    let in_low = halves.cumulative[1..].iter().map(|&cumulative| usize::from(cumulative <= number)).sum::<usize>();
    let in_high = halves.set - in_low;
    let number = number - halves.cumulative[in_low];
    let high_words = CHOOSE[total as usize - LOW_BITS][in_high];
    nth_word(in_low, number / high_words) | nth_word(in_high, number % high_words) << LOW_BITS
}

/// Returns the word at position `number` among the words with `set` bits set, in ascending order.
#[inline]
fn nth_word(set: usize, number: u32) -> u64 {
    BY_POPCOUNT[FIRST[set] + number as usize].into()
}

/// The number of low bits of a mask. The other bits, at most as many, are its high bits.
const LOW_BITS: usize = 14;

/// The largest number of bits of a mask that is unranked.
const MAX_UNRANKED: u32 = 28;
const _: () = assert!(MAX_UNRANKED as usize == 2 * LOW_BITS);

/// The numbers of masks of one length with half of the bits set.
#[derive(Clone, Copy)]
struct Halves {
    ways: u32,
    set: usize,
    /// For each popcount of the low bits, the number of masks whose low bits have a smaller popcount.
    cumulative: [u32; LOW_BITS + 1],
}

static HALVES: [Halves; MAX_UNRANKED as usize + 1] = {
    let mut all = [Halves { ways: 0, set: 0, cumulative: [0; LOW_BITS + 1] }; MAX_UNRANKED as usize + 1];
    let mut total = 0;
    while total <= MAX_UNRANKED as usize {
        let low = if total < LOW_BITS { total } else { LOW_BITS };
        let set = total / 2;
        let halves = &mut all[total];
        halves.set = set;
        let mut in_low = 0;
        while in_low <= LOW_BITS {
            halves.cumulative[in_low] = halves.ways;
            if in_low <= set {
                halves.ways += CHOOSE[low][in_low] * CHOOSE[total - low][set - in_low];
            }
            in_low += 1;
        }
        total += 1;
    }
    all
};

/// Binomial coefficients: `CHOOSE[n][k]`.
const CHOOSE: [[u32; LOW_BITS + 1]; LOW_BITS + 1] = {
    let mut choose = [[0; LOW_BITS + 1]; LOW_BITS + 1];
    let mut all = 0;
    while all <= LOW_BITS {
        choose[all][0] = 1;
        let mut chosen = 1;
        while chosen <= all {
            choose[all][chosen] = choose[all - 1][chosen - 1] + choose[all - 1][chosen];
            chosen += 1;
        }
        all += 1;
    }
    choose
};

/// All words of [`LOW_BITS`] bits, sorted by popcount and then by value. So among the words of one popcount, those that fit in
/// fewer bits come first.
static BY_POPCOUNT: [u16; 1 << LOW_BITS] = {
    let mut words = [0; 1 << LOW_BITS];
    let mut next = FIRST;
    let mut word = 0_u16;
    while word < 1 << LOW_BITS {
        let set = word.count_ones() as usize;
        words[next[set]] = word;
        next[set] += 1;
        word += 1;
    }
    words
};

/// For each popcount, the index of its first word in [`BY_POPCOUNT`].
const FIRST: [usize; LOW_BITS + 1] = {
    let mut first = [0; LOW_BITS + 1];
    let mut set = 0;
    while set < LOW_BITS {
        first[set + 1] = first[set] + CHOOSE[LOW_BITS][set] as usize;
        set += 1;
    }
    first
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_hands_lose_units_as_they_are_held() {
        let mut rng = rng::from_seed(1);
        for held in [[999_999; 5], [4097, 0, 0, 0, 0], [0, 5000, 0, 1, 999_999], [10_000, 20_000, 30_000, 0, 40_000]] {
            let (held, total) = (Hand::new(held), held.iter().sum::<u32>());
            for count in [0, 1, total / 2, total] {
                let trials = 10;
                let mut sums = [0.0; Resource::COUNT];
                for _ in 0..trials {
                    let lost = FastChance(&mut rng).discard(held, count);
                    assert!(lost.total() == count && held.covers(lost), "{count} of {held:?}: {lost:?}");
                    for (sum, lost) in sums.iter_mut().zip(lost.counts()) {
                        *sum += f64::from(lost);
                    }
                }
                // The mean is that of a hypergeometric distribution, within five standard errors.
                let share = f64::from(count) / f64::from(total);
                for (sum, own) in sums.into_iter().zip(held.counts()) {
                    let (mean, deviation) = (f64::from(own) * share, (f64::from(own) * share * (1.0 - share)).sqrt());
                    let error = (sum / f64::from(trials) - mean).abs();
                    assert!(error <= 5.0 * deviation / f64::from(trials).sqrt() + 1e-9, "{count} of {held:?}: {error}");
                }
            }
        }
    }

    #[test]
    fn half_masks_are_enumerated_once() {
        for total in 0..=18 {
            let expected: Vec<u64> = (0..1 << total).filter(|bits: &u64| bits.count_ones() == total / 2).collect();
            let mut found: Vec<u64> =
                (0..HALVES[total as usize].ways).map(|number| nth_half_mask(total, number)).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "half of {total}");
        }
    }

    #[test]
    fn half_masks_of_many_bits_have_half_set() {
        for total in 19..=MAX_UNRANKED {
            let ways = HALVES[total as usize].ways;
            assert_eq!(
                u64::from(ways),
                (0..u64::from(total / 2)).fold(1, |ways, chosen| { ways * (u64::from(total) - chosen) / (chosen + 1) })
            );
            for number in (0..ways).step_by(9_973).chain([ways - 1]) {
                let bits = nth_half_mask(total, number);
                assert!(bits.count_ones() == total / 2 && bits >> total == 0, "{number} of {total}: {bits:b}");
            }
        }
    }
}
