//! The features of an action in a turn, for the turn network.

use super::super::OpponentKind;
use super::super::build_times::{
    ForEachBuildable, NOTHING, ResourceVec, discounts, index, sum, to_f32, turns_per_unit, units,
};
use super::super::linear::Linear;
use super::super::network::{Features, Group, groups};
use super::super::site_values::{ResourceMask, SiteValues};
use super::super::value::features::{self as value, FeatureExtractor};
use crate::board::{EdgeSet, Resource, Roll, Vertex};
use crate::game::{Action, Builder, Game, Hand, Residence, ScriptedChance};

groups! {
    /// The groups of features in addition to those of the value network.
    ACTION_GROUPS from value::END;
    ACTION "action" 5 "one-hot action: end of turn, road, basement, house, tower";
    LINEAR "linear" 2 "x / 10, where x is the linear player's score less that of its best candidate; 1 for its choice";
    OTHERS_SITES "others-sites" 2 "sites that opponents have or are one road away from: of all, / 12; of the leading one, / 6";
    TAKEN "taken" 2 "how many of them the action takes away, / 3 and / 2";
    GAP "gap" 1 "x / (2 - x), with the same x";
    ALL_ROADS "all-roads" 1 "roads of all builders before the action, / 40";
    NEARER "nearer" 28 "the best site that the action brings nearer (see SITE)";
    NEARER_SECOND "nearer-second" 28 "the second best one";
    TARGET "target" 28 "the best site at most three roads away";
    TARGET_SECOND "target-second" 28 "the second best one";
}

/// The groups of features in order: those of the builder's position after the action, then those of the action.
pub(in super::super) const GROUPS: [Group; value::GROUPS.len() + ACTION_GROUPS.len()] = {
    let mut groups = [("", 0, ""); value::GROUPS.len() + ACTION_GROUPS.len()];
    let mut index = 0;
    while index < groups.len() {
        groups[index] =
            if index < value::GROUPS.len() { value::GROUPS[index] } else { ACTION_GROUPS[index - value::GROUPS.len()] };
        index += 1;
    }
    groups
};

// SITE: the offset of each feature of a site within the site's group.
/// One-hot number of roads that the builder still needs after the action, 0 to 3.
const ROADS: u8 = 0;
/// One-hot number of roads that the nearest opponent needs: 0, 1, 2, or 3 and more.
const ROADS_OF_OTHERS: u8 = 4;
/// Pips of each resource, / 6.
const PIPS: u8 = 8;
/// 1 for each resource that the builder does not produce yet.
const NEW: u8 = 13;
/// The linear player's score, / 30.
const SCORE: u8 = 18;
/// For each buildable, the increase of its discount by a basement on the site, with an empty hand, * 2.
const LATER: u8 = 19;
/// One-hot number of roads that the builder needed before the action: 0 or 1, 2, 3, or more.
const ROADS_BEFORE: u8 = 23;
/// The number of opponents who need at most as many roads as the builder, / 2.
const RIVALS: u8 = 27;

/// A site that the builder may aim for.
#[derive(Clone, Copy)]
struct SiteGoal {
    site: Vertex,
    /// The number of roads to the site that the builder needs, and the number that the nearest opponent needs.
    roads: usize,
    roads_of_others: usize,
    score: f32,
    /// The rank among targets: near sites that no opponent reaches earlier rank higher.
    rank: f32,
}

/// The two targets with the highest rank.
#[derive(Clone, Copy, Default)]
struct BestTwo([Option<SiteGoal>; 2]);

impl BestTwo {
    fn insert(&mut self, target: SiteGoal) {
        let is_better = |other: Option<SiteGoal>| other.is_none_or(|other| target.rank > other.rank);
        if is_better(self.0[0]) {
            self.0 = [Some(target), self.0[0]];
        } else if is_better(self.0[1]) {
            self.0[1] = Some(target);
        }
    }
}

