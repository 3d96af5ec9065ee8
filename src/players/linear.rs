//! The normal player: scores actions by a weighted sum of features.

use rand::Rng;

use super::build_times::{
    Buildable, COSTS, NOTHING, ResourceVec, discount, has_place_for, sum, turns_for_one, turns_per_unit,
    turns_to_afford, units,
};
use super::candidates::resource_of;
use super::greedy::answer;
use super::site_values::{ResourceMask, SiteValues};
use super::weights::{Feature, Weights};
use super::{Player, first_max_by};
use crate::board::{Edge, EdgeSet, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Builder, DISCARD_LIMIT, Game, Hand, LegalActions, Phase};

/// Plays the action with the highest score: a sum of features with [`Weights`]. Ending the turn scores 0. Deterministic.
#[derive(Clone, Debug)]
pub struct Linear {
    weights: Weights,
    /// Whether any weight involves build times; they are not computed otherwise.
    uses_build_times: bool,
    site_values: Option<SiteValues>,
    /// The weighted pips of each vertex, and the layout hash that they belong to.
    pip_scores: [f32; Vertex::COUNT],
    pip_scores_of: Option<u64>,
}

/// The normal player.
impl Default for Linear {
    fn default() -> Self {
        Self::new(Weights::normal())
    }
}

