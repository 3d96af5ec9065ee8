//! Sequential halving: a bandit algorithm that finds the best of several actions by noisy trials.

use std::sync::{Mutex, PoisonError};

use constructor_common::threads::parallel_map;
use rand::Rng;

use super::budget::{Budget, Stopwatch};
use crate::game::Action;

/// An action that a search has tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TriedAction {
    /// The action.
    pub action: Action,
    /// How many times it was tried.
    pub trials: u32,
    /// The mean of its rewards: the estimated chance to win, 0 to 1.
    pub value: f64,
}

/// An action, with statistics of the differences between its rewards and those of the first arm in the same trials.
#[derive(Clone, Debug)]
struct Arm {
    action: Action,
    trials: u32,
    /// The sum of the rewards.
    sum: f64,
    /// The sum of the differences, and the sum of their squares.
    gain: f64,
    squares: f64,
}

impl Arm {
    const fn new(action: Action) -> Self {
        Self { action, trials: 0, sum: 0.0, gain: 0.0, squares: 0.0 }
    }

    fn tried(&self) -> TriedAction {
        TriedAction { action: self.action, trials: self.trials, value: self.sum / f64::from(self.trials.max(1)) }
    }

    /// Returns by how many standard errors the arm is better than the first one, after this many trials.
    fn z_score(&self, trials: f64) -> f64 {
        let variance = self.squares - self.gain * self.gain / trials;
        self.gain / variance.max(0.5).sqrt()
    }
}

/// Returns the best action: the first one, unless another is better by [`MIN_Z`] standard errors.
///
/// Returns `None` if there are no actions. Adds all of them to `tried`, the first one first.
///
/// Each round tries all remaining arms equally often and then drops the worse half, so most trials go to arms that are hard to tell apart.
/// (Zohar Karnin, Tomer Koren and Oren Somekh, "Almost optimal exploration in multi-armed bandits", 2013.)
///
/// `try_action` makes one trial with a searcher, an action and a seed, and returns the reward of the action, 0 to 1. All arms are tried
/// with the same seeds (common random numbers), which reduces the variance of their differences. If the budget has several threads, each
/// thread has a clone of the searcher, and the threads share the trials of a round.
pub(super) fn sequential_halving<S: Clone + Send>(
    searcher: &mut S,
    actions: Vec<Action>,
    budget: &Budget,
    rng: &mut dyn Rng,
    tried: &mut Vec<TriedAction>,
    try_action: impl Fn(&mut S, Action, u64) -> f64 + Sync,
) -> Option<Action> {
    let mut arms: Vec<_> = actions.into_iter().map(Arm::new).collect();
    let first_seed = rng.next_u64();
    let threads = budget.threads();
    let clones: Vec<Mutex<S>> = match threads.get() {
        1 => Vec::new(),
        count => (0..count).map(|_| Mutex::new(searcher.clone())).collect(),
    };
    // The number of trials so far, and the number of the first trial of this round.
    let (mut trials, mut first) = (0_u32, 0_u32);
    let rounds = arms.len().next_power_of_two().trailing_zeros();
    let stopwatch = Stopwatch::start(budget, rounds);
    for round in 1..=rounds {
        let pull = |searcher: &mut S, mut arms: Vec<Arm>, thread: usize| {
            let mut in_round = 0;
            while stopwatch.has_budget_for(round, in_round, arms.len() * threads.get()) {
                let trial = u64::from(first) + (u64::from(in_round) * threads.get() as u64) + thread as u64;
                pull_all(&mut arms, |action| try_action(searcher, action, first_seed ^ trial));
                in_round += 1;
            }
            (arms, in_round)
        };
        let pulled = if clones.is_empty() {
            vec![pull(searcher, arms, 0)]
        } else {
            // Thread 0 continues the running sums; the sums of the other threads start at zero.
            let fresh = |arm: &Arm| Arm::new(arm.action);
            let started = |thread: usize| if thread == 0 { arms.clone() } else { arms.iter().map(fresh).collect() };
            parallel_map(threads, |thread| {
                pull(&mut clones[thread].lock().unwrap_or_else(PoisonError::into_inner), started(thread), thread)
            })
        };
        let longest = pulled.iter().map(|&(_, in_round)| in_round).max().unwrap_or(0);
        trials += pulled.iter().map(|&(_, in_round)| in_round).sum::<u32>();
        first += longest * u32::try_from(threads.get()).unwrap_or(u32::MAX);
        let merged = pulled.into_iter().map(|(arms, _)| arms).reduce(|mut sums, more| {
            for (sum, more) in sums.iter_mut().zip(more) {
                sum.trials += more.trials;
                sum.sum += more.sum;
                sum.gain += more.gain;
                sum.squares += more.squares;
            }
            sums
        });
        arms = merged?;
        // Keeps the first arm and the better half of the others.
        arms[1..].sort_by(|one, other| other.gain.total_cmp(&one.gain));
        tried.extend(arms.drain(1 + (arms.len() - 1).div_ceil(2)..).map(|arm| arm.tried()));
    }
    tried.extend(arms.iter().map(Arm::tried));
    tried.rotate_right(arms.len());
    let (first, others) = arms.split_first()?;
    let better = others.first().filter(|best| trials > 0 && best.z_score(f64::from(trials)) > MIN_Z);
    Some(better.unwrap_or(first).action)
}

