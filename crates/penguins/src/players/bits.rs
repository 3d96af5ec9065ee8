//! Sets of the cells of a rectangle, as bits: all rows in one word, some rows in each of a few words, or each row in a word of
//! its own. What moves every cell of a set, by columns or by rows, is a shift with a distance that the compiler knows.

use std::iter;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

/// A number that looks drawn, for each number. (The finaliser of Sebastiano Vigna's `splitmix64`.)
#[must_use]
#[inline]
pub const fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// A set of cells of a rectangle. Cells have [numbers](Self::at) below [`CELLS`](Self::CELLS), those of a row one after the other;
/// `&` is what two sets have in common, `|` what is in one of them, and `-` what is in the first alone.
pub trait Bits:
    Copy + PartialEq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Sub<Output = Self>
{
    /// How many rows there are.
    const ROWS: usize;

    /// How many columns there are.
    const COLUMNS: usize;

    /// More than any cell's number.
    const CELLS: usize = Self::ROWS * Self::COLUMNS;

    /// The set of none.
    const EMPTY: Self;

    /// The number of the cell in a row and a column.
    #[must_use]
    #[inline]
    fn at(row: usize, column: usize) -> usize {
        row * Self::COLUMNS + column
    }

    /// The row and the column of a cell.
    #[must_use]
    #[inline]
    fn place(cell: usize) -> (usize, usize) {
        (cell / Self::COLUMNS, cell % Self::COLUMNS)
    }

    /// The cell below one.
    #[must_use]
    #[inline]
    fn below(cell: usize) -> Option<usize> {
        (cell + Self::COLUMNS < Self::CELLS).then_some(cell + Self::COLUMNS)
    }

    /// The cell above one.
    #[must_use]
    #[inline]
    fn above(cell: usize) -> Option<usize> {
        cell.checked_sub(Self::COLUMNS)
    }

    /// The cells to the right and to the left of one, below it and above it, as far as they are there.
    #[must_use]
    fn sides(cell: usize) -> [Option<usize>; 4] {
        let (_, column) = Self::place(cell);
        let [right, left] = [column + 1 < Self::COLUMNS, column > 0];
        [right.then_some(cell + 1), left.then(|| cell - 1), Self::below(cell), Self::above(cell)]
    }

    /// How many cells after a cell in its row are in the set, up to the first that is not, and how many before it.
    #[must_use]
    fn in_row(self, cell: usize) -> [usize; 2];

    /// Whether a cell is in the set.
    fn has(self, cell: usize) -> bool;

    /// Puts a cell in the set, or takes it out.
    fn flip(&mut self, cell: usize);

    /// All cells, so many columns to the right, fewer than there are. Those that leave the rectangle are dropped; so with the others.
    #[must_use]
    fn right(self, columns: usize) -> Self;

    /// All cells, so many columns to the left.
    #[must_use]
    fn left(self, columns: usize) -> Self;

    /// All cells, so many rows down.
    #[must_use]
    fn down(self, rows: usize) -> Self;

    /// All cells, so many rows up.
    #[must_use]
    fn up(self, rows: usize) -> Self;

    /// How many cells are in the set.
    fn count(self) -> u32;

    /// The cell in the set that has the lowest number; of none, [`CELLS`](Self::CELLS) or more.
    fn first(self) -> usize;

    /// A number that looks drawn, for the set and another number.
    #[must_use]
    fn hash(self, seed: u64) -> u64;

    /// The set of one cell.
    #[must_use]
    #[inline]
    fn of(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.flip(cell);
        set
    }

    /// Whether nothing is in the set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Everything that is in the set, the lowest first.
    fn all(self) -> Members<Self> {
        Members(self)
    }

    /// The cells that are beside one in the set.
    #[must_use]
    #[inline]
    fn beside(self) -> Self {
        self.right(1) | self.left(1) | self.down(1) | self.up(1)
    }

    /// The free cells that are reached from these by steps from one free cell to the next.
    #[must_use]
    #[inline]
    fn reach(self, free: Self) -> Self {
        let mut reached = self.beside() & free;
        loop {
            let more = reached | reached.beside() & free;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Every cell that is reached from one by a slide over cells in the set, to the right, to the left, down and up, the nearest
    /// first.
    #[inline]
    fn along(self, from: usize) -> impl Iterator<Item = usize> {
        let [after, before] = self.in_row(from);
        (from + 1..=from + after).chain((from - before..from).rev()).chain(going(self, from, Self::below)).chain(going(
            self,
            from,
            Self::above,
        ))
    }

    /// Lets two sides spread over the free cells from where they are, which is not free, step by step. Nobody goes on from a
    /// cell that the other side came to before.
    #[must_use]
    #[inline]
    fn divide([ours, theirs]: [Self; 2], free: Self) -> Division<Self> {
        Division::by([ours.beside(), theirs.beside()], free, Self::beside)
    }

    /// The free cells that are reached from these by a slide over free cells, to any side, and those of these that are free.
    /// (Filling by doubling, after Peter Kogge and Harold Stone, "A parallel algorithm for the efficient solution of a general
    /// class of recurrence equations", 1973.)
    #[must_use]
    #[inline]
    fn slides(self, free: Self) -> Self {
        let along = filled::<Self>(self, free, Self::COLUMNS, Self::right)
            | filled::<Self>(self, free, Self::COLUMNS, Self::left);
        let across =
            filled::<Self>(self, free, Self::ROWS, Self::down) | filled::<Self>(self, free, Self::ROWS, Self::up);
        (along | across) & free
    }
}

/// The cells to which one comes by going on and on from a cell, as long as they are in the set.
#[inline]
fn going<B: Bits>(set: B, from: usize, next: impl Fn(usize) -> Option<usize>) -> impl Iterator<Item = usize> {
    iter::successors(next(from), move |&cell| next(cell)).take_while(move |&cell| set.has(cell))
}

/// These cells, and those that are reached from them over free cells by going on and on as the shift does.
#[inline]
fn filled<B: Bits>(from: B, free: B, length: usize, shift: impl Fn(B, usize) -> B) -> B {
    let (mut filled, mut free) = (from, free);
    let mut by = 1;
    while by < length {
        filled = filled | free & shift(filled, by);
        free = free & shift(free, by);
        by *= 2;
    }
    filled
}

/// Which cells two sides come to: those that the first side can be first on, and those that the other can. What is in both sets
/// they come to at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division<B> {
    /// For the first side.
    pub ours: B,
    /// For the other side.
    pub theirs: B,
}

impl<B: Bits> Division<B> {
    /// Lets both sides spread over the free cells from those that they come to first, and on as far as one `spread` goes at
    /// a time. Nobody goes on from a cell that the other side came to before.
    #[must_use]
    #[inline]
    pub fn by([mut ours, mut theirs]: [B; 2], free: B, spread: impl Fn(B) -> B) -> Self {
        let mut division = Self { ours: B::EMPTY, theirs: B::EMPTY };
        let mut open = free;
        loop {
            (ours, theirs) = (ours & open, theirs & open);
            let reached = ours | theirs;
            if reached.is_empty() {
                return division;
            }
            division.ours = division.ours | ours;
            division.theirs = division.theirs | theirs;
            open = open - reached;
            (ours, theirs) = (spread(ours), spread(theirs));
        }
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

/// A number as a row of bits.
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
    /// How many bits there are.
    const BITS: usize;

    /// No bit.
    const NONE: Self;

    /// The lowest bit.
    const LOWEST: Self;

    /// How many bits are set.
    fn count(self) -> u32;

    /// How many bits below the lowest one are not set.
    fn first(self) -> usize;

    /// How many bits after one are set, up to the first that is not.
    fn after(self, bit: usize) -> usize;

    /// How many bits before one are set, up to the first that is not.
    fn before(self, bit: usize) -> usize;

    /// A number that looks drawn, for the bits and another number.
    fn hash(self, seed: u64) -> u64;
}

macro_rules! words {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const NONE: Self = 0;
            const LOWEST: Self = 1;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn after(self, bit: usize) -> usize {
                (self >> bit >> 1).trailing_ones() as usize
            }

            #[inline]
            fn before(self, bit: usize) -> usize {
                (self << (<Self as Word>::BITS - 1 - bit) << 1).leading_ones() as usize
            }

            #[inline]
            fn hash(self, seed: u64) -> u64 {
                let number = u128::from(self);
                #[expect(clippy::cast_possible_truncation, reason = "the other half follows")]
                let low = mixed(seed ^ number as u64);
                if Self::BITS > 64 { mixed(low ^ (number >> 64) as u64) } else { low }
            }
        }
    )*};
}
words!(u32, u64, u128);

