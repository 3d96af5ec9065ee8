//! Sequential halving: which of some actions is best, when each try says a little.

use std::time::Duration;

use rand::Rng;

use crate::game::Action;

/// How long a player may think about a decision.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// So many games are played out; the same on every machine.
    Playouts(u32),
    /// For so long.
    Time {
        /// How long.
        limit: Duration,
        /// The time that has passed since some moment.
        now: fn() -> Duration,
    },
}

/// An action, and what came of it so far.
struct Candidate {
    action: Action,
    /// By how much it came to more than the first candidate, in all tries, and the sum of the squares.
    gain: f64,
    squares: f64,
}

impl Candidate {
    /// How many standard errors it is better than the first candidate, after so many tries.
    fn evidence(&self, tries: f64) -> f64 {
        let variance = self.squares - self.gain * self.gain / tries;
        self.gain / variance.max(0.5).sqrt()
    }
}

/// The best of the actions: the first unless another is clearly better. Each round tries those that are left equally often,
/// and gives up half of them, those that come to less; so most tries are of those that are hard to tell apart (Zohar Karnin,
/// Tomer Koren and Oren Somekh, "Almost optimal exploration in multi-armed bandits", 2013). `try_out` tells what comes of an
/// action, 0 to 1, when chance goes by a number: all actions are tried with the same numbers (common random numbers), by
/// which what they differ in is seen sooner.
pub(super) fn best_of(
    actions: Vec<Action>,
    budget: Budget,
    random: &mut dyn Rng,
    mut try_out: impl FnMut(Action, u64) -> f64,
) -> Option<Action> {
    const CLEARLY: f64 = 0.5;
    let mut candidates: Vec<_> =
        actions.into_iter().map(|action| Candidate { action, gain: 0.0, squares: 0.0 }).collect();
    let first_seed = random.next_u64();
    let mut tries = 0_u32;
    let rounds = candidates.len().next_power_of_two().trailing_zeros();
    let clock = Stopwatch::begin(budget, rounds);
    for round in 1..=rounds {
        let mut times = 0;
        while clock.goes_on(round, times, candidates.len()) {
            sweep(&mut candidates, |action| try_out(action, first_seed ^ u64::from(tries)));
            times += 1;
            tries += 1;
        }
        // The first candidate stays; of the others the better half.
        candidates[1..].sort_by(|one, other| other.gain.total_cmp(&one.gain));
        candidates.truncate(1 + (candidates.len() - 1).div_ceil(2));
    }
    let (first, others) = candidates.split_first()?;
    let better = others.first().filter(|best| best.evidence(f64::from(tries)) > CLEARLY);
    Some(better.unwrap_or(first).action)
}

/// Tries each of the candidates once.
fn sweep(candidates: &mut [Candidate], mut try_out: impl FnMut(Action) -> f64) {
    let Some((first, others)) = candidates.split_first_mut() else { return };
    let value = try_out(first.action);
    for candidate in others {
        let gain = try_out(candidate.action) - value;
        candidate.gain += gain;
        candidate.squares += gain * gain;
    }
}

/// A budget that is being used up, the same share of it in each of some rounds.
pub(super) struct Stopwatch {
    budget: Budget,
    begun: Duration,
    rounds: u32,
}

impl Stopwatch {
    pub fn begin(budget: Budget, rounds: u32) -> Self {
        let begun = match budget {
            Budget::Playouts(_) => Duration::ZERO,
            Budget::Time { now, .. } => now(),
        };
        Self { budget, begun, rounds }
    }

    /// Whether so many actions can be tried once more in a round, counted from 1, in which they were tried so many times.
    /// Once they always can.
    pub fn goes_on(&self, round: u32, times: u32, actions: usize) -> bool {
        times == 0
            || match self.budget {
                Budget::Playouts(playouts) => {
                    (u64::from(times) + 1) * actions as u64 <= u64::from(playouts / self.rounds)
                }
                Budget::Time { limit, now } => now() < self.begun + limit * round / self.rounds,
            }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;

    thread_local! {
        static TIME: Cell<u64> = const { Cell::new(0) };
    }

    fn now() -> Duration {
        Duration::from_millis(TIME.get())
    }

    #[test]
    fn each_round_has_its_share_of_the_time() {
        TIME.set(100);
        let clock = Stopwatch::begin(Budget::Time { limit: Duration::from_millis(40), now }, 4);
        let of_rounds = [
            (100, 1, true),
            (109, 1, true),
            (110, 1, false),
            (111, 1, false),
            (110, 2, true),
            (120, 2, false),
            (125, 3, true),
            (130, 3, false),
            (139, 4, true),
            (140, 4, false),
        ];
        for (time, round, goes_on) in of_rounds {
            TIME.set(time);
            assert_eq!(clock.goes_on(round, 1, 3), goes_on, "after {time} ms, round {round}");
            assert!(clock.goes_on(round, 0, 3), "once there always is time");
        }
    }

    #[test]
    fn each_round_has_its_share_of_the_playouts() {
        let clock = Stopwatch::begin(Budget::Playouts(100), 3);
        for (times, actions, goes_on) in [(0, 40, true), (1, 16, true), (1, 17, false), (2, 11, true), (2, 12, false)] {
            assert_eq!(clock.goes_on(1, times, actions), goes_on, "{actions} actions, {times} times");
        }
    }

    #[test]
    fn the_first_stays_unless_another_is_clearly_better() {
        let chosen = |gains: [f64; 8]| {
            let mut tried = 0;
            let try_out = |action: Action, _: u64| {
                tried += 1;
                if action == Action::Roll { 0.0 } else { gains[tried / 2 - 1] }
            };
            best_of(vec![Action::Roll, Action::EndTurn], Budget::Playouts(16), &mut SmallRng::seed_from_u64(0), try_out)
        };
        // Two more in eight tries, with a variance of 16 for all of them: a half of a standard error, and no more.
        let gains = [2.0, 2.0, -2.0, -1.5, 1.5, 0.0, 0.0, 0.0];
        assert_eq!(chosen(gains), Some(Action::Roll));
        assert_eq!(chosen(gains.map(|gain| gain + 0.001)), Some(Action::EndTurn));
        assert_eq!(chosen([-1.0; 8]), Some(Action::Roll));
    }
}
