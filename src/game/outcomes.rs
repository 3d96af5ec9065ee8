//! Everything that chance can make of an action, one outcome after the other.

use super::Game;
use super::action::{Action, Illegal};
use super::chance::Chance;
use super::hand::Hand;
use crate::board::{Resource, Roll};

/// What an action can lead to, each with its probability. Made by [`Game::outcomes`].
///
/// The action is done once for each outcome, every time with other answers to what the rules ask of chance: the last
/// answer is changed first, like the last wheel of an odometer.
#[derive(Clone, Debug)]
pub struct Outcomes {
    game: Game,
    action: Action,
    /// The answers that are given next, unless all have been given.
    next: Option<Vec<Answer>>,
}

/// One answer of chance: which of how many.
#[derive(Clone, Copy, Debug)]
struct Answer {
    number: u32,
    of: u32,
}

impl Game {
    /// Everything that can come of the action, each outcome once, with its probability above 0. The probabilities add
    /// up to 1. There are many when hands are halved: up to 66 for a hand of 10, and as many for each other such hand.
    ///
    /// # Errors
    /// Why the rules do not allow the action.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Action, Drawn, Game, Phase, Trades};
    /// use constructor::random;
    /// let mut draws = random::seeded(1);
    /// let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    /// while matches!(game.phase(), Phase::Setup(_)) {
    ///     let action = game.actions(Trades::Off).nth(0).unwrap();
    ///     game.apply(action, &mut Drawn(&mut draws), |_| {}).unwrap();
    /// }
    /// let outcomes: Vec<_> = game.outcomes(Action::Roll).unwrap().collect();
    /// assert_eq!(outcomes.len(), 11, "nobody has anything to lose yet");
    /// assert!((outcomes.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
    /// ```
    pub fn outcomes(&self, action: Action) -> Result<Outcomes, Illegal> {
        self.check(action)?;
        Ok(Outcomes { game: *self, action, next: Some(Vec::new()) })
    }
}

impl Iterator for Outcomes {
    type Item = (Game, f64);

    fn next(&mut self) -> Option<(Game, f64)> {
        let answers = self.next.take()?;
        let mut chance = Tried { answers, asked: 0, probability: 1.0 };
        let mut after = self.game;
        after.apply_unchecked(self.action, &mut chance, |_| {});

        let mut answers = chance.answers;
        while let Some(last) = answers.pop() {
            if last.number + 1 < last.of {
                answers.push(Answer { number: last.number + 1, of: last.of });
                self.next = Some(answers);
                break;
            }
        }
        Some((after, chance.probability))
    }
}

/// Chance that gives the answers it was told to give, and then the first of those that there are.
struct Tried {
    answers: Vec<Answer>,
    asked: usize,
    probability: f64,
}

impl Tried {
    /// The number of the next answer, one of so many.
    fn answer(&mut self, of: u32) -> u32 {
        if self.asked == self.answers.len() {
            self.answers.push(Answer { number: 0, of });
        }
        let answer = self.answers[self.asked];
        self.asked += 1;
        answer.number
    }
}

impl Chance for Tried {
    fn roll(&mut self) -> Roll {
        const ROLLS: u8 = 11;
        let number = self.answer(ROLLS.into());
        let pips = |number| {
            #[expect(clippy::cast_possible_truncation, reason = "a number below 11")]
            let number = number as u8;
            [number.min(5), number.saturating_sub(5)]
        };
        let [first, second] = pips(number);
        let roll = Roll::of_dice(first, second);
        self.probability *= roll.probability();
        roll
    }

    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        let all = parts(held, count);
        let number = self.answer(u32::try_from(all.len()).unwrap_or(u32::MAX));
        let lost = all.get(number as usize).copied().unwrap_or_default();
        let ways: f64 = Resource::ALL.map(|kind| choose(held.count(kind), lost.count(kind))).iter().product();
        self.probability *= ways / choose(held.total(), count);
        lost
    }

    fn taken(&mut self, held: Hand) -> Option<Resource> {
        let kinds: Vec<_> = held.iter().collect();
        if kinds.is_empty() {
            return None;
        }
        let number = self.answer(u32::try_from(kinds.len()).unwrap_or(u32::MAX));
        let &(resource, count) = kinds.get(number as usize)?;
        self.probability *= f64::from(count) / f64::from(held.total());
        Some(resource)
    }
}

/// Every part of what is held with this total.
fn parts(held: Hand, count: u32) -> Vec<Hand> {
    let mut all = vec![([0; Resource::COUNT], count)];
    let mut above = held.total();
    for resource in Resource::ALL {
        above -= held.count(resource);
        let more = |(part, left): ([u32; Resource::COUNT], u32)| {
            let least = left.saturating_sub(above);
            (least..=left.min(held.count(resource))).map(move |here| {
                let mut part = part;
                part[resource.index()] = here;
                (part, left - here)
            })
        };
        all = all.into_iter().flat_map(more).collect();
    }
    all.into_iter().map(|(part, _)| Hand::new(part)).collect()
}

/// In how many ways so many can be chosen from all.
fn choose(all: u32, count: u32) -> f64 {
    (0..count).map(|chosen| f64::from(all - chosen) / f64::from(chosen + 1)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_there_and_likely_as_they_should_be() {
        let held = Hand::new([3, 0, 2, 5, 1]);
        let all = parts(held, 5);
        assert!(all.iter().all(|part| part.total() == 5 && held.covers(*part)));
        let mut different = all.clone();
        different.sort_by_key(|part| part.counts());
        different.dedup();
        assert_eq!(different.len(), all.len());
        let ways = |part: &Hand| -> f64 {
            Resource::ALL.map(|kind| choose(held.count(kind), part.count(kind))).iter().product()
        };
        let sum: f64 = all.iter().map(ways).sum();
        assert!((sum - choose(11, 5)).abs() < 1e-9);
        assert!((choose(11, 5) - 462.0).abs() < 1e-9);
    }
}