/// The operators of a kind of set, by what its `with` does to each word and that of another set.
macro_rules! set_operators {
    ([$($parts:tt)*] $set:ty) => {
        impl<$($parts)*> BitAnd for $set {
            type Output = Self;

            #[inline]
            fn bitand(self, other: Self) -> Self {
                self.with(other, |word, other| word & other)
            }
        }

        impl<$($parts)*> BitOr for $set {
            type Output = Self;

            #[inline]
            fn bitor(self, other: Self) -> Self {
                self.with(other, |word, other| word | other)
            }
        }

        impl<$($parts)*> Sub for $set {
            type Output = Self;

            #[inline]
            fn sub(self, other: Self) -> Self {
                self.with(other, |word, other| word & !other)
            }
        }
    };
}
set_operators!([const ROWS: usize, const COLUMNS: usize] Block<ROWS, COLUMNS>);
set_operators!([W: Word, const ROWS: usize] Rows<W, ROWS>);
set_operators!([const WORDS: usize, const HAND: usize, const COLUMNS: usize] Dealt<WORDS, HAND, COLUMNS>);

/// So many rows that are so far apart, each with the same cells.
#[inline]
fn repeated(row: u64, rows: usize, apart: usize) -> u64 {
    (0..rows).fold(0, |all, number| all | row << (number * apart))
}

