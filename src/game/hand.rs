//! Numbers of resources: what a builder holds, gains, loses or pays.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use super::builder::Builder;
use crate::board::Resource;

/// So many units of each of the five resources.
///
/// The counts lie side by side in a word, each with a bit above it that no count reaches: all five are added, compared or
/// subtracted at once. What a count has beyond that, in lots of 992, lies in a second word: play hardly ever gets there,
/// but a saved game may hold up to [`Hand::MOST`] of each.
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
    /// Of each resource up to [`MOST_UNITS`]; where there are lots too, more than a lot has.
    units: u64,
    /// Of each resource the lots of [`LOT`] units.
    lots: u64,
}

/// The width of a count in bits, and with the bit above it.
const COUNT_BITS: usize = 11;
const LANE_BITS: usize = COUNT_BITS + 1;

/// A 1 in each lane.
const ONES: u64 = 1 | 1 << LANE_BITS | 1 << (2 * LANE_BITS) | 1 << (3 * LANE_BITS) | 1 << (4 * LANE_BITS);

/// The bit above each count.
const GUARDS: u64 = ONES << COUNT_BITS;

/// The greatest count that needs no lots.
const MOST_UNITS: u32 = (1 << COUNT_BITS) - 1;

/// How many units a lot has: so many that the greatest count of all fills its lane. Then a count is too great for its lane
/// whenever it is too great at all.
const LOT: u32 = 992;
const _: () = assert!((Hand::MOST - MOST_UNITS).is_multiple_of(LOT) && LOT < MOST_UNITS / 2);

impl Hand {
    /// The greatest count of a resource. A saved game can hold no greater one, so none is reached in play either.
    pub const MOST: u32 = 999_999;

    /// No unit of anything.
    pub const EMPTY: Self = Self { units: 0, lots: 0 };

    /// So many units of each, in the order of [`Resource::ALL`]; of none more than [`Hand::MOST`].
    #[must_use]
    pub const fn new(counts: [u32; Resource::COUNT]) -> Self {
        let mut hand = Self::EMPTY;
        let mut index = 0;
        while index < Resource::COUNT {
            let count = if counts[index] < Self::MOST { counts[index] } else { Self::MOST };
            let lots = count.saturating_sub(MOST_UNITS).div_ceil(LOT);
            hand.units |= ((count - lots * LOT) as u64) << (index * LANE_BITS);
            hand.lots |= (lots as u64) << (index * LANE_BITS);
            index += 1;
        }
        hand
    }

    /// So many units of one resource.
    #[must_use]
    pub const fn of(resource: Resource, count: u32) -> Self {
        let mut counts = [0; Resource::COUNT];
        counts[resource.index()] = count;
        Self::new(counts)
    }

    /// One unit of a resource.
    #[must_use]
    #[inline]
    pub const fn unit_of(resource: Resource) -> Self {
        Self { units: 1 << (resource.index() * LANE_BITS), lots: 0 }
    }

    /// So many units of one resource, at most [`Hand::MOST`].
    #[must_use]
    #[inline]
    pub const fn count(self, resource: Resource) -> u32 {
        lane(self.units, resource.index()) + LOT * lane(self.lots, resource.index())
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
        // While every count is below 256, the sum of all lanes up to the last fits into that.
        const LARGE: u64 = GUARDS | GUARDS >> 1 | GUARDS >> 2 | GUARDS >> 3;
        if (self.units & LARGE) | self.lots == 0 {
            lane(self.units.wrapping_mul(ONES), Resource::COUNT - 1)
        } else {
            sum(self.units) + LOT * sum(self.lots)
        }
    }

