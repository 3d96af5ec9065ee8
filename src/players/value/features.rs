//! What is seen of a position, for each builder.

use super::super::Model;
use super::super::ground::{Kinds, Yields, ways_to_yield};
use super::super::plan::{NOTHING, PRICES, possible, soon, turns, units, waits};
use crate::board::{Edge, Resource, Roll, VertexSet};
use crate::game::{Builder, GREED_LIMIT, Game, Hand, Phase};

/// The features in their order, in groups: a name, how many there are, and what each is.
pub(super) const GROUPS: [(&str, usize, &str); 28] = [
    ("points", 11, "1 for so many points"),
    ("next", 4, "1 for so many turns before the builder's own"),
    ("to-place", 3, "1 for so many basements to be placed yet in the setup"),
    ("others-place", 1, "how many are placed before the builder's next one, by 7"),
    ("income", 5, "units in 36 rolls, by 12, of each resource"),
    ("lacking", 5, "1 if nothing yields this resource"),
    ("scarce", 5, "3 by the units in 36 rolls and 3"),
    ("all-income", 1, "units in 36 rolls of all resources, by 40"),
    ("kept", 1, "units in 36 rolls that the geese keep, by 12"),
    ("sums", 1, "how many sums of the dice yield anything, by 8"),
    ("held", 5, "units held of each resource, up to 8, by 4"),
    ("one", 5, "1 if one or more are held"),
    ("two", 5, "1 if two or more are held"),
    ("three", 5, "1 if three or more are held"),
    ("all-held", 3, "all units held, by 10; 1 if that is seven to nine; 1 if it is ten or more"),
    ("built", 3, "basements, houses, towers, by 4"),
    ("can-pay", 4, "1 if a road, basement, house, tower could be built now"),
    ("soon", 4, "6 by 6 and the turns until each can be paid for with what is held"),
    ("later", 4, "the same when nothing is held"),
    ("sites", 3, "1 for so many sites that a road has reached, from one on"),
    ("site", 2, "the best of them: its ways to yield, by 12; its new resources, by 2"),
    ("near", 3, "1 if there is a site one road away; the best of them as above"),
    ("far", 1, "1 if there is a site two roads away"),
    ("leader", 3, "the most points of another, by 10; 1 if eight or more; 1 if nine"),
    ("others", 1, "the points of all others, by 20"),
    ("roads", 1, "roads, by 10"),
    ("behind", 1, "how many points the builder is behind the leader, by 10"),
    ("who", 3, "1 for who the builder is taken for: a normal player, a greedy one, an expert"),
];

pub(super) const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].1;
        group += 1;
    }
    count
};

/// Where a group begins.
#[expect(clippy::cast_possible_truncation, reason = "a hundred features")]
const fn first(name: &str) -> u8 {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        if same(GROUPS[group].0, name) {
            return count as u8;
        }
        count += GROUPS[group].1;
        group += 1;
    }
    panic!("there is no such group")
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

const POINTS: u8 = first("points");
const NEXT: u8 = first("next");
const TO_PLACE: u8 = first("to-place");
const OTHERS_PLACE: u8 = first("others-place");
const INCOME: u8 = first("income");
const LACKING: u8 = first("lacking");
const SCARCE: u8 = first("scarce");
const ALL_INCOME: u8 = first("all-income");
const KEPT: u8 = first("kept");
const SUMS: u8 = first("sums");
const HELD: u8 = first("held");
const ONE: u8 = first("one");
const TWO: u8 = first("two");
const THREE: u8 = first("three");
const ALL_HELD: u8 = first("all-held");
const BUILT: u8 = first("built");
const CAN_PAY: u8 = first("can-pay");
const SOON: u8 = first("soon");
const LATER: u8 = first("later");
const SITES: u8 = first("sites");
const SITE: u8 = first("site");
const NEAR: u8 = first("near");
const FAR: u8 = first("far");
const LEADER: u8 = first("leader");
const OTHERS: u8 = first("others");
const ROADS: u8 = first("roads");
const BEHIND: u8 = first("behind");
const WHO: u8 = first("who");

