//! Numbers of resources: what a builder holds, gains, loses or pays.

use std::ops::{AddAssign, Index, SubAssign};

use crate::board::Resource;

/// So many units of each of the five resources.
///
/// ```
/// use constructor::board::Resource;
/// use constructor::game::{Hand, cost};
/// let mut hand = Hand::new([0, 0, 0, 2, 1]);
/// assert!(hand.covers(&cost::ROAD));
/// hand -= cost::ROAD;
/// assert_eq!(hand, Hand::of(Resource::Heat, 1));
/// assert_eq!(hand.total(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hand([u32; Resource::COUNT]);

impl Hand {
    /// The greatest count of a resource. A saved game can hold no greater one, so none is reached in play either.
    pub const MOST: u32 = 999_999;

    /// No unit of anything.
    pub const EMPTY: Self = Self::new([0; Resource::COUNT]);

    /// So many units of each, in the order of [`Resource::ALL`].
    #[must_use]
    pub const fn new(counts: [u32; Resource::COUNT]) -> Self {
        Self(counts)
    }

    /// So many units of one resource.
    #[must_use]
    pub const fn of(resource: Resource, count: u32) -> Self {
        let mut counts = [0; Resource::COUNT];
        counts[resource.index()] = count;
        Self(counts)
    }

    /// So many units of each, in the order of [`Resource::ALL`].
    #[must_use]
    pub const fn counts(&self) -> [u32; Resource::COUNT] {
        self.0
    }

    /// How many units in all.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Whether there is no unit of anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Whether it holds at least as many of each as `price` has.
    #[must_use]
    pub fn covers(&self, price: &Self) -> bool {
        self.0.iter().zip(&price.0).all(|(held, asked)| held >= asked)
    }

    /// Each resource of which there is any, in the order of [`Resource::ALL`], with how many.
    pub fn iter(&self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::ALL.into_iter().zip(self.0).filter(|&(_, count)| count > 0)
    }

    /// The resource of one unit, the units being counted from 0 in the order of [`Resource::ALL`].
    #[must_use]
    pub fn unit(&self, number: u32) -> Option<Resource> {
        let mut before = 0;
        self.iter().find_map(|(resource, count)| {
            before += count;
            (number < before).then_some(resource)
        })
    }
}

impl Index<Resource> for Hand {
    type Output = u32;

    fn index(&self, resource: Resource) -> &u32 {
        &self.0[resource.index()]
    }
}

/// No count grows beyond [`Hand::MOST`].
impl AddAssign for Hand {
    fn add_assign(&mut self, more: Self) {
        for (count, more) in self.0.iter_mut().zip(more.0) {
            *count = count.saturating_add(more).min(Self::MOST);
        }
    }
}

/// A count does not go below 0; whoever pays is asked first whether they [cover](Hand::covers) the price.
impl SubAssign for Hand {
    fn sub_assign(&mut self, less: Self) {
        for (count, less) in self.0.iter_mut().zip(less.0) {
            *count = count.saturating_sub(less);
        }
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
        assert!(Hand::new([1, 0, 2, 0, 0]).covers(&price));
        assert!(!Hand::new([0, 9, 9, 9, 9]).covers(&price));
        assert!(!Hand::new([9, 9, 1, 9, 9]).covers(&price));
        assert!(Hand::EMPTY.covers(&Hand::EMPTY));
    }

    #[test]
    fn no_count_leaves_its_range() {
        let mut hand = Hand::of(Resource::Wifi, Hand::MOST);
        hand += Hand::new([1, 0, 0, 0, 1]);
        assert_eq!(hand, Hand::new([1, 0, 0, 0, Hand::MOST]));
        hand -= Hand::new([2, 1, 0, 0, 0]);
        assert_eq!(hand, Hand::of(Resource::Wifi, Hand::MOST));
    }
}
