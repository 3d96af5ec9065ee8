//! The resources and pips around each vertex of a layout.

use std::cell::RefCell;

use crate::board::{Resource, Tile, Vertex, VertexSet};
use crate::game::{Builder, Game};

/// A set of resources: one bit for each.
pub(super) type ResourceMask = u8;

/// The production of a basement at each vertex, from the tiles around it. Pips are numbers of outcomes of two dice, out of 36.
#[derive(Clone, Debug)]
pub(crate) struct SiteValues {
    layout_hash: u64,
    pips: [u8; PLACES],
    resources: [ResourceMask; PLACES],
    /// The [keys](Self::key) without the bonus for new resources; 0 for places without a vertex.
    keys: [u16; PLACES],
    by_resource: [[u8; Resource::COUNT]; Vertex::COUNT],
    tile_pips: [u8; Tile::COUNT],
}

/// The length of arrays that are indexed by vertex: one place for each bit of a [`VertexSet`], so that indexing by a member needs no bounds
/// check.
const PLACES: usize = 64;

impl SiteValues {
    /// Returns the values of the game's layout from `cache`. If the cache is empty or holds the values of another layout, it is filled
    /// first.
    #[inline]
    pub fn cached_for<'c>(cache: &'c mut Option<Self>, game: &Game) -> &'c Self {
        if cache.as_ref().is_some_and(|cached| cached.layout_hash != game.layout_hash()) {
            *cache = None;
        }
        cache.get_or_insert_with(|| Self::of(game))
    }

    /// Returns the values of the game's layout.
    // Kept out of `cached_for`, which is then small enough to be inlined.
    #[inline(never)]
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
        let (mut pips, mut resources) = ([0; PLACES], [0; PLACES]);
        let mut tile_pips = [0; Tile::COUNT];
        let mut by_resource = [[0; Resource::COUNT]; Vertex::COUNT];
        for tile in Tile::all() {
            let terrain = game.layout()[tile];
            if let Some((resource, _)) = terrain.production() {
                tile_pips[tile.index()] = terrain.pips();
                for vertex in tile.vertices() {
                    let index = vertex.index();
                    pips[index] += terrain.pips();
                    resources[index] |= 1 << resource.index();
                    by_resource[index][resource.index()] += terrain.pips();
                }
            }
        }
        let mut keys = [0; PLACES];
        for ((key, number), pips) in keys.iter_mut().zip(0..).zip(pips).take(Vertex::COUNT) {
            *key = u16::from(pips) << NUMBER_BITS | (LAST_NUMBER - number);
        }
        Self { layout_hash: game.layout_hash(), pips, resources, keys, by_resource, tile_pips }
    }

    /// Returns the builder's income from a tile in units per 36 rolls, ignoring the geese. Geese on the tile block this income.
    #[inline]
    pub fn income_from(&self, game: &Game, builder: Builder, tile: Tile) -> u32 {
        game.units_on(builder, tile) * u32::from(self.tile_pips[tile.index()])
    }

    /// Returns the pips of each resource at each vertex.
    pub const fn by_resource(&self) -> &[[u8; Resource::COUNT]; Vertex::COUNT] {
        &self.by_resource
    }

    /// Returns the pips at the vertex.
    pub fn pips(&self, vertex: Vertex) -> u8 {
        self.pips[vertex.index()]
    }

    /// Returns the pips of each resource at all these vertices together.
    pub fn pips_of_all(&self, vertices: VertexSet) -> [u32; Resource::COUNT] {
        let mut sums = [0; Resource::COUNT];
        for vertex in vertices.iter() {
            for (sum, pips) in sums.iter_mut().zip(self.by_resource[vertex.index()]) {
                *sum += u32::from(pips);
            }
        }
        sums
    }

    /// Returns the resources at the vertex.
    pub fn resources(&self, vertex: Vertex) -> ResourceMask {
        self.resources[vertex.index()]
    }

    /// Returns the score of a basement at the vertex for a builder who already gains the resources `income`: its pips, and 12 for each new
    /// resource, since hardly anything can be built without all resources.
    pub fn score(&self, vertex: Vertex, income: ResourceMask) -> u32 {
        u32::from(self.pips(vertex)) + u32::from(bonus(self.resources(vertex) & !income))
    }

    /// Returns the vertex with the greatest score; among equal scores, the one with the lowest number.
    #[inline]
    pub fn best(&self, vertices: VertexSet, income: ResourceMask) -> Option<Vertex> {
        // Branchless.
        let key = |vertex: Vertex| self.key(vertex.index(), income);
        vertex_of_key(vertices.iter().map(key).fold(0, u16::max))
    }

    /// Returns the same as [`Self::best`], but faster for a set that contains most vertices.
    pub fn best_of_many(&self, vertices: VertexSet, income: ResourceMask) -> Option<Vertex> {
        // Computes the keys of all places, so that the loops are vectorized.
        let mut keys: [u16; PLACES] = std::array::from_fn(|index| self.key(index, income));
        for other in (VertexSet::FULL - vertices).iter() {
            keys[other.index()] = 0;
        }
        vertex_of_key(keys.into_iter().fold(0, u16::max))
    }

    /// Returns a key by which vertices are compared: the greater score, then the lower number.
    ///
    /// The key of a vertex is never 0.
    #[inline(always)]
    fn key(&self, index: usize, income: ResourceMask) -> u16 {
        self.keys[index] + (bonus(self.resources[index] & !income) << NUMBER_BITS)
    }
}

/// Returns the part of a score for new resources.
#[inline(always)]
const fn bonus(new: ResourceMask) -> u16 {
    const NEW_RESOURCE: u16 = 12;
    #[expect(clippy::cast_possible_truncation, reason = "at most 5")]
    let count = new.count_ones() as u16;
    NEW_RESOURCE * count
}

const NUMBER_BITS: u32 = 6;
const LAST_NUMBER: u16 = (1 << NUMBER_BITS) - 1;

/// Returns the vertex with this key; `None` if the key is 0.
#[inline]
fn vertex_of_key(key: u16) -> Option<Vertex> {
    Vertex::new((LAST_NUMBER - (key & LAST_NUMBER)).into())
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::Rules;

    #[test]
    fn best_has_the_greatest_score_and_the_lowest_number() {
        let mut rng = SmallRng::seed_from_u64(2);
        for income in 0..1 << Resource::COUNT {
            let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
            let values = SiteValues::of(&game);
            let some = Vertex::all().filter(|_| rng.next_u32() % 3 == 0).collect();
            for vertices in [VertexSet::EMPTY, some, VertexSet::FULL - some, VertexSet::FULL] {
                let expected = vertices.iter().max_by_key(|&vertex| (values.score(vertex, income), Reverse(vertex)));
                assert_eq!(values.best(vertices, income), expected, "{vertices:?}");
                assert_eq!(values.best_of_many(vertices, income), expected, "{vertices:?}");
            }
        }
    }
}
