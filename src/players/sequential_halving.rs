//! Sequential halving: a bandit algorithm that finds the best of several actions by noisy trials.

use rand::Rng;

use super::budget::{Budget, Stopwatch};
use crate::game::Action;

/// An action and the differences of its rewards to those of the first arm in the same trials.
struct Arm {
    action: Action,
    /// The sum of the differences, and the sum of their squares.
    gain: f64,
    squares: f64,
}

impl Arm {
    /// By how many standard errors the arm is better than the first one, after this many trials.
    fn z_score(&self, trials: f64) -> f64 {
        let variance = self.squares - self.gain * self.gain / trials;
        self.gain / variance.max(0.5).sqrt()
    }
}

/// The best action: the first one, unless another is better by [`MIN_Z`] standard errors. `None` for no actions.
///
/// Each round tries all arms that are left equally often and drops the worse half, so most trials go to arms that are hard to
/// tell apart. (Zohar Karnin, Tomer Koren and Oren Somekh, "Almost optimal exploration in multi-armed bandits", 2013.)
///
/// `try_action` returns the reward of an action, 0 to 1, in a trial with this seed. All arms are tried with the same seeds
/// (common random numbers), which reduces the variance of their differences.
pub(super) fn sequential_halving(
    actions: Vec<Action>,
    budget: &Budget,
    rng: &mut dyn Rng,
    mut try_action: impl FnMut(Action, u64) -> f64,
) -> Option<Action> {
    let mut arms: Vec<_> = actions.into_iter().map(|action| Arm { action, gain: 0.0, squares: 0.0 }).collect();
    let first_seed = rng.next_u64();
    let mut trials = 0_u32;
    let rounds = arms.len().next_power_of_two().trailing_zeros();
    let stopwatch = Stopwatch::start(budget, rounds);
    for round in 1..=rounds {
        let mut in_round = 0;
        while stopwatch.has_budget_for(round, in_round, arms.len()) {
            pull_all(&mut arms, |action| try_action(action, first_seed ^ u64::from(trials)));
            in_round += 1;
            trials += 1;
        }
        // Keeps the first arm and the better half of the others.
        arms[1..].sort_by(|one, other| other.gain.total_cmp(&one.gain));
        arms.truncate(1 + (arms.len() - 1).div_ceil(2));
    }
    let (first, others) = arms.split_first()?;
    let better = others.first().filter(|best| trials > 0 && best.z_score(f64::from(trials)) > MIN_Z);
    Some(better.unwrap_or(first).action)
}

/// How much better than the prior's action another must be, in standard errors.
const MIN_Z: f64 = 0.5;

/// Tries each arm once.
fn pull_all(arms: &mut [Arm], mut try_action: impl FnMut(Action) -> f64) {
    let Some((first, others)) = arms.split_first_mut() else { return };
    let reward = try_action(first.action);
    for arm in others {
        let gain = try_action(arm.action) - reward;
        arm.gain += gain;
        arm.squares += gain * gain;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;

    #[test]
    fn sequential_halving_keeps_the_first_unless_another_is_clearly_better() {
        let chosen = |gains: [f64; 8]| {
            let mut tried = 0;
            let try_action = |action: Action, _: u64| {
                tried += 1;
                if action == Action::Roll { 0.0 } else { gains[tried / 2 - 1] }
            };
            let actions = vec![Action::Roll, Action::EndTurn];
            sequential_halving(actions, &Budget::playouts(16), &mut SmallRng::seed_from_u64(0), try_action)
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
        let chosen = sequential_halving(actions, &budget, &mut SmallRng::seed_from_u64(0), |_, _| unreachable!());
        assert_eq!(chosen, Some(Action::Roll));
    }
}
