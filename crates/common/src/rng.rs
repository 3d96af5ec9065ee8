//! The random generator and its draws, specified so that a seed gives the same game in every version and on every platform.
//!
//! One ChaCha generator with 8 rounds makes every draw of a game. Its 32-byte key is the seed in 8 bytes, little-endian,
//! followed by 24 zeros; nonce and block counter start at zero. Its output is read as a sequence of little-endian 32-bit
//! words. Each draw is one of the functions below and consumes words from that sequence one at a time.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns the generator for a seed.
///
/// ```
/// use constructor_common::rng;
/// let mut rng = rng::from_seed(0);
/// let dice: Vec<u32> = (0..5).map(|_| 1 + rng::below(&mut rng, 6)).collect();
/// assert_eq!(dice, [2, 6, 6, 4, 5]);
/// ```
#[must_use]
pub fn from_seed(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Makes the generator for a seed, after the first `position` words of its output were drawn.
///
/// ```
/// use constructor_common::rng;
/// let mut rng = rng::from_seed(7);
/// let _ = (rng::below(&mut rng, 6), rng::below(&mut rng, 6));
/// let mut other = rng::from_seed_at(7, rng::position(&rng));
/// assert_eq!(rng::below(&mut rng, 1000), rng::below(&mut other, 1000));
/// ```
#[must_use]
pub fn from_seed_at(seed: u64, position: u64) -> ChaCha8Rng {
    let mut rng = from_seed(seed);
    rng.set_word_pos(position.into());
    rng
}

/// Returns a seed that nobody can foresee.
#[must_use]
pub fn random_seed() -> u64 {
    // The keys of hash maps come from the system's generator.
    RandomState::new().build_hasher().finish()
}

/// Returns how many words of the generator's output were drawn.
#[must_use]
pub fn position(rng: &ChaCha8Rng) -> u64 {
    u64::try_from(rng.get_word_pos()).unwrap_or(u64::MAX)
}

/// Returns a uniform integer in `0..limit`.
///
/// Multiplies a word by `limit`: the upper 32 bits of the product are the result, unless the lower 32 bits are less than
/// 2³² modulo `limit`, in which case the next word is tried. (Daniel Lemire, "Fast random integer generation in an
/// interval", 2019.) A `limit` of 0 consumes a word and returns 0.
#[must_use]
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, limit: u32) -> u32 {
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(limit);
        #[expect(clippy::cast_possible_truncation, reason = "splits the product in two halves")]
        let (number, rest) = ((product >> 32) as u32, product as u32);
        // The remainder is less than the limit, so the division is rarely needed.
        if rest >= limit || rest >= limit.wrapping_neg() % limit {
            return number;
        }
    }
}

/// Shuffles the items uniformly (Fisher and Yates): from the last position down to the second, swaps each item with one that is drawn
/// uniformly from those at or before it.
///
/// ```
/// use constructor_common::rng;
/// let mut cards = [1, 2, 3, 4, 5];
/// rng::shuffle(&mut rng::from_seed(1), &mut cards);
/// cards.sort_unstable();
/// assert_eq!(cards, [1, 2, 3, 4, 5]);
/// ```
pub fn shuffle<R: Rng + ?Sized, T>(rng: &mut R, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        #[expect(clippy::cast_possible_truncation, reason = "no slice here has nearly 2³² items")]
        let count = last as u32 + 1;
        items.swap(last, below(rng, count) as usize);
    }
}

/// The increment of `SplitMix64`: 2⁶⁴ divided by the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns output `index` (from 0) of the `SplitMix64` generator with this seed: a hash of both numbers.
///
/// Stable between versions. (Guy Steele, Doug Lea and Christine Flood, "Fast splittable pseudorandom number generators", 2014.)
///
/// ```
/// use constructor_common::rng::split_mix64;
/// assert_eq!(split_mix64(0, 0), 0xe220_a839_7b1d_cdaf);
/// assert_ne!(split_mix64(0, 1), split_mix64(1, 0));
/// ```
#[must_use]
#[inline]
pub const fn split_mix64(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
