//! What the rules leave to chance, and who decides it.

use rand::Rng;

use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::random;

/// Decides what the rules leave to chance: drawn from a generator, given beforehand, or tried out one by one.
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
/// assert!(held.covers(&lost));
/// ```
pub struct Drawn<'r, R: Rng + ?Sized>(pub &'r mut R);

impl<R: Rng + ?Sized> Chance for Drawn<'_, R> {
    /// Two fair dice, one draw below 6 each.
    fn roll(&mut self) -> Roll {
        #[expect(clippy::cast_possible_truncation, reason = "a number below 6")]
        let mut die = || random::below(self.0, 6) as u8;
        Roll::of_dice(die(), die())
    }

    /// One unit after the other, each drawn from those still held.
    fn lost(&mut self, mut held: Hand, count: u32) -> Hand {
        let mut lost = Hand::EMPTY;
        for _ in 0..count {
            let Some(resource) = self.taken(held) else { break };
            let unit = Hand::of(resource, 1);
            held -= unit;
            lost += unit;
        }
        lost
    }

    /// One draw below the number of units held, which are counted in the order of [`Resource::ALL`].
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        if held.is_empty() {
            return None;
        }
        held.unit(random::below(self.0, held.total()))
    }
}

/// Dice of which it may be known what they will show, and everything else as `rest` decides it.
pub struct Loaded<C: Chance> {
    /// The sum that the dice will show, if it is known.
    pub roll: Option<Roll>,
    /// What decides the rest.
    pub rest: C,
}

impl<C: Chance> Chance for Loaded<C> {
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
