//! The choices of the player for all games, which are remembered from run to run.

use serde::{Deserialize, Serialize};

use crate::game::Builder;
use crate::players::PlayerKind;

/// The longest time for which a computer's action can be shown, in milliseconds.
pub const MAX_PACE_MS: u64 = 60_000;

/// An order of the list of games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    /// Branches follow the game that they branch off.
    #[default]
    Tree,
    /// The game that was played last comes first.
    Date,
}

/// The choices of the player for all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The time for which a computer's action is shown before the next action, in milliseconds.
    pub pace_ms: u64,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Whether the chances to win are estimated.
    pub chances: bool,
    /// Whether what is the only legal action is played at once for people.
    pub automatic: bool,
    /// The players that were last chosen on the first page; `None` stands for a person.
    pub players: [Option<PlayerKind>; Builder::COUNT],
    /// The order of the list of games.
    pub order: ListOrder,
}

impl Preferences {
    /// Returns the choices to remember: those that were changed in this run, and for all others those of the last run.
    ///
    /// `began` are the choices with which the run began. So an option counts for one run.
    #[must_use]
    pub fn remembered(self, began: Self, last: Self) -> Self {
        fn newer<T: Copy + PartialEq>(now: T, began: T, last: T) -> T {
            if now == began { last } else { now }
        }
        Self {
            pace_ms: newer(self.pace_ms, began.pace_ms, last.pace_ms),
            mouse: newer(self.mouse, began.mouse, last.mouse),
            chances: newer(self.chances, began.chances, last.chances),
            automatic: newer(self.automatic, began.automatic, last.automatic),
            players: newer(self.players, began.players, last.players),
            order: newer(self.order, began.order, last.order),
        }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        let [greedy, normal] = [PlayerKind::Greedy, PlayerKind::Normal].map(Some);
        let players = [None, greedy, normal, normal];
        Self { pace_ms: 400, mouse: true, chances: true, automatic: false, players, order: ListOrder::Tree }
    }
}
