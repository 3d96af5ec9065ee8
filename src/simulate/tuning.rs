//! Weights of the linear player, made better by playing.

use std::num::NonZeroUsize;

use rand_chacha::ChaCha8Rng;

use super::spread;
use super::workers::in_threads;
use crate::board::{LayoutSource, RandomLayout};
use crate::edition::Edition;
use crate::game::{Action, Builder, Drawn, Game, Trades};
use crate::players::{Linear, Model, Player, Weights, decide};
use crate::random;

/// How weights are tuned: each round looks for the direction in which they win more games, and goes a step there if that does
/// win more on other boards. For the direction, all weights are moved at once by chance, there and back, many times, and each
/// such move counts by how many more games it won there. (James Spall, "Multivariate stochastic approximation using a
/// simultaneous perturbation gradient approximation", 1992.)
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Whose rules are played.
    pub edition: &'static Edition,
    /// Whether the weights of all features are tuned, for playing games out, against greedy players on half of the boards and
    /// normal ones on the others; otherwise those of the normal player, against greedy ones.
    pub plans: bool,
    /// From which the boards, the dice and the changes of all rounds are made.
    pub seed: u64,
    /// How many boards are played in a round, each from all four seats and with the weights of before and after; and for each of
    /// the [moves](Self::MOVES) an eighth of that, with the weights moved there and back.
    pub boards: u64,
    /// How many threads play.
    pub threads: NonZeroUsize,
}

/// What came of a round.
#[derive(Clone, Debug)]
pub struct Round {
    /// The changed weights.
    pub changed: Weights,
    /// How many games they won.
    pub wins: u64,
    /// How many games were won on the same boards without the change.
    pub wins_before: u64,
    /// How many games each of them played.
    pub games: u64,
}

impl Round {
    /// Whether the change stays.
    #[must_use]
    pub const fn is_better(&self) -> bool {
        self.wins > self.wins_before
    }
}

impl Tuning {
    /// How often in a round all weights are moved by chance.
    pub const MOVES: u64 = 32;

    /// Plays a round, by its number. The same round with the same weights always comes to the same.
    #[must_use]
    pub fn round(&self, number: u64, weights: &Weights) -> Round {
        let seed = spread(self.seed, number);
        let changed = self.step(weights, seed);
        let (wins, wins_before) = (self.wins(&changed, self.boards, seed), self.wins(weights, self.boards, seed));
        Round { changed, wins, wins_before, games: self.boards * Builder::COUNT as u64 }
    }

    /// The weights a step on, in the direction in which they win more.
    fn step(&self, weights: &Weights, seed: u64) -> Weights {
        /// How long the step is, where a weight that is moved alone is moved by 1.
        const LENGTH: f32 = 1.5;
        let count = if self.plans { Weights::COUNT } else { Weights::PLANNED };
        let boards = (self.boards / 8).max(1);
        let mut direction = [0.0; Weights::COUNT];
        for number in 0..Self::MOVES {
            let seed = spread(!seed, number);
            let signs = signs(&mut random::seeded(seed));
            let wins = |way: f32| self.wins(&moved(weights, |index| way * signs[index], count), boards, seed);
            #[expect(clippy::cast_precision_loss, reason = "some thousands of games")]
            let more = wins(1.0) as f32 - wins(-1.0) as f32;
            for (direction, sign) in direction.iter_mut().zip(signs).take(count) {
                *direction += more * sign;
            }
        }
        let length = direction.iter().map(|part| part * part).sum::<f32>().sqrt().max(1.0);
        moved(weights, |index| LENGTH * direction[index] / length, count)
    }

    /// How many games on so many boards the weights win, one player against three others.
    fn wins(&self, weights: &Weights, boards: u64, seed: u64) -> u64 {
        let share = |thread: usize| {
            let boards = (thread as u64..boards).step_by(self.threads.get());
            boards.map(|board| self.wins_on_board(weights, spread(seed, board + 1))).sum::<u64>()
        };
        in_threads(self.threads, share).into_iter().sum()
    }

    fn wins_on_board(&self, weights: &Weights, seed: u64) -> u64 {
        const MOST_TURNS: u32 = 1_000;
        let mut wins = 0;
        let others = if self.plans && seed % 2 == 1 { Model::Normal } else { Model::Greedy };
        for seat in Builder::ALL {
            let mut chance = random::seeded(seed);
            let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut chance));
            let mut players: [Box<dyn Player>; Builder::COUNT] = Builder::ALL.map(|builder| -> Box<dyn Player> {
                if builder == seat { Box::new(Linear::new(weights.clone())) } else { others.player() }
            });
            let (mut turns, mut unused) = (0, random::seeded(seed));
            while turns < MOST_TURNS
                && let Some(action) = decide(&game, Trades::Off, &mut players, &mut unused)
            {
                game.apply_unchecked(action, &mut Drawn(&mut chance), |_| {});
                turns += u32::from(action == Action::EndTurn);
            }
            wins += u64::from(game.winner() == Some(seat));
        }
        wins
    }
}

/// For each weight 1 or -1, drawn.
fn signs(random: &mut ChaCha8Rng) -> [f32; Weights::COUNT] {
    std::array::from_fn(|_| if random::below(random, 2) == 0 { 1.0 } else { -1.0 })
}

/// The weights with so many of them moved by so many times their [size], as exactly as they are written.
fn moved(weights: &Weights, by: impl Fn(usize) -> f32, count: usize) -> Weights {
    let mut moved = weights.clone();
    for (index, weight) in moved.0.iter_mut().enumerate().take(count) {
        *weight = (1000.0 * (*weight + by(index) * size(*weight))).round() / 1000.0;
    }
    moved
}

/// By how much a weight is moved at a time: an eighth of itself and a little more.
fn size(weight: f32) -> f32 {
    weight.abs() / 8.0 + 0.05
}
