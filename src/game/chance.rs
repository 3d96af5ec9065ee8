//! What the rules leave to chance, and who decides it.

use rand::Rng;

use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::random;

/// Decides what the rules leave to chance: [drawn](Drawn) from a generator, known beforehand ([`Foretold`], [`Known`]), or
/// [tried out](super::Game::outcomes) one by one.
pub trait Chance {
    /// The sum of the dice.
    fn roll(&mut self) -> Roll;

    /// Which `count` of the units `held` are lost: part of `held`, with that total.
    fn lost(&mut self, held: Hand, count: u32) -> Hand;

    /// Which of the units `held` is taken; `None` only when nothing is held.
    fn taken(&mut self, held: Hand) -> Option<Resource>;
}

/// Chance as the rules describe it, drawn from a generator.
///
/// ```
/// use constructor::game::{Chance, Drawn, Hand};
/// use constructor::random;
/// let mut generator = random::seeded(3);
/// let held = Hand::new([5, 0, 0, 6, 0]);
/// let lost = Drawn(&mut generator).lost(held, 5);
/// assert_eq!(lost.total(), 5);
/// assert!(held.covers(lost));
/// ```
pub struct Drawn<'r, R: Rng + ?Sized>(pub &'r mut R);

impl<R: Rng + ?Sized> Chance for Drawn<'_, R> {
    /// Two fair dice, one draw below 6 each.
    #[inline]
    fn roll(&mut self) -> Roll {
        #[expect(clippy::cast_possible_truncation, reason = "a number below 6")]
        let mut die = || random::below(self.0, 6) as u8;
        Roll::of_dice(die(), die())
    }

    /// One unit after the other, each drawn from those still held.
    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = held.counts();
        for total in (held.total() - count.min(held.total()) + 1..=held.total()).rev() {
            let mut number = random::below(self.0, total);
            for units in &mut left {
                if number < *units {
                    *units -= 1;
                    break;
                }
                number -= *units;
            }
        }
        let mut lost = held;
        lost -= Hand::new(left);
        lost
    }

    /// One draw below the number of units held, which are counted in the order of [`Resource::ALL`].
    #[inline]
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        if held.is_empty() {
            return None;
        }
        held.unit(random::below(self.0, held.total()))
    }
}

/// The same chances, drawn as quickly as can be: for games that are played by the million and that nobody replays. From
/// the same generator it draws other games than [`Drawn`].
///
/// ```
/// use constructor::game::{Chance, Hand, Quick};
/// use rand::{SeedableRng, rngs::SmallRng};
/// let mut generator = SmallRng::seed_from_u64(3);
/// let held = Hand::new([5, 0, 0, 6, 0]);
/// let lost = Quick(&mut generator).lost(held, 5);
/// assert_eq!(lost.total(), 5);
/// assert!(held.covers(lost));
/// ```
pub struct Quick<'r, R: Rng>(pub &'r mut R);

impl<R: Rng> Chance for Quick<'_, R> {
    /// One draw of the 36 ways in which two dice can fall.
    #[inline]
    fn roll(&mut self) -> Roll {
        const ROLLS: [Roll; 36] = {
            let mut rolls = [Roll::of_dice(0, 0); 36];
            let mut way = 0;
            while way < 36 {
                rolls[way as usize] = Roll::of_dice(way / 6, way % 6);
                way += 1;
            }
            rolls
        };
        ROLLS[random::below(self.0, 36) as usize]
    }

    /// A bit for each unit that is held: random ones are drawn until as many are set as units are lost. For half of the
    /// units that takes few tries.
    #[inline]
    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let total = held.total();
        if total > u64::BITS || count != total / 2 || count == 0 {
            return Drawn(self.0).lost(held, count);
        }
        let mut bits = half_of(total, self.0);
        Hand::of_few(Resource::ALL.map(|resource| {
            let held = held.count(resource);
            let rest = bits.checked_shr(held).unwrap_or(0);
            let lost = (bits ^ rest << (held % u64::BITS)).count_ones();
            bits = rest;
            lost
        }))
    }

    /// One draw below the number of units held.
    #[inline]
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        Drawn(self.0).taken(held)
    }
}