/// Another action is chosen instead of the first one only if it is better by more than this number of standard errors.
const MIN_Z: f64 = 0.5;

/// Tries each arm once.
fn pull_all(arms: &mut [Arm], mut try_action: impl FnMut(Action) -> f64) {
    let Some((first, others)) = arms.split_first_mut() else { return };
    let reward = try_action(first.action);
    first.trials += 1;
    first.sum += reward;
    for arm in others {
        let own = try_action(arm.action);
        let gain = own - reward;
        arm.trials += 1;
        arm.sum += own;
        arm.gain += gain;
        arm.squares += gain * gain;
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;

    #[test]
    fn sequential_halving_keeps_the_first_unless_another_is_clearly_better() {
        let chosen = |gains: [f64; 8]| {
            let mut tried = 0;
            let try_action = |tried: &mut usize, action: Action, _: u64| {
                *tried += 1;
                if action == Action::Roll { 0.0 } else { gains[*tried / 2 - 1] }
            };
            let (actions, budget) = (vec![Action::Roll, Action::EndTurn], Budget::playouts(16));
            sequential_halving(
                &mut tried,
                actions,
                &budget,
                &mut SmallRng::seed_from_u64(0),
                &mut Vec::new(),
                try_action,
            )
        };
        // A sum of 2 in eight trials, with a variance of 16 for the sum: exactly half a standard error.
        let gains = [2.0, 2.0, -2.0, -1.5, 1.5, 0.0, 0.0, 0.0];
        assert_eq!(chosen(gains), Some(Action::Roll));
        assert_eq!(chosen(gains.map(|gain| gain + 0.001)), Some(Action::EndTurn));
        assert_eq!(chosen([-1.0; 8]), Some(Action::Roll));
    }

    #[test]
    fn interrupted_sequential_halving_returns_the_first() {
        let budget = Budget::playouts(16);
        budget.stop_signal().stop();
        let actions = vec![Action::Roll, Action::EndTurn];
        let never = |(): &mut (), _, _| unreachable!();
        let chosen =
            sequential_halving(&mut (), actions, &budget, &mut SmallRng::seed_from_u64(0), &mut Vec::new(), never);
        assert_eq!(chosen, Some(Action::Roll));
    }

    /// Checks that, in total, three threads try each action equally often, and that no two trials of an action have the same seed.
    #[test]
    fn threads_share_the_trials() {
        for threads in 1..=3 {
            let seen = Mutex::new(Vec::new());
            let try_action = |(): &mut (), action: Action, seed: u64| {
                seen.lock().unwrap_or_else(PoisonError::into_inner).push((action, seed));
                if action == Action::Refuse { 1.0 } else { 0.0 }
            };
            let actions = vec![Action::Roll, Action::EndTurn, Action::Refuse, Action::Accept];
            let budget = Budget::playouts(96).with_threads(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
            let chosen = sequential_halving(
                &mut (),
                actions,
                &budget,
                &mut SmallRng::seed_from_u64(0),
                &mut Vec::new(),
                try_action,
            );
            assert_eq!(chosen, Some(Action::Refuse));
            let mut seen = seen.into_inner().unwrap_or_default();
            // Two rounds of 48: four arms 12 times, then three arms, the first and the better two of the others, 16 times.
            assert_eq!(seen.len(), if threads == 3 { 48 + 45 } else { 96 }, "{threads} threads");
            seen.sort_by_key(|&(action, seed)| (action.index(), seed));
            let all = seen.len();
            seen.dedup();
            assert_eq!(seen.len(), all, "{threads} threads");
            let of = |action| seen.iter().filter(|(tried, _)| *tried == action).count();
            assert_eq!(of(Action::Roll), of(Action::Refuse));
        }
    }
}
