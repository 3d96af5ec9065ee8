//! A player who plays the game to its end many times before deciding.

use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::greedy::{Greedy, useful_offers};
use super::{Linear, Player};
use crate::board::{Resource, Roll};
use crate::game::{Action, Actions, Builder, Chance, Game, Hand, Quick, Trades};

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

/// Chooses by playing the game out many times for each action that it can do, itself as a [`Linear`] player and the others
/// as [`Greedy`] ones. By sequential halving the actions that win less are given up, half of them in each round, so that
/// most games are played for those that are hard to tell apart (Zohar Karnin, Tomer Koren and Oren Somekh, "Almost
/// optimal exploration in multi-armed bandits", 2013). All actions are tried with the same chances (common random
/// numbers), by which what they differ in is seen sooner. What the linear player would do is done unless something else is
/// clearly better.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    budget: Budget,
    own: Linear,
    others: Greedy,
    /// How many trades were offered since the dice were rolled.
    offers: u32,
}

/// An action, and what came of it so far.
struct Candidate {
    action: Action,
    /// By how much it came to more than the first candidate, in all games, and the sum of the squares.
    gain: f64,
    squares: f64,
}

impl Candidate {
    /// How many standard errors it is better than the first candidate, after so many games.
    fn evidence(&self, games: f64) -> f64 {
        let variance = self.squares - self.gain * self.gain / games;
        self.gain / variance.max(0.5).sqrt()
    }
}

impl MonteCarlo {
    /// A player who may think for so long about each decision.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Game, Trades};
    /// use constructor::players::{Budget, MonteCarlo, Player};
    /// use constructor::random;
    /// let mut draws = random::seeded(0);
    /// let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    /// let action = MonteCarlo::new(Budget::Playouts(100)).choose(&game, &game.actions(Trades::Off), &mut draws);
    /// assert_eq!(game.check(action.unwrap()), Ok(()));
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, own: Linear::default(), others: Greedy::default(), offers: 0 }
    }

    /// How likely the builder who is to act is to win after each of the actions that are worth trying, 0 to 1, the best
    /// first. All are tried equally often.
    pub fn rate(&mut self, game: &Game, actions: &Actions, random: &mut dyn Rng) -> Vec<(Action, f64)> {
        let Some(builder) = game.to_act() else { return Vec::new() };
        let tried = self.candidates(game, actions, builder);
        let mut wins = vec![0.0; tried.len()];
        let first_seed = random.next_u64();
        let clock = Stopwatch::begin(self.budget, 1);
        let mut games = 0;
        while clock.goes_on(1, games, tried.len()) {
            for (wins, &action) in wins.iter_mut().zip(&tried) {
                *wins += self.play_out(game, action, builder, first_seed ^ u64::from(games));
            }
            games += 1;
        }
        let mut rated: Vec<_> =
            tried.into_iter().zip(wins).map(|(action, wins)| (action, wins / f64::from(games))).collect();
        rated.sort_by(|one, other| other.1.total_cmp(&one.1));
        rated
    }

    /// The actions that are worth trying, that of the linear player first.
    fn candidates(&mut self, game: &Game, actions: &Actions, builder: Builder) -> Vec<Action> {
        const MOST_OFFERS: u32 = 2;
        let mut tried = self.others.best(game, actions, builder);
        if let Some(first) = self.own.decide(game, actions) {
            tried.retain(|&action| action != first);
            tried.insert(0, first);
        }
        if actions.lists_offers() && self.offers < MOST_OFFERS {
            tried.extend(useful_offers(game, builder));
        }
        tried
    }

    /// 1 if the builder wins after the action, and 0 otherwise.
    fn play_out(&mut self, game: &Game, action: Action, builder: Builder, seed: u64) -> f64 {
        const MOST_TURNS: u32 = 400;
        let mut chance = SameDice::of(seed);
        let mut game = *game;
        game.apply_unchecked(action, &mut chance, |_| {});
        let mut turns = 0;
        while turns < MOST_TURNS
            && let Some(action) = self.go_on(&game, builder)
        {
            game.apply_unchecked(action, &mut chance, |_| {});
            turns += u32::from(action == Action::EndTurn);
        }
        f64::from(u8::from(game.winner() == Some(builder)))
    }

    #[inline]
    fn go_on(&mut self, game: &Game, builder: Builder) -> Option<Action> {
        let acting = game.to_act()?;
        let actions = game.actions(Trades::Off);
        actions.only().or_else(|| {
            if acting == builder { self.own.decide(game, &actions) } else { self.others.decide(game, &actions) }
        })
    }

    /// Tries each of the candidates once, with the same chances.
    fn sweep(&mut self, game: &Game, candidates: &mut [Candidate], builder: Builder, seed: u64) {
        let Some((first, others)) = candidates.split_first_mut() else { return };
        let value = self.play_out(game, first.action, builder, seed);
        for candidate in others {
            let gain = self.play_out(game, candidate.action, builder, seed) - value;
            candidate.gain += gain;
            candidate.squares += gain * gain;
        }
    }
}

