//! Sources of layouts for new games: one strategy for each source.

use rand::Rng;

use super::ids::Tile;
use super::layout::{Layout, Resource, Roll, Terrain};
use crate::rng;

/// A source of layouts for new games.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::rng;
/// let mut rng = rng::from_seed(7);
/// let first = RandomLayout.layout(&mut rng);
/// let second = RandomLayout.layout(&mut rng);
/// assert_ne!(first, second);
/// assert_eq!(first.layout(&mut rng), first, "a fixed layout is a source too");
/// ```
pub trait LayoutSource: Send {
    /// Returns the layout of the next game.
    ///
    /// `rng` is the game's generator.
    fn layout(&self, rng: &mut dyn Rng) -> Layout;

    /// Returns the layout, if it is the same for every game.
    fn fixed(&self) -> Option<&Layout> {
        None
    }
}

/// The same layout for every game.
impl LayoutSource for Layout {
    fn layout(&self, _rng: &mut dyn Rng) -> Layout {
        *self
    }

    fn fixed(&self) -> Option<&Layout> {
        Some(self)
    }
}

/// A new layout for every game: a uniform arrangement of the standard tiles.
#[derive(Clone, Copy, Debug)]
pub struct RandomLayout;

/// The number of tiles of each resource; the remaining tile is the park.
const TILES_OF: [(Resource, usize); Resource::COUNT] =
    [(Resource::Brick, 4), (Resource::Energy, 4), (Resource::Glass, 4), (Resource::Heat, 3), (Resource::Wifi, 3)];

/// The values of the tiles other than the park.
const VALUES: [u8; Tile::COUNT - 1] = [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12];

impl LayoutSource for RandomLayout {
    /// Shuffles the 19 kinds of tile (the park last before the shuffle), then the 18 values, and assigns the values to the
    /// resource tiles in the order of their numbers.
    fn layout(&self, rng: &mut dyn Rng) -> Layout {
        let mut kinds = [None; Tile::COUNT];
        let resources = TILES_OF.iter().flat_map(|&(resource, count)| std::iter::repeat_n(resource, count));
        for (kind, resource) in kinds.iter_mut().zip(resources) {
            *kind = Some(resource);
        }
        rng::shuffle(rng, &mut kinds);

        let mut values = VALUES;
        rng::shuffle(rng, &mut values);
        let mut values = values.into_iter().filter_map(|value| Roll::new(i64::from(value)));

        Layout::new(kinds.map(|kind| match kind.and_then(|resource| Some((resource, values.next()?))) {
            Some((resource, value)) => Terrain::Resource(resource, value),
            None => Terrain::Park,
        }))
    }
}
