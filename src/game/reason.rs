//! Why the rules do not allow an action.

use super::Game;
use super::action::{Action, IllegalAction};
use super::builder::Builder;
use super::hand::Hand;
use super::phase::Phase;
use super::residence::Residence;
use super::rules::cost;
use crate::board::{Edge, Tile, Vertex};

/// Why the rules do not allow an action: the fact on which it fails, made by [`Game::why_not`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The game waits for another kind of action.
    Phase(Phase),
    /// The builder has a road on the edge.
    RoadThere(Builder),
    /// No road or residence of the builder touches the edge.
    NotConnected(Builder),
    /// The builder's roads end at the vertex, since another builder's residence is there.
    BlockedBy(Builder, Vertex),
    /// The builder has a residence on the vertex.
    ResidenceThere(Builder),
    /// The builder has a residence on the neighbouring vertex.
    TooNear(Builder, Vertex),
    /// No road of the builder leads to the vertex.
    NoRoadThere(Builder),
    /// There is no residence on the vertex.
    NothingToImprove,
    /// The residence on the vertex belongs to the builder, who does not decide.
    OwnedBy(Builder),
    /// The residence on the vertex is a tower.
    IsTower,
    /// The geese are on the tile.
    GeeseThere,
    /// The action names the builder who decides.
    Oneself,
    /// The builder has no residence at the geese.
    NotAtGeese(Builder),
    /// The builder holds no unit.
    HoldsNothing(Builder),
    /// The builder lacks these units to pay.
    Missing(Builder, Hand),
}

impl Reason {
    /// Returns the kind of rule, as [`Game::check`] reports it.
    #[must_use]
    pub const fn rule(self) -> IllegalAction {
        match self {
            Self::Phase(_) => IllegalAction::Phase,
            Self::Oneself | Self::NotAtGeese(_) | Self::HoldsNothing(_) => IllegalAction::Builder,
            Self::Missing(..) => IllegalAction::Resources,
            _ => IllegalAction::Place,
        }
    }
}

impl Game {
    /// Returns why an action is illegal; `None` if it is legal.
    ///
    /// It agrees with [`Game::check`], which is cheaper.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout, Vertex};
    /// use constructor::game::{Action, Builder, Game, Reason, Rules};
    /// use constructor::rng;
    /// let vertex = |number| Vertex::new(number).unwrap();
    /// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
    /// let game = game.after(Action::Settle(vertex(0))).unwrap();
    /// assert_eq!(game.why_not(Action::Settle(vertex(1))), Some(Reason::TooNear(Builder::Blue, vertex(0))));
    /// ```
    #[must_use]
    #[cold]
    pub fn why_not(&self, action: Action) -> Option<Reason> {
        match (self.phase, action) {
            (Phase::Setup(_), Action::Settle(vertex)) => self.why_not_free(vertex),
            (Phase::MoveGeese(_), Action::MoveGeese(tile)) => (self.geese == Some(tile)).then_some(Reason::GeeseThere),
            (Phase::Rob(robber), Action::Rob(victim)) => self.why_not_rob(robber, victim),
            (Phase::DuringTurn(builder), Action::BuildRoad(edge)) => {
                self.why_no_road(builder, edge).or_else(|| self.missing(builder, cost::ROAD))
            }
            (Phase::DuringTurn(builder), Action::BuildBasement(vertex)) => {
                let has_road = self.road_ends[builder.index()].contains(vertex);
                let no_road = || (!has_road).then_some(Reason::NoRoadThere(builder));
                let missing = || self.missing(builder, cost::residence(Residence::Basement));
                self.why_not_free(vertex).or_else(no_road).or_else(missing)
            }
            (Phase::DuringTurn(builder), Action::Improve(vertex)) => match (self.owner(vertex), self.residence(vertex))
            {
                (Some(owner), _) if owner != builder => Some(Reason::OwnedBy(owner)),
                (_, Some(kind)) => match kind.improved() {
                    Some(improved) => self.missing(builder, cost::residence(improved)),
                    None => Some(Reason::IsTower),
                },
                _ => Some(Reason::NothingToImprove),
            },
            (Phase::DuringTurn(builder), Action::Offer { to, give, .. }) => {
                if to == builder {
                    Some(Reason::Oneself)
                } else {
                    self.missing(builder, Hand::unit_of(give))
                }
            }
            (Phase::Offered(offer), Action::Accept) => self.missing(offer.to, Hand::unit_of(offer.take)),
            (Phase::TurnStart(_), Action::Roll)
            | (Phase::DuringTurn(_), Action::EndTurn)
            | (Phase::Offered(_), Action::Refuse) => None,
            (phase, _) => Some(Reason::Phase(phase)),
        }
    }

    /// Returns the builder with a residence on a vertex.
    #[must_use]
    pub fn owner(&self, vertex: Vertex) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| self.residences(builder).contains(vertex))
    }

    /// Returns the builder with a road on an edge.
    #[must_use]
    pub fn road_owner(&self, edge: Edge) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| self.roads(builder).contains(edge))
    }

    fn why_not_free(&self, vertex: Vertex) -> Option<Reason> {
        let there = self.owner(vertex).map(Reason::ResidenceThere);
        let near = || vertex.neighbours().iter().find_map(|near| Some(Reason::TooNear(self.owner(near)?, near)));
        there.or_else(near)
    }

    fn why_no_road(&self, builder: Builder, edge: Edge) -> Option<Reason> {
        if let Some(owner) = self.road_owner(edge) {
            return Some(Reason::RoadThere(owner));
        }
        if self.road_sites(builder).contains(edge) {
            return None;
        }
        let mut ends = edge.ends().into_iter().filter(|&end| self.road_ends[builder.index()].contains(end));
        let blocked = ends.find_map(|end| Some(Reason::BlockedBy(self.owner(end)?, end)));
        blocked.or(Some(Reason::NotConnected(builder)))
    }

    fn why_not_rob(&self, robber: Builder, victim: Builder) -> Option<Reason> {
        let is_at_geese = self.geese.is_some_and(|tile: Tile| !(self.residences(victim) & tile.corners()).is_empty());
        if victim == robber {
            Some(Reason::Oneself)
        } else if !is_at_geese {
            Some(Reason::NotAtGeese(victim))
        } else {
            self.hand(victim).is_empty().then_some(Reason::HoldsNothing(victim))
        }
    }

    /// Returns the reason that the builder cannot pay a price; `None` if it can.
    fn missing(&self, builder: Builder, price: Hand) -> Option<Reason> {
        let missing = self.hand(builder).missing(price);
        (!missing.is_empty()).then_some(Reason::Missing(builder, missing))
    }
}