/// A set of which all rows are in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block<const ROWS: usize, const COLUMNS: usize>(u64);

impl<const ROWS: usize, const COLUMNS: usize> Block<ROWS, COLUMNS> {
    /// A row whose cells are all in the set.
    const ROW: u64 = (1 << COLUMNS) - 1;

    /// The rows with these cells in each of them.
    #[inline]
    fn each(row: u64) -> u64 {
        repeated(row, ROWS, COLUMNS)
    }

    #[inline]
    fn with(self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        Self(both(self.0, other.0))
    }
}

impl<const ROWS: usize, const COLUMNS: usize> Bits for Block<ROWS, COLUMNS> {
    const ROWS: usize = ROWS;
    const COLUMNS: usize = COLUMNS;
    const EMPTY: Self = Self(0);

    #[inline]
    fn in_row(self, cell: usize) -> [usize; 2] {
        let column = cell % COLUMNS;
        [self.0.after(cell).min(COLUMNS - 1 - column), self.0.before(cell).min(column)]
    }

    #[inline]
    fn has(self, cell: usize) -> bool {
        self.0 & 1 << cell != 0
    }

    #[inline]
    fn flip(&mut self, cell: usize) {
        self.0 ^= 1 << cell;
    }

    #[inline]
    fn right(self, columns: usize) -> Self {
        Self(self.0 << columns & Self::each(Self::ROW << columns & Self::ROW))
    }

    #[inline]
    fn left(self, columns: usize) -> Self {
        Self(self.0 >> columns & Self::each(Self::ROW >> columns))
    }

    #[inline]
    fn down(self, rows: usize) -> Self {
        Self(self.0 << (rows * COLUMNS) & Self::each(Self::ROW))
    }

    #[inline]
    fn up(self, rows: usize) -> Self {
        Self(self.0 >> (rows * COLUMNS))
    }

