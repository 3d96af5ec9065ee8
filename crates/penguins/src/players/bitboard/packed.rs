//! Bitboards of up to 64 cells: all rows in one word.

use super::{Bitboard, Word, repeat_rows};

/// All rows in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Packed<const ROWS: usize, const COLUMNS: usize>(u64);

impl<const ROWS: usize, const COLUMNS: usize> Packed<ROWS, COLUMNS> {
    /// A full row.
    const ROW: u64 = (1 << COLUMNS) - 1;

    /// Returns a word with these cells in each row.
    #[inline(always)]
    fn each(row: u64) -> u64 {
        repeat_rows(row, ROWS, COLUMNS)
    }

    #[inline(always)]
    pub(super) fn with(self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        Self(both(self.0, other.0))
    }
}

impl<const ROWS: usize, const COLUMNS: usize> Bitboard for Packed<ROWS, COLUMNS> {
    const ROWS: usize = ROWS;
    const COLUMNS: usize = COLUMNS;
    const EMPTY: Self = Self(0);

    #[inline]
    fn runs_in_row(self, cell: usize) -> [usize; 2] {
        let column = cell % COLUMNS;
        [self.0.ones_above(cell).min(COLUMNS - 1 - column), self.0.ones_below(cell).min(column)]
    }

    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0 & 1 << cell != 0
    }

    #[inline]
    fn toggle(&mut self, cell: usize) {
        self.0 ^= 1 << cell;
    }

    #[inline(always)]
    fn right(self, columns: usize) -> Self {
        Self(self.0 << columns & Self::each(Self::ROW << columns & Self::ROW))
    }

    #[inline(always)]
    fn left(self, columns: usize) -> Self {
        Self(self.0 >> columns & Self::each(Self::ROW >> columns))
    }

    #[inline(always)]
    fn down(self, rows: usize) -> Self {
        Self(self.0 << (rows * COLUMNS) & Self::each(Self::ROW))
    }

    #[inline(always)]
    fn up(self, rows: usize) -> Self {
        Self(self.0 >> (rows * COLUMNS))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count()
    }

    #[inline]
    fn first(self) -> usize {
        self.0.first()
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.hash(seed)
    }
}
