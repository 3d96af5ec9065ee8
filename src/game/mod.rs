//! The rules, pure: no text, no input or output, no clock, no globals.

mod action;
mod actions;
mod apply;
mod builder;
mod chance;
mod hand;
mod key;
mod outcomes;
mod perft;
mod position;
mod quick;
mod residence;
mod rules;

use self::hand::{Gains, Hands};
use crate::board::{Edge, EdgeSet, Ground, Layout, Resource, Roll, Tile, Vertex, VertexSet};

pub use action::{Action, Event, Illegal, Offer, Phase};
pub use actions::{Actions, Trades};
pub use builder::{Builder, BuilderSet};
pub use chance::{Chance, Drawn, Foretold, Known};
pub use hand::Hand;
pub use outcomes::Outcomes;
pub use perft::perft;
pub use position::{Clash, Holding, Position};
pub use quick::Quick;
pub use residence::Residence;
pub use rules::{GREED_LIMIT, Rules, WINNING_POINTS, cost};

/// A game at one moment: plain data of a fixed size, that is copied rather than taken back.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout, Vertex};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::game::{Action, Builder, Drawn, Game, Illegal, Phase};
/// use constructor::random;
///
/// let mut generator = random::seeded(1);
/// let layout = RandomLayout.layout(&mut generator);
/// let mut game = Game::new(CONSTRUCTOR.rules, layout);
/// let mut play = |action| game.apply(action, &mut Drawn(&mut generator), |event| println!("{event:?}"));
///
/// assert_eq!(play(Action::Settle(Vertex::new(0).unwrap())), Ok(()));
/// assert_eq!(play(Action::Settle(Vertex::new(1).unwrap())), Err(Illegal::Place), "vertices 0 and 1 are neighbours");
/// assert_eq!(game.phase(), Phase::Setup(1));
/// assert_eq!(game.points(Builder::Blue), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    phase: Phase,
    geese: Option<Tile>,
    points: [u8; Builder::COUNT],
    hands: Hands,
    /// What each roll yields to each builder.
    yields: [Gains; ROLLS],
    /// What the geese keep from each builder when the value of their tile is rolled.
    kept: Gains,
    /// Where each builder has a residence of whatever kind.
    residences: [VertexSet; Builder::COUNT],
    /// Which of them are houses, and which are towers; the others are basements.
    houses: VertexSet,
    towers: VertexSet,
    /// The free vertices with no residence, of anyone, on a neighbouring vertex.
    sites: VertexSet,
    /// The ends of each builder's roads.
    reached: [VertexSet; Builder::COUNT],
    roads: [EdgeSet; Builder::COUNT],
    /// The edges to which each builder's roads and residences lead, whether they are taken or not.
    adjoining: [EdgeSet; Builder::COUNT],
    /// The edges without a road.
    free_edges: EdgeSet,
    /// The part of the [key](Game::key) that is the board's.
    board_key: u64,
    /// The part of it that is the layout's.
    layout_key: u64,
    rules: Rules,
    layout: Layout,
}

/// How many sums two dice can show; the sum 2 has the index 0.
const ROLLS: usize = 11;

const fn roll_index(roll: Roll) -> usize {
    roll.value() as usize - 2
}

impl Game {
    /// A new game, which begins with its setup.
    #[must_use]
    pub fn new(rules: Rules, layout: Layout) -> Self {
        let geese = Self::first_geese(rules, &layout);
        Self {
            phase: Phase::Setup(0),
            geese,
            points: [0; Builder::COUNT],
            hands: Hands::EMPTY,
            yields: [Gains::NOTHING; ROLLS],
            kept: Gains::NOTHING,
            residences: [VertexSet::EMPTY; Builder::COUNT],
            houses: VertexSet::EMPTY,
            towers: VertexSet::EMPTY,
            sites: VertexSet::FULL,
            reached: [VertexSet::EMPTY; Builder::COUNT],
            roads: [EdgeSet::EMPTY; Builder::COUNT],
            adjoining: [EdgeSet::EMPTY; Builder::COUNT],
            free_edges: EdgeSet::FULL,
            board_key: key::geese(geese),
            layout_key: key::layout(&layout),
            rules,
            layout,
        }
    }

