//! Tuning weights of the linear player by SPSA.

use std::num::NonZeroUsize;

use rand_chacha::ChaCha8Rng;

use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Builder, Game, RandomChance, Trades};
use crate::players::{Linear, OpponentKind, Player, Weights, next_action, playout};
use crate::rng;
use crate::simulate::derive_seed;
use crate::text::Edition;
use constructor_common::threads::parallel_map;

/// Simultaneous perturbation stochastic approximation (SPSA). Each round estimates the gradient of the win rate from random perturbations
/// of all weights in both directions, takes a step along this gradient, and keeps the step if the new weights win more games on other
/// boards. (James Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", 1992.)
#[derive(Clone, Debug)]
pub struct SpsaTuning {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// If true, all weights are tuned for playouts: on half of the boards against greedy players, and on the other half against normal
    /// players. If false, only the weights of the normal player are tuned, against greedy players.
    pub tunes_rollout: bool,
    /// The seed from which all rounds are derived.
    pub seed: u64,
    /// The number of boards of a round. Each board is played from all four seats, with the weights before and with the weights after the
    /// step. Each of the [perturbations](Self::PERTURBATIONS) is played on an eighth as many boards.
    pub boards: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// The result of a round.
#[derive(Clone, Debug)]
pub struct SpsaRound {
    /// The weights after the step.
    pub weights: Weights,
    /// The number of games that these weights won.
    pub wins: u64,
    /// The number of games that the weights before the step won on the same boards.
    pub wins_before: u64,
    /// The number of games that were played with the weights before the step. As many games were played with the weights after the step.
    pub games: u64,
}

impl SpsaRound {
    /// Returns a line about round `number`, from 0.
    #[must_use]
    pub fn report(&self, number: u64) -> String {
        let Self { wins, wins_before, games, .. } = self;
        let verdict = if self.is_better() { "kept" } else { "dropped" };
        let round = number + 1;
        format!("round {round}: new weights win {wins} of {games} games, old ones {wins_before}: {verdict}\n")
    }

    /// Returns whether the step is kept.
    #[must_use]
    pub const fn is_better(&self) -> bool {
        self.wins > self.wins_before
    }
}

impl SpsaTuning {
    /// The number of perturbations of a round.
    pub const PERTURBATIONS: u64 = 32;

    /// Plays round `number`.
    ///
    /// The same number and weights give the same result on any number of threads.
    #[must_use]
    pub fn round(&self, number: u64, weights: &Weights) -> SpsaRound {
        let seed = derive_seed(self.seed, number);
        let stepped = self.step(weights, seed);
        let [wins, wins_before] = [&stepped, weights].map(|weights| self.wins(weights, seed, self.boards));
        SpsaRound { weights: stepped, wins, wins_before, games: self.boards * Builder::COUNT as u64 }
    }

    /// Takes a step from the weights along the estimated gradient.
    fn step(&self, weights: &Weights, seed: u64) -> Weights {
        /// The length of the step, in units of [`scale_of`] the weights.
        const STEP: f32 = 1.5;
        let count = if self.tunes_rollout { Weights::COUNT } else { Weights::WITHOUT_BUILD_TIMES };
        let boards = (self.boards / 8).max(1);
        let mut gradient = [0.0; Weights::COUNT];
        for number in 0..Self::PERTURBATIONS {
            let seed = derive_seed(!seed, number);
            let signs = random_signs(&mut rng::from_seed(seed));
            let wins = [1.0, -1.0]
                .map(|sign: f32| self.wins(&perturbed(weights, |index| sign * signs[index], count), seed, boards));
            #[expect(clippy::cast_precision_loss, reason = "some thousands of games")]
            let difference = wins[0] as f32 - wins[1] as f32;
            for (gradient, sign) in gradient.iter_mut().zip(signs).take(count) {
                *gradient += difference * sign;
            }
        }
        let length = gradient.iter().map(|component| component * component).sum::<f32>().sqrt().max(1.0);
        perturbed(weights, |index| STEP * gradient[index] / length, count)
    }

    /// Counts the games that the weights win on this many boards, which are derived from a seed and played from all seats.
    fn wins(&self, weights: &Weights, seed: u64, boards: u64) -> u64 {
        let share = |thread: usize| {
            let boards = (0..boards).skip(thread).step_by(self.threads.get());
            boards.map(|board| self.wins_on_board(weights, derive_seed(seed, board + 1))).sum::<u64>()
        };
        parallel_map(self.threads, share).into_iter().sum()
    }

    /// Counts the games that the weights win on a board, which is played once from each of the four seats.
    fn wins_on_board(&self, weights: &Weights, seed: u64) -> u64 {
        const MAX_TURNS: u64 = 1_000;
        let mut wins = 0;
        let others = if self.tunes_rollout && seed % 2 == 1 { OpponentKind::Normal } else { OpponentKind::Greedy };
        for seat in Builder::ALL {
            let mut rng = rng::from_seed(seed);
            let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
            let mut players: [Box<dyn Player>; Builder::COUNT] = Builder::ALL.map(|builder| -> Box<dyn Player> {
                if builder == seat { Box::new(Linear::new(weights.clone())) } else { others.player() }
            });
            // These players are deterministic.
            let mut unused = rng::from_seed(seed);
            playout(&mut game, MAX_TURNS, |game, _| {
                let action = next_action(game, Trades::Off, &mut players, &mut unused)?;
                game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
                Some(action)
            });
            wins += u64::from(game.winner() == Some(seat));
        }
        wins
    }
}

/// Draws 1 or -1 for each weight.
fn random_signs(rng: &mut ChaCha8Rng) -> [f32; Weights::COUNT] {
    std::array::from_fn(|_| if rng::below(rng, 2) == 0 { 1.0 } else { -1.0 })
}

/// Returns the weights with the first `count` changed: `by` times the [scale](scale_of) of the weight is added to each, and the sum is
/// rounded to three decimals, as in the file.
fn perturbed(weights: &Weights, by: impl Fn(usize) -> f32, count: usize) -> Weights {
    let mut perturbed = weights.clone();
    for (index, weight) in perturbed.0.iter_mut().enumerate().take(count) {
        *weight = (1000.0 * (*weight + by(index) * scale_of(*weight))).round() / 1000.0;
    }
    perturbed
}

/// Returns the unit of change of a weight: the size of its perturbations.
fn scale_of(weight: f32) -> f32 {
    weight.abs() / 8.0 + 0.05
}
