//! All that can be done at one moment, as a set.

use super::action::{Action, Phase};
use super::builder::Builder;
use super::hand::Hand;
use super::residence::Residence;
use super::rules::cost;
use super::{Game, allow};
use crate::board::{EdgeSet, Resource, Tile, TileSet, VertexSet};

/// Whether offers to trade are among the actions that are listed. They are always allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trades {
    /// They are listed.
    On,
    /// They are left out.
    Off,
}

/// The actions that the rules allow at one moment: a set that costs little to make, to count and to pick from.
///
/// ```
/// use constructor::board::{Ground, Layout, Tile};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::game::{Action, Game, Trades};
/// let game = Game::new(CONSTRUCTOR.rules, Layout::new([Ground::Park; Tile::COUNT]));
/// let actions = game.actions(Trades::On);
/// assert_eq!(actions.len(), 54, "the first basement can stand anywhere");
/// assert!(actions.iter().all(|action| matches!(action, Action::Settle(_)) && game.check(action).is_ok()));
/// assert_eq!(actions.nth(54), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actions(Kinds);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kinds {
    Nothing,
    Settle(VertexSet),
    Roll,
    MoveGeese(TileSet),
    Rob(BuilderSet),
    Turn(Turn),
    Answer { can_accept: bool },
}

/// What can be done in a turn, besides ending it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turn {
    roads: EdgeSet,
    basements: VertexSet,
    improvements: VertexSet,
    offers: Offers,
}

/// Every resource that is held can be offered to every other builder for every resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Offers {
    from: Builder,
    held: Hand,
}

/// A bit for each builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BuilderSet(u8);

impl BuilderSet {
    const fn len(self) -> u32 {
        self.0.count_ones()
    }

    fn iter(self) -> impl Iterator<Item = Builder> {
        Builder::ALL.into_iter().filter(move |builder| self.0 >> builder.index() & 1 == 1)
    }
}

impl Offers {
    const NONE: Self = Self { from: Builder::Blue, held: Hand::EMPTY };

    /// For one resource of which there is any: how many offers there are.
    const FOR_EACH: u32 = ((Builder::COUNT - 1) * Resource::COUNT) as u32;

    #[inline]
    fn len(self) -> u32 {
        if self.held.is_empty() { 0 } else { Self::FOR_EACH * self.given().count() as u32 }
    }

    fn given(self) -> impl Iterator<Item = Resource> {
        self.held.iter().map(|(resource, _)| resource)
    }

    fn nth(self, number: u32) -> Option<Action> {
        let give = self.given().nth((number / Self::FOR_EACH) as usize)?;
        let rest = (number % Self::FOR_EACH) as usize;
        let to = Builder::ALL[(self.from.index() + 1 + rest / Resource::COUNT) % Builder::COUNT];
        Some(Action::Offer { to, give, take: Resource::ALL[rest % Resource::COUNT] })
    }
}

impl Turn {
    /// The number of actions, that of ending the turn included.
    #[inline]
    fn len(self) -> u32 {
        let mut len = 1 + self.offers.len();
        if !self.roads.is_empty() {
            len += self.roads.len();
        }
        if !(self.basements | self.improvements).is_empty() {
            len += self.basements.len() + self.improvements.len();
        }
        len
    }

    #[inline]
    fn nth(self, number: u32) -> Option<Action> {
        let Some(number) = number.checked_sub(1) else { return Some(Action::EndTurn) };
        let Some(number) = number.checked_sub(self.roads.len()) else {
            return self.roads.nth(number).map(Action::BuildRoad);
        };
        let Some(number) = number.checked_sub(self.basements.len()) else {
            return self.basements.nth(number).map(Action::BuildBasement);
        };
        let Some(number) = number.checked_sub(self.improvements.len()) else {
            return self.improvements.nth(number).map(Action::Improve);
        };
        self.offers.nth(number)
    }
}

impl Actions {
    /// How many there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u32 {
        match self.0 {
            Kinds::Nothing => 0,
            Kinds::Roll => 1,
            Kinds::Settle(vertices) => vertices.len(),
            Kinds::MoveGeese(tiles) => tiles.len(),
            Kinds::Rob(victims) => victims.len(),
            Kinds::Turn(turn) => turn.len(),
            Kinds::Answer { can_accept } => 1 + u32::from(can_accept),
        }
    }

    /// Whether nothing can be done, because the game is over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The action that comes after `number` others. The order is always the same: ending the turn, roads, basements,
    /// improvements, offers; each kind by its places.
    #[must_use]
    #[inline]
    pub fn nth(&self, number: u32) -> Option<Action> {
        match self.0 {
            Kinds::Nothing => None,
            Kinds::Roll => (number == 0).then_some(Action::Roll),
            Kinds::Settle(vertices) => vertices.nth(number).map(Action::Settle),
            Kinds::MoveGeese(tiles) => tiles.nth(number).map(Action::MoveGeese),
            Kinds::Rob(victims) => victims.iter().nth(number as usize).map(Action::Rob),
            Kinds::Turn(turn) => turn.nth(number),
            Kinds::Answer { can_accept } => match number {
                0 => Some(Action::Refuse),
                1 if can_accept => Some(Action::Accept),
                _ => None,
            },
        }
    }

    /// All of them, in that order.
    pub fn iter(&self) -> impl Iterator<Item = Action> + use<> {
        let actions = *self;
        (0..self.len()).filter_map(move |number| actions.nth(number))
    }

    /// Where a road can be built, and paid for.
    #[must_use]
    pub const fn roads(&self) -> EdgeSet {
        match self.0 {
            Kinds::Turn(turn) => turn.roads,
            _ => EdgeSet::EMPTY,
        }
    }

    /// Where a basement can be built, and paid for.
    #[must_use]
    pub const fn basements(&self) -> VertexSet {
        match self.0 {
            Kinds::Turn(turn) => turn.basements,
            _ => VertexSet::EMPTY,
        }
    }

    /// Which residences can be improved, and that be paid for.
    #[must_use]
    pub const fn improvements(&self) -> VertexSet {
        match self.0 {
            Kinds::Turn(turn) => turn.improvements,
            _ => VertexSet::EMPTY,
        }
    }
}

