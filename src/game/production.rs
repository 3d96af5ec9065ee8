//! The production of rolls, and the hands of all builders.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use super::builder::Builder;
use super::hand::{GUARDS, Hand, LANE_BITS};
use crate::board::Resource;

/// The units that each builder gets from a roll: at most 342 units of each resource, if all corners of all tiles have towers. Its words are
/// laid out like the low word of a [`Hand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Production([u64; Builder::COUNT]);

impl Production {
    pub(super) const NONE: Self = Self([0; Builder::COUNT]);

    /// Adds units of one resource for a builder.
    #[inline]
    pub(super) const fn add(&mut self, builder: Builder, resource: Resource, count: u32) {
        self.0[builder.index()] += (count as u64) << (resource.index() * LANE_BITS);
    }

    #[inline]
    pub(super) const fn of(self, builder: Builder) -> Hand {
        Hand::from_words(self.0[builder.index()], 0)
    }

    /// Returns the builder's production as the low word of a hand.
    #[inline]
    pub(super) const fn word(&self, builder: Builder) -> u64 {
        self.0[builder.index()]
    }
}

impl AddAssign for Production {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        for (own, more) in self.0.iter_mut().zip(more.0) {
            *own += more;
        }
    }
}

impl SubAssign for Production {
    #[inline]
    fn sub_assign(&mut self, less: Self) {
        for (own, less) in self.0.iter_mut().zip(less.0) {
            *own -= less;
        }
    }
}

impl fmt::Debug for Production {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Builder::ALL.map(|builder| self.of(builder))).finish()
    }
}

/// The hands of all builders, laid out so that a roll's production is added to all of them at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Hands {
    low: [u64; Builder::COUNT],
    high: [u64; Builder::COUNT],
}

impl Hands {
    pub(super) const EMPTY: Self = Self { low: [0; Builder::COUNT], high: [0; Builder::COUNT] };

    #[inline]
    pub(super) const fn of(&self, builder: Builder) -> Hand {
        Hand::from_words(self.low[builder.index()], self.high[builder.index()])
    }

    #[inline]
    pub(super) const fn set(&mut self, builder: Builder, hand: Hand) {
        let [low, high] = hand.words();
        self.low[builder.index()] = low;
        self.high[builder.index()] = high;
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

/// Adds the production of a roll.
impl AddAssign<&Production> for Hands {
    #[inline(always)]
    fn add_assign(&mut self, production: &Production) {
        let sums: [u64; Builder::COUNT] = std::array::from_fn(|index| self.low[index] + production.0[index]);
        self.low = sums;
        if (sums[0] | sums[1] | sums[2] | sums[3]) & GUARDS != 0 {
            for builder in Builder::ALL {
                self.set(builder, self.of(builder).normalized());
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
    fn hands_debug() {
        let mut hands = Hands::EMPTY;
        hands.set(Builder::Red, Hand::new([1, 2, 3, 4, 5]));
        let nothing = "Hand([0, 0, 0, 0, 0])";
        assert_eq!(format!("{hands:?}"), format!("[{nothing}, Hand([1, 2, 3, 4, 5]), {nothing}, {nothing}]"));
    }

    #[test]
    fn production_is_added_to_hands() {
        const MAX: u32 = 19 * 6 * 3;
        let (mut production, mut hands) = (Production::NONE, Hands::EMPTY);
        for (builder, max) in Builder::ALL.into_iter().zip([0, 1, MAX - 1, MAX]) {
            for resource in Resource::ALL {
                production.add(builder, resource, max);
            }
            assert_eq!(production.of(builder), Hand::new([max; 5]));
        }
        hands.set(Builder::Red, Hand::new([Hand::MAX, Hand::MAX - 1, Hand::MAX - 2, 2046, 2047]));
        hands.set(Builder::Yellow, Hand::new([Hand::MAX - MAX, 2048 - MAX, 2047 - MAX, 0, 1]));
        hands += &production;
        assert_eq!(hands.of(Builder::Blue), Hand::EMPTY);
        assert_eq!(hands.of(Builder::Red).counts(), [Hand::MAX, Hand::MAX, Hand::MAX - 1, 2047, 2048]);
        assert_eq!(hands.of(Builder::Orange).counts(), [MAX - 1; 5]);
        assert_eq!(hands.of(Builder::Yellow).counts(), [Hand::MAX, 2048, 2047, MAX, MAX + 1]);
        assert_eq!(
            hands.of(Builder::Yellow),
            Hand::new([Hand::MAX, 2048, 2047, MAX, MAX + 1]),
            "the representation is unique"
        );

        let mut less = production;
        less -= production;
        assert_eq!(less, Production::NONE);
        less += production;
        assert_eq!(less, production);
    }
}
