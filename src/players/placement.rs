//! A model of the sites that searching players choose in the setup, learned from their placements.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::OpponentKind;
use super::build_times::{NOTHING, ResourceVec, discounts, sum, to_f32, turns_per_unit};
use super::candidates::{CandidateLimits, candidates};
use super::network::{Features, Group, Network, NetworkSpec, softmax};
use super::policies::{Policies, weighted_choice};
use super::site_values::{ResourceMask, SiteValues};
use crate::board::{Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Builder, Game, Phase, Trades};

/// The network that predicts where players who search place their basements in the setup. It scores the candidate sites: the softmax of the
/// scores gives the probability of a placement at each site.
pub static PLACEMENT_NETWORK: NetworkSpec = NetworkSpec::new("placement", &GROUPS, include_str!("data/placement.txt"));

/// The groups of features of a site in order. "After" means after a basement is placed at the site.
const GROUPS: [Group; 18] = [
    ("step", 8, "one-hot number of placements before this one"),
    ("income", 5, "income of each resource after, in units per 36 rolls, / 12"),
    ("lacking", 5, "1 for each resource without income after"),
    ("scarce", 5, "3 / (3 + income) of each resource after"),
    ("pips", 5, "pips of each resource at the site, / 6"),
    ("later", 4, "6 / (6 + turns until a road, basement, house, tower is affordable) after"),
    ("all-pips", 1, "pips at the site, / 12"),
    ("sums", 1, "number of rolls that produce anything after, / 6"),
    ("greedy-score", 1, "the greedy player's score, less that of its best candidate, / 12"),
    ("score", 1, "the score of the expert's playout policy, less that of its best candidate"),
    ("favourite", 3, "1 for the choice of normal, greedy, rollout"),
    ("board", 5, "pips of each resource on all tiles, / 20"),
    ("others", 5, "pips of each resource at the residences of others, / 24"),
    ("near", 1, "number of free sites two roads away after, / 6"),
    ("near-pips", 5, "the most pips of each resource at one of them, / 6"),
    ("near-best", 1, "the greatest greedy score of one of them, / 24"),
    ("others-near", 2, "residences of others at most two roads away, and at most four through free sites, / 3"),
    (
        "next",
        5,
        "if another is left to place: 1; placements of others before, / 6; greedy scores of the best site, of that after half as many, and of that after as many, / 36",
    ),
];

/// Writes the features of a site, in order.
struct FeatureWriter {
    features: Features,
    next: u8,
}

impl FeatureWriter {
    const fn new() -> Self {
        Self { features: Features::NONE, next: 0 }
    }

    fn push(&mut self, value: f32) {
        self.features.push(self.next, value);
        self.next += 1;
    }

    fn push_flag(&mut self, holds: bool) {
        self.push(if holds { 1.0 } else { 0.0 });
    }

    fn push_all(&mut self, values: impl IntoIterator<Item = f32>) {
        for value in values {
            self.push(value);
        }
    }

    fn finish(self) -> Features {
        debug_assert_eq!(usize::from(self.next), PLACEMENT_NETWORK.bias(), "every feature is written");
        self.features
    }
}

/// The data that the features of all candidates share.
struct Extractor<'g> {
    game: &'g Game,
    site_values: &'g SiteValues,
    step: usize,
    own: VertexSet,
    others: VertexSet,
    income: ResourceMask,
    /// The number of placements between this one and the builder's next one; `None` if there is no next one.
    before_next: Option<usize>,
    board_pips: ResourceVec,
}

