//! The features of a position from each builder's point of view.

use super::super::OpponentKind;
use super::super::build_times::{
    NOTHING, discount, discounts, has_place_for, index, to_f32, turns_per_unit, turns_to_afford, units,
};
use super::super::network::{Features, Group, groups};
use super::super::site_values::{ResourceMask, SiteValues};
use crate::board::{Resource, Roll, Vertex, VertexSet};
use crate::game::{Builder, DISCARD_LIMIT, Game, Hand, Phase};

groups! {
    /// The groups of features in order.
    pub(in super::super) GROUPS from 0;
    POINTS "points" 11 "one-hot points, 0 to 10";
    NEXT "next" 4 "one-hot number of turns before the builder's next one";
    TO_PLACE "to-place" 3 "one-hot number of basements left to place in the setup";
    OTHERS_PLACE "others-place" 1 "basements placed before the builder's next one, / 7";
    INCOME "income" 5 "income of each resource in units per 36 rolls, / 12";
    LACKING "lacking" 5 "1 for each resource without income";
    SCARCE "scarce" 5 "3 / (3 + income) of each resource";
    ALL_INCOME "all-income" 1 "total income, / 40";
    KEPT "kept" 1 "income that the geese block, / 12";
    SUMS "sums" 1 "number of rolls that produce anything, / 8";
    HELD "held" 5 "units of each resource in hand, at most 8, / 4";
    ONE "one" 5 "1 for at least 1 unit of a resource in hand";
    TWO "two" 5 "1 for at least 2 units";
    THREE "three" 5 "1 for at least 3 units";
    ALL_HELD "all-held" 3 "units in hand, / 10; 1 for 7 to 9; 1 for 10 or more";
    BUILT "built" 3 "basements, houses, towers, / 4";
    CAN_PAY "can-pay" 4 "1 if a road, basement, house, tower could be built now";
    SOON "soon" 4 "6 / (6 + turns until each is affordable with the current hand)";
    LATER "later" 4 "the same with an empty hand";
    SITES "sites" 3 "one-hot number of own sites: 1, 2, 3 or more";
    SITE "site" 2 "pips of the best own site, / 12; its new resources, / 2";
    NEAR "near" 3 "1 for a site one road away; pips and new resources of the best one";
    FAR "far" 1 "1 for a site two roads away, and none nearer";
    SITE_NEW "site-new" 5 "1 for each new resource at any own site";
    NEAR_NEW "near-new" 5 "1 for each new resource at any site one road away";
    ROOM "room" 1 "number of sites at most two roads away, / 8";
    TERRITORY "territory" 4 "number of sites that the builder reaches before all others, 0, 1, 2 and 3 roads away, / 4";
    SHARED "shared" 1 "number of sites that another reaches with as few roads, at most 3, and none with fewer, / 8";
    TERRITORY_PIPS "territory-pips" 5 "pips of each resource at the sites of the territory, / 20";
    BASEMENT_PIPS "basement-pips" 5 "pips of each resource at own basements, / 12";
    HOUSE_PIPS "house-pips" 5 "pips of each resource at own houses, / 12";
    LEADER "leader" 3 "points of the leading opponent, / 10; 1 for at least 8; 1 for 9";
    OTHERS "others" 1 "points of all opponents, / 20";
    ROADS "roads" 1 "roads, / 10";
    BEHIND "behind" 1 "points behind the leading opponent, / 10";
    WHO "who" 3 "one-hot kind of the builder: normal, greedy, rollout";
}

/// The index after the last feature.
pub(in super::super) const END: u8 = WHO + 3;

/// The number of distances that are distinguished for the territory of a builder: 0 to 3 roads.
const DISTANCES: usize = 4;

/// Extracts the features of the builders of one position.
pub(crate) struct FeatureExtractor<'g> {
    game: &'g Game,
    site_values: &'g SiteValues,
    incomes: [Hand; Builder::COUNT],
    next_turn: Builder,
    kinds: [OpponentKind; Builder::COUNT],
    /// For each builder, the vertices that the builder reaches with at most 0, 1, 2 and 3 more roads. Other builders can block only the
    /// first of these roads.
    reached: [[VertexSet; DISTANCES]; Builder::COUNT],
}

impl<'g> FeatureExtractor<'g> {
    pub fn new(game: &'g Game, kinds: [OpponentKind; Builder::COUNT], site_values: &'g SiteValues) -> Self {
        let (incomes, next_turn) = (game.incomes_per_36_rolls(), game.next_turn());
        let reached = Builder::ALL.map(|builder| {
            let own = game.road_network(builder);
            let first = own | game.road_sites(builder).ends();
            let second = first | first.neighbours();
            [own, first, second, second | second.neighbours()]
        });
        Self { game, site_values, incomes, next_turn, kinds, reached }
    }

