//! Training the value network by self-play.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::super::derive_seed;
use super::adam::{Adam, Sample};
use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Action, Builder, FastChance, Game, Phase, Trades};
use crate::players::{Network, OpponentKind, next_action, playout};
use crate::rng;
use crate::text::Edition;
use constructor_common::threads::parallel_map;

/// Trains a network to predict the winner. Each round plays games of the [kinds](OpponentKind) of player that an expert expects,
/// and trains on positions of these games.
#[derive(Clone, Debug)]
pub struct ValueTraining {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The seed from which all rounds are derived.
    pub seed: u64,
    /// The number of games of a round.
    pub games: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// The number of games that are played before each training pass. Their samples take a few hundred megabytes.
const CHUNK: usize = 5_000;

/// The result of a round.
#[derive(Clone, Debug)]
pub struct TrainedRound {
    /// The network, rounded as in its file.
    pub network: Network,
    /// The number of positions.
    pub positions: u64,
    /// The mean loss (cross-entropy) of a position before it was trained on.
    pub loss: f64,
}

impl TrainedRound {
    /// A line about round `number`, from 0.
    #[must_use]
    pub fn report(&self, number: u64) -> String {
        format!("round {}: {} positions, loss {:.4}\n", number + 1, self.positions, self.loss)
    }
}

impl ValueTraining {
    /// The untrained network of the first round.
    #[must_use]
    pub fn first(&self) -> Network {
        Network::new(&mut rng::from_seed(self.seed))
    }

    /// Plays round `number`. Deterministic: the same number and network give the same result on any number of threads.
    #[must_use]
    pub fn round(&self, number: u64, network: &Network) -> TrainedRound {
        let play = |games| Ok(self.samples(number, games));
        let round: Result<_, Infallible> = self.round_with(number, network, play);
        round.unwrap_or_else(|never| match never {})
    }

    /// Like [`ValueTraining::round`], with games that are played elsewhere: `play` returns the
    /// [samples](ValueTraining::samples) of the games with these numbers.
    ///
    /// # Errors
    /// Those of `play`.
    pub fn round_with<E>(
        &self,
        number: u64,
        network: &Network,
        mut play: impl FnMut(Range<u64>) -> Result<Vec<Sample>, E>,
    ) -> Result<TrainedRound, E> {
        let seed = derive_seed(self.seed, number);
        let mut adam = Adam::new(network.clone());
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let learning_rate = 0.002 / (1.0 + number as f32 / 10.0);
        let (mut positions, mut loss) = (0, 0.0);
        for first in (0..self.games).step_by(CHUNK) {
            let mut samples = play(first..self.games.min(first + CHUNK as u64))?;
            rng::shuffle(&mut rng::from_seed(derive_seed(seed, first)), &mut samples);
            loss += adam.train_epoch(&samples, learning_rate, self.threads);
            positions += samples.len() as u64;
        }
        let network = adam.into_network();
        // Rounds the weights as the file does, so that an interrupted training continues identically.
        let network = Network::parse(&network.write()).unwrap_or(network);
        #[expect(clippy::cast_precision_loss, reason = "far below 2⁵³")]
        let loss = loss / positions.max(1) as f64;
        Ok(TrainedRound { network, positions, loss })
    }

    /// The samples of the games with these numbers of round `number`, in order.
    #[must_use]
    pub fn samples(&self, number: u64, games: Range<u64>) -> Vec<Sample> {
        let seed = derive_seed(self.seed, number);
        let (threads, count) = (self.threads.get() as u64, games.end - games.start);
        let share = |thread: usize| {
            let thread = thread as u64;
            let share = games.start + count * thread / threads..games.start + count * (thread + 1) / threads;
            share.flat_map(|game| self.samples_from_game(derive_seed(seed, game + 1))).collect::<Vec<_>>()
        };
        parallel_map(self.threads, share).into_iter().flatten().collect()
    }

    fn samples_from_game(&self, seed: u64) -> Vec<Sample> {
        const MAX_TURNS: u64 = 600;
        const MAX_EXPLORATION_TURNS: u32 = 80;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
        // Half of the games are between rollout players, as experts model each other; greedy players are the most common others.
        let kinds: [OpponentKind; Builder::COUNT] = if rng::below(&mut rng, 2) == 0 {
            [OpponentKind::Rollout; Builder::COUNT]
        } else {
            std::array::from_fn(|_| match rng::below(&mut rng, 8) {
                0..4 => OpponentKind::Greedy,
                4..7 => OpponentKind::Rollout,
                _ => OpponentKind::Normal,
            })
        };
        let mut players = kinds.map(OpponentKind::player);
        // In half of the games, the first turns have some random actions, for positions beyond those of good play.
        let exploration_turns = u64::from(rng::below(&mut rng, 2) * rng::below(&mut rng, MAX_EXPLORATION_TURNS));
        let mut positions = Vec::new();
        // These players are deterministic.
        let mut unused = rng::from_seed(seed);
        playout(&mut game, MAX_TURNS, |game, turns| {
            let mut action = next_action(game, Trades::Off, &mut players, &mut unused)?;
            let is_setup = matches!(game.phase(), Phase::Setup(_));
            let explores = (is_setup || turns < exploration_turns) && rng::below(&mut rng, 10) == 0;
            if explores {
                let actions = game.legal_actions(Trades::Off);
                action = actions.sample_with(|count| rng::below(&mut rng, count)).unwrap_or(action);
            }
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
            let is_sampled = match action {
                Action::Settle(_) => exploration_turns == 0 && rng::below(&mut rng, 2) == 0,
                Action::EndTurn => turns + 1 >= exploration_turns && rng::below(&mut rng, 10) == 0,
                _ => false,
            };
            if is_sampled {
                positions.push(*game);
            }
            Some(action)
        });
        let Some(winner) = game.winner() else { return Vec::new() };
        Sample::of_positions(&positions, kinds, winner)
    }
}
