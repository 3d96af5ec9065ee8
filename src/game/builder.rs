//! The four builders.

/// A builder: one of the four players, 0 to 3 in turn order.
///
/// ```
/// use constructor::game::Builder;
/// assert_eq!(Builder::Yellow.next(), Builder::Blue);
/// assert_eq!(Builder::new(2), Some(Builder::Orange));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Builder {
    /// Builder 0.
    Blue,
    /// Builder 1.
    Red,
    /// Builder 2.
    Orange,
    /// Builder 3.
    Yellow,
}

impl Builder {
    /// The number of builders.
    pub const COUNT: usize = 4;

    /// All builders in turn order.
    pub const ALL: [Self; Self::COUNT] = [Self::Blue, Self::Red, Self::Orange, Self::Yellow];

    /// The builder who places each of the eight first basements, in order.
    pub const SETUP_ORDER: [Self; 2 * Self::COUNT] =
        [Self::Blue, Self::Red, Self::Orange, Self::Yellow, Self::Yellow, Self::Orange, Self::Red, Self::Blue];

    /// Returns the builder with this number, 0 to 3.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index)).copied()
    }

    /// Returns the builder's number, as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the builder whose turn comes next.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self.index() + 1) % Self::COUNT]
    }

    /// Returns the other three builders in turn order, from builder 0.
    ///
    /// ```
    /// use constructor::game::Builder;
    /// assert!(Builder::Red.others().eq([Builder::Blue, Builder::Orange, Builder::Yellow]));
    /// ```
    #[must_use]
    pub fn others(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(move |&other| other != self)
    }
}

/// A set of builders as a bit mask.
///
/// ```
/// use constructor::game::{Builder, BuilderSet};
/// let set = BuilderSet::of(|builder| [Builder::Yellow, Builder::Red].contains(&builder));
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.nth(0), Some(Builder::Red));
/// assert!(set.contains(Builder::Yellow) && !set.contains(Builder::Blue));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct BuilderSet(u8);

impl BuilderSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of builders for which the condition holds.
    ///
    /// ```
    /// use constructor::game::{Builder, BuilderSet};
    /// let first = BuilderSet::of(|builder| builder == Builder::Blue);
    /// assert_eq!(first.nth(0), Some(Builder::Blue));
    /// assert!(first.without(Builder::Blue).is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn of(condition: impl Fn(Builder) -> bool) -> Self {
        // Branchless, because branches on the condition are often mispredicted.
        Self(Builder::ALL.into_iter().fold(0, |set, builder| set | u8::from(condition(builder)) << builder.index()))
    }

    /// Returns the set without the builder.
    #[must_use]
    #[inline]
    pub const fn without(self, builder: Builder) -> Self {
        Self(self.0 & !(1 << builder.index()))
    }

    /// Returns whether the builder is a member.
    #[must_use]
    pub const fn contains(self, builder: Builder) -> bool {
        self.0 >> builder.index() & 1 == 1
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

    /// Returns the set as bits: bit `i` is 1 if builder `i` is a member.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the member that has exactly `n` members before it in turn order. Returns `None` if the set has at most `n` members.
    #[must_use]
    #[inline]
    pub fn nth(self, n: u32) -> Option<Builder> {
        let without_first = |set: u8| set & set.wrapping_sub(1);
        let second = without_first(self.0);
        let third = without_first(second);
        // A table lookup: the exit branch of a loop is mispredicted often.
        let from = [self.0, second, third, without_first(third)].get(n as usize).copied()?;
        Builder::ALL.get(from.trailing_zeros() as usize).copied()
    }

    /// Returns the members in turn order.
    pub fn iter(self) -> impl Iterator<Item = Builder> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = Builder::ALL.get(rest.trailing_zeros() as usize).copied();
            rest &= rest.wrapping_sub(1);
            first
        })
    }
}

impl std::ops::BitAnd for BuilderSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
