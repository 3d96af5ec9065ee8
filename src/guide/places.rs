//! The places at which a builder can act, and the price of acting there.

use crate::board::{EdgeSet, Vertex, VertexSet};
use crate::game::{Action, Builder, Game, Hand, Residence, cost};
use crate::session::Pending;
use crate::text::Place;

/// The kind of action that the player is about to choose in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BuildMode {
    /// Anything that can be paid for.
    #[default]
    Any,
    /// Build a road.
    Road,
    /// Build a basement.
    Basement,
    /// Improve a residence.
    Improve,
}

impl BuildMode {
    /// Returns the cost of the action. Returns `None` if the cost depends on the place.
    #[must_use]
    pub const fn cost(self) -> Option<Hand> {
        match self {
            Self::Any | Self::Improve => None,
            Self::Road => Some(cost::ROAD),
            Self::Basement => Some(cost::residence(Residence::Basement)),
        }
    }
}

/// Returns the places at which the builder who decides can act, each with whether the builder can pay for that.
#[must_use]
pub fn places(game: &Game, pending: Pending, mode: BuildMode) -> Vec<(Place, bool)> {
    match pending {
        Pending::Settle(_) => vertices(game.free_sites(), |_| true),
        Pending::MoveGeese(_) => game.tiles_without_geese().iter().map(|tile| (Place::Tile(tile), true)).collect(),
        Pending::Turn(builder) => in_turn(game, builder, mode),
        _ => Vec::new(),
    }
}

fn vertices(set: VertexSet, affordability: impl Fn(Vertex) -> bool) -> Vec<(Place, bool)> {
    set.iter().map(|vertex| (Place::Vertex(vertex), affordability(vertex))).collect()
}

fn edges(set: EdgeSet, affordability: bool) -> Vec<(Place, bool)> {
    set.iter().map(|edge| (Place::Edge(edge), affordability)).collect()
}

fn in_turn(game: &Game, builder: Builder, mode: BuildMode) -> Vec<(Place, bool)> {
    let hand = game.hand(builder);
    let pays = |price| hand.covers(price);
    let roads = || edges(game.road_sites(builder), pays(cost::ROAD));
    let basements = || vertices(game.basement_sites(builder), |_| pays(cost::residence(Residence::Basement)));
    let improvements = || {
        let own = game.residences(builder) - game.towers();
        vertices(own, |vertex| improvement_cost(game, vertex).is_some_and(pays))
    };
    match mode {
        BuildMode::Road => roads(),
        BuildMode::Basement => basements(),
        BuildMode::Improve => improvements(),
        BuildMode::Any => {
            let all = [roads(), basements(), improvements()].concat();
            all.into_iter().filter(|&(_, affordability)| affordability).collect()
        }
    }
}

/// Returns the cost of improving the residence at a vertex.
fn improvement_cost(game: &Game, vertex: Vertex) -> Option<Hand> {
    game.residence(vertex)?.improved().map(cost::residence)
}

/// Returns the action at a place and its cost.
#[must_use]
pub fn action_at(game: &Game, pending: Pending, place: Place) -> Option<(Action, Hand)> {
    match (pending, place) {
        (Pending::Settle(_), Place::Vertex(vertex)) => Some((Action::Settle(vertex), Hand::EMPTY)),
        (Pending::MoveGeese(_), Place::Tile(tile)) => Some((Action::MoveGeese(tile), Hand::EMPTY)),
        (Pending::Turn(_), Place::Edge(edge)) => Some((Action::BuildRoad(edge), cost::ROAD)),
        (Pending::Turn(builder), Place::Vertex(vertex)) if game.residences(builder).contains(vertex) => {
            Some((Action::Improve(vertex), improvement_cost(game, vertex)?))
        }
        (Pending::Turn(_), Place::Vertex(vertex)) => {
            Some((Action::BuildBasement(vertex), cost::residence(Residence::Basement)))
        }
        _ => None,
    }
}

/// Returns the place at which an action acts.
#[must_use]
pub const fn place_of(action: Action) -> Option<Place> {
    match action {
        Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => Some(Place::Vertex(vertex)),
        Action::BuildRoad(edge) => Some(Place::Edge(edge)),
        Action::MoveGeese(tile) => Some(Place::Tile(tile)),
        _ => None,
    }
}
