//! Bitboards of rectangles up to 100 x 100, in three layouts: [all rows in one word](Packed), [rows interleaved over
//! several words](Interleaved), and [a word for each row](RowWords). Shifts by columns and rows have constant
//! distances.

mod interleaved;
mod packed;
mod row_words;

use std::iter;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

use constructor_common::rng::split_mix64;

pub use interleaved::Interleaved;
pub use packed::Packed;
pub use row_words::RowWords;

/// Returns a hash of a number: the first output of `SplitMix64` with it as seed.
#[must_use]
#[inline]
pub const fn hash_u64(number: u64) -> u64 {
    split_mix64(number, 0)
}

/// A set of cells of a rectangle. Cells have [numbers](Self::at) below [`CELLS`](Self::CELLS), consecutive within a
/// row. `&` is intersection, `|` union, and `-` difference.
pub trait Bitboard:
    Copy + PartialEq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Sub<Output = Self>
{
    /// The number of rows.
    const ROWS: usize;

    /// The number of columns.
    const COLUMNS: usize;

    /// A number that is greater than any cell's number.
    const CELLS: usize = Self::ROWS * Self::COLUMNS;

    /// The empty set.
    const EMPTY: Self;

    /// Returns the cell in a row and column.
    #[must_use]
    #[inline]
    fn at(row: usize, column: usize) -> usize {
        row * Self::COLUMNS + column
    }

    /// Returns the row and column of a cell.
    #[must_use]
    #[inline]
    fn place(cell: usize) -> (usize, usize) {
        (cell / Self::COLUMNS, cell % Self::COLUMNS)
    }

    /// Returns the cell below this one; `None` in the last row.
    #[must_use]
    #[inline]
    fn below(cell: usize) -> Option<usize> {
        (cell + Self::COLUMNS < Self::CELLS).then_some(cell + Self::COLUMNS)
    }

    /// Returns the cell above this one; `None` in the first row.
    #[must_use]
    #[inline]
    fn above(cell: usize) -> Option<usize> {
        cell.checked_sub(Self::COLUMNS)
    }

    /// Returns the neighbours of a cell: right, left, below and above, as far as they exist.
    #[must_use]
    fn adjacent(cell: usize) -> [Option<usize>; 4] {
        let (_, column) = Self::place(cell);
        let [right, left] = [column + 1 < Self::COLUMNS, column > 0];
        [right.then_some(cell + 1), left.then(|| cell - 1), Self::below(cell), Self::above(cell)]
    }

    /// Returns the lengths of two runs of cells in the set, both in the row of the given cell: the run directly after this cell, and the
    /// run directly before it.
    #[must_use]
    fn runs_in_row(self, cell: usize) -> [usize; 2];

    /// Returns whether a cell is in the set.
    fn contains(self, cell: usize) -> bool;

    /// Adds a cell to the set, or removes it if it is in the set.
    fn toggle(&mut self, cell: usize);

    /// Shifts to the right. `columns` must be less than the number of columns.
    ///
    /// Cells that leave the rectangle are dropped, as in all shifts.
    #[must_use]
    fn right(self, columns: usize) -> Self;

    /// Shifts to the left.
    #[must_use]
    fn left(self, columns: usize) -> Self;

    /// Shifts down.
    #[must_use]
    fn down(self, rows: usize) -> Self;

    /// Shifts up.
    #[must_use]
    fn up(self, rows: usize) -> Self;

    /// Returns the number of cells in the set.
    fn count(self) -> u32;

    /// Returns the lowest cell in the set; [`CELLS`](Self::CELLS) or more if it is empty.
    fn first(self) -> usize;

    /// Returns a hash of the set and a seed.
    #[must_use]
    fn hash(self, seed: u64) -> u64;

    /// Returns the set of one cell.
    #[must_use]
    #[inline]
    fn single(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.toggle(cell);
        set
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns the cells in the set in ascending order.
    fn iter(self) -> Cells<Self> {
        Cells(self)
    }

    /// Returns the cells next to a cell of the set.
    #[must_use]
    #[inline(always)]
    fn neighbours(self) -> Self {
        self.right(1) | self.left(1) | self.down(1) | self.up(1)
    }

    /// Returns the free cells that are connected to cells of the set.
    #[must_use]
    #[inline]
    fn flood_fill(self, free: Self) -> Self {
        let mut reached = self.neighbours() & free;
        loop {
            let more = reached | reached.neighbours() & free;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Returns the cells reached from a cell by sliding over cells of the set: right, left, down and up, nearest first.
    #[inline]
    fn rays(self, from: usize) -> impl Iterator<Item = usize> {
        let [after, before] = self.runs_in_row(from);
        (from + 1..=from + after).chain((from - before..from).rev()).chain(ray(self, from, Self::below)).chain(ray(
            self,
            from,
            Self::above,
        ))
    }

    /// Partitions the free cells between two teams that spread from their cells step by step.
    ///
    /// A side does not spread through cells that the other reached earlier.
    #[must_use]
    #[inline(always)]
    fn partition([ours, theirs]: [Self; 2], free: Self) -> Partition<Self> {
        Partition::by([ours.neighbours(), theirs.neighbours()], free, Self::neighbours)
    }

    /// Returns the free cells that are reached by a slide from cells of the set, and the cells of the set that are free themselves.
    ///
    /// (Kogge-Stone fill: Peter Kogge and Harold Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
    /// equations", 1973.)
    #[must_use]
    #[inline(always)]
    fn slide_targets(self, free: Self) -> Self {
        let along = occluded_fill::<Self>(self, free, Self::COLUMNS, Self::right)
            | occluded_fill::<Self>(self, free, Self::COLUMNS, Self::left);
        let across = occluded_fill::<Self>(self, free, Self::ROWS, Self::down)
            | occluded_fill::<Self>(self, free, Self::ROWS, Self::up);
        (along | across) & free
    }
}

/// Returns the cells of the set along one direction.
#[inline]
fn ray<B: Bitboard>(set: B, from: usize, next: impl Fn(usize) -> Option<usize>) -> impl Iterator<Item = usize> {
    iter::successors(next(from), move |&cell| next(cell)).take_while(move |&cell| set.contains(cell))
}

/// Returns the cells `from`, and all cells that are reached from them over free cells in the direction of the shift.
#[inline(always)]
fn occluded_fill<B: Bitboard>(from: B, free: B, length: usize, shift: impl Fn(B, usize) -> B) -> B {
    let (mut filled, mut free) = (from, free);
    let mut by = 1;
    while by < length {
        filled = filled | free & shift(filled, by);
        free = free & shift(free, by);
        by *= 2;
    }
    filled
}

/// The cells that each side reaches no later than the other. Cells in both sets are reached simultaneously.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition<B> {
    /// The cells of the first side.
    pub ours: B,
    /// The cells of the other side.
    pub theirs: B,
}

impl<B: Bitboard> Partition<B> {
    /// Partitions the free cells between two teams that start on the given cells and spread by `spread` in each round.
    ///
    /// A side does not spread through cells that the other reached earlier.
    #[must_use]
    #[inline(always)]
    pub fn by([mut ours, mut theirs]: [B; 2], free: B, spread: impl Fn(B) -> B) -> Self {
        let mut partition = Self { ours: B::EMPTY, theirs: B::EMPTY };
        let mut open = free;
        loop {
            (ours, theirs) = (ours & open, theirs & open);
            let reached = ours | theirs;
            if reached.is_empty() {
                return partition;
            }
            partition.ours = partition.ours | ours;
            partition.theirs = partition.theirs | theirs;
            open = open - reached;
            (ours, theirs) = (spread(ours), spread(theirs));
        }
    }
}

/// The cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Cells<B>(B);

impl<B: Bitboard> Iterator for Cells<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let first = self.0.first();
        self.0.toggle(first);
        Some(first)
    }
}

