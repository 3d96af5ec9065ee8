//! What the rules leave to chance, and who decides it.

use rand::Rng;

use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::random;

/// Decides what the rules leave to chance: [drawn](Drawn) from a generator, known beforehand ([`Foretold`], [`Known`]), or
/// [tried out](super::Game::outcomes) one by one.
pub trait Chance {
    /// The sum of the dice.
    fn roll(&mut self) -> Roll;

    /// Which `count` of the units `held` are lost: part of `held`, with that total.
    fn lost(&mut self, held: Hand, count: u32) -> Hand;

    /// Which of the units `held` is taken; `None` only when nothing is held.
    fn taken(&mut self, held: Hand) -> Option<Resource>;
}

/// Chance as the rules describe it, drawn from a generator.
///
/// ```
/// use constructor::game::{Chance, Drawn, Hand};
/// use constructor::random;
/// let mut generator = random::seeded(3);
/// let held = Hand::new([5, 0, 0, 6, 0]);
/// let lost = Drawn(&mut generator).lost(held, 5);
/// assert_eq!(lost.total(), 5);
/// assert!(held.covers(lost));
/// ```
pub struct Drawn<'r, R: Rng + ?Sized>(pub &'r mut R);

impl<R: Rng + ?Sized> Chance for Drawn<'_, R> {
    /// Two fair dice, one draw below 6 each.
    #[inline]
    fn roll(&mut self) -> Roll {
        #[expect(clippy::cast_possible_truncation, reason = "a number below 6")]
        let mut die = || random::below(self.0, 6) as u8;
        Roll::of_dice(die(), die())
    }

    /// One unit after the other, each drawn from those still held.
    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = held.counts();
        for total in (held.total() - count.min(held.total()) + 1..=held.total()).rev() {
            let mut number = random::below(self.0, total);
            for units in &mut left {
                if number < *units {
                    *units -= 1;
                    break;
                }
                number -= *units;
            }
        }
        let mut lost = held;
        lost -= Hand::new(left);
        lost
    }

    /// One draw below the number of units held, which are counted in the order of [`Resource::ALL`].
    #[inline]
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        if held.is_empty() {
            return None;
        }
        held.unit(random::below(self.0, held.total()))
    }
}

/// Dice of which it may be known what they will show, and everything else as `rest` decides it.
pub struct Foretold<C: Chance> {
    /// The sum that the dice will show, if it is known.
    pub roll: Option<Roll>,
    /// What decides the rest.
    pub rest: C,
}

impl<C: Chance> Chance for Foretold<C> {
    fn roll(&mut self) -> Roll {
        self.roll.unwrap_or_else(|| self.rest.roll())
    }

    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        self.rest.lost(held, count)
    }

    fn taken(&mut self, held: Hand) -> Option<Resource> {
        self.rest.taken(held)
    }
}

/// Everything is known beforehand, as when a game is played over again from a record.
///
/// ```
/// use constructor::board::{Resource, Roll};
/// use constructor::game::{Chance, Hand, Known};
/// let mut chance = Known { roll: Roll::new(7).unwrap(), lost: Hand::new([5, 0, 0, 0, 0]), taken: Resource::Heat };
/// assert_eq!(chance.lost(Hand::new([3, 0, 9, 0, 0]), 6), Hand::new([3, 0, 3, 0, 0]), "3 more from what is held");
/// assert_eq!(chance.taken(Hand::new([0, 1, 0, 2, 0])), Some(Resource::Heat));
/// assert_eq!(chance.taken(Hand::new([0, 1, 0, 0, 0])), Some(Resource::Energy), "there is no heat to take");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The sum of the dice.
    pub roll: Roll,
    /// What is lost, as far as it is held; the rest is taken from the first resources that are.
    pub lost: Hand,
    /// What is taken, if it is held; otherwise the first resource that is.
    pub taken: Resource,
}

impl Chance for Known {
    fn roll(&mut self) -> Roll {
        self.roll
    }

    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = count;
        let mut take = |wanted: u32| {
            let taken = wanted.min(left);
            left -= taken;
            taken
        };
        let known = Resource::ALL.map(|resource| take(held.count(resource).min(self.lost.count(resource))));
        let more = Resource::ALL.map(|resource| take(held.count(resource) - known[resource.index()]));
        Hand::new(std::array::from_fn(|index| known[index] + more[index]))
    }

    fn taken(&mut self, held: Hand) -> Option<Resource> {
        if held.count(self.taken) > 0 { Some(self.taken) } else { held.unit(0) }
    }
}
