//! Parts of the system that the commands use besides files, messages and signals: blocking streams and progress bars.

mod progress;
mod streams;

pub use progress::{games, positions};
pub use streams::{RetryOnWouldBlock, stdin, stdout};
