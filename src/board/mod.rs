//! The board: 19 tiles, 54 vertices and 72 edges, which of them touch, and layouts of terrain.

mod geometry;
mod ids;
mod layout;
mod random_layout;
mod sets;
mod topology;

pub use ids::{Edge, Tile, Vertex};
pub use layout::{Layout, Resource, Roll, Terrain};
pub use random_layout::{LayoutSource, RandomLayout};
pub use sets::{EdgeSet, TileSet, VertexSet};
