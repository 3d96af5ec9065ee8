//! Actions, their indices, why an action can be illegal, and the events that actions cause.

use thiserror::Error;

use super::builder::Builder;
use super::hand::Hand;
use super::phase::Offer;
use super::residence::Residence;
use crate::board::{Edge, Resource, Roll, Tile, Vertex};

/// A decision of the builder whom the phase waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[repr(u8)] // Keeps the discriminant in a byte of its own: faster to test than a niche.
pub enum Action {
    /// Places one of the eight first basements.
    Settle(Vertex),
    /// Rolls the dice.
    Roll,
    /// Moves the geese.
    MoveGeese(Tile),
    /// Steals a random unit from this builder.
    Rob(Builder),
    /// Builds a road.
    BuildRoad(Edge),
    /// Builds a basement.
    BuildBasement(Vertex),
    /// Improves a basement to a house, or a house to a tower.
    Improve(Vertex),
    /// Offers a trade.
    Offer {
        /// The builder to whom the trade is offered.
        to: Builder,
        /// The resource offered.
        give: Resource,
        /// The resource requested.
        take: Resource,
    },
    /// Accepts the offered trade.
    Accept,
    /// Refuses the offered trade.
    Refuse,
    /// Ends the turn.
    EndTurn,
}

// The first index of each kind of action.
pub(super) const SETTLE: usize = 0;
pub(super) const ROLL: usize = SETTLE + Vertex::COUNT;
pub(super) const MOVE_GEESE: usize = ROLL + 1;
pub(super) const ROB: usize = MOVE_GEESE + Tile::COUNT;
pub(super) const BUILD_ROAD: usize = ROB + Builder::COUNT;
pub(super) const BUILD_BASEMENT: usize = BUILD_ROAD + Edge::COUNT;
pub(super) const IMPROVE: usize = BUILD_BASEMENT + Vertex::COUNT;
pub(super) const OFFER: usize = IMPROVE + Vertex::COUNT;
pub(super) const ACCEPT: usize = OFFER + Builder::COUNT * Resource::COUNT * Resource::COUNT;
pub(super) const REFUSE: usize = ACCEPT + 1;
pub(super) const END_TURN: usize = REFUSE + 1;

impl Action {
    /// The number of different actions, legal or not.
    pub const COUNT: usize = END_TURN + 1;

    /// Returns whether the action builds or improves a residence, which brings a point.
    #[must_use]
    pub const fn brings_point(self) -> bool {
        matches!(self, Self::BuildBasement(_) | Self::Improve(_))
    }

    /// Returns the action's index, 0 to [`COUNT`](Self::COUNT)` - 1`: the same in every position and every later version.
    ///
    /// | action | indices |
    /// | --- | --- |
    /// | `Settle`, by vertex | 0 to 53 |
    /// | `Roll` | 54 |
    /// | `MoveGeese`, by tile | 55 to 73 |
    /// | `Rob`, by builder | 74 to 77 |
    /// | `BuildRoad`, by edge | 78 to 149 |
    /// | `BuildBasement`, by vertex | 150 to 203 |
    /// | `Improve`, by vertex | 204 to 257 |
    /// | `Offer`, by `to`, then `give`, then `take` | 258 to 357 |
    /// | `Accept`, `Refuse`, `EndTurn` | 358 to 360 |
    ///
    /// ```
    /// use constructor::game::Action;
    /// assert_eq!(Action::COUNT, 361);
    /// assert_eq!(Action::Roll.index(), 54);
    /// assert_eq!(Action::from_index(54), Some(Action::Roll));
    /// assert_eq!(Action::from_index(361), None);
    /// ```
    #[must_use]
    pub fn index(self) -> u16 {
        let index = match self {
            Self::Settle(vertex) => SETTLE + vertex.index(),
            Self::Roll => ROLL,
            Self::MoveGeese(tile) => MOVE_GEESE + tile.index(),
            Self::Rob(builder) => ROB + builder.index(),
            Self::BuildRoad(edge) => BUILD_ROAD + edge.index(),
            Self::BuildBasement(vertex) => BUILD_BASEMENT + vertex.index(),
            Self::Improve(vertex) => IMPROVE + vertex.index(),
            Self::Offer { to, give, take } => {
                OFFER + (to.index() * Resource::COUNT + give.index()) * Resource::COUNT + take.index()
            }
            Self::Accept => ACCEPT,
            Self::Refuse => REFUSE,
            Self::EndTurn => END_TURN,
        };
        #[expect(clippy::cast_possible_truncation, reason = "below 361")]
        let index = index as u16;
        index
    }

