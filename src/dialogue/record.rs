//! The order in which things were built, which the rules do not need but lists and saved games keep.

use crate::board::{Edge, Vertex};
use crate::game::{Builder, Event, Game, Holding, Position};

/// What each builder has built, in the order in which it was first built.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    roads: [Vec<Edge>; Builder::COUNT],
    residences: [Vec<Vertex>; Builder::COUNT],
}

impl Record {
    /// The record that a written position amounts to.
    pub(super) fn of(position: &Position) -> Self {
        let mut record = Self::default();
        for (index, holding) in position.holdings.iter().enumerate() {
            record.roads[index].clone_from(&holding.roads);
            record.residences[index] = holding.residences.iter().map(|&(vertex, _)| vertex).collect();
        }
        record
    }

    /// Takes down what an event adds.
    pub(super) fn note(&mut self, event: Event) {
        match event {
            Event::RoadBuilt(builder, edge) => self.roads[builder.index()].push(edge),
            Event::ResidenceBuilt(builder, vertex, _) => {
                let residences = &mut self.residences[builder.index()];
                if !residences.contains(&vertex) {
                    residences.push(vertex);
                }
            }
            Event::Gained(..)
            | Event::NobodyGained
            | Event::Lost(..)
            | Event::NobodyToRob(_)
            | Event::Robbed { .. } => {}
        }
    }

    /// The builder's residences.
    pub(super) fn residences(&self, builder: Builder) -> &[Vertex] {
        &self.residences[builder.index()]
    }

    /// The game, written down in this order.
    pub(super) fn position(&self, game: &Game) -> Position {
        let holding = |builder: Builder| Holding {
            hand: game.hand(builder),
            roads: self.roads[builder.index()].clone(),
            residences: self
                .residences(builder)
                .iter()
                .filter_map(|&vertex| Some((vertex, game.residence(vertex)?)))
                .collect(),
        };
        Position {
            next: game.next_to_begin(),
            holdings: Builder::ALL.map(holding),
            layout: *game.layout(),
            geese: game.geese(),
        }
    }
}
