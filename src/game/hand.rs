//! Numbers of resources: what a builder holds, gains, loses or pays.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use crate::board::Resource;

/// So many units of each of the five resources.
///
/// The counts lie side by side in two words, each with a bit above it that no count reaches: all five are added,
/// compared or subtracted at once.
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
pub struct Hand {
    /// Brick, energy and glass.
    low: u64,
    /// Heat and WiFi.
    high: u64,
}

/// The width of a count in bits, and the bit above it.
const COUNT_BITS: usize = 20;
const LANE_BITS: usize = COUNT_BITS + 1;

/// How many counts lie in the first word.
const IN_LOW: usize = 3;

/// A 1 in each lane.
const ONES: u64 = 1 | 1 << LANE_BITS | 1 << (2 * LANE_BITS);

/// The bit above each count.
const GUARDS: u64 = ONES << COUNT_BITS;

/// What makes a count that is greater than [`Hand::MOST`] reach the bit above it.
const ROOM: u64 = ONES * ((1 << COUNT_BITS) - 1 - Hand::MOST as u64);

const COUNT: u64 = (1 << COUNT_BITS) - 1;

const fn both(low: u64, high: u64) -> u128 {
    low as u128 | (high as u128) << u64::BITS
}

impl Hand {
    /// The greatest count of a resource. A saved game can hold no greater one, so none is reached in play either.
    pub const MOST: u32 = 999_999;

    /// No unit of anything.
    pub const EMPTY: Self = Self { low: 0, high: 0 };

    /// So many units of each, in the order of [`Resource::ALL`]; of none more than [`Hand::MOST`].
    #[must_use]
    pub const fn new(counts: [u32; Resource::COUNT]) -> Self {
        let mut words = [0; 2];
        let mut index = 0;
        while index < Resource::COUNT {
            let count = if counts[index] < Self::MOST { counts[index] } else { Self::MOST };
            words[index / IN_LOW] |= (count as u64) << (index % IN_LOW * LANE_BITS);
            index += 1;
        }
        Self { low: words[0], high: words[1] }
    }

    /// So many units of one resource.
    #[must_use]
    pub const fn of(resource: Resource, count: u32) -> Self {
        let mut counts = [0; Resource::COUNT];
        counts[resource.index()] = count;
        Self::new(counts)
    }

    /// So many units of each, which are known to be fewer than any limit.
    #[inline]
    pub(super) fn of_few(counts: [u32; Resource::COUNT]) -> Self {
        let [brick, energy, glass, heat, wifi] = counts.map(u64::from);
        Self { low: brick | energy << LANE_BITS | glass << (2 * LANE_BITS), high: heat | wifi << LANE_BITS }
    }

    /// One unit of a resource.
    #[must_use]
    #[inline]
    pub const fn unit_of(resource: Resource) -> Self {
        const UNITS: [Hand; Resource::COUNT] = [
            Hand::of(Resource::Brick, 1),
            Hand::of(Resource::Energy, 1),
            Hand::of(Resource::Glass, 1),
            Hand::of(Resource::Heat, 1),
            Hand::of(Resource::Wifi, 1),
        ];
        UNITS[resource.index()]
    }

    /// So many units of one resource, at most [`Hand::MOST`].
    #[must_use]
    #[inline]
    pub const fn count(self, resource: Resource) -> u32 {
        let index = resource.index();
        let word = if index < IN_LOW { self.low } else { self.high };
        (word >> (index % IN_LOW * LANE_BITS) & COUNT) as u32
    }

    /// So many units of each, in the order of [`Resource::ALL`].
    #[must_use]
    pub fn counts(self) -> [u32; Resource::COUNT] {
        Resource::ALL.map(|resource| self.count(resource))
    }

