//! The board: fields of water, floes with fish, and floes with penguins.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The maximum number of rows and of columns.
pub const MAX_SIDE: usize = 100;

/// The maximum number of players.
pub const MAX_PLAYERS: usize = 9;

/// The maximum number of fish on a floe.
pub const MAX_FISH: u8 = 3;

/// A player's number, 1 to 9, which marks the player's penguins on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(u8);

impl Number {
    /// Returns the player number; `None` if `number` is not from 1 to 9.
    ///
    /// ```
    /// use penguins::board::Number;
    /// assert_eq!(Number::new(9).map(Number::get), Some(9));
    /// assert_eq!(Number::new(0), None);
    /// assert_eq!(Number::new(10), None);
    /// ```
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number as usize <= MAX_PLAYERS { Some(Self(number)) } else { None }
    }

    /// Returns all numbers in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..).map_while(Self::new)
    }

    /// Returns the number, 1 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The content of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// Water.
    Water,
    /// A floe with 1 to 3 fish and no penguin.
    Floe(u8),
    /// A floe with a penguin of this player, and without fish.
    Penguin(Number),
}

/// The coordinates of a field, from 0. Displayed as the row's letters and the column's number from 1: `b7` is the
/// seventh field of the second row.
///
/// ```
/// use penguins::board::Place;
/// assert_eq!(Place::new(1, 6).to_string(), "b7");
/// assert_eq!("b7".parse(), Ok(Place::new(1, 6)));
/// assert_eq!(Place::new(99, 99).to_string(), "cv100");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The row, from 0 at the top.
    pub row: u8,
    /// The column, from 0 at the left.
    pub column: u8,
}

impl Place {
    /// Returns the place with this row and column.
    #[must_use]
    pub const fn new(row: u8, column: u8) -> Self {
        Self { row, column }
    }
}

/// The letters of rows.
const LETTERS: u8 = 26;

/// Returns the letters of a row, from 0: `a` to `z`, then `aa` to `cv`.
#[must_use]
pub fn letters(row: u8) -> String {
    let last = char::from(b'a' + row % LETTERS);
    match row / LETTERS {
        0 => last.to_string(),
        first => format!("{}{last}", char::from(b'a' + first - 1)),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letters(self.row), u16::from(self.column) + 1)
    }
}

/// The error for a text that is not the name of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a field is named by its row's letters and its column's number, such as b7")]
pub struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let letters_end = text.find(|c: char| !c.is_ascii_alphabetic()).ok_or(NoPlace)?;
        let (row, column) = text.split_at(letters_end);
        let row = row.to_ascii_lowercase();
        let column: usize = column.parse().map_err(|_| NoPlace)?;
        let row = (0..MAX_SIDE).find_map(|at| u8::try_from(at).ok().filter(|&at| letters(at) == row)).ok_or(NoPlace)?;
        let column = column.checked_sub(1).filter(|&at| at < MAX_SIDE).ok_or(NoPlace)?;
        Ok(Self::new(row, u8::try_from(column).map_err(|_| NoPlace)?))
    }
}

/// A direction along the grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];
}

/// A board of 1 to 100 rows and 1 to 100 columns.
///
/// ```
/// use penguins::board::{Board, Direction, Field, Number, Place};
/// let mut board = Board::new(1, 4).unwrap();
/// let player = Number::new(1).unwrap();
/// for (column, field) in [Field::Penguin(player), Field::Floe(1), Field::Floe(3), Field::Water].into_iter().enumerate() {
///     board.set(Place::new(0, column as u8), field);
/// }
/// let reached: Vec<_> = board.slide(Place::new(0, 0), Direction::Right).map(|place| place.to_string()).collect();
/// assert_eq!(reached, ["a2", "a3"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    columns: usize,
    fields: Vec<Field>,
}

