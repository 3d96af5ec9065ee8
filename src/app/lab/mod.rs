//! The laboratory: how good estimates are, and better weights.

mod calibrate;
mod tune;

pub use calibrate::calibrate;
pub use tune::tune;
