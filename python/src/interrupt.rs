//! Long work that Ctrl-C ends.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use constructor::players::StopSignal;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The interval at which signals are checked.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does the work on another thread, without the GIL.
///
/// When a signal handler raises an exception, `stop` is signalled; once the work has ended, the exception is returned.
///
/// # Errors
/// The exception of a signal handler, or `RuntimeError` if the work has panicked.
pub fn interruptible<T: Send>(py: Python<'_>, stop: &StopSignal, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let (result, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (done, ended) = mpsc::channel();
            let worker = scope.spawn(move || {
                let result = work();
                // The receiver still exists, since it waits for this message.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    #[expect(
                        clippy::redundant_closure_for_method_calls,
                        reason = "its lifetimes are not general enough"
                    )]
                    let checked = Python::attach(|py| py.check_signals());
                    raised = checked.err();
                    if raised.is_some() {
                        stop.stop();
                    }
                }
            }
            (worker.join(), raised)
        })
    });
    match (raised, result) {
        (Some(exception), _) => Err(exception),
        (None, Ok(result)) => Ok(result),
        (None, Err(_)) => Err(PyRuntimeError::new_err("the engine failed: please report this")),
    }
}
