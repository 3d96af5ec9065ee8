//! The adjacency of tiles, vertices and edges.
//!
//! One table lists the vertices and edges around each tile, as they are numbered on the printed board. Everything else is
//! derived from it at compile time. A test derives the same tables from the printed board.

use super::ids::{Edge, Tile, Vertex};
use super::sets::{EdgeSet, TileSet, VertexSet};

/// The six vertices and six edges around each tile, both in reading order:
///
/// ```text
///     v0 --e0-- v1
///     e1        e2
///     v2        v3
///     e3        e4
///     v4 --e5-- v5
/// ```
#[rustfmt::skip]
const TILE_CORNERS_AND_SIDES: [([u8; 6], [u8; 6]); Tile::COUNT] = [
    ([0, 1, 3, 4, 8, 9], [0, 1, 2, 6, 7, 10]),
    ([2, 3, 7, 8, 13, 14], [3, 5, 6, 13, 14, 18]),
    ([4, 5, 9, 10, 15, 16], [4, 7, 8, 15, 16, 19]),
    ([6, 7, 12, 13, 18, 19], [9, 12, 13, 20, 21, 26]),
    ([8, 9, 14, 15, 20, 21], [10, 14, 15, 22, 23, 27]),
    ([10, 11, 16, 17, 22, 23], [11, 16, 17, 24, 25, 28]),
    ([13, 14, 19, 20, 25, 26], [18, 21, 22, 30, 31, 35]),
    ([15, 16, 21, 22, 27, 28], [19, 23, 24, 32, 33, 36]),
    ([18, 19, 24, 25, 30, 31], [26, 29, 30, 37, 38, 43]),
    ([20, 21, 26, 27, 32, 33], [27, 31, 32, 39, 40, 44]),
    ([22, 23, 28, 29, 34, 35], [28, 33, 34, 41, 42, 45]),
    ([25, 26, 31, 32, 37, 38], [35, 38, 39, 47, 48, 52]),
    ([27, 28, 33, 34, 39, 40], [36, 40, 41, 49, 50, 53]),
    ([30, 31, 36, 37, 42, 43], [43, 46, 47, 54, 55, 60]),
    ([32, 33, 38, 39, 44, 45], [44, 48, 49, 56, 57, 61]),
    ([34, 35, 40, 41, 46, 47], [45, 50, 51, 58, 59, 62]),
    ([37, 38, 43, 44, 48, 49], [52, 55, 56, 63, 64, 67]),
    ([39, 40, 45, 46, 50, 51], [53, 57, 58, 65, 66, 68]),
    ([44, 45, 49, 50, 52, 53], [61, 64, 65, 69, 70, 71]),
];

/// Returns the vertex with a number from the table.
const fn vertex(number: u8) -> Vertex {
    match Vertex::new(number as i64) {
        Some(vertex) => vertex,
        None => panic!("the table has an invalid vertex number"),
    }
}

/// Returns the edge with a number from the table.
const fn edge(number: u8) -> Edge {
    match Edge::new(number as i64) {
        Some(edge) => edge,
        None => panic!("the table has an invalid edge number"),
    }
}

/// For each side of a tile, the positions of its two ends among the tile's corners.
const SIDE_CORNERS: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5)];

pub(super) const TILE_VERTICES: [[Vertex; 6]; Tile::COUNT] = {
    let mut table = [[vertex(0); 6]; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut corner = 0;
        while corner < 6 {
            table[tile][corner] = vertex(TILE_CORNERS_AND_SIDES[tile].0[corner]);
            corner += 1;
        }
        tile += 1;
    }
    table
};

const EDGE_ENDS: [[Vertex; 2]; Edge::COUNT] = {
    let mut table = [[vertex(0); 2]; Edge::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut side = 0;
        while side < 6 {
            let (from, to) = SIDE_CORNERS[side];
            let edge = TILE_CORNERS_AND_SIDES[tile].1[side] as usize;
            table[edge] = [TILE_VERTICES[tile][from], TILE_VERTICES[tile][to]];
            side += 1;
        }
        tile += 1;
    }
    table
};

const VERTEX_EDGES: [EdgeSet; Vertex::COUNT] = {
    let mut table = [EdgeSet::EMPTY; Vertex::COUNT];
    let mut number = 0;
    while number < Edge::COUNT {
        #[expect(clippy::cast_possible_truncation, reason = "there are 72 edges")]
        let edge = edge(number as u8);
        let [from, to] = EDGE_ENDS[number];
        table[from.index()].insert(edge);
        table[to.index()].insert(edge);
        number += 1;
    }
    table
};

const VERTEX_NEIGHBOURS: [VertexSet; Vertex::COUNT] = {
    let mut table = [VertexSet::EMPTY; Vertex::COUNT];
    let mut number = 0;
    while number < Edge::COUNT {
        let [from, to] = EDGE_ENDS[number];
        table[from.index()].insert(to);
        table[to.index()].insert(from);
        number += 1;
    }
    table
};

