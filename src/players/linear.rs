//! The normal player: scores actions by a weighted sum of features.

use rand::Rng;

use super::build_times::{
    Buildable, COSTS, ForEachBuildable, LeaveOneOutTurns, NOTHING, ResourceVec, discounts, has_place_for, max, sum,
    to_f32, turns_for_one, turns_per_unit, units,
};
use super::greedy::answer_offer;
use super::site_values::{ResourceMask, SiteValues};
use super::weights::{Feature, Weights};
use super::{Player, first_max_by};
use crate::board::{Edge, EdgeSet, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Builder, DISCARD_LIMIT, Game, Hand, LegalActions, Phase, Trades};

/// Plays the action with the highest score: a sum of features with [`Weights`]. Ending the turn scores 0. Deterministic.
#[derive(Clone, Debug)]
pub struct Linear {
    weights: Weights,
    /// Whether any weight involves build times. If not, build times are not computed.
    uses_build_times: bool,
    site_values: Option<SiteValues>,
    /// For each vertex, the income per 36 rolls of a basement there, and the weighted sum of this income. `pip_scores_of` is the hash of
    /// the layout to which both belong.
    incomes: [ResourceVec; Vertex::COUNT],
    pip_scores: [f32; Vertex::COUNT],
    pip_scores_of: Option<u64>,
    /// The score of each set of new resources.
    first_scores: [f32; 1 << Resource::COUNT],
}

/// The normal player.
impl Default for Linear {
    fn default() -> Self {
        Self::new(Weights::normal())
    }
}

