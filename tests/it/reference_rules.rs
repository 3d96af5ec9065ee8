//! A second implementation of the rules, for comparison: linear searches, nothing cached, written from the contract.
//! Its board is read from the printed board. Positions are counted and games are played beside the library's rules.

use constructor::board::{Edge, Layout, Resource, Roll, Terrain, Tile, Vertex};
use constructor::game::{Action, Builder, Chance, Game, Hand, Rules};

use crate::spec_board::SpecBoard;
use crate::spec_strings;

const ROAD: [u32; 5] = [0, 0, 0, 1, 1];
/// The costs of a basement, of improving it to a house, and that to a tower.
const LEVELS: [[u32; 5]; 3] = [[1, 1, 1, 0, 1], [0, 0, 2, 3, 0], [3, 2, 2, 2, 1]];
const SETUP: [usize; 8] = [0, 1, 2, 3, 3, 2, 1, 0];

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stage {
    Setup(usize),
    Begin,
    Geese,
    Rob,
    Turn,
    Offer { to: usize, give: usize, take: usize },
    Won,
}

#[derive(Clone, Debug)]
struct Home {
    at: usize,
    owner: usize,
    /// 1 to 3: its points, and its units from a tile.
    level: u32,
}

#[derive(Clone)]
pub struct ReferenceRules {
    board: std::rc::Rc<SpecBoard>,
    rules: Rules,
    /// The resource and the roll of each tile.
    tiles: Vec<Option<(usize, u8)>>,
    geese: Option<usize>,
    stage: Stage,
    turn: usize,
    hands: [[u32; 5]; 4],
    roads: Vec<(usize, usize)>,
    homes: Vec<Home>,
}

impl ReferenceRules {
    pub fn new(rules: Rules, layout: &Layout) -> Self {
        let tiles: Vec<_> = Tile::all()
            .map(|tile| match layout[tile] {
                Terrain::Resource(resource, value) => Some((resource.index(), value.value())),
                Terrain::Park => None,
            })
            .collect();
        Self {
            board: std::rc::Rc::new(SpecBoard::read(&spec_strings::CONSTRUCTOR)),
            rules,
            geese: if rules.geese_start_on_park { tiles.iter().position(Option::is_none) } else { None },
            tiles,
            stage: Stage::Setup(0),
            turn: 0,
            hands: [[0; 5]; 4],
            roads: vec![],
            homes: vec![],
        }
    }

    fn actor(&self) -> usize {
        if let Stage::Setup(step) = self.stage { SETUP[step] } else { self.turn }
    }

    fn home(&self, vertex: usize) -> Option<&Home> {
        self.homes.iter().find(|home| home.at == vertex)
    }

    pub fn points(&self, builder: usize) -> u32 {
        self.homes.iter().filter(|home| home.owner == builder).map(|home| home.level).sum()
    }

    fn pays(&self, builder: usize, price: [u32; 5]) -> bool {
        (0..5).all(|kind| self.hands[builder][kind] >= price[kind])
    }

    fn stands(&self, vertex: usize) -> bool {
        self.home(vertex).is_none() && self.board.neighbours(vertex).iter().all(|&near| self.home(near).is_none())
    }

    fn has_road_at(&self, vertex: usize) -> bool {
        self.board.edges_at(vertex).iter().any(|&edge| self.roads.contains(&(edge, self.turn)))
    }

    fn leads_on(&self, vertex: usize) -> bool {
        match self.home(vertex) {
            Some(home) if home.owner == self.turn => true,
            Some(_) if self.rules.residences_stop_roads => false,
            _ => self.has_road_at(vertex),
        }
    }

    fn paves(&self, edge: usize) -> bool {
        self.board.ends(edge).iter().any(|&vertex| self.leads_on(vertex))
            && self.roads.iter().all(|&(paved, _)| paved != edge)
    }