/// Dice of which it may be known what they will show, and everything else as `rest` decides it.
pub struct Foretold<C: Chance> {
    /// The sum that the dice will show, if it is known.
    pub roll: Option<Roll>,
    /// What decides the rest.
    pub rest: C,
}

impl<C: Chance> Chance for Foretold<C> {
    fn roll(&mut self) -> Roll {
        self.roll.unwrap_or_else(|| self.rest.roll())
    }

    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        self.rest.lost(held, count)
    }

    fn taken(&mut self, held: Hand) -> Option<Resource> {
        self.rest.taken(held)
    }
}

/// So many bits (2 to 64), of which half are set, rounded down; all ways are equally likely.
#[inline]
fn half_of(total: u32, random: &mut impl Rng) -> u64 {
    if (LEAST_HALVED..=MOST_LISTED).contains(&total) {
        let (first, count) = LISTED[(total - LEAST_HALVED) as usize];
        return HALVES[(first + random::below(random, count)) as usize].into();
    }
    // Of each word that is drawn as many tries are made as it has bits for.
    loop {
        let word = random.next_u64();
        let mut begun = 0;
        while begun + total <= u64::BITS {
            let bits = word << begun >> (u64::BITS - total);
            if bits.count_ones() == total / 2 {
                return bits;
            }
            begun += total;
        }
    }
}

/// The hands of which halves are listed: few enough for a table, and most of those that are halved.
const LEAST_HALVED: u32 = super::GREED_LIMIT;
const MOST_LISTED: u32 = 14;

/// For each of those hands, where in [`HALVES`] its halves begin and how many there are.
const LISTED: [(u32, u32); 5] = [(0, 252), (252, 462), (714, 924), (1638, 1716), (3354, 3432)];

/// For each of those hands all numbers of so many bits, of which half are set.
static HALVES: [u16; 3354 + 3432] = {
    let mut halves = [0; 3354 + 3432];
    let mut next = 0;
    let mut total = LEAST_HALVED;
    while total <= MOST_LISTED {
        assert!(LISTED[(total - LEAST_HALVED) as usize].0 as usize == next, "as many halves as are listed");
        let mut bits = 0_u16;
        while bits < 1 << total {
            if bits.count_ones() == total / 2 {
                halves[next] = bits;
                next += 1;
            }
            bits += 1;
        }
        total += 1;
    }
    halves
};

/// Everything is known beforehand, as when a game is played over again from a record.
///
/// ```
/// use constructor::board::{Resource, Roll};
/// use constructor::game::{Chance, Hand, Known};
/// let mut chance = Known { roll: Roll::new(7).unwrap(), lost: Hand::new([5, 0, 0, 0, 0]), taken: Resource::Heat };
/// assert_eq!(chance.lost(Hand::new([3, 0, 9, 0, 0]), 6), Hand::new([3, 0, 3, 0, 0]), "3 more from what is held");
/// assert_eq!(chance.taken(Hand::new([0, 1, 0, 2, 0])), Some(Resource::Heat));
/// assert_eq!(chance.taken(Hand::new([0, 1, 0, 0, 0])), Some(Resource::Energy), "there is no heat to take");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The sum of the dice.
    pub roll: Roll,
    /// What is lost, as far as it is held; the rest is taken from the first resources that are.
    pub lost: Hand,
    /// What is taken, if it is held; otherwise the first resource that is.
    pub taken: Resource,
}

impl Chance for Known {
    fn roll(&mut self) -> Roll {
        self.roll
    }

    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let mut left = count;
        let mut take = |wanted: u32| {
            let taken = wanted.min(left);
            left -= taken;
            taken
        };
        let known = Resource::ALL.map(|resource| take(held.count(resource).min(self.lost.count(resource))));
        let more = Resource::ALL.map(|resource| take(held.count(resource) - known[resource.index()]));
        Hand::new(std::array::from_fn(|index| known[index] + more[index]))
    }

    fn taken(&mut self, held: Hand) -> Option<Resource> {
        if held.count(self.taken) > 0 { Some(self.taken) } else { held.unit(0) }
    }
}
