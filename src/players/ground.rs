//! What the vertices of a layout yield.

use crate::board::{Ground, Resource, Tile, Vertex, VertexSet};
use crate::game::Game;

/// A bit for each resource.
pub(super) type Kinds = u8;

/// What the tiles around each vertex yield to a basement there.
#[derive(Clone, Debug)]
pub(super) struct Yields {
    /// Of which layout.
    layout_key: u64,
    of_each: [[u8; Resource::COUNT]; Vertex::COUNT],
    ways: [u8; Vertex::COUNT],
    kinds: [Kinds; Vertex::COUNT],
}

impl Yields {
    /// Those of the game's layout: as they are known, unless that is of another layout.
    #[inline]
    pub fn known<'k>(known: &'k mut Option<Self>, game: &Game) -> &'k Self {
        if known.as_ref().is_some_and(|known| known.layout_key != game.layout_key()) {
            *known = None;
        }
        known.get_or_insert_with(|| Self::of(game))
    }

    pub fn of(game: &Game) -> Self {
        let mut yields = Self {
            layout_key: game.layout_key(),
            of_each: [[0; Resource::COUNT]; Vertex::COUNT],
            ways: [0; Vertex::COUNT],
            kinds: [0; Vertex::COUNT],
        };
        for tile in Tile::all() {
            if let Ground::Yields(resource, _) = game.layout()[tile] {
                let ways = ways_to_yield(game.layout()[tile]);
                for vertex in tile.vertices() {
                    yields.of_each[vertex.index()][resource.index()] += ways;
                    yields.ways[vertex.index()] += ways;
                    yields.kinds[vertex.index()] |= 1 << resource.index();
                }
            }
        }
        yields
    }

    /// For each resource the number of ways, of 36, in which two dice make the tiles around yield it, one tile after the other.
    pub fn of_each(&self, vertex: Vertex) -> [u8; Resource::COUNT] {
        self.of_each[vertex.index()]
    }

    /// The number of ways to get anything.
    pub fn ways(&self, vertex: Vertex) -> u8 {
        self.ways[vertex.index()]
    }

    /// Which resources there are.
    pub fn kinds(&self, vertex: Vertex) -> Kinds {
        self.kinds[vertex.index()]
    }

    /// What a basement at the vertex is worth to a builder with this income. Each way to get a resource counts for
    /// something, and that there is a way at all for as much as several: hardly anything is built without all resources.
    pub fn worth(&self, vertex: Vertex, income: Kinds) -> u32 {
        const FIRST: u32 = 12;
        u32::from(self.ways(vertex)) + FIRST * (self.kinds(vertex) & !income).count_ones()
    }

    /// Which resources the residences yield.
    pub fn income(&self, residences: VertexSet) -> Kinds {
        residences.iter().fold(0, |kinds, vertex| kinds | self.kinds(vertex))
    }
}

/// In how many of 36 ways two dice make it yield.
pub(super) const fn ways_to_yield(ground: Ground) -> u8 {
    match ground {
        Ground::Yields(_, value) => 6 - value.value().abs_diff(7),
        Ground::Park => 0,
    }
}
