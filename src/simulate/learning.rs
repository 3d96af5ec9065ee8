//! A network that judges positions, made better by learning from games.

use std::num::NonZeroUsize;
use std::ops::Range;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::learner::{Learner, Lesson};
use super::spread;
use super::workers::in_threads;
use crate::board::{LayoutSource, RandomLayout};
use crate::edition::Edition;
use crate::game::{Action, Builder, Game, Phase, Quick, Trades};
use crate::players::{Model, Network, decide};
use crate::random;

/// How a network learns: each round plays games of players as an expert takes others for, all beside each other, and then
/// has the network learn who won from which positions.
#[derive(Clone, Debug)]
pub struct Learning {
    /// Whose rules are played.
    pub edition: &'static Edition,
    /// From which the boards, the dice and the players' choices of all rounds are made.
    pub seed: u64,
    /// How many games are played in a round.
    pub games: u64,
    /// How many threads play.
    pub threads: NonZeroUsize,
}

/// So many games are played and learned from at a time: their lessons take some hundred megabytes.
const PORTION: usize = 5_000;

/// What came of a round of learning.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The network, as its file will have it.
    pub network: Network,
    /// How many positions it learned from.
    pub positions: u64,
    /// What a position cost on average before it was learned: the negative logarithm of what the winner was given.
    pub cost: f64,
}

impl Learning {
    /// The network with which the first round begins, which knows nothing.
    #[must_use]
    pub fn first(&self) -> Network {
        Network::new(&mut random::seeded(self.seed))
    }

    /// Plays a round, by its number. The same round with the same network always comes to the same.
    #[must_use]
    pub fn round(&self, number: u64, network: &Network) -> Learned {
        let seed = spread(self.seed, number);
        let mut learner = Learner::new(network.clone());
        #[expect(clippy::cast_precision_loss, reason = "it gets small soon")]
        let pace = 0.002 / (1.0 + number as f32 / 10.0);
        let (mut positions, mut cost) = (0, 0.0);
        for first in (0..self.games).step_by(PORTION) {
            let mut lessons = self.lessons(first..self.games.min(first + PORTION as u64), seed);
            random::shuffle(&mut random::seeded(spread(seed, first)), &mut lessons);
            cost += learner.learn(&lessons, pace, self.threads);
            positions += lessons.len() as u64;
        }
        let network = learner.into_network();
        // As it is read again from its file.
        let network = Network::read(&network.write()).unwrap_or(network);
        #[expect(clippy::cast_precision_loss, reason = "far below 2⁵³")]
        let cost = cost / positions.max(1) as f64;
        Learned { network, positions, cost }
    }

    /// What the games with these numbers teach, in their order.
    fn lessons(&self, games: Range<u64>, seed: u64) -> Vec<Lesson> {
        let (threads, count) = (self.threads.get() as u64, games.end - games.start);
        let share = |thread: usize| {
            let thread = thread as u64;
            let share = games.start + count * thread / threads..games.start + count * (thread + 1) / threads;
            share.flat_map(|game| self.lessons_of_game(spread(seed, game + 1))).collect::<Vec<_>>()
        };
        in_threads(self.threads, share).into_iter().flatten().collect()
    }

    fn lessons_of_game(&self, seed: u64) -> Vec<Lesson> {
        const MOST_TURNS: u32 = 600;
        const MOST_STRAYS: u32 = 80;
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut draws));
        let models: [Model; Builder::COUNT] =
            std::array::from_fn(|_| Model::ALL[random::below(&mut draws, 3) as usize]);
        let mut players = models.map(Model::player);
        // At first something else is done now and then, so that more is seen than good play; from then on nothing.
        let strays = random::below(&mut draws, 2) * random::below(&mut draws, MOST_STRAYS);
        let mut positions = Vec::new();
        let (mut turns, mut unused) = (0, random::seeded(seed));
        while turns < MOST_TURNS
            && let Some(mut action) = decide(&game, Trades::Off, &mut players, &mut unused)
        {
            let is_setup = matches!(game.phase(), Phase::Setup(_));
            let has_strayed = (is_setup || turns < strays) && random::below(&mut draws, 10) == 0;
            if has_strayed {
                action = game.pick(Trades::Off, |count| random::below(&mut draws, count)).unwrap_or(action);
            }
            game.apply_unchecked(action, &mut Quick(&mut draws), |_| {});
            turns += u32::from(action == Action::EndTurn);
            let is_seen = match action {
                Action::Settle(_) => strays == 0 && random::below(&mut draws, 2) == 0,
                Action::EndTurn => turns >= strays && random::below(&mut draws, 10) == 0,
                _ => false,
            };
            if is_seen {
                positions.push(game);
            }
        }
        let Some(winner) = game.winner() else { return Vec::new() };
        Lesson::all(&positions, models, winner)
    }
}