impl Linear {
    /// A player with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let uses_build_times = weights.use_build_times();
        let pip_scores = [0.0; Vertex::COUNT];
        Self { weights, uses_build_times, site_values: None, pip_scores, pip_scores_of: None }
    }

    fn refresh_cache(&mut self, game: &Game) {
        let values = SiteValues::cached_for(&mut self.site_values, game);
        if self.pip_scores_of != Some(game.layout_hash()) {
            self.pip_scores_of = Some(game.layout_hash());
            for vertex in Vertex::all() {
                let pips = values.pips_by_resource(vertex).into_iter().zip(self.weights.0);
                self.pip_scores[vertex.index()] = pips.map(|(pips, weight)| f32::from(pips) * weight).sum();
            }
        }
    }

    fn resources(&self, vertex: Vertex) -> ResourceMask {
        self.site_values.as_ref().map_or(0, |values| values.resources(vertex))
    }

    /// The income per 36 rolls of a basement at the vertex.
    fn income_at(&self, vertex: Vertex) -> ResourceVec {
        self.site_values.as_ref().map_or(NOTHING, |values| values.pips_by_resource(vertex).map(f32::from))
    }

    /// The score of a basement at the vertex for a builder who already gains the resources `income`.
    fn site_score(&self, vertex: Vertex, income: ResourceMask) -> f32 {
        let new = self.resources(vertex) & !income;
        let firsts = Resource::ALL.iter().filter(|kind| new >> kind.index() & 1 == 1);
        let first_weight = |kind: &Resource| self.weights.0[Feature::FirstBrick as usize + kind.index()];
        self.pip_score(vertex) + firsts.map(first_weight).sum::<f32>()
    }

    fn pip_score(&self, vertex: Vertex) -> f32 {
        self.pip_scores[vertex.index()]
    }

    fn income(&self, residences: VertexSet) -> ResourceMask {
        self.site_values.as_ref().map_or(0, |values| values.income(residences))
    }

    fn best_site_score(&self, sites: VertexSet, income: ResourceMask) -> f32 {
        sites.iter().map(|site| self.site_score(site, income)).fold(0.0, f32::max)
    }

    fn choose_first_site(&self, game: &Game, builder: Builder, sites: VertexSet) -> Option<Vertex> {
        let own = game.residences(builder);
        let income = self.income(own);
        let score = |site: Vertex| {
            let near = site.neighbours();
            let two_away = near.iter().fold(VertexSet::EMPTY, |all, vertex| all | vertex.neighbours());
            let room = to_f32((two_away & (game.free_sites() - VertexSet::EMPTY.with(site))).len());
            let build_times = if self.uses_build_times { self.setup_build_times_score(own, site) } else { 0.0 };
            self.site_score(site, income) + self.weights[Feature::Room] * room + build_times
        };
        first_max_by(sites.iter(), score)
    }

    /// The score of a site of the setup by the build times that it allows.
    fn setup_build_times_score(&self, own: VertexSet, site: Vertex) -> f32 {
        let income = own.iter().fold(self.income_at(site), |income, vertex| sum(income, self.income_at(vertex)));
        let per_unit = turns_per_unit(income);
        let first = if own.is_empty() { Feature::OneRoad } else { Feature::TwoRoad };
        let costs = COSTS.into_iter().zip(&self.weights.0[first as usize..]);
        costs.map(|(cost, weight)| weight * discount(turns_to_afford(cost, NOTHING, per_unit))).sum()
    }

    fn decide_in_turn(&self, game: &Game, actions: &LegalActions, builder: Builder) -> Action {
        let weights = &self.weights;
        let end_turn = if game.hand(builder).total() >= DISCARD_LIMIT { -weights[Feature::Much] } else { 0.0 };
        let mut chosen = (end_turn, Action::EndTurn);
        let build_times = self.uses_build_times.then(|| BuildTimes::of(game, builder));
        let build_times_score = |built: Buildable, vertex: Option<Vertex>| {
            let income = vertex.map(|vertex| self.income_at(vertex));
            build_times.as_ref().map_or(0.0, |build_times| build_times.score_of_building(weights, built, income))
        };
        let mut consider = |score: f32, action: Action| {
            if score > chosen.0 {
                chosen = (score, action);
            }
        };
        for vertex in actions.improvements().iter() {
            let (kind, worth, built) = if game.houses().contains(vertex) {
                (Feature::Tower, Feature::TowerWorth, Buildable::Tower)
            } else {
                (Feature::House, Feature::HouseWorth, Buildable::House)
            };
            let build_times = build_times_score(built, Some(vertex));
            let score = weights[kind] + weights[worth] * self.pip_score(vertex) + build_times;
            consider(score, Action::Improve(vertex));
        }
        if !actions.basements().is_empty() || !actions.roads().is_empty() {
            let income = self.income(game.residences(builder));
            let contested =
                if self.uses_build_times { Contested::by_others(game, builder) } else { Contested::NOTHING };
            for vertex in actions.basements().iter() {
                let contest = if contested.sites.contains(vertex) { weights[Feature::WantedBasement] } else { 0.0 };
                let site = weights[Feature::BasementWorth] * self.site_score(vertex, income);
                let score = weights[Feature::Basement] + site + contest;
                let build_times = build_times_score(Buildable::Basement, Some(vertex));
                consider(score + build_times, Action::BuildBasement(vertex));
            }
            let has_site = !game.basement_sites(builder).is_empty();
            let besides = if has_site { weights[Feature::RoadBesides] } else { 0.0 };
            let build_times = if actions.roads().is_empty() { 0.0 } else { build_times_score(Buildable::Road, None) };
            for edge in actions.roads().iter() {
                let sites = self.road_score(game, builder, edge, income, &contested);
                consider(weights[Feature::Road] + besides + build_times + sites, Action::BuildRoad(edge));
            }
        }
        chosen.1
    }

    /// The score of a road by the sites that it leads to.
    fn road_score(
        &self,
        game: &Game,
        builder: Builder,
        edge: Edge,
        income: ResourceMask,
        contested: &Contested,
    ) -> f32 {
        let weights = &self.weights;
        let ends: VertexSet = edge.ends().into_iter().collect();
        let near = ends.iter().fold(VertexSet::EMPTY, |near, end| near | end.neighbours());
        let own = game.basement_sites(builder);
        let new = game.free_sites() - own;
        let best = |sites: VertexSet, weight: Feature, contest: Feature| {
            let uncontested = weights[weight] * self.best_site_score(sites - contested.sites, income);
            let contested = self.best_site_score(sites & contested.sites, income);
            uncontested.max((weights[weight] + weights[contest]) * contested)
        };
        let to_site = best(ends & new, Feature::RoadToSite, Feature::WantedToSite);
        let towards_site = best((near - ends) & new, Feature::RoadTowardsSite, Feature::WantedTowards);
        let guard = if contested.roads.contains(edge) { self.best_site_score(ends & own, income) } else { 0.0 };
        to_site.max(towards_site) + weights[Feature::WantedGuard] * guard
    }

    fn move_geese(&self, game: &Game, builder: Builder) -> Option<Action> {
        let weights = &self.weights;
        let incomes = game.incomes_per_36_rolls();
        let build_times = self
            .uses_build_times
            .then(|| Builder::ALL.map(|other| BuildTimes::with_income(game, other, incomes[other.index()])));
        let unit_scores =
            build_times.as_ref().map_or(NOTHING, |build_times| build_times[builder.index()].unit_scores(weights));
        let theft_scores = Builder::ALL.map(|other| {
            let can_rob = !game.hand(other).is_empty();
            if can_rob { weights[Feature::GeeseTheft] + theft_score(game, other, unit_scores) } else { 0.0 }
        });
        let score = |tile: Tile| {
            let mut score = 0.0;
            let mut best_theft = 0.0_f32;
            for other in Builder::ALL {
                let units = game.units_on(other, tile);
                if units == 0 {
                    continue;
                }
                let blocked = to_f32(units) * f32::from(game.layout()[tile].pips());
                if other == builder {
                    score -= weights[Feature::GeeseOwn] * blocked;
                    continue;
                }
                let harm = match (&build_times, resource_of(game.layout()[tile])) {
                    (Some(build_times), Some(kind)) => build_times[other.index()].harm_score(weights, kind, blocked),
                    _ => 0.0,
                };
                score += (weights[Feature::GeesePoints] * blocked + harm) * to_f32(game.points(other));
                best_theft = best_theft.max(theft_scores[other.index()]);
            }
            score + best_theft
        };
        first_max_by(game.tiles_without_geese().iter(), score).map(Action::MoveGeese)
    }

    fn choose_victim(&self, game: &Game, builder: Builder) -> Option<Builder> {
        let weights = &self.weights;
        let unit_scores =
            if self.uses_build_times { BuildTimes::of(game, builder).unit_scores(weights) } else { NOTHING };
        let score = |victim: Builder| {
            let units = to_f32(game.hand(victim).total().min(100));
            weights[Feature::RobPoints] * to_f32(game.points(victim))
                + weights[Feature::RobUnits] * units
                + theft_score(game, victim, unit_scores)
        };
        first_max_by(game.victims(builder).iter(), score)
    }

    pub(super) fn decide(&mut self, game: &Game, actions: &LegalActions) -> Option<Action> {
        self.refresh_cache(game);
        match game.phase() {
            Phase::Setup(_) => {
                self.choose_first_site(game, game.current_player()?, actions.basements()).map(Action::Settle)
            }
            Phase::TurnStart(_) => Some(Action::Roll),
            Phase::MoveGeese(builder) => self.move_geese(game, builder),
            Phase::Rob(builder) => self.choose_victim(game, builder).map(Action::Rob),
            Phase::DuringTurn(builder) => Some(self.decide_in_turn(game, actions, builder)),
            Phase::Offered(offer) => Some(answer(game, offer)),
            Phase::Over(_) => None,
        }
    }
}

