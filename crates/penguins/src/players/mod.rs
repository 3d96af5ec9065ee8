//! Computer players.

pub mod baselines;
pub mod bitboard;
pub mod cpu;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod geometry;
pub mod kinds;
pub mod limit;
pub mod placement;
pub mod player;
pub mod pvs;
pub mod solo;
pub mod teams;
pub mod transposition;

pub use kinds::PlayerKind;
pub use player::{Player, SearchResult};