    fn victims(&self) -> Vec<usize> {
        let Some(tile) = self.geese else { return vec![] };
        let lives = |builder: usize| {
            let corners = self.board.vertices_of(tile);
            self.homes.iter().any(|home| home.owner == builder && corners.contains(&home.at))
        };
        let holds = |builder: usize| self.hands[builder].iter().sum::<u32>() > 0;
        (0..4).filter(|&builder| builder != self.turn && lives(builder) && holds(builder)).collect()
    }

    pub fn actions(&self, trades: bool) -> Vec<Action> {
        let mut actions = vec![];
        match self.stage {
            Stage::Setup(_) => {
                actions.extend((0..54).filter(|&vertex| self.stands(vertex)).map(|at| Action::Settle(vertex(at))));
            }
            Stage::Begin => actions.push(Action::Roll),
            Stage::Geese => {
                actions.extend((0..19).filter(|&tile| self.geese != Some(tile)).map(|at| Action::MoveGeese(tile(at))));
            }
            Stage::Rob => actions.extend(self.victims().into_iter().map(|victim| Action::Rob(Builder::ALL[victim]))),
            Stage::Turn => {
                actions.push(Action::EndTurn);
                if self.pays(self.turn, ROAD) {
                    let edges = (0..72).filter(|&edge| self.paves(edge));
                    actions.extend(edges.map(|at| Action::BuildRoad(Edge::new(number(at)).unwrap())));
                }
                if self.pays(self.turn, LEVELS[0]) {
                    let sites = (0..54).filter(|&site| self.stands(site) && self.has_road_at(site));
                    actions.extend(sites.map(|at| Action::BuildBasement(vertex(at))));
                }
                let mut own: Vec<&Home> = self.homes.iter().filter(|home| home.owner == self.turn).collect();
                own.sort_unstable_by_key(|home| home.at);
                for home in own.into_iter().filter(|home| home.level < 3) {
                    if self.pays(self.turn, LEVELS[home.level as usize]) {
                        actions.push(Action::Improve(vertex(home.at)));
                    }
                }
                if trades {
                    self.list_offers(&mut actions);
                }
            }
            Stage::Offer { to, take, .. } => {
                actions.push(Action::Refuse);
                if self.hands[to][take] > 0 {
                    actions.push(Action::Accept);
                }
            }
            Stage::Won => {}
        }
        actions
    }

    fn list_offers(&self, actions: &mut Vec<Action>) {
        for give in (0..5).filter(|&give| self.hands[self.turn][give] > 0) {
            for to in (1..4).map(|after| (self.turn + after) % 4) {
                for take in Resource::ALL {
                    actions.push(Action::Offer { to: Builder::ALL[to], give: Resource::ALL[give], take });
                }
            }
        }
    }

    pub fn apply(&mut self, action: Action, chance: &mut impl Chance) {
        let actor = self.actor();
        match action {
            Action::Settle(vertex) => {
                self.homes.push(Home { at: vertex.index(), owner: actor, level: 1 });
                let has_two = self.homes.iter().filter(|home| home.owner == actor).count() == 2;
                if has_two && self.rules.second_basement_produces {
                    for tile in (0..19).filter(|&tile| self.board.vertices_of(tile).contains(&vertex.index())) {
                        if let Some((kind, _)) = self.tiles[tile] {
                            self.hands[actor][kind] += 1;
                        }
                    }
                }
                let Stage::Setup(step) = self.stage else { panic!("not in the setup") };
                self.stage = if step < 7 { Stage::Setup(step + 1) } else { Stage::Begin };
            }
            Action::Roll => self.roll(chance.roll(), chance),
            Action::MoveGeese(tile) => {
                self.geese = Some(tile.index());
                self.stage = if self.victims().is_empty() { Stage::Turn } else { Stage::Rob };
            }
            Action::Rob(victim) => {
                let stolen = chance.steal(Hand::new(self.hands[victim.index()])).unwrap().index();
                self.hands[victim.index()][stolen] -= 1;
                self.hands[actor][stolen] += 1;
                self.stage = Stage::Turn;
            }
            Action::BuildRoad(edge) => {
                self.pay(ROAD);
                self.roads.push((edge.index(), actor));
            }
            Action::BuildBasement(vertex) => {
                self.pay(LEVELS[0]);
                self.homes.push(Home { at: vertex.index(), owner: actor, level: 1 });
            }
            Action::Improve(vertex) => {
                let home = self.homes.iter_mut().find(|home| home.at == vertex.index()).unwrap();
                home.level += 1;
                let price = LEVELS[home.level as usize - 1];
                self.pay(price);
            }
            Action::Offer { to, give, take } => {
                self.stage = Stage::Offer { to: to.index(), give: give.index(), take: take.index() };
            }
            Action::Accept => {
                let Stage::Offer { to, give, take } = self.stage else { panic!("nothing was offered") };
                self.hands[actor][give] -= 1;
                self.hands[to][give] += 1;
                self.hands[to][take] -= 1;
                self.hands[actor][take] += 1;
                self.stage = Stage::Turn;
            }
            Action::Refuse => self.stage = Stage::Turn,
            Action::EndTurn => {
                self.turn = (self.turn + 1) % 4;
                self.stage = Stage::Begin;
            }
        }
        if self.stage == Stage::Turn && self.points(actor) >= 10 {
            self.stage = Stage::Won;
        }
    }

