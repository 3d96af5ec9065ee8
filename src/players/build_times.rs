//! Estimates of how many turns it takes until something can be paid for.

use crate::board::Resource;
use crate::game::{Builder, Game, Hand, Residence, cost};

/// An amount of each resource.
pub(super) type ResourceVec = [f32; Resource::COUNT];

/// No units.
pub(super) const NOTHING: ResourceVec = [0.0; Resource::COUNT];

/// What can be built.
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

/// The time in turns of a cost that will never be affordable.
const NEVER: f32 = 60.0;

/// The expected number of turns to gain a unit of each resource, for an income in units per 36 rolls.
#[inline]
pub(super) fn turns_per_unit(income: ResourceVec) -> ResourceVec {
    income.map(turns_for_one)
}

/// The expected number of turns to gain a unit, for an income of this many units per 36 rolls.
#[inline]
pub(super) fn turns_for_one(units: f32) -> f32 {
    if units > 0.0 { 36.0 / units } else { NEVER }
}

/// The approximate number of turns until a cost can be paid: until the last resource is there.
#[inline]
pub(super) fn turns_to_afford(cost: ResourceVec, held: ResourceVec, turns_per_unit: ResourceVec) -> f32 {
    let mut turns = 0.0_f32;
    for ((cost, held), per_unit) in cost.into_iter().zip(held).zip(turns_per_unit) {
        turns = turns.max((cost - held) * per_unit);
    }
    turns.min(NEVER)
}

/// The value of something after this many turns: 1 now, 1/2 after 6 turns, and so on hyperbolically.
#[inline]
pub(super) fn discount(turns: f32) -> f32 {
    6.0 / (6.0 + turns)
}

/// The counts of a hand as floats, each capped at 1,000.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "at most 1,000")]
pub(super) fn units(hand: Hand) -> ResourceVec {
    Resource::ALL.map(|resource| hand.count(resource).min(1_000) as f32)
}

/// The sum of two vectors.
#[inline]
pub(super) fn sum(one: ResourceVec, other: ResourceVec) -> ResourceVec {
    std::array::from_fn(|index| one[index] + other[index])
}

/// For each [`Buildable`], whether the builder has a place for it, resources aside. A road is always assumed to have one.
#[inline]
pub(super) fn has_place_for(game: &Game, builder: Builder) -> [bool; Buildable::COUNT] {
    let houses = game.residences(builder) & game.houses();
    [true, !game.basement_sites(builder).is_empty(), !game.basements(builder).is_empty(), !houses.is_empty()]
}