/// Extracts the features of the actions of a builder in one position.
pub(super) struct ActionExtractor<'g> {
    game: &'g Game,
    builder: Builder,
    site_values: &'g SiteValues,
    linear: &'g Linear,
    before: FeatureExtractor<'g>,
    /// The opponent with the most points.
    leader: Builder,
    others_sites: (f32, f32),
    all_roads: f32,
}

/// The kinds assumed for the builders: all play as the expert's playout policy, since little is known about the others.
const KINDS: [OpponentKind; Builder::COUNT] = [OpponentKind::Rollout; Builder::COUNT];

impl<'g> ActionExtractor<'g> {
    pub fn new(game: &'g Game, builder: Builder, site_values: &'g SiteValues, linear: &'g Linear) -> Self {
        let leader = builder.others().max_by_key(|&other| game.points(other)).unwrap_or(builder);
        let all_roads = Builder::ALL.into_iter().fold(EdgeSet::EMPTY, |all, other| all | game.roads(other));
        Self {
            game,
            builder,
            site_values,
            linear,
            before: FeatureExtractor::new(game, KINDS, site_values),
            leader,
            others_sites: others_sites(game, builder, leader),
            all_roads: to_f32(all_roads.len()),
        }
    }

    /// Writes the features of an action.
    ///
    /// `gap` is the linear player's score of the action minus its score of the best candidate. `is_prior` tells whether the action is
    /// the linear player's choice.
    pub fn extract(&self, action: Action, gap: f32, is_prior: bool, features: &mut Features) {
        let mut after = *self.game;
        // The features are extracted as if the turn ended now, so `EndTurn` need not be applied.
        if action != Action::EndTurn {
            let mut unused =
                ScriptedChance { roll: Roll::of_faces([2, 2]), discard: Hand::default(), steal: Resource::Brick };
            after.apply_unchecked(action, &mut unused, |_| {});
        }
        let extractor = FeatureExtractor::new(&after, KINDS, self.site_values);
        extractor.extract_into(self.builder, features);
        let kind = match action {
            Action::BuildRoad(_) => 1,
            Action::BuildBasement(_) => 2,
            Action::Improve(vertex) if self.game.residence(vertex) == Some(Residence::Basement) => 3,
            Action::Improve(_) => 4,
            _ => 0,
        };
        features.push(ACTION + kind, 1.0);
        features.push(LINEAR, gap / 10.0);
        features.push_flag(LINEAR + 1, is_prior);
        let (all, of_leader) = others_sites(&after, self.builder, self.leader);
        features.push(OTHERS_SITES, all / 12.0);
        features.push(OTHERS_SITES + 1, of_leader / 6.0);
        features.push(TAKEN, (self.others_sites.0 - all) / 3.0);
        features.push(TAKEN + 1, (self.others_sites.1 - of_leader) / 2.0);
        features.push(GAP, gap / (2.0 - gap));
        features.push(ALL_ROADS, self.all_roads / 40.0);
        self.targets(&after, &extractor, features);
    }

    /// Writes the groups of features of the best sites.
    fn targets(&self, after: &Game, extractor: &FeatureExtractor<'_>, features: &mut Features) {
        let income = after.resources_produced(self.builder);
        let (mut nearer, mut all) = (BestTwo::default(), BestTwo::default());
        for site in (extractor.within_reach(self.builder) & after.free_sites()).iter() {
            let roads = extractor.roads_to(self.builder, site);
            let others = self.builder.others().map(|other| extractor.roads_to(other, site));
            let roads_of_others = others.fold(usize::MAX, usize::min);
            let score = self.linear.site_score(site, income);
            let contested = if roads_of_others < roads { 0.5 } else { 1.0 };
            let rank = score / (1.0 + 0.35 * to_f32(roads)) * contested;
            let target = SiteGoal { site, roads, roads_of_others, score, rank };
            all.insert(target);
            if roads < self.before.roads_to(self.builder, site) {
                nearer.insert(target);
            }
        }
        let produced = units(after.income_per_36_rolls(self.builder));
        let later = discounts(NOTHING, turns_per_unit(produced));
        let groups = [NEARER, NEARER_SECOND, TARGET, TARGET_SECOND];
        for (target, group) in nearer.0.into_iter().chain(all.0).zip(groups) {
            if let Some(target) = target {
                self.target(target, group, extractor, income, (produced, later), features);
            }
        }
    }

