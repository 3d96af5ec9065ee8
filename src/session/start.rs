//! How a session begins.

use super::{DiceKind, Session};
use crate::board::{Layout, RandomLayout};
use crate::game::{PlacementConflict, Rules, SavedGame};

/// How a session begins. A start and a seed together determine the session: the same commands then lead to the same game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionStart {
    /// From a saved game.
    Saved(Box<SavedGame>),
    /// With this layout.
    Board(Box<Layout>),
    /// With a random layout.
    RandomBoard,
}

impl SessionStart {
    /// Begins a session.
    ///
    /// All draws come from one generator with this seed.
    ///
    /// # Errors
    /// When two roads of a saved game are on one edge, or two residences on one vertex.
    pub fn session(&self, rules: Rules, first_dice: DiceKind, seed: u64) -> Result<Session, PlacementConflict> {
        Ok(match self {
            Self::Saved(saved) => Session::resume(rules, first_dice, saved, seed)?,
            Self::Board(layout) => Session::new(rules, first_dice, Box::new(**layout), seed),
            Self::RandomBoard => Session::new(rules, first_dice, Box::new(RandomLayout), seed),
        })
    }
}
