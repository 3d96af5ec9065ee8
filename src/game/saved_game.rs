//! The content of a saved game, before it is checked.

use thiserror::Error;

use super::Game;
use super::builder::Builder;
use super::hand::Hand;
use super::phase::Phase;
use super::placement::produced_at;
use super::residence::Residence;
use super::rules::{Rules, WINNING_POINTS};
use crate::board::{Edge, Layout, Tile, Vertex};

/// The content of a saved game: complete, but not necessarily consistent. [`Game::from_saved`] checks it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedGame {
    /// The builder who begins the next turn, or places the next basement.
    pub next_turn: Builder,
    /// The possessions of each builder, in turn order.
    pub builders: [SavedBuilder; Builder::COUNT],
    /// The layout of the board.
    pub layout: Layout,
    /// The tile with the geese; `None` if they are off the board.
    pub geese: Option<Tile>,
}

/// The possessions of one builder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedBuilder {
    /// The resources.
    pub hand: Hand,
    /// The roads in the order in which they were built.
    pub roads: Vec<Edge>,
    /// The residences as they are now, in the order in which they were first built.
    pub residences: Vec<(Vertex, Residence)>,
}

impl SavedBuilder {
    /// Returns whether these are exactly the possessions of a builder that has placed `count` of its first basements.
    fn is_in_setup(&self, count: usize, rules: Rules, layout: &Layout) -> bool {
        let produced = match self.residences.get(1) {
            Some(&(second, _)) if rules.second_basement_produces => produced_at(second, layout),
            _ => Hand::EMPTY,
        };
        self.hand == produced
            && self.roads.is_empty()
            && self.residences.len() == count
            && self.residences.iter().all(|&(_, kind)| kind == Residence::Basement)
    }
}

impl SavedGame {
    /// Returns the number of basements that are already placed (0 to 7), if the builders have exactly what they would have after that many
    /// steps of the setup.
    ///
    /// `None` otherwise.
    #[must_use]
    pub fn setup_step(&self, rules: Rules) -> Option<u8> {
        let step = self.builders.iter().map(|saved| saved.residences.len()).sum::<usize>();
        let counts = basements_after(step)?;
        let is_setup = Builder::SETUP_ORDER[step] == self.next_turn
            && counts
                .into_iter()
                .zip(&self.builders)
                .all(|(count, saved)| saved.is_in_setup(count, rules, &self.layout));
        if is_setup { u8::try_from(step).ok() } else { None }
    }
}

/// Two roads on one edge, or two residences on one vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlacementConflict {
    /// A second road on an edge.
    #[error("edge {edge} has a road already")]
    Road {
        /// The owner of the second road.
        builder: Builder,
        /// The edge.
        edge: Edge,
    },
    /// A second residence on a vertex.
    #[error("vertex {vertex} has a residence already")]
    Residence {
        /// The owner of the second residence.
        builder: Builder,
        /// The vertex.
        vertex: Vertex,
    },
}

impl PlacementConflict {
    /// Returns the owner of the second road or residence.
    #[must_use]
    pub const fn builder(&self) -> Builder {
        match *self {
            Self::Road { builder, .. } | Self::Residence { builder, .. } => builder,
        }
    }
}

/// Returns the number of first basements that each builder has placed after `steps` steps; `None` once the setup is over.
pub(super) fn basements_after(steps: usize) -> Option<[usize; Builder::COUNT]> {
    let (placed, rest) = Builder::SETUP_ORDER.split_at_checked(steps)?;
    let count = |builder| placed.iter().filter(|&&placer| placer == builder).count();
    (!rest.is_empty()).then(|| Builder::ALL.map(count))
}

impl Game {
    /// Returns the content of a saved game.
    ///
    /// `places` returns a builder's roads and the vertices of its residences, in the order in which they are saved.
    pub(crate) fn saved_game(&self, places: impl Fn(Builder) -> (Vec<Edge>, Vec<Vertex>)) -> SavedGame {
        let own = |builder| {
            let (roads, vertices) = places(builder);
            let residences =
                vertices.into_iter().filter_map(|vertex| Some((vertex, self.residence(vertex)?))).collect();
            SavedBuilder { hand: self.hand(builder), roads, residences }
        };
        SavedGame {
            next_turn: self.next_turn(),
            builders: Builder::ALL.map(own),
            layout: *self.layout(),
            geese: self.geese(),
        }
    }

    /// Continues a saved game: in its setup, at the start of a turn, or after its end.
    ///
    /// Positions that cannot be reached by play are allowed.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn from_saved(rules: Rules, saved: &SavedGame) -> Result<Self, PlacementConflict> {
        let mut game = Self::new(rules, saved.layout);
        game.place_geese(saved.geese);
        for (builder, own) in Builder::ALL.into_iter().zip(&saved.builders) {
            game.hands.set(builder, own.hand);
            for &edge in &own.roads {
                if !game.free_edges.contains(edge) {
                    return Err(PlacementConflict::Road { builder, edge });
                }
                game.place_road(builder, edge);
            }
            for &(vertex, kind) in &own.residences {
                if game.all_residences().contains(vertex) {
                    return Err(PlacementConflict::Residence { builder, vertex });
                }
                for kind in Residence::ALL.into_iter().take_while(|&lesser| lesser <= kind) {
                    game.place_residence(builder, vertex, kind);
                }
            }
        }
        game.phase = if Builder::ALL.iter().any(|&builder| game.points(builder) >= WINNING_POINTS) {
            Phase::Over(saved.next_turn)
        } else {
            saved.setup_step(rules).map_or(Phase::TurnStart(saved.next_turn), Phase::Setup)
        };
        Ok(game)
    }
}
