//! The legal actions of a position, as a set.

use super::action::{
    ACCEPT, Action, BUILD_BASEMENT, BUILD_ROAD, END_TURN, IMPROVE, IllegalAction, MOVE_GEESE, OFFER, REFUSE, ROB, ROLL,
    SETTLE,
};
use super::builder::{Builder, BuilderSet};
use super::hand::Hand;
use super::phase::{Offer, Phase};
use super::residence::Residence;
use super::rules::cost;
use super::{Game, ensure};
use crate::board::{EdgeSet, Resource, TileSet, VertexSet};

/// Whether offers are listed among the [legal actions](Game::legal_actions). Offers are legal in either case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trades {
    /// Offers are listed.
    On,
    /// Offers are left out.
    Off,
}

/// The legal actions of a position: a set that is cheap to compute, to count and to sample from.
///
/// ```
/// use constructor::board::{Layout, Terrain, Tile};
/// use constructor::game::{Action, Game, Trades};
/// use constructor::text::CONSTRUCTOR;
/// let game = Game::new(CONSTRUCTOR.rules, Layout::new([Terrain::Park; Tile::COUNT]));
/// let actions = game.legal_actions(Trades::On);
/// assert_eq!(actions.len(), 54, "the first basement can be placed anywhere");
/// assert!(actions.iter().all(|action| matches!(action, Action::Settle(_)) && game.check(action).is_ok()));
/// assert_eq!(actions.nth(54), None);
/// ```
// This is a struct rather than an enum with data, because the fields of a struct stay in registers, while an enum is passed through memory,
// which takes three times as long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegalActions {
    kind: Kind,
    /// The edges on which a road can be built.
    roads: EdgeSet,
    /// The vertices on which a basement can be built, or placed in the setup.
    basements: VertexSet,
    /// The residences that can be improved.
    improvements: VertexSet,
    /// The trades that can be offered.
    offers: Offers,
    /// The tiles to which the geese can be moved.
    tiles: TileSet,
    /// The builders who can be robbed, or the one who can accept the offer.
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
    None,
}

/// The offers that a builder can make: one for each resource that it holds, each other builder, and each resource in return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Offers {
    from: Builder,
    /// A bit for each resource that the builder holds.
    held: u8,
}

impl Offers {
    const NONE: Self = Self { from: Builder::Blue, held: 0 };

    /// The number of offers that give one resource: to three builders, for five resources.
    const PER_RESOURCE: u32 = 3 * 5;

    fn of(from: Builder, hand: Hand) -> Self {
        Self { from, held: hand.iter().fold(0, |held, (resource, _)| held | 1 << resource.index()) }
    }

    const fn len(self) -> u32 {
        Self::PER_RESOURCE * self.held.count_ones()
    }

    /// Adds the offers to a mask.
    #[inline]
    fn insert_into(self, mask: &mut ActionMask) {
        if self.held == 0 {
            return;
        }
        let every_take = (1 << Resource::COUNT) - 1;
        let to_one = (0..Resource::COUNT)
            .filter(|give| self.held >> give & 1 == 1)
            .fold(0, |bits: u128, give| bits | every_take << (give * Resource::COUNT));
        for to in self.from.others() {
            mask.insert_bits(OFFER + to.index() * Resource::COUNT * Resource::COUNT, to_one);
        }
    }

    fn nth(self, n: u32) -> Option<Action> {
        let mut held = Resource::ALL.into_iter().filter(|resource| self.held >> resource.index() & 1 == 1);
        let give = held.nth((n / Self::PER_RESOURCE) as usize)?;
        let rest = (n % Self::PER_RESOURCE) as usize;
        let to = Builder::ALL[(self.from.index() + 1 + rest / Resource::COUNT) % Builder::COUNT];
        Some(Action::Offer { to, give, take: Resource::ALL[rest % Resource::COUNT] })
    }
}

impl LegalActions {
    const NONE: Self = Self {
        kind: Kind::None,
        roads: EdgeSet::EMPTY,
        basements: VertexSet::EMPTY,
        improvements: VertexSet::EMPTY,
        offers: Offers::NONE,
        tiles: TileSet::EMPTY,
        builders: BuilderSet::EMPTY,
    };