    /// Whether there is no unit of anything.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        // Where there are lots there are units too.
        self.units == 0
    }

    /// Whether it holds at least as many of each as `price` has.
    #[must_use]
    #[inline]
    pub const fn covers(self, price: Self) -> bool {
        if self.lots | price.lots == 0 { self.covers_few(price) } else { self.covers_with_lots(price) }
    }

    /// The same, for a price of at most [`LOT`] units of each: a count with lots covers it by its other units.
    #[inline]
    pub(super) const fn covers_few(self, price: Self) -> bool {
        // A count that is too small borrows the bit above it.
        ((self.units | GUARDS) - price.units) & GUARDS == GUARDS
    }

    #[cold]
    const fn covers_with_lots(self, price: Self) -> bool {
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

    /// Each resource of which there is any, in the order of [`Resource::ALL`], with how many.
    pub fn iter(self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::ALL.into_iter().map(move |resource| (resource, self.count(resource))).filter(|&(_, count)| count > 0)
    }

    /// The resource of one unit, the units being counted from 0 in the order of [`Resource::ALL`].
    #[must_use]
    #[inline]
    pub fn unit(self, number: u32) -> Option<Resource> {
        let total = self.total();
        if number >= total {
            return None;
        }
        if total > MOST_UNITS {
            return self.unit_of_many(number);
        }
        // In each lane the units up to the end of its resource, less those up to the one that is looked for: the bit above
        // is left first where that resource is.
        let ends = self.units.wrapping_mul(ONES) & LANES;
        let left = ((ends | GUARDS) - ONES * (u64::from(number) + 1)) & GUARDS;
        Resource::ALL.get(left.trailing_zeros() as usize / LANE_BITS).copied()
    }

    #[cold]
    fn unit_of_many(self, number: u32) -> Option<Resource> {
        let mut before = 0;
        Resource::ALL.into_iter().find(|&resource| {
            before += self.count(resource);
            number < before
        })
    }

    /// Those units of which a bit is set, a bit for each unit in the same order. Of a hand of fewer than 64 units.
    #[inline]
    pub(super) fn of_bits(self, bits: u64) -> Self {
        // How many bits are set up to the end of each resource, and from that how many are set for each.
        let ends = self.units.wrapping_mul(ONES);
        let set: [u64; 4] = std::array::from_fn(|index| {
            let below = !(u64::MAX << (ends >> (index * LANE_BITS) & 63));
            u64::from((bits & below).count_ones()) << (index * LANE_BITS)
        });
        let up_to_here = set[0] | set[1] | set[2] | set[3] | u64::from(bits.count_ones()) << (4 * LANE_BITS);
        Self { units: up_to_here - (up_to_here << LANE_BITS & LANES), lots: 0 }
    }

    /// The words themselves, for a key.
    pub(super) const fn words(self) -> [u64; 2] {
        [self.units, self.lots]
    }

    /// The hand when what lies in the bits above the units belongs to them.
    #[cold]
    fn carried(self) -> Self {
        const WIDE: u64 = (1 << LANE_BITS) - 1;
        Self::new(Resource::ALL.map(|resource| {
            let shift = resource.index() * LANE_BITS;
            let units = u32::try_from(self.units >> shift & WIDE).unwrap_or(Self::MOST);
            units + LOT * lane(self.lots, resource.index())
        }))
    }

    #[cold]
    fn floored(self, less: Self) -> Self {
        Self::new(Resource::ALL.map(|resource| self.count(resource).saturating_sub(less.count(resource))))
    }
}

/// All lanes with the bits above them.
const LANES: u64 = (1 << (Resource::COUNT * LANE_BITS)) - 1;

#[inline]
const fn lane(word: u64, index: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "a count of 11 bits")]
    let units = (word >> (index * LANE_BITS)) as u32;
    units & MOST_UNITS
}

/// The sum of the counts in a word.
#[inline]
const fn sum(word: u64) -> u32 {
    // Every second count, so that there is room for sums.
    const PAIR: usize = 2 * LANE_BITS;
    const EVEN: u64 = (1 << COUNT_BITS) - 1;
    const EVENS: u64 = EVEN | EVEN << PAIR | EVEN << (2 * PAIR);
    let pairs = (word & EVENS) + (word >> LANE_BITS & EVENS);
    let total = (pairs.wrapping_mul(1 | 1 << PAIR | 1 << (2 * PAIR)) >> (2 * PAIR)) as u32;
    total & ((1 << (u64::BITS as usize - 2 * PAIR)) - 1)
}

