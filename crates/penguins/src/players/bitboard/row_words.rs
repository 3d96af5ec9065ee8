//! Bitboards with a word for each row.

use std::ops::{BitOr, BitXor};

use super::{Bitboard, Partition, Word};

/// A word for each row.
#[derive(Clone, Copy, Debug)]
pub struct RowWords<W, const ROWS: usize>([W; ROWS]);

impl<W: Word, const ROWS: usize> RowWords<W, ROWS> {
    #[inline(always)]
    pub(super) fn with(mut self, other: Self, both: impl Fn(W, W) -> W) -> Self {
        for (row, other) in self.0.iter_mut().zip(other.0) {
            *row = both(*row, other);
        }
        self
    }

    #[inline(always)]
    fn each(mut self, change: impl Fn(W) -> W) -> Self {
        for row in &mut self.0 {
            *row = change(*row);
        }
        self
    }
}

impl<W: Word, const ROWS: usize> PartialEq for RowWords<W, ROWS> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        // Branchless: comparing all words is faster than stopping at the first difference.
        self.with(*other, BitXor::bitxor).0.into_iter().fold(W::ZERO, BitOr::bitor) == W::ZERO
    }
}

impl<W: Word, const ROWS: usize> Eq for RowWords<W, ROWS> {}

impl<W: Word, const ROWS: usize> Bitboard for RowWords<W, ROWS> {
    const ROWS: usize = ROWS;
    const COLUMNS: usize = W::BITS;
    const EMPTY: Self = Self([W::ZERO; ROWS]);

    #[inline]
    fn runs_in_row(self, cell: usize) -> [usize; 2] {
        let (row, column) = (self.0[cell / W::BITS], cell % W::BITS);
        [row.ones_above(column), row.ones_below(column)]
    }

    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0[cell / W::BITS] & W::ONE << (cell % W::BITS) != W::ZERO
    }

    #[inline]
    fn toggle(&mut self, cell: usize) {
        let row = &mut self.0[cell / W::BITS];
        *row = *row ^ W::ONE << (cell % W::BITS);
    }

    #[inline(always)]
    fn right(self, columns: usize) -> Self {
        self.each(|row| row << columns)
    }

    #[inline(always)]
    fn left(self, columns: usize) -> Self {
        self.each(|row| row >> columns)
    }

    #[inline(always)]
    fn down(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[rows..].copy_from_slice(&self.0[..ROWS - rows]);
        set
    }

    #[inline(always)]
    fn up(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[..ROWS - rows].copy_from_slice(&self.0[rows..]);
        set
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|row| row.count()).sum()
    }

    // Each round is a single pass over the rows, which takes two thirds of the time of operations on whole sets.
    fn partition(teams: [Self; 2], free: Self) -> Partition<Self> {
        let mut partition = Partition { ours: Self::EMPTY, theirs: Self::EMPTY };
        let mut open = free.0;
        let mut spread = |from: &[[W; ROWS]; 2], to: &mut [[W; ROWS]; 2]| {
            let mut reached = W::ZERO;
            for row in 0..ROWS {
                let beside = |from: &[W; ROWS]| {
                    let above = if row > 0 { from[row - 1] } else { W::ZERO };
                    let below = if row + 1 < ROWS { from[row + 1] } else { W::ZERO };
                    (above | below | from[row] << 1 | from[row] >> 1) & open[row]
                };
                let (ours, theirs) = (beside(&from[0]), beside(&from[1]));
                (to[0][row], to[1][row]) = (ours, theirs);
                partition.ours.0[row] = partition.ours.0[row] | ours;
                partition.theirs.0[row] = partition.theirs.0[row] | theirs;
                open[row] = open[row] & !(ours | theirs);
                reached = reached | ours | theirs;
            }
            reached != W::ZERO
        };
        let mut from = teams.map(|side| side.0);
        let mut to = [[W::ZERO; ROWS]; 2];
        while spread(&from, &mut to) && spread(&to, &mut from) {}
        partition
    }

    #[inline]
    fn first(self) -> usize {
        self.0.iter().position(|&row| row != W::ZERO).map_or(Self::CELLS, |at| at * W::BITS + self.0[at].first())
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, row| row.hash(hash))
    }
}
