//! All that can be done at one moment, as a set.

use super::action::{Action, Illegal, Offer, Phase};
use super::builder::{Builder, BuilderSet};
use super::hand::Hand;
use super::residence::Residence;
use super::rules::cost;
use super::{Game, allow};
use crate::board::{EdgeSet, Resource, TileSet, VertexSet};

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
// The fields lie side by side, each for itself, so that they can stay in registers: as an enum they would go through
// memory at every step, which takes three times as long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actions {
    kind: Kind,
    /// What can be paved in a turn.
    roads: EdgeSet,
    /// Where a basement can stand, in the setup or in a turn.
    basements: VertexSet,
    /// What can be improved in a turn.
    improvements: VertexSet,
    /// What can be offered in a turn.
    offers: Offers,
    /// Where the geese can go.
    tiles: TileSet,
    /// Who can be robbed, or the one who can accept an offer.
    builders: BuilderSet,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Settle,
    Roll,
    MoveGeese,
    Rob,
    Turn,
    Answer,
    Nothing,
}

/// Every resource that is held can be offered to every other builder for every resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Offers {
    from: Builder,
    /// A bit for each resource that is held.
    held: u8,
}

impl Offers {
    const NONE: Self = Self { from: Builder::Blue, held: 0 };

    /// For one resource of which there is any: how many offers there are.
    const FOR_EACH: u32 = 3 * 5;

    fn of(from: Builder, hand: Hand) -> Self {
        Self { from, held: hand.iter().fold(0, |held, (resource, _)| held | 1 << resource.index()) }
    }

    const fn len(self) -> u32 {
        Self::FOR_EACH * self.held.count_ones()
    }

    fn nth(self, number: u32) -> Option<Action> {
        let mut held = Resource::ALL.into_iter().filter(|resource| self.held >> resource.index() & 1 == 1);
        let give = held.nth((number / Self::FOR_EACH) as usize)?;
        let rest = (number % Self::FOR_EACH) as usize;
        let to = Builder::ALL[(self.from.index() + 1 + rest / Resource::COUNT) % Builder::COUNT];
        Some(Action::Offer { to, give, take: Resource::ALL[rest % Resource::COUNT] })
    }
}

impl Actions {
    const NONE: Self = Self {
        kind: Kind::Nothing,
        roads: EdgeSet::EMPTY,
        basements: VertexSet::EMPTY,
        improvements: VertexSet::EMPTY,
        offers: Offers::NONE,
        tiles: TileSet::EMPTY,
        builders: BuilderSet::EMPTY,
    };

    /// How many there are.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> u32 {
        match self.kind {
            Kind::Nothing => 0,
            Kind::Roll => 1,
            Kind::Settle => self.basements.len(),
            Kind::MoveGeese => self.tiles.len(),
            Kind::Rob => self.builders.len(),
            Kind::Answer => 1 + self.builders.len(),
            Kind::Turn => 1 + self.roads.len() + self.basements.len() + self.improvements.len() + self.offers.len(),
        }
    }

    /// The only one, if there is just one: mostly the end of a turn.
    #[must_use]
    #[inline]
    pub fn only(&self) -> Option<Action> {
        match self.kind {
            Kind::Turn => self.is_only_ending().then_some(Action::EndTurn),
            Kind::Nothing | Kind::Roll | Kind::Settle | Kind::MoveGeese | Kind::Rob | Kind::Answer => {
                if self.len() == 1 { self.nth(0) } else { None }
            }
        }
    }

    /// Whether nothing can be done, because the game is over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::Nothing
    }

    /// The action that comes after `number` others. The order is always the same: ending the turn, roads, basements,
    /// improvements, offers; refusing, accepting; and each kind by its places. Offers are sorted by what is given, then by
    /// who is asked, from the next builder on, then by what is taken.
    #[must_use]
    #[inline]
    pub fn nth(&self, number: u32) -> Option<Action> {
        match self.kind {
            Kind::Nothing => None,
            Kind::Roll => (number == 0).then_some(Action::Roll),
            Kind::Settle => self.basements.nth(number).map(Action::Settle),
            Kind::MoveGeese => self.tiles.nth_of_most(number).map(Action::MoveGeese),
            Kind::Rob => self.builders.nth(number).map(Action::Rob),
            Kind::Answer => match number {
                0 => Some(Action::Refuse),
                _ => (number == self.builders.len()).then_some(Action::Accept),
            },
            Kind::Turn => self.nth_of_turn(number),
        }
    }

    /// Whether nothing can be done in a turn but to end it, as is mostly so.
    #[inline]
    pub(super) fn is_only_ending(&self) -> bool {
        self.roads.is_empty() && (self.basements | self.improvements).is_empty() && self.offers.held == 0
    }

    #[inline]
    fn nth_of_turn(&self, number: u32) -> Option<Action> {
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

    /// All of them, in that order.
    pub fn iter(&self) -> impl Iterator<Item = Action> + use<> {
        let actions = *self;
        (0..self.len()).filter_map(move |number| actions.nth(number))
    }

    /// One of them, unless there are none. When there are several, `choose` is asked for a number below their number.
    #[must_use]
    #[inline]
    pub fn pick(&self, choose: impl FnOnce(u32) -> u32) -> Option<Action> {
        let len = self.len();
        self.nth(if len > 1 { choose(len) } else { 0 })
    }

    /// Where a road can be built, and paid for.
    #[must_use]
    pub const fn roads(&self) -> EdgeSet {
        self.roads
    }

    /// Where a basement can be built, and paid for, or stand in the setup.
    #[must_use]
    pub const fn basements(&self) -> VertexSet {
        self.basements
    }

    /// Whether there are offers to trade among them.
    #[must_use]
    pub const fn lists_offers(&self) -> bool {
        self.offers.held != 0
    }

    /// Which residences can be improved, and that be paid for.
    #[must_use]
    pub const fn improvements(&self) -> VertexSet {
        self.improvements
    }
}

