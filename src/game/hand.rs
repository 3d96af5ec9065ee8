//! Counts of resources: a hand, a price, a gain or a loss.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use crate::board::Resource;

/// A count of each of the five resources: a hand, a price or a gain.
///
/// The counts are lanes of one 64-bit word with a guard bit above each, so that all five are added, subtracted or compared at once. A
/// second word holds the part of larger counts that is a multiple of 992. Such counts hardly occur in play, but a saved game may have up to
/// [`Hand::MAX`] units of each resource.
///
/// ```
/// use constructor::board::Resource;
/// use constructor::game::{Hand, cost};
/// let mut hand = Hand::new([0, 0, 0, 2, 1]);
/// assert!(hand.covers(cost::ROAD));
/// hand -= cost::ROAD;
/// assert_eq!(hand, Hand::of(Resource::Heat, 1));
/// assert_eq!(hand.total(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[u32; 5]", into = "[u32; 5]")
)]
pub struct Hand {
    /// A lane for each resource, at most [`LANE_MAX`]. A lane is greater than [`HIGH_UNIT`] if the same lane of `high` is not 0.
    low: u64,
    /// A lane for each resource, in multiples of [`HIGH_UNIT`].
    high: u64,
}

/// The width of a count in bits, without and with the guard bit.
const COUNT_BITS: usize = 11;
pub(super) const LANE_BITS: usize = COUNT_BITS + 1;

/// A 1 in each lane.
const ONES: u64 = 1 | 1 << LANE_BITS | 1 << (2 * LANE_BITS) | 1 << (3 * LANE_BITS) | 1 << (4 * LANE_BITS);

/// The guard bit of each lane.
pub(super) const GUARDS: u64 = ONES << COUNT_BITS;

/// The largest count of a lane.
const LANE_MAX: u32 = (1 << COUNT_BITS) - 1;

/// The number of units that a 1 in a lane of `high` stands for. With this value, [`Hand::MAX`] is exactly 2047 + 992 · 1006, so a count
/// exceeds the maximum only if its low lane overflows.
const HIGH_UNIT: u32 = 992;
const _: () = assert!((Hand::MAX - LANE_MAX).is_multiple_of(HIGH_UNIT) && HIGH_UNIT < LANE_MAX / 2);

impl Hand {
    /// The largest count of a resource, in play and in saved games. Larger counts saturate.
    pub const MAX: u32 = 999_999;

    /// No units.
    pub const EMPTY: Self = Self { low: 0, high: 0 };

    /// Returns the hand with these counts, in the order of [`Resource::ALL`], each capped at [`Hand::MAX`].
    #[must_use]
    pub const fn new(counts: [u32; Resource::COUNT]) -> Self {
        let mut hand = Self::EMPTY;
        let mut index = 0;
        while index < Resource::COUNT {
            let count = if counts[index] < Self::MAX { counts[index] } else { Self::MAX };
            let high = count.saturating_sub(LANE_MAX).div_ceil(HIGH_UNIT);
            hand.low |= ((count - high * HIGH_UNIT) as u64) << (index * LANE_BITS);
            hand.high |= (high as u64) << (index * LANE_BITS);
            index += 1;
        }
        hand
    }

    /// Makes a hand of `count` units of one resource.
    #[must_use]
    pub const fn of(resource: Resource, count: u32) -> Self {
        let mut counts = [0; Resource::COUNT];
        counts[resource.index()] = count;
        Self::new(counts)
    }

    /// Makes a hand of one unit of a resource.
    #[must_use]
    #[inline]
    pub const fn unit_of(resource: Resource) -> Self {
        Self { low: 1 << (resource.index() * LANE_BITS), high: 0 }
    }

    /// Returns the count of one resource, at most [`Hand::MAX`].
    #[must_use]
    #[inline]
    pub const fn count(self, resource: Resource) -> u32 {
        lane(self.low, resource.index()) + HIGH_UNIT * lane(self.high, resource.index())
    }

    /// Returns the counts in the order of [`Resource::ALL`].
    #[must_use]
    #[inline]
    pub fn counts(self) -> [u32; Resource::COUNT] {
        Resource::ALL.map(|resource| self.count(resource))
    }

    /// Returns the sum of the counts.
    #[must_use]
    #[inline]
    pub const fn total(self) -> u32 {
        // If every count is below 256, a multiplication accumulates the sum of all lanes in the last one.
        const LARGE: u64 = GUARDS | GUARDS >> 1 | GUARDS >> 2 | GUARDS >> 3;
        if (self.low & LARGE) | self.high == 0 {
            lane(self.low.wrapping_mul(ONES), Resource::COUNT - 1)
        } else {
            lane_sum(self.low) + HIGH_UNIT * lane_sum(self.high)
        }
    }

