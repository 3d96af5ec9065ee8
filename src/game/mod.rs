//! The rules, pure: no text, no input or output, no clock, no globals.

mod action;
mod builder;
mod chance;
mod hand;
mod position;
mod residence;
mod rules;

use crate::board::{Edge, EdgeSet, Ground, Layout, Resource, Roll, Tile, Vertex, VertexSet};

pub use action::{Action, Event, Illegal, Offer, Phase};
pub use builder::Builder;
pub use chance::{Chance, Drawn, Loaded};
pub use hand::Hand;
pub use position::{Clash, Holding, Position};
pub use residence::Residence;
pub use rules::{GREED_LIMIT, Rules, WINNING_POINTS, cost};

/// A game at one moment.
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
    rules: Rules,
    layout: Layout,
    geese: Option<Tile>,
    phase: Phase,
    hands: [Hand; Builder::COUNT],
    roads: [EdgeSet; Builder::COUNT],
    /// Where each builder has a residence of whatever kind.
    residences: [VertexSet; Builder::COUNT],
    /// Which of them are houses, and which are towers; the others are basements.
    houses: VertexSet,
    towers: VertexSet,
}

impl Game {
    /// A new game, which begins with its setup.
    #[must_use]
    pub fn new(rules: Rules, layout: Layout) -> Self {
        Self {
            rules,
            layout,
            geese: Self::first_geese(rules, &layout),
            phase: Phase::Setup(0),
            hands: [Hand::EMPTY; Builder::COUNT],
            roads: [EdgeSet::EMPTY; Builder::COUNT],
            residences: [VertexSet::EMPTY; Builder::COUNT],
            houses: VertexSet::EMPTY,
            towers: VertexSet::EMPTY,
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
        game.geese = position.geese;
        let (mut taken_edges, mut taken_vertices) = (EdgeSet::EMPTY, VertexSet::EMPTY);
        for (builder, holding) in Builder::ALL.into_iter().zip(&position.holdings) {
            game.hands[builder.index()] = holding.hand;
            for &edge in &holding.roads {
                if taken_edges.contains(edge) {
                    return Err(Clash::Road { builder, edge });
                }
                taken_edges.insert(edge);
                game.roads[builder.index()].insert(edge);
            }
            for &(vertex, kind) in &holding.residences {
                if taken_vertices.contains(vertex) {
                    return Err(Clash::Residence { builder, vertex });
                }
                taken_vertices.insert(vertex);
                game.put(builder, vertex, kind);
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
        self.hands[builder.index()]
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
        let own = self.residences(builder);
        let of_kind = |kind: Residence, count: u32| kind.points() * count;
        let (houses, towers) = ((own & self.houses).len(), (own & self.towers).len());
        of_kind(Residence::Basement, own.len() - houses - towers)
            + of_kind(Residence::House, houses)
            + of_kind(Residence::Tower, towers)
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
    pub fn victims(&self, robber: Builder) -> impl Iterator<Item = Builder> {
        let corners = self.geese.map_or(VertexSet::EMPTY, |tile| tile.vertices().into_iter().collect());
        Builder::ALL.into_iter().filter(move |&other| {
            other != robber && !(self.residences(other) & corners).is_empty() && !self.hand(other).is_empty()
        })
    }

    /// Where a basement can stand: the free vertices with no residence, of anyone, on a neighbouring vertex.
    #[must_use]
    pub fn sites(&self) -> VertexSet {
        let taken = self.all_residences();
        taken.iter().fold(VertexSet::FULL - taken, |sites, vertex| sites - vertex.neighbours())
    }

    /// Where the builder could build a basement now, had they the resources.
    #[must_use]
    pub fn basement_sites(&self, builder: Builder) -> VertexSet {
        let reached: VertexSet = self.roads(builder).iter().flat_map(Edge::ends).collect();
        self.sites() & reached
    }

    /// Where the builder could build a road now, had they the resources.
    #[must_use]
    pub fn road_sites(&self, builder: Builder) -> EdgeSet {
        let roads = self.roads(builder);
        let own = self.residences(builder);
        let reached = roads.iter().flat_map(Edge::ends).collect::<VertexSet>();
        let closed = if self.rules.residences_stop_roads { self.all_residences() - own } else { VertexSet::EMPTY };
        let taken = self.roads.iter().fold(EdgeSet::EMPTY, |taken, &roads| taken | roads);
        let touched = ((reached | own) - closed).iter().fold(EdgeSet::EMPTY, |edges, vertex| edges | vertex.edges());
        touched - taken
    }

    /// Whether the rules allow the action now.
    ///
    /// # Errors
    /// Why they do not. A place is looked at before the resources are.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        match (self.phase, action) {
            (Phase::Setup(_), Action::Settle(vertex)) => allow(self.sites().contains(vertex), Illegal::Place),
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

    /// Does the action, if the rules allow it. What chance decides is asked of `chance`, and what happens is told to
    /// `report`, in order.
    ///
    /// # Errors
    /// Why the rules do not allow it. Nothing has changed then, and nothing was asked or told.
    pub fn apply(
        &mut self,
        action: Action,
        chance: &mut impl Chance,
        mut report: impl FnMut(Event),
    ) -> Result<(), Illegal> {
        self.check(action)?;
        match (self.phase, action) {
            (Phase::Setup(step), Action::Settle(vertex)) => self.settle(step, vertex, &mut report),
            (Phase::TurnStart(builder), Action::Roll) => self.roll(builder, chance, &mut report),
            (Phase::MoveGeese(builder), Action::MoveGeese(tile)) => self.move_geese(builder, tile, &mut report),
            (Phase::Rob(builder), Action::Rob(victim)) => self.rob(builder, victim, chance, &mut report),
            (Phase::DuringTurn(builder), Action::BuildRoad(edge)) => {
                self.hands[builder.index()] -= cost::ROAD;
                self.roads[builder.index()].insert(edge);
                report(Event::RoadBuilt(builder, edge));
            }
            (Phase::DuringTurn(builder), Action::BuildBasement(vertex)) => {
                self.build(builder, vertex, Residence::Basement, &mut report);
            }
            (Phase::DuringTurn(builder), Action::Improve(vertex)) => {
                if let Some(kind) = self.improvement(builder, vertex) {
                    self.build(builder, vertex, kind, &mut report);
                }
            }
            (Phase::DuringTurn(from), Action::Offer { to, give, take }) => {
                self.phase = Phase::Offered(Offer { from, to, give, take });
            }
            (Phase::Offered(offer), Action::Accept) => {
                self.hand_over(offer.from, offer.to, offer.give);
                self.hand_over(offer.to, offer.from, offer.take);
                self.phase = Phase::DuringTurn(offer.from);
            }
            (Phase::Offered(offer), Action::Refuse) => self.phase = Phase::DuringTurn(offer.from),
            (Phase::DuringTurn(builder), Action::EndTurn) => self.phase = Phase::TurnStart(builder.next()),
            _ => return Err(Illegal::Phase),
        }
        Ok(())
    }

    /// Every action that the rules allow now.
    ///
    /// ```
    /// use constructor::board::{Layout, Ground, Tile};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::Game;
    /// let game = Game::new(CONSTRUCTOR.rules, Layout::new([Ground::Park; Tile::COUNT]));
    /// assert_eq!(game.legal_actions().len(), 54, "the first basement can stand anywhere");
    /// ```
    #[must_use]
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut actions: Vec<Action> = match self.phase {
            Phase::Setup(_) => self.sites().iter().map(Action::Settle).collect(),
            Phase::TurnStart(_) => vec![Action::Roll],
            Phase::MoveGeese(_) => Tile::all().map(Action::MoveGeese).collect(),
            Phase::Rob(robber) => self.victims(robber).map(Action::Rob).collect(),
            Phase::DuringTurn(builder) => std::iter::once(Action::EndTurn)
                .chain(self.road_sites(builder).iter().map(Action::BuildRoad))
                .chain(self.basement_sites(builder).iter().map(Action::BuildBasement))
                .chain(self.residences(builder).iter().map(Action::Improve))
                .chain(self.offers(builder))
                .collect(),
            Phase::Offered(_) => vec![Action::Accept, Action::Refuse],
            Phase::Over(_) => vec![],
        };
        actions.retain(|&action| self.check(action).is_ok());
        actions
    }

    fn offers(&self, builder: Builder) -> impl Iterator<Item = Action> {
        let others = Builder::ALL.into_iter().filter(move |&other| other != builder);
        let hand = self.hand(builder);
        others.flat_map(move |to| {
            hand.iter()
                .collect::<Vec<_>>()
                .into_iter()
                .flat_map(move |(give, _)| Resource::ALL.into_iter().map(move |take| Action::Offer { to, give, take }))
        })
    }

    fn all_residences(&self) -> VertexSet {
        self.residences.iter().fold(VertexSet::EMPTY, |all, &own| all | own)
    }

    /// What the builder's residence at the vertex would become.
    fn improvement(&self, builder: Builder, vertex: Vertex) -> Option<Residence> {
        if self.residences(builder).contains(vertex) { self.residence(vertex)?.improved() } else { None }
    }

    fn can_pay(&self, builder: Builder, price: Hand) -> Result<(), Illegal> {
        allow(self.hand(builder).covers(&price), Illegal::Resources)
    }

    /// Stands a residence at the vertex, in the place of the lesser one that may be there.
    fn put(&mut self, builder: Builder, vertex: Vertex, kind: Residence) {
        let here = VertexSet::EMPTY.with(vertex);
        self.residences[builder.index()].insert(vertex);
        self.houses = self.houses - here;
        match kind {
            Residence::Basement => {}
            Residence::House => self.houses.insert(vertex),
            Residence::Tower => self.towers.insert(vertex),
        }
    }

    fn settle(&mut self, step: u8, vertex: Vertex, report: &mut impl FnMut(Event)) {
        let builder = Builder::SETUP_ORDER[usize::from(step)];
        self.put(builder, vertex, Residence::Basement);
        report(Event::ResidenceBuilt(builder, vertex, Residence::Basement));
        self.phase = if usize::from(step) + 1 < Builder::SETUP_ORDER.len() {
            Phase::Setup(step + 1)
        } else {
            Phase::TurnStart(Builder::Blue)
        };
    }

    fn roll(&mut self, builder: Builder, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        let roll = chance.roll();
        if roll.moves_geese() {
            self.lose_half(chance, report);
            self.phase = Phase::MoveGeese(builder);
        } else {
            self.yield_resources(roll, report);
            self.phase = Phase::DuringTurn(builder);
        }
    }

    /// Every residence on a tile of this value yields to its owner, once for each such tile that it touches, unless
    /// the geese are there.
    fn yield_resources(&mut self, roll: Roll, report: &mut impl FnMut(Event)) {
        let mut gains = [Hand::EMPTY; Builder::COUNT];
        for tile in Tile::all().filter(|&tile| self.geese != Some(tile)) {
            if let Ground::Yields(resource, value) = self.layout[tile]
                && value == roll
            {
                for vertex in tile.vertices() {
                    if let Some(kind) = self.residence(vertex)
                        && let Some(owner) = self.owner(vertex)
                    {
                        gains[owner.index()] += Hand::of(resource, kind.yields());
                    }
                }
            }
        }
        for (builder, gain) in Builder::ALL.into_iter().zip(gains).filter(|(_, gain)| !gain.is_empty()) {
            self.hands[builder.index()] += gain;
            report(Event::Gained(builder, gain));
        }
        if gains.iter().all(Hand::is_empty) {
            report(Event::NobodyGained);
        }
    }

    fn owner(&self, vertex: Vertex) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| self.residences(builder).contains(vertex))
    }

    /// Whoever holds too much loses half of it, rounded down.
    fn lose_half(&mut self, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        for builder in Builder::ALL {
            let held = self.hand(builder);
            if held.total() >= GREED_LIMIT {
                let lost = chance.lost(held, held.total() / 2);
                self.hands[builder.index()] -= lost;
                report(Event::Lost(builder, lost));
            }
        }
    }

    fn move_geese(&mut self, builder: Builder, tile: Tile, report: &mut impl FnMut(Event)) {
        self.geese = Some(tile);
        if self.victims(builder).next().is_some() {
            self.phase = Phase::Rob(builder);
        } else {
            self.phase = Phase::DuringTurn(builder);
            report(Event::NobodyToRob(builder));
        }
    }

    fn rob(&mut self, by: Builder, from: Builder, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        self.phase = Phase::DuringTurn(by);
        if let Some(resource) = chance.taken(self.hand(from)) {
            self.hand_over(from, by, resource);
            report(Event::Robbed { by, from, resource });
        }
    }

    fn hand_over(&mut self, from: Builder, to: Builder, resource: Resource) {
        let unit = Hand::of(resource, 1);
        self.hands[from.index()] -= unit;
        self.hands[to.index()] += unit;
    }

    fn build(&mut self, builder: Builder, vertex: Vertex, kind: Residence, report: &mut impl FnMut(Event)) {
        self.hands[builder.index()] -= cost::residence(kind);
        self.put(builder, vertex, kind);
        report(Event::ResidenceBuilt(builder, vertex, kind));
        if self.points(builder) >= WINNING_POINTS {
            self.phase = Phase::Over(builder.next());
        }
    }
}

fn allow(condition: bool, otherwise: Illegal) -> Result<(), Illegal> {
    if condition { Ok(()) } else { Err(otherwise) }
}
