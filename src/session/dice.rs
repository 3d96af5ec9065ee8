//! The dice of a builder: one strategy for each kind of dice. A builder can change the kind from roll to roll.

use rand::Rng;

use crate::game::RandomChance;

/// The kind of dice that a builder uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum DiceKind {
    /// The builder chooses the roll.
    Loaded,
    /// Two independent uniform numbers from 1 to 6.
    Fair,
}

impl DiceKind {
    /// Returns the strategy of this kind.
    ///
    /// ```
    /// use constructor::rng;
    /// use constructor::session::{DiceKind, DiceResult};
    /// let mut rng = rng::from_seed(0);
    /// assert_eq!(DiceKind::Loaded.dice().roll(&mut rng), DiceResult::NeedsInput);
    /// let DiceResult::Rolled(faces) = DiceKind::Fair.dice().roll(&mut rng) else { unreachable!() };
    /// assert!(faces.into_iter().all(|face| (1..=6).contains(&face)));
    /// ```
    #[must_use]
    pub const fn dice(self) -> &'static dyn Dice {
        match self {
            Self::Loaded => &LoadedDice,
            Self::Fair => &FairDice,
        }
    }
}

/// The result of rolling dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiceResult {
    /// The faces of the two dice, each 1 to 6.
    Rolled([u8; 2]),
    /// The builder has to choose the sum.
    NeedsInput,
}

/// A way to roll dice.
pub trait Dice {
    /// Rolls the dice.
    ///
    /// `rng` is the game's generator.
    fn roll(&self, rng: &mut dyn Rng) -> DiceResult;
}

struct LoadedDice;

impl Dice for LoadedDice {
    fn roll(&self, _rng: &mut dyn Rng) -> DiceResult {
        DiceResult::NeedsInput
    }
}

struct FairDice;

impl Dice for FairDice {
    fn roll(&self, rng: &mut dyn Rng) -> DiceResult {
        DiceResult::Rolled(RandomChance(rng).dice())
    }
}
