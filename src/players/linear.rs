//! A player who adds up what speaks for an action, by weights that were tuned.

use std::fmt::Write;

use rand::Rng;
use thiserror::Error;

use super::Player;
use super::greedy::{answer, units_at, ways_to_yield};
use crate::board::{Edge, Ground, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Actions, Builder, GREED_LIMIT, Game, Phase};

/// What each thing that speaks for an action counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub [f32; Weights::COUNT]);

/// The names of the weights, as their file lists them, and what each is multiplied with.
const NAMES: [(&str, &str); Weights::COUNT] = [
    ("brick", "each of the 36 ways to roll that yields brick at a vertex"),
    ("energy", "the same for energy"),
    ("glass", "the same for glass"),
    ("heat", "the same for heat"),
    ("wifi", "the same for WiFi"),
    ("first-brick", "brick at a vertex, while nothing yields it yet"),
    ("first-energy", "the same for energy"),
    ("first-glass", "the same for glass"),
    ("first-heat", "the same for heat"),
    ("first-wifi", "the same for WiFi"),
    ("room", "each free site two roads away, in the setup"),
    ("basement", "a basement"),
    ("basement-worth", "what its vertex is worth"),
    ("house", "a house"),
    ("house-worth", "what its vertex is worth"),
    ("tower", "a tower"),
    ("tower-worth", "what its vertex is worth"),
    ("road", "a road"),
    ("road-to-site", "what the best site at its end is worth"),
    ("road-towards-site", "what the best site one road farther on is worth"),
    ("road-besides", "a road while there is a site already"),
    ("much", "building anything, when ten units or more are held"),
    ("geese-own", "each unit that the geese keep from oneself, on a tile, in 36 rolls"),
    ("geese-points", "each unit that they keep from another, for each of their points"),
    ("geese-theft", "somebody to rob"),
    ("rob-points", "each point of who is robbed"),
    ("rob-units", "each unit of who is robbed"),
];

const FIRST: usize = 5;
const ROOM: usize = 10;
const BASEMENT: usize = 11;
const HOUSE: usize = 13;
const TOWER: usize = 15;
const ROAD: usize = 17;
const ROAD_TO: usize = 18;
const ROAD_TOWARDS: usize = 19;
const ROAD_BESIDES: usize = 20;
const MUCH: usize = 21;
const GEESE_OWN: usize = 22;
const GEESE_POINTS: usize = 23;
const GEESE_THEFT: usize = 24;
const ROB_POINTS: usize = 25;
const ROB_UNITS: usize = 26;

/// Why a text is not one of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: wanted is '{wanted}' and a number")]
pub struct NoWeights {
    /// The number of the line, from 1.
    line: usize,
    /// What should be there.
    wanted: &'static str,
}

impl Weights {
    /// How many there are.
    pub const COUNT: usize = 27;

    /// Those that were tuned.
    #[must_use]
    pub fn tuned() -> Self {
        thread_local! {
            // Read once, since a player is made for every game. That it can be read is tested.
            static TUNED: Weights = Weights::read(include_str!("linear.txt")).unwrap_or(Weights([0.0; Weights::COUNT]));
        }
        TUNED.with(Self::clone)
    }

    /// Reads a line `name number` for each weight. What comes behind a `#` is not read.
    ///
    /// # Errors
    /// Where the text differs from that.
    pub fn read(text: &str) -> Result<Self, NoWeights> {
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("")));
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let mut weights = [0.0; Self::COUNT];
        for (weight, (wanted, _)) in weights.iter_mut().zip(NAMES) {
            let (line, text) = lines.next().unwrap_or((text.lines().count() + 1, ""));
            let mut words = text.split_whitespace();
            let number = (words.next() == Some(wanted)).then(|| words.next()).flatten();
            let number = number.and_then(|word| word.parse().ok()).filter(|number: &f32| number.is_finite());
            *weight = number.ok_or(NoWeights { line, wanted })?;
        }
        Ok(Self(weights))
    }

    /// The text that is read, with what each weight is multiplied with.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (weight, (name, meaning)) in self.0.iter().zip(NAMES) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name:<18} {weight:>9.3}  # {meaning}");
        }
        text
    }
}