    #[inline]
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

/// A set of which each row is in a word.
#[derive(Clone, Copy, Debug)]
pub struct Rows<W, const ROWS: usize>([W; ROWS]);

impl<W: Word, const ROWS: usize> Rows<W, ROWS> {
    #[inline]
    fn with(mut self, other: Self, both: impl Fn(W, W) -> W) -> Self {
        for (row, other) in self.0.iter_mut().zip(other.0) {
            *row = both(*row, other);
        }
        self
    }

    #[inline]
    fn each(mut self, change: impl Fn(W) -> W) -> Self {
        for row in &mut self.0 {
            *row = change(*row);
        }
        self
    }
}

impl<W: Word, const ROWS: usize> PartialEq for Rows<W, ROWS> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // Looking at all of them at once is quicker than stopping at the first that differs.
        self.with(*other, BitXor::bitxor).0.into_iter().fold(W::NONE, BitOr::bitor) == W::NONE
    }
}

impl<W: Word, const ROWS: usize> Eq for Rows<W, ROWS> {}

impl<W: Word, const ROWS: usize> Bits for Rows<W, ROWS> {
    const ROWS: usize = ROWS;
    const COLUMNS: usize = W::BITS;
    const EMPTY: Self = Self([W::NONE; ROWS]);

    #[inline]
    fn in_row(self, cell: usize) -> [usize; 2] {
        let (row, column) = (self.0[cell / W::BITS], cell % W::BITS);
        [row.after(column), row.before(column)]
    }

    #[inline]
    fn has(self, cell: usize) -> bool {
        self.0[cell / W::BITS] & W::LOWEST << (cell % W::BITS) != W::NONE
    }

    #[inline]
    fn flip(&mut self, cell: usize) {
        let row = &mut self.0[cell / W::BITS];
        *row = *row ^ W::LOWEST << (cell % W::BITS);
    }

    #[inline]
    fn right(self, columns: usize) -> Self {
        self.each(|row| row << columns)
    }

    #[inline]
    fn left(self, columns: usize) -> Self {
        self.each(|row| row >> columns)
    }

    #[inline]
    fn down(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[rows..].copy_from_slice(&self.0[..ROWS - rows]);
        set
    }

    #[inline]
    fn up(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[..ROWS - rows].copy_from_slice(&self.0[rows..]);
        set
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|row| row.count()).sum()
    }

    // All in one pass from row to row, which takes two thirds of the time that set after set takes.
    fn divide(sides: [Self; 2], free: Self) -> Division<Self> {
        let mut division = Division { ours: Self::EMPTY, theirs: Self::EMPTY };
        let mut open = free.0;
        let mut spread = |from: &[[W; ROWS]; 2], to: &mut [[W; ROWS]; 2]| {
            let mut reached = W::NONE;
            for row in 0..ROWS {
                let beside = |from: &[W; ROWS]| {
                    let above = if row > 0 { from[row - 1] } else { W::NONE };
                    let below = if row + 1 < ROWS { from[row + 1] } else { W::NONE };
                    (above | below | from[row] << 1 | from[row] >> 1) & open[row]
                };
                let (ours, theirs) = (beside(&from[0]), beside(&from[1]));
                (to[0][row], to[1][row]) = (ours, theirs);
                division.ours.0[row] = division.ours.0[row] | ours;
                division.theirs.0[row] = division.theirs.0[row] | theirs;
                open[row] = open[row] & !(ours | theirs);
                reached = reached | ours | theirs;
            }
            reached != W::NONE
        };
        let mut from = sides.map(|side| side.0);
        let mut to = [[W::NONE; ROWS]; 2];
        while spread(&from, &mut to) && spread(&to, &mut from) {}
        division
    }

    #[inline]
    fn first(self) -> usize {
        self.0.iter().position(|&row| row != W::NONE).map_or(Self::CELLS, |at| at * W::BITS + self.0[at].first())
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, row| row.hash(hash))
    }
}