impl Linear {
    /// Makes a player with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let uses_build_times = weights.use_build_times();
        let (incomes, pip_scores) = ([NOTHING; Vertex::COUNT], [0.0; Vertex::COUNT]);
        let first_scores = std::array::from_fn(|resources| {
            let firsts = (0..Resource::COUNT).filter(|index| resources >> index & 1 == 1);
            firsts.map(|index| weights.0[Feature::FirstBrick as usize + index]).sum()
        });
        Self { weights, uses_build_times, site_values: None, incomes, pip_scores, pip_scores_of: None, first_scores }
    }

    fn refresh_cache(&mut self, game: &Game) {
        let site_values = SiteValues::cached_for(&mut self.site_values, game);
        if self.pip_scores_of != Some(game.layout_hash()) {
            self.pip_scores_of = Some(game.layout_hash());
            self.incomes = site_values.by_resource().map(|pips| pips.map(f32::from));
            let score =
                |pips: ResourceVec| pips.into_iter().zip(self.weights.0).map(|(pips, weight)| pips * weight).sum();
            self.pip_scores = self.incomes.map(score);
        }
    }

    fn resources(&self, vertex: Vertex) -> ResourceMask {
        self.site_values.as_ref().map_or(0, |values| values.resources(vertex))
    }

    /// Returns the income per 36 rolls of a basement at the vertex.
    fn income_at(&self, vertex: Vertex) -> ResourceVec {
        self.incomes[vertex.index()]
    }

    /// Returns the score of a basement at the vertex for a builder who already gains the resources `income`.
    pub(super) fn site_score(&self, vertex: Vertex, income: ResourceMask) -> f32 {
        let new = self.resources(vertex) & !income;
        self.pip_score(vertex) + self.first_scores[usize::from(new) % self.first_scores.len()]
    }

    fn pip_score(&self, vertex: Vertex) -> f32 {
        self.pip_scores[vertex.index()]
    }

    fn best_site_score(&self, sites: VertexSet, income: ResourceMask) -> f32 {
        let mut best = 0.0;
        for site in sites.iter() {
            let score = self.site_score(site, income);
            best = if score > best { score } else { best };
        }
        best
    }

    fn choose_first_site(&self, game: &Game, builder: Builder, sites: VertexSet) -> Option<Vertex> {
        let own = game.residences(builder);
        let income = game.resources_produced(builder);
        first_max_by(sites.iter(), |site| self.first_site_score_with(game, own, income, site))
    }

    /// Returns the score of a free site of the setup.
    pub(super) fn first_site_score(&mut self, game: &Game, builder: Builder, site: Vertex) -> f32 {
        self.refresh_cache(game);
        self.first_site_score_with(game, game.residences(builder), game.resources_produced(builder), site)
    }

    /// Returns the score of a free site of the setup for a builder with the residences `own`, which produce `income`.
    #[inline(always)]
    fn first_site_score_with(&self, game: &Game, own: VertexSet, income: ResourceMask, site: Vertex) -> f32 {
        let room = to_f32((site.at_distance_two() & (game.free_sites() - VertexSet::EMPTY.with(site))).len());
        let build_times = if self.uses_build_times { self.setup_build_times_score(own, site) } else { 0.0 };
        self.site_score(site, income) + self.weights[Feature::Room] * room + build_times
    }

    /// Returns the part of a setup site's score that depends on build times.
    fn setup_build_times_score(&self, own: VertexSet, site: Vertex) -> f32 {
        let income = own.iter().fold(self.income_at(site), |income, vertex| sum(income, self.income_at(vertex)));
        let per_unit = turns_per_unit(income);
        let first = if own.is_empty() { Feature::OneRoad } else { Feature::TwoRoad };
        let discounts = discounts(NOTHING, per_unit).into_iter().zip(&self.weights.0[first as usize..]);
        discounts.map(|(discount, weight)| weight * discount).sum()
    }

    fn decide_in_turn(&self, game: &Game, actions: &LegalActions, builder: Builder) -> Action {
        let scorer = TurnScorer::new(self, game, builder);
        let mut chosen = (scorer.end_turn(), Action::EndTurn);
        let mut consider = |score: f32, action: Action| {
            if score > chosen.0 {
                chosen = (score, action);
            }
        };
        for vertex in actions.improvements().iter() {
            consider(scorer.improvement(vertex), Action::Improve(vertex));
        }
        if !actions.basements().is_empty() || !actions.roads().is_empty() {
            let income = game.resources_produced(builder);
            let contested =
                if self.uses_build_times { Contested::by_others(game, builder) } else { Contested::NOTHING };
            for vertex in actions.basements().iter() {
                consider(scorer.basement(vertex, income, &contested), Action::BuildBasement(vertex));
            }
            if !actions.roads().is_empty() {
                let best = scorer.best_roads(actions.roads(), income, &contested);
                if let Some(edge) = best.roads.nth(0) {
                    consider(best.score, Action::BuildRoad(edge));
                }
            }
        }
        chosen.1
    }

    /// Returns the score of each of these actions in a turn, in the order of `actions`.
    pub(super) fn scores_in_turn(&mut self, game: &Game, builder: Builder, actions: &[Action]) -> Vec<f32> {
        self.refresh_cache(game);
        let scorer = TurnScorer::new(self, game, builder);
        let income = game.resources_produced(builder);
        let contested = Contested::by_others(game, builder);
        let score = |&action: &Action| match action {
            Action::Improve(vertex) => scorer.improvement(vertex),
            Action::BuildBasement(vertex) => scorer.basement(vertex, income, &contested),
            Action::BuildRoad(edge) => scorer.best_roads(EdgeSet::EMPTY.with(edge), income, &contested).score,
            _ => scorer.end_turn(),
        };
        actions.iter().map(score).collect()
    }

    /// Returns the roads with the greatest score. The score is the sum of `base`, the greatest increase for a free site at the end of the
    /// road or one road further, and the increase for guarding one of the builder's sites against others.
    fn best_roads(
        &self,
        game: &Game,
        builder: Builder,
        roads: EdgeSet,
        base: f32,
        income: ResourceMask,
        contested: &Contested,
    ) -> BestRoads {
        let own_sites = game.basement_sites(builder);
        let network = game.road_network(builder);
        let reached = network | network.neighbours();
        let targets = reached.neighbours() & (game.free_sites() - own_sites);
        let weights = &self.weights;
        // The amounts that a target adds to scores: the amount for roads that end at the target, and the amount for roads that end one road
        // before the target.
        let increases = |site: Vertex| {
            let (mut to, mut towards) = (weights[Feature::RoadToSite], weights[Feature::RoadTowardsSite]);
            if contested.sites.contains(site) {
                to += weights[Feature::WantedToSite];
                towards += weights[Feature::WantedTowards];
            }
            let score = self.site_score(site, income);
            (max(to * score, 0.0), max(towards * score, 0.0))
        };
        // The condition avoids an unnecessary `own_sites.edges()`.
        let guards =
            if contested.roads.is_empty() { EdgeSet::EMPTY } else { own_sites.edges() & contested.roads & roads };
        let others = roads - guards;
        let mut best = BestRoads { score: f32::NEG_INFINITY, roads: EdgeSet::EMPTY };
        best.consider(base, others);
        // Loops over targets instead of roads, because there are fewer targets.
        for site in targets.iter() {
            let (to, towards) = increases(site);
            best.consider(base + to, others & site.edges());
            best.consider(base + towards, others & EDGES_ONE_AWAY[site.index()]);
        }
        for edge in guards.iter() {
            let target = (targets & edge.neighbours()).iter().fold(0.0, |most, site| {
                let (to, towards) = increases(site);
                max(most, if edge.end_set().contains(site) { to } else { towards })
            });
            let guard = weights[Feature::WantedGuard] * self.best_site_score(edge.end_set() & own_sites, income);
            best.consider(base + (target + guard), EdgeSet::EMPTY.with(edge));
        }
        best
    }

    fn move_geese(&self, game: &Game, builder: Builder) -> Option<Action> {
        let weights = &self.weights;
        let incomes = game.incomes_per_36_rolls();
        let unit_scores = self
            .uses_build_times
            .then(|| BuildTimes::with_income(game, builder, incomes[builder.index()]).unit_scores(weights));
        // For each tile, its score without thefts, and the score of the best theft there.
        let mut scores = [(0.0, 0.0); Tile::COUNT];
        let blocked_by = |other: Builder, tile: Tile| {
            to_f32(self.site_values.as_ref().map_or(0, |values| values.income_from(game, other, tile)))
        };
        for other in Builder::ALL {
            let tiles = game.residences(other).tiles() & game.tiles_without_geese();
            if other == builder {
                for tile in tiles.iter() {
                    scores[tile.index()].0 -= weights[Feature::GeeseOwn] * blocked_by(other, tile);
                }
                continue;
            }
            let harms = unit_scores.map(|_| HarmScores::new(game, other, incomes[other.index()], weights));
            let can_rob = !game.hand(other).is_empty();
            let theft_score = unit_scores.map_or(0.0, |unit_scores| theft_score(game, other, unit_scores));
            let theft = if can_rob { weights[Feature::GeeseTheft] + theft_score } else { 0.0 };
            for tile in tiles.iter() {
                let blocked = blocked_by(other, tile);
                let harm = match (&harms, game.layout()[tile].production()) {
                    (Some(harms), Some((resource, _))) => harms.score(resource, blocked),
                    _ => 0.0,
                };
                let (score, best_theft) = &mut scores[tile.index()];
                *score += (weights[Feature::GeesePoints] * blocked + harm) * to_f32(game.points(other));
                *best_theft = max(theft, *best_theft);
            }
        }
        let score = |tile: Tile| {
            let (score, best_theft) = scores[tile.index()];
            score + best_theft
        };
        first_max_by(game.tiles_without_geese().iter(), score).map(Action::MoveGeese)
    }

    fn choose_victim(&self, game: &Game, builder: Builder) -> Option<Builder> {
        let weights = &self.weights;
        let unit_scores = self.uses_build_times.then(|| BuildTimes::of(game, builder).unit_scores(weights));
        let score = |victim: Builder| {
            let units = to_f32(game.hand(victim).total().min(100));
            weights[Feature::RobPoints] * to_f32(game.points(victim))
                + weights[Feature::RobUnits] * units
                + unit_scores.map_or(0.0, |unit_scores| theft_score(game, victim, unit_scores))
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
            Phase::Offered(offer) => Some(answer_offer(game, offer)),
            Phase::Over(_) => None,
        }
    }
}