    /// Returns the action with this [index](Self::index), if there is one.
    #[must_use]
    pub fn from_index(index: u16) -> Option<Self> {
        let index = usize::from(index);
        #[expect(clippy::cast_possible_wrap, reason = "below 361")]
        let offset = |first: usize| (index - first) as i64;
        match index {
            SETTLE..ROLL => Vertex::new(offset(SETTLE)).map(Self::Settle),
            ROLL => Some(Self::Roll),
            MOVE_GEESE..ROB => Tile::new(offset(MOVE_GEESE)).map(Self::MoveGeese),
            ROB..BUILD_ROAD => Builder::new(offset(ROB)).map(Self::Rob),
            BUILD_ROAD..BUILD_BASEMENT => Edge::new(offset(BUILD_ROAD)).map(Self::BuildRoad),
            BUILD_BASEMENT..IMPROVE => Vertex::new(offset(BUILD_BASEMENT)).map(Self::BuildBasement),
            IMPROVE..OFFER => Vertex::new(offset(IMPROVE)).map(Self::Improve),
            OFFER..ACCEPT => {
                let number = index - OFFER;
                let resource = |number: usize| Resource::ALL[number % Resource::COUNT];
                let to = Builder::ALL[number / (Resource::COUNT * Resource::COUNT)];
                Some(Self::Offer { to, give: resource(number / Resource::COUNT), take: resource(number) })
            }
            ACCEPT => Some(Self::Accept),
            REFUSE => Some(Self::Refuse),
            END_TURN => Some(Self::EndTurn),
            _ => None,
        }
    }

    /// Returns every action in the order of the indices, legal or not.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).map_while(Self::from_index)
    }
}

/// The reason why an action is illegal. An illegal action leaves the game unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum IllegalAction {
    /// The phase waits for another kind of action.
    #[error("this action is not possible in this phase of the game")]
    Phase,
    /// The vertex, edge or tile is not allowed.
    #[error("this action is not possible at this place")]
    Place,
    /// The builder cannot pay for the action.
    #[error("there are not enough resources for this action")]
    Resources,
    /// The other builder cannot be robbed or offered a trade.
    #[error("this action is not possible with this builder")]
    Builder,
}

/// Something that happened in a game. Together, the actions and their events are all that is needed to replay or display a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Event {
    /// A builder rolled this sum.
    Rolled(Builder, Roll),
    /// A builder's residences produced these units.
    Gained(Builder, Hand),
    /// The second basement of the setup produced these units (only with [`Rules::second_basement_produces`](super::Rules)).
    SetupGained(Builder, Hand),
    /// The roll produced nothing for anybody.
    NobodyGained,
    /// A builder held too many units on a 7 and lost these.
    Lost(Builder, Hand),
    /// A builder moved the geese.
    GeeseMoved(Builder, Tile),
    /// The builder who moved the geese has nobody to rob.
    NobodyToRob(Builder),
    /// A builder stole one unit.
    Robbed {
        /// The builder who stole it.
        by: Builder,
        /// The builder who lost it.
        from: Builder,
        /// The stolen resource.
        resource: Resource,
    },
    /// A road was built.
    RoadBuilt(Builder, Edge),
    /// A basement was built, or a residence was improved to this kind.
    ResidenceBuilt(Builder, Vertex, Residence),
    /// A trade was offered.
    Offered(Offer),
    /// The offered trade was made.
    Traded(Offer),
    /// The offered trade was refused.
    Refused(Offer),
    /// A builder's turn began.
    TurnBegan(Builder),
    /// A builder reached the points that win the game.
    Won(Builder),
}

/// The offers of the present turn that were answered.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AnsweredOffers {
    /// The offers that were refused, the first one first.
    pub refused: Vec<Action>,
    /// The number of offers that were accepted.
    pub accepted: u32,
    /// The builder who answered last.
    pub last: Option<Builder>,
}

impl AnsweredOffers {
    /// Returns the answered offers of the present turn, of the actions of the game so far.
    #[must_use]
    pub fn of(actions: impl DoubleEndedIterator<Item = Action>) -> Self {
        let is_in_turn = |action: &Action| !matches!(action, Action::Roll | Action::EndTurn);
        let turn: Vec<Action> = actions.rev().take_while(is_in_turn).collect();
        let mut answered = Self::default();
        for pair in turn.windows(2).rev() {
            if let [answer, offer @ Action::Offer { .. }] = *pair {
                answered.add(offer, answer);
            }
        }
        answered
    }

    /// Adds an offer with its answer.
    pub fn add(&mut self, offer: Action, answer: Action) {
        if let Action::Offer { to, .. } = offer {
            self.last = Some(to);
        }
        match answer {
            Action::Refuse => self.refused.push(offer),
            _ => self.accepted += 1,
        }
    }
}
