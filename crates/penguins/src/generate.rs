//! Random boards.

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use constructor_common::rng::{below, from_seed};

use crate::board::{Board, Direction, Field, MAX_SIDE, Place};

/// The shape of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// An island: a third of all fields are water, at the border.
    Island,
    /// No water.
    Full,
}

/// The specification of a random board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardSpec {
    /// The number of rows, 1 to 100.
    pub rows: usize,
    /// The number of columns, 1 to 100.
    pub columns: usize,
    /// The number of penguins of all players together.
    pub penguins: usize,
    /// The shape.
    pub shape: Shape,
}

/// Why a board cannot be generated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GenerateError {
    /// The size is out of range.
    #[error("expected 1 to {MAX_SIDE} rows and columns, found {0} x {1}")]
    Size(usize, usize),
    /// There are fewer than two floes with one fish for each penguin.
    #[error("{penguins} penguins need {} floes with one fish, but there are only {floes} floes", 2 * penguins)]
    Small {
        /// The number of penguins.
        penguins: usize,
        /// The number of floes of the board.
        floes: usize,
    },
}

/// The number of floes with one fish, and with two fish, among every six floes; the other floes have three fish. (The board game has 30
/// tiles with one fish, 20 with two, and 10 with three.)
const ONE_OF_SIX: u32 = 3;
const TWO_OF_SIX: u32 = 2;

/// Generates a random board with at least two floes of one fish for each penguin.
///
/// An island is connected: floes at the shore of a full board melt until a third is gone.
///
/// ```
/// use penguins::board::{Field, Place};
/// use penguins::generate::{Shape, BoardSpec, generate};
/// let spec = BoardSpec { rows: 8, columns: 8, penguins: 6, shape: Shape::Island };
/// let board = generate(spec, 1).unwrap();
/// let water = board.places().filter(|&place| board.get(place) == Field::Water).count();
/// assert_eq!(water, 21);
/// assert_eq!(board, generate(spec, 1).unwrap());
/// ```
///
/// # Errors
/// When the size is out of range, or there are too many penguins for it.
pub fn generate(spec: BoardSpec, seed: u64) -> Result<Board, GenerateError> {
    let BoardSpec { rows, columns, penguins, shape } = spec;
    let mut board = Board::new(rows, columns).ok_or(GenerateError::Size(rows, columns))?;
    let fields = rows * columns;
    let water = match shape {
        Shape::Island => fields / 3,
        Shape::Full => 0,
    };
    let floes = fields - water;
    if 2 * penguins > floes {
        return Err(GenerateError::Small { penguins, floes });
    }
    let random = &mut from_seed(seed);
    for place in board.places() {
        board.set(place, Field::Floe(1));
    }
    for _ in 0..water {
        melt(&mut board, random);
    }
    let mut places: Vec<Place> = board.places().filter(|&place| board.get(place) != Field::Water).collect();
    constructor_common::rng::shuffle(random, &mut places);
    for &place in &places[2 * penguins..] {
        let fish = match below(random, 6) {
            drawn if drawn < ONE_OF_SIX => 1,
            drawn if drawn < ONE_OF_SIX + TWO_OF_SIX => 2,
            _ => 3,
        };
        board.set(place, Field::Floe(fish));
    }
    Ok(board)
}

/// Melts a random floe at the shore such that the other floes stay connected. A floe with more water around it is more likely to melt.
fn melt(board: &mut Board, random: &mut ChaCha8Rng) {
    let is_floe = |board: &Board, place: Option<Place>| place.is_some_and(|place| board.get(place) != Field::Water);
    let mut shore: Vec<Place> = Vec::new();
    for place in board.places().filter(|&place| board.get(place) != Field::Water) {
        let water = Direction::ALL.into_iter().filter(|&way| !is_floe(board, board.next(place, way))).count();
        shore.extend(std::iter::repeat_n(place, water * water));
    }
    while !shore.is_empty() {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a board has at most 10,000 fields, and each counts at most 16 times"
        )]
        let place = shore[below(random, shore.len() as u32) as usize];
        if keeps_together(board, place) {
            board.set(place, Field::Water);
            return;
        }
        shore.retain(|&other| other != place);
    }
}

/// Returns whether the neighbouring floes stay connected without this floe. They do if water changes to ice at most once on the way around
/// the floe.
fn keeps_together(board: &Board, Place { row, column }: Place) -> bool {
    const AROUND: [(i16, i16); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
    let is_floe = AROUND.map(|(down, right)| {
        let at = (u8::try_from(i16::from(row) + down), u8::try_from(i16::from(column) + right));
        matches!(at, (Ok(row), Ok(column)) if board.get(Place::new(row, column)) != Field::Water)
    });
    let corner_counts = |at: usize| is_floe[at] && (at % 2 == 1 || is_floe[(at + 7) % 8] && is_floe[(at + 1) % 8]);
    let begins = (0..8).filter(|&at| corner_counts(at) && !corner_counts((at + 7) % 8)).count();
    let sides = (1..8).step_by(2).filter(|&at| is_floe[at]).count();
    begins == 1 || (begins == 0 && sides == 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(board: &Board) -> usize {
        let mut seen = Vec::new();
        let mut pieces = 0;
        for place in board.places().filter(|&place| board.get(place) != Field::Water) {
            if seen.contains(&place) {
                continue;
            }
            pieces += 1;
            let mut open = vec![place];
            while let Some(place) = open.pop() {
                if !seen.contains(&place) {
                    seen.push(place);
                    let next = Direction::ALL.into_iter().filter_map(|way| board.next(place, way));
                    open.extend(next.filter(|&next| board.get(next) != Field::Water));
                }
            }
        }
        pieces
    }

    #[test]
    fn boards_are_as_wanted() {
        for shape in [Shape::Island, Shape::Full] {
            for (rows, columns, penguins) in
                [(1, 1, 0), (1, 9, 2), (2, 2, 1), (3, 3, 3), (8, 8, 18), (16, 14, 9), (19, 18, 6)]
            {
                for seed in 0..20 {
                    let board = generate(BoardSpec { rows, columns, penguins, shape }, seed).unwrap();
                    let count = |field| board.places().filter(|&place| board.get(place) == field).count();
                    let water = if shape == Shape::Island { rows * columns / 3 } else { 0 };
                    assert_eq!(count(Field::Water), water);
                    assert!(count(Field::Floe(1)) >= 2 * penguins);
                    assert_eq!((1..=3).map(|fish| count(Field::Floe(fish))).sum::<usize>(), rows * columns - water);
                    assert_eq!(pieces(&board), 1, "{rows} x {columns}, {seed}");
                }
            }
        }
    }

    #[test]
    fn boards_without_room_are_refused() {
        let spec = |rows, columns, penguins, shape| generate(BoardSpec { rows, columns, penguins, shape }, 0).map(drop);
        assert_eq!(spec(0, 3, 0, Shape::Full), Err(GenerateError::Size(0, 3)));
        assert_eq!(spec(3, 101, 0, Shape::Full), Err(GenerateError::Size(3, 101)));
        assert_eq!(spec(3, 3, 5, Shape::Full), Err(GenerateError::Small { penguins: 5, floes: 9 }));
        assert_eq!(spec(3, 3, 4, Shape::Island), Err(GenerateError::Small { penguins: 4, floes: 6 }));
        assert_eq!(spec(3, 3, 4, Shape::Full), Ok(()));
        assert_eq!(spec(3, 3, 3, Shape::Island), Ok(()));
    }
}