/// Scores the actions of a builder in its turn.
struct TurnScorer<'a> {
    player: &'a Linear,
    game: &'a Game,
    builder: Builder,
    build_times: Option<BuildTimes>,
}

impl<'a> TurnScorer<'a> {
    #[inline(always)]
    fn new(player: &'a Linear, game: &'a Game, builder: Builder) -> Self {
        let build_times = player.uses_build_times.then(|| BuildTimes::of(game, builder));
        Self { player, game, builder, build_times }
    }

    /// Returns the score of the change in build times if `built` is built. `vertex` is the place of the building; it is `None` for a road.
    #[inline(always)]
    fn build_times(&self, built: Buildable, vertex: Option<Vertex>) -> f32 {
        let income = vertex.map(|vertex| self.player.income_at(vertex));
        let score = |build_times: &BuildTimes| build_times.score_of_building(&self.player.weights, built, income);
        self.build_times.as_ref().map_or(0.0, score)
    }

    #[inline(always)]
    fn end_turn(&self) -> f32 {
        let holds_much = self.game.hand(self.builder).total() >= DISCARD_LIMIT;
        if holds_much { -self.player.weights[Feature::Much] } else { 0.0 }
    }

    #[inline(always)]
    fn improvement(&self, vertex: Vertex) -> f32 {
        let (kind, worth, built) = if self.game.houses().contains(vertex) {
            (Feature::Tower, Feature::TowerWorth, Buildable::Tower)
        } else {
            (Feature::House, Feature::HouseWorth, Buildable::House)
        };
        let weights = &self.player.weights;
        let build_times = self.build_times(built, Some(vertex));
        weights[kind] + weights[worth] * self.player.pip_score(vertex) + build_times
    }