    fn pay(&mut self, price: [u32; 5]) {
        for (held, price) in self.hands[self.turn].iter_mut().zip(price) {
            *held -= price;
        }
    }

    fn roll(&mut self, roll: Roll, chance: &mut impl Chance) {
        if roll.value() == 7 {
            for hand in &mut self.hands {
                let total: u32 = hand.iter().sum();
                if total >= 10 {
                    let lost = chance.discard(Hand::new(*hand), total / 2).counts();
                    for (held, lost) in hand.iter_mut().zip(lost) {
                        *held -= lost;
                    }
                }
            }
            self.stage = Stage::Geese;
            return;
        }
        for home in &self.homes {
            for tile in (0..19).filter(|&tile| self.board.vertices_of(tile).contains(&home.at)) {
                if let Some((kind, value)) = self.tiles[tile]
                    && value == roll.value()
                    && self.geese != Some(tile)
                {
                    self.hands[home.owner][kind] += home.level;
                }
            }
        }
        self.stage = Stage::Turn;
    }

    /// All differences from a position of the library.
    pub fn differs_from(&self, game: &Game) -> Option<String> {
        for builder in Builder::ALL {
            let own = builder.index();
            if game.hand(builder).counts() != self.hands[own] {
                return Some(format!("hand of {builder:?}: {:?} and {:?}", game.hand(builder), self.hands[own]));
            }
            if game.points(builder) != self.points(own) {
                return Some(format!("points of {builder:?}"));
            }
            let mut roads: Vec<_> = self.roads.iter().filter(|road| road.1 == own).map(|road| road.0).collect();
            roads.sort_unstable();
            if game.roads(builder).iter().map(Edge::index).collect::<Vec<_>>() != roads {
                return Some(format!("roads of {builder:?}"));
            }
            let mut homes: Vec<_> = self.homes.iter().filter(|home| home.owner == own).collect();
            homes.sort_unstable_by_key(|home| home.at);
            let found: Vec<_> = game.residences(builder).iter().map(|at| (at.index(), game.residence(at))).collect();
            let expected: Vec<_> = homes
                .iter()
                .map(|home| (home.at, Some(constructor::game::Residence::ALL[home.level as usize - 1])))
                .collect();
            if found != expected {
                return Some(format!("residences of {builder:?}: {found:?} and {expected:?}"));
            }
        }
        (game.geese().map(Tile::index) != self.geese).then(|| "the geese".to_owned())
    }
}

fn number(place: usize) -> i64 {
    place.try_into().unwrap()
}

fn vertex(at: usize) -> Vertex {
    Vertex::new(number(at)).unwrap()
}

fn tile(at: usize) -> Tile {
    Tile::new(number(at)).unwrap()
}