/// An unsigned integer as a row of bits.
pub trait Word:
    Copy
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// The number of bits.
    const BITS: usize;

    /// No bits.
    const ZERO: Self;

    /// The lowest bit.
    const ONE: Self;

    /// Returns the number of bits set.
    fn count(self) -> u32;

    /// Returns the number of trailing zeros.
    fn first(self) -> usize;

    /// Returns the length of the run of ones directly above a bit.
    fn ones_above(self, bit: usize) -> usize;

    /// Returns the length of the run of ones directly below a bit.
    fn ones_below(self, bit: usize) -> usize;

    /// Returns a hash of the bits and a seed.
    fn hash(self, seed: u64) -> u64;
}

macro_rules! words {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn ones_above(self, bit: usize) -> usize {
                (self >> bit >> 1).trailing_ones() as usize
            }

            #[inline]
            fn ones_below(self, bit: usize) -> usize {
                (self << (<Self as Word>::BITS - 1 - bit) << 1).leading_ones() as usize
            }

            #[inline]
            fn hash(self, seed: u64) -> u64 {
                let number = u128::from(self);
                #[expect(clippy::cast_possible_truncation, reason = "the other half follows")]
                let low = hash_u64(seed ^ number as u64);
                if Self::BITS > 64 { hash_u64(low ^ (number >> 64) as u64) } else { low }
            }
        }
    )*};
}
words!(u32, u64, u128);

