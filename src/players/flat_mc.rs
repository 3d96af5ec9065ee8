//! The hard player: flat Monte Carlo.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::budget::Budget;
use super::candidates::{CandidateLimits, candidates, useful_offers};
use super::greedy::Greedy;
use super::sequential_halving::{TriedAction, sequential_halving};
use super::{GameHost, Linear, Player, play_game};
use crate::board::{Resource, Roll};
use crate::game::{Action, Builder, Chance, FastChance, Game, Hand, LegalActions, Trades};

/// Plays the game out many times for each candidate action. In these playouts it plays as a [`Linear`] player and the others as [`Greedy`]
/// players. Sequential halving drops the actions that win less often. Plays the linear player's action unless another is clearly better.
#[derive(Clone, Debug)]
pub struct FlatMonteCarlo {
    budget: Budget,
    own: Linear,
    others: Greedy,
    /// The offers that were made in this turn.
    offered: Vec<Action>,
    /// The actions that the last search has tried.
    tried: Vec<TriedAction>,
}

impl FlatMonteCarlo {
    /// Makes a player with this budget for each decision.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::game::{Game, Rules, Trades};
    /// use constructor::players::{Budget, FlatMonteCarlo, Player};
    /// use constructor::rng;
    /// let mut rng = rng::from_seed(0);
    /// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
    /// let mut player = FlatMonteCarlo::new(Budget::playouts(100));
    /// let action = player.choose(&game, &game.legal_actions(Trades::Off), &mut rng);
    /// assert_eq!(game.check(action.unwrap()), Ok(()));
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, own: Linear::default(), others: Greedy::default(), offered: Vec::new(), tried: Vec::new() }
    }

    /// Returns the candidate actions, the linear player's choice first.
    pub(super) fn candidates(
        &mut self,
        game: &Game,
        actions: &LegalActions,
        builder: Builder,
        limits: CandidateLimits,
    ) -> Vec<Action> {
        const MAX_OFFERS: usize = 2;
        let prior = self.own.decide(game, actions);
        let mut tried = candidates(game, actions, builder, self.others.site_values(game), limits, prior);
        if actions.lists_offers() && self.offered.len() < MAX_OFFERS {
            tried.extend(useful_offers(game, builder).filter(|offer| !self.offered.contains(offer)));
        }
        tried
    }

    /// Applies the action, plays the game out once, and returns the reward: 1 if the builder wins, else 0.
    fn finish_game(&mut self, game: &Game, action: Action, builder: Builder, seed: u64) -> f64 {
        let mut chance = CommonRandomNumbers::new(seed);
        let mut game = *game;
        game.apply_unchecked(action, &mut chance, |_| {});
        let winner = winner_of(game, &mut chance, |acting, game, actions| {
            if acting == builder { self.own.decide(game, actions) } else { self.others.decide(game, actions) }
        });
        f64::from(u8::from(winner == Some(builder)))
    }
}

/// Returns the actions of the current player that an expert considers, with offers if the players can trade.
pub(crate) fn considered_actions(game: &Game, trades: Trades) -> Vec<Action> {
    let Some(builder) = game.current_player() else { return Vec::new() };
    let actions = game.legal_actions(trades);
    FlatMonteCarlo::new(Budget::playouts(1)).candidates(game, &actions, builder, CandidateLimits::EXPERT)
}

/// The candidates of a player with a small budget.
const LIMITS: CandidateLimits = CandidateLimits { sites: 8, builds: 4, tiles: 6 };

/// The number of turns after which a playout is stopped. Games of these players take about 165 turns; games longer than this limit are
/// hardly ever decided.
pub(super) const MAX_PLAYOUT_TURNS: u64 = 400;

/// Plays a game to its end without trades and returns the winner; `None` if nobody wins within 400 turns.
///
/// `decide` chooses for the current player wherever there are several actions.
#[inline]
pub(super) fn winner_of(
    mut game: Game,
    chance: &mut CommonRandomNumbers,
    decide: impl FnMut(Builder, &Game, &LegalActions) -> Option<Action>,
) -> Option<Builder> {
    finish_game(&mut game, MAX_PLAYOUT_TURNS, chance, decide);
    game.winner()
}

/// Continues a game without trades until it is over or this many turns have ended.
#[inline]
pub(crate) fn finish_game(
    game: &mut Game,
    turns: u64,
    chance: &mut CommonRandomNumbers,
    decide: impl FnMut(Builder, &Game, &LegalActions) -> Option<Action>,
) {
    play_game(game, Trades::Off, turns, &mut PlayoutTable { chance, decide });
}

/// The [`GameHost`] of a playout.
struct PlayoutTable<'c, D> {
    chance: &'c mut CommonRandomNumbers,
    decide: D,
}

impl<D: FnMut(Builder, &Game, &LegalActions) -> Option<Action>> GameHost for PlayoutTable<'_, D> {
    #[inline(always)]
    fn decide(&mut self, game: &Game, builder: Builder, actions: &LegalActions) -> Option<Action> {
        (self.decide)(builder, game, actions)
    }

    #[inline(always)]
    fn apply(&mut self, game: &mut Game, _builder: Builder, action: Action, _turns: u64) {
        game.apply_unchecked(action, self.chance, |_| {});
    }
}

/// Chance with a separate generator for the dice, so that playouts with the same seed roll the same dice even when they make
/// different numbers of other draws.
pub(crate) struct CommonRandomNumbers {
    dice: Xoshiro256PlusPlus,
    rest: Xoshiro256PlusPlus,
}

impl CommonRandomNumbers {
    pub fn new(seed: u64) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64;
        Self { dice: rng(seed), rest: rng(!seed) }
    }
}

impl Chance for CommonRandomNumbers {
    #[inline]
    fn roll(&mut self) -> Roll {
        FastChance(&mut self.dice).roll()
    }

    #[inline]
    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        FastChance(&mut self.rest).discard(held, count)
    }

    #[inline]
    fn steal(&mut self, held: Hand) -> Option<Resource> {
        FastChance(&mut self.rest).steal(held)
    }
}

impl Player for FlatMonteCarlo {
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        let builder = game.current_player()?;
        let candidates = self.candidates(game, actions, builder, LIMITS);
        let budget = self.budget.clone();
        let mut tried = Vec::new();
        let chosen = sequential_halving(self, candidates, &budget, rng, &mut tried, |searcher, action, seed| {
            searcher.finish_game(game, action, builder, seed)
        })?;
        self.tried = tried;
        self.offered.extend(Some(chosen).filter(|chosen| matches!(chosen, Action::Offer { .. })));
        Some(chosen)
    }

    fn begin_turn(&mut self) {
        self.offered.clear();
    }

    fn resume_turn(&mut self, _builder: Builder, offered: &[Action]) {
        self.offered = offered.to_vec();
    }

    fn tried_actions(&self) -> &[TriedAction] {
        &self.tried
    }

    fn wants_observations(&self) -> bool {
        false
    }
}
