//! The numbers of the rules, and where one edition's rules differ from another's.

/// What things cost.
pub mod cost {
    use crate::game::{Hand, Residence};

    /// 1 heat and 1 WiFi.
    pub const ROAD: Hand = Hand::new([0, 0, 0, 1, 1]);

    /// What it costs to build a basement, or to improve a residence into this kind.
    ///
    /// ```
    /// use constructor::game::{Hand, Residence, cost};
    /// assert_eq!(cost::residence(Residence::Tower), Hand::new([3, 2, 2, 2, 1]));
    /// ```
    #[must_use]
    pub const fn residence(kind: Residence) -> Hand {
        match kind {
            Residence::Basement => Hand::new([1, 1, 1, 0, 1]),
            Residence::House => Hand::new([0, 0, 2, 3, 0]),
            Residence::Tower => Hand::new([3, 2, 2, 2, 1]),
        }
    }
}

/// A builder with this many points wins at once.
pub const WINNING_POINTS: u32 = 10;

/// A builder who holds this many resources when a 7 is rolled loses half of them.
pub const GREED_LIMIT: u32 = 10;

/// The few rules in which editions differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Whether the geese are on the park in a new game; otherwise they are off the board until the first 7.
    pub geese_start_on_park: bool,
    /// Whether a road stops at a vertex where another builder's residence stands.
    pub residences_stop_roads: bool,
}
