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