    /// Where the geese are in a new game; `None` is off the board.
    #[must_use]
    pub fn first_geese(rules: Rules, layout: &Layout) -> Option<Tile> {
        if rules.geese_start_on_park { layout.park() } else { None }
    }

    /// A game that goes on from where it was written down: with its setup, if that was not done, or else at the
    /// beginning of a turn. Positions that play cannot reach are welcome.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn resume(rules: Rules, position: &Position) -> Result<Self, Clash> {
        let mut game = Self::new(rules, position.layout);
        game.put_geese(position.geese);
        for (builder, holding) in Builder::ALL.into_iter().zip(&position.holdings) {
            game.hands.set(builder, holding.hand);
            for &edge in &holding.roads {
                if !game.free_edges.contains(edge) {
                    return Err(Clash::Road { builder, edge });
                }
                game.put_road(builder, edge);
            }
            for &(vertex, kind) in &holding.residences {
                if game.all_residences().contains(vertex) {
                    return Err(Clash::Residence { builder, vertex });
                }
                for kind in Residence::ALL.into_iter().take_while(|&lesser| lesser <= kind) {
                    game.put_residence(builder, vertex, kind);
                }
            }
        }
        game.phase = if Builder::ALL.iter().any(|&builder| game.points(builder) >= WINNING_POINTS) {
            Phase::Over(position.next)
        } else {
            position.setup_step().map_or(Phase::TurnStart(position.next), Phase::Setup)
        };
        Ok(game)
    }

    /// The part of the game in which it is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// What stands on the tiles.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The tile where the geese are, unless they are off the board.
    #[must_use]
    pub const fn geese(&self) -> Option<Tile> {
        self.geese
    }

    /// What the builder holds.
    #[must_use]
    pub const fn hand(&self, builder: Builder) -> Hand {
        self.hands.of(builder)
    }

    /// Where the builder has roads.
    #[must_use]
    pub const fn roads(&self, builder: Builder) -> EdgeSet {
        self.roads[builder.index()]
    }

    /// Where the builder has residences.
    #[must_use]
    pub const fn residences(&self, builder: Builder) -> VertexSet {
        self.residences[builder.index()]
    }

    /// Where houses stand, of whichever builder.
    #[must_use]
    pub const fn houses(&self) -> VertexSet {
        self.houses
    }

    /// Where towers stand, of whichever builder.
    #[must_use]
    pub const fn towers(&self) -> VertexSet {
        self.towers
    }

    /// The kind of residence that stands at the vertex, if any does.
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

    /// The builder's points.
    #[must_use]
    pub fn points(&self, builder: Builder) -> u32 {
        self.points[builder.index()].into()
    }

    /// Who has won, when the game is over. Of a saved game several may have.
    ///
    /// ```
    /// use constructor::board::{Ground, Layout, Tile};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::Game;
    /// let game = Game::new(CONSTRUCTOR.rules, Layout::new([Ground::Park; Tile::COUNT]));
    /// assert_eq!(game.winner(), None);
    /// ```
    #[must_use]
    pub fn winner(&self) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| self.points(builder) >= WINNING_POINTS)
    }

    /// A number by which positions can be told apart: equal ones have equal keys, and others hardly ever.
    #[must_use]
    pub fn key(&self) -> u64 {
        key::position(self.board_key ^ self.layout_key, &self.hands, self.phase)
    }

    /// A number by which layouts can be told apart in the same way.
    #[must_use]
    pub const fn layout_key(&self) -> u64 {
        self.layout_key
    }

    /// Whose decision is waited for, unless the game is over. An offer is decided by the builder who is asked.
    #[must_use]
    pub const fn to_act(&self) -> Option<Builder> {
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

    /// Who will begin a turn, or place the next basement, should the game be written down now and resumed: once the
    /// dice have been rolled it is the next builder.
    #[must_use]
    pub fn next_to_begin(&self) -> Builder {
        match self.phase {
            Phase::Setup(step) => Builder::SETUP_ORDER[usize::from(step)],
            Phase::TurnStart(builder) | Phase::Over(builder) => builder,
            Phase::MoveGeese(builder)
            | Phase::Rob(builder)
            | Phase::DuringTurn(builder)
            | Phase::Offered(Offer { from: builder, .. }) => builder.next(),
        }
    }

    /// The builders who can be robbed by this one where the geese are now: others who have a residence on that tile
    /// and hold something, in the order of the builders.
    #[must_use]
    #[inline]
    pub fn victims(&self, robber: Builder) -> BuilderSet {
        let corners = self.geese.map_or(VertexSet::EMPTY, Tile::corners);
        let living_there = BuilderSet::of(|builder| !(self.residences(builder) & corners).is_empty());
        let holding_something = BuilderSet::of(|builder| !self.hand(builder).is_empty());
        (living_there & holding_something).without(robber)
    }

    /// Where a basement can stand: the free vertices with no residence, of anyone, on a neighbouring vertex.
    #[must_use]
    pub const fn sites(&self) -> VertexSet {
        self.sites
    }

    /// Where the builder could build a basement now, had they the resources.
    #[must_use]
    pub fn basement_sites(&self, builder: Builder) -> VertexSet {
        self.sites & self.reached[builder.index()]
    }

    /// Where the builder could build a road now, had they the resources.
    #[must_use]
    pub fn road_sites(&self, builder: Builder) -> EdgeSet {
        self.adjoining[builder.index()] & self.free_edges
    }

    /// What the roll yields to the builder where the geese are now.
    ///
    /// ```
    /// use constructor::board::{Resource, Roll, Vertex};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Action, Builder, Drawn, Game, Hand};
    /// use constructor::{random, save};
    /// let layout = save::read_layout(b"0 5 1 5 2 9 5 7 3 6 4 6 0 2 1 3 2 3 3 4 4 4 0 8 1 8 2 9 3 10 4 10 0 11 1 11 2 12");
    /// let mut game = Game::new(CONSTRUCTOR.rules, layout.unwrap());
    /// let action = Action::Settle(Vertex::new(3).unwrap());
    /// game.apply(action, &mut Drawn(&mut random::seeded(0)), |_| {}).unwrap();
    /// assert_eq!(game.yields(Roll::new(5).unwrap(), Builder::Blue), Hand::new([1, 1, 0, 0, 0]));
    /// ```
    #[must_use]
    pub fn yields(&self, roll: Roll, builder: Builder) -> Hand {
        self.yields[roll_index(roll)].of(builder)
    }

    /// What 36 rolls yield to each builder where the geese are now, each way in which two dice can fall once: so the units of
    /// a resource are those of a roll, times 36.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Action, Drawn, Game, Hand};
    /// use constructor::{random, save};
    /// let layout = save::read_layout(b"0 5 1 5 2 9 5 7 3 6 4 6 0 2 1 3 2 3 3 4 4 4 0 8 1 8 2 9 3 10 4 10 0 11 1 11 2 12");
    /// let mut game = Game::new(CONSTRUCTOR.rules, layout.unwrap());
    /// let action = Action::Settle(Vertex::new(3).unwrap());
    /// game.apply(action, &mut Drawn(&mut random::seeded(0)), |_| {}).unwrap();
    /// assert_eq!(game.incomes()[0], Hand::new([4, 4, 0, 0, 0]), "5 is rolled in four of 36 ways");
    /// ```
    #[must_use]
    #[inline]
    pub fn incomes(&self) -> [Hand; Builder::COUNT] {
        let mut incomes = Gains::NOTHING;
        for ways in 1..=5 {
            // The sums that can be rolled in so many ways: as far from the ends.
            let mut both = self.yields[ways - 1];
            both += self.yields[ROLLS - ways];
            #[expect(clippy::cast_possible_truncation, reason = "a number up to 5")]
            incomes.add_times(ways as u32, both);
        }
        Builder::ALL.map(|builder| incomes.of(builder))
    }

    /// What the geese keep from the builder whenever the value of their tile is rolled.
    #[must_use]
    pub fn kept_from(&self, builder: Builder) -> Hand {
        self.kept.of(builder)
    }

    fn all_residences(&self) -> VertexSet {
        self.residences.iter().fold(VertexSet::EMPTY, |all, &own| all | own)
    }

    /// What the builder's residence at the vertex would become.
    fn improvement(&self, builder: Builder, vertex: Vertex) -> Option<Residence> {
        if self.residences(builder).contains(vertex) { self.residence(vertex)?.improved() } else { None }
    }

    fn put_geese(&mut self, tile: Option<Tile>) {
        self.board_key ^= key::geese(self.geese) ^ key::geese(tile);
        if let Some((_, roll)) = self.geese.and_then(|tile| self.yield_of(tile)) {
            self.yields[roll_index(roll)] += self.kept;
        }
        self.geese = tile;
        self.kept = Gains::NOTHING;
        if let Some(tile) = tile
            && let Some((resource, roll)) = self.yield_of(tile)
        {
            let corners = tile.corners();
            let (houses, towers) = (self.houses & corners, self.towers & corners);
            for builder in Builder::ALL {
                let own = self.residences(builder);
                let units = (own & corners).len() + (own & houses).len() + 2 * (own & towers).len();
                self.kept.add(builder, resource, units);
            }
            self.yields[roll_index(roll)] -= self.kept;
        }
    }

    fn yield_of(&self, tile: Tile) -> Option<(Resource, Roll)> {
        match self.layout[tile] {
            Ground::Yields(resource, roll) => Some((resource, roll)),
            Ground::Park => None,
        }
    }

    fn put_road(&mut self, builder: Builder, edge: Edge) {
        self.board_key ^= key::road(builder, edge);
        self.roads[builder.index()].insert(edge);
        self.free_edges = self.free_edges - EdgeSet::EMPTY.with(edge);
        for end in edge.ends() {
            self.reached[builder.index()].insert(end);
            if !self.stops(builder, end) {
                self.adjoining[builder.index()] = self.adjoining[builder.index()] | end.edges();
            }
        }
    }

    /// Whether the builder's roads end at the vertex, by the residence of another that stands there.
    fn stops(&self, builder: Builder, vertex: Vertex) -> bool {
        self.rules.residences_stop_roads && (self.all_residences() - self.residences(builder)).contains(vertex)
    }

    /// Stands a residence at the vertex, in the place of the next lesser one, or of nothing when it is a basement.
    fn put_residence(&mut self, builder: Builder, vertex: Vertex, kind: Residence) {
        let here = VertexSet::EMPTY.with(vertex);
        self.board_key ^= key::residence(builder, vertex, kind);
        match kind {
            Residence::Basement => self.put_basement(builder, vertex),
            Residence::House => self.houses.insert(vertex),
            Residence::Tower => {
                self.houses = self.houses - here;
                self.towers.insert(vertex);
            }
        }
        self.points[builder.index()] += 1;
        for tile in vertex.tiles().iter() {
            if let Some((resource, roll)) = self.yield_of(tile) {
                let there = if self.geese == Some(tile) { &mut self.kept } else { &mut self.yields[roll_index(roll)] };
                there.add(builder, resource, 1);
            }
        }
    }

    fn put_basement(&mut self, builder: Builder, vertex: Vertex) {
        self.residences[builder.index()].insert(vertex);
        self.sites = self.sites - vertex.neighbours().with(vertex);
        self.adjoining[builder.index()] = self.adjoining[builder.index()] | vertex.edges();
        if self.rules.residences_stop_roads {
            for other in Builder::ALL.into_iter().filter(|&other| other != builder) {
                if self.reached[other.index()].contains(vertex) {
                    self.adjoining[other.index()] = self.adjoining_anew(other);
                }
            }
        }
    }

    /// The edges to which the builder's roads and residences lead.
    fn adjoining_anew(&self, builder: Builder) -> EdgeSet {
        let open = (self.reached[builder.index()] | self.residences(builder)).iter();
        open.filter(|&vertex| !self.stops(builder, vertex)).fold(EdgeSet::EMPTY, |edges, vertex| edges | vertex.edges())
    }
}

fn allow(condition: bool, otherwise: Illegal) -> Result<(), Illegal> {
    if condition { Ok(()) } else { Err(otherwise) }
}