    /// How many units in all.
    #[must_use]
    #[inline]
    pub const fn total(self) -> u32 {
        const PAIR: u64 = COUNT | COUNT << (2 * LANE_BITS);
        let pairs = (self.low & PAIR) + (self.high & COUNT);
        let middles = (self.low >> LANE_BITS & COUNT) + (self.high >> LANE_BITS);
        #[expect(clippy::cast_possible_truncation, reason = "five counts of 20 bits")]
        let total = ((pairs & ((1 << (2 * LANE_BITS)) - 1)) + (pairs >> (2 * LANE_BITS)) + middles) as u32;
        total
    }

    /// Whether there is no unit of anything.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Whether it holds at least as many of each as `price` has.
    #[must_use]
    #[inline]
    pub const fn covers(self, price: Self) -> bool {
        // A count that is too small borrows the bit above it. As one number, since two words in a row would be loaded
        // together, which has to wait for the two by which they were stored.
        const ALL: u128 = both(GUARDS, GUARDS);
        ((both(self.low, self.high) | ALL) - both(price.low, price.high)) & ALL == ALL
    }

    /// Each resource of which there is any, in the order of [`Resource::ALL`], with how many.
    pub fn iter(self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::ALL.into_iter().map(move |resource| (resource, self.count(resource))).filter(|&(_, count)| count > 0)
    }

    /// The resource of one unit, the units being counted from 0 in the order of [`Resource::ALL`].
    #[must_use]
    #[inline]
    pub fn unit(self, number: u32) -> Option<Resource> {
        let mut before = 0;
        Resource::ALL.into_iter().find(|&resource| {
            before += self.count(resource);
            number < before
        })
    }

    /// Not 0 when a count is greater than [`Hand::MOST`], by less than a gain.
    #[inline]
    const fn overflow(self) -> u64 {
        ((self.low + ROOM) | (self.high + ROOM)) & GUARDS
    }

    /// The words themselves, for a key.
    pub(super) const fn words(self) -> [u64; 2] {
        [self.low, self.high]
    }

    #[cold]
    fn floored(self, less: Self) -> Self {
        Self::new(Resource::ALL.map(|resource| self.count(resource).saturating_sub(less.count(resource))))
    }

    #[cold]
    fn capped(self) -> Self {
        // The bit above a count belongs to it while it is too great.
        let lane = |word: u64, place: usize| {
            u32::try_from(word >> (place * LANE_BITS) & (COUNT | (COUNT + 1))).unwrap_or(Self::MOST)
        };
        Self::new([lane(self.low, 0), lane(self.low, 1), lane(self.low, 2), lane(self.high, 0), lane(self.high, 1)])
    }
}

/// No count grows beyond [`Hand::MOST`].
impl AddAssign for Hand {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        self.low += more.low;
        self.high += more.high;
        if self.overflow() != 0 {
            *self = self.capped();
        }
    }
}

/// A count does not go below 0; whoever pays is asked first whether they [cover](Hand::covers) the price.
impl SubAssign for Hand {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        if self.covers(less) {
            self.low -= less.low;
            self.high -= less.high;
        } else {
            *self = self.floored(less);
        }
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hand").field(&self.counts()).finish()
    }
}

/// What a roll yields to a builder: at most 342 units of each resource, when all 19 tiles have houses all around.
///
/// The counts lie in one word, so placed that it comes apart into those of a [`Hand`] by two masks and a shift.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Gain(u64);

/// Heat and WiFi lie between the others, so far to the left of their places in a hand.
const HIGH_SHIFT: usize = 10;
const GAIN_BITS: u64 = (1 << HIGH_SHIFT) - 1;

impl Gain {
    pub(super) const NOTHING: Self = Self(0);

    /// So many units of one resource.
    #[inline]
    pub(super) const fn of(resource: Resource, count: u32) -> Self {
        let index = resource.index();
        let shift = if index < IN_LOW { 0 } else { HIGH_SHIFT };
        Self((count as u64) << (index % IN_LOW * LANE_BITS + shift))
    }

