//! How long it takes until things can be paid for.

use crate::board::Resource;
use crate::game::{Builder, Game, Hand, Residence, cost};

/// So much of each resource.
pub(super) type Units = [f32; Resource::COUNT];

/// Nothing of anything.
pub(super) const NOTHING: Units = [0.0; Resource::COUNT];

/// The things that can be built, and how many there are.
pub(super) const ROAD: usize = 0;
pub(super) const BASEMENT: usize = 1;
pub(super) const HOUSE: usize = 2;
pub(super) const TOWER: usize = 3;
pub(super) const THINGS: usize = 4;

/// What they cost.
pub(super) const PRICES: [Units; THINGS] = [
    price(cost::ROAD),
    price(cost::residence(Residence::Basement)),
    price(cost::residence(Residence::House)),
    price(cost::residence(Residence::Tower)),
];

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
const fn price(hand: Hand) -> Units {
    let mut price = [0.0; Resource::COUNT];
    let mut index = 0;
    while index < Resource::COUNT {
        price[index] = hand.count(Resource::ALL[index]) as f32;
        index += 1;
    }
    price
}

/// So many turns are as good as never.
const LONGEST: f32 = 60.0;

/// How many turns it takes on average to gain a unit of each, from what 36 rolls yield. Of what nothing yields it is very many.
#[inline]
pub(super) fn waits(income: Units) -> Units {
    income.map(wait)
}

/// The same for one of them.
#[inline]
pub(super) fn wait(units: f32) -> f32 {
    if units > 0.0 { 36.0 / units } else { LONGEST }
}

/// After how many turns a price can be paid, about: when the last of its resources is there.
#[inline]
pub(super) fn turns(price: Units, held: Units, waits: Units) -> f32 {
    let mut turns = 0.0_f32;
    for ((price, held), wait) in price.into_iter().zip(held).zip(waits) {
        turns = turns.max((price - held) * wait);
    }
    turns.min(LONGEST)
}

/// 1 for what is there at once, and the less the longer it takes.
#[inline]
pub(super) fn soon(turns: f32) -> f32 {
    6.0 / (6.0 + turns)
}

/// The numbers of a hand, to reckon with. More than a thousand are as good as a thousand.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "up to a thousand")]
pub(super) fn units(hand: Hand) -> Units {
    Resource::ALL.map(|resource| hand.count(resource).min(1_000) as f32)
}

/// Each number and that of the other.
#[inline]
pub(super) fn sum(one: Units, other: Units) -> Units {
    std::array::from_fn(|index| one[index] + other[index])
}

/// Which of the things there is a place for, were they paid for. There always is one for a road.
#[inline]
pub(super) fn possible(game: &Game, builder: Builder) -> [bool; THINGS] {
    let own = game.residences(builder);
    let houses = own & game.houses();
    let basements = own - houses - game.towers();
    [true, !game.basement_sites(builder).is_empty(), !basements.is_empty(), !houses.is_empty()]
}