    /// Writes the features of a site.
    ///
    /// `produced` is the builder's income, and `later` are the discounts with this income and an empty hand.
    fn target(
        &self,
        target: SiteGoal,
        group: u8,
        extractor: &FeatureExtractor<'_>,
        income: ResourceMask,
        (produced, later): (ResourceVec, ForEachBuildable),
        features: &mut Features,
    ) {
        let SiteGoal { site, roads, roads_of_others, score, .. } = target;
        features.push(group + ROADS + index(roads.min(3)), 1.0);
        features.push(group + ROADS_OF_OTHERS + index(roads_of_others.min(3)), 1.0);
        let pips = self.site_values.by_resource()[site.index()];
        for (resource, pips) in pips.into_iter().enumerate() {
            features.push(group + PIPS + index(resource), f32::from(pips) / 6.0);
        }
        let new = self.site_values.resources(site) & !income;
        for resource in 0..Resource::COUNT {
            features.push_flag(group + NEW + index(resource), new >> resource & 1 == 1);
        }
        features.push(group + SCORE, score / 30.0);
        let then = discounts(NOTHING, turns_per_unit(sum(produced, pips.map(f32::from))));
        for (buildable, (then, now)) in then.into_iter().zip(later).enumerate() {
            features.push(group + LATER + index(buildable), (then - now) * 2.0);
        }
        let before = self.before.roads_to(self.builder, site);
        features.push(group + ROADS_BEFORE + index(before.saturating_sub(1)), 1.0);
        let is_rival = |other: &Builder| extractor.roads_to(*other, site) <= roads;
        features.push(group + RIVALS, to_f32(self.builder.others().filter(is_rival).count()) / 2.0);
    }
}

