//! Positions as bitboards, cut out of the board.

use crate::board::{Board, Field, MAX_PLAYERS, Number, Place};
use crate::players::bitboard::{Bitboard, hash_u64};

/// The constants of a search: cells, their fish and their hash keys.
#[derive(Clone, Debug)]
pub struct Geometry<B> {
    origin: Place,
    fish: Vec<u8>,
    /// The two binary digits of the number of fish on each cell, as sets: the cells with 1 or 3 fish, and the cells with 2 or 3 fish.
    with_fish: [B; 2],
    keys: Vec<[u64; 1 + MAX_PLAYERS]>,
}

/// A position: free floes, and penguins by seat.
#[derive(Clone, Debug)]
pub struct Position<B> {
    /// The free floes.
    pub free: B,
    /// The penguins of each seat.
    pub penguins: [B; MAX_PLAYERS],
    /// The Zobrist hash of floes and penguins.
    pub key: u64,
}

impl<B: Bitboard> Position<B> {
    /// Returns the number of penguins.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.penguins.iter().map(|penguins| penguins.count()).sum()
    }

    /// Returns the moves of a player.
    #[inline]
    pub fn moves(&self, player: usize) -> impl Iterator<Item = Move> {
        self.penguins[player].iter().flat_map(move |from| {
            #[expect(clippy::cast_possible_truncation, reason = "there are at most 12,800 numbers of cells")]
            self.free.rays(from).map(move |to| (from as u16, to as u16))
        })
    }
}

/// A move: the cell that the penguin leaves, and the target cell.
pub type Move = (u16, u16);

/// Returns the bounding rectangle of the relevant places: its first place, its number of rows and its number of columns. Returns `None` if
/// no place is relevant.
#[must_use]
pub fn bounds(board: &Board, is_relevant: impl Fn(Place) -> bool) -> Option<(Place, usize, usize)> {
    let relevant: Vec<Place> = board.places().filter(|&place| is_relevant(place)).collect();
    let top = relevant.iter().map(|place| place.row).min()?;
    let bottom = relevant.iter().map(|place| place.row).max()?;
    let left = relevant.iter().map(|place| place.column).min()?;
    let right = relevant.iter().map(|place| place.column).max()?;
    Some((Place::new(top, left), usize::from(bottom - top) + 1, usize::from(right - left) + 1))
}

impl<B: Bitboard> Geometry<B> {
    /// Cuts a rectangle (first place, rows, columns) out of a board. Returns the geometry of the rectangle, and the position with the floes
    /// and these players' penguins in the rectangle.
    ///
    /// The rectangle must fit into the bitboard.
    #[must_use]
    pub fn from_board(
        board: &Board,
        (origin, rows, columns): (Place, usize, usize),
        players: &[Number],
    ) -> (Self, Position<B>) {
        debug_assert!(rows <= B::ROWS && columns <= B::COLUMNS, "all cells fit into a set");
        let mut geometry = Self {
            origin,
            fish: vec![0; B::CELLS],
            with_fish: [B::EMPTY; 2],
            keys: (0..B::CELLS as u64)
                .map(|cell| std::array::from_fn(|kind| hash_u64(cell << 4 | kind as u64)))
                .collect(),
        };
        let mut position = Position { free: B::EMPTY, penguins: [B::EMPTY; MAX_PLAYERS], key: 0 };
        for cell in (0..rows).flat_map(|row| (0..columns).map(move |column| B::at(row, column))) {
            match board.get(geometry.place(cell)) {
                Field::Water => {}
                Field::Floe(fish) => {
                    geometry.fish[cell] = fish;
                    for (digit, with_fish) in geometry.with_fish.iter_mut().enumerate() {
                        if fish >> digit & 1 != 0 {
                            with_fish.toggle(cell);
                        }
                    }
                    position.free.toggle(cell);
                    position.key ^= geometry.keys[cell][0];
                }
                Field::Penguin(number) => {
                    if let Some(seat) = players.iter().position(|&player| player == number) {
                        position.penguins[seat].toggle(cell);
                        position.key ^= geometry.keys[cell][1 + seat];
                    }
                }
            }
        }
        (geometry, position)
    }

    /// Returns the place of a cell on the board.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 100 rows and columns")]
    pub fn place(&self, cell: usize) -> Place {
        let (row, column) = B::place(cell);
        Place::new(self.origin.row + row as u8, self.origin.column + column as u8)
    }

    /// Returns the number of fish, 0 to 3, that a cell had on the original board.
    #[must_use]
    #[inline]
    pub fn fish(&self, cell: usize) -> i32 {
        self.fish[cell].into()
    }

    /// Returns the number of fish on these floes.
    #[must_use]
    #[inline(always)]
    pub fn fish_on(&self, floes: B) -> i32 {
        let [ones, twos] = self.with_fish.map(|with_fish| (floes & with_fish).count().cast_signed());
        ones + 2 * twos
    }

    /// Returns the floes with exactly one fish.
    #[must_use]
    pub fn with_one_fish(&self) -> B {
        self.with_fish[0] - self.with_fish[1]
    }

    /// Slides a player's penguin.
    ///
    /// Calling it again undoes the slide.
    #[inline]
    pub fn slide(&self, position: &mut Position<B>, player: usize, from: usize, to: usize) {
        position.penguins[player].toggle(from);
        position.penguins[player].toggle(to);
        position.free.toggle(to);
        position.key ^= self.keys[from][1 + player] ^ self.keys[to][1 + player] ^ self.keys[to][0];
    }

    /// Puts a player's penguin on a free floe.
    ///
    /// Calling it again removes it.
    pub fn put(&self, position: &mut Position<B>, player: usize, to: usize) {
        position.penguins[player].toggle(to);
        position.free.toggle(to);
        position.key ^= self.keys[to][1 + player] ^ self.keys[to][0];
    }

    /// Returns the hash of these floes and penguins.
    #[must_use]
    pub fn key_of(&self, free: B, penguins: &[B]) -> u64 {
        let floes = free.iter().fold(0, |key, cell| key ^ self.keys[cell][0]);
        penguins.iter().enumerate().fold(floes, |key, (player, &penguins)| {
            penguins.iter().fold(key, |key, cell| key ^ self.keys[cell][1 + player])
        })
    }
}
