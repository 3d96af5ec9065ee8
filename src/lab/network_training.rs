//! Training the networks of the expert by self-play.

use std::num::NonZeroUsize;
use std::ops::Range;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::adam::{Adam, Sample};
use super::network_kind::NetworkKind;
use super::turn_playout::TurnPlayout;
use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Action, Builder, FastChance, Game, Phase, Trades};
use crate::players::flat_mc::CommonRandomNumbers;
use crate::players::policies::Policies;
use crate::players::{
    Budget, Mcts, Network, OpponentKind, Player, TurnPolicy, legal_choice, next_action, placement, playout,
};
use crate::rng;
use crate::simulate::derive_seed;
use crate::text::Edition;
use constructor_common::threads::parallel_map;

/// Trains a network. In each round,
/// - a value network learns to predict the winner from positions of games between the [kinds](OpponentKind) of player that an expert
///   models;
/// - a placement network learns to predict the placements of four `veteran` players;
/// - a turn network learns to choose actions after which its builder wins more often. After each action, the game is played out once by the
///   policy with the network of the round before, and the end of the playout is judged by the pretrained value network. This is policy
///   iteration by rollouts (Lagoudakis and Parr, "Reinforcement learning as classification: leveraging modern classifiers", 2003).
#[derive(Clone, Debug)]
pub struct NetworkTraining {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The seed from which all rounds are derived.
    pub seed: u64,
    /// The number of games of a round.
    pub games: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// The number of games that are played before each training pass. Their samples take less than a gigabyte.
const CHUNK: usize = 5_000;

/// The number of playouts of the `veteran` players for each placement that a placement network learns from.
const PLACEMENT_PLAYOUTS: u32 = 1_000;

/// Rounds the weights of the network as in its file, so that an interrupted training continues with the same weights.
fn rounded(network: Network) -> Network {
    Network::parse(network.spec(), &network.write()).unwrap_or(network)
}

/// Returns the number of times each sample is trained on.
///
/// Placements are used more often, because only they are expensive to produce.
const fn epochs(kind: NetworkKind) -> u16 {
    match kind {
        NetworkKind::Value | NetworkKind::Turn => 1,
        NetworkKind::Placement => 40,
    }
}

/// The number of turns after which a game is stopped.
const MAX_TURNS: u64 = 600;

/// The result of a round.
#[derive(Clone, Debug)]
pub struct TrainedRound {
    /// The network, rounded as in its file.
    pub network: Network,
    /// The number of positions, placements or decisions.
    pub positions: u64,
    /// The mean loss in the last epoch, measured on each batch before the training on it. For a value or placement network it is the
    /// cross-entropy; for a turn network, the negative estimated chance of winning.
    pub loss: f64,
}

impl TrainedRound {
    /// Returns a line about round `number`, from 0.
    #[must_use]
    pub fn report(&self, number: u64) -> String {
        format!("round {}: {} positions, loss {:.4}\n", number + 1, self.positions, self.loss)
    }
}

impl NetworkTraining {
    /// Makes the untrained network of the first round.
    #[must_use]
    pub fn first(&self, kind: NetworkKind) -> Network {
        kind.untrained(&mut rng::from_seed(self.seed))
    }

    /// Plays round `number`.
    ///
    /// The same number and network give the same result on any number of threads.
    #[must_use]
    pub fn round(&self, number: u64, network: &Network) -> TrainedRound {
        let seed = derive_seed(self.seed, number);
        let mut adam = Adam::new(network.clone());
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let learning_rate = 0.002 / (1.0 + number as f32 / 10.0);
        let (mut positions, mut loss) = (0, 0.0);
        for first in (0..self.games).step_by(CHUNK) {
            let mut samples = self.samples(network, number, first..self.games.min(first + CHUNK as u64));
            let mut order = rng::from_seed(derive_seed(seed, first));
            let (mut loss_of_epoch, epochs) = (0.0, epochs(NetworkKind::of(network)));
            for epoch in 0..epochs {
                rng::shuffle(&mut order, &mut samples);
                let left = 1.0 - f32::from(epoch) / f32::from(epochs);
                loss_of_epoch = adam.train_epoch(&samples, learning_rate * left, self.threads);
            }
            loss += loss_of_epoch;
            positions += samples.len() as u64;
        }
        let network = rounded(adam.into_network());
        #[expect(clippy::cast_precision_loss, reason = "far below 2⁵³")]
        let loss = loss / positions.max(1) as f64;
        TrainedRound { network, positions, loss }
    }