impl Board {
    /// Makes a board of water; `None` if a side is not from 1 to 100.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Option<Self> {
        let fits = |length: usize| (1..=MAX_SIDE).contains(&length);
        (fits(rows) && fits(columns)).then(|| Self { columns, fields: vec![Field::Water; rows * columns] })
    }

    /// Returns the number of rows, 1 to 100.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.fields.len() / self.columns
    }

    /// Returns the number of columns, 1 to 100.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns all places, row by row.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let columns = self.columns;
        #[expect(clippy::cast_possible_truncation, reason = "there are at most 100 rows and columns")]
        (0..self.fields.len()).map(move |at| Place::new((at / columns) as u8, (at % columns) as u8))
    }

    /// Returns the index of a place in row-major order.
    #[must_use]
    pub fn index(&self, place: Place) -> usize {
        usize::from(place.row) * self.columns + usize::from(place.column)
    }

    /// Returns the content of a field; water outside the board.
    #[must_use]
    pub fn get(&self, place: Place) -> Field {
        if self.contains(place) { self.fields[self.index(place)] } else { Field::Water }
    }

    /// Changes the content of a field.
    ///
    /// Does nothing outside the board.
    pub fn set(&mut self, place: Place, field: Field) {
        if self.contains(place) {
            let at = self.index(place);
            self.fields[at] = field;
        }
    }

    /// Returns whether the place is on the board.
    #[must_use]
    pub fn contains(&self, place: Place) -> bool {
        usize::from(place.row) < self.rows() && usize::from(place.column) < self.columns
    }

    /// Returns the next place in a direction; `None` if it is not on the board.
    #[must_use]
    pub fn next(&self, Place { row, column }: Place, direction: Direction) -> Option<Place> {
        let next = match direction {
            Direction::Up => Place::new(row.checked_sub(1)?, column),
            Direction::Down => Place::new(row.checked_add(1)?, column),
            Direction::Left => Place::new(row, column.checked_sub(1)?),
            Direction::Right => Place::new(row, column.checked_add(1)?),
        };
        self.contains(next).then_some(next)
    }

    /// Returns the free floes that a penguin on this place can slide to in a direction, nearest first.
    pub fn slide(&self, from: Place, direction: Direction) -> impl Iterator<Item = Place> + '_ {
        let reached = std::iter::successors(self.next(from, direction), move |&place| self.next(place, direction));
        reached.take_while(|&place| matches!(self.get(place), Field::Floe(_)))
    }

    /// Returns all free floes that a penguin on this place can slide to.
    pub fn slides(&self, from: Place) -> impl Iterator<Item = Place> + '_ {
        Direction::ALL.into_iter().flat_map(move |direction| self.slide(from, direction))
    }

    /// Returns the places of the player's penguins, row by row.
    pub fn penguins(&self, player: Number) -> impl Iterator<Item = Place> + '_ {
        self.places().filter(move |&place| self.get(place) == Field::Penguin(player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_named_and_found_by_its_name() {
        for row in 0..100 {
            for column in 0..100 {
                let place = Place::new(row, column);
                assert_eq!(place.to_string().parse(), Ok(place));
            }
        }
        assert_eq!("AA3".parse(), Ok(Place::new(26, 2)));
        for text in ["", "b", "7", "b0", "b101", "cw1", "aaa1", "b-1", "b 7", "é7", "b7x"] {
            assert_eq!(text.parse::<Place>(), Err(NoPlace), "{text}");
        }
    }

    #[test]
    fn a_slide_ends_before_water_penguins_and_the_edge() {
        let mut board = Board::new(5, 5).unwrap();
        let player = |number| Field::Penguin(Number::new(number).unwrap());
        for place in board.places() {
            board.set(place, Field::Floe(1));
        }
        let middle = Place::new(2, 2);
        board.set(middle, player(1));
        board.set(Place::new(0, 2), Field::Water);
        board.set(Place::new(2, 1), player(2));
        board.set(Place::new(4, 2), player(1));
        let names = |direction| board.slide(middle, direction).map(|place| place.to_string()).collect::<Vec<_>>();
        assert_eq!(names(Direction::Up), ["b3"]);
        assert_eq!(names(Direction::Left), Vec::<String>::new());
        assert_eq!(names(Direction::Down), ["d3"]);
        assert_eq!(names(Direction::Right), ["c4", "c5"]);
        assert_eq!(board.slides(middle).count(), 4);
        assert_eq!(board.penguins(Number::new(1).unwrap()).count(), 2);
    }

    #[test]
    fn there_are_boards_of_1_to_100_rows_and_columns() {
        for (rows, columns, there_is) in
            [(0, 1, false), (1, 0, false), (1, 1, true), (100, 100, true), (101, 1, false), (1, 101, false)]
        {
            let board = Board::new(rows, columns);
            assert_eq!(board.is_some(), there_is);
            if let Some(board) = board {
                assert_eq!((board.rows(), board.columns(), board.places().count()), (rows, columns, rows * columns));
            }
        }
    }
}
