//! The interface of computer players.

use std::time::Instant;

use crate::game::{Action, Game};

/// A computer player.
pub trait Player: std::fmt::Debug + Send {
    /// Chooses an action for the player to act, before the deadline; `None` if there is no legal action.
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action>;
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// The chosen action.
    pub action: Action,
    /// The number of positions searched.
    pub nodes: u64,
    /// The depth in plies.
    pub depth: u8,
    /// The estimated difference of fish from now on, in 64ths of a [fish](super::eval::FISH), from the searching player's view.
    pub value: i32,
    /// The value in fish; `None` if it is not proven.
    pub exact: Option<i32>,
}
