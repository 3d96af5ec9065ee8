//! The places at which the player can act now, and how the arrow keys move between them.

use crate::board::{Edge, Tile, Vertex};
use crate::game::Game;
use crate::guide::{self, BuildMode};
use crate::session::Pending;
use crate::text::{COMPACT_BOARD, Place};

/// The places at which the player can act.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// The places in reading order, each with whether the player has the resources to act there.
    places: Vec<(Place, bool)>,
}

impl Targets {
    /// Returns the places at which the builder who decides can act.
    #[must_use]
    pub fn of(game: &Game, pending: Pending, tool: BuildMode) -> Self {
        let mut places = guide::places(game, pending, tool);
        places.sort_by_key(|&(place, _)| reading_order(place));
        Self { places }
    }

    /// Returns whether there are no places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the places in reading order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Place> + DoubleEndedIterator {
        self.places.iter().map(|&(place, _)| place)
    }

    /// Returns whether the player has the resources to act at any of the places.
    #[must_use]
    pub fn is_any_affordable(&self) -> bool {
        self.places.iter().any(|&(_, affordability)| affordability)
    }

    /// Returns whether the player has the resources to act at the place. Returns `None` if the place is not a target.
    #[must_use]
    #[inline(never)]
    pub fn affordability(&self, place: Place) -> Option<bool> {
        self.places.iter().find(|(other, _)| *other == place).map(|&(_, affordable)| affordable)
    }

    /// Returns the target `step` places after `from` in reading order. The first target follows the last.
    #[must_use]
    pub fn cycle(&self, from: Option<Place>, step: isize) -> Option<Place> {
        let at = from.and_then(|from| self.places.iter().position(|&(place, _)| place == from));
        let count = self.places.len();
        if count == 0 {
            return None;
        }
        let next = match at {
            Some(at) => at.checked_add_signed(step).unwrap_or(count - 1) % count,
            None => 0,
        };
        self.places.get(next).map(|&(place, _)| place)
    }

    /// Returns the place to which an arrow key moves: the nearest in its direction.
    ///
    /// If the arrow keys could not reach every place in this way, the left and right keys step through all places in reading order.
    #[must_use]
    pub fn move_from(&self, from: Place, direction: Direction) -> Option<Place> {
        let nearest = |from: Place, direction| nearest(from, direction, self.iter());
        if direction.is_horizontal() && !self.all_are_reached(nearest) {
            return self.cycle(Some(from), if direction == Direction::Left { -1 } else { 1 });
        }
        nearest(from, direction)
    }

    /// Returns whether every place can be reached from every other by these moves.
    fn all_are_reached(&self, next: impl Fn(Place, Direction) -> Option<Place>) -> bool {
        let places: Vec<Place> = self.iter().collect();
        let index = |place| places.iter().position(|&other| other == place);
        let mut moves = Vec::new();
        for (at, &place) in places.iter().enumerate() {
            let reached = Direction::ALL.into_iter().filter_map(|direction| index(next(place, direction)?));
            moves.extend(reached.map(|to| (at, to)));
        }
        let reaches_all = |moves: &[(usize, usize)]| {
            let mut reached = vec![false; places.len()];
            let mut left: Vec<usize> = vec![0];
            while let Some(at) = left.pop() {
                if let Some(seen) = reached.get_mut(at).filter(|seen| !**seen) {
                    *seen = true;
                    left.extend(moves.iter().filter(|(from, _)| *from == at).map(|&(_, to)| to));
                }
            }
            reached.iter().all(|&seen| seen)
        };
        let reversed: Vec<_> = moves.iter().map(|&(from, to)| (to, from)).collect();
        reaches_all(&moves) && reaches_all(&reversed)
    }
}

/// A direction of an arrow key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

impl Direction {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    const fn is_horizontal(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

/// Returns the middle of a place, in half columns from the left and quarter rows from the top. A half column is about as long as a quarter
/// row.
fn position(place: Place) -> (i32, i32) {
    let slot = match place {
        // In the middle of the tile.
        Place::Tile(tile) => COMPACT_BOARD.values[tile.index()],
        _ => COMPACT_BOARD.slot(place),
    };
    let (row, column) = slot.position();
    (i32::from(2 * column + slot.width()), 4 * i32::from(row))
}

fn reading_order(place: Place) -> (i32, i32) {
    let (x, y) = position(place);
    (y, x)
}

/// Returns the nearest place in a direction. Places that lie more in that direction than sideways are preferred.
fn nearest(from: Place, direction: Direction, places: impl Iterator<Item = Place>) -> Option<Place> {
    let (from_x, from_y) = position(from);
    let distance = |place: Place| {
        let (x, y) = position(place);
        let (x, y) = (x - from_x, y - from_y);
        let (along, across) = match direction {
            Direction::Left => (-x, y.abs()),
            Direction::Right => (x, y.abs()),
            Direction::Up => (-y, x.abs()),
            Direction::Down => (y, x.abs()),
        };
        (along > 0).then_some((across > along, along * along + 2 * across * across))
    };
    let candidates = places.filter_map(|place| Some((distance(place)?, place)));
    candidates.min_by_key(|&(distance, place)| (distance, reading_order(place))).map(|(_, place)| place)
}

/// Returns every place of the board.
pub fn all_places() -> impl Iterator<Item = Place> {
    let tiles = Tile::all().map(Place::Tile);
    tiles.chain(Vertex::all().map(Place::Vertex)).chain(Edge::all().map(Place::Edge))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng;

    /// Returns the number of places that the arrow keys reach from the first place.
    fn reached(targets: &Targets) -> usize {
        let mut found: Vec<Place> = targets.iter().next().into_iter().collect();
        let mut at = 0;
        while let Some(&place) = found.get(at) {
            for next in Direction::ALL.into_iter().filter_map(|direction| targets.move_from(place, direction)) {
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found.len()
    }

    #[test]
    fn arrows_reach_every_place() {
        let mut rng = rng::from_seed(5);
        let all: Vec<Place> = all_places().collect();
        for _ in 0..20 {
            let share = rng.random_range(0.02..1.0);
            let kind = rng.random_range(0..4);
            let is_kind = |place: &Place| match kind {
                0 => matches!(place, Place::Tile(_)),
                1 => matches!(place, Place::Vertex(_)),
                2 => matches!(place, Place::Edge(_)),
                _ => !matches!(place, Place::Tile(_)),
            };
            let mut places: Vec<_> = all.iter().filter(|place| is_kind(place)).map(|&place| (place, true)).collect();
            places.retain(|_| rng.random_bool(share));
            places.sort_by_key(|&(place, _)| reading_order(place));
            // The places are rotated, so that different ones are the first.
            for _ in 0..places.len().min(8) {
                let targets = Targets { places: places.clone() };
                assert_eq!(reached(&targets), places.len(), "{places:?}");
                places.rotate_left(1);
            }
        }
    }

    #[test]
    fn tab_goes_through_all_places_in_reading_order() {
        let places =
            [7, 0, 30].map(|number| (Place::Vertex(Vertex::new(number).unwrap_or_else(|| unreachable!())), true));
        let mut places = places.to_vec();
        places.sort_by_key(|&(place, _)| reading_order(place));
        let targets = Targets { places };
        let numbers = |step| {
            let mut at = None;
            (0..4)
                .map(|_| {
                    at = targets.cycle(at, step);
                    match at {
                        Some(Place::Vertex(vertex)) => vertex.number(),
                        _ => 99,
                    }
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), [0, 7, 30, 0]);
        assert_eq!(numbers(-1), [0, 30, 7, 0]);
        assert_eq!(Targets::default().cycle(None, 1), None);
    }
}
