//! The time.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How much time has passed since this was first asked.
///
/// ```
/// use constructor::clock;
/// let before = clock::now();
/// assert!(clock::now() >= before);
/// ```
#[must_use]
pub fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