    /// Scores a basement.
    ///
    /// `income` are the resources that the builder produces.
    #[inline(always)]
    fn basement(&self, vertex: Vertex, income: ResourceMask, contested: &Contested) -> f32 {
        let weights = &self.player.weights;
        let contest = if contested.sites.contains(vertex) { weights[Feature::WantedBasement] } else { 0.0 };
        let site = weights[Feature::BasementWorth] * self.player.site_score(vertex, income);
        let score = weights[Feature::Basement] + site + contest;
        score + self.build_times(Buildable::Basement, Some(vertex))
    }

    #[inline(always)]
    fn best_roads(&self, roads: EdgeSet, income: ResourceMask, contested: &Contested) -> BestRoads {
        let weights = &self.player.weights;
        let has_site = !self.game.basement_sites(self.builder).is_empty();
        let besides = if has_site { weights[Feature::RoadBesides] } else { 0.0 };
        let base = weights[Feature::Road] + besides + self.build_times(Buildable::Road, None);
        self.player.best_roads(self.game, self.builder, roads, base, income, contested)
    }
}

/// The roads that have the greatest score among all roads considered so far.
struct BestRoads {
    score: f32,
    roads: EdgeSet,
}

impl BestRoads {
    /// Considers roads that all have this score.
    #[inline(always)]
    fn consider(&mut self, score: f32, roads: EdgeSet) {
        if score >= self.score && !roads.is_empty() {
            let equal = self.roads.masked(score <= self.score);
            *self = Self { score, roads: roads | equal };
        }
    }
}

