//! The laboratory: trains the players of Constructor, and measures the players of Constructor and of Penguins. `NOTEBOOK.md` has the
//! results.

pub mod calibrate;
pub mod options;
pub mod play;
pub mod regret;
pub mod tune;
pub mod value;
pub mod yardsticks;
