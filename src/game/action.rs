//! What can be done, what then happens, and why something cannot be done.

use thiserror::Error;

use super::builder::Builder;
use super::hand::Hand;
use super::residence::Residence;
use crate::board::{Edge, Resource, Tile, Vertex};

/// The part of the game in which it is, with all that matters there and nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)] // So that the kind is a byte of its own, and quickly told.
pub enum Phase {
    /// The first basements are placed; so many (0 to 7) stand already.
    Setup(u8),
    /// The beginning of this builder's turn, before the dice are rolled.
    TurnStart(Builder),
    /// This builder rolled a 7 and moves the geese.
    MoveGeese(Builder),
    /// This builder has moved the geese to a tile where others live, and robs one of them.
    Rob(Builder),
    /// This builder builds and trades.
    DuringTurn(Builder),
    /// A builder has been asked to trade.
    Offered(Offer),
    /// Somebody has won. Should the game be saved, this builder begins the next turn.
    Over(Builder),
}

/// One unit for one unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offer {
    /// Who offers; it is their turn.
    pub from: Builder,
    /// Who is asked.
    pub to: Builder,
    /// What `from` would give.
    pub give: Resource,
    /// What `from` would take.
    pub take: Resource,
}

/// Something that the builder whom the phase waits for can do, if the rules allow it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)] // As above.
pub enum Action {
    /// Places one of the first eight basements.
    Settle(Vertex),
    /// Rolls the dice.
    Roll,
    /// Moves the geese.
    MoveGeese(Tile),
    /// Takes a resource from this builder.
    Rob(Builder),
    /// Builds a road.
    BuildRoad(Edge),
    /// Builds a basement.
    BuildBasement(Vertex),
    /// Makes a house of a basement or a tower of a house.
    Improve(Vertex),
    /// Offers a trade to this builder.
    Offer {
        /// Who is asked.
        to: Builder,
        /// What is offered.
        give: Resource,
        /// What is wanted for it.
        take: Resource,
    },
    /// Agrees to the trade.
    Accept,
    /// Declines the trade.
    Refuse,
    /// Ends the turn.
    EndTurn,
}

/// Why the rules do not allow an action. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum Illegal {
    /// The phase waits for something else.
    #[error("this cannot be done in this phase of the game")]
    Phase,
    /// The vertex, edge or tile will not do.
    #[error("this cannot be done at this place")]
    Place,
    /// The builder holds too little to pay for it.
    #[error("there are not enough resources for this")]
    Resources,
    /// The other builder cannot be robbed, or is the same one.
    #[error("this cannot be done with this builder")]
    Builder,
}

/// Something that an action brought about and does not say by itself, in the order in which it happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A builder's residences yielded this.
    Gained(Builder, Hand),
    /// The roll yielded nothing to anybody.
    NobodyGained,
    /// A builder held too much, and the geese took this.
    Lost(Builder, Hand),
    /// The builder moved the geese to a tile where there is nobody to rob.
    NobodyToRob(Builder),
    /// One unit changed hands against its owner's will.
    Robbed {
        /// Who took it.
        by: Builder,
        /// Who had it.
        from: Builder,
        /// What it was.
        resource: Resource,
    },
    /// A road was built.
    RoadBuilt(Builder, Edge),
    /// A basement was built, or a residence became one of this kind.
    ResidenceBuilt(Builder, Vertex, Residence),
}
