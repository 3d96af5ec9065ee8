//! The resources and pips around each vertex of a layout.

use std::cell::RefCell;

use crate::board::{Layout, Resource, Terrain, Tile, Vertex};
use crate::game::Game;

/// A set of resources: one bit for each.
pub(super) type ResourceMask = u8;

/// What the tiles around each vertex produce for a basement there. Pips are outcomes out of 36 of two dice.
#[derive(Clone, Debug)]
pub(super) struct SiteValues {
    layout_hash: u64,
    pips: [u8; Vertex::COUNT],
    resources: [ResourceMask; Vertex::COUNT],
}

/// The pips of each resource around each vertex of a layout.
pub(super) fn pips_by_resource(layout: &Layout) -> [[u8; Resource::COUNT]; Vertex::COUNT] {
    let mut pips = [[0; Resource::COUNT]; Vertex::COUNT];
    for tile in Tile::all() {
        if let Terrain::Resource(resource, value) = layout[tile] {
            for vertex in tile.vertices() {
                pips[vertex.index()][resource.index()] += value.ways();
            }
        }
    }
    pips
}

impl SiteValues {
    /// The values of the game's layout: those in `cache`, unless they are of another layout.
    #[inline]
    pub fn cached_for<'c>(cache: &'c mut Option<Self>, game: &Game) -> &'c Self {
        if cache.as_ref().is_some_and(|cached| cached.layout_hash != game.layout_hash()) {
            *cache = None;
        }
        cache.get_or_insert_with(|| Self::of(game))
    }

    /// The values of the game's layout.
    pub fn of(game: &Game) -> Self {
        // The players at a table ask for the same values.
        thread_local! {
            static LAST: RefCell<Option<SiteValues>> = const { RefCell::new(None) };
        }
        LAST.with_borrow_mut(|last| match last {
            Some(values) if values.layout_hash == game.layout_hash() => values.clone(),
            _ => last.insert(Self::compute(game)).clone(),
        })
    }

    fn compute(game: &Game) -> Self {
        let mut values =
            Self { layout_hash: game.layout_hash(), pips: [0; Vertex::COUNT], resources: [0; Vertex::COUNT] };
        for tile in Tile::all() {
            let terrain = game.layout()[tile];
            if let Terrain::Resource(resource, value) = terrain {
                for vertex in tile.vertices() {
                    values.pips[vertex.index()] += value.ways();
                    values.resources[vertex.index()] |= 1 << resource.index();
                }
            }
        }
        values
    }

    /// The pips at the vertex.
    pub fn pips(&self, vertex: Vertex) -> u8 {
        self.pips[vertex.index()]
    }

    /// The resources at the vertex.
    pub fn resources(&self, vertex: Vertex) -> ResourceMask {
        self.resources[vertex.index()]
    }

    /// The score of a basement at the vertex for a builder who already gains the resources `income`: its pips, and 12 for each
    /// new resource, since hardly anything can be built without all resources.
    pub fn score(&self, vertex: Vertex, income: ResourceMask) -> u32 {
        const NEW_RESOURCE: u32 = 12;
        u32::from(self.pips(vertex)) + NEW_RESOURCE * (self.resources(vertex) & !income).count_ones()
    }
}
