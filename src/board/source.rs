//! Where the layout of a new game comes from: one strategy for each way.

use rand::Rng;

use super::layout::{Ground, Layout, Resource, Roll};
use super::place::Tile;
use crate::random;

/// A way to come by the layout of a new game.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::random;
/// let mut draws = random::seeded(7);
/// let first = RandomLayout.layout(&mut draws);
/// let second = RandomLayout.layout(&mut draws);
/// assert_ne!(first, second);
/// assert_eq!(first.layout(&mut draws), first, "a layout that was read is a source too");
/// ```
pub trait LayoutSource: Send {
    /// The layout of the next game; `random` is the generator that everything in the game is drawn from.
    fn layout(&self, random: &mut dyn Rng) -> Layout;
}

/// A layout that was read from a file is used again in every game.
impl LayoutSource for Layout {
    fn layout(&self, _random: &mut dyn Rng) -> Layout {
        *self
    }
}

/// A new layout for every game, all arrangements of the usual tiles equally likely.
#[derive(Clone, Copy, Debug)]
pub struct RandomLayout;

/// The tiles of a random board but for its one park: how many of each resource.
const TILES_OF: [(Resource, usize); Resource::COUNT] =
    [(Resource::Brick, 4), (Resource::Energy, 4), (Resource::Glass, 4), (Resource::Heat, 3), (Resource::Wifi, 3)];

/// The values on the tiles of a random board but for its park.
const VALUES: [u8; Tile::COUNT - 1] = [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12];

impl LayoutSource for RandomLayout {
    /// Shuffles the 19 kinds of ground (the park last before the shuffle), then the 18 values, which go to the tiles
    /// that yield in the order of their numbers.
    fn layout(&self, random: &mut dyn Rng) -> Layout {
        let mut kinds = [None; Tile::COUNT];
        let resources = TILES_OF.iter().flat_map(|&(resource, count)| std::iter::repeat_n(resource, count));
        for (kind, resource) in kinds.iter_mut().zip(resources) {
            *kind = Some(resource);
        }
        random::shuffle(random, &mut kinds);

        let mut values = VALUES;
        random::shuffle(random, &mut values);
        let mut values = values.into_iter().filter_map(|value| Roll::new(i64::from(value)));

        Layout::new(kinds.map(|kind| match kind.and_then(|resource| Some((resource, values.next()?))) {
            Some((resource, value)) => Ground::Yields(resource, value),
            None => Ground::Park,
        }))
    }
}
