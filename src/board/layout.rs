//! What each tile yields, and when.

use super::place::Tile;

/// One of the five kinds of material that builders hold, pay and trade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    /// Brick, code 0.
    Brick,
    /// Energy, code 1.
    Energy,
    /// Glass, code 2.
    Glass,
    /// Heat, code 3.
    Heat,
    /// WiFi, code 4.
    Wifi,
}

impl Resource {
    /// How many kinds there are.
    pub const COUNT: usize = 5;

    /// All of them, in the order in which they are always listed.
    pub const ALL: [Self; Self::COUNT] = [Self::Brick, Self::Energy, Self::Glass, Self::Heat, Self::Wifi];

    /// Its place in that order, which is its code in a layout too.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The sum of two dice, 2 to 12; also the value of a tile, which yields when that sum is rolled.
///
/// ```
/// use constructor::board::Roll;
/// assert_eq!(Roll::new(12).map(Roll::value), Some(12));
/// assert_eq!(Roll::new(1), None);
/// assert!(Roll::new(7).unwrap().moves_geese());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll(u8);

impl Roll {
    /// The roll of this sum, if two dice can show it.
    #[must_use]
    pub const fn new(sum: i64) -> Option<Self> {
        if 2 <= sum && sum <= 12 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
            Some(Self(sum as u8))
        } else {
            None
        }
    }

    /// All of them, from 2 to 12.
    pub fn all() -> impl Iterator<Item = Self> {
        (2..=12).map(Self)
    }

    /// The roll of two dice, each of which shows 0 to 5 pips more than one.
    ///
    /// # Panics
    /// When a die would show more than six pips.
    #[must_use]
    pub const fn of_dice(first: u8, second: u8) -> Self {
        assert!(first < 6 && second < 6, "a die has six sides");
        Self(first + second + 2)
    }

    /// The sum, 2 to 12.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }

    /// How likely two fair dice are to show this sum, 1/36 to 6/36.
    ///
    /// ```
    /// use constructor::board::Roll;
    /// assert_eq!(Roll::new(7).unwrap().probability(), 6.0 / 36.0);
    /// assert_eq!(Roll::new(12).unwrap().probability(), 1.0 / 36.0);
    /// ```
    #[must_use]
    pub fn probability(self) -> f64 {
        f64::from(6 - self.0.abs_diff(7)) / 36.0
    }

    /// Whether the sum is 7, on which no tile yields and the geese move.
    #[must_use]
    pub const fn moves_geese(self) -> bool {
        self.0 == 7
    }
}

/// What stands on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// It yields this resource when its value is rolled.
    Yields(Resource, Roll),
    /// It yields nothing, and the geese like it.
    Park,
}

/// What stands on each of the 19 tiles.
///
/// ```
/// use constructor::board::{Ground, Layout, Resource, Roll, Tile};
/// let twelve = Roll::new(12).unwrap();
/// let mut ground = [Ground::Yields(Resource::Wifi, twelve); Tile::COUNT];
/// ground[5] = Ground::Park;
/// let layout = Layout::new(ground);
/// assert_eq!(layout.park(), Tile::new(5));
/// assert_eq!(layout[Tile::new(0).unwrap()], Ground::Yields(Resource::Wifi, twelve));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout([Ground; Tile::COUNT]);

impl Layout {
    /// The layout with this on its tiles, in the order of their numbers. Any mix is allowed.
    #[must_use]
    pub const fn new(ground: [Ground; Tile::COUNT]) -> Self {
        Self(ground)
    }

    /// The park, where the geese start; with several parks the one with the lowest number.
    #[must_use]
    pub fn park(&self) -> Option<Tile> {
        Tile::all().find(|&tile| self[tile] == Ground::Park)
    }
}

impl std::ops::Index<Tile> for Layout {
    type Output = Ground;

    fn index(&self, tile: Tile) -> &Ground {
        &self.0[tile.index()]
    }
}
