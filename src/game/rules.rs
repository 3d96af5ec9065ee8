//! Costs, limits, and the rules in which editions differ.

/// Costs of buildings.
pub mod cost {
    use crate::game::{Hand, Residence};

    /// A road: 1 heat and 1 WiFi.
    pub const ROAD: Hand = Hand::new([0, 0, 0, 1, 1]);

    /// Returns the cost of a basement, or of improving a residence to this kind.
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

/// A builder who holds at least this many units when a 7 is rolled loses half of them.
pub const DISCARD_LIMIT: u32 = 10;

/// Returns the number of units that a builder with `held` units loses on a 7: half of them, rounded down, if there are at least
/// [`DISCARD_LIMIT`]; otherwise none.
///
/// ```
/// use constructor::game::lost_on_seven;
/// assert_eq!([0, 9, 10, 11].map(lost_on_seven), [0, 0, 5, 5]);
/// ```
#[must_use]
#[inline]
pub const fn lost_on_seven(held: u32) -> u32 {
    if held >= DISCARD_LIMIT { held / 2 } else { 0 }
}

/// The rules in which editions differ.
///
/// ```
/// use constructor::game::Rules;
/// let house_rules = Rules { second_basement_produces: true, ..Rules::default() };
/// assert!(house_rules.geese_start_on_park);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// Whether the geese start on the park; otherwise they are off the board until the first 7.
    pub geese_start_on_park: bool,
    /// Whether a builder's roads cannot continue past another builder's residence.
    pub residences_stop_roads: bool,
    /// Whether placing the second basement of the setup gives one unit of each adjacent tile's resource.
    pub second_basement_produces: bool,
}

/// The rules of Constructor, Fall 2020 and Spring 2021.
impl Default for Rules {
    fn default() -> Self {
        Self { geese_start_on_park: true, residences_stop_roads: true, second_basement_produces: false }
    }
}
