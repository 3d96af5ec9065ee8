//! The dice of a builder: one strategy for each kind, changed from one roll to the next.

use rand::Rng;

use crate::board::Roll;
use crate::game::{Chance, Drawn};

/// Which dice a builder has in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiceKind {
    /// They show what the builder says.
    Loaded,
    /// They show two independent numbers from 1 to 6, all equally likely.
    Fair,
}

impl DiceKind {
    /// The strategy of this kind.
    ///
    /// ```
    /// use constructor::dice::{DiceKind, Thrown};
    /// use constructor::random;
    /// let mut draws = random::seeded(0);
    /// assert_eq!(DiceKind::Loaded.dice().throw(&mut draws), Thrown::Asks);
    /// let Thrown::Shows(roll) = DiceKind::Fair.dice().throw(&mut draws) else { unreachable!() };
    /// assert!((2..=12).contains(&roll.value()));
    /// ```
    #[must_use]
    pub const fn dice(self) -> &'static dyn Dice {
        match self {
            Self::Loaded => &Loaded,
            Self::Fair => &Fair,
        }
    }
}

/// What comes of throwing dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thrown {
    /// They show this sum.
    Shows(Roll),
    /// The builder has to say what they show.
    Asks,
}

/// A way to throw dice.
pub trait Dice {
    /// Throws them; `random` is the generator that everything in the game is drawn from.
    fn throw(&self, random: &mut dyn Rng) -> Thrown;
}

struct Loaded;

impl Dice for Loaded {
    fn throw(&self, _random: &mut dyn Rng) -> Thrown {
        Thrown::Asks
    }
}

struct Fair;

impl Dice for Fair {
    fn throw(&self, random: &mut dyn Rng) -> Thrown {
        Thrown::Shows(Drawn(random).roll())
    }
}