/// Returns the candidate sites of the current player, with their features. After the setup, returns an empty list.
pub(crate) fn extract(game: &Game, players: &mut Policies) -> Vec<(Vertex, Features)> {
    let (Phase::Setup(step), Some(builder)) = (game.phase(), game.current_player()) else { return Vec::new() };
    let actions = game.legal_actions(Trades::Off);
    let prior_sites = OpponentKind::ALL.map(|kind| players.decide(kind, game, &actions));
    let prior = prior_sites[OpponentKind::Rollout as usize];
    let site_values = players.greedy.site_values(game);
    let sites = candidates(game, &actions, builder, site_values, CandidateLimits::EXPERT, prior);
    let sites: Vec<Vertex> = sites.into_iter().filter_map(settled).collect();
    let step = usize::from(step);
    let mut board_pips = NOTHING;
    for tile in Tile::all() {
        let terrain = game.layout()[tile];
        if let Some((resource, _)) = terrain.production() {
            board_pips[resource.index()] += f32::from(terrain.pips());
        }
    }
    let extractor = Extractor {
        game,
        site_values,
        step,
        own: game.residences(builder),
        others: builder.others().fold(VertexSet::EMPTY, |all, other| all | game.residences(other)),
        income: game.resources_produced(builder),
        before_next: Builder::SETUP_ORDER[step + 1..].iter().position(|&placer| placer == builder),
        board_pips,
    };
    let scores: Vec<f32> = sites.iter().map(|&site| players.rollout.first_site_score(game, builder, site)).collect();
    let best_score = scores.iter().copied().fold(f32::MIN, f32::max);
    let greedy_score = |site: Vertex| to_f32(site_values.score(site, extractor.income));
    let best_greedy_score = sites.iter().copied().map(greedy_score).fold(0.0, f32::max);
    let features = |(&site, score): (&Vertex, f32)| {
        let mut writer = FeatureWriter::new();
        extractor.production(site, &mut writer);
        writer.push((greedy_score(site) - best_greedy_score) / 12.0);
        writer.push(score - best_score);
        for prior_action in prior_sites {
            writer.push_flag(prior_action == Some(Action::Settle(site)));
        }
        extractor.surroundings(site, &mut writer);
        (site, writer.finish())
    };
    sites.iter().zip(scores).map(features).collect()
}

/// Returns the site of a placement; `None` for any other action.
const fn settled(action: Action) -> Option<Vertex> {
    if let Action::Settle(site) = action { Some(site) } else { None }
}

impl Extractor<'_> {
    /// Writes the groups from `step` to `sums`.
    fn production(&self, site: Vertex, writer: &mut FeatureWriter) {
        let here: ResourceVec = self.site_values.by_resource()[site.index()].map(f32::from);
        let after = sum(self.site_values.pips_of_all(self.own).map(to_f32), here);
        for step in 0..Builder::SETUP_ORDER.len() {
            writer.push_flag(step == self.step);
        }
        writer.push_all(after.map(|units| units / 12.0));
        for units in after {
            writer.push_flag(units == 0.0);
        }
        writer.push_all(after.map(|units| 3.0 / (3.0 + units)));
        writer.push_all(here.map(|pips| pips / 6.0));
        writer.push_all(discounts(NOTHING, turns_per_unit(after)));
        writer.push(f32::from(self.site_values.pips(site)) / 12.0);
        let mut rolls = 0_u16;
        for tile in self.own.with(site).iter().flat_map(|vertex| vertex.tiles().iter()) {
            if let Some((_, value)) = self.game.layout()[tile].production() {
                rolls |= 1 << value.value();
            }
        }
        writer.push(to_f32(rolls.count_ones()) / 6.0);
    }

    /// Writes the groups from `board` on.
    fn surroundings(&self, site: Vertex, writer: &mut FeatureWriter) {
        let values = self.site_values;
        writer.push_all(self.board_pips.map(|pips| pips / 20.0));
        writer.push_all(values.pips_of_all(self.others).map(|pips| to_f32(pips) / 24.0));
        let income = self.income | values.resources(site);
        let free = self.game.free_sites() - site.neighbours().with(site);
        let near = site.at_distance_two() & free;
        writer.push(to_f32(near.len()) / 6.0);
        let mut most = [0; Resource::COUNT];
        for other in near.iter() {
            for (most, &pips) in most.iter_mut().zip(&values.by_resource()[other.index()]) {
                *most = pips.max(*most);
            }
        }
        writer.push_all(most.map(|pips| f32::from(pips) / 6.0));
        writer.push(to_f32(near.iter().map(|other| values.score(other, income)).max().unwrap_or(0)) / 24.0);
        let around =
            near.iter().fold(site.at_distance_two(), |all, other| all | other.neighbours() | other.at_distance_two());
        for vertices in [site.at_distance_two(), around] {
            writer.push(to_f32((vertices & self.others).len()) / 3.0);
        }
        let Some(before_next) = self.before_next else { return writer.push_all([0.0; 5]) };
        let mut scores: Vec<u32> = free.iter().map(|other| values.score(other, income)).collect();
        scores.sort_unstable_by_key(|&score| Reverse(score));
        writer.push(1.0);
        writer.push(to_f32(before_next) / 6.0);
        for taken in [0, before_next / 2, before_next] {
            writer.push(to_f32(scores.get(taken).copied().unwrap_or(0)) / 36.0);
        }
    }
}

