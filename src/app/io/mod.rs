//! What the commands use of the system besides files, messages and signals: streams that block, and progress bars.

mod progress;
mod streams;

pub use progress::{games, positions};
pub use streams::{RetryOnWouldBlock, stdin, stdout};
