//! The rules of the game: positions, legal actions, chance and events. Pure: no I/O, no clock, no globals.

mod action;
mod apply;
mod builder;
mod chance;
mod chance_outcome;
mod fast_chance;
mod hand;
mod legal;
mod outcomes;
mod perft;
mod phase;
mod placement;
mod production;
mod reason;
mod residence;
mod rules;
mod saved_game;
#[cfg(feature = "serde")]
mod serde_game;
mod zobrist;

use self::production::{Hands, Production};
use crate::board::{EdgeSet, Layout, Roll, Tile, TileSet, Vertex, VertexSet};

pub use action::{Action, AnsweredOffers, Event, IllegalAction};
pub use builder::{Builder, BuilderSet};
pub use chance::{Chance, FixedRoll, RandomChance, ScriptedChance};
pub use chance_outcome::{ChanceOutcome, ImpossibleChance};
pub use fast_chance::FastChance;
pub use hand::Hand;
pub use legal::{ActionMask, LegalActions, LegalActionsIter, Trades};
pub use outcomes::{Discards, Outcomes};
pub use perft::perft;
pub use phase::{Offer, Phase};
pub use reason::Reason;
pub use residence::Residence;
pub use rules::{DISCARD_LIMIT, Rules, WINNING_POINTS, cost, lost_on_seven};
pub use saved_game::{PlacementConflict, SavedBuilder, SavedGame};

/// A complete position. `Copy`, 752 bytes, no heap. To undo an action, keep a copy.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout, Vertex};
/// use constructor::game::{Action, Builder, Game, IllegalAction, Phase, RandomChance, Rules};
/// use constructor::rng;
///
/// let mut rng = rng::from_seed(1);
/// let layout = RandomLayout.layout(&mut rng);
/// let mut game = Game::new(Rules::default(), layout);
/// let mut play = |action| game.apply(action, &mut RandomChance(&mut rng), |event| println!("{event:?}"));
///
/// assert_eq!(play(Action::Settle(Vertex::new(0).unwrap())), Ok(()));
/// assert_eq!(play(Action::Settle(Vertex::new(1).unwrap())), Err(IllegalAction::Place), "0 and 1 are neighbours");
/// assert_eq!(game.phase(), Phase::Setup(1));
/// assert_eq!(game.points(Builder::Blue), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    phase: Phase,
    geese: Option<Tile>,
    points: [u8; Builder::COUNT],
    hands: Hands,
    /// The production of each roll, without what the geese block.
    production: [Production; Roll::COUNT],
    /// The production that the geese block when the value of their tile is rolled.
    blocked: Production,
    /// The vertices with each builder's residences of any kind.
    residences: [VertexSet; Builder::COUNT],
    /// The vertices with houses and with towers; the other residences are basements.
    houses: VertexSet,
    towers: VertexSet,
    /// The empty vertices without a residence on a neighbouring vertex.
    free_sites: VertexSet,
    /// The ends of each builder's roads.
    road_ends: [VertexSet; Builder::COUNT],
    roads: [EdgeSet; Builder::COUNT],
    /// The edges next to each builder's roads and residences, occupied or not.
    road_frontier: [EdgeSet; Builder::COUNT],
    /// The edges without a road.
    free_edges: EdgeSet,
    /// The parts of [`Game::hash64`] that cover the pieces on the board and the layout.
    board_hash: u64,
    layout_hash: u64,
    rules: Rules,
    layout: Layout,
}

impl Game {
    /// Makes a new game, at the beginning of its setup.
    #[must_use]
    pub fn new(rules: Rules, layout: Layout) -> Self {
        let geese = Self::first_geese(rules, &layout);
        Self {
            phase: Phase::Setup(0),
            geese,
            points: [0; Builder::COUNT],
            hands: Hands::EMPTY,
            production: [Production::NONE; Roll::COUNT],
            blocked: Production::NONE,
            residences: [VertexSet::EMPTY; Builder::COUNT],
            houses: VertexSet::EMPTY,
            towers: VertexSet::EMPTY,
            free_sites: VertexSet::FULL,
            road_ends: [VertexSet::EMPTY; Builder::COUNT],
            roads: [EdgeSet::EMPTY; Builder::COUNT],
            road_frontier: [EdgeSet::EMPTY; Builder::COUNT],
            free_edges: EdgeSet::FULL,
            board_hash: zobrist::geese(geese),
            layout_hash: zobrist::layout(&layout),
            rules,
            layout,
        }
    }

    /// Returns the tile with the geese in a new game; `None` if they are off the board.
    #[must_use]
    pub fn first_geese(rules: Rules, layout: &Layout) -> Option<Tile> {
        if rules.geese_start_on_park { layout.park() } else { None }
    }

    /// Returns the rules of this game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the phase: what the game waits for.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the terrain of the tiles.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the tile with the geese. Returns `None` if the geese are off the board.
    #[must_use]
    pub const fn geese(&self) -> Option<Tile> {
        self.geese
    }

