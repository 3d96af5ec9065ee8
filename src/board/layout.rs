//! Layouts: the terrain of each tile.

use super::ids::{OutOfRange, Tile, Vertex};

/// A resource, which builders hold, pay and trade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
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
    /// The number of resources.
    pub const COUNT: usize = 5;

    /// All resources in the order of their codes. Resources are always listed in this order.
    pub const ALL: [Self; Self::COUNT] = [Self::Brick, Self::Energy, Self::Glass, Self::Heat, Self::Wifi];

    /// Returns the resource's code in layouts, 0 to 4, as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The sum of two dice, 2 to 12. Also used for the value of a tile: the sum on which the tile produces.
///
/// ```
/// use constructor::board::Roll;
/// assert_eq!(Roll::new(12).map(Roll::value), Some(12));
/// assert_eq!(Roll::new(1), None);
/// assert!(Roll::new(7).unwrap().is_seven());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
pub struct Roll(u8);

impl Roll {
    /// The number of different sums.
    pub const COUNT: usize = 11;

    /// Returns the roll with this sum. Returns `None` if two dice cannot have this sum.
    #[must_use]
    pub const fn new(sum: i64) -> Option<Self> {
        if 2 <= sum && sum <= 12 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
            Some(Self(sum as u8))
        } else {
            None
        }
    }

    /// Returns all rolls, from 2 to 12.
    pub fn all() -> impl Iterator<Item = Self> {
        (2..=12).map(Self)
    }

    /// Returns the roll of two dice that show these faces, 1 to 6.
    ///
    /// # Panics
    /// When a face is not 1 to 6.
    #[must_use]
    pub const fn of_faces([first, second]: [u8; 2]) -> Self {
        assert!(matches!((first, second), (1..=6, 1..=6)), "a die shows 1 to 6");
        Self(first + second)
    }

    /// Returns the sum, 2 to 12.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Returns the sum less 2, as an array index: 0 to 10.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize - 2
    }

    /// Returns the number of outcomes of two dice, out of 36, that have this sum: 1 to 6.
    ///
    /// Private, so that it is not mistaken for the pips of a tile, which are [`Terrain::pips`].
    #[inline]
    const fn ways(self) -> u8 {
        6 - self.0.abs_diff(7)
    }

    /// Returns the probability of this sum with two fair dice, 1/36 to 6/36.
    ///
    /// ```
    /// use constructor::board::Roll;
    /// assert_eq!(Roll::new(7).unwrap().probability(), 6.0 / 36.0);
    /// ```
    #[must_use]
    pub fn probability(self) -> f64 {
        f64::from(self.ways()) / 36.0
    }

    /// Returns whether the sum is 7, on which no tile produces and the geese move.
    #[must_use]
    pub const fn is_seven(self) -> bool {
        self.0 == 7
    }
}

impl TryFrom<u8> for Roll {
    type Error = OutOfRange;

    fn try_from(number: u8) -> Result<Self, OutOfRange> {
        Self::new(number.into()).ok_or(OutOfRange { name: "roll of at least 2", number, limit: 13 })
    }
}

impl From<Roll> for u8 {
    fn from(roll: Roll) -> Self {
        roll.0
    }
}

/// The terrain of a tile: a resource with a value, or a park.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Terrain {
    /// Produces this resource when its value is rolled.
    Resource(Resource, Roll),
    /// Produces nothing.
    Park,
}

impl Terrain {
    /// Returns what the tile produces, and on which roll.
    ///
    /// Returns `None` for a park, and for a tile of value 7: on a 7 the geese move, and no tile produces.
    ///
    /// ```
    /// use constructor::board::{Resource, Roll, Terrain};
    /// let tile = |value| Terrain::Resource(Resource::Brick, Roll::new(value).unwrap());
    /// assert_eq!(tile(6).production(), Some((Resource::Brick, Roll::new(6).unwrap())));
    /// assert_eq!(tile(7).production(), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn production(self) -> Option<(Resource, Roll)> {
        match self {
            Self::Resource(resource, value) if !value.is_seven() => Some((resource, value)),
            Self::Resource(..) | Self::Park => None,
        }
    }

    /// Returns the tile's pips: the number of outcomes of two dice, out of 36, on which it produces, 0 to 5.
    #[must_use]
    #[inline]
    pub const fn pips(self) -> u8 {
        match self.production() {
            Some((_, value)) => value.ways(),
            None => 0,
        }
    }
}

/// The terrain of each of the 19 tiles. Any mix is allowed.
///
/// ```
/// use constructor::board::{Layout, Resource, Roll, Terrain, Tile};
/// let twelve = Roll::new(12).unwrap();
/// let mut terrain = [Terrain::Resource(Resource::Wifi, twelve); Tile::COUNT];
/// terrain[5] = Terrain::Park;
/// let layout = Layout::new(terrain);
/// assert_eq!(layout.park(), Tile::new(5));
/// assert_eq!(layout[Tile::new(0).unwrap()], Terrain::Resource(Resource::Wifi, twelve));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layout([Terrain; Tile::COUNT]);

impl Layout {
    /// Returns the layout with this terrain, in the order of the tiles.
    #[must_use]
    pub const fn new(terrain: [Terrain; Tile::COUNT]) -> Self {
        Self(terrain)
    }

    /// Returns the sum of the pips of the tiles around a vertex, 0 to 15.
    #[must_use]
    pub fn pips_around(&self, vertex: Vertex) -> u32 {
        vertex.tiles().iter().map(|tile| u32::from(self[tile].pips())).sum()
    }

    /// Returns the park, where the geese start; if there are several parks, the one with the lowest number.
    #[must_use]
    pub fn park(&self) -> Option<Tile> {
        Tile::all().find(|&tile| self[tile] == Terrain::Park)
    }
}

impl std::ops::Index<Tile> for Layout {
    type Output = Terrain;

    fn index(&self, tile: Tile) -> &Terrain {
        &self.0[tile.index()]
    }
}
