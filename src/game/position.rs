//! A game as it can be written down: whole, but not yet checked.

use thiserror::Error;

use super::builder::Builder;
use super::hand::Hand;
use super::residence::Residence;
use crate::board::{Edge, Layout, Tile, Vertex};

/// What a saved game says. A [`Game`](super::Game) is made from it by [`Game::resume`](super::Game::resume).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Who will begin a turn, or place the next basement.
    pub next: Builder,
    /// What each builder has, in the order of the builders.
    pub holdings: [Holding; Builder::COUNT],
    /// What stands on the tiles.
    pub layout: Layout,
    /// The tile where the geese are, unless they are off the board.
    pub geese: Option<Tile>,
}

/// What one builder has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holding {
    /// The resources.
    pub hand: Hand,
    /// The roads, in the order in which they were built.
    pub roads: Vec<Edge>,
    /// The residences as they are now, in the order in which they were first built.
    pub residences: Vec<(Vertex, Residence)>,
}

impl Holding {
    /// Whether it could be what a builder has after placing `count` of the first basements.
    fn is_of_setup(&self, count: usize) -> bool {
        self.hand.is_empty()
            && self.roads.is_empty()
            && self.residences.len() == count
            && self.residences.iter().all(|&(_, kind)| kind == Residence::Basement)
    }
}

impl Position {
    /// How many of the first basements stand, when the game was interrupted while they were placed: fewer than eight,
    /// and just what the builders would have after so many steps of the setup order.
    #[must_use]
    pub fn setup_step(&self) -> Option<u8> {
        let step = self.holdings.iter().map(|holding| holding.residences.len()).sum::<usize>();
        let (placed, rest) = Builder::SETUP_ORDER.split_at_checked(step)?;
        let interrupted = rest.first() == Some(&self.next)
            && Builder::ALL.iter().zip(&self.holdings).all(|(builder, holding)| {
                holding.is_of_setup(placed.iter().filter(|&placer| placer == builder).count())
            });
        if interrupted { u8::try_from(step).ok() } else { None }
    }
}

/// Two things stand on one edge or vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Clash {
    /// The second road on an edge.
    #[error("edge {edge} has a road already")]
    Road {
        /// Whose second road it is.
        builder: Builder,
        /// Where.
        edge: Edge,
    },
    /// The second residence on a vertex.
    #[error("vertex {vertex} has a residence already")]
    Residence {
        /// Whose second residence it is.
        builder: Builder,
        /// Where.
        vertex: Vertex,
    },
}

impl Clash {
    /// Whose road or residence came second.
    #[must_use]
    pub const fn builder(&self) -> Builder {
        match *self {
            Self::Road { builder, .. } | Self::Residence { builder, .. } => builder,
        }
    }
}