    /// Returns whether all counts are 0.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        // A nonzero lane of `high` implies a nonzero lane of `low`.
        self.low == 0
    }

    /// Returns a bit mask of the resources whose counts are not 0: bit `i` stands for the resource with code `i`.
    #[must_use]
    #[inline]
    pub const fn resources(self) -> u8 {
        // A nonzero lane carries into its guard bit. The multiplication then moves the guard bits next to each other: bit 12 i goes to bit
        // 48 + i, and all other partial products go elsewhere.
        const GATHER: u64 = 1 << 48 | 1 << 37 | 1 << 26 | 1 << 15 | 1 << 4;
        let nonzero = ((self.low + ONES * LANE_MAX as u64) & GUARDS) >> COUNT_BITS;
        (nonzero.wrapping_mul(GATHER) >> 48) as u8 & ((1 << Resource::COUNT) - 1)
    }

    /// Returns the units that the hand lacks to pay a price.
    #[must_use]
    pub fn missing(self, price: Self) -> Self {
        let [held, asked] = [self.counts(), price.counts()];
        Self::new(std::array::from_fn(|index| asked[index].saturating_sub(held[index])))
    }

    /// Returns whether every count is at least the same count of `price`.
    #[must_use]
    #[inline]
    pub const fn covers(self, price: Self) -> bool {
        if self.high | price.high == 0 { self.covers_small(price) } else { self.covers_large(price) }
    }

    /// Returns the same as [`Self::covers`] for a price of at most [`HIGH_UNIT`] units of each resource, for which it is enough to compare
    /// the low lanes.
    #[inline]
    pub(super) const fn covers_small(self, price: Self) -> bool {
        // A count that is too small borrows its guard bit.
        ((self.low | GUARDS) - price.low) & GUARDS == GUARDS
    }

    #[cold]
    const fn covers_large(self, price: Self) -> bool {
        let mut index = 0;
        while index < Resource::COUNT {
            let resource = Resource::ALL[index];
            if self.count(resource) < price.count(resource) {
                return false;
            }
            index += 1;
        }
        true
    }

    /// Returns each resource whose count is not 0, with its count, in the order of [`Resource::ALL`].
    pub fn iter(self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::ALL.into_iter().map(move |resource| (resource, self.count(resource))).filter(|&(_, count)| count > 0)
    }

    /// Returns the resource of unit `number`, when the units are numbered from 0 in the order of [`Resource::ALL`].
    #[must_use]
    #[inline]
    pub fn unit(self, number: u32) -> Option<Resource> {
        let total = self.total();
        if number >= total {
            return None;
        }
        if total > LANE_MAX {
            return self.unit_of_large(number);
        }
        // The unit is of the first resource whose prefix sum of the counts is greater than `number`.
        let ends = self.low.wrapping_mul(ONES) & LANES;
        Resource::ALL.get(Self::ends_above(ends, number).trailing_zeros() as usize / LANE_BITS).copied()
    }

    /// Removes up to `count` units, one after another. With `total` units left, removes the unit with the number `choose(total)`, which
    /// must be below `total`.
    #[inline]
    pub(super) fn remove_units(&mut self, count: u32, mut choose: impl FnMut(u32) -> u32) {
        let mut left = self.total();
        let kept = left.saturating_sub(count);
        if left > LANE_MAX {
            while left > kept {
                if let Some(resource) = self.unit_of_large(choose(left)) {
                    *self -= Self::unit_of(resource);
                }
                left -= 1;
            }
            return;
        }
        // Prefix sums of the counts. Removing a unit reduces the prefix sums of its lane and of all higher lanes by 1.
        let mut ends = self.low.wrapping_mul(ONES) & LANES;
        while left > kept {
            ends -= Self::ends_above(ends, choose(left)) >> COUNT_BITS;
            left -= 1;
        }
        self.low = ends - (ends << LANE_BITS & LANES);
    }

    /// Returns the guard bits of the lanes whose prefix sums are greater than `number`.
    #[inline(always)]
    const fn ends_above(ends: u64, number: u32) -> u64 {
        ((ends | GUARDS) - ONES * (number as u64 + 1)) & GUARDS
    }

    #[cold]
    fn unit_of_large(self, number: u32) -> Option<Resource> {
        let mut before = 0;
        Resource::ALL.into_iter().find(|&resource| {
            before += self.count(resource);
            number < before
        })
    }

    /// Returns the units whose bits are set in `bits`. Bit `i` stands for unit `i`, numbered as in [`Self::unit`].
    ///
    /// The hand must have fewer than 64 units.
    #[inline]
    pub(super) fn select(self, bits: u64) -> Self {
        // Computes the popcount up to the end of each resource, then the differences.
        let ends = self.low.wrapping_mul(ONES);
        let set: [u64; 4] = std::array::from_fn(|index| {
            let below = !(u64::MAX << (ends >> (index * LANE_BITS) & 63));
            u64::from((bits & below).count_ones()) << (index * LANE_BITS)
        });
        let prefix = set[0] | set[1] | set[2] | set[3] | u64::from(bits.count_ones()) << (4 * LANE_BITS);
        Self { low: prefix - (prefix << LANE_BITS & LANES), high: 0 }
    }

    /// Returns the hand with these `low` and `high` words.
    #[inline]
    pub(super) const fn from_words(low: u64, high: u64) -> Self {
        Self { low, high }
    }

    /// Returns the `low` and `high` words.
    #[inline]
    pub(super) const fn words(self) -> [u64; 2] {
        [self.low, self.high]
    }

    /// Restores the representation after an addition that set guard bits.
    #[cold]
    pub(super) fn normalized(self) -> Self {
        const LANE_AND_GUARD: u64 = (1 << LANE_BITS) - 1;
        Self::new(Resource::ALL.map(|resource| {
            let shift = resource.index() * LANE_BITS;
            let units = u32::try_from(self.low >> shift & LANE_AND_GUARD).unwrap_or(Self::MAX);
            units + HIGH_UNIT * lane(self.high, resource.index())
        }))
    }

    #[cold]
    fn saturating_sub(self, less: Self) -> Self {
        Self::new(Resource::ALL.map(|resource| self.count(resource).saturating_sub(less.count(resource))))
    }
}