/// A set of which the rows are dealt out to words in turn, as cards are: the row below another is in the next word at the same
/// place, so all rows go up or down with hardly a shift. After each row comes a bit that is never set, which keeps the rows apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dealt<const WORDS: usize, const HAND: usize, const COLUMNS: usize>([u64; WORDS]);

impl<const WORDS: usize, const HAND: usize, const COLUMNS: usize> Dealt<WORDS, HAND, COLUMNS> {
    /// How far it is from one row of a word to the next.
    const STRIDE: usize = COLUMNS + 1;

    /// A row whose cells are all in the set.
    const ROW: u64 = (1 << COLUMNS) - 1;

    /// The rows of a word with these cells in each of them.
    #[inline]
    fn each(row: u64) -> u64 {
        repeated(row, HAND, Self::STRIDE)
    }

    #[inline]
    fn with(mut self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = both(*word, other);
        }
        self
    }
}

impl<const WORDS: usize, const HAND: usize, const COLUMNS: usize> Bits for Dealt<WORDS, HAND, COLUMNS> {
    const ROWS: usize = WORDS * HAND;
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
            (bit + Self::STRIDE < HAND * Self::STRIDE).then_some(bit + Self::STRIDE)
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
    fn in_row(self, cell: usize) -> [usize; 2] {
        let (word, bit) = (self.0[cell / 64], cell % 64);
        [word.after(bit), word.before(bit)]
    }

    #[inline]
    fn has(self, cell: usize) -> bool {
        self.0[cell / 64] & 1 << (cell % 64) != 0
    }

    #[inline]
    fn flip(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    #[inline]
    fn right(self, columns: usize) -> Self {
        Self(self.0.map(|word| word << columns & Self::each(Self::ROW << columns & Self::ROW)))
    }

    #[inline]
    fn left(self, columns: usize) -> Self {
        Self(self.0.map(|word| word >> columns & Self::each(Self::ROW >> columns)))
    }

    #[inline]
    fn down(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        for (word, cells) in self.0.into_iter().enumerate() {
            let (places, to) = ((word + rows) / WORDS, (word + rows) % WORDS);
            if places < HAND {
                set.0[to] = cells << (places * Self::STRIDE) & Self::each(Self::ROW);
            }
        }
        set
    }

    #[inline]
    fn up(self, rows: usize) -> Self {
        let mut set = Self::EMPTY;
        for (to, cells) in set.0.iter_mut().enumerate() {
            let (places, word) = ((to + rows) / WORDS, (to + rows) % WORDS);
            if places < HAND {
                *cells = self.0[word] >> (places * Self::STRIDE);
            }
        }
        set
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    // All in one pass from word to word. Cells where a side has been before lead nowhere new, so it spreads from all of them,
    // and what would fall between the rows is not free.
    #[inline]
    fn divide([mut ours, mut theirs]: [Self; 2], free: Self) -> Division<Self> {
        let begun = [ours, theirs];
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
                return Division { ours: ours - begun[0], theirs: theirs - begun[1] };
            }
        }
    }

    #[inline]
    fn first(self) -> usize {
        self.0.iter().position(|&word| word != 0).map_or(Self::CELLS, |at| at * 64 + self.0[at].first())
    }

    #[inline]
    fn hash(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, &word| mixed(hash ^ word))
    }
}

/// Does something with the kind of set that goes through so many rows and columns the quickest, of those that have as many.
macro_rules! with_bits {
    (($rows:expr, $columns:expr), |$bits:ident| $body:expr) => {
        $crate::players::bits::with_bits!(
            ($rows, $columns), $bits, $body,
            8 x 8: Block<8, 8>,
            10 x 11: Dealt<2, 5, 11>,
            12 x 11: Dealt<3, 4, 11>,
            16 x 15: Dealt<4, 4, 15>,
            21 x 20: Dealt<7, 3, 20>,
            32 x 31: Dealt<16, 2, 31>,
            32 x 32: Rows<u32, 32>,
            64 x 64: Rows<u64, 64>,
            otherwise: Rows<u128, 100>
        )
    };
    (
        $size:expr, $bits:ident, $body:expr,
        $($rows:literal x $columns:literal: $kind:ident<$($part:tt),*>,)*
        otherwise: $largest:ident<$($of_largest:tt),*>
    ) => {
        match $size {
            $((0..=$rows, 0..=$columns) => {
                type $bits = $crate::players::bits::$kind<$($part),*>;
                $body
            })*
            _ => {
                type $bits = $crate::players::bits::$largest<$($of_largest),*>;
                $body
            }
        }
    };
}
pub(crate) use with_bits;