/// No count grows beyond [`Hand::MOST`].
impl AddAssign for Hand {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        self.units += more.units;
        self.lots += more.lots;
        if (self.units & GUARDS) | more.lots != 0 {
            *self = self.carried();
        }
    }
}

/// A count does not go below 0; whoever pays is asked first whether they [cover](Hand::covers) the price.
impl SubAssign for Hand {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        if self.lots == 0 && self.covers(less) {
            self.units -= less.units;
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

/// What a roll yields to each builder: at most 342 units of each resource, when all 19 tiles have towers all around. It lies
/// like the units of a [`Hand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Gains([u64; Builder::COUNT]);

impl Gains {
    pub(super) const NOTHING: Self = Self([0; Builder::COUNT]);

    /// So many units of one resource for a builder, more than they had.
    #[inline]
    pub(super) const fn add(&mut self, builder: Builder, resource: Resource, count: u32) {
        self.0[builder.index()] += (count as u64) << (resource.index() * LANE_BITS);
    }

    #[inline]
    pub(super) const fn of(self, builder: Builder) -> Hand {
        Hand { units: self.0[builder.index()], lots: 0 }
    }

    /// So many times what they are, all together at most 36 times what a board can yield in a roll: a tile yields in at most
    /// 5 of them, so no lane is too small for it.
    #[inline]
    pub(super) fn add_times(&mut self, times: u32, more: Self) {
        for (gain, more) in self.0.iter_mut().zip(more.0) {
            *gain += u64::from(times) * more;
        }
    }
}

impl AddAssign for Gains {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        for (gain, more) in self.0.iter_mut().zip(more.0) {
            *gain += more;
        }
    }
}

impl SubAssign for Gains {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        for (gain, less) in self.0.iter_mut().zip(less.0) {
            *gain -= less;
        }
    }
}

impl fmt::Debug for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Builder::ALL.map(|builder| self.of(builder))).finish()
    }
}

/// What all builders hold, so placed that what a roll yields is added to all at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Hands {
    units: [u64; Builder::COUNT],
    lots: [u64; Builder::COUNT],
}

impl Hands {
    pub(super) const EMPTY: Self = Self { units: [0; Builder::COUNT], lots: [0; Builder::COUNT] };

    #[inline]
    pub(super) const fn of(&self, builder: Builder) -> Hand {
        Hand { units: self.units[builder.index()], lots: self.lots[builder.index()] }
    }

    #[inline]
    pub(super) const fn set(&mut self, builder: Builder, hand: Hand) {
        self.units[builder.index()] = hand.units;
        self.lots[builder.index()] = hand.lots;
    }

    #[inline]
    pub(super) fn add(&mut self, builder: Builder, more: Hand) {
        let mut hand = self.of(builder);
        hand += more;
        self.set(builder, hand);
    }

    #[inline]
    pub(super) fn take(&mut self, builder: Builder, less: Hand) {
        let mut hand = self.of(builder);
        hand -= less;
        self.set(builder, hand);
    }
}

/// Adds what a roll yields.
impl AddAssign<Gains> for Hands {
    #[inline]
    fn add_assign(&mut self, gains: Gains) {
        let mut above = 0;
        for (units, gain) in self.units.iter_mut().zip(gains.0) {
            *units += gain;
            above |= *units & GUARDS;
        }
        if above != 0 {
            for builder in Builder::ALL {
                self.set(builder, self.of(builder).carried());
            }
        }
    }
}