/// The ends of each edge as a set.
const EDGE_END_SET: [VertexSet; Edge::COUNT] = {
    let mut table = [VertexSet::EMPTY; Edge::COUNT];
    let mut edge = 0;
    while edge < Edge::COUNT {
        let [from, to] = EDGE_ENDS[edge];
        table[edge] = VertexSet::EMPTY.with(from).with(to);
        edge += 1;
    }
    table
};

/// For each edge, the neighbours of its two ends. The ends themselves are among them.
const EDGE_NEIGHBOURS: [VertexSet; Edge::COUNT] = {
    let mut table = [VertexSet::EMPTY; Edge::COUNT];
    let mut edge = 0;
    while edge < Edge::COUNT {
        let [from, to] = EDGE_ENDS[edge];
        table[edge] = VERTEX_NEIGHBOURS[from.index()].union(VERTEX_NEIGHBOURS[to.index()]);
        edge += 1;
    }
    table
};

/// For each vertex, the neighbours of its neighbours. The vertex itself is among them.
const VERTEX_TWO_AWAY: [VertexSet; Vertex::COUNT] = {
    let mut table = [VertexSet::EMPTY; Vertex::COUNT];
    let mut edge = 0;
    while edge < Edge::COUNT {
        let [from, to] = EDGE_ENDS[edge];
        table[from.index()] = table[from.index()].union(VERTEX_NEIGHBOURS[to.index()]);
        table[to.index()] = table[to.index()].union(VERTEX_NEIGHBOURS[from.index()]);
        edge += 1;
    }
    table
};

/// The possible differences between the numbers of two neighbouring vertices.
const STEPS: [u32; 4] = [1, 3, 5, 6];

/// For each of the [`STEPS`], the vertices that have a neighbour whose number is greater by this step.
const LOWER_ENDS: [VertexSet; STEPS.len()] = {
    let mut table = [VertexSet::EMPTY; STEPS.len()];
    let mut edge = 0;
    while edge < Edge::COUNT {
        let [from, to] = EDGE_ENDS[edge];
        let mut index = 0;
        while STEPS[index] as usize != to.index() - from.index() {
            index += 1;
        }
        table[index].insert(from);
        edge += 1;
    }
    table
};

const TILE_CORNERS: [VertexSet; Tile::COUNT] = {
    let mut table = [VertexSet::EMPTY; Tile::COUNT];
    let mut tile = 0;
    while tile < Tile::COUNT {
        let mut corner = 0;
        while corner < 6 {
            table[tile].insert(TILE_VERTICES[tile][corner]);
            corner += 1;
        }
        tile += 1;
    }
    table
};

const VERTEX_TILES: [TileSet; Vertex::COUNT] = {
    let mut table = [TileSet::EMPTY; Vertex::COUNT];
    let mut number = 0;
    while let Some(tile) = Tile::new(number) {
        let mut corner = 0;
        while corner < 6 {
            table[TILE_VERTICES[tile.index()][corner].index()].insert(tile);
            corner += 1;
        }
        number += 1;
    }
    table
};

impl Tile {
    /// Returns the six vertices around the tile, in reading order.
    ///
    /// ```
    /// use constructor::board::Tile;
    /// let vertices = Tile::new(9).unwrap().vertices().map(|vertex| vertex.number());
    /// assert_eq!(vertices, [20, 21, 26, 27, 32, 33]);
    /// ```
    #[must_use]
    pub const fn vertices(self) -> [Vertex; 6] {
        TILE_VERTICES[self.index()]
    }

    /// Returns the six vertices around the tile as a set.
    #[must_use]
    pub const fn corners(self) -> VertexSet {
        TILE_CORNERS[self.index()]
    }

    /// Returns the six edges around the tile, in reading order.
    ///
    /// ```
    /// use constructor::board::Tile;
    /// let edges = Tile::new(9).unwrap().edges().map(|edge| edge.number());
    /// assert_eq!(edges, [27, 31, 32, 39, 40, 44]);
    /// ```
    #[must_use]
    pub fn edges(self) -> [Edge; 6] {
        TILE_CORNERS_AND_SIDES[self.index()].1.map(edge)
    }
}

impl Vertex {
    /// Returns the two or three edges that touch the vertex.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// let edges = Vertex::new(38).unwrap().edges();
    /// assert_eq!(edges.iter().map(|edge| edge.number()).collect::<Vec<_>>(), [48, 52, 56]);
    /// ```
    #[must_use]
    pub const fn edges(self) -> EdgeSet {
        VERTEX_EDGES[self.index()]
    }