/// For each vertex, the edges that end at one of its neighbours but not at the vertex itself.
const EDGES_ONE_AWAY: [EdgeSet; Vertex::COUNT] = {
    let mut table = [EdgeSet::EMPTY; Vertex::COUNT];
    let mut number = 0;
    while let Some(edge) = Edge::new(number) {
        let mut rest = 0;
        while let Some(vertex) = edge.neighbours().nth(rest) {
            if !edge.end_set().contains(vertex) {
                table[vertex.index()].insert(edge);
            }
            rest += 1;
        }
        number += 1;
    }
    table
};

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

/// Estimates of when a builder can afford each [`Buildable`].
struct BuildTimes {
    held: ResourceVec,
    income: ResourceVec,
    turns_per_unit: ResourceVec,
    has_place: [bool; Buildable::COUNT],
    /// The discounts with the current hand, and with an empty one.
    soon: ForEachBuildable,
    later: ForEachBuildable,
}

impl BuildTimes {
    fn of(game: &Game, builder: Builder) -> Self {
        Self::with_income(game, builder, game.income_per_36_rolls(builder))
    }

    /// Returns the build times of a builder with this income per 36 rolls.
    fn with_income(game: &Game, builder: Builder, income: Hand) -> Self {
        let (held, income) = (units(game.hand(builder)), units(income));
        let turns_per_unit = turns_per_unit(income);
        let (soon, later) = (discounts(held, turns_per_unit), discounts(NOTHING, turns_per_unit));
        Self { held, income, turns_per_unit, has_place: has_place_for(game, builder), soon, later }
    }

    /// Returns the score of the change in build times if `built` is built, which increases the income by `more`.
    fn score_of_building(&self, weights: &Weights, built: Buildable, more: Option<ResourceVec>) -> f32 {
        let held = sum(self.held, COSTS[built as usize].map(|units| -units));
        let per_unit = more.map_or(self.turns_per_unit, |more| turns_per_unit(sum(self.income, more)));
        let soon = discounts(held, per_unit);
        // Unless the income changes, these differences are 0.
        let later = if more.is_some() { discounts(NOTHING, per_unit) } else { self.later };
        let mut score = 0.0;
        for goal in Buildable::ALL {
            let index = goal as usize;
            let soon = if self.has_place[index] { soon[index] - self.soon[index] } else { 0.0 };
            score += weights.0[Feature::SoonRoad.of(goal)] * soon;
            score += weights.0[Feature::LaterRoad.of(goal)] * (later[index] - self.later[index]);
        }
        score
    }

    /// Returns the score of one more unit of each resource.
    fn unit_scores(&self, weights: &Weights) -> ResourceVec {
        let leave_one_out = LeaveOneOutTurns::new(self.held, self.turns_per_unit);
        std::array::from_fn(|index| {
            let then = leave_one_out.discounts_with(index, self.held[index] + 1.0, self.turns_per_unit[index]);
            let goals = Buildable::ALL.into_iter().filter(|&goal| self.has_place[goal as usize]);
            let increase = |goal: Buildable| then[goal as usize] - self.soon[goal as usize];
            goals.map(|goal| weights.0[Feature::TheftRoad.of(goal)] * increase(goal)).sum()
        })
    }
}

/// Scores the blocking of a builder's income.
struct HarmScores {
    held: ResourceVec,
    income: ResourceVec,
    leave_one_out: LeaveOneOutTurns,
    soon: ForEachBuildable,
    weights: ForEachBuildable,
}

impl HarmScores {
    fn new(game: &Game, builder: Builder, income: Hand, weights: &Weights) -> Self {
        let (held, income) = (units(game.hand(builder)), units(income));
        let turns_per_unit = turns_per_unit(income);
        let weights = Buildable::ALL.map(|goal| weights.0[Feature::HarmRoad.of(goal)]);
        let (leave_one_out, soon) = (LeaveOneOutTurns::new(held, turns_per_unit), discounts(held, turns_per_unit));
        Self { held, income, leave_one_out, soon, weights }
    }

