//! The places at which a builder can act, and the price of acting there.

use crate::board::{EdgeSet, Vertex, VertexSet};
use crate::game::{Action, Builder, Game, Hand, Residence, Trades, cost};
use crate::session::Pending;
use crate::text::{Edition, Place, PlaceChoice};

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
        vertices(own, |vertex| cost_of(game, Action::Improve(vertex)).is_some_and(pays))
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

/// Returns the action at a place and its cost.
#[must_use]
pub fn action_at(game: &Game, pending: Pending, place: Place) -> Option<(Action, Hand)> {
    let action = match (pending, place) {
        (Pending::Settle(_), Place::Vertex(vertex)) => Action::Settle(vertex),
        (Pending::MoveGeese(_), Place::Tile(tile)) => Action::MoveGeese(tile),
        (Pending::Turn(_), Place::Edge(edge)) => Action::BuildRoad(edge),
        (Pending::Turn(builder), Place::Vertex(vertex)) if game.residences(builder).contains(vertex) => {
            Action::Improve(vertex)
        }
        (Pending::Turn(_), Place::Vertex(vertex)) => Action::BuildBasement(vertex),
        _ => return None,
    };
    Some((action, cost_of(game, action)?))
}

/// Returns the cost of an action at a place; `None` for other actions, and for the improvement of what cannot be improved.
#[must_use]
pub fn cost_of(game: &Game, action: Action) -> Option<Hand> {
    match action {
        Action::Settle(_) | Action::MoveGeese(_) => Some(Hand::EMPTY),
        Action::BuildRoad(_) => Some(cost::ROAD),
        Action::BuildBasement(_) => Some(cost::residence(Residence::Basement)),
        Action::Improve(vertex) => game.residence(vertex)?.improved().map(cost::residence),
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

/// Returns the places at which the builder who decides can act.
#[must_use]
pub fn choices(edition: &Edition, game: &Game, trades: Trades) -> Vec<PlaceChoice> {
    let strings = &edition.strings;
    let around = |vertex: Vertex| {
        let tiles = vertex.tiles().iter().map(|tile| edition.terrain_name(game.layout()[tile]));
        tiles.collect::<Vec<_>>().join(", ")
    };
    let choice = |action: Action| {
        let place = place_of(action)?;
        let (kind, label) = match (action, place) {
            (Action::Improve(vertex), _) => {
                let residence = game.residence(vertex).map_or("", |kind| strings.residences[kind.index()]);
                ("improve", format!("improve the {residence} at {} {vertex}: {}", strings.vertex, around(vertex)))
            }
            (_, Place::Vertex(vertex)) => {
                let kind = strings.residences[0];
                (kind, format!("{kind} at {} {vertex}: {}", strings.vertex, around(vertex)))
            }
            (_, Place::Edge(edge)) => {
                let [from, to] = edge.ends();
                let label =
                    format!("{} on {} {edge}, from {} {from} to {to}", strings.road, strings.edge, strings.vertex);
                (strings.road, label)
            }
            (_, Place::Tile(tile)) => {
                let terrain = edition.terrain_name(game.layout()[tile]);
                let there = Builder::ALL.into_iter().filter(|&builder| game.units_on(builder, tile) > 0);
                let there: String = there.map(|builder| format!(", {}", edition.colour(builder))).collect();
                (strings.geese, format!("{} to tile {tile}: {terrain}{there}", strings.geese))
            }
        };
        Some(PlaceChoice { place, kind, line: edition.action_text(action), label })
    };
    game.legal_actions(trades).iter().filter_map(choice).collect()
}