    /// Returns the vertices that the builder reaches with at most three more roads.
    pub fn within_reach(&self, builder: Builder) -> VertexSet {
        self.reached[builder.index()][DISTANCES - 1]
    }

    /// Returns the number of roads that the builder needs to reach a vertex, at most 4.
    ///
    /// Roads of others are ignored beyond the first.
    pub fn roads_to(&self, builder: Builder, vertex: Vertex) -> usize {
        self.reached[builder.index()].iter().position(|reached| reached.contains(vertex)).unwrap_or(DISTANCES)
    }

    /// Returns the features of a builder, as if the turn ended now.
    pub fn extract(&self, builder: Builder) -> Features {
        let mut features = Features::NONE;
        self.extract_into(builder, &mut features);
        features
    }

    /// Replaces `features` by the features of a builder, as [`Self::extract`] returns them.
    pub fn extract_into(&self, builder: Builder, features: &mut Features) {
        features.clear();
        self.progress(builder, features);
        self.income(builder, features);
        self.hand(builder, features);
        self.buildings(builder, features);
        self.sites(builder, features);
        self.territory(builder, features);
    }

    fn progress(&self, builder: Builder, features: &mut Features) {
        let game = self.game;
        let points = game.points(builder);
        features.push(POINTS + index(points.min(10)), 1.0);
        features.push(WHO + self.kinds[builder.index()] as u8, 1.0);
        let (mut to_place, mut others) = (0, 0);
        let mut before = (builder.index() + Builder::COUNT - self.next_turn.index()) % Builder::COUNT;
        if let Phase::Setup(step) = game.phase() {
            let left = &Builder::SETUP_ORDER[usize::from(step)..];
            to_place = left.iter().filter(|&&placer| placer == builder).count();
            others = left.iter().position(|&placer| placer == builder).unwrap_or(0);
            before = builder.index();
        }
        features.push(NEXT + index(before), 1.0);
        features.push(TO_PLACE + index(to_place), 1.0);
        features.push(OTHERS_PLACE, to_f32(others) / 7.0);
        let rivals = builder.others().map(|other| game.points(other));
        let (most, all) = rivals.fold((0, 0), |(most, all), points| (points.max(most), all + points));
        features.push(LEADER, to_f32(most) / 10.0);
        features.push_flag(LEADER + 1, most >= 8);
        features.push_flag(LEADER + 2, most >= 9);
        features.push(OTHERS, to_f32(all) / 20.0);
        features.push(BEHIND, to_f32(most.saturating_sub(points)) / 10.0);
    }

    fn income(&self, builder: Builder, features: &mut Features) {
        let income = self.incomes[builder.index()];
        for resource in Resource::ALL {
            let (place, units) = (index(resource.index()), to_f32(income.count(resource)));
            features.push(INCOME + place, units / 12.0);
            features.push_flag(LACKING + place, units == 0.0);
            features.push(SCARCE + place, 3.0 / (3.0 + units));
        }
        features.push(ALL_INCOME, to_f32(income.total()) / 40.0);
        if let Some(tile) = self.game.geese() {
            features.push(KEPT, to_f32(self.site_values.income_from(self.game, builder, tile)) / 12.0);
        }
        let rolls = Roll::all().filter(|roll| !roll.is_seven());
        features
            .push(SUMS, to_f32(rolls.filter(|&roll| !self.game.production(roll, builder).is_empty()).count()) / 8.0);
    }

    fn hand(&self, builder: Builder, features: &mut Features) {
        let hand = self.game.hand(builder);
        for resource in Resource::ALL {
            let (place, units) = (index(resource.index()), hand.count(resource));
            features.push(HELD + place, to_f32(units.min(8)) / 4.0);
            features.push_flag(ONE + place, units >= 1);
            features.push_flag(TWO + place, units >= 2);
            features.push_flag(THREE + place, units >= 3);
        }
        let total = hand.total();
        features.push(ALL_HELD, to_f32(total.min(30)) / 10.0);
        features.push_flag(ALL_HELD + 1, (7..DISCARD_LIMIT).contains(&total));
        features.push_flag(ALL_HELD + 2, total >= DISCARD_LIMIT);
    }

