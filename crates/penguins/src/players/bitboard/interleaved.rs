//! Bitboards with rows interleaved over several words.

use super::{Bitboard, Partition, Word, hash_u64, repeat_rows};

/// Rows distributed over words round-robin: row `r` is in word `r % WORDS`. The row below is in the next word at the
/// same bits, so vertical shifts are nearly free. An unused bit after each row keeps rows apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleaved<const WORDS: usize, const ROWS_PER_WORD: usize, const COLUMNS: usize>([u64; WORDS]);

impl<const WORDS: usize, const ROWS_PER_WORD: usize, const COLUMNS: usize> Interleaved<WORDS, ROWS_PER_WORD, COLUMNS> {
    /// The distance between two rows of a word, in bits.
    const STRIDE: usize = COLUMNS + 1;

    /// A full row.
    const ROW: u64 = (1 << COLUMNS) - 1;

    /// Returns a word with these cells in each row.
    #[inline(always)]
    fn each(row: u64) -> u64 {
        repeat_rows(row, ROWS_PER_WORD, Self::STRIDE)
    }

    #[inline(always)]
    pub(super) fn with(mut self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = both(*word, other);
        }
        self
    }
}

impl<const WORDS: usize, const ROWS_PER_WORD: usize, const COLUMNS: usize> Bitboard
    for Interleaved<WORDS, ROWS_PER_WORD, COLUMNS>
{
    const ROWS: usize = WORDS * ROWS_PER_WORD;
    const COLUMNS: usize = COLUMNS;
    const CELLS: usize = WORDS * 64;
    const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    fn at(row: usize, column: usize) -> usize {
        row % WORDS * 64 + row / WORDS * Self::STRIDE + column
    }

    #[inline]
    fn place(cell: usize) -> (usize, usize) {
        let (word, bit) = (cell / 64, cell % 64);
        (bit / Self::STRIDE * WORDS + word, bit % Self::STRIDE)
    }

    #[inline]
    fn below(cell: usize) -> Option<usize> {
        let (word, bit) = (cell / 64, cell % 64);
        if word + 1 < WORDS {
            Some(cell + 64)
        } else {
            (bit + Self::STRIDE < ROWS_PER_WORD * Self::STRIDE).then_some(bit + Self::STRIDE)
        }
    }

    #[inline]
    fn above(cell: usize) -> Option<usize> {
        match cell.checked_sub(64) {
            None => Some((WORDS - 1) * 64 + cell.checked_sub(Self::STRIDE)?),
            above => above,
        }
    }

    #[inline]
    fn runs_in_row(self, cell: usize) -> [usize; 2] {
        let (word, bit) = (self.0[cell / 64], cell % 64);
        [word.ones_above(bit), word.ones_below(bit)]
    }

    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] & 1 << (cell % 64) != 0
    }

    #[inline]
    fn toggle(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    #[inline(always)]
    fn right(self, columns: usize) -> Self {
        Self(self.0.map(|word| word << columns & Self::each(Self::ROW << columns & Self::ROW)))
    }

    #[inline(always)]
    fn left(self, columns: usize) -> Self {
        Self(self.0.map(|word| word >> columns & Self::each(Self::ROW >> columns)))
    }

    #[inline(always)]
    fn down(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        for (word, cells) in self.0.into_iter().enumerate() {
            let (places, to) = ((word + rows) / WORDS, (word + rows) % WORDS);
            if places < ROWS_PER_WORD {
                set.0[to] = cells << (places * Self::STRIDE) & Self::each(Self::ROW);
            }
        }
        set
    }

    #[inline(always)]
    fn up(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        for (to, cells) in set.0.iter_mut().enumerate() {
            let (places, word) = ((to + rows) / WORDS, (to + rows) % WORDS);
            if places < ROWS_PER_WORD {
                *cells = self.0[word] >> (places * Self::STRIDE);
            }
        }
        set
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    // Each round is a single pass over the words. Spreading from all cells of a side, not only from new ones, is equivalent, as older cells
    // lead nowhere new. The bits between rows are never free.
    #[inline(always)]
    fn partition([mut ours, mut theirs]: [Self; 2], free: Self) -> Partition<Self> {
        let started = [ours, theirs];
        let mut open = free.0;
        loop {
            let mut reached = 0;
            let mut above = [&ours, &theirs].map(|side| side.0[WORDS - 1] << Self::STRIDE);
            let last = [&ours, &theirs].map(|side| side.0[0] >> Self::STRIDE);
            for word in 0..WORDS {
                let spread = |side: &mut [u64; WORDS], above: &mut u64, last: u64| {
                    let cells = side[word];
                    let below = if word + 1 < WORDS { side[word + 1] } else { last };
                    let next = (*above | below | cells << 1 | cells >> 1) & open[word];
                    side[word] = cells | next;
                    *above = cells;
                    next
                };
                let next = spread(&mut ours.0, &mut above[0], last[0]) | spread(&mut theirs.0, &mut above[1], last[1]);
                open[word] &= !next;
                reached |= next;
            }
            if reached == 0 {
                return Partition { ours: ours - started[0], theirs: theirs - started[1] };
            }
        }
    }

    #[inline]
    fn first(self) -> usize {
        self.0.iter().position(|&word| word != 0).map_or(Self::CELLS, |at| at * 64 + self.0[at].first())
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, &word| hash_u64(hash ^ word))
    }
}
