//! All outcomes of an action with their probabilities.

use super::Game;
use super::action::{Action, IllegalAction};
use super::chance::{Chance, ScriptedChance};
use super::hand::Hand;
use crate::board::{Resource, Roll};

/// How [`Game::outcomes_with`] treats the discards on a 7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discards {
    /// Enumerates every combination of units that can be lost.
    All,
    /// Assumes a single outcome: the hand loses as many of these units as it has, and then units of its first resources.
    Assumed(Hand),
}

/// An iterator over the outcomes of an action and their probabilities. Made by [`Game::outcomes`].
///
/// Applies the action once for each outcome, with different choices of chance each time. The last choice varies fastest, like
/// the last wheel of an odometer.
#[derive(Clone, Debug)]
pub struct Outcomes {
    game: Game,
    action: Action,
    discards: Discards,
    /// The choices of the next outcome; `None` after the last outcome.
    next: Option<Vec<Branch>>,
}

/// One choice of chance: the alternative with number `number`, from 0, of `count` alternatives.
#[derive(Clone, Copy, Debug)]
struct Branch {
    number: u32,
    count: u32,
}

impl Game {
    /// Returns all outcomes of the action, each once, with its probability.
    ///
    /// The probabilities are positive and sum to 1. An action without chance has one outcome; a roll has 11 or more: on a 7, a hand of 10
    /// can be halved in up to 66 ways.
    ///
    /// # Errors
    /// Why the action is illegal.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::game::{Action, Game, Phase, Rules, Trades};
    /// use constructor::rng;
    /// let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(1)));
    /// while matches!(game.phase(), Phase::Setup(_)) {
    ///     let action = game.legal_actions(Trades::Off).nth(0).unwrap();
    ///     game = game.after(action).unwrap();
    /// }
    /// let outcomes: Vec<_> = game.outcomes(Action::Roll).unwrap().collect();
    /// assert_eq!(outcomes.len(), 11, "nobody has anything to discard yet");
    /// assert!((outcomes.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
    /// ```
    pub fn outcomes(&self, action: Action) -> Result<Outcomes, IllegalAction> {
        self.outcomes_with(action, Discards::All)
    }

    /// Returns the outcomes as [`Game::outcomes`] does, with a choice of how to treat discards.
    ///
    /// # Errors
    /// Why the action is illegal.
    pub fn outcomes_with(&self, action: Action, discards: Discards) -> Result<Outcomes, IllegalAction> {
        self.check(action)?;
        Ok(Outcomes { game: *self, action, discards, next: Some(Vec::new()) })
    }
}

impl Iterator for Outcomes {
    type Item = (Game, f64);

    fn next(&mut self) -> Option<(Game, f64)> {
        let branches = self.next.take()?;
        let mut chance = EnumeratedChance { branches, taken: 0, probability: 1.0, discards: self.discards };
        let mut after = self.game;
        after.apply_unchecked(self.action, &mut chance, |_| {});

        let mut branches = chance.branches;
        while let Some(last) = branches.pop() {
            if last.number + 1 < last.count {
                branches.push(Branch { number: last.number + 1, count: last.count });
                self.next = Some(branches);
                break;
            }
        }
        Some((after, chance.probability))
    }
}

/// Takes the given branches, and then the first branch of every further choice.
struct EnumeratedChance {
    branches: Vec<Branch>,
    taken: usize,
    probability: f64,
    discards: Discards,
}

impl EnumeratedChance {
    /// Returns the number of the next branch, below `count`.
    fn branch(&mut self, count: usize) -> usize {
        if self.taken == self.branches.len() {
            self.branches.push(Branch { number: 0, count: u32::try_from(count).unwrap_or(u32::MAX) });
        }
        let branch = self.branches[self.taken];
        self.taken += 1;
        branch.number as usize
    }
}

impl Chance for EnumeratedChance {
    fn roll(&mut self) -> Roll {
        let number = self.branch(Roll::COUNT);
        #[expect(clippy::cast_possible_truncation, reason = "below 11")]
        let number = number as u8;
        let roll = Roll::of_faces([1 + number.min(5), 1 + number.saturating_sub(5)]);
        self.probability *= roll.probability();
        roll
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        if let Discards::Assumed(discard) = self.discards {
            return ScriptedChance { roll: Roll::of_faces([1, 1]), discard, steal: Resource::Brick }
                .discard(held, count);
        }
        let all = sub_hands(held, count);
        let lost = all.get(self.branch(all.len())).copied().unwrap_or_default();
        let ways: f64 = Resource::ALL.map(|kind| binomial(held.count(kind), lost.count(kind))).iter().product();
        self.probability *= ways / binomial(held.total(), count);
        lost
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        let kinds: Vec<_> = held.iter().collect();
        if kinds.is_empty() {
            return None;
        }
        let &(resource, count) = kinds.get(self.branch(kinds.len()))?;
        self.probability *= f64::from(count) / f64::from(held.total());
        Some(resource)
    }
}

/// Returns all hands of `count` units out of `held`.
fn sub_hands(held: Hand, count: u32) -> Vec<Hand> {
    let mut all = vec![([0; Resource::COUNT], count)];
    let mut in_later = held.total();
    for resource in Resource::ALL {
        in_later -= held.count(resource);
        let extend = |(counts, left): ([u32; Resource::COUNT], u32)| {
            let min = left.saturating_sub(in_later);
            (min..=left.min(held.count(resource))).map(move |units| {
                let mut counts = counts;
                counts[resource.index()] = units;
                (counts, left - units)
            })
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all.into_iter().map(|(counts, _)| Hand::new(counts)).collect()
}

/// Returns the binomial coefficient `n` choose `k`.
fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_hands_are_complete_and_weighted_correctly() {
        let held = Hand::new([3, 0, 2, 5, 1]);
        let all = sub_hands(held, 5);
        assert!(all.iter().all(|hand| hand.total() == 5 && held.covers(*hand)));
        let mut different = all.clone();
        different.sort_by_key(|hand| hand.counts());
        different.dedup();
        assert_eq!(different.len(), all.len());
        let ways = |hand: &Hand| -> f64 {
            Resource::ALL.map(|kind| binomial(held.count(kind), hand.count(kind))).iter().product()
        };
        let sum: f64 = all.iter().map(ways).sum();
        assert!((sum - binomial(11, 5)).abs() < 1e-9);
        assert!((binomial(11, 5) - 462.0).abs() < 1e-9);
    }
}