/// Those features of a builder that are not 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    all: [(u8, f32); Self::MOST],
    count: usize,
}

impl Features {
    /// No more are ever seen at a time.
    const MOST: usize = 77;

    pub const NONE: Self = Self { all: [(0, 0.0); Self::MOST], count: 0 };

    fn see(&mut self, feature: u8, value: f32) {
        if value != 0.0 && self.count < Self::MOST {
            self.all[self.count] = (feature, value);
            self.count += 1;
        }
    }

    fn see_if(&mut self, feature: u8, holds: bool) {
        self.see(feature, if holds { 1.0 } else { 0.0 });
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.all[..self.count].iter().map(|&(feature, value)| (feature.into(), value))
    }
}

/// What is the same for all builders of a position.
pub(crate) struct Seen<'g> {
    game: &'g Game,
    yields: &'g Yields,
    incomes: [Hand; Builder::COUNT],
    next: Builder,
    models: [Model; Builder::COUNT],
}

impl<'g> Seen<'g> {
    pub fn new(game: &'g Game, models: [Model; Builder::COUNT], yields: &'g Yields) -> Self {
        Self { game, yields, incomes: game.incomes(), next: game.next_to_begin(), models }
    }

    /// What is seen of a builder, as if the turn ended now.
    pub fn of(&self, builder: Builder) -> Features {
        let mut seen = Features::NONE;
        self.course(builder, &mut seen);
        self.income(builder, &mut seen);
        self.hand(builder, &mut seen);
        self.plans(builder, &mut seen);
        self.room(builder, &mut seen);
        seen
    }

    fn course(&self, builder: Builder, seen: &mut Features) {
        let game = self.game;
        let points = game.points(builder);
        seen.see(POINTS + small(points.min(10)), 1.0);
        seen.see(WHO + self.models[builder.index()] as u8, 1.0);
        let (mut to_place, mut others) = (0, 0);
        let mut before = (builder.index() + Builder::COUNT - self.next.index()) % Builder::COUNT;
        if let Phase::Setup(step) = game.phase() {
            let left = &Builder::SETUP_ORDER[usize::from(step)..];
            to_place = left.iter().filter(|&&placer| placer == builder).count();
            others = left.iter().position(|&placer| placer == builder).unwrap_or(0);
            before = builder.index();
        }
        seen.see(NEXT + small(before), 1.0);
        seen.see(TO_PLACE + small(to_place), 1.0);
        seen.see(OTHERS_PLACE, float(others) / 7.0);
        let rivals = Builder::ALL.into_iter().filter(|&other| other != builder).map(|other| game.points(other));
        let (most, all) = rivals.fold((0, 0), |(most, all), points| (points.max(most), all + points));
        seen.see(LEADER, float(most) / 10.0);
        seen.see_if(LEADER + 1, most >= 8);
        seen.see_if(LEADER + 2, most >= 9);
        seen.see(OTHERS, float(all) / 20.0);
        seen.see(BEHIND, float(most.saturating_sub(points)) / 10.0);
    }

    fn income(&self, builder: Builder, seen: &mut Features) {
        let income = self.incomes[builder.index()];
        for resource in Resource::ALL {
            let (place, units) = (small(resource.index()), float(income.count(resource)));
            seen.see(INCOME + place, units / 12.0);
            seen.see_if(LACKING + place, units == 0.0);
            seen.see(SCARCE + place, 3.0 / (3.0 + units));
        }
        seen.see(ALL_INCOME, float(income.total()) / 40.0);
        if let Some(tile) = self.game.geese() {
            let units = self.game.kept_from(builder).total() * u32::from(ways_to_yield(self.game.layout()[tile]));
            seen.see(KEPT, float(units) / 12.0);
        }
        let sums = Roll::all().filter(|roll| !roll.moves_geese());
        seen.see(SUMS, float(sums.filter(|&roll| !self.game.yields(roll, builder).is_empty()).count()) / 8.0);
    }

