//! The places at which a builder can act, and the price of acting there.

use crate::board::Vertex;
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

/// Returns the places at which the builder who decides can act, each with whether the builder can pay for that.
#[must_use]
pub fn places(game: &Game, pending: Pending, mode: BuildMode) -> Vec<(Place, bool)> {
    let actions: Vec<Action> = match (pending, mode) {
        (Pending::Turn(builder), BuildMode::Road) => game.road_sites(builder).iter().map(Action::BuildRoad).collect(),
        (Pending::Turn(builder), BuildMode::Basement) => {
            game.basement_sites(builder).iter().map(Action::BuildBasement).collect()
        }
        (Pending::Turn(builder), BuildMode::Improve) => {
            (game.residences(builder) - game.towers()).iter().map(Action::Improve).collect()
        }
        _ => game.legal_actions(Trades::Off).iter().collect(),
    };
    actions.into_iter().filter_map(|action| Some((Place::of(action)?, game.check(action).is_ok()))).collect()
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

/// Returns the places at which the builder who decides can act.
#[must_use]
pub fn choices(edition: &Edition, game: &Game, trades: Trades) -> Vec<PlaceChoice> {
    let strings = &edition.strings;
    let around = |vertex: Vertex| {
        let tiles = vertex.tiles().iter().map(|tile| edition.terrain_name(game.layout()[tile]));
        tiles.collect::<Vec<_>>().join(", ")
    };
    let choice = |action: Action| {
        let place = Place::of(action)?;
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
