//! Limits of a search.

use std::time::{Duration, Instant};

/// The maximum size of a transposition table, in entries of 16 bytes.
const MAX_ENTRIES: u64 = 1 << 22;

/// The number of entries of a transposition table for each millisecond of search.
const ENTRIES_PER_MILLISECOND: u64 = 1 << 12;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The deadline.
    pub deadline: Option<Instant>,
    /// The maximum number of positions.
    pub nodes: u64,
}

impl Limit {
    /// No limit.
    pub const NONE: Self = Self { deadline: None, nodes: u64::MAX };

    /// Returns whether the deadline has passed.
    #[must_use]
    pub fn deadline_passed(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether the limit is reached after `nodes` positions.
    ///
    /// The clock is read only if `nodes` is a multiple of `every`.
    #[must_use]
    #[inline]
    pub fn is_reached(&self, nodes: u64, every: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(every) && self.deadline_passed()
    }

    /// Returns the number of entries that the transposition table should have for the time left.
    #[must_use]
    pub fn table_entries(&self) -> usize {
        let time = self.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let positions = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(ENTRIES_PER_MILLISECOND);
        let most = positions.min(self.nodes).clamp(1 << 12, MAX_ENTRIES);
        usize::try_from(most).unwrap_or(usize::MAX)
    }
}
