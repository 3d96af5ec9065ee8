//! Sets of fields as bits of words: of one word, or of as many as a board needs.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A number that looks drawn, for each number. (The finaliser of Sebastiano Vigna's `splitmix64`.)
#[must_use]
#[inline]
pub const fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// A set of numbers from 0 to [`SIZE`](Self::SIZE) - 1.
pub trait Bits:
    Copy
    + PartialEq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// How many numbers there are.
    const SIZE: usize;

    /// The set of none.
    const EMPTY: Self;

    /// The set of one.
    fn bit(at: usize) -> Self;

    /// Whether it is in the set.
    fn has(&self, at: usize) -> bool;

    /// Puts it in the set, or takes it out.
    fn flip(&mut self, at: usize);

    /// All numbers, so much higher. Those that come beyond the highest are dropped.
    #[must_use]
    fn up(self, by: usize) -> Self;

    /// All numbers, so much lower. Those that come below 0 are dropped.
    #[must_use]
    fn down(self, by: usize) -> Self;

    /// All that are one or `by` lower or higher than one in the set: of those one higher only these, and of those one lower only
    /// those.
    #[must_use]
    #[inline]
    fn beside(self, by: usize, one_higher: Self, one_lower: Self) -> Self {
        self.up(1) & one_higher | self.down(1) & one_lower | self.up(by) | self.down(by)
    }

    /// How many are in the set.
    fn count(self) -> u32;

    /// The lowest in the set; of none, [`SIZE`](Self::SIZE) or more.
    fn first(&self) -> usize;

    /// A number that looks drawn, for the set and another number.
    #[must_use]
    fn hash(self, seed: u64) -> u64;

    /// Whether nothing is in the set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Everything that is in the set, the lowest first.
    fn all(self) -> Members<Self> {
        Members(self)
    }
}

/// What is in a set, the lowest first.
#[derive(Clone, Debug)]
pub struct Members<B>(B);

impl<B: Bits> Iterator for Members<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let first = self.0.first();
        self.0.flip(first);
        Some(first)
    }
}

impl Bits for u64 {
    const SIZE: usize = WORD;
    const EMPTY: Self = 0;

    #[inline]
    fn bit(at: usize) -> Self {
        1 << at
    }

    #[inline]
    fn has(&self, at: usize) -> bool {
        self >> at & 1 != 0
    }

    #[inline]
    fn flip(&mut self, at: usize) {
        *self ^= 1 << at;
    }

    #[inline]
    fn up(self, by: usize) -> Self {
        if by < WORD { self << by } else { 0 }
    }

    #[inline]
    fn down(self, by: usize) -> Self {
        if by < WORD { self >> by } else { 0 }
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn first(&self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        mixed(seed ^ self)
    }
}

/// A set in several words.
#[derive(Clone, Copy, Debug)]
pub struct Words<const COUNT: usize>([u64; COUNT]);

/// How many bits a word has.
const WORD: usize = u64::BITS as usize;

impl<const COUNT: usize> PartialEq for Words<COUNT> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).fold(0, |different, (word, other)| different | (word ^ other)) == 0
    }
}

impl<const COUNT: usize> Eq for Words<COUNT> {}

impl<const COUNT: usize> BitAnd for Words<COUNT> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const COUNT: usize> BitAndAssign for Words<COUNT> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }
}

impl<const COUNT: usize> BitOr for Words<COUNT> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const COUNT: usize> BitOrAssign for Words<COUNT> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }
}

impl<const COUNT: usize> Not for Words<COUNT> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const COUNT: usize> Bits for Words<COUNT> {
    const SIZE: usize = COUNT * WORD;
    const EMPTY: Self = Self([0; COUNT]);

    #[inline]
    fn bit(at: usize) -> Self {
        let mut set = Self::EMPTY;
        set.flip(at);
        set
    }

    #[inline]
    fn has(&self, at: usize) -> bool {
        self.0[at / WORD] >> (at % WORD) & 1 != 0
    }

    #[inline]
    fn flip(&mut self, at: usize) {
        self.0[at / WORD] ^= 1 << (at % WORD);
    }

    #[inline]
    fn up(self, by: usize) -> Self {
        let mut set = Self::EMPTY;
        if by < WORD {
            set.0[0] = self.0[0] << by;
            for at in 1..COUNT {
                // A shift by a whole word is two shifts.
                set.0[at] = self.0[at] << by | self.0[at - 1] >> 1 >> (WORD - 1 - by);
            }
            return set;
        }
        let (words, by) = (by / WORD, by % WORD);
        for at in words..COUNT {
            let from = at - words;
            let below = if from > 0 { self.0[from - 1] >> 1 >> (WORD - 1 - by) } else { 0 };
            set.0[at] = self.0[from] << by | below;
        }
        set
    }