    /// Returns the samples from the games with these numbers in round `number`, in order.
    ///
    /// `network` is the network of the round before.
    fn samples(&self, network: &Network, number: u64, games: Range<u64>) -> Vec<Sample> {
        let seed = derive_seed(self.seed, number);
        let (threads, count) = (self.threads.get() as u64, games.end - games.start);
        let share = |thread: usize| {
            let thread = thread as u64;
            let share = games.start + count * thread / threads..games.start + count * (thread + 1) / threads;
            let seeds = share.map(|game| derive_seed(seed, game + 1));
            match NetworkKind::of(network) {
                NetworkKind::Value => seeds.flat_map(|seed| self.positions_of_game(seed)).collect::<Vec<_>>(),
                NetworkKind::Placement => seeds.flat_map(|seed| self.placements_of_setup(seed)).collect(),
                NetworkKind::Turn => {
                    let mut judge = TurnPlayout { policy: TurnPolicy::new(network.clone()), ..TurnPlayout::default() };
                    seeds.flat_map(|seed| self.decisions_of_game(&mut judge, seed)).collect()
                }
            }
        };
        parallel_map(self.threads, share).into_iter().flatten().collect()
    }

    fn positions_of_game(&self, seed: u64) -> Vec<Sample> {
        const MAX_EXPLORATION_TURNS: u32 = 80;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
        // In half of the games, all players are rollout players, since experts model each other in this way. In the other games, greedy
        // players are the most common.
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
        // In half of the games, the first turns have some random actions, to reach positions that do not occur in good play.
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

    fn placements_of_setup(&self, seed: u64) -> Vec<Sample> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
        let mut placers = Builder::ALL.map(|_| Mcts::new(Budget::playouts(PLACEMENT_PLAYOUTS)).veteran());
        let mut known = Policies::default();
        let mut samples = Vec::new();
        while let (Phase::Setup(_), Some(builder)) = (game.phase(), game.current_player()) {
            for placer in &mut placers {
                placer.observe(&game);
            }
            let actions = game.legal_actions(Trades::Off);
            let Some(action) = legal_choice(&game, &mut placers[builder.index()], &actions, &mut rng) else { break };
            let (sites, features): (Vec<_>, Vec<_>) = placement::extract(&game, &mut known).into_iter().unzip();
            if let Some(chosen) = sites.into_iter().position(|site| Action::Settle(site) == action) {
                samples.push(Sample::of_placement(features, chosen));
            }
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
        }
        samples
    }

    /// Plays a game between players with and without the network, and returns samples of about one decision in ten.
    fn decisions_of_game(&self, judge: &mut TurnPlayout, seed: u64) -> Vec<Sample> {
        // The number of turns of a playout.
        const TURNS: u64 = 16;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
        let mut players: [Box<dyn Player>; Builder::COUNT] = std::array::from_fn(|_| match rng::below(&mut rng, 2) {
            0 => Box::new(judge.policy.clone()) as Box<dyn Player>,
            _ => OpponentKind::Rollout.player(),
        });
        // Plays some random actions, to reach positions that do not occur in good play.
        let explores_turns = rng::below(&mut rng, 3) == 0;
        // These players are deterministic.
        let mut unused = rng::from_seed(seed);
        let mut samples = Vec::new();
        playout(&mut game, MAX_TURNS, |game, _| {
            let actions = game.legal_actions(Trades::Off);
            if let Some(builder) = game.current_player()
                && actions.forced().is_none()
                && rng::below(&mut rng, 10) == 0
            {
                let seed = rng.next_u64();
                let candidates = judge.policy.candidates(game, &actions);
                let after = |action| {
                    let (mut after, mut chance) = (*game, CommonRandomNumbers::new(seed));
                    after.apply_unchecked(action, &mut chance, |_| {});
                    (after, chance)
                };
                if candidates.len() > 1 {
                    samples.push(Sample::of_decision(candidates.into_iter().map(|candidates| {
                        let (after, mut chance) = after(candidates.action);
                        let value = judge.chance(after, builder, TURNS, &mut chance);
                        (candidates.features, candidates.linear_score, value)
                    })));
                }
            }
            let mut action = next_action(game, Trades::Off, &mut players, &mut unused)?;
            let explores = match game.phase() {
                Phase::Setup(_) => rng::below(&mut rng, 5) == 0,
                _ => explores_turns && rng::below(&mut rng, 12) == 0,
            };
            if explores {
                action = actions.sample_with(|count| rng::below(&mut rng, count)).unwrap_or(action);
            }
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
            Some(action)
        });
        samples
    }
}
