//! The three kinds of residence.

/// A kind of residence.
///
/// ```
/// use constructor::game::Residence;
/// assert_eq!(Residence::Basement.improved(), Some(Residence::House));
/// assert_eq!(Residence::Tower.improved(), None);
/// assert_eq!(Residence::Tower.points(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Residence {
    /// 1 point, yields 1.
    Basement,
    /// 2 points, yields 2.
    House,
    /// 3 points, yields 3.
    Tower,
}

impl Residence {
    /// How many kinds there are.
    pub const COUNT: usize = 3;

    /// All of them, each the improvement of the one before.
    pub const ALL: [Self; Self::COUNT] = [Self::Basement, Self::House, Self::Tower];

    /// Its place in that order, as an index into a table.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What it counts towards the win, 1 to 3.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }

    /// How many units its owner gets from a tile that yields, 1 to 3.
    #[must_use]
    pub const fn yields(self) -> u32 {
        self as u32 + 1
    }

    /// What it becomes when it is improved.
    #[must_use]
    pub const fn improved(self) -> Option<Self> {
        match self {
            Self::Basement => Some(Self::House),
            Self::House => Some(Self::Tower),
            Self::Tower => None,
        }
    }
}
