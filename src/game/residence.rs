//! The kinds of residence.

/// A kind of residence.
///
/// ```
/// use constructor::game::Residence;
/// assert_eq!(Residence::Basement.improved(), Some(Residence::House));
/// assert_eq!(Residence::Tower.improved(), None);
/// assert_eq!(Residence::Tower.points(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Residence {
    /// 1 point, 1 unit.
    Basement,
    /// 2 points, 2 units.
    House,
    /// 3 points, 3 units.
    Tower,
}

impl Residence {
    /// The number of kinds.
    pub const COUNT: usize = 3;

    /// All kinds, each the improvement of the one before.
    pub const ALL: [Self; Self::COUNT] = [Self::Basement, Self::House, Self::Tower];

    /// Returns the position in [`ALL`](Self::ALL), as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the points, 1 to 3.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }

    /// Returns the units that its owner gets when an adjacent tile produces, 1 to 3.
    #[must_use]
    pub const fn units(self) -> u32 {
        self as u32 + 1
    }

    /// Returns the kind that a residence of this kind becomes when it is improved.
    #[must_use]
    pub const fn improved(self) -> Option<Self> {
        match self {
            Self::Basement => Some(Self::House),
            Self::House => Some(Self::Tower),
            Self::Tower => None,
        }
    }
}
