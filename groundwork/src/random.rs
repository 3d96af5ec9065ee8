//! How chance is drawn, written down so that a seed gives the same game in every version and on every platform.
//!
//! One generator, ChaCha with 8 rounds, draws everything in a game. Its 32-byte key is the seed in 8 bytes, the lowest
//! first, and then 24 zeros; its nonce is zero and its block counter starts at zero. It is read as a sequence of
//! 32-bit words, the lowest byte first. Every draw is one of the functions below, and takes words from that sequence
//! one at a time.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The generator of a game.
///
/// ```
/// use groundwork::random;
/// let mut draws = random::seeded(0);
/// let dice: Vec<u32> = (0..5).map(|_| 1 + random::below(&mut draws, 6)).collect();
/// assert_eq!(dice, [2, 6, 6, 4, 5]);
/// ```
#[must_use]
pub fn seeded(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// A number from 0 to `limit - 1`, all equally likely.
///
/// A word times `limit` is taken apart into its upper and its lower 32 bits. The upper ones are the number, unless the
/// lower ones are less than 2³² modulo `limit`: then the next word is tried. (Daniel Lemire, "Fast random integer
/// generation in an interval", 2019.) A `limit` of 0 takes a word and gives 0.
#[must_use]
#[inline]
pub fn below<R: Rng + ?Sized>(random: &mut R, limit: u32) -> u32 {
    loop {
        let product = u64::from(random.next_u32()) * u64::from(limit);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves are taken apart")]
        let (number, rest) = ((product >> 32) as u32, product as u32);
        // The remainder is less than the limit, so it is seldom needed.
        if rest >= limit || rest >= limit.wrapping_neg() % limit {
            return number;
        }
    }
}

/// Puts the items in any order, all orders equally likely: from the last place down to the second, each item changes
/// places with one drawn from those up to and including itself (Fisher and Yates).
///
/// ```
/// use groundwork::random;
/// let mut cards = [1, 2, 3, 4, 5];
/// random::shuffle(&mut random::seeded(1), &mut cards);
/// cards.sort_unstable();
/// assert_eq!(cards, [1, 2, 3, 4, 5]);
/// ```
pub fn shuffle<R: Rng + ?Sized, T>(random: &mut R, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        #[expect(clippy::cast_possible_truncation, reason = "nothing near 2³² items is shuffled here")]
        let count = last as u32 + 1;
        items.swap(last, below(random, count) as usize);
    }
}
