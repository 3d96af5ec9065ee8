//! The board: 19 tiles, 54 vertices and 72 edges, and what stands on the tiles.

mod layout;
mod place;
mod source;
mod topology;

pub use layout::{Ground, Layout, Resource, Roll};
pub use place::{Edge, EdgeSet, Tile, TileSet, Vertex, VertexSet};
pub use source::{LayoutSource, RandomLayout};
