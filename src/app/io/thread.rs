//! Starting threads.

use std::thread;

use constructor_common::io_error_text;

/// Starts a thread with this name.
///
/// # Errors
/// A message, when no thread can be started.
pub fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(run);
    spawned.map(drop).map_err(|error| format!("no thread: {}", io_error_text(&error)))
}
