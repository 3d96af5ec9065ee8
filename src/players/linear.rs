//! A player who adds up what speaks for an action, by weights that were tuned.

use std::fmt::Write;

use rand::Rng;
use thiserror::Error;

use super::greedy::{answer, units_at};
use super::ground::{Kinds, Yields, ways_to_yield};
use super::plan::{self, NOTHING, PRICES, THINGS, Units, possible, soon, sum, turns, units, waits};
use super::{Player, lines_with_something};
use crate::board::{Edge, EdgeSet, Ground, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Actions, Builder, GREED_LIMIT, Game, Hand, Phase};

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
    ("one-road", "how soon a road can be paid for after the first basement of the setup: 6 by 6 and the turns"),
    ("one-basement", "the same for a basement"),
    ("one-house", "the same for a house"),
    ("one-tower", "the same for a tower"),
    ("two-road", "how soon a road can be paid for after the second basement"),
    ("two-basement", "the same for a basement"),
    ("two-house", "the same for a house"),
    ("two-tower", "the same for a tower"),
    ("soon-road", "by how much sooner a road can be paid for with what is held"),
    ("soon-basement", "the same for a basement, where there is a site"),
    ("soon-house", "the same for a house, where there is a basement"),
    ("soon-tower", "the same for a tower, where there is a house"),
    ("later-road", "by how much sooner a road can be paid for when nothing is held"),
    ("later-basement", "the same for a basement"),
    ("later-house", "the same for a house"),
    ("later-tower", "the same for a tower"),
    ("theft-road", "by how much sooner a road can be paid for with what may be stolen, on average"),
    ("theft-basement", "the same for a basement, where there is a site"),
    ("theft-house", "the same for a house, where there is a basement"),
    ("theft-tower", "the same for a tower, where there is a house"),
    (
        "harm-road",
        "by how much less soon another can pay for a road when the geese are on a tile, for each of their points",
    ),
    ("harm-basement", "the same for a basement"),
    ("harm-house", "the same for a house"),
    ("harm-tower", "the same for a tower"),
    ("wanted-basement", "a basement where another could build one too"),
    (
        "wanted-to-site",
        "what a site at the end of a road is worth where another could build, besides what is said above",
    ),
    ("wanted-towards", "the same for a site one road farther on"),
    ("wanted-guard", "what an own site at the end of a road is worth, where another could build that road"),
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
const ONE: usize = 27;
const TWO: usize = 31;
const SOON: usize = 35;
const LATER: usize = 39;
const THEFT: usize = 43;
const HARM: usize = 47;
const WANTED_BASEMENT: usize = 51;
const WANTED_TO: usize = 52;
const WANTED_TOWARDS: usize = 53;
const WANTED_GUARD: usize = 54;

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
    pub const COUNT: usize = 55;

    /// So many of them do not look at when things can be paid for; the normal player has no others.
    pub const PLANNED: usize = ONE;

    /// Those that were tuned for the normal player.
    #[must_use]
    pub fn tuned() -> Self {
        thread_local! {
            // Read once, since a player is made for every game. That it can be read is tested.
            static TUNED: Weights = Weights::read(include_str!("linear.txt")).unwrap_or(Weights([0.0; Weights::COUNT]));
        }
        TUNED.with(Self::clone)
    }

    /// Those that were tuned for whoever plays games out to look ahead.
    #[must_use]
    pub fn planner() -> Self {
        thread_local! {
            static PLANNER: Weights = Weights::read(include_str!("planner.txt")).unwrap_or(Weights([0.0; Weights::COUNT]));
        }
        PLANNER.with(Self::clone)
    }

    /// Reads a line `name number` for each weight. What comes behind a `#` is not read.
    ///
    /// # Errors
    /// Where the text differs from that.
    pub fn read(text: &str) -> Result<Self, NoWeights> {
        let mut weights = [0.0; Self::COUNT];
        for ((weight, (wanted, _)), (line, text)) in weights.iter_mut().zip(NAMES).zip(lines_with_something(text)) {
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
    /// Whether it counts for something when things can be paid for.
    plans: bool,
    yields: Option<Yields>,
    /// What the resources around each vertex are worth, and on which layout.
    worth: [f32; Vertex::COUNT],
    worth_of: Option<u64>,
}

impl Default for Linear {
    fn default() -> Self {
        Self::new(Weights::tuned())
    }
}

impl Linear {
    /// A player with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let plans = weights.0[ONE..].iter().any(|&weight| weight != 0.0);
        Self { weights, plans, yields: None, worth: [0.0; Vertex::COUNT], worth_of: None }
    }

    fn know(&mut self, game: &Game) {
        let yields = Yields::known(&mut self.yields, game);
        if self.worth_of != Some(game.layout_key()) {
            self.worth_of = Some(game.layout_key());
            for vertex in Vertex::all() {
                let ways = yields.of_each(vertex).into_iter().zip(self.weights.0);
                self.worth[vertex.index()] = ways.map(|(ways, weight)| f32::from(ways) * weight).sum();
            }
        }
    }

    fn kinds(&self, vertex: Vertex) -> Kinds {
        self.yields.as_ref().map_or(0, |yields| yields.kinds(vertex))
    }

    /// What a residence at the vertex gains in 36 rolls.
    fn gain(&self, vertex: Vertex) -> Units {
        self.yields.as_ref().map_or(NOTHING, |yields| yields.of_each(vertex).map(f32::from))
    }

    /// What a basement at the vertex is worth to somebody with an income of these kinds.
    fn site(&self, vertex: Vertex, income: Kinds) -> f32 {
        let new = self.kinds(vertex) & !income;
        let firsts = Resource::ALL.iter().filter(|kind| new >> kind.index() & 1 == 1);
        self.worth(vertex) + firsts.map(|kind| self.weights.0[FIRST + kind.index()]).sum::<f32>()
    }

    fn worth(&self, vertex: Vertex) -> f32 {
        self.worth[vertex.index()]
    }

    fn income(&self, residences: VertexSet) -> Kinds {
        self.yields.as_ref().map_or(0, |yields| yields.income(residences))
    }

    fn best_site(&self, sites: VertexSet, income: Kinds) -> f32 {
        sites.iter().map(|site| self.site(site, income)).fold(0.0, f32::max)
    }

    fn settle(&self, game: &Game, builder: Builder, sites: VertexSet) -> Option<Vertex> {
        let own = game.residences(builder);
        let income = self.income(own);
        let value = |site: Vertex| {
            let beside = site.neighbours();
            let two_away = beside.iter().fold(VertexSet::EMPTY, |all, vertex| all | vertex.neighbours());
            let room = small((two_away & (game.sites() - VertexSet::EMPTY.with(site))).len());
            let planned = if self.plans { self.planned_setup(own, site) } else { 0.0 };
            self.site(site, income) + self.weights.0[ROOM] * room + planned
        };
        best(sites.iter(), value)
    }

    /// What speaks for a site of the setup by what could be paid for.
    fn planned_setup(&self, own: VertexSet, site: Vertex) -> f32 {
        let income = own.iter().fold(self.gain(site), |income, vertex| sum(income, self.gain(vertex)));
        let waits = waits(income);
        let weights = &self.weights.0[if own.is_empty() { ONE } else { TWO }..];
        let each = PRICES.into_iter().zip(weights);
        each.map(|(price, weight)| weight * soon(turns(price, NOTHING, waits))).sum()
    }

    fn in_turn(&self, game: &Game, actions: &Actions, builder: Builder) -> Action {
        let weight = &self.weights.0;
        let mut chosen = (if game.hand(builder).total() >= GREED_LIMIT { -weight[MUCH] } else { 0.0 }, Action::EndTurn);
        let plan = self.plans.then(|| Plan::of(game, builder));
        let planned = |thing: usize, vertex: Option<Vertex>| {
            plan.as_ref().map_or(0.0, |plan| plan.gain(weight, thing, vertex.map(|vertex| self.gain(vertex))))
        };
        let mut consider = |value: f32, action: Action| {
            if value > chosen.0 {
                chosen = (value, action);
            }
        };
        for vertex in actions.improvements().iter() {
            let kind = if game.houses().contains(vertex) { TOWER } else { HOUSE };
            let planned = planned(if kind == TOWER { plan::TOWER } else { plan::HOUSE }, Some(vertex));
            consider(weight[kind] + weight[kind + 1] * self.worth(vertex) + planned, Action::Improve(vertex));
        }
        if !actions.basements().is_empty() || !actions.roads().is_empty() {
            let income = self.income(game.residences(builder));
            let wanted = if self.plans { Wanted::by_others(game, builder) } else { Wanted::NOTHING };
            for vertex in actions.basements().iter() {
                let besides = if wanted.sites.contains(vertex) { weight[WANTED_BASEMENT] } else { 0.0 };
                let value = weight[BASEMENT] + weight[BASEMENT + 1] * self.site(vertex, income) + besides;
                let planned = planned(plan::BASEMENT, Some(vertex));
                consider(value + planned, Action::BuildBasement(vertex));
            }
            let besides = if game.basement_sites(builder).is_empty() { 0.0 } else { weight[ROAD_BESIDES] };
            let planned = if actions.roads().is_empty() { 0.0 } else { planned(plan::ROAD, None) };
            for edge in actions.roads().iter() {
                consider(
                    weight[ROAD] + besides + planned + self.road(game, builder, edge, income, &wanted),
                    Action::BuildRoad(edge),
                );
            }
        }
        chosen.1
    }

    /// What speaks for a road by the sites to which it leads.
    fn road(&self, game: &Game, builder: Builder, edge: Edge, income: Kinds, wanted: &Wanted) -> f32 {
        let weight = &self.weights.0;
        let ends: VertexSet = edge.ends().into_iter().collect();
        let beside = ends.iter().fold(VertexSet::EMPTY, |near, end| near | end.neighbours());
        let own = game.basement_sites(builder);
        let new = game.sites() - own;
        let best = |sites: VertexSet, each: usize, besides: usize| {
            let free = weight[each] * self.best_site(sites - wanted.sites, income);
            free.max((weight[each] + weight[besides]) * self.best_site(sites & wanted.sites, income))
        };
        let to = best(ends & new, ROAD_TO, WANTED_TO);
        let towards = best((beside - ends) & new, ROAD_TOWARDS, WANTED_TOWARDS);
        let guard = if wanted.roads.contains(edge) { self.best_site(ends & own, income) } else { 0.0 };
        to.max(towards) + weight[WANTED_GUARD] * guard
    }

    fn geese(&self, game: &Game, builder: Builder) -> Option<Action> {
        let weight = &self.weights.0;
        let incomes = game.incomes();
        let plans = self.plans.then(|| Builder::ALL.map(|other| Plan::with(game, other, incomes[other.index()])));
        let wants = plans.as_ref().map_or(NOTHING, |plans| plans[builder.index()].wants(weight));
        // Of those who have nothing, nothing is stolen.
        let theft = Builder::ALL.map(|other| {
            if game.hand(other).is_empty() { 0.0 } else { weight[GEESE_THEFT] + worth_of_theft(game, other, wants) }
        });
        let value = |tile: Tile| {
            let mut value = 0.0;
            let mut stolen = 0.0_f32;
            for other in Builder::ALL {
                let units = units_at(game, game.residences(other), tile);
                if units == 0 {
                    continue;
                }
                let kept = small(units) * ways(game, tile);
                if other == builder {
                    value -= weight[GEESE_OWN] * kept;
                    continue;
                }
                let harm = match (&plans, game.layout()[tile]) {
                    (Some(plans), Ground::Yields(kind, _)) => plans[other.index()].harm(weight, kind, kept),
                    _ => 0.0,
                };
                value += (weight[GEESE_POINTS] * kept + harm) * small(game.points(other));
                stolen = stolen.max(theft[other.index()]);
            }
            value + stolen
        };
        best(game.tiles_without_geese().iter(), value).map(Action::MoveGeese)
    }

    fn victim(&self, game: &Game, builder: Builder) -> Option<Builder> {
        let wants = if self.plans { Plan::of(game, builder).wants(&self.weights.0) } else { NOTHING };
        let value = |victim: Builder| {
            let units = small(game.hand(victim).total().min(100));
            self.weights.0[ROB_POINTS] * small(game.points(victim))
                + self.weights.0[ROB_UNITS] * units
                + worth_of_theft(game, victim, wants)
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

/// Where others could build, if they could pay for it.
struct Wanted {
    sites: VertexSet,
    roads: EdgeSet,
}

impl Wanted {
    const NOTHING: Self = Self { sites: VertexSet::EMPTY, roads: EdgeSet::EMPTY };

    fn by_others(game: &Game, builder: Builder) -> Self {
        let others = Builder::ALL.into_iter().filter(|&other| other != builder);
        others.fold(Self::NOTHING, |wanted, other| Self {
            sites: wanted.sites | game.basement_sites(other),
            roads: wanted.roads | game.road_sites(other),
        })
    }
}

/// When things can be paid for.
struct Plan {
    held: Units,
    income: Units,
    waits: Units,
    possible: [bool; THINGS],
    /// How soon each thing can be paid for with what is held, and when nothing is.
    soon: [f32; THINGS],
    later: [f32; THINGS],
}

impl Plan {
    fn of(game: &Game, builder: Builder) -> Self {
        Self::with(game, builder, game.incomes()[builder.index()])
    }

    /// The plan of a builder who gains so much in 36 rolls.
    fn with(game: &Game, builder: Builder, income: Hand) -> Self {
        let (held, income) = (units(game.hand(builder)), units(income));
        let waits = waits(income);
        let (mut soon_with, mut later) = ([0.0; THINGS], [0.0; THINGS]);
        for (thing, price) in PRICES.into_iter().enumerate() {
            soon_with[thing] = soon(turns(price, held, waits));
            later[thing] = soon(turns(price, NOTHING, waits));
        }
        Self { held, income, waits, possible: possible(game, builder), soon: soon_with, later }
    }

    /// What it counts for to build a thing and to gain more from then on.
    fn gain(&self, weight: &[f32; Weights::COUNT], built: usize, more: Option<Units>) -> f32 {
        let held = sum(self.held, PRICES[built].map(|units| -units));
        let waits = more.map_or(self.waits, |more| waits(sum(self.income, more)));
        let mut gain = 0.0;
        for (thing, price) in PRICES.into_iter().enumerate() {
            if self.possible[thing] {
                gain += weight[SOON + thing] * (soon(turns(price, held, waits)) - self.soon[thing]);
            }
            if more.is_some() {
                let later = soon(turns(price, NOTHING, waits));
                gain += weight[LATER + thing] * (later - self.later[thing]);
            }
        }
        gain
    }

    /// What it counts for that so much of a resource is kept from whoever plans this.
    fn harm(&self, weight: &[f32; Weights::COUNT], kind: Resource, kept: f32) -> f32 {
        let mut waits = self.waits;
        waits[kind.index()] = plan::wait(self.income[kind.index()] - kept);
        let each = PRICES.into_iter().enumerate();
        each.map(|(thing, price)| weight[HARM + thing] * (self.soon[thing] - soon(turns(price, self.held, waits))))
            .sum()
    }

    /// What it counts for to hold one more of each resource.
    fn wants(&self, weight: &[f32; Weights::COUNT]) -> Units {
        std::array::from_fn(|index| {
            let mut held = self.held;
            held[index] += 1.0;
            let things = PRICES.into_iter().enumerate().filter(|&(thing, _)| self.possible[thing]);
            let sooner = |thing: usize, price| soon(turns(price, held, self.waits)) - self.soon[thing];
            things.map(|(thing, price)| weight[THEFT + thing] * sooner(thing, price)).sum()
        })
    }
}

/// What it counts for to take one of the units of a builder who has some, all equally likely.
fn worth_of_theft(game: &Game, victim: Builder, wants: Units) -> f32 {
    let held = units(game.hand(victim));
    let worth: f32 = held.into_iter().zip(wants).map(|(held, worth)| held * worth).sum();
    worth / held.into_iter().sum::<f32>()
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