    /// Returns the number of legal actions.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> u32 {
        match self.kind {
            Kind::None => 0,
            Kind::Roll => 1,
            Kind::Settle => self.basements.len(),
            Kind::MoveGeese => self.tiles.len(),
            Kind::Rob => self.builders.len(),
            Kind::Answer => 1 + self.builders.len(),
            Kind::Turn => 1 + self.roads.len() + self.basements.len() + self.improvements.len() + self.offers.len(),
        }
    }

    /// Returns the only legal action. Returns `None` if there is not exactly one.
    #[must_use]
    #[inline(always)]
    pub fn forced(&self) -> Option<Action> {
        match self.kind {
            Kind::Turn => self.only_end_turn().then_some(Action::EndTurn),
            Kind::None | Kind::Roll | Kind::Settle | Kind::MoveGeese | Kind::Rob | Kind::Answer => {
                if self.len() == 1 {
                    self.nth(0)
                } else {
                    None
                }
            }
        }
    }

    /// Returns whether there are no legal actions, because the game is over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::None
    }

    /// Returns the action at position `n` of a fixed order: in a turn `EndTurn`, roads, basements, improvements, offers; after an offer
    /// `Refuse`, `Accept`.
    ///
    /// Roads, basements and improvements are each in the order of their places. Offers are sorted by `give`, then by `to` in turn order
    /// from the next builder, then by `take`.
    #[must_use]
    #[inline]
    pub fn nth(&self, n: u32) -> Option<Action> {
        match self.kind {
            Kind::None => None,
            Kind::Roll => (n == 0).then_some(Action::Roll),
            Kind::Settle => self.basements.nth(n).map(Action::Settle),
            Kind::MoveGeese => self.tiles.nth_by_halving(n).map(Action::MoveGeese),
            Kind::Rob => self.builders.nth(n).map(Action::Rob),
            Kind::Answer => match n {
                0 => Some(Action::Refuse),
                _ => (n == self.builders.len()).then_some(Action::Accept),
            },
            Kind::Turn => self.nth_in_turn(n),
        }
    }

    /// Returns whether ending the turn is the only legal action of a turn, the usual case.
    #[inline]
    pub(crate) fn only_end_turn(&self) -> bool {
        self.roads.is_empty() && (self.basements | self.improvements).is_empty() && self.offers.held == 0
    }

    #[inline]
    fn nth_in_turn(&self, n: u32) -> Option<Action> {
        let Some(n) = n.checked_sub(1) else { return Some(Action::EndTurn) };
        let Some(n) = n.checked_sub(self.roads.len()) else {
            return self.roads.nth(n).map(Action::BuildRoad);
        };
        let Some(n) = n.checked_sub(self.basements.len()) else {
            return self.basements.nth(n).map(Action::BuildBasement);
        };
        let Some(n) = n.checked_sub(self.improvements.len()) else {
            return self.improvements.nth(n).map(Action::Improve);
        };
        self.offers.nth(n)
    }

    /// Returns the legal actions in the order of [`nth`](Self::nth).
    #[must_use]
    pub fn iter(&self) -> LegalActionsIter {
        self.into_iter()
    }

    /// Returns whether the action is among the legal actions.
    ///
    /// An offer is among them only if offers are listed.
    ///
    /// ```
    /// use constructor::board::{Layout, Terrain, Tile, Vertex};
    /// use constructor::game::{Action, Game, Rules, Trades};
    /// let game = Game::new(Rules::default(), Layout::new([Terrain::Park; Tile::COUNT]));
    /// let actions = game.legal_actions(Trades::On);
    /// assert!(actions.contains(Action::Settle(Vertex::new(53).unwrap())) && !actions.contains(Action::Roll));
    /// ```
    #[must_use]
    #[inline]
    pub fn contains(&self, action: Action) -> bool {
        match (self.kind, action) {
            (Kind::Settle, Action::Settle(vertex)) | (Kind::Turn, Action::BuildBasement(vertex)) => {
                self.basements.contains(vertex)
            }
            (Kind::MoveGeese, Action::MoveGeese(tile)) => self.tiles.contains(tile),
            (Kind::Rob, Action::Rob(victim)) => self.builders.contains(victim),
            (Kind::Turn, Action::BuildRoad(edge)) => self.roads.contains(edge),
            (Kind::Turn, Action::Improve(vertex)) => self.improvements.contains(vertex),
            (Kind::Turn, Action::Offer { to, give, .. }) => {
                to != self.offers.from && self.offers.held >> give.index() & 1 == 1
            }
            (Kind::Answer, Action::Accept) => !self.builders.is_empty(),
            (Kind::Roll, Action::Roll) | (Kind::Answer, Action::Refuse) | (Kind::Turn, Action::EndTurn) => true,
            _ => false,
        }
    }

    /// Returns the [`nth`](Self::nth) action, where `n` is `choose(len)` if there are several actions and 0 otherwise; `None` if there are
    /// no legal actions.
    #[must_use]
    #[inline]
    pub fn sample_with(&self, choose: impl FnOnce(u32) -> u32) -> Option<Action> {
        let len = self.len();
        self.nth(if len > 1 { choose(len) } else { 0 })
    }

    /// Returns the legal actions as a mask over the [action indices](Action::index).
    #[must_use]
    #[inline]
    pub fn mask(&self) -> ActionMask {
        let mut mask = ActionMask::default();
        match self.kind {
            Kind::None => {}
            Kind::Settle => mask.insert_bits(SETTLE, self.basements.bits().into()),
            Kind::Roll => mask.insert_bits(ROLL, 1),
            Kind::MoveGeese => mask.insert_bits(MOVE_GEESE, self.tiles.bits().into()),
            Kind::Rob => mask.insert_bits(ROB, self.builders.bits().into()),
            Kind::Turn => {
                mask.insert_bits(BUILD_ROAD, self.roads.bits());
                mask.insert_bits(BUILD_BASEMENT, self.basements.bits().into());
                mask.insert_bits(IMPROVE, self.improvements.bits().into());
                mask.insert_bits(END_TURN, 1);
                self.offers.insert_into(&mut mask);
            }
            Kind::Answer => {
                mask.insert_bits(REFUSE, 1);
                mask.insert_bits(ACCEPT, u128::from(!self.builders.is_empty()));
            }
        }
        mask
    }

    /// Returns the edges on which a road can be built and paid for.
    #[must_use]
    pub const fn roads(&self) -> EdgeSet {
        self.roads
    }

    /// Returns the vertices on which a basement can be built and paid for, or placed in the setup.
    #[must_use]
    pub const fn basements(&self) -> VertexSet {
        self.basements
    }

    /// Returns whether offers are listed.
    #[must_use]
    pub const fn lists_offers(&self) -> bool {
        self.offers.held != 0
    }

    /// Returns the vertices of the residences that can be improved and whose improvement can be paid for.
    #[must_use]
    pub const fn improvements(&self) -> VertexSet {
        self.improvements
    }
}