    fn hand(&self, builder: Builder, seen: &mut Features) {
        let hand = self.game.hand(builder);
        for resource in Resource::ALL {
            let (place, units) = (small(resource.index()), hand.count(resource));
            seen.see(HELD + place, float(units.min(8)) / 4.0);
            seen.see_if(ONE + place, units >= 1);
            seen.see_if(TWO + place, units >= 2);
            seen.see_if(THREE + place, units >= 3);
        }
        let total = hand.total();
        seen.see(ALL_HELD, float(total.min(30)) / 10.0);
        seen.see_if(ALL_HELD + 1, (7..GREED_LIMIT).contains(&total));
        seen.see_if(ALL_HELD + 2, total >= GREED_LIMIT);
    }

    fn plans(&self, builder: Builder, seen: &mut Features) {
        let game = self.game;
        let own = game.residences(builder);
        let (houses, towers) = (own & game.houses(), own & game.towers());
        let basements = own - houses - towers;
        let built = [basements.len(), houses.len(), towers.len()];
        for (place, built) in (0..).zip(built) {
            seen.see(BUILT + place, float(built) / 4.0);
        }
        let (hand, waits) = (units(game.hand(builder)), waits(units(self.incomes[builder.index()])));
        for ((place, price), possible) in (0..).zip(PRICES).zip(possible(game, builder)) {
            let time = turns(price, hand, waits);
            seen.see_if(CAN_PAY + place, possible && time <= 0.0);
            seen.see(SOON + place, soon(time));
            seen.see(LATER + place, soon(turns(price, NOTHING, waits)));
        }
    }

    fn room(&self, builder: Builder, seen: &mut Features) {
        let game = self.game;
        let income = self.yields.income(game.residences(builder));
        let sites = game.basement_sites(builder);
        if !sites.is_empty() {
            seen.see(SITES + small(sites.len().min(3) - 1), 1.0);
            let (ways, new) = self.best(sites, income);
            seen.see(SITE, ways);
            seen.see(SITE + 1, new);
        }
        let ends: VertexSet = game.road_sites(builder).iter().flat_map(Edge::ends).collect();
        let near = (ends & game.sites()) - sites;
        if near.is_empty() {
            let farther = ends.iter().fold(VertexSet::EMPTY, |all, end| all | end.neighbours());
            seen.see_if(FAR, !((farther & game.sites()) - sites).is_empty());
        } else {
            seen.see(NEAR, 1.0);
            let (ways, new) = self.best(near, income);
            seen.see(NEAR + 1, ways);
            seen.see(NEAR + 2, new);
        }
        seen.see(ROADS, float(game.roads(builder).len()) / 10.0);
    }

    /// Of the site that is worth most: its ways to yield, and how many of its resources are new.
    fn best(&self, sites: VertexSet, income: Kinds) -> (f32, f32) {
        let Some(best) = sites.iter().max_by_key(|&site| self.yields.worth(site, income)) else { return (0.0, 0.0) };
        let new = (self.yields.kinds(best) & !income).count_ones();
        (f32::from(self.yields.ways(best)) / 12.0, float(new) / 2.0)
    }
}

/// A place in a group.
#[expect(clippy::cast_possible_truncation, reason = "a group has at most eleven")]
fn small(number: impl TryInto<u64>) -> u8 {
    number.try_into().map_or(0, |number| number as u8)
}