/// A budget that is being used up, the same share of it in each of some rounds.
struct Stopwatch {
    budget: Budget,
    begun: Duration,
    rounds: u32,
}

impl Stopwatch {
    fn begin(budget: Budget, rounds: u32) -> Self {
        let begun = match budget {
            Budget::Playouts(_) => Duration::ZERO,
            Budget::Time { now, .. } => now(),
        };
        Self { budget, begun, rounds }
    }

    /// Whether so many actions can be tried once more in a round, counted from 1, in which they were tried so many times.
    /// Once they always can.
    fn goes_on(&self, round: u32, times: u32, actions: usize) -> bool {
        times == 0
            || match self.budget {
                Budget::Playouts(playouts) => {
                    (u64::from(times) + 1) * actions as u64 <= u64::from(playouts / self.rounds)
                }
                Budget::Time { limit, now } => now() < self.begun + limit * round / self.rounds,
            }
    }
}

/// Chance whose dice do not depend on what else was drawn: so they fall the same in games that have gone other ways.
struct SameDice {
    dice: Xoshiro256PlusPlus,
    rest: Xoshiro256PlusPlus,
}

impl SameDice {
    fn of(seed: u64) -> Self {
        let generator = Xoshiro256PlusPlus::seed_from_u64;
        Self { dice: generator(seed), rest: generator(!seed) }
    }
}

impl Chance for SameDice {
    #[inline]
    fn roll(&mut self) -> Roll {
        Quick(&mut self.dice).roll()
    }

    #[inline]
    fn lost(&mut self, held: Hand, count: u32) -> Hand {
        Quick(&mut self.rest).lost(held, count)
    }

    #[inline]
    fn taken(&mut self, held: Hand) -> Option<Resource> {
        Quick(&mut self.rest).taken(held)
    }
}

impl Player for MonteCarlo {
    fn choose(&mut self, game: &Game, actions: &Actions, random: &mut dyn Rng) -> Option<Action> {
        const CLEARLY: f64 = 0.5;
        let builder = game.to_act()?;
        let tried = self.candidates(game, actions, builder).into_iter();
        let mut candidates: Vec<_> = tried.map(|action| Candidate { action, gain: 0.0, squares: 0.0 }).collect();
        let first_seed = random.next_u64();
        let mut games = 0_u32;
        let rounds = candidates.len().next_power_of_two().trailing_zeros();
        let clock = Stopwatch::begin(self.budget, rounds);
        for round in 1..=rounds {
            let mut times = 0;
            while clock.goes_on(round, times, candidates.len()) {
                self.sweep(game, &mut candidates, builder, first_seed ^ u64::from(games));
                times += 1;
                games += 1;
            }
            // The first candidate stays; of the others the better half.
            candidates[1..].sort_by(|one, other| other.gain.total_cmp(&one.gain));
            candidates.truncate(1 + (candidates.len() - 1).div_ceil(2));
        }
        let (first, others) = candidates.split_first()?;
        let better = others.first().filter(|best| best.evidence(f64::from(games)) > CLEARLY);
        let chosen = better.unwrap_or(first).action;
        self.offers += u32::from(matches!(chosen, Action::Offer { .. }));
        Some(chosen)
    }

    fn begin_turn(&mut self) {
        self.offers = 0;
    }
}
