//! Estimates of how many turns it takes until something can be paid for.

use crate::board::Resource;
use crate::game::{Builder, Game, Hand, Residence, cost};

/// An amount of each resource.
pub(super) type ResourceVec = [f32; Resource::COUNT];

/// No units.
pub(super) const NOTHING: ResourceVec = [0.0; Resource::COUNT];

/// A thing that can be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Buildable {
    Road,
    Basement,
    House,
    Tower,
}

impl Buildable {
    pub const COUNT: usize = 4;

    pub const ALL: [Self; Self::COUNT] = [Self::Road, Self::Basement, Self::House, Self::Tower];

    pub const fn cost(self) -> Hand {
        match self {
            Self::Road => cost::ROAD,
            Self::Basement => cost::residence(Residence::Basement),
            Self::House => cost::residence(Residence::House),
            Self::Tower => cost::residence(Residence::Tower),
        }
    }
}

/// A number for each [`Buildable`].
pub(super) type ForEachBuildable = [f32; Buildable::COUNT];

/// For each resource, the number of units that each [`Buildable`] costs. The four numbers for a resource are adjacent, so that one vector
/// instruction handles them.
const COSTS_BY_RESOURCE: [ForEachBuildable; Resource::COUNT] = {
    let mut costs = [[0.0; Buildable::COUNT]; Resource::COUNT];
    let mut goal = 0;
    while goal < Buildable::COUNT {
        let mut resource = 0;
        while resource < Resource::COUNT {
            costs[resource][goal] = COSTS[goal][resource];
            resource += 1;
        }
        goal += 1;
    }
    costs
};

/// The cost of each [`Buildable`].
pub(super) const COSTS: [ResourceVec; Buildable::COUNT] = {
    let mut costs = [NOTHING; Buildable::COUNT];
    let mut index = 0;
    while index < Buildable::COUNT {
        costs[index] = cost_vec(Buildable::ALL[index].cost());
        index += 1;
    }
    costs
};

#[expect(clippy::cast_precision_loss, reason = "at most 3")]
const fn cost_vec(hand: Hand) -> ResourceVec {
    let mut cost = NOTHING;
    let mut index = 0;
    while index < Resource::COUNT {
        cost[index] = hand.count(Resource::ALL[index]) as f32;
        index += 1;
    }
    cost
}

/// Returns an index within a group of features.
#[expect(clippy::cast_possible_truncation, reason = "a group has fewer than 256 features")]
pub(super) fn index(number: impl TryInto<u64>) -> u8 {
    number.try_into().map_or(0, |number| number as u8)
}

/// Converts a count.
#[expect(clippy::cast_precision_loss, reason = "less than a million")]
pub(super) fn to_f32(number: impl TryInto<u32>) -> f32 {
    number.try_into().map_or(0.0, |number| number as f32)
}

/// The greatest estimate in turns. It also stands for a cost that can never be paid.
const NEVER: f32 = 60.0;

/// Returns the expected number of turns to gain a unit of each resource, for an income in units per 36 rolls.
#[inline]
pub(super) fn turns_per_unit(income: ResourceVec) -> ResourceVec {
    income.map(turns_for_one)
}

/// Returns the expected number of turns to gain a unit, for an income of this many units per 36 rolls.
#[inline]
pub(super) fn turns_for_one(units: f32) -> f32 {
    // Branchless: a division by 0 is infinite.
    min(36.0 / max(units, 0.0), NEVER)
}

/// Returns `value(index)` for each [`Buildable`].
///
/// Unrolled, so that the four calls become vector instructions.
#[inline(always)]
fn each(value: impl Fn(usize) -> f32) -> ForEachBuildable {
    [value(0), value(1), value(2), value(3)]
}

