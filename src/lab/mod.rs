//! The laboratory: training of players, and measurements of players and of estimates. It exists only with the feature `lab`, which
//! `crates/lab` uses.

mod adam;
mod calibration;
mod network_kind;
mod network_training;
mod regret;
mod spsa;
mod turn_playout;
mod weights_file;

pub use calibration::{Calibration, CalibrationBin, CalibrationPart};
pub use network_kind::NetworkKind;
pub use network_training::{NetworkTraining, TrainedRound};
pub use regret::{Regret, RegretJudge, RegretPart};
pub use spsa::{SpsaRound, SpsaTuning};
pub use weights_file::{rounds_of, weights_file};