    fn buildings(&self, builder: Builder, features: &mut Features) {
        let game = self.game;
        let own = game.residences(builder);
        let (houses, towers) = (own & game.houses(), own & game.towers());
        let built = [game.basements(builder).len(), houses.len(), towers.len()];
        for (place, built) in (0..).zip(built) {
            features.push(BUILT + place, to_f32(built) / 4.0);
        }
        let hand = units(game.hand(builder));
        let per_unit = turns_per_unit(units(self.incomes[builder.index()]));
        let (turns, later) = (turns_to_afford(hand, per_unit), discounts(NOTHING, per_unit));
        for (((place, turns), later), has_place) in (0..).zip(turns).zip(later).zip(has_place_for(game, builder)) {
            features.push_flag(CAN_PAY + place, has_place && turns <= 0.0);
            features.push(SOON + place, discount(turns));
            features.push(LATER + place, later);
        }
    }

    fn sites(&self, builder: Builder, features: &mut Features) {
        let game = self.game;
        let income = game.resources_produced(builder);
        let sites = game.basement_sites(builder);
        if !sites.is_empty() {
            features.push(SITES + index(sites.len().min(3) - 1), 1.0);
            let (pips, new) = self.best(sites, income);
            features.push(SITE, pips);
            features.push(SITE + 1, new);
        }
        let ends = game.road_sites(builder).ends();
        let near = (ends & game.free_sites()) - sites;
        let room = ((ends | ends.neighbours()) & game.free_sites()) | sites;
        features.push(ROOM, to_f32(room.len()) / 8.0);
        if near.is_empty() {
            features.push_flag(FAR, !(room - sites).is_empty());
        } else {
            features.push(NEAR, 1.0);
            let (pips, new) = self.best(near, income);
            features.push(NEAR + 1, pips);
            features.push(NEAR + 2, new);
        }
        let new_at =
            |sites: VertexSet| sites.iter().fold(0, |all, site| all | self.site_values.resources(site)) & !income;
        let (at_sites, at_near) = (new_at(sites), new_at(near));
        for resource in 0..Resource::COUNT {
            features.push_flag(SITE_NEW + index(resource), at_sites >> resource & 1 == 1);
            features.push_flag(NEAR_NEW + index(resource), at_near >> resource & 1 == 1);
        }
        features.push(ROADS, to_f32(game.roads(builder).len()) / 10.0);
    }

    /// Writes the features of the sites that the builder reaches first, and of the tiles at its residences.
    fn territory(&self, builder: Builder, features: &mut Features) {
        let game = self.game;
        let reached_by_others = |roads: usize| {
            builder.others().fold(VertexSet::EMPTY, |all, other| all | self.reached[other.index()][roads])
        };
        let (mut nearer, mut nearer_to_others) = (VertexSet::EMPTY, VertexSet::EMPTY);
        let (mut territory, mut shared) = (VertexSet::EMPTY, VertexSet::EMPTY);
        for (roads, &own) in self.reached[builder.index()].iter().enumerate() {
            let reached = (own & game.free_sites()) - nearer;
            let by_others = reached_by_others(roads);
            let first = reached - by_others;
            features.push(TERRITORY + index(roads), to_f32(first.len()) / 4.0);
            territory = territory | first;
            shared = shared | ((reached & by_others) - nearer_to_others);
            nearer = nearer | reached;
            nearer_to_others = by_others;
        }
        features.push(SHARED, to_f32(shared.len()) / 8.0);
        let houses = game.residences(builder) & game.houses();
        for (group, vertices, scale) in [
            (TERRITORY_PIPS, territory, 20.0),
            (BASEMENT_PIPS, game.basements(builder), 12.0),
            (HOUSE_PIPS, houses, 12.0),
        ] {
            for (place, pips) in (0..).zip(self.site_values.pips_of_all(vertices)) {
                features.push(group + place, to_f32(pips) / scale);
            }
        }
    }