/// The sites and edges where other builders could build, resources aside.
struct Contested {
    sites: VertexSet,
    roads: EdgeSet,
}

impl Contested {
    const NOTHING: Self = Self { sites: VertexSet::EMPTY, roads: EdgeSet::EMPTY };

    fn by_others(game: &Game, builder: Builder) -> Self {
        builder.others().fold(Self::NOTHING, |contested, other| Self {
            sites: contested.sites | game.basement_sites(other),
            roads: contested.roads | game.road_sites(other),
        })
    }
}

/// When a builder can afford each thing to build.
struct BuildTimes {
    held: ResourceVec,
    income: ResourceVec,
    turns_per_unit: ResourceVec,
    has_place: [bool; Buildable::COUNT],
    /// The discounts with the current hand, and with an empty one.
    soon: [f32; Buildable::COUNT],
    later: [f32; Buildable::COUNT],
}

impl BuildTimes {
    fn of(game: &Game, builder: Builder) -> Self {
        Self::with_income(game, builder, game.incomes_per_36_rolls()[builder.index()])
    }

    /// The build times of a builder with this income per 36 rolls.
    fn with_income(game: &Game, builder: Builder, income: Hand) -> Self {
        let (held, income) = (units(game.hand(builder)), units(income));
        let turns_per_unit = turns_per_unit(income);
        let soon = COSTS.map(|cost| discount(turns_to_afford(cost, held, turns_per_unit)));
        let later = COSTS.map(|cost| discount(turns_to_afford(cost, NOTHING, turns_per_unit)));
        Self { held, income, turns_per_unit, has_place: has_place_for(game, builder), soon, later }
    }