    /// Returns the score of blocking this many units of a resource per 36 rolls.
    #[inline]
    fn score(&self, resource: Resource, blocked: f32) -> f32 {
        let index = resource.index();
        let per_unit = turns_for_one(self.income[index] - blocked);
        let then = self.leave_one_out.discounts_with(index, self.held[index], per_unit);
        (0..Buildable::COUNT).map(|goal| self.weights[goal] * (self.soon[goal] - then[goal])).sum()
    }
}

/// Returns the expected score of stealing a unit from a builder who has some.
fn theft_score(game: &Game, victim: Builder, unit_scores: ResourceVec) -> f32 {
    let held = units(game.hand(victim));
    let total: f32 = held.into_iter().zip(unit_scores).map(|(held, score)| held * score).sum();
    total / held.into_iter().sum::<f32>()
}

impl Player for Linear {
    fn choose(&mut self, game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }

    fn wants_turns(&self, _trades: Trades) -> bool {
        false
    }

    fn wants_observations(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{RandomChance, Rules};
    use crate::rng;

    /// Returns the score of one road, added up site by site.
    fn road_score(player: &Linear, game: &Game, builder: Builder, edge: Edge, contested: &Contested) -> f32 {
        let (weights, own_sites) = (&player.weights, game.basement_sites(builder));
        let income = game.resources_produced(builder);
        let targets = edge.neighbours() & (game.free_sites() - own_sites);
        let target = targets.iter().fold(0.0, |best: f32, site| {
            let ends_there = edge.ends().contains(&site);
            let kind = if ends_there { Feature::RoadToSite } else { Feature::RoadTowardsSite };
            let wanted = if ends_there { Feature::WantedToSite } else { Feature::WantedTowards };
            let wanted = if contested.sites.contains(site) { weights[wanted] } else { 0.0 };
            best.max((weights[kind] + wanted) * player.site_score(site, income))
        });
        let guarded = if contested.roads.contains(edge) { edge.end_set() & own_sites } else { VertexSet::EMPTY };
        target + weights[Feature::WantedGuard] * player.best_site_score(guarded, income)
    }

    #[test]
    fn best_roads_are_those_with_the_greatest_score() {
        let mut rng = SmallRng::seed_from_u64(3);
        let (mut positions, mut guards) = (0, 0);
        for weights in [Weights::normal(), Weights::rollout()] {
            let mut player = Linear::new(weights);
            for _ in 0..60 {
                let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
                for _ in 0..600 {
                    let actions = game.legal_actions(Trades::Off);
                    if let (Phase::DuringTurn(builder), false) = (game.phase(), actions.roads().is_empty()) {
                        player.refresh_cache(&game);
                        let contested = Contested::by_others(&game, builder);
                        // A large base rounds scores, so that some are equal.
                        let base = if positions % 2 == 0 { 0.0 } else { 1e5 };
                        let score = |edge| base + road_score(&player, &game, builder, edge, &contested);
                        let greatest = actions.roads().iter().map(score).fold(f32::MIN, f32::max);
                        let expected: EdgeSet =
                            actions.roads().iter().filter(|&edge| score(edge) >= greatest).collect();
                        let income = game.resources_produced(builder);
                        let best = player.best_roads(&game, builder, actions.roads(), base, income, &contested);
                        assert_eq!(best.roads, expected, "{game}");
                        assert!((best.score - greatest).abs() < 1e-5, "{} instead of {greatest}", best.score);
                        positions += 1;
                        guards += (game.basement_sites(builder).edges() & contested.roads & actions.roads()).len();
                    }
                    let Some(action) = actions.sample_with(|count| rng::below(&mut rng, count)) else { break };
                    game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
                }
            }
        }
        assert!(positions > 1_000 && guards > 100, "{positions} positions with {guards} guarding roads");
    }
}