/// All lanes with their guard bits.
const LANES: u64 = (1 << (Resource::COUNT * LANE_BITS)) - 1;

#[inline]
const fn lane(word: u64, index: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "masked below")]
    let count = (word >> (index * LANE_BITS)) as u32;
    count & LANE_MAX
}

/// Returns the sum of the lanes of a word.
#[inline]
const fn lane_sum(word: u64) -> u32 {
    // Adds pairs of lanes, so that the sums have room.
    const PAIR: usize = 2 * LANE_BITS;
    const EVEN: u64 = (1 << COUNT_BITS) - 1;
    const EVENS: u64 = EVEN | EVEN << PAIR | EVEN << (2 * PAIR);
    let pairs = (word & EVENS) + (word >> LANE_BITS & EVENS);
    let total = (pairs.wrapping_mul(1 | 1 << PAIR | 1 << (2 * PAIR)) >> (2 * PAIR)) as u32;
    total & ((1 << (u64::BITS as usize - 2 * PAIR)) - 1)
}

/// Counts saturate at [`Hand::MAX`].
impl AddAssign for Hand {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        self.low += more.low;
        self.high += more.high;
        if (self.low & GUARDS) | more.high != 0 {
            *self = self.normalized();
        }
    }
}

/// Counts saturate at 0. Check with [`Hand::covers`] first.
impl SubAssign for Hand {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        if self.high == 0 && self.covers(less) {
            self.low -= less.low;
        } else {
            *self = self.saturating_sub(less);
        }
    }
}

impl From<[u32; Resource::COUNT]> for Hand {
    fn from(counts: [u32; Resource::COUNT]) -> Self {
        Self::new(counts)
    }
}

impl From<Hand> for [u32; Resource::COUNT] {
    fn from(hand: Hand) -> Self {
        hand.counts()
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hand").field(&self.counts()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_is_numbered_by_resource() {
        let hand = Hand::new([0, 2, 0, 1, 0]);
        let units: Vec<_> = (0..4).map(|number| hand.unit(number)).collect();
        assert_eq!(units, [Some(Resource::Energy), Some(Resource::Energy), Some(Resource::Heat), None]);
    }

    #[test]
    fn unit_of_a_large_hand() {
        let hand = Hand::new([2_000, 0, 3_000, 1, 5]);
        let units = [0, 1_999, 2_000, 4_999, 5_000, 5_001, 5_005, 5_006].map(|number| hand.unit(number));
        let [brick, glass, heat, wifi] = [Resource::Brick, Resource::Glass, Resource::Heat, Resource::Wifi].map(Some);
        assert_eq!(units, [brick, brick, glass, glass, heat, wifi, wifi, None]);
    }

    #[test]
    fn resources_are_those_held() {
        for counts in
            [[0; 5], [1, 0, 0, 0, 0], [0, 2, 0, 3, 0], [0, 0, 2_047, 0, 1], [9, 1, 0, 4_000, 0], [Hand::MAX; 5]]
        {
            let expected = (0..5).fold(0, |bits, index| bits | u8::from(counts[index] > 0) << index);
            assert_eq!(Hand::new(counts).resources(), expected, "{counts:?}");
        }
        for bits in 0..32 {
            let counts = std::array::from_fn(|index| (bits >> index & 1) * 7);
            assert_eq!(u32::from(Hand::new(counts).resources()), bits);
        }
    }