impl Game {
    /// The actions that the rules allow now. With [`Trades::Off`] no offers are among them.
    #[must_use]
    #[inline]
    pub fn actions(&self, trades: Trades) -> Actions {
        Actions(match self.phase {
            Phase::Setup(_) => Kinds::Settle(self.sites),
            Phase::TurnStart(_) => Kinds::Roll,
            Phase::MoveGeese(_) => Kinds::MoveGeese(self.tiles_without_geese()),
            Phase::Rob(robber) => {
                Kinds::Rob(BuilderSet(self.victims(robber).fold(0, |set, victim| set | 1 << victim.index())))
            }
            Phase::DuringTurn(builder) => Kinds::Turn(self.turn(builder, trades)),
            Phase::Offered(offer) => Kinds::Answer { can_accept: self.hand(offer.to).count(offer.take) > 0 },
            Phase::Over(_) => Kinds::Nothing,
        })
    }

    #[inline]
    fn turn(&self, builder: Builder, trades: Trades) -> Turn {
        let hand = self.hand(builder);
        let affordable = |kind, places| if hand.covers(cost::residence(kind)) { places } else { VertexSet::EMPTY };
        let own = self.residences(builder);
        Turn {
            roads: if hand.covers(cost::ROAD) { self.road_sites(builder) } else { EdgeSet::EMPTY },
            basements: affordable(Residence::Basement, self.basement_sites(builder)),
            improvements: affordable(Residence::House, own - self.houses - self.towers)
                | affordable(Residence::Tower, own & self.houses),
            offers: if trades == Trades::On { Offers { from: builder, held: hand } } else { Offers::NONE },
        }
    }

    #[inline]
    fn tiles_without_geese(&self) -> TileSet {
        self.geese.map_or(TileSet::FULL, |tile: Tile| TileSet::FULL - TileSet::EMPTY.with(tile))
    }

    /// Whether the rules allow the action now.
    ///
    /// # Errors
    /// Why they do not. A place is looked at before the resources are.
    pub fn check(&self, action: Action) -> Result<(), super::Illegal> {
        use super::Illegal;
        match (self.phase, action) {
            (Phase::Setup(_), Action::Settle(vertex)) => allow(self.sites.contains(vertex), Illegal::Place),
            (Phase::MoveGeese(_), Action::MoveGeese(tile)) => allow(self.geese != Some(tile), Illegal::Place),
            (Phase::Rob(robber), Action::Rob(victim)) => {
                allow(self.victims(robber).any(|other| other == victim), Illegal::Builder)
            }
            (Phase::DuringTurn(builder), Action::BuildRoad(edge)) => {
                allow(self.road_sites(builder).contains(edge), Illegal::Place)?;
                self.can_pay(builder, cost::ROAD)
            }
            (Phase::DuringTurn(builder), Action::BuildBasement(vertex)) => {
                allow(self.basement_sites(builder).contains(vertex), Illegal::Place)?;
                self.can_pay(builder, cost::residence(Residence::Basement))
            }
            (Phase::DuringTurn(builder), Action::Improve(vertex)) => {
                let improved = self.improvement(builder, vertex).ok_or(Illegal::Place)?;
                self.can_pay(builder, cost::residence(improved))
            }
            (Phase::DuringTurn(builder), Action::Offer { to, give, .. }) => {
                allow(to != builder, Illegal::Builder)?;
                self.can_pay(builder, Hand::of(give, 1))
            }
            (Phase::Offered(offer), Action::Accept) => self.can_pay(offer.to, Hand::of(offer.take, 1)),
            (Phase::TurnStart(_), Action::Roll)
            | (Phase::DuringTurn(_), Action::EndTurn)
            | (Phase::Offered(_), Action::Refuse) => Ok(()),
            _ => Err(Illegal::Phase),
        }
    }

    fn can_pay(&self, builder: Builder, price: Hand) -> Result<(), super::Illegal> {
        allow(self.hand(builder).covers(price), super::Illegal::Resources)
    }
}
