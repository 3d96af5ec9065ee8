//! Many games of computer players: simulations, tournaments, and merging the parts of simulations.

mod merge;
mod open;
mod simulate;
mod tournament;

pub use merge::{bench, merge};
pub use simulate::simulate;
pub use tournament::tournament;