/// Does what has most speaking for it, by [`Weights`]; nothing speaks for or against the end of a turn. Does not draw.
#[derive(Clone, Debug)]
pub struct Linear {
    weights: Weights,
    known: Option<Known>,
}

/// What is known of a layout.
#[derive(Clone, Debug)]
struct Known {
    layout_key: u64,
    /// What the resources around a vertex are worth.
    worth: [f32; Vertex::COUNT],
    /// A bit for each resource around it.
    kinds: [u8; Vertex::COUNT],
}

impl Default for Linear {
    fn default() -> Self {
        Self::new(Weights::tuned())
    }
}

impl Linear {
    /// A player with these weights.
    #[must_use]
    pub const fn new(weights: Weights) -> Self {
        Self { weights, known: None }
    }

    fn know(&mut self, game: &Game) {
        if self.known.as_ref().is_none_or(|known| known.layout_key != game.layout_key()) {
            let (mut worth, mut kinds) = ([0.0; Vertex::COUNT], [0; Vertex::COUNT]);
            for tile in Tile::all() {
                if let Ground::Yields(resource, _) = game.layout()[tile] {
                    for vertex in tile.vertices() {
                        worth[vertex.index()] += self.weights.0[resource.index()] * ways(game, tile);
                        kinds[vertex.index()] |= 1 << resource.index();
                    }
                }
            }
            self.known = Some(Known { layout_key: game.layout_key(), worth, kinds });
        }
    }

    /// What a basement at the vertex is worth to somebody with an income of these kinds.
    fn site(&self, vertex: Vertex, income: u8) -> f32 {
        let Some(known) = &self.known else { return 0.0 };
        let new = known.kinds[vertex.index()] & !income;
        let firsts = Resource::ALL.iter().filter(|kind| new >> kind.index() & 1 == 1);
        known.worth[vertex.index()] + firsts.map(|kind| self.weights.0[FIRST + kind.index()]).sum::<f32>()
    }

    fn worth(&self, vertex: Vertex) -> f32 {
        self.known.as_ref().map_or(0.0, |known| known.worth[vertex.index()])
    }

    fn income(&self, residences: VertexSet) -> u8 {
        let Some(known) = &self.known else { return 0 };
        residences.iter().fold(0, |kinds, vertex| kinds | known.kinds[vertex.index()])
    }

    fn best_site(&self, sites: VertexSet, income: u8) -> f32 {
        sites.iter().map(|site| self.site(site, income)).fold(0.0, f32::max)
    }

    fn settle(&self, game: &Game, builder: Builder, sites: VertexSet) -> Option<Vertex> {
        let income = self.income(game.residences(builder));
        let value = |site: Vertex| {
            let beside = site.neighbours();
            let two_away = beside.iter().fold(VertexSet::EMPTY, |all, vertex| all | vertex.neighbours());
            #[expect(clippy::cast_precision_loss, reason = "at most six sites")]
            let room = (two_away & (game.sites() - VertexSet::EMPTY.with(site))).len() as f32;
            self.site(site, income) + self.weights.0[ROOM] * room
        };
        best(sites.iter(), value)
    }

