//! The order in which roads and residences were built. The rules do not need it, but lists and saved games use it.

use crate::board::{Edge, Vertex};
use crate::game::{Builder, Event, Game, SavedGame};

/// Each builder's roads and residences in the order in which they were first built.
#[derive(Clone, Debug, Default)]
pub struct BuildOrder {
    roads: [Vec<Edge>; Builder::COUNT],
    residences: [Vec<Vertex>; Builder::COUNT],
}

impl BuildOrder {
    /// Returns the build order of a saved game.
    #[must_use]
    pub fn from_saved(saved: &SavedGame) -> Self {
        let mut order = Self::default();
        for (index, own) in saved.builders.iter().enumerate() {
            order.roads[index].clone_from(&own.roads);
            order.residences[index] = own.residences.iter().map(|&(vertex, _)| vertex).collect();
        }
        order
    }

    /// Adds the road or residence that an event reports as built, if any.
    pub fn update(&mut self, event: Event) {
        match event {
            Event::RoadBuilt(builder, edge) => self.roads[builder.index()].push(edge),
            Event::ResidenceBuilt(builder, vertex, _) => {
                let residences = &mut self.residences[builder.index()];
                if !residences.contains(&vertex) {
                    residences.push(vertex);
                }
            }
            _ => {}
        }
    }

    /// Returns the builder's residences in the order in which they were first built.
    #[must_use]
    pub fn residences(&self, builder: Builder) -> &[Vertex] {
        &self.residences[builder.index()]
    }

    /// Returns the content of a saved game, in this order.
    #[must_use]
    pub fn saved_game(&self, game: &Game) -> SavedGame {
        game.saved_game(|builder| (self.roads[builder.index()].clone(), self.residences(builder).to_vec()))
    }
}