/// Returns the greater of two numbers that are not NaN: one instruction, unlike [`f32::max`].
#[inline(always)]
pub(super) const fn max(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// Returns the lesser of two numbers that are not NaN.
#[inline(always)]
const fn min(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Returns the approximate number of turns until the cost of each [`Buildable`] can be paid, which is when there is enough of every
/// resource.
#[inline]
pub(super) fn turns_to_afford(held: ResourceVec, turns_per_unit: ResourceVec) -> ForEachBuildable {
    let mut turns = [0.0; Buildable::COUNT];
    for resource in 0..Resource::COUNT {
        let more = turns_for(resource, held[resource], turns_per_unit[resource]);
        turns = each(|goal| max(more[goal], turns[goal]));
    }
    each(|goal| min(turns[goal], NEVER))
}

/// Returns the [`discount`] of the turns until each [`Buildable`] can be paid for.
#[inline]
pub(super) fn discounts(held: ResourceVec, turns_per_unit: ResourceVec) -> ForEachBuildable {
    let turns = turns_to_afford(held, turns_per_unit);
    each(|goal| discount(turns[goal]))
}

/// For each resource and each [`Buildable`], the number of turns until there is enough of all other resources. With these numbers, the
/// effect of a change of one resource is cheap to compute.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeaveOneOutTurns([ForEachBuildable; Resource::COUNT]);

impl LeaveOneOutTurns {
    #[inline]
    pub fn new(held: ResourceVec, turns_per_unit: ResourceVec) -> Self {
        let turns: [ForEachBuildable; Resource::COUNT] =
            std::array::from_fn(|resource| turns_for(resource, held[resource], turns_per_unit[resource]));
        let longer = |one: ForEachBuildable, other: ForEachBuildable| each(|goal| max(one[goal], other[goal]));
        let (first, last) = (longer(turns[0], turns[1]), longer(turns[3], turns[4]));
        let (first_three, last_three) = (longer(first, turns[2]), longer(turns[2], last));
        Self([
            longer(turns[1], last_three),
            longer(turns[0], last_three),
            longer(first, last),
            longer(first_three, turns[4]),
            longer(first_three, turns[3]),
        ])
    }

    /// Returns the discounts if the builder holds `held` units of the resource and gains another every `turns_per_unit` turns.
    #[inline]
    pub fn discounts_with(&self, resource: usize, held: f32, turns_per_unit: f32) -> ForEachBuildable {
        let (own, others) = (turns_for(resource, held, turns_per_unit), self.0[resource]);
        each(|goal| discount(min(max(own[goal], others[goal]), NEVER)))
    }
}

/// Returns the number of turns until there is enough of one resource for each [`Buildable`].
#[inline(always)]
fn turns_for(resource: usize, held: f32, turns_per_unit: f32) -> ForEachBuildable {
    let costs = &COSTS_BY_RESOURCE[resource];
    each(|goal| max((costs[goal] - held) * turns_per_unit, 0.0))
}

/// Returns the value of something after this many turns: 1 now, 1/2 after 6 turns, and so on hyperbolically.
#[inline]
pub(super) fn discount(turns: f32) -> f32 {
    6.0 / (6.0 + turns)
}

/// Returns the counts of a hand as floats, each capped at 1,000.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "at most 1,000")]
pub(super) fn units(hand: Hand) -> ResourceVec {
    Resource::ALL.map(|resource| hand.count(resource).min(1_000) as f32)
}

/// Returns the sum of two vectors.
#[inline]
pub(super) fn sum(one: ResourceVec, other: ResourceVec) -> ResourceVec {
    std::array::from_fn(|index| one[index] + other[index])
}

/// Returns, for each [`Buildable`], whether the builder has a place for it. The builder's resources do not matter.
///
/// A place for a road is always assumed.
#[inline]
pub(super) fn has_place_for(game: &Game, builder: Builder) -> [bool; Buildable::COUNT] {
    let houses = game.residences(builder) & game.houses();
    [true, !game.basement_sites(builder).is_empty(), !game.basements(builder).is_empty(), !houses.is_empty()]
}
