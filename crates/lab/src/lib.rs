//! The laboratory: trains the players of Constructor, and measures them and those of Penguins. `NOTEBOOK.md` has what was found.

pub mod calibrate;
pub mod options;
pub mod play;
pub mod regret;
pub mod tune;
pub mod yardsticks;
