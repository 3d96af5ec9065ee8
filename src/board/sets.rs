//! Sets of tiles, vertices and edges as bit masks.

use std::fmt;

use super::ids::{Edge, Tile, Vertex};

/// Declares a set of identifiers: one bit for each.
macro_rules! id_set {
    ($(#[$doc:meta])* $name:ident of $id:ident in $bits:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name($bits);

        impl $name {
            /// The empty set.
            pub const EMPTY: Self = Self(0);

            /// The set of all identifiers of this kind.
            pub const FULL: Self = Self(<$bits>::MAX >> (<$bits>::BITS as usize - $id::COUNT));

            /// Returns the set with one more member.
            #[must_use]
            pub const fn with(self, id: $id) -> Self {
                Self(self.0 | 1 << id.0)
            }

            /// Returns the members of either set.
            ///
            /// The same as `|`, also in constants.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Returns the set if the condition holds, otherwise the empty set.
            #[must_use]
            #[inline(always)]
            pub fn masked(self, condition: bool) -> Self {
                Self(self.0 & $bits::from(condition).wrapping_neg())
            }

            /// Adds a member.
            pub const fn insert(&mut self, id: $id) {
                *self = self.with(id);
            }

            /// Returns whether the identifier is a member.
            #[must_use]
            pub const fn contains(self, id: $id) -> bool {
                self.0 >> id.0 & 1 == 1
            }

            /// Returns whether the set has no members.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns the number of members.
            #[must_use]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// Returns the set as bits: bit `i` is 1 if the identifier with number `i` is a member.
            #[must_use]
            pub const fn bits(self) -> $bits {
                self.0
            }

            /// Returns the member that has exactly `n` smaller members. Returns `None` if the set has at most `n` members.
            #[must_use]
            #[inline]
            pub const fn nth(self, n: u32) -> Option<$id> {
                let mut rest = self.0;
                let mut skipped = 0;
                while skipped < n && rest != 0 {
                    rest &= rest - 1;
                    skipped += 1;
                }
                #[expect(clippy::cast_possible_truncation, reason = "a bit index is below 128")]
                if rest == 0 { None } else { Some($id(rest.trailing_zeros() as u8)) }
            }

            /// Returns the same as [`Self::nth`], but faster if only a few identifiers are missing from the set.
            #[must_use]
            #[inline]
            pub fn nth_by_halving(self, n: u32) -> Option<$id> {
                let mut id = n;
                for missing in (Self::FULL - self).iter() {
                    id += u32::from(u32::from(missing.0) <= id);
                }
                $id::new(id.into())
            }

            /// Returns the members in ascending order.
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "halves of 128 bits, and a bit index below 128")]
            pub fn iter(self) -> impl Iterator<Item = $id> {
                // Iterates over two 64-bit halves: arithmetic on 128 bits takes twice as many instructions.
                let bits = u128::from(self.0);
                let (mut low, mut high) = (bits as u64, (bits >> 64) as u64);
                std::iter::from_fn(move || {
                    if low != 0 {
                        let lowest = low.trailing_zeros() as u8;
                        low &= low - 1;
                        return Some($id(lowest));
                    }
                    if high == 0 {
                        return None;
                    }
                    let lowest = 64 + high.trailing_zeros() as u8;
                    high &= high - 1;
                    Some($id(lowest))
                })
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        /// Set difference.
        impl std::ops::Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl FromIterator<$id> for $name {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                ids.into_iter().fold(Self::EMPTY, Self::with)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter().map(|id| id.0)).finish()
            }
        }
    };
}

id_set! {
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

id_set! {
    /// A set of vertices.
    ///
    /// ```
    /// use constructor::board::{Vertex, VertexSet};
    /// let corners: VertexSet = Vertex::all().filter(|vertex| vertex.edges().len() == 2).collect();
    /// assert_eq!(corners.len(), 18);
    /// ```
    VertexSet of Vertex in u64
}

id_set! {
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

impl VertexSet {
    /// Returns the vertices whose numbers are `step` greater than the members' numbers.
    ///
    /// Every member must have such a vertex.
    #[inline]
    pub(super) const fn shifted_up(self, step: u32) -> Self {
        Self(self.0 << step)
    }

    /// Returns the vertices whose numbers are `step` less than the members' numbers. Members with a number below `step` are dropped.
    #[inline]
    pub(super) const fn shifted_down(self, step: u32) -> Self {
        Self(self.0 >> step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations() {
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
