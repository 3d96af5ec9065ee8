//! The resources and pips around each vertex of a layout.

use std::cell::RefCell;

use crate::board::{Layout, Resource, Terrain, Tile, Vertex, VertexSet};
use crate::game::Game;

/// A set of resources: one bit for each.
pub(super) type ResourceMask = u8;

/// What the tiles around each vertex produce for a basement there. Pips are outcomes out of 36 of two dice.
#[derive(Clone, Debug)]
pub(super) struct SiteValues {
    layout_hash: u64,
    pips: [u8; Vertex::COUNT],
    resources: [ResourceMask; Vertex::COUNT],
    by_resource: [[u8; Resource::COUNT]; Vertex::COUNT],
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
        let by_resource = pips_by_resource(game.layout());
        let resources = |pips: [u8; Resource::COUNT]| {
            (0..Resource::COUNT).fold(0, |mask, resource| mask | ResourceMask::from(pips[resource] > 0) << resource)
        };
        Self {
            layout_hash: game.layout_hash(),
            pips: by_resource.map(|pips| pips.iter().sum()),
            resources: by_resource.map(resources),
            by_resource,
        }
    }

    /// The pips at the vertex.
    pub fn pips(&self, vertex: Vertex) -> u8 {
        self.pips[vertex.index()]
    }

    /// The pips of each resource at all these vertices together.
    pub fn pips_of_all(&self, vertices: VertexSet) -> [u32; Resource::COUNT] {
        let mut sums = [0; Resource::COUNT];
        for vertex in vertices.iter() {
            for (sum, pips) in sums.iter_mut().zip(self.by_resource[vertex.index()]) {
                *sum += u32::from(pips);
            }
        }
        sums
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