/// Implements the set operators by the type's `with`, which combines two sets word by word.
macro_rules! set_operators {
    ([$($parts:tt)*] $set:ty) => {
        impl<$($parts)*> BitAnd for $set {
            type Output = Self;

            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                self.with(other, |word, other| word & other)
            }
        }

        impl<$($parts)*> BitOr for $set {
            type Output = Self;

            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                self.with(other, |word, other| word | other)
            }
        }

        impl<$($parts)*> Sub for $set {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.with(other, |word, other| word & !other)
            }
        }
    };
}
set_operators!([const ROWS: usize, const COLUMNS: usize] Packed<ROWS, COLUMNS>);
set_operators!([W: Word, const ROWS: usize] RowWords<W, ROWS>);
set_operators!([const WORDS: usize, const ROWS_PER_WORD: usize, const COLUMNS: usize] Interleaved<WORDS, ROWS_PER_WORD, COLUMNS>);

/// Repeats the bits of a row `rows` times, `apart` bits apart.
#[inline(always)]
fn repeat_rows(row: u64, rows: usize, apart: usize) -> u64 {
    (0..rows).fold(0, |all, number| all | row << (number * apart))
}

/// Evaluates the body with `B` as the fastest bitboard that fits this many rows and columns.
#[macro_export]
macro_rules! with_bitboard {
    (($rows:expr, $columns:expr), |$bits:ident| $body:expr) => {
        $crate::with_bitboard!(
            ($rows, $columns), $bits, $body,
            8 x 8: Packed<8, 8>,
            10 x 11: Interleaved<2, 5, 11>,
            12 x 11: Interleaved<3, 4, 11>,
            16 x 15: Interleaved<4, 4, 15>,
            21 x 20: Interleaved<7, 3, 20>,
            32 x 31: Interleaved<16, 2, 31>,
            32 x 32: RowWords<u32, 32>,
            64 x 64: RowWords<u64, 64>,
            otherwise: RowWords<u128, 100>
        )
    };
    (
        $size:expr, $bits:ident, $body:expr,
        $($rows:literal x $columns:literal: $kind:ident<$($part:tt),*>,)*
        otherwise: $largest:ident<$($of_largest:tt),*>
    ) => {
        match $size {
            $((0..=$rows, 0..=$columns) => {
                type $bits = $crate::players::bitboard::$kind<$($part),*>;
                $body
            })*
            _ => {
                type $bits = $crate::players::bitboard::$largest<$($of_largest),*>;
                $body
            }
        }
    };
}
pub use with_bitboard;

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every operation with the same operation on lists of rows and columns.
    fn equals_lists_of_cells<B: Bitboard>() {
        let (last_row, last) = (B::ROWS - 1, B::COLUMNS - 1);
        let in_a_set = |places: &[(usize, usize)]| {
            places.iter().fold(B::EMPTY, |set, &(row, column)| set | B::single(B::at(row, column)))
        };
        let all: Vec<(usize, usize)> =
            (0..B::ROWS).flat_map(|row| (0..B::COLUMNS).map(move |column| (row, column))).collect();
        let some = vec![(0, 0), (0, last), (1, 3), (4, 0), (5, last), (last_row, 0), (last_row, 5), (last_row, last)];
        for places in [vec![], some, all.clone()] {
            let set = in_a_set(&places);
            let mut cells: Vec<usize> = places.iter().map(|&(row, column)| B::at(row, column)).collect();
            assert!(cells.iter().zip(&places).all(|(&cell, &place)| B::place(cell) == place));
            cells.sort_unstable();
            assert!(set.iter().eq(cells.iter().copied()));
            assert!((0..B::CELLS).all(|cell| set.contains(cell) == cells.contains(&cell)));
            assert_eq!(set.count() as usize, places.len());
            assert_eq!(set.is_empty(), places.is_empty());
            let corner = B::single(0);
            assert!((set - corner).iter().eq(cells.iter().copied().filter(|&cell| cell != 0)));
            assert!((set & corner).iter().eq(cells.iter().copied().filter(|&cell| cell == 0)));
            let mut taken = set;
            for &cell in &cells {
                taken.toggle(cell);
            }
            assert!(taken.is_empty());
            // Wrapping makes cells that leave at the top or left too large.
            let moved = |down: usize, right: usize| -> Vec<(usize, usize)> {
                let moved = places.iter().map(|(row, column)| (row.wrapping_add(down), column.wrapping_add(right)));
                moved.filter(|&(row, column)| row < B::ROWS && column < B::COLUMNS).collect()
            };
            for by in [0, 1, 2, 4, 7, last] {
                assert!(set.right(by) == in_a_set(&moved(0, by)), "{by}");
                assert!(set.left(by) == in_a_set(&moved(0, by.wrapping_neg())), "{by}");
            }
            for by in [0, 1, 2, 4, 7, last_row] {
                assert!(set.down(by) == in_a_set(&moved(by, 0)), "{by}");
                assert!(set.up(by) == in_a_set(&moved(by.wrapping_neg(), 0)), "{by}");
            }
            let beside = [moved(0, 1), moved(0, usize::MAX), moved(1, 0), moved(usize::MAX, 0)].concat();
            assert!(set.neighbours() == in_a_set(&beside));
            let ways: [fn(B, usize) -> B; 4] = [B::right, B::left, B::down, B::up];
            for free in [in_a_set(&all) - set, set] {
                for cell in [(0, 0), (1, 2), (B::ROWS / 2, 3), (last_row, 5), (last_row, last)]
                    .map(|(row, column)| B::at(row, column))
                {
                    let from = B::single(cell);
                    let mut reached = Vec::new();
                    for way in ways {
                        let mut to = way(from, 1) & free;
                        while !to.is_empty() {
                            reached.push(to.first());
                            to = way(to, 1) & free;
                        }
                    }
                    assert!(free.rays(cell).eq(reached.iter().copied()));
                    assert!(
                        from.slide_targets(free)
                            == reached.into_iter().fold(from & free, |reached, to| reached | B::single(to))
                    );
                }
            }
            // The specialised partition equals the generic one.
            let teams = [corner, B::single(B::at(B::ROWS / 2, 2))];
            let free = in_a_set(&all) - set - teams[0] - teams[1];
            let partition = Partition::by(teams.map(B::neighbours), free, B::neighbours);
            assert!(B::partition(teams, free) == partition);
            assert!((partition.ours | partition.theirs) == (teams[0] | teams[1]).flood_fill(free));
        }
    }

    #[test]
    fn bitboards_equal_lists_of_cells() {
        for (rows, columns) in
            [(8, 8), (10, 11), (12, 11), (16, 15), (21, 20), (32, 31), (32, 32), (64, 64), (100, 100)]
        {
            with_bitboard!((rows, columns), |B| equals_lists_of_cells::<B>());
        }
    }
}