    /// The score of building something that increases the income by `more`.
    fn score_of_building(&self, weights: &Weights, built: Buildable, more: Option<ResourceVec>) -> f32 {
        let held = sum(self.held, COSTS[built as usize].map(|units| -units));
        let per_unit = more.map_or(self.turns_per_unit, |more| turns_per_unit(sum(self.income, more)));
        let mut score = 0.0;
        for (goal, cost) in Buildable::ALL.into_iter().zip(COSTS) {
            let index = goal as usize;
            if self.has_place[index] {
                let soon = discount(turns_to_afford(cost, held, per_unit));
                score += weights.0[Feature::SoonRoad.of(goal)] * (soon - self.soon[index]);
            }
            if more.is_some() {
                let later = discount(turns_to_afford(cost, NOTHING, per_unit));
                score += weights.0[Feature::LaterRoad.of(goal)] * (later - self.later[index]);
            }
        }
        score
    }

    /// The score of blocking this many units of a resource per 36 rolls for the builder.
    fn harm_score(&self, weights: &Weights, kind: Resource, blocked: f32) -> f32 {
        let mut per_unit = self.turns_per_unit;
        per_unit[kind.index()] = turns_for_one(self.income[kind.index()] - blocked);
        let goals = Buildable::ALL.into_iter().zip(COSTS);
        let loss =
            |goal: Buildable, cost| self.soon[goal as usize] - discount(turns_to_afford(cost, self.held, per_unit));
        goals.map(|(goal, cost)| weights.0[Feature::HarmRoad.of(goal)] * loss(goal, cost)).sum()
    }

    /// The score of one more unit of each resource.
    fn unit_scores(&self, weights: &Weights) -> ResourceVec {
        std::array::from_fn(|index| {
            let mut held = self.held;
            held[index] += 1.0;
            let goals = Buildable::ALL.into_iter().zip(COSTS).filter(|&(goal, _)| self.has_place[goal as usize]);
            let increase = |goal: Buildable, cost| {
                discount(turns_to_afford(cost, held, self.turns_per_unit)) - self.soon[goal as usize]
            };
            goals.map(|(goal, cost)| weights.0[Feature::TheftRoad.of(goal)] * increase(goal, cost)).sum()
        })
    }
}

/// The expected score of stealing a unit from a builder who has some.
fn theft_score(game: &Game, victim: Builder, unit_scores: ResourceVec) -> f32 {
    let held = units(game.hand(victim));
    let total: f32 = held.into_iter().zip(unit_scores).map(|(held, score)| held * score).sum();
    total / held.into_iter().sum::<f32>()
}

impl Player for Linear {
    fn choose(&mut self, game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }

    fn wants_observations(&self) -> bool {
        false
    }
}

#[expect(clippy::cast_precision_loss, reason = "below a thousand")]
const fn to_f32(count: u32) -> f32 {
    count as f32
}