    fn in_turn(&self, game: &Game, actions: &Actions, builder: Builder) -> Action {
        let weight = &self.weights.0;
        let mut chosen = (if game.hand(builder).total() >= GREED_LIMIT { -weight[MUCH] } else { 0.0 }, Action::EndTurn);
        let mut consider = |value: f32, action: Action| {
            if value > chosen.0 {
                chosen = (value, action);
            }
        };
        for vertex in actions.improvements().iter() {
            let kind = if game.houses().contains(vertex) { TOWER } else { HOUSE };
            consider(weight[kind] + weight[kind + 1] * self.worth(vertex), Action::Improve(vertex));
        }
        if !actions.basements().is_empty() || !actions.roads().is_empty() {
            let income = self.income(game.residences(builder));
            for vertex in actions.basements().iter() {
                let value = weight[BASEMENT] + weight[BASEMENT + 1] * self.site(vertex, income);
                consider(value, Action::BuildBasement(vertex));
            }
            let besides = if game.basement_sites(builder).is_empty() { 0.0 } else { weight[ROAD_BESIDES] };
            for edge in actions.roads().iter() {
                consider(weight[ROAD] + besides + self.road(game, builder, edge, income), Action::BuildRoad(edge));
            }
        }
        chosen.1
    }

    /// What speaks for a road by the sites to which it leads.
    fn road(&self, game: &Game, builder: Builder, edge: Edge, income: u8) -> f32 {
        let ends: VertexSet = edge.ends().into_iter().collect();
        let beside = ends.iter().fold(VertexSet::EMPTY, |near, end| near | end.neighbours());
        let new = game.sites() - game.basement_sites(builder);
        let to = self.weights.0[ROAD_TO] * self.best_site(ends & new, income);
        let towards = self.weights.0[ROAD_TOWARDS] * self.best_site((beside - ends) & new, income);
        to.max(towards)
    }

    fn geese(&self, game: &Game, builder: Builder) -> Option<Action> {
        let weight = &self.weights.0;
        let value = |tile: Tile| {
            let mut value = 0.0;
            let mut theft = 0.0;
            for other in Builder::ALL {
                let units = units_at(game, game.residences(other), tile);
                if units == 0 {
                    continue;
                }
                let kept = small(units) * ways(game, tile);
                if other == builder {
                    value -= weight[GEESE_OWN] * kept;
                } else {
                    value += weight[GEESE_POINTS] * kept * small(game.points(other));
                    if !game.hand(other).is_empty() {
                        theft = weight[GEESE_THEFT];
                    }
                }
            }
            value + theft
        };
        best(game.tiles_without_geese().iter(), value).map(Action::MoveGeese)
    }

    fn victim(&self, game: &Game, builder: Builder) -> Option<Builder> {
        let value = |victim: Builder| {
            let units = small(game.hand(victim).total().min(100));
            self.weights.0[ROB_POINTS] * small(game.points(victim)) + self.weights.0[ROB_UNITS] * units
        };
        best(game.victims(builder).iter(), value)
    }

    pub(super) fn decide(&mut self, game: &Game, actions: &Actions) -> Option<Action> {
        self.know(game);
        match game.phase() {
            Phase::Setup(_) => self.settle(game, game.to_act()?, actions.basements()).map(Action::Settle),
            Phase::TurnStart(_) => Some(Action::Roll),
            Phase::MoveGeese(builder) => self.geese(game, builder),
            Phase::Rob(builder) => self.victim(game, builder).map(Action::Rob),
            Phase::DuringTurn(builder) => Some(self.in_turn(game, actions, builder)),
            Phase::Offered(offer) => Some(answer(game, offer)),
            Phase::Over(_) => None,
        }
    }
}

impl Player for Linear {
    fn choose(&mut self, game: &Game, actions: &Actions, _random: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }
}

/// The first of those with the greatest value.
fn best<T: Copy>(all: impl Iterator<Item = T>, value: impl Fn(T) -> f32) -> Option<T> {
    let mut best = None;
    for one in all {
        let value = value(one);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, one));
        }
    }
    best.map(|(_, one)| one)
}

#[expect(clippy::cast_precision_loss, reason = "less than a thousand")]
fn small(count: u32) -> f32 {
    count as f32
}

/// In how many of 36 ways two dice make the tile yield.
fn ways(game: &Game, tile: Tile) -> f32 {
    ways_to_yield(game.layout()[tile]).into()
}
