//! Where vertices and tiles lie on the plane, for drawings.

use super::ids::{Tile, Vertex};
use super::topology::TILE_VERTICES;

/// A point of the lattice: x to the right, y downwards.
type Point = (i8, i8);

/// The lattice points of a hexagon's six corners relative to its centre, in reading order. One unit of x is half a side, one unit of y is
/// half the height.
const CORNERS: [Point; 6] = [(-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1)];

const fn offset((x, y): Point, (dx, dy): Point, sign: i8) -> Point {
    (x + sign * dx, y + sign * dy)
}

/// The lattice points of all vertices and tiles. They are computed outwards from tile 0, through the vertices that tiles share.
const POINTS: ([Point; Vertex::COUNT], [Point; Tile::COUNT]) = {
    const UNKNOWN: Point = (i8::MIN, i8::MIN);
    let mut vertices = [UNKNOWN; Vertex::COUNT];
    let mut tiles = [UNKNOWN; Tile::COUNT];
    vertices[TILE_VERTICES[0][0].index()] = CORNERS[0];
    let mut round = 0;
    while round < Tile::COUNT {
        let mut tile = 0;
        while tile < Tile::COUNT {
            let mut corner = 0;
            while corner < 6 {
                let point = vertices[TILE_VERTICES[tile][corner].index()];
                if point.0 != i8::MIN {
                    tiles[tile] = offset(point, CORNERS[corner], -1);
                }
                corner += 1;
            }
            corner = 0;
            while corner < 6 && tiles[tile].0 != i8::MIN {
                vertices[TILE_VERTICES[tile][corner].index()] = offset(tiles[tile], CORNERS[corner], 1);
                corner += 1;
            }
            tile += 1;
        }
        round += 1;
    }
    (vertices, tiles)
};

impl Vertex {
    /// Returns the position relative to the centre of tile 0: x to the right in half sides, y downwards in half tile heights.
    ///
    /// ```
    /// use constructor::board::{Tile, Vertex};
    /// assert_eq!(Vertex::new(0).unwrap().lattice_point(), (-1, -1));
    /// assert_eq!(Vertex::new(53).unwrap().lattice_point(), (1, 9));
    /// assert_eq!(Tile::new(9).unwrap().lattice_point(), (0, 4), "the middle of the board");
    /// ```
    #[must_use]
    pub const fn lattice_point(self) -> (i8, i8) {
        POINTS.0[self.index()]
    }
}

impl Tile {
    /// Returns the position of the tile's centre, in the coordinates of [`Vertex::lattice_point`].
    #[must_use]
    pub const fn lattice_point(self) -> (i8, i8) {
        POINTS.1[self.index()]
    }
}
