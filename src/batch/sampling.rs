//! Drawing actions.

use super::Batch;
use crate::game::{Action, ActionMask};
use crate::rng::split_mix64;

/// The bits of the batch's seed that are flipped to make the seed of sampled actions.
const SEED: u64 = 0x6a09_e667_f3bc_c908;

impl Batch {
    /// Returns the seed of the draws of all slots, which is different each time.
    fn draw(&mut self) -> u64 {
        self.draws = self.draws.wrapping_add(1);
        split_mix64(self.seed ^ SEED, self.draws)
    }

    /// Draws a legal action for each slot, all with the same probability.
    ///
    /// The draw depends on the seed, the slot, and the number of draws before.
    pub fn sample_actions(&mut self, actions: &mut [i64]) {
        let seed = self.draw();
        for ((slot, action), legal) in (0..).zip(actions).zip(&self.legal) {
            let count: u32 = legal.iter().map(|word| word.count_ones()).sum();
            let left = (u128::from(split_mix64(seed, slot)) * u128::from(count)) >> 64;
            let drawn = usize::try_from(left).ok().and_then(|left| indices(legal).nth(left));
            *action = drawn.map_or(0, number);
        }
    }

    /// Draws a legal action for each slot: with `is_greedy` the one with the greatest logit, otherwise by the softmax of the logits.
    ///
    /// `logits` has a row of [`Action::COUNT`] for each slot. A logit of minus infinity forbids an action.
    ///
    /// # Errors
    /// The slot where a legal action's logit is not a number, or where none is finite.
    pub fn sample_by_logits(&mut self, logits: &[f32], is_greedy: bool, actions: &mut [i64]) -> Result<(), usize> {
        let seed = self.draw();
        let mut weights = [0.0; Action::COUNT];
        for (slot, ((action, legal), logits)) in
            actions.iter_mut().zip(&self.legal).zip(logits.as_chunks::<{ Action::COUNT }>().0).enumerate()
        {
            let (mut best, mut greatest, mut has_nan) = (0, f32::NEG_INFINITY, false);
            for index in indices(legal) {
                let logit = logits[index];
                has_nan |= logit.is_nan();
                if logit > greatest {
                    (best, greatest) = (index, logit);
                }
            }
            if has_nan || !greatest.is_finite() {
                return Err(slot);
            }
            *action = number(best);
            if !is_greedy {
                let mut sum = 0.0;
                for (weight, index) in weights.iter_mut().zip(indices(legal)) {
                    sum += (logits[index] - greatest).exp();
                    *weight = sum;
                }
                #[expect(clippy::cast_precision_loss, reason = "24 bits")]
                let drawn = (split_mix64(seed, slot as u64) >> 40) as f32 / (1_u64 << 24) as f32 * sum;
                let found = weights.iter().zip(indices(legal)).find(|(weight, _)| drawn < **weight);
                *action = number(found.map_or(best, |(_, index)| index));
            }
        }
        Ok(())
    }
}

/// Yields the indices of the legal actions in ascending order.
#[inline]
fn indices(legal: &[u64; ActionMask::WORDS]) -> impl Iterator<Item = usize> {
    legal.iter().enumerate().flat_map(|(number, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(64 * number + bit)
        })
    })
}

fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(0)
}