/// The distribution of a searching player's placements, as a [`Network`] estimates it.
#[derive(Debug)]
pub(crate) struct PlacementModel {
    network: Arc<Network>,
    /// The distributions by position hash, all for the layout with the hash `layout_hash`.
    cache: HashMap<u64, Box<[(Vertex, f32)]>>,
    layout_hash: u64,
}

/// The model with the pretrained network.
impl Default for PlacementModel {
    fn default() -> Self {
        Self::new(PLACEMENT_NETWORK.pretrained())
    }
}

impl PlacementModel {
    /// Makes the model with this placement network.
    pub fn new(network: Arc<Network>) -> Self {
        Self { network, cache: HashMap::new(), layout_hash: 0 }
    }
}

/// A clone has an empty cache: filling it again is cheaper than copying what is seldom needed.
impl Clone for PlacementModel {
    fn clone(&self) -> Self {
        Self { network: Arc::clone(&self.network), cache: HashMap::new(), layout_hash: 0 }
    }
}

impl PlacementModel {
    /// Returns the candidate sites of the current player in the setup, each with the probability that the player places there.
    pub fn distribution(&mut self, game: &Game, players: &mut Policies) -> &[(Vertex, f32)] {
        /// The maximum number of cached distributions, which take about 4 MB.
        const MAX_CACHED: usize = 1 << 14;
        if self.layout_hash != game.layout_hash() || self.cache.len() >= MAX_CACHED {
            self.layout_hash = game.layout_hash();
            self.cache.clear();
        }
        self.cache.entry(game.hash64()).or_insert_with(|| {
            let candidates = extract(game, players);
            let mut probabilities: Vec<f32> =
                candidates.iter().map(|(_, features)| self.network.score(features)).collect();
            softmax(&mut probabilities);
            candidates.iter().map(|&(site, _)| site).zip(probabilities).collect()
        })
    }

    /// Samples a placement from the distribution by `uniform`, a random number from 0 to 1.
    pub fn sample(&mut self, game: &Game, players: &mut Policies, uniform: f32) -> Option<Action> {
        weighted_choice(self.distribution(game, players).iter().copied(), uniform).map(Action::Settle)
    }