#[expect(clippy::cast_precision_loss, reason = "less than a million")]
fn float(number: impl TryInto<u32>) -> f32 {
    number.try_into().map_or(0.0, |number| number as f32)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::network::names;
    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::board::{Tile, Vertex};
    use crate::game::{Drawn, Holding, Position, Residence, Rules, Trades};
    use crate::random;

    const RULES: Rules = Rules { geese_start_on_park: true, residences_stop_roads: true };

    const MODELS: [Model; 4] = [Model::Normal, Model::Greedy, Model::Own, Model::Own];

    /// Everything that is seen of a builder, by name.
    fn seen(game: &Game, builder: Builder) -> Vec<(String, f32)> {
        let yields = Yields::of(game);
        let seen = Seen::new(game, MODELS, &yields).of(builder);
        let names: Vec<String> = names().collect();
        seen.iter().map(|(feature, value)| (names[feature].clone(), value)).collect()
    }

    #[test]
    fn nothing_that_can_be_seen_is_left_out() {
        let mut draws = SmallRng::seed_from_u64(5);
        for _ in 0..20 {
            let mut game = Game::new(RULES, RandomLayout.layout(&mut draws));
            for _ in 0..2_000 {
                let Some(action) = game.pick(Trades::Off, |count| random::below(&mut draws, count)) else { break };
                game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
                let yields = Yields::of(&game);
                let seen = Seen::new(&game, MODELS, &yields).of(Builder::Red);
                assert!(seen.count < Features::MOST, "there is no room for more than {} features", Features::MOST);
                assert!(seen.iter().all(|(feature, value)| feature < COUNT && value.abs() <= 10.0), "{seen:?}");
            }
        }
    }

    /// What a builder has: resources, edges, and vertices with how often each was improved.
    fn holding(hand: [u32; 5], roads: &[i64], residences: &[(i64, usize)]) -> Holding {
        Holding {
            hand: Hand::new(hand),
            roads: roads.iter().filter_map(|&road| Edge::new(road)).collect(),
            residences: residences
                .iter()
                .filter_map(|&(vertex, improved)| Some((Vertex::new(vertex)?, Residence::ALL[improved])))
                .collect(),
        }
    }

    /// A position with Red to begin.
    #[test]
    #[expect(clippy::expect_used, reason = "a test fails by a panic")]
    fn what_is_seen_of_a_position() {
        let layout = RandomLayout.layout(&mut SmallRng::seed_from_u64(1));
        let holdings = [
            holding([0; 5], &[], &[(0, 0), (53, 0)]),
            holding([1, 1, 1, 1, 2], &[3], &[(3, 1), (47, 0)]),
            holding([0, 0, 0, 5, 5], &[40], &[(33, 0)]),
            holding([0; 5], &[], &[(40, 2), (10, 2), (12, 2)]),
        ];
        let position = Position { next: Builder::Red, holdings, layout, geese: Tile::new(4) };
        let game = Game::resume(RULES, &position).expect("no two things are in one place");
        let red = seen(&game, Builder::Red);
        let value = |name: &str| red.iter().find(|(seen, _)| seen == name).map(|&(_, value)| value);
        assert_eq!(value("points.3"), Some(1.0));
        assert_eq!(red.iter().filter(|(name, _)| name.starts_with("points.")).count(), 1);
        assert_eq!(value("next.0"), Some(1.0), "Red begins the next turn");
        assert_eq!(seen(&game, Builder::Blue).iter().filter(|(name, _)| name == "next.3").count(), 1);
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
        assert_eq!(value("can-pay.0"), Some(1.0), "a road can be paid for");
        assert_eq!(value("can-pay.2"), None, "a house cannot");
        assert_eq!(value("soon.0"), Some(1.0), "a road can be paid for at once");
        assert_eq!(value("roads"), Some(0.1));
        assert_eq!(value("who.1"), Some(1.0));
        assert_eq!((value("who.0"), value("who.2")), (None, None));
        // A house yields twice as much: the four ways of the 3 that are around vertex 3, times two, and so on.
        let income: f32 = (0..5).filter_map(|kind| value(&format!("income.{kind}"))).sum();
        assert_eq!(value("all-income"), Some(income * 12.0 / 40.0));
        let orange = seen(&game, Builder::Orange);
        let all_held = |name: &str| orange.iter().any(|(seen, _)| seen == name);
        assert!(all_held("all-held.2") && !all_held("all-held.1"), "ten are too many");
    }
}
