//! Training of players: SPSA for the weights of the linear player, self-play for the value network.

mod adam;
mod spsa;
mod value;

pub use spsa::{SpsaRound, SpsaTuning};
pub use value::{TrainedRound, ValueTraining};
