//! Work on several threads.

use std::num::NonZeroUsize;
use std::thread;

/// Returns the requested number of threads, or else the number of cores.
#[must_use]
pub fn threads_or_cores(threads: Option<u16>) -> NonZeroUsize {
    let given = threads.and_then(|threads| NonZeroUsize::new(threads.into()));
    given.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// Runs `part(0..threads)` in parallel and returns the results in order.
///
/// Part 0 runs on this thread; a part whose thread panicked or could not be spawned is run again here.
///
/// ```
/// use std::num::NonZeroUsize;
/// use constructor_common::threads::parallel_map;
/// assert_eq!(parallel_map(NonZeroUsize::new(3).unwrap(), |part| part * part), [0, 1, 4]);
/// ```
pub fn parallel_map<T: Send>(threads: NonZeroUsize, part: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let part = &part;
    thread::scope(|scope| {
        let spawn = |number| thread::Builder::new().spawn_scoped(scope, move || part(number)).ok();
        let others: Vec<_> = (1..threads.get()).map(spawn).collect();
        let mut parts = vec![part(0)];
        for (number, other) in (1..).zip(others) {
            parts.push(other.and_then(|other| other.join().ok()).unwrap_or_else(|| part(number)));
        }
        parts
    })
}