    #[inline]
    pub(super) const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn hand(self) -> Hand {
        const HIGH: u64 = GAIN_BITS | GAIN_BITS << LANE_BITS;
        Hand { low: self.0 & (GAIN_BITS * ONES), high: self.0 >> HIGH_SHIFT & HIGH }
    }
}

impl AddAssign for Gain {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        self.0 += more.0;
    }
}

impl SubAssign for Gain {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        self.0 -= less.0;
    }
}

impl fmt::Debug for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hand().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_in_the_order_of_the_resources() {
        let hand = Hand::new([0, 2, 0, 1, 0]);
        let units: Vec<_> = (0..4).map(|number| hand.unit(number)).collect();
        assert_eq!(units, [Some(Resource::Energy), Some(Resource::Energy), Some(Resource::Heat), None]);
    }

    #[test]
    fn a_price_is_covered_by_every_count_or_not_at_all() {
        let price = Hand::new([1, 0, 2, 0, 0]);
        assert!(Hand::new([1, 0, 2, 0, 0]).covers(price));
        assert!(!Hand::new([0, 9, 9, 9, 9]).covers(price));
        assert!(!Hand::new([9, 9, 1, 9, 9]).covers(price));
        assert!(Hand::EMPTY.covers(Hand::EMPTY));
        for resource in Resource::ALL {
            let most = Hand::of(resource, Hand::MOST);
            assert!(most.covers(most) && !most.covers(Hand::new([Hand::MOST; 5])));
            assert!(!Hand::EMPTY.covers(Hand::of(resource, 1)));
        }
    }

    #[test]
    fn counts_are_kept_apart() {
        let counts = [1, 20, 300, 4_000, 50_000];
        let mut hand = Hand::new(counts);
        assert_eq!((hand.counts(), hand.total()), (counts, 54_321));
        assert_eq!(format!("{hand:?}"), "Hand([1, 20, 300, 4000, 50000])");
        hand += Hand::new([5, 4, 3, 2, 1]);
        assert_eq!(hand.counts(), [6, 24, 303, 4_002, 50_001]);
        hand -= Hand::new([6, 4, 3, 2, 1]);
        assert_eq!(hand.counts(), [0, 20, 300, 4_000, 50_000]);
        assert_eq!(hand.iter().map(|(_, count)| count).collect::<Vec<_>>(), [20, 300, 4_000, 50_000]);
        assert_eq!(Hand::new([Hand::MOST; 5]).total(), 5 * Hand::MOST);
    }

    #[test]
    fn no_count_leaves_its_range() {
        for resource in Resource::ALL {
            let mut hand = Hand::of(resource, Hand::MOST);
            hand += Hand::new([1; 5]);
            let mut expected = [1; 5];
            expected[resource.index()] = Hand::MOST;
            assert_eq!(hand.counts(), expected);
            hand += hand;
            expected = expected.map(|count| if count == 1 { 2 } else { count });
            assert_eq!(hand.counts(), expected);
            hand -= Hand::new([3; 5]);
            assert_eq!(hand, Hand::of(resource, Hand::MOST - 3));
            assert_eq!(Hand::of(resource, u32::MAX).count(resource), Hand::MOST);
        }
    }

    #[test]
    fn a_gain_is_a_hand() {
        const MOST: u32 = 19 * 6 * 3;
        for resource in Resource::ALL {
            let mut gain = Gain::NOTHING;
            for _ in 0..19 * 6 {
                gain += Gain::of(resource, 3);
                assert!(!gain.is_nothing());
            }
            assert_eq!(gain.hand(), Hand::of(resource, MOST));
        }
        let mut gain = Gain::NOTHING;
        for resource in Resource::ALL {
            gain += Gain::of(resource, MOST);
        }
        assert_eq!(gain.hand(), Hand::new([MOST; 5]));
        gain -= Gain::of(Resource::Glass, MOST);
        assert_eq!(gain.hand(), Hand::new([MOST, MOST, 0, MOST, MOST]));
    }
}