    /// Returns the probability that the current player places at the site.
    pub fn probability(&mut self, game: &Game, players: &mut Policies, site: Vertex) -> f32 {
        let distribution = self.distribution(game, players);
        distribution.iter().find(|&&(candidate, _)| candidate == site).map_or(0.0, |&(_, probability)| probability)
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

    /// Returns a random setup after this many placements.
    fn game_after(placements: usize, rng: &mut SmallRng) -> Game {
        let mut game = Game::new(Rules::default(), RandomLayout.layout(rng));
        for _ in 0..placements {
            let actions = game.legal_actions(Trades::Off);
            let action = actions.sample_with(|count| rng::below(rng, count)).unwrap();
            game.apply_unchecked(action, &mut RandomChance(&mut *rng), |_| {});
        }
        game
    }

    fn is_close(one: f32, other: f32) -> bool {
        (one - other).abs() < 1e-6
    }

    #[test]
    fn features_of_a_site() {
        let mut rng = SmallRng::seed_from_u64(3);
        let game = game_after(2, &mut rng);
        let mut players = Policies::default();
        let all = extract(&game, &mut players);
        assert!((16..=17).contains(&all.len()), "sixteen sites and the prior action: {}", all.len());
        let names: Vec<String> = PLACEMENT_NETWORK.row_names().collect();
        let site_values = SiteValues::of(&game);
        let others = VertexSet::EMPTY | game.residences(Builder::Blue) | game.residences(Builder::Red);
        let mut prior_sites = 0.0;
        for (site, features) in &all {
            let value = |name: &str| {
                let index = names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name}"));
                features.iter().find(|&(feature, _)| feature == index).map_or(0.0, |(_, value)| value)
            };
            assert!(game.free_sites().contains(*site), "{site:?}");
            assert_eq!((value("step.2"), value("step.0")), (1.0, 0.0));
            let pips = site_values.by_resource()[site.index()];
            for resource in 0..Resource::COUNT {
                let pips = f32::from(pips[resource]);
                let of = |group: &str| value(&format!("{group}.{resource}"));
                assert_eq!((of("income"), of("pips")), (pips / 12.0, pips / 6.0), "{site:?}");
                let lacking = if pips > 0.0 { 0.0 } else { 1.0 };
                assert!(is_close(of("lacking"), lacking) && is_close(of("scarce"), 3.0 / (3.0 + pips)), "{site:?}");
                let of_others = to_f32(site_values.pips_of_all(others)[resource]);
                assert!(is_close(of("others"), of_others / 24.0), "{site:?}");
            }
            assert!(is_close(value("all-pips"), f32::from(site_values.pips(*site)) / 12.0), "{site:?}");
            assert!(value("greedy-score") <= 0.0 && value("score") <= 0.0);
            // Orange places now, and again after Yellow's two placements.
            assert_eq!((value("next.0"), value("next.1")), (1.0, 2.0 / 6.0));
            assert!(value("next.2") >= value("next.3") && value("next.3") >= value("next.4"));
            prior_sites += value("favourite.2");
        }
        assert!(is_close(prior_sites, 1.0), "the playout policy has one prior action");
        assert!(extract(&game_after(8, &mut rng), &mut players).is_empty(), "the setup is over");
    }

    #[test]
    fn placements_are_sampled_from_a_distribution() {
        let mut rng = SmallRng::seed_from_u64(5);
        let (mut model, mut players) = (PlacementModel::default(), Policies::default());
        for placements in 0..8 {
            let game = game_after(placements, &mut rng);
            let distribution = model.distribution(&game, &mut players).to_vec();
            let total: f32 = distribution.iter().map(|(_, probability)| probability).sum();
            assert!((total - 1.0).abs() < 1e-5, "{distribution:?}");
            // The middle of each interval.
            let mut below = 0.0;
            for &(site, probability) in &distribution {
                let sampled = model.sample(&game, &mut players, below + probability / 2.0);
                assert_eq!(sampled, Some(Action::Settle(site)), "{distribution:?}");
                assert_eq!(model.probability(&game, &mut players, site).to_bits(), probability.to_bits());
                below += probability;
            }
            assert_eq!(model.sample(&game, &mut players, 1.0).map(|action| game.check(action)), Some(Ok(())));
            let occupied = (VertexSet::FULL - game.free_sites()).nth(0);
            let probability = occupied.map(|site| model.probability(&game, &mut players, site));
            assert!(probability.is_none_or(|probability| probability == 0.0), "no free site");
        }
    }
}