    /// Returns the builder's resources.
    #[must_use]
    pub const fn hand(&self, builder: Builder) -> Hand {
        self.hands.of(builder)
    }

    /// Returns the edges with the builder's roads.
    #[must_use]
    pub const fn roads(&self, builder: Builder) -> EdgeSet {
        self.roads[builder.index()]
    }

    /// Returns the vertices with the builder's residences.
    #[must_use]
    pub const fn residences(&self, builder: Builder) -> VertexSet {
        self.residences[builder.index()]
    }

    /// Returns the vertices with the builder's basements.
    #[must_use]
    pub fn basements(&self, builder: Builder) -> VertexSet {
        self.residences(builder) - self.houses - self.towers
    }

    /// Returns the vertices with houses, of all builders.
    #[must_use]
    pub const fn houses(&self) -> VertexSet {
        self.houses
    }

    /// Returns the vertices with towers, of all builders.
    #[must_use]
    pub const fn towers(&self) -> VertexSet {
        self.towers
    }

    /// Returns the kind of residence at the vertex, if there is one.
    #[must_use]
    pub fn residence(&self, vertex: Vertex) -> Option<Residence> {
        if self.towers.contains(vertex) {
            Some(Residence::Tower)
        } else if self.houses.contains(vertex) {
            Some(Residence::House)
        } else if self.all_residences().contains(vertex) {
            Some(Residence::Basement)
        } else {
            None
        }
    }

    /// Returns the builder's points.
    #[must_use]
    pub fn points(&self, builder: Builder) -> u32 {
        self.points[builder.index()].into()
    }