#[cfg(test)]
mod tests {
    use super::*;

    /// What every kind of set does, as lists of rows and columns do it.
    fn does_as_lists_do<B: Bits>() {
        let (last_row, last) = (B::ROWS - 1, B::COLUMNS - 1);
        let in_a_set = |places: &[(usize, usize)]| {
            places.iter().fold(B::EMPTY, |set, &(row, column)| set | B::of(B::at(row, column)))
        };
        let all: Vec<(usize, usize)> =
            (0..B::ROWS).flat_map(|row| (0..B::COLUMNS).map(move |column| (row, column))).collect();
        let some = vec![(0, 0), (0, last), (1, 3), (4, 0), (5, last), (last_row, 0), (last_row, 5), (last_row, last)];
        for places in [vec![], some, all.clone()] {
            let set = in_a_set(&places);
            let mut cells: Vec<usize> = places.iter().map(|&(row, column)| B::at(row, column)).collect();
            assert!(cells.iter().zip(&places).all(|(&cell, &place)| B::place(cell) == place));
            cells.sort_unstable();
            assert!(set.all().eq(cells.iter().copied()));
            assert!((0..B::CELLS).all(|cell| set.has(cell) == cells.contains(&cell)));
            assert_eq!(set.count() as usize, places.len());
            assert_eq!(set.is_empty(), places.is_empty());
            let corner = B::of(0);
            assert!((set - corner).all().eq(cells.iter().copied().filter(|&cell| cell != 0)));
            assert!((set & corner).all().eq(cells.iter().copied().filter(|&cell| cell == 0)));
            let mut taken = set;
            for &cell in &cells {
                taken.flip(cell);
            }
            assert!(taken.is_empty());
            // Backwards, what would leave the rectangle is beyond its end.
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
            assert!(set.beside() == in_a_set(&beside));
            let ways: [fn(B, usize) -> B; 4] = [B::right, B::left, B::down, B::up];
            for free in [in_a_set(&all) - set, set] {
                for cell in [(0, 0), (1, 2), (B::ROWS / 2, 3), (last_row, 5), (last_row, last)]
                    .map(|(row, column)| B::at(row, column))
                {
                    let from = B::of(cell);
                    let mut reached = Vec::new();
                    for way in ways {
                        let mut to = way(from, 1) & free;
                        while !to.is_empty() {
                            reached.push(to.first());
                            to = way(to, 1) & free;
                        }
                    }
                    assert!(free.along(cell).eq(reached.iter().copied()));
                    assert!(
                        from.slides(free) == reached.into_iter().fold(from & free, |reached, to| reached | B::of(to))
                    );
                }
            }
            // However it is done, both sides come to the same.
            let sides = [corner, B::of(B::at(B::ROWS / 2, 2))];
            let free = in_a_set(&all) - set - sides[0] - sides[1];
            let division = Division::by(sides.map(B::beside), free, B::beside);
            assert!(B::divide(sides, free) == division);
            assert!((division.ours | division.theirs) == (sides[0] | sides[1]).reach(free));
        }
    }

    #[test]
    fn sets_do_as_lists_do() {
        for (rows, columns) in
            [(8, 8), (10, 11), (12, 11), (16, 15), (21, 20), (32, 31), (32, 32), (64, 64), (100, 100)]
        {
            with_bits!((rows, columns), |B| does_as_lists_do::<B>());
        }
    }
}