impl fmt::Debug for Hands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Builder::ALL.map(|builder| self.of(builder))).finish()
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
    fn units_of_many_are_counted_in_the_same_order() {
        let hand = Hand::new([2_000, 0, 3_000, 1, 5]);
        let units = [0, 1_999, 2_000, 4_999, 5_000, 5_001, 5_005, 5_006].map(|number| hand.unit(number));
        let [brick, glass, heat, wifi] = [Resource::Brick, Resource::Glass, Resource::Heat, Resource::Wifi].map(Some);
        assert_eq!(units, [brick, brick, glass, glass, heat, wifi, wifi, None]);
    }

    #[test]
    fn totals_have_room() {
        for count in [0, 1, 255, 256, 511, 512, 819, 820, 1_023, 1_024, 2_047, 2_048, 4_095, 200_000, Hand::MOST] {
            assert_eq!(Hand::new([count; 5]).total(), 5 * count);
            for resource in Resource::ALL {
                assert_eq!(Hand::of(resource, count).total(), count);
            }
        }
    }

    #[test]
    fn hands_are_shown() {
        let mut hands = Hands::EMPTY;
        hands.set(Builder::Red, Hand::new([1, 2, 3, 4, 5]));
        let nothing = "Hand([0, 0, 0, 0, 0])";
        assert_eq!(format!("{hands:?}"), format!("[{nothing}, Hand([1, 2, 3, 4, 5]), {nothing}, {nothing}]"));
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
    fn bits_are_units() {
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
            assert_eq!(held.of_bits(bits).counts(), expected, "{bits:b}");
        }
    }

    #[test]
    fn what_is_gained_is_held() {
        const MOST: u32 = 19 * 6 * 3;
        let (mut gains, mut hands) = (Gains::NOTHING, Hands::EMPTY);
        for (builder, most) in Builder::ALL.into_iter().zip([0, 1, MOST - 1, MOST]) {
            for resource in Resource::ALL {
                gains.add(builder, resource, most);
            }
            assert_eq!(gains.of(builder), Hand::new([most; 5]));
        }
        hands.set(Builder::Red, Hand::new([Hand::MOST, Hand::MOST - 1, Hand::MOST - 2, 2046, 2047]));
        hands.set(Builder::Yellow, Hand::new([Hand::MOST - MOST, 2048 - MOST, 2047 - MOST, 0, 1]));
        hands += gains;
        assert_eq!(hands.of(Builder::Blue), Hand::EMPTY);
        assert_eq!(hands.of(Builder::Red).counts(), [Hand::MOST, Hand::MOST, Hand::MOST - 1, 2047, 2048]);
        assert_eq!(hands.of(Builder::Orange).counts(), [MOST - 1; 5]);
        assert_eq!(hands.of(Builder::Yellow).counts(), [Hand::MOST, 2048, 2047, MOST, MOST + 1]);
        assert_eq!(hands.of(Builder::Yellow), Hand::new([Hand::MOST, 2048, 2047, MOST, MOST + 1]), "written one way");

        let mut less = gains;
        less -= gains;
        assert_eq!(less, Gains::NOTHING);
        less += gains;
        assert_eq!(less, gains);
    }

    /// Counts around all that is particular about how they are written.
    #[test]
    fn every_count_is_written_in_one_way() {
        let around = |count: u32| [count - 2, count - 1, count, count + 1, count + 2];
        let counts =
            [2, LOT, 2 * LOT, MOST_UNITS, MOST_UNITS + LOT, MOST_UNITS + 2 * LOT, Hand::MOST - LOT, Hand::MOST - 2];
        for count in counts.into_iter().flat_map(around) {
            for resource in Resource::ALL {
                let hand = Hand::of(resource, count);
                assert_eq!((hand.count(resource), hand.total()), (count, count));
                let (mut more, mut less) = (Hand::of(resource, count.saturating_sub(1)), Hand::of(resource, count + 1));
                more += Hand::of(resource, count.min(1));
                assert_eq!(more, hand, "{count} from below");
                if count < Hand::MOST {
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
