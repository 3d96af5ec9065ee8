//! The budget of a player for each decision, and the signal that interrupts its thinking.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limit of a player's thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The number of playouts for a decision. Decisions are then the same on every machine.
    Playouts(u32),
    /// The time for a decision.
    Time(Duration),
}

/// How long a player may think about each decision, and a signal that interrupts it.
///
/// ```
/// use std::time::Duration;
/// use constructor::players::Budget;
/// let budget = Budget::time(Duration::from_millis(50));
/// let stop = budget.stop_signal();
/// stop.stop();
/// assert!(budget.is_stopped(), "also from another thread");
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limit: Limit,
    threads: NonZeroUsize,
    stop: StopSignal,
}

impl Budget {
    /// Makes a budget with this limit.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self { limit, threads: NonZeroUsize::MIN, stop: StopSignal::default() }
    }

    /// Makes a budget of a number of playouts for each decision.
    #[must_use]
    pub fn playouts(playouts: u32) -> Self {
        Self::new(Limit::Playouts(playouts))
    }

    /// Makes a budget of a time for each decision.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self::new(Limit::Time(time))
    }

    /// Returns the same budget with another stop signal, so that several budgets are interrupted together.
    #[must_use]
    pub fn with_stop_signal(self, stop: StopSignal) -> Self {
        Self { stop, ..self }
    }

    /// Returns the same budget, except that this many threads think about each decision at the same time. The default is one thread.
    ///
    /// Several threads share the playouts, and decisions depend on the number of threads.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Returns the number of threads.
    #[must_use]
    pub const fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// Returns the limit.
    #[must_use]
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the signal that interrupts players with this budget.
    #[must_use]
    pub fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Returns whether the players with this budget are interrupted.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }
}

/// Interrupts thinking players: they then immediately return their best action so far. Clones share the signal.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Interrupts the players.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets the players think again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the players are interrupted.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The state of a budget while it is spent on one decision. Each round gets an equal share of the budget.
pub(super) struct Stopwatch<'b> {
    budget: &'b Budget,
    start: Instant,
    rounds: u32,
}

impl<'b> Stopwatch<'b> {
    pub fn start(budget: &'b Budget, rounds: u32) -> Self {
        Self { budget, start: Instant::now(), rounds }
    }

    /// Returns whether the budget allows one more playout of every arm in this round (from 1). There are `arms` arms, and each has had
    /// `played` playouts in this round.
    ///
    /// The first playout of a round is always allowed, unless the player is interrupted.
    pub fn has_budget_for(&self, round: u32, played: u32, arms: usize) -> bool {
        let elapsed = match self.budget.limit {
            Limit::Playouts(_) => Duration::ZERO,
            Limit::Time(_) => self.start.elapsed(),
        };
        !self.budget.is_stopped()
            && (played == 0 || self.budget.limit.allows(round, self.rounds, played, arms, elapsed))
    }
}

impl Limit {
    /// Returns the number of playouts; `None` if the limit is a time.
    #[must_use]
    pub const fn playouts(self) -> Option<u32> {
        if let Self::Playouts(playouts) = self { Some(playouts) } else { None }
    }

    /// Returns the time in milliseconds; `None` if the limit is a number of playouts.
    #[must_use]
    pub fn milliseconds(self) -> Option<u64> {
        if let Self::Time(time) = self { u64::try_from(time.as_millis()).ok() } else { None }
    }

    /// Returns whether this round (from 1) has budget left. Each of the `rounds` rounds has an equal share of the playouts, or ends at its
    /// share of the time.
    fn allows(self, round: u32, rounds: u32, played: u32, arms: usize, elapsed: Duration) -> bool {
        match self {
            Self::Playouts(playouts) => (u64::from(played) + 1) * arms as u64 <= u64::from(playouts / rounds),
            Self::Time(time) => elapsed < time * round / rounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_gives_each_round_its_share_of_the_time() {
        let limit = Limit::Time(Duration::from_millis(40));
        for (elapsed, round, allowed) in [
            (0, 1, true),
            (9, 1, true),
            (10, 1, false),
            (11, 1, false),
            (10, 2, true),
            (20, 2, false),
            (25, 3, true),
            (30, 3, false),
            (39, 4, true),
            (40, 4, false),
        ] {
            assert_eq!(
                limit.allows(round, 4, 1, 3, Duration::from_millis(elapsed)),
                allowed,
                "{elapsed} ms, round {round}"
            );
        }
    }

    #[test]
    fn stopwatch_gives_each_round_its_share_of_the_playouts() {
        let budget = Budget::playouts(100);
        let stopwatch = Stopwatch::start(&budget, 3);
        for (played, arms, allowed) in [(0, 40, true), (1, 16, true), (1, 17, false), (2, 11, true), (2, 12, false)] {
            assert_eq!(stopwatch.has_budget_for(1, played, arms), allowed, "{arms} arms, {played} playouts");
        }
        budget.stop_signal().stop();
        assert!(!stopwatch.has_budget_for(1, 0, 1), "interrupted");
    }
}