    /// Returns the winner, if the game is over.
    ///
    /// In a saved game several builders may have won; then the first of them in turn order is returned.
    ///
    /// ```
    /// use constructor::board::{Layout, Terrain, Tile};
    /// use constructor::game::{Game, Rules};
    /// let game = Game::new(Rules::default(), Layout::new([Terrain::Park; Tile::COUNT]));
    /// assert_eq!(game.winner(), None);
    /// ```
    #[must_use]
    pub fn winner(&self) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| self.points(builder) >= WINNING_POINTS)
    }

    /// Returns a 64-bit Zobrist hash of the position.
    ///
    /// Not stable between versions.
    #[must_use]
    pub fn hash64(&self) -> u64 {
        zobrist::position(self.board_hash ^ self.layout_hash, &self.hands, self.phase)
    }

    /// Returns a 64-bit hash of the layout.
    ///
    /// Not stable between versions.
    #[must_use]
    pub const fn layout_hash(&self) -> u64 {
        self.layout_hash
    }

    /// Returns the builder to decide next; `None` when the game is over.
    ///
    /// An offer is decided by the builder to whom it is made.
    #[must_use]
    pub const fn current_player(&self) -> Option<Builder> {
        match self.phase {
            Phase::Setup(step) => Some(Builder::SETUP_ORDER[step as usize]),
            Phase::TurnStart(builder)
            | Phase::MoveGeese(builder)
            | Phase::Rob(builder)
            | Phase::DuringTurn(builder)
            | Phase::Offered(Offer { to: builder, .. }) => Some(builder),
            Phase::Over(_) => None,
        }
    }

    /// Returns the builder who begins a turn, or places the next basement, if the game is saved now and loaded again.
    ///
    /// After the roll, this is the next builder in turn order.
    #[must_use]
    pub fn next_turn(&self) -> Builder {
        match self.phase {
            Phase::Setup(step) => Builder::SETUP_ORDER[usize::from(step)],
            Phase::TurnStart(builder) | Phase::Over(builder) => builder,
            Phase::MoveGeese(builder)
            | Phase::Rob(builder)
            | Phase::DuringTurn(builder)
            | Phase::Offered(Offer { from: builder, .. }) => builder.next(),
        }
    }

    /// Returns the builders whom `robber` can rob with the geese where they are: the others who have a residence on that tile and hold at
    /// least one unit.
    #[must_use]
    #[inline]
    pub fn victims(&self, robber: Builder) -> BuilderSet {
        let corners = self.geese.map_or(VertexSet::EMPTY, Tile::corners);
        let neighbours = BuilderSet::of(|builder| !(self.residences(builder) & corners).is_empty());
        let have_units = BuilderSet::of(|builder| !self.hand(builder).is_empty());
        (neighbours & have_units).without(robber)
    }

    /// Returns the tiles to which the geese can be moved: all but their own.
    #[must_use]
    #[inline]
    pub fn tiles_without_geese(&self) -> TileSet {
        let here = self.geese.map_or(TileSet::EMPTY, |tile| TileSet::EMPTY.with(tile));
        TileSet::FULL - here
    }

    /// Returns the vertices that keep the distance rule: empty, and without a residence on a neighbouring vertex.
    #[must_use]
    pub const fn free_sites(&self) -> VertexSet {
        self.free_sites
    }

    /// Returns the vertices at which the builder could build a basement if it had the resources.
    #[must_use]
    pub fn basement_sites(&self, builder: Builder) -> VertexSet {
        self.free_sites & self.road_ends[builder.index()]
    }

    /// Returns the vertices with the builder's residences and at the ends of the builder's roads.
    #[must_use]
    pub fn road_network(&self, builder: Builder) -> VertexSet {
        self.road_ends[builder.index()] | self.residences(builder)
    }

    /// Returns the edges on which the builder could build a road if it had the resources.
    #[must_use]
    pub fn road_sites(&self, builder: Builder) -> EdgeSet {
        self.road_frontier[builder.index()] & self.free_edges
    }

    /// Returns what the roll produces for the builder, with the geese where they are.
    ///
    /// ```
    /// use constructor::board::{Resource, Roll, Vertex};
    /// use constructor::game::{Action, Builder, Game, Hand, Rules};
    /// use constructor::text::save;
    /// let layout = save::read_layout(b"0 5 1 5 2 9 5 7 3 6 4 6 0 2 1 3 2 3 3 4 4 4 0 8 1 8 2 9 3 10 4 10 0 11 1 11 2 12");
    /// let game = Game::new(Rules::default(), layout.unwrap());
    /// let game = game.after(Action::Settle(Vertex::new(3).unwrap())).unwrap();
    /// assert_eq!(game.production(Roll::new(5).unwrap(), Builder::Blue), Hand::new([1, 1, 0, 0, 0]));
    /// ```
    #[must_use]
    pub fn production(&self, roll: Roll, builder: Builder) -> Hand {
        self.production[roll.index()].of(builder)
    }

    /// Returns the expected income of each builder in 36 rolls, with the geese where they are: the sum of what the 36 outcomes of two dice
    /// produce.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// use constructor::game::{Action, Game, Hand, Rules};
    /// use constructor::text::save;
    /// let layout = save::read_layout(b"0 5 1 5 2 9 5 7 3 6 4 6 0 2 1 3 2 3 3 4 4 4 0 8 1 8 2 9 3 10 4 10 0 11 1 11 2 12");
    /// let game = Game::new(Rules::default(), layout.unwrap());
    /// let game = game.after(Action::Settle(Vertex::new(3).unwrap())).unwrap();
    /// assert_eq!(game.incomes_per_36_rolls()[0], Hand::new([4, 4, 0, 0, 0]), "4 of 36 outcomes are a 5");
    /// ```
    #[must_use]
    #[inline]
    pub fn incomes_per_36_rolls(&self) -> [Hand; Builder::COUNT] {
        Builder::ALL.map(|builder| self.income_per_36_rolls(builder))
    }

    /// Returns the expected income of one builder in 36 rolls, as in [`Self::incomes_per_36_rolls`].
    #[must_use]
    #[inline]
    pub fn income_per_36_rolls(&self, builder: Builder) -> Hand {
        let mut income = 0;
        // A tile produces on at most 5 of the 36 outcomes, so no lane overflows.
        for ways in 1..=5 {
            // Two sums have this many ways: one counted from the lowest sum, and one counted from the highest.
            let both = self.production[ways - 1].word(builder) + self.production[Roll::COUNT - ways].word(builder);
            income += ways as u64 * both;
        }
        Hand::from_words(income, 0)
    }

    /// Returns a bit mask of the resources that the builder's residences produce, ignoring the geese: bit `i` stands for the resource with
    /// code `i`.
    #[must_use]
    #[inline]
    pub fn resources_produced(&self, builder: Builder) -> u8 {
        let all = self.production.iter().fold(self.blocked.word(builder), |all, roll| all | roll.word(builder));
        Hand::from_words(all, 0).resources()
    }

    /// Returns the units that the geese block for the builder each time the value of their tile is rolled.
    #[must_use]
    pub fn blocked_income(&self, builder: Builder) -> Hand {
        self.blocked.of(builder)
    }

    /// Returns the units that the tile produces for the builder when its value is rolled, ignoring the geese: 1 for each basement on its
    /// corners, 2 for each house, 3 for each tower.
    #[must_use]
    #[inline]
    pub fn units_on(&self, builder: Builder, tile: Tile) -> u32 {
        let here = self.residences(builder) & tile.corners();
        here.len() + (here & self.houses).len() + 2 * (here & self.towers).len()
    }

    fn all_residences(&self) -> VertexSet {
        self.residences.iter().fold(VertexSet::EMPTY, |all, &own| all | own)
    }

    /// Returns the kind that the builder's residence at the vertex would become by an improvement.
    fn improvement(&self, builder: Builder, vertex: Vertex) -> Option<Residence> {
        if self.residences(builder).contains(vertex) { self.residence(vertex)?.improved() } else { None }
    }
}

fn ensure(condition: bool, otherwise: IllegalAction) -> Result<(), IllegalAction> {
    if condition { Ok(()) } else { Err(otherwise) }
}
