//! Chance that costs little, for games that are played by the million.

use rand::Rng;

use super::chance::{Chance, Drawn};
use super::hand::Hand;
use crate::board::{Resource, Roll};
use crate::random;

/// The same chances as [`Drawn`], drawn as quickly as can be: for games that nobody replays. From the same generator it
/// draws other games.
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

    /// One draw of the ways to lose half of the units, unless there are very many.
    #[inline]
    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let total = held.total();
        if count != total / 2 || total > MOST_NUMBERED {
            return Drawn(self.0).lost(held, count);
        }
        held.of_bits(half_of(total, self.0))
    }

    /// One draw below the number of units held.
    #[inline]
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        Drawn(self.0).taken(held)
    }
}

/// So many bits, of which half are set, rounded down; all ways are equally likely.
#[inline]
fn half_of(total: u32, random: &mut impl Rng) -> u64 {
    let number = random::below(random, HALVES[total as usize].ways);
    nth_half_of(total, number)
}

/// The ways to set half of so many bits are numbered: the bits are two parts, and the ways are sorted by how many are set in
/// the lower part, then by that part, then by the upper one.
#[inline]
fn nth_half_of(total: u32, number: u32) -> u64 {
    let halves = &HALVES[total as usize];
    if total as usize <= PART {
        return part(halves.set, number);
    }
    // Counted without a jump.
    let in_lower = halves.before[1..].iter().map(|&before| usize::from(before <= number)).sum::<usize>();
    let in_upper = halves.set - in_lower;
    let number = number - halves.before[in_lower];
    let uppers = CHOOSE[total as usize - PART][in_upper];
    part(in_lower, number / uppers) | part(in_upper, number % uppers) << PART
}

/// The word after so many others in which so many bits are set.
#[inline]
fn part(set: usize, number: u32) -> u64 {
    BY_COUNT[FIRST[set] + number as usize].into()
}

/// The lower part has so many bits, if there are as many, and the upper one the rest, which are not more.
const PART: usize = 14;

/// The most bits of which halves are numbered: those of two parts.
const MOST_NUMBERED: u32 = 28;
const _: () = assert!(MOST_NUMBERED as usize == 2 * PART);

#[derive(Clone, Copy)]
struct Halves {
    ways: u32,
    set: usize,
    /// For each number of bits set in the lower part, how many ways come before.
    before: [u32; PART + 1],
}

static HALVES: [Halves; MOST_NUMBERED as usize + 1] = {
    let mut all = [Halves { ways: 0, set: 0, before: [0; PART + 1] }; MOST_NUMBERED as usize + 1];
    let mut total = 0;
    while total <= MOST_NUMBERED as usize {
        let lower = if total < PART { total } else { PART };
        let set = total / 2;
        let halves = &mut all[total];
        halves.set = set;
        let mut in_lower = 0;
        while in_lower <= PART {
            halves.before[in_lower] = halves.ways;
            if in_lower <= set {
                halves.ways += CHOOSE[lower][in_lower] * CHOOSE[total - lower][set - in_lower];
            }
            in_lower += 1;
        }
        total += 1;
    }
    all
};

/// In how many ways so many (the second index) can be chosen from so many (the first).
const CHOOSE: [[u32; PART + 1]; PART + 1] = {
    let mut choose = [[0; PART + 1]; PART + 1];
    let mut all = 0;
    while all <= PART {
        choose[all][0] = 1;
        let mut chosen = 1;
        while chosen <= all {
            choose[all][chosen] = choose[all - 1][chosen - 1] + choose[all - 1][chosen];
            chosen += 1;
        }
        all += 1;
    }
    choose
};

/// All words of so many bits as a part has, sorted by how many bits are set, and then as numbers: so of those in which
/// equally many are set, the words of fewer bits come first.
static BY_COUNT: [u16; 1 << PART] = {
    let mut words = [0; 1 << PART];
    let mut next = FIRST;
    let mut word = 0_u16;
    while word < 1 << PART {
        let set = word.count_ones() as usize;
        words[next[set]] = word;
        next[set] += 1;
        word += 1;
    }
    words
};

/// Where in that list the words begin in which so many bits are set.
const FIRST: [usize; PART + 1] = {
    let mut first = [0; PART + 1];
    let mut set = 0;
    while set < PART {
        first[set + 1] = first[set] + CHOOSE[PART][set] as usize;
        set += 1;
    }
    first
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_all_there_once() {
        for total in 0..=18 {
            let expected: Vec<u64> = (0..1 << total).filter(|bits: &u64| bits.count_ones() == total / 2).collect();
            let mut found: Vec<u64> =
                (0..HALVES[total as usize].ways).map(|number| nth_half_of(total, number)).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "half of {total}");
        }
    }

    #[test]
    fn halves_of_many_are_halves() {
        for total in 19..=MOST_NUMBERED {
            let ways = HALVES[total as usize].ways;
            assert_eq!(
                u64::from(ways),
                (0..u64::from(total / 2)).fold(1, |ways, chosen| { ways * (u64::from(total) - chosen) / (chosen + 1) })
            );
            for number in (0..ways).step_by(9_973).chain([ways - 1]) {
                let bits = nth_half_of(total, number);
                assert!(bits.count_ones() == total / 2 && bits >> total == 0, "{number} of {total}: {bits:b}");
            }
        }
    }
}
