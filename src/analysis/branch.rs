//! Branches of finished games, which are analysed from where they begin.

use super::words::turn_in_words;

/// The beginning of a branch that is in the analysis of the finished game from which it was taken over.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TakenOver {
    /// The number of actions; 0 if the game is analysed as a whole.
    pub actions: usize,
    /// How the finished game ended, such as "Red won in turn 60"; empty if there is none.
    pub origin_end: String,
}

impl TakenOver {
    /// Makes the beginning of a branch with this many actions of a finished game.
    #[must_use]
    pub fn from_finished(actions: usize, winner: Option<&str>, last_turn: u32) -> Self {
        let origin_end = format!("{} won in {}", winner.unwrap_or("nobody"), turn_in_words(last_turn));
        Self { actions, origin_end }
    }

    /// Returns the same beginning with at most this many actions.
    #[must_use]
    pub fn at_most(self, actions: usize) -> Self {
        Self { actions: self.actions.min(actions), ..self }
    }
}
