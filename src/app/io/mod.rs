//! Parts of the system that the commands use besides files, messages and signals: blocking streams, threads and progress bars.

mod progress;
mod streams;
mod thread;

pub use progress::{games, positions};
pub use streams::{RetryOnWouldBlock, stdin, stdout};
pub use thread::spawn;