impl Game {
    /// The actions that the rules allow now. With [`Trades::Off`] no offers are among them.
    #[must_use]
    #[inline]
    pub fn actions(&self, trades: Trades) -> Actions {
        let none = Actions::NONE;
        match self.phase {
            Phase::TurnStart(_) => Actions { kind: Kind::Roll, ..none },
            Phase::DuringTurn(builder) => self.turn(builder, trades),
            Phase::Setup(_) => Actions { kind: Kind::Settle, basements: self.sites, ..none },
            Phase::MoveGeese(_) => self.tiles_for_geese(),
            Phase::Rob(robber) => self.victims_of(robber),
            Phase::Offered(offer) => Actions { kind: Kind::Answer, builders: self.accepting(offer), ..none },
            Phase::Over(_) => none,
        }
    }

    /// The same as to [pick](Actions::pick) one of [`Game::actions`], but quicker, since the set is never put together.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Action, Drawn, Game, Trades};
    /// use constructor::random;
    /// // A thousand actions of players who do anything that is allowed.
    /// let mut draws = random::seeded(5);
    /// let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    /// for _ in 0..1000 {
    ///     let Some(action) = game.pick(Trades::On, |count| random::below(&mut draws, count)) else { break };
    ///     game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub fn pick(&self, trades: Trades, choose: impl FnOnce(u32) -> u32) -> Option<Action> {
        match self.phase {
            Phase::TurnStart(_) => Some(Action::Roll),
            Phase::DuringTurn(builder) => {
                let turn = self.turn(builder, trades);
                if turn.is_only_ending() { Some(Action::EndTurn) } else { turn.pick(choose) }
            }
            Phase::MoveGeese(_) => self.tiles_for_geese().pick(choose),
            Phase::Rob(robber) => self.victims_of(robber).pick(choose),
            Phase::Setup(_) | Phase::Offered(_) | Phase::Over(_) => self.actions(trades).pick(choose),
        }
    }

    /// The tiles to which the geese could be moved: all others than theirs.
    #[must_use]
    #[inline]
    pub fn tiles_without_geese(&self) -> TileSet {
        let here = self.geese.map_or(TileSet::EMPTY, |tile| TileSet::EMPTY.with(tile));
        TileSet::FULL - here
    }

    #[inline]
    fn tiles_for_geese(&self) -> Actions {
        Actions { kind: Kind::MoveGeese, tiles: self.tiles_without_geese(), ..Actions::NONE }
    }

    #[inline]
    fn victims_of(&self, robber: Builder) -> Actions {
        Actions { kind: Kind::Rob, builders: self.victims_apart(robber), ..Actions::NONE }
    }

    // What is seldom asked for is kept apart, so that the rest is short enough to be put where it is used.
    #[cold]
    fn victims_apart(&self, robber: Builder) -> BuilderSet {
        self.victims(robber)
    }

    /// The builder who is asked, if they can accept the offer.
    #[cold]
    fn accepting(&self, offer: Offer) -> BuilderSet {
        let can_accept = self.hand(offer.to).count(offer.take) > 0;
        BuilderSet::of(|builder| can_accept && builder == offer.to)
    }

    #[inline]
    pub(super) fn turn(&self, builder: Builder, trades: Trades) -> Actions {
        let hand = self.hand(builder);
        let affordable = |kind, places| if hand.covers_few(cost::residence(kind)) { places } else { VertexSet::EMPTY };
        let own = self.residences(builder);
        Actions {
            kind: Kind::Turn,
            roads: if hand.covers_few(cost::ROAD) { self.road_sites(builder) } else { EdgeSet::EMPTY },
            basements: affordable(Residence::Basement, self.basement_sites(builder)),
            improvements: affordable(Residence::House, own - self.houses - self.towers)
                | affordable(Residence::Tower, own & self.houses),
            offers: if trades == Trades::On { Offers::of(builder, hand) } else { Offers::NONE },
            ..Actions::NONE
        }
    }

    /// Whether the rules allow the action now.
    ///
    /// # Errors
    /// Why they do not. A place is looked at before the resources are.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        match (self.phase, action) {
            (Phase::Setup(_), Action::Settle(vertex)) => allow(self.sites.contains(vertex), Illegal::Place),
            (Phase::MoveGeese(_), Action::MoveGeese(tile)) => allow(self.geese != Some(tile), Illegal::Place),
            (Phase::Rob(robber), Action::Rob(victim)) => allow(self.victims(robber).contains(victim), Illegal::Builder),
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

    fn can_pay(&self, builder: Builder, price: Hand) -> Result<(), Illegal> {
        allow(self.hand(builder).covers(price), Illegal::Resources)
    }
}