    /// Returns, for the site with the highest score, its pips divided by 12 and its number of new resources divided by 2.
    fn best(&self, sites: VertexSet, income: ResourceMask) -> (f32, f32) {
        let Some(best) = sites.iter().max_by_key(|&site| self.site_values.score(site, income)) else {
            return (0.0, 0.0);
        };
        let new = (self.site_values.resources(best) & !income).count_ones();
        (f32::from(self.site_values.pips(best)) / 12.0, to_f32(new) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::VALUE_NETWORK;
    use super::*;
    use crate::board::{Edge, LayoutSource, RandomLayout, Tile, Vertex};
    use crate::game::{RandomChance, Residence, Rules, SavedBuilder, SavedGame, Trades};
    use crate::rng;

    const KINDS: [OpponentKind; 4] =
        [OpponentKind::Normal, OpponentKind::Greedy, OpponentKind::Rollout, OpponentKind::Rollout];

    /// Returns the features of a builder, by name.
    fn features_of(game: &Game, builder: Builder) -> Vec<(String, f32)> {
        let site_values = SiteValues::of(game);
        let features = FeatureExtractor::new(game, KINDS, &site_values).extract(builder);
        let names: Vec<String> = VALUE_NETWORK.row_names().collect();
        features.iter().map(|(feature, value)| (names[feature].clone(), value)).collect()
    }

    #[test]
    fn features_fit_into_their_capacity() {
        let mut rng = SmallRng::seed_from_u64(5);
        for _ in 0..20 {
            let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
            for _ in 0..2_000 {
                let actions = game.legal_actions(Trades::Off);
                let Some(action) = actions.sample_with(|count| rng::below(&mut rng, count)) else { break };
                game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
                let site_values = SiteValues::of(&game);
                let features = FeatureExtractor::new(&game, KINDS, &site_values).extract(Builder::Red);
                assert!(!features.is_full(), "{features:?}");
                assert!(
                    features.iter().all(|(feature, value)| feature < VALUE_NETWORK.bias() && value.abs() <= 10.0),
                    "{features:?}"
                );
            }
        }
    }

    /// Returns a saved builder with this hand, these roads and these residences. The kind of each residence is given as an index.
    fn saved_builder(hand: [u32; 5], roads: &[i64], residences: &[(i64, usize)]) -> SavedBuilder {
        SavedBuilder {
            hand: Hand::new(hand),
            roads: roads.iter().filter_map(|&road| Edge::new(road)).collect(),
            residences: residences
                .iter()
                .filter_map(|&(vertex, kind)| Some((Vertex::new(vertex)?, Residence::ALL[kind])))
                .collect(),
        }
    }

    #[test]
    #[expect(clippy::expect_used, reason = "a test fails by a panic")]
    fn features_of_a_position() {
        let layout = RandomLayout.layout(&mut SmallRng::seed_from_u64(1));
        let builders = [
            saved_builder([0; 5], &[], &[(0, 0), (53, 0)]),
            saved_builder([1, 1, 1, 1, 2], &[3], &[(3, 1), (47, 0)]),
            saved_builder([0, 0, 0, 5, 5], &[40], &[(33, 0)]),
            saved_builder([0; 5], &[], &[(40, 2), (10, 2), (12, 2)]),
        ];
        let saved = SavedGame { next_turn: Builder::Red, builders, layout, geese: Tile::new(4) };
        let game = Game::from_saved(Rules::default(), &saved).expect("no conflicts");
        let red = features_of(&game, Builder::Red);
        let value = |name: &str| red.iter().find(|(feature, _)| feature == name).map(|&(_, value)| value);
        assert_eq!(value("points.3"), Some(1.0));
        assert_eq!(red.iter().filter(|(name, _)| name.starts_with("points.")).count(), 1);
        assert_eq!(value("next.0"), Some(1.0), "the next turn is Red's");
        assert_eq!(features_of(&game, Builder::Blue).iter().filter(|(name, _)| name == "next.3").count(), 1);
        assert_eq!((value("to-place.0"), value("others-place")), (Some(1.0), None), "the setup is over");
        assert_eq!(value("leader.0"), Some(0.9));
        assert_eq!((value("leader.1"), value("leader.2")), (Some(1.0), Some(1.0)));
        assert_eq!(value("others"), Some((2.0 + 1.0 + 9.0) / 20.0));
        assert_eq!(value("behind"), Some(0.6));
        assert_eq!(
            (value("one.0"), value("one.4"), value("two.4"), value("two.0")),
            (Some(1.0), Some(1.0), Some(1.0), None)
        );
        assert_eq!(value("held.4"), Some(0.5));
        assert_eq!((value("all-held.0"), value("all-held.1"), value("all-held.2")), (Some(0.6), None, None));
        assert_eq!((value("built.0"), value("built.1"), value("built.2")), (Some(0.25), Some(0.25), None));
        assert_eq!(value("can-pay.0"), Some(1.0), "a road is affordable");
        assert_eq!(value("can-pay.2"), None, "a house is not");
        assert_eq!(value("soon.0"), Some(1.0), "a road is affordable now");
        assert_eq!(value("roads"), Some(0.1));
        assert_eq!(value("who.1"), Some(1.0));
        assert_eq!((value("who.0"), value("who.2")), (None, None));
        let income: f32 = (0..5).filter_map(|kind| value(&format!("income.{kind}"))).sum();
        assert_eq!(value("all-income"), Some(income * 12.0 / 40.0));
        let orange = features_of(&game, Builder::Orange);
        let all_held = |name: &str| orange.iter().any(|(feature, _)| feature == name);
        assert!(all_held("all-held.2") && !all_held("all-held.1"), "10 units are in the last class");
    }
}