impl IntoIterator for LegalActions {
    type Item = Action;
    type IntoIter = LegalActionsIter;

    fn into_iter(self) -> LegalActionsIter {
        LegalActionsIter { actions: self, next: 0 }
    }
}

impl IntoIterator for &LegalActions {
    type Item = Action;
    type IntoIter = LegalActionsIter;

    fn into_iter(self) -> LegalActionsIter {
        (*self).into_iter()
    }
}

/// An iterator over [`LegalActions`].
#[derive(Clone, Debug)]
pub struct LegalActionsIter {
    actions: LegalActions,
    next: u32,
}

impl Iterator for LegalActionsIter {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let action = self.actions.nth(self.next)?;
        self.next += 1;
        Some(action)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.actions.len().saturating_sub(self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for LegalActionsIter {}

/// A set of actions: one bit for each [action index](Action::index).
///
/// ```
/// use constructor::game::{Action, ActionMask};
/// let mask: ActionMask = [Action::Roll, Action::EndTurn].into_iter().collect();
/// assert!(mask.contains(Action::Roll) && !mask.contains(Action::Accept));
/// assert_eq!(mask.words()[0], 1 << 54);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ActionMask([u64; ActionMask::WORDS]);

impl ActionMask {
    /// The number of 64-bit words.
    pub const WORDS: usize = Action::COUNT.div_ceil(64);

    /// Returns whether the action is in the set.
    #[must_use]
    pub fn contains(&self, action: Action) -> bool {
        let index = usize::from(action.index());
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Adds the action with index `first + i` for each bit `i` that is 1.
    ///
    /// The indices must be less than `64 * WORDS`.
    #[inline]
    fn insert_bits(&mut self, first: usize, bits: u128) {
        let (word, shift) = (first / 64, first % 64);
        let parts = [bits << shift, if shift == 0 { 0 } else { bits >> (128 - shift) }];
        #[expect(clippy::cast_possible_truncation, reason = "splits words in halves")]
        let words = [parts[0] as u64, (parts[0] >> 64) as u64, parts[1] as u64];
        for (own, more) in self.0.iter_mut().skip(word).zip(words) {
            *own |= more;
        }
    }

    /// Returns the bits: action index `i` is bit `i % 64` of word `i / 64`.
    #[must_use]
    pub const fn words(&self) -> [u64; Self::WORDS] {
        self.0
    }
}

impl FromIterator<Action> for ActionMask {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut mask = Self::default();
        for action in actions {
            let index = usize::from(action.index());
            mask.0[index / 64] |= 1 << (index % 64);
        }
        mask
    }
}

impl Game {
    /// Returns the legal actions.
    ///
    /// With [`Trades::Off`], offers are left out.
    #[must_use]
    #[inline]
    pub fn legal_actions(&self, trades: Trades) -> LegalActions {
        let none = LegalActions::NONE;
        match self.phase {
            Phase::TurnStart(_) => LegalActions { kind: Kind::Roll, ..none },
            Phase::DuringTurn(builder) => self.turn_actions(builder, trades),
            Phase::Setup(_) => LegalActions { kind: Kind::Settle, basements: self.free_sites, ..none },
            Phase::MoveGeese(_) => self.legal_geese_tiles(),
            Phase::Rob(robber) => self.victims_at(robber),
            Phase::Offered(offer) => {
                LegalActions { kind: Kind::Answer, builders: self.builders_able_to_accept(offer), ..none }
            }
            Phase::Over(_) => none,
        }
    }

    #[inline]
    pub(crate) fn legal_geese_tiles(&self) -> LegalActions {
        LegalActions { kind: Kind::MoveGeese, tiles: self.tiles_without_geese(), ..LegalActions::NONE }
    }

    #[inline]
    pub(crate) fn victims_at(&self, robber: Builder) -> LegalActions {
        LegalActions { kind: Kind::Rob, builders: self.victims_uncached(robber), ..LegalActions::NONE }
    }

    // Out of line, so that the hot path stays small enough to inline.
    #[cold]
    fn victims_uncached(&self, robber: Builder) -> BuilderSet {
        self.victims(robber)
    }

    /// Returns the set of the builder to whom the trade is offered, if that builder can accept it; otherwise the empty set.
    #[cold]
    fn builders_able_to_accept(&self, offer: Offer) -> BuilderSet {
        let can_accept = self.hand(offer.to).count(offer.take) > 0;
        BuilderSet::of(|builder| can_accept && builder == offer.to)
    }

    /// Returns the legal actions of the builder whose turn it is, after the roll.
    #[inline]
    pub(crate) fn turn_actions(&self, builder: Builder, trades: Trades) -> LegalActions {
        let hand = self.hand(builder);
        let affordable = |kind, places: VertexSet| places.masked(hand.covers_small(cost::residence(kind)));
        let own = self.residences(builder);
        LegalActions {
            kind: Kind::Turn,
            roads: self.road_sites(builder).masked(hand.covers_small(cost::ROAD)),
            basements: affordable(Residence::Basement, self.basement_sites(builder)),
            improvements: affordable(Residence::House, self.basements(builder))
                | affordable(Residence::Tower, own & self.houses),
            offers: if trades == Trades::On { Offers::of(builder, hand) } else { Offers::NONE },
            ..LegalActions::NONE
        }
    }

    /// Checks whether the action is legal.
    ///
    /// # Errors
    /// Returns the reason if it is illegal. The place is checked before the resources.
    pub fn check(&self, action: Action) -> Result<(), IllegalAction> {
        match (self.phase, action) {
            (Phase::Setup(_), Action::Settle(vertex)) => ensure(self.free_sites.contains(vertex), IllegalAction::Place),
            (Phase::MoveGeese(_), Action::MoveGeese(tile)) => ensure(self.geese != Some(tile), IllegalAction::Place),
            (Phase::Rob(robber), Action::Rob(victim)) => {
                ensure(self.victims(robber).contains(victim), IllegalAction::Builder)
            }
            (Phase::DuringTurn(builder), Action::BuildRoad(edge)) => {
                ensure(self.road_sites(builder).contains(edge), IllegalAction::Place)?;
                self.can_pay(builder, cost::ROAD)
            }
            (Phase::DuringTurn(builder), Action::BuildBasement(vertex)) => {
                ensure(self.basement_sites(builder).contains(vertex), IllegalAction::Place)?;
                self.can_pay(builder, cost::residence(Residence::Basement))
            }
            (Phase::DuringTurn(builder), Action::Improve(vertex)) => {
                let improved = self.improvement(builder, vertex).ok_or(IllegalAction::Place)?;
                self.can_pay(builder, cost::residence(improved))
            }
            (Phase::DuringTurn(builder), Action::Offer { to, give, .. }) => {
                ensure(to != builder, IllegalAction::Builder)?;
                self.can_pay(builder, Hand::of(give, 1))
            }
            (Phase::Offered(offer), Action::Accept) => self.can_pay(offer.to, Hand::of(offer.take, 1)),
            (Phase::TurnStart(_), Action::Roll)
            | (Phase::DuringTurn(_), Action::EndTurn)
            | (Phase::Offered(_), Action::Refuse) => Ok(()),
            _ => Err(IllegalAction::Phase),
        }
    }

    fn can_pay(&self, builder: Builder, price: Hand) -> Result<(), IllegalAction> {
        ensure(self.hand(builder).covers(price), IllegalAction::Resources)
    }
}
