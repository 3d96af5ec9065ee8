//! Limits of a search.

use std::time::Instant;

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

    /// Whether the deadline has passed.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the limit is reached after `nodes` positions. The clock is read only if `nodes` is a multiple of
    /// `interval`.
    #[must_use]
    #[inline]
    pub fn is_reached(&self, nodes: u64, every: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(every) && self.is_late()
    }
}
