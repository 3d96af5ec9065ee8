//! Identifiers of tiles, vertices and edges.

use std::fmt;

use thiserror::Error;

/// The error for a number that is out of range for a tile, vertex, edge or roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{number} is not a {name}: the number must be less than {limit}")]
pub struct OutOfRange {
    pub(super) name: &'static str,
    pub(super) number: u8,
    pub(super) limit: u8,
}

/// Declares an identifier: a number below a limit, checked when it is constructed.
macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident, $count:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
        pub struct $name(pub(super) u8);

        impl $name {
            /// The number of places of this kind on the board.
            pub const COUNT: usize = $count;

            /// Returns the identifier with this number, if the number is in range.
            #[must_use]
            pub const fn new(number: i64) -> Option<Self> {
                if 0 <= number && number < $count {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
                    Some(Self(number as u8))
                } else {
                    None
                }
            }

            /// Returns the number as an array index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the number that the board shows.
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0
            }

            /// Returns all identifiers of this kind, in ascending order.
            pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
                (0..$count as u8).map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", stringify!($name), self.0)
            }
        }

        impl TryFrom<u8> for $name {
            type Error = OutOfRange;

            fn try_from(number: u8) -> Result<Self, OutOfRange> {
                Self::new(number.into()).ok_or(OutOfRange { name: stringify!($name), number, limit: $count })
            }
        }

        impl From<$name> for u8 {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

id_type! {
    /// A tile, 0 to 18, numbered in reading order.
    ///
    /// ```
    /// use constructor::board::Tile;
    /// assert_eq!(Tile::new(18).map(Tile::index), Some(18));
    /// assert_eq!(Tile::new(19), None);
    /// ```
    Tile, 19
}

id_type! {
    /// A corner of a tile, 0 to 53, where a residence can stand.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// assert_eq!(Vertex::all().len(), 54);
    /// assert_eq!(Vertex::new(-1), None);
    /// ```
    Vertex, 54
}

id_type! {
    /// A side of a tile, 0 to 71, where a road can run.
    ///
    /// ```
    /// use constructor::board::Edge;
    /// assert_eq!(Edge::new(71).map(|edge| edge.to_string()), Some("71".to_owned()));
    /// assert_eq!(Edge::new(72), None);
    /// ```
    Edge, 72
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_checked_when_constructed() {
        for number in [-1, 54, 255, 256, i64::MIN, i64::MAX] {
            assert_eq!(Vertex::new(number), None, "{number}");
        }
        for vertex in Vertex::all() {
            assert_eq!(Vertex::new(i64::from(vertex.number())), Some(vertex));
        }
    }
}