    #[test]
    fn total_does_not_overflow() {
        for count in [0, 1, 255, 256, 511, 512, 819, 820, 1_023, 1_024, 2_047, 2_048, 4_095, 200_000, Hand::MAX] {
            assert_eq!(Hand::new([count; 5]).total(), 5 * count);
            for resource in Resource::ALL {
                assert_eq!(Hand::of(resource, count).total(), count);
            }
        }
    }

    #[test]
    fn covers_compares_every_count() {
        let price = Hand::new([1, 0, 2, 0, 0]);
        assert!(Hand::new([1, 0, 2, 0, 0]).covers(price));
        assert!(!Hand::new([0, 9, 9, 9, 9]).covers(price));
        assert!(!Hand::new([9, 9, 1, 9, 9]).covers(price));
        assert!(Hand::EMPTY.covers(Hand::EMPTY));
        for resource in Resource::ALL {
            let max = Hand::of(resource, Hand::MAX);
            assert!(max.covers(max) && !max.covers(Hand::new([Hand::MAX; 5])));
            assert!(!Hand::EMPTY.covers(Hand::of(resource, 1)));
        }
    }

    #[test]
    fn lanes_do_not_interfere() {
        let counts = [1, 20, 300, 4_000, 50_000];
        let mut hand = Hand::new(counts);
        assert_eq!((hand.counts(), hand.total()), (counts, 54_321));
        assert_eq!(format!("{hand:?}"), "Hand([1, 20, 300, 4000, 50000])");
        hand += Hand::new([5, 4, 3, 2, 1]);
        assert_eq!(hand.counts(), [6, 24, 303, 4_002, 50_001]);
        hand -= Hand::new([6, 4, 3, 2, 1]);
        assert_eq!(hand.counts(), [0, 20, 300, 4_000, 50_000]);
        assert_eq!(hand.iter().map(|(_, count)| count).collect::<Vec<_>>(), [20, 300, 4_000, 50_000]);
        assert_eq!(Hand::new([Hand::MAX; 5]).total(), 5 * Hand::MAX);
    }

    #[test]
    fn counts_saturate() {
        for resource in Resource::ALL {
            let mut hand = Hand::of(resource, Hand::MAX);
            hand += Hand::new([1; 5]);
            let mut expected = [1; 5];
            expected[resource.index()] = Hand::MAX;
            assert_eq!(hand.counts(), expected);
            hand += hand;
            expected = expected.map(|count| if count == 1 { 2 } else { count });
            assert_eq!(hand.counts(), expected);
            hand -= Hand::new([3; 5]);
            assert_eq!(hand, Hand::of(resource, Hand::MAX - 3));
            assert_eq!(Hand::of(resource, u32::MAX).count(resource), Hand::MAX);
        }
    }

    #[test]
    fn select_takes_units_by_bit() {
        let held = Hand::new([3, 0, 25, 1, 34]);
        assert_eq!(held.total(), 63);
        for (bits, expected) in [
            (0, [0; 5]),
            (u64::MAX >> 1, held.counts()),
            (0b101, [2, 0, 0, 0, 0]),
            (1 << 27 | 0b11 << 3, [0, 0, 3, 0, 0]),
            (1 << 28 | 1 << 29, [0, 0, 0, 1, 1]),
            (1 << 62, [0, 0, 0, 0, 1]),
        ] {
            assert_eq!(held.select(bits).counts(), expected, "{bits:b}");
        }
    }

    /// Counts around the boundaries of the representation.
    #[test]
    fn representation_is_unique() {
        let around = |count: u32| [count - 2, count - 1, count, count + 1, count + 2];
        let counts = [
            2,
            HIGH_UNIT,
            2 * HIGH_UNIT,
            LANE_MAX,
            LANE_MAX + HIGH_UNIT,
            LANE_MAX + 2 * HIGH_UNIT,
            Hand::MAX - HIGH_UNIT,
            Hand::MAX - 2,
        ];
        for count in counts.into_iter().flat_map(around) {
            for resource in Resource::ALL {
                let hand = Hand::of(resource, count);
                assert_eq!((hand.count(resource), hand.total()), (count, count));
                let (mut more, mut less) = (Hand::of(resource, count.saturating_sub(1)), Hand::of(resource, count + 1));
                more += Hand::of(resource, count.min(1));
                assert_eq!(more, hand, "{count} from below");
                if count < Hand::MAX {
                    less -= Hand::unit_of(resource);
                    assert_eq!(less, hand, "{count} from above");
                    assert!(!hand.covers(Hand::of(resource, count + 1)));
                }
                assert!(hand.covers(hand));
                let last = count.checked_sub(1).map(|last| hand.unit(last));
                assert_eq!(last, (count > 0).then_some(Some(resource)));
                assert_eq!(hand.unit(count), None);
            }
        }
    }
}
