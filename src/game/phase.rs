//! The phases of a game.

use super::builder::Builder;
use crate::board::Resource;

/// The phase of a game: what it waits for, with the data that only this phase has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[repr(u8)] // Keeps the discriminant in a byte of its own: faster to test than a niche.
pub enum Phase {
    /// The builders place their first basements; this many (0 to 7) are already placed.
    Setup(u8),
    /// The start of this builder's turn, before the roll.
    TurnStart(Builder),
    /// This builder rolled a 7 and moves the geese.
    MoveGeese(Builder),
    /// This builder moved the geese next to other builders' residences and robs one of them.
    Rob(Builder),
    /// This builder has rolled, and builds and trades.
    DuringTurn(Builder),
    /// A builder has been offered a trade and answers.
    Offered(Offer),
    /// The game is won. This is the builder that a saved game names as the one to begin the next turn.
    Over(Builder),
}

/// A trade of one unit for one unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Offer {
    /// The builder who offers, and whose turn it is.
    pub from: Builder,
    /// The builder to whom the trade is offered.
    pub to: Builder,
    /// The resource that `from` gives.
    pub give: Resource,
    /// The resource that `from` takes.
    pub take: Resource,
}
