//! The part of a board that still matters, as sets of cells: the floes that a penguin can reach, cut out of the board.

use crate::board::{Board, Field, MOST_PLAYERS, Number, Place};
use crate::players::bits::{Bits, mixed};

/// What does not change while a game is looked ahead: which cells there are, what is next to what, and how many fish there
/// are.
#[derive(Clone, Debug)]
pub struct Ice<B> {
    origin: Place,
    fish: Vec<u8>,
    /// The binary digits of how many fish there were: the cells with one or three, and those with two or three.
    with_fish: [B; 2],
    keys: Vec<[u64; 1 + MOST_PLAYERS]>,
}

/// Free floes and penguins, each player's by the index of the seat.
#[derive(Clone, Debug)]
pub struct Position<B> {
    /// The floes with fish.
    pub free: B,
    /// Where the penguins are.
    pub penguins: [B; MOST_PLAYERS],
    /// What free floes and penguins there are, as a number that looks drawn.
    pub key: u64,
}

impl<B: Bits> Position<B> {
    /// How many penguins there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.penguins.iter().map(|penguins| penguins.count()).sum()
    }

    /// Every move that a player has.
    #[inline]
    pub fn moves(&self, player: usize) -> impl Iterator<Item = Move> {
        self.penguins[player].all().flat_map(move |from| {
            #[expect(clippy::cast_possible_truncation, reason = "there are at most 12,800 numbers of cells")]
            self.free.along(from).map(move |to| (from as u16, to as u16))
        })
    }
}

/// A move, by its cells.
pub type Move = (u16, u16);

/// The rectangle of a board that holds all that is relevant, as its first place and how many rows and columns it has;
/// nothing when nothing is.
#[must_use]
pub fn bounds(board: &Board, is_relevant: impl Fn(Place) -> bool) -> Option<(Place, usize, usize)> {
    let relevant: Vec<Place> = board.places().filter(|&place| is_relevant(place)).collect();
    let top = relevant.iter().map(|place| place.row).min()?;
    let bottom = relevant.iter().map(|place| place.row).max()?;
    let left = relevant.iter().map(|place| place.column).min()?;
    let right = relevant.iter().map(|place| place.column).max()?;
    Some((Place::new(top, left), usize::from(bottom - top) + 1, usize::from(right - left) + 1))
}

impl<B: Bits> Ice<B> {
    /// The rectangle of the board that begins there and has so many rows and columns, which have to fit into a set, and the
    /// position on it: floes and the penguins of these players.
    #[must_use]
    pub fn cut(
        board: &Board,
        (origin, rows, columns): (Place, usize, usize),
        players: &[Number],
    ) -> (Self, Position<B>) {
        debug_assert!(rows <= B::ROWS && columns <= B::COLUMNS, "all cells fit into a set");
        let mut ice = Self {
            origin,
            fish: vec![0; B::CELLS],
            with_fish: [B::EMPTY; 2],
            keys: (0..B::CELLS as u64).map(|cell| std::array::from_fn(|kind| mixed(cell << 4 | kind as u64))).collect(),
        };
        let mut position = Position { free: B::EMPTY, penguins: [B::EMPTY; MOST_PLAYERS], key: 0 };
        for cell in (0..rows).flat_map(|row| (0..columns).map(move |column| B::at(row, column))) {
            match board.get(ice.place(cell)) {
                Field::Water => {}
                Field::Floe(fish) => {
                    ice.fish[cell] = fish;
                    for (digit, with_fish) in ice.with_fish.iter_mut().enumerate() {
                        if fish >> digit & 1 != 0 {
                            with_fish.flip(cell);
                        }
                    }
                    position.free.flip(cell);
                    position.key ^= ice.keys[cell][0];
                }
                Field::Penguin(number) => {
                    if let Some(seat) = players.iter().position(|&player| player == number) {
                        position.penguins[seat].flip(cell);
                        position.key ^= ice.keys[cell][1 + seat];
                    }
                }
            }
        }
        (ice, position)
    }

    /// Where a cell is on the board.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 100 rows and columns")]
    pub fn place(&self, cell: usize) -> Place {
        let (row, column) = B::place(cell);
        Place::new(self.origin.row + row as u8, self.origin.column + column as u8)
    }

    /// How many fish were on a cell, 0 to 3.
    #[must_use]
    #[inline]
    pub fn fish(&self, cell: usize) -> i32 {
        self.fish[cell].into()
    }

    /// How many fish are on all of these floes.
    #[must_use]
    #[inline]
    pub fn fish_on(&self, floes: B) -> i32 {
        let [ones, twos] = self.with_fish.map(|with_fish| (floes & with_fish).count().cast_signed());
        ones + 2 * twos
    }

    /// The floes with exactly one fish.
    #[must_use]
    pub fn with_one_fish(&self) -> B {
        self.with_fish[0] - self.with_fish[1]
    }

    /// Slides a player's penguin. The same again takes it back.
    #[inline]
    pub fn slide(&self, position: &mut Position<B>, player: usize, from: usize, to: usize) {
        position.penguins[player].flip(from);
        position.penguins[player].flip(to);
        position.free.flip(to);
        position.key ^= self.keys[from][1 + player] ^ self.keys[to][1 + player] ^ self.keys[to][0];
    }

    /// Puts a player's penguin on a free floe.
    pub fn put(&self, position: &mut Position<B>, player: usize, to: usize) {
        position.penguins[player].flip(to);
        position.free.flip(to);
        position.key ^= self.keys[to][1 + player] ^ self.keys[to][0];
    }

    /// What the key has of these free floes and penguins alone.
    #[must_use]
    pub fn key_of(&self, free: B, penguins: &[B]) -> u64 {
        let floes = free.all().fold(0, |key, cell| key ^ self.keys[cell][0]);
        penguins.iter().enumerate().fold(floes, |key, (player, &penguins)| {
            penguins.all().fold(key, |key, cell| key ^ self.keys[cell][1 + player])
        })
    }
}
