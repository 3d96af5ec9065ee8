//! The four builders.

/// A builder, 0 to 3, in the order of the turns.
///
/// ```
/// use constructor::game::Builder;
/// assert_eq!(Builder::Yellow.next(), Builder::Blue);
/// assert_eq!(Builder::new(2), Some(Builder::Orange));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    /// How many play.
    pub const COUNT: usize = 4;

    /// All of them, in the order of the turns.
    pub const ALL: [Self; Self::COUNT] = [Self::Blue, Self::Red, Self::Orange, Self::Yellow];

    /// Who places each of the eight first basements.
    pub const SETUP_ORDER: [Self; 2 * Self::COUNT] =
        [Self::Blue, Self::Red, Self::Orange, Self::Yellow, Self::Yellow, Self::Orange, Self::Red, Self::Blue];

    /// The builder with this number, 0 to 3.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        usize::try_from(number).ok().and_then(|index| Self::ALL.get(index)).copied()
    }

    /// The builder's number, as an index into a table.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose turn comes after this one's.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self.index() + 1) % Self::COUNT]
    }
}

/// A set of builders: one bit for each.
///
/// ```
/// use constructor::game::{Builder, BuilderSet};
/// let set: BuilderSet = [Builder::Yellow, Builder::Red].into_iter().collect();
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.nth(0), Some(Builder::Red));
/// assert!(set.contains(Builder::Yellow) && !set.contains(Builder::Blue));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct BuilderSet(u8);

impl BuilderSet {
    /// The set of none.
    pub const EMPTY: Self = Self(0);

    /// The set of those for whom the condition holds.
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
        // Without a jump for each of them, which would often be foreseen wrongly.
        Self(Builder::ALL.into_iter().fold(0, |set, builder| set | u8::from(condition(builder)) << builder.index()))
    }

    /// This set without the builder.
    #[must_use]
    #[inline]
    pub const fn without(self, builder: Builder) -> Self {
        Self(self.0 & !(1 << builder.index()))
    }

    /// Whether the builder is in the set.
    #[must_use]
    pub const fn contains(self, builder: Builder) -> bool {
        self.0 >> builder.index() & 1 == 1
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

    /// The builder who comes after `number` others in the order of the turns, if there are so many.
    #[must_use]
    #[inline]
    pub fn nth(self, number: u32) -> Option<Builder> {
        let without_first = |set: u8| set & set.wrapping_sub(1);
        let second = without_first(self.0);
        let third = without_first(second);
        // A table rather than a loop, which would end now here, now there.
        let from = [self.0, second, third, without_first(third)].get(number as usize).copied()?;
        Builder::ALL.get(from.trailing_zeros() as usize).copied()
    }

    /// One of them, unless there are none. When there are several, `choose` is asked for a number below their number.
    #[must_use]
    #[inline]
    pub fn pick(self, choose: impl FnOnce(u32) -> u32) -> Option<Builder> {
        self.nth(if self.len() > 1 { choose(self.len()) } else { 0 })
    }

    /// Those in the set, in the order of the turns.
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

impl FromIterator<Builder> for BuilderSet {
    fn from_iter<I: IntoIterator<Item = Builder>>(builders: I) -> Self {
        Self(builders.into_iter().fold(0, |set, builder| set | 1 << builder.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_whoever_was_put_into_it() {
        let builders = [Builder::Yellow, Builder::Red, Builder::Yellow];
        let set: BuilderSet = builders.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Builder::Red, Builder::Yellow]);
        assert_eq!(set.len(), 2);
    }
}