/// Counts the sites that an opponent of a builder has or is one road away from. Returns the sum over all opponents, and the number for the
/// leader.
fn others_sites(game: &Game, builder: Builder, leader: Builder) -> (f32, f32) {
    let of = |other: Builder| {
        let ends = game.road_sites(other).ends() & game.free_sites();
        to_f32((game.basement_sites(other) | ends).len())
    };
    (builder.others().map(of).sum(), of(leader))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::super::weights::Weights;
    use super::super::TURN_NETWORK;
    use super::*;
    use crate::board::{LayoutSource, RandomLayout, VertexSet};
    use crate::game::{Phase, RandomChance, Rules, Trades};
    use crate::rng;

    /// Returns positions of random games in which the builder has a choice.
    fn positions(count: usize) -> Vec<(Game, Builder)> {
        let mut rng = SmallRng::seed_from_u64(6);
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
            for _ in 0..400 {
                let actions = game.legal_actions(Trades::Off);
                if let (Phase::DuringTurn(builder), false) = (game.phase(), actions.only_end_turn()) {
                    positions.push((game, builder));
                }
                let Some(action) = actions.sample_with(|count| rng::below(&mut rng, count)) else { break };
                game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
            }
        }
        positions
    }

    /// Returns the features of an action that are not 0, by name, with a gap of -6.
    fn features_of(game: &Game, builder: Builder, action: Action) -> BTreeMap<String, f32> {
        let mut linear = Linear::new(Weights::rollout());
        linear.scores_in_turn(game, builder, &[action]);
        let site_values = SiteValues::of(game);
        let mut features = Features::NONE;
        ActionExtractor::new(game, builder, &site_values, &linear).extract(action, -6.0, true, &mut features);
        assert!(!features.is_full(), "{features:?}");
        let names: Vec<String> = TURN_NETWORK.row_names().collect();
        features.iter().map(|(feature, value)| (names[feature].clone(), value)).collect()
    }

    /// Returns each free site that the builder can reach with at most 3 more roads, with the smallest number of roads needed. A plain
    /// search, one road at a time, to check the features against.
    fn roads_to_sites(game: &Game, builder: Builder) -> BTreeMap<Vertex, usize> {
        let mut reached = game.road_network(builder);
        let mut roads = BTreeMap::new();
        for count in 0..=3 {
            for site in (reached & game.free_sites()).iter() {
                roads.entry(site).or_insert(count);
            }
            let more = if count == 0 { game.road_sites(builder).ends() } else { reached.neighbours() };
            reached = reached | more;
        }
        roads
    }

    #[test]
    fn features_of_actions() {
        let (mut kinds, mut nearer, mut taken) = ([0; 5], 0, 0);
        for (game, builder) in positions(600) {
            for action in &game.legal_actions(Trades::Off) {
                let features = features_of(&game, builder, action);
                let get = |name: &str| features.get(name).copied().unwrap_or(0.0);
                let is = |name: &str, value: f32| (get(name) - value).abs() < 1e-6;
                let kind = match action {
                    Action::BuildRoad(_) => 1,
                    Action::BuildBasement(_) => 2,
                    Action::Improve(vertex) => {
                        if game.houses().contains(vertex) {
                            4
                        } else {
                            3
                        }
                    }
                    _ => 0,
                };
                kinds[kind] += 1;
                let one_hot = (0..5).all(|other| is(&format!("action.{other}"), if other == kind { 1.0 } else { 0.0 }));
                assert!(one_hot, "{action:?}: {features:?}");
                assert!(is("linear.0", -0.6) && is("linear.1", 1.0) && is("gap", -0.75), "{features:?}");
                let after = if action == Action::EndTurn { game } else { game.after(action).unwrap() };
                // The builder's own features describe the position after the action.
                let points = usize::try_from(after.points(builder)).unwrap().min(10);
                assert!(is(&format!("points.{points}"), 1.0), "{features:?}");

                let (before, then) = (roads_to_sites(&game, builder), roads_to_sites(&after, builder));
                let is_nearer = |site: &Vertex| before.get(site).is_none_or(|&roads| then[site] < roads);
                let brought_nearer = then.keys().filter(|site| is_nearer(site)).count();
                for (group, sites) in [("nearer", brought_nearer), ("target", then.len())] {
                    for (name, least) in [(group.to_owned(), 1), (format!("{group}-second"), 2)] {
                        let roads: Vec<usize> = (0..4).filter(|roads| is(&format!("{name}.{roads}"), 1.0)).collect();
                        assert_eq!(roads.len(), usize::from(sites >= least), "{name} of {action:?}: {features:?}");
                        let site_has = |site: Vertex, roads: usize| {
                            let pips = SiteValues::of(&after).by_resource()[site.index()];
                            let is_equal = |(resource, pips): (usize, u8)| {
                                is(&format!("{name}.{}", 8 + resource), f32::from(pips) / 6.0)
                            };
                            then[&site] == roads && pips.into_iter().enumerate().all(is_equal)
                        };
                        assert!(roads.iter().all(|&roads| then.keys().any(|&site| site_has(site, roads))), "{name}");
                    }
                }
                nearer += usize::from(brought_nearer > 0);
                let sites = |game: &Game, other: Builder| {
                    let ends: VertexSet = game.road_sites(other).ends() | game.road_network(other);
                    (ends & game.free_sites()).len()
                };
                let of_others = |game: &Game| builder.others().map(|other| sites(game, other)).sum::<u32>();
                let lost = of_others(&game) - of_others(&after);
                assert!((get("taken.0") * 3.0 - to_f32(lost)).abs() < 1e-5, "{action:?}: {lost}, {features:?}");
                taken += lost;
            }
        }
        assert!(kinds.iter().all(|&count| count > 5) && nearer > 100 && taken > 50, "{kinds:?}, {nearer}, {taken}");
    }
}