    /// Returns the one, two or three tiles around the vertex.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// let tiles = Vertex::new(9).unwrap().tiles();
    /// assert_eq!(tiles.iter().map(|tile| tile.number()).collect::<Vec<_>>(), [0, 2, 4]);
    /// ```
    #[must_use]
    pub const fn tiles(self) -> TileSet {
        VERTEX_TILES[self.index()]
    }

    /// Returns the two or three vertices at the other ends of the vertex's edges.
    #[must_use]
    pub const fn neighbours(self) -> VertexSet {
        VERTEX_NEIGHBOURS[self.index()]
    }

    /// Returns the neighbours of the vertex's neighbours, among them the vertex itself.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// let at_distance_two = Vertex::new(0).unwrap().at_distance_two();
    /// assert_eq!(at_distance_two.iter().map(|vertex| vertex.number()).collect::<Vec<_>>(), [0, 2, 4, 8]);
    /// ```
    #[must_use]
    pub const fn at_distance_two(self) -> VertexSet {
        VERTEX_TWO_AWAY[self.index()]
    }
}

impl Edge {
    /// Returns the two ends of the edge, the upper or left one first.
    ///
    /// ```
    /// use constructor::board::Edge;
    /// assert_eq!(Edge::new(0).unwrap().ends().map(|vertex| vertex.number()), [0, 1]);
    /// ```
    #[must_use]
    pub const fn ends(self) -> [Vertex; 2] {
        EDGE_ENDS[self.index()]
    }

    /// Returns the two ends of the edge as a set.
    #[must_use]
    pub const fn end_set(self) -> VertexSet {
        EDGE_END_SET[self.index()]
    }

    /// Returns the neighbours of both ends, among them the ends themselves.
    #[must_use]
    pub const fn neighbours(self) -> VertexSet {
        EDGE_NEIGHBOURS[self.index()]
    }
}

impl EdgeSet {
    /// Returns the ends of the edges.
    #[must_use]
    #[inline]
    pub fn ends(self) -> VertexSet {
        self.iter().fold(VertexSet::EMPTY, |ends, edge| ends | edge.end_set())
    }
}

impl VertexSet {
    /// Returns the neighbours of the vertices.
    #[must_use]
    #[inline]
    pub fn neighbours(self) -> Self {
        // Handles all members at once, because the exit branch of a loop over them would be hard to predict.
        STEPS.into_iter().zip(LOWER_ENDS).fold(Self::EMPTY, |neighbours, (step, lower_ends)| {
            neighbours | (self & lower_ends).shifted_up(step) | (self.shifted_down(step) & lower_ends)
        })
    }

    /// Returns the edges at the vertices.
    #[must_use]
    #[inline]
    pub fn edges(self) -> EdgeSet {
        self.iter().fold(EdgeSet::EMPTY, |edges, vertex| edges | vertex.edges())
    }

    /// Returns the tiles around the vertices.
    #[must_use]
    #[inline]
    pub fn tiles(self) -> TileSet {
        self.iter().fold(TileSet::EMPTY, |tiles, vertex| tiles | vertex.tiles())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_a_set_are_those_of_its_members() {
        let sets = Vertex::all().map(|vertex| VertexSet::EMPTY.with(vertex)).chain([
            VertexSet::EMPTY,
            VertexSet::FULL,
            Vertex::all().step_by(3).collect(),
        ]);
        for set in sets {
            let expected = set.iter().fold(VertexSet::EMPTY, |all, vertex| all | vertex.neighbours());
            assert_eq!(set.neighbours(), expected, "{set:?}");
        }
    }

    #[test]
    fn vertices_have_two_or_three_edges() {
        let with_edges = |count| Vertex::all().filter(|vertex| vertex.edges().len() == count).count();
        assert_eq!((with_edges(2), with_edges(3)), (18, 36));
        assert_eq!(Edge::all().map(|edge| edge.ends().len()).sum::<usize>(), 18 * 2 + 36 * 3);
    }

    #[test]
    fn edges_and_vertices_agree() {
        for edge in Edge::all() {
            let [from, to] = edge.ends();
            assert!(from < to, "{edge:?}");
            assert!(from.edges().contains(edge) && to.edges().contains(edge));
            assert!(from.neighbours().contains(to) && to.neighbours().contains(from));
            assert_eq!(edge.end_set(), edge.ends().into_iter().collect());
            assert_eq!(edge.neighbours(), from.neighbours() | to.neighbours());
        }
        for vertex in Vertex::all() {
            let at_distance_two = vertex.neighbours().iter().flat_map(|near| near.neighbours().iter());
            assert_eq!(vertex.at_distance_two(), at_distance_two.collect());
        }
    }

    #[test]
    fn tiles_that_share_an_edge_agree() {
        for tile in Tile::all() {
            for (edge, (from, to)) in tile.edges().into_iter().zip(SIDE_CORNERS) {
                assert_eq!(edge.ends(), [tile.vertices()[from], tile.vertices()[to]]);
            }
        }
    }
}
