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

/// How weights are tuned: in each round a few of them are changed by chance, and the change stays if it wins more games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Whose rules are played.
    pub edition: &'static Edition,
    /// Whether the weights of all features are tuned, for playing games out, against greedy players on half of the boards and
    /// normal ones on the others; otherwise those of the normal player, against greedy ones.
    pub plans: bool,
    /// From which the boards, the dice and the changes of all rounds are made.
    pub seed: u64,
    /// How many boards are played in a round, each from all four seats and with the weights of before and after.
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
    /// Plays a round, by its number. The same round with the same weights always comes to the same.
    #[must_use]
    pub fn round(&self, number: u64, weights: &Weights) -> Round {
        let seed = spread(self.seed, number);
        let changed = change(weights, self.plans, &mut random::seeded(seed));
        let (wins, wins_before) = (self.wins(&changed, seed), self.wins(weights, seed));
        Round { changed, wins, wins_before, games: self.boards * Builder::COUNT as u64 }
    }

    /// How many games the weights win, one player against three others.
    fn wins(&self, weights: &Weights, seed: u64) -> u64 {
        let share = |thread: usize| {
            let boards = (thread as u64..self.boards).step_by(self.threads.get());
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

/// Changes one to four weights, each by up to a half of itself and a little more.
fn change(weights: &Weights, plans: bool, random: &mut ChaCha8Rng) -> Weights {
    const STEPS: u32 = 1_001;
    let mut changed = weights.clone();
    for _ in 0..=random::below(random, 4) {
        #[expect(clippy::cast_possible_truncation, reason = "some dozens")]
        let place = random::below(random, if plans { Weights::COUNT } else { Weights::PLANNED } as u32) as usize;
        #[expect(clippy::cast_precision_loss, reason = "a number up to 1,000")]
        let by = random::below(random, STEPS) as f32 / 500.0 - 1.0;
        let weight = &mut changed.0[place];
        *weight += by * (0.5 * weight.abs() + 0.2);
    }
    changed
}
