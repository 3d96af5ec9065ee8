//! Random boards.

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use constructor_common::rng::{below, from_seed};

use crate::board::{Board, Direction, Field, LONGEST, Place};

/// What the board of a game is like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Water around it, a third of all fields.
    Island,
    /// No water.
    Full,
}

/// What is wanted of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many rows, 1 to 100.
    pub rows: usize,
    /// How many columns, 1 to 100.
    pub columns: usize,
    /// How many penguins all players have together.
    pub penguins: usize,
    /// What it is like.
    pub shape: Shape,
}

/// Why there is no such board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoBoard {
    /// Boards are smaller or larger.
    #[error("a board has 1 to {LONGEST} rows and columns, and not {0} x {1}")]
    Size(usize, usize),
    /// Every penguin should have two floes to choose from.
    #[error("{penguins} penguins need {} floes with one fish, and there are {floes} floes", 2 * penguins)]
    Small {
        /// How many penguins there are.
        penguins: usize,
        /// How many floes there would be.
        floes: usize,
    },
}

/// How many of six floes have one fish and two fish; the others have three. (The tiles of the board game are 30, 20 and 10.)
const ONE_OF_SIX: u32 = 3;
const TWO_OF_SIX: u32 = 2;

/// A random board, with at least two floes of one fish for each penguin. An island is one piece: a board that lost floes at its
/// shore until a third was gone.
///
/// ```
/// use penguins::board::{Field, Place};
/// use penguins::generate::{Shape, Wanted, generate};
/// let wanted = Wanted { rows: 8, columns: 8, penguins: 6, shape: Shape::Island };
/// let board = generate(wanted, 1).unwrap();
/// let water = board.places().filter(|&place| board.get(place) == Field::Water).count();
/// assert_eq!(water, 21);
/// assert_eq!(board, generate(wanted, 1).unwrap());
/// ```
///
/// # Errors
/// When there is no board of that size, or too little room on it.
pub fn generate(wanted: Wanted, seed: u64) -> Result<Board, NoBoard> {
    let Wanted { rows, columns, penguins, shape } = wanted;
    let mut board = Board::new(rows, columns).ok_or(NoBoard::Size(rows, columns))?;
    let fields = rows * columns;
    let water = match shape {
        Shape::Island => fields / 3,
        Shape::Full => 0,
    };
    let floes = fields - water;
    if 2 * penguins > floes {
        return Err(NoBoard::Small { penguins, floes });
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

/// Takes a floe away at the shore, the more likely the more water is around it, so that what is left stays in one piece.
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

/// Whether the floes around this one are one piece without it: whether going around it one comes from water to ice at most once.
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
                    let board = generate(Wanted { rows, columns, penguins, shape }, seed).unwrap();
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
        let wanted = |rows, columns, penguins, shape| generate(Wanted { rows, columns, penguins, shape }, 0).map(drop);
        assert_eq!(wanted(0, 3, 0, Shape::Full), Err(NoBoard::Size(0, 3)));
        assert_eq!(wanted(3, 101, 0, Shape::Full), Err(NoBoard::Size(3, 101)));
        assert_eq!(wanted(3, 3, 5, Shape::Full), Err(NoBoard::Small { penguins: 5, floes: 9 }));
        assert_eq!(wanted(3, 3, 4, Shape::Island), Err(NoBoard::Small { penguins: 4, floes: 6 }));
        assert_eq!(wanted(3, 3, 4, Shape::Full), Ok(()));
        assert_eq!(wanted(3, 3, 3, Shape::Island), Ok(()));
    }
}
