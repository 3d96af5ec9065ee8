//! Chance: the dice, discards and thefts that the rules leave open.

use rand::Rng;

use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::rng;

/// Decides what the rules leave to chance. Implementations draw from a generator ([`RandomChance`],
/// [`FastChance`](super::FastChance)), or return given outcomes ([`FixedRoll`], [`ScriptedChance`]). To enumerate all outcomes,
/// see [`Game::outcomes`](super::Game::outcomes).
pub trait Chance {
    /// Rolls the dice, and returns their sum.
    fn roll(&mut self) -> Roll;

    /// Draws the units that a builder loses on a 7: `count` units out of `held`.
    fn discard(&mut self, held: Hand, count: u32) -> Hand;

    /// Draws the unit that is stolen out of `held`. Returns `None` only if `held` is empty.
    fn steal(&mut self, held: Hand) -> Option<Resource>;
}

/// Draws as the rules describe them. The sequence of draws is specified and never changes, so a seed always replays the same
/// game.
///
/// ```
/// use constructor::game::{Chance, Hand, RandomChance};
/// use constructor::rng;
/// let mut rng = rng::from_seed(3);
/// let held = Hand::new([5, 0, 0, 6, 0]);
/// let lost = RandomChance(&mut rng).discard(held, 5);
/// assert_eq!(lost.total(), 5);
/// assert!(held.covers(lost));
/// ```
#[derive(Debug)]
pub struct RandomChance<'r, R: Rng + ?Sized>(pub &'r mut R);

impl<R: Rng + ?Sized> RandomChance<'_, R> {
    /// Rolls two fair dice by two draws below 6, and returns their faces, each 1 to 6.
    #[inline]
    pub fn dice(&mut self) -> [u8; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "below 6")]
        let mut die = || rng::below(self.0, 6) as u8 + 1;
        [die(), die()]
    }
}

impl<R: Rng + ?Sized> Chance for RandomChance<'_, R> {
    /// Returns the sum of [`RandomChance::dice`].
    #[inline]
    fn roll(&mut self) -> Roll {
        Roll::of_faces(self.dice())
    }

    /// Draws one unit after the other, each uniformly from the units that are left.
    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = held;
        left.remove_units(count, |total| rng::below(self.0, total));
        let mut lost = held;
        lost -= left;
        lost
    }

    /// Draws the number of the stolen unit uniformly; units are numbered in the order of [`Resource::ALL`].
    #[inline]
    fn steal(&mut self, held: Hand) -> Option<Resource> {
        if held.is_empty() {
            return None;
        }
        held.unit(rng::below(self.0, held.total()))
    }
}

/// Uses the given roll, if any. All other outcomes are decided by `rest`.
#[derive(Clone, Copy, Debug)]
pub struct FixedRoll<C: Chance> {
    /// The sum of the dice, if it is given.
    pub roll: Option<Roll>,
    /// Decides everything else.
    pub rest: C,
}

impl<C: Chance> Chance for FixedRoll<C> {
    #[inline]
    fn roll(&mut self) -> Roll {
        self.roll.unwrap_or_else(|| self.rest.roll())
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        self.rest.discard(held, count)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        self.rest.steal(held)
    }
}

/// Chance with given outcomes, such as those of a game that is replayed.
///
/// ```
/// use constructor::board::{Resource, Roll};
/// use constructor::game::{Chance, Hand, ScriptedChance};
/// let roll = Roll::new(7).unwrap();
/// let mut chance = ScriptedChance { roll, discard: Hand::new([5, 0, 0, 0, 0]), steal: Resource::Heat };
/// assert_eq!(chance.discard(Hand::new([3, 0, 9, 0, 0]), 6), Hand::new([3, 0, 3, 0, 0]), "3 more of the first held");
/// assert_eq!(chance.steal(Hand::new([0, 1, 0, 2, 0])), Some(Resource::Heat));
/// assert_eq!(chance.steal(Hand::new([0, 1, 0, 0, 0])), Some(Resource::Energy), "no heat is held");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScriptedChance {
    /// The sum of the dice.
    pub roll: Roll,
    /// The units to discard, as far as they are held. The rest is taken from the first resources that are held.
    pub discard: Hand,
    /// The resource to steal, if it is held; otherwise the first resource that is held is stolen.
    pub steal: Resource,
}

impl Chance for ScriptedChance {
    fn roll(&mut self) -> Roll {
        self.roll
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = count;
        let mut take = |wanted: u32| {
            let taken = wanted.min(left);
            left -= taken;
            taken
        };
        let scripted = Resource::ALL.map(|resource| take(held.count(resource).min(self.discard.count(resource))));
        let more = Resource::ALL.map(|resource| take(held.count(resource) - scripted[resource.index()]));
        Hand::new(std::array::from_fn(|index| scripted[index] + more[index]))
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        if held.count(self.steal) > 0 { Some(self.steal) } else { held.unit(0) }
    }
}
