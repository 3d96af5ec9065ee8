//! The places of the board by number, and sets of them.

use std::fmt;

/// Declares a kind of place: a number below a limit, checked once when it is made.
macro_rules! place {
    ($(#[$doc:meta])* $name:ident, $count:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            /// How many there are.
            pub const COUNT: usize = $count;

            /// The place with this number, if there is one.
            #[must_use]
            pub const fn new(number: i64) -> Option<Self> {
                if 0 <= number && number < $count {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
                    Some(Self(number as u8))
                } else {
                    None
                }
            }

            /// Its number, as an index into a table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Its number, as a file or a drawing shows it.
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0
            }

            /// All of them, in the order of their numbers.
            pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
                (0..$count as u8).map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", stringify!($name), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

place! {
    /// A tile, 0 to 18, counted from the top left in reading order.
    ///
    /// ```
    /// use constructor::board::Tile;
    /// assert_eq!(Tile::new(18).map(Tile::index), Some(18));
    /// assert_eq!(Tile::new(19), None);
    /// ```
    Tile, 19
}

place! {
    /// A corner of a tile, 0 to 53, where a residence can stand.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// assert_eq!(Vertex::all().len(), 54);
    /// assert_eq!(Vertex::new(-1), None);
    /// ```
    Vertex, 54
}

place! {
    /// A side of a tile, 0 to 71, where a road can run.
    ///
    /// ```
    /// use constructor::board::Edge;
    /// assert_eq!(Edge::new(71).map(|edge| edge.to_string()), Some("71".to_owned()));
    /// assert_eq!(Edge::new(72), None);
    /// ```
    Edge, 72
}

/// Declares a set of places: one bit for each.
macro_rules! place_set {
    ($(#[$doc:meta])* $name:ident of $place:ident in $bits:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name($bits);

        impl $name {
            /// The set of none.
            pub const EMPTY: Self = Self(0);

            /// The set of all.
            pub const FULL: Self = Self(<$bits>::MAX >> (<$bits>::BITS as usize - $place::COUNT));

            /// This set and one more.
            #[must_use]
            pub const fn with(self, place: $place) -> Self {
                Self(self.0 | 1 << place.0)
            }

            /// Adds one.
            pub const fn insert(&mut self, place: $place) {
                *self = self.with(place);
            }

            /// Whether it is in the set.
            #[must_use]
            pub const fn contains(self, place: $place) -> bool {
                self.0 >> place.0 & 1 == 1
            }

            /// Whether there is none in the set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// How many there are in the set.
            #[must_use]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// The one that comes after `number` others in the order of their numbers, if there are so many.
            #[must_use]
            #[inline]
            pub const fn nth(self, number: u32) -> Option<$place> {
                let mut rest = self.0;
                let mut skipped = 0;
                while skipped < number && rest != 0 {
                    rest &= rest - 1;
                    skipped += 1;
                }
                #[expect(clippy::cast_possible_truncation, reason = "a bit's number is below 128")]
                if rest == 0 { None } else { Some($place(rest.trailing_zeros() as u8)) }
            }

            /// The same, quickly when there are few that are not in the set.
            #[must_use]
            #[inline]
            pub fn nth_of_most(self, number: u32) -> Option<$place> {
                let mut place = number;
                for missing in (Self::FULL - self).iter() {
                    place += u32::from(u32::from(missing.0) <= place);
                }
                $place::new(place.into())
            }

            /// Those in the set, in the order of their numbers.
            pub fn iter(self) -> impl Iterator<Item = $place> {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    if rest == 0 {
                        return None;
                    }
                    #[expect(clippy::cast_possible_truncation, reason = "a bit's number is below 128")]
                    let lowest = rest.trailing_zeros() as u8;
                    rest &= rest - 1;
                    Some($place(lowest))
                })
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        /// What is in the first set and not in the second.
        impl std::ops::Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl FromIterator<$place> for $name {
            fn from_iter<I: IntoIterator<Item = $place>>(places: I) -> Self {
                places.into_iter().fold(Self::EMPTY, Self::with)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter().map(|place| place.0)).finish()
            }
        }
    };
}

place_set! {
    /// A set of tiles.
    ///
    /// ```
    /// use constructor::board::{Tile, TileSet};
    /// let others = TileSet::FULL - TileSet::EMPTY.with(Tile::new(0).unwrap());
    /// assert_eq!(others.nth(0), Tile::new(1));
    /// assert_eq!(others.nth(18), None);
    /// ```
    TileSet of Tile in u32
}

place_set! {
    /// A set of vertices.
    ///
    /// ```
    /// use constructor::board::{Vertex, VertexSet};
    /// let corners: VertexSet = Vertex::all().filter(|vertex| vertex.edges().len() == 2).collect();
    /// assert_eq!(corners.len(), 18);
    /// ```
    VertexSet of Vertex in u64
}

place_set! {
    /// A set of edges.
    ///
    /// ```
    /// use constructor::board::{Edge, EdgeSet};
    /// let roads: EdgeSet = [0, 71].into_iter().filter_map(Edge::new).collect();
    /// assert!(roads.contains(Edge::new(71).unwrap()));
    /// assert_eq!((EdgeSet::FULL - roads).len(), 70);
    /// ```
    EdgeSet of Edge in u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_made_from_its_number_only() {
        for number in [-1, 54, 255, 256, i64::MIN, i64::MAX] {
            assert_eq!(Vertex::new(number), None, "{number}");
        }
        for vertex in Vertex::all() {
            assert_eq!(Vertex::new(i64::from(vertex.number())), Some(vertex));
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set = EdgeSet::EMPTY;
        assert!(set.is_empty());
        for number in [71, 0, 63, 64, 0] {
            set.insert(Edge::new(number).unwrap());
        }
        assert_eq!(set.len(), 4);
        assert_eq!(format!("{set:?}"), "{0, 63, 64, 71}");
        assert_eq!(EdgeSet::FULL.len(), 72);
        assert_eq!(VertexSet::FULL.iter().count(), 54);
        assert!((set - set).is_empty());
        assert_eq!(set & EdgeSet::FULL, set);
        let numbers: Vec<_> = (0..5).map(|number| set.nth(number).map(Edge::number)).collect();
        assert_eq!(numbers, [Some(0), Some(63), Some(64), Some(71), None]);
        assert_eq!(set | EdgeSet::FULL, EdgeSet::FULL);
    }
}
