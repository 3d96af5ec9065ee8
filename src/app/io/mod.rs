//! Parts of the system that the commands use besides files, streams, messages and signals: threads and progress bars.

mod progress;
mod thread;

pub use progress::{games, positions};
pub use thread::spawn;