    #[inline]
    fn down(self, by: usize) -> Self {
        let mut set = Self::EMPTY;
        if by < WORD {
            set.0[COUNT - 1] = self.0[COUNT - 1] >> by;
            for at in 0..COUNT - 1 {
                set.0[at] = self.0[at] >> by | self.0[at + 1] << 1 << (WORD - 1 - by);
            }
            return set;
        }
        let (words, by) = (by / WORD, by % WORD);
        for at in 0..COUNT - words.min(COUNT) {
            let from = at + words;
            let above = if from + 1 < COUNT { self.0[from + 1] << 1 << (WORD - 1 - by) } else { 0 };
            set.0[at] = self.0[from] >> by | above;
        }
        set
    }

    #[inline]
    fn beside(self, by: usize, one_higher: Self, one_lower: Self) -> Self {
        if by >= WORD {
            return self.up(1) & one_higher | self.down(1) & one_lower | self.up(by) | self.down(by);
        }
        let mut set = Self::EMPTY;
        for at in 0..COUNT {
            let word = self.0[at];
            let below = if at > 0 { self.0[at - 1] } else { 0 };
            let above = if at + 1 < COUNT { self.0[at + 1] } else { 0 };
            let higher = (word << 1 | below >> (WORD - 1)) & one_higher.0[at];
            let lower = (word >> 1 | above << (WORD - 1)) & one_lower.0[at];
            // A shift by a whole word is two shifts.
            let far_higher = word << by | below >> 1 >> (WORD - 1 - by);
            let far_lower = word >> by | above << 1 << (WORD - 1 - by);
            set.0[at] = higher | lower | far_higher | far_lower;
        }
        set
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, word| mixed(hash ^ word))
    }

    #[inline]
    fn first(&self) -> usize {
        self.0
            .iter()
            .position(|&word| word != 0)
            .map_or(Self::SIZE, |at| at * WORD + self.0[at].trailing_zeros() as usize)
    }
}

/// Does something with the smallest kind of set that so many cells fit into.
macro_rules! with_bits {
    ($cells:expr, |$bits:ident| $body:expr) => {
        match $cells {
            0..=64 => {
                type $bits = u64;
                $body
            }
            65..=128 => {
                type $bits = $crate::players::bits::Words<2>;
                $body
            }
            129..=256 => {
                type $bits = $crate::players::bits::Words<4>;
                $body
            }
            257..=448 => {
                type $bits = $crate::players::bits::Words<7>;
                $body
            }
            449..=1024 => {
                type $bits = $crate::players::bits::Words<16>;
                $body
            }
            _ => {
                type $bits = $crate::players::bits::Words<157>;
                $body
            }
        }
    };
}
pub(crate) use with_bits;

#[cfg(test)]
mod tests {
    use super::*;

    /// What every kind of set does, as lists do it.
    fn does_as_lists_do<B: Bits>() {
        for members in [vec![], vec![0], vec![B::SIZE - 1], vec![0, 5, 30, B::SIZE / 2, B::SIZE - 2]] {
            let mut set = B::EMPTY;
            for &member in &members {
                assert!(!set.has(member));
                set.flip(member);
                assert!(set.has(member));
            }
            assert!(set.all().eq(members.iter().copied()));
            assert_eq!(set.count() as usize, members.len());
            assert_eq!(set.is_empty(), members.is_empty());
            assert_eq!((!set).count() as usize, B::SIZE - members.len());
            assert!((set | !set) == !B::EMPTY && (set & !set).is_empty());
            for by in [0, 1, 7, 20, 63, 64, 80] {
                assert!(set.up(by).all().eq(members.iter().map(|at| at + by).filter(|&at| at < B::SIZE)), "{by}");
                assert!(set.down(by).all().eq(members.iter().filter_map(|at| at.checked_sub(by))), "{by}");
            }
        }
    }

    #[test]
    fn sets_do_as_lists_do() {
        does_as_lists_do::<u64>();
        does_as_lists_do::<Words<2>>();
        does_as_lists_do::<Words<1>>();
        does_as_lists_do::<Words<4>>();
        does_as_lists_do::<Words<157>>();
    }
}
