//! A player who plays the game to its end many times before deciding.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::greedy::{Breadth, Greedy, useful_offers};
use super::halving::{Budget, Stopwatch, best_of};
use super::{Linear, Player};
use crate::board::{Resource, Roll};
use crate::game::{Action, Actions, Builder, Chance, Game, Hand, Quick, Trades};

/// Chooses by playing the game out many times for each action that it can do, itself as a [`Linear`] player and the others
/// as [`Greedy`] ones. By sequential halving the actions that win less are given up. What the linear player would do is done
/// unless something else is clearly better.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    budget: Budget,
    own: Linear,
    others: Greedy,
    /// How many trades were offered since the dice were rolled.
    offers: u32,
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
        let breadth = Breadth { sites: 8, roads: 4, tiles: 6 };
        let favourite = self.own.decide(game, actions);
        let mut tried = self.others.worth_trying(game, actions, builder, breadth, favourite);
        if actions.lists_offers() && self.offers < MOST_OFFERS {
            tried.extend(useful_offers(game, builder));
        }
        tried
    }

    /// 1 if the builder wins after the action, and 0 otherwise.
    fn play_out(&mut self, game: &Game, action: Action, builder: Builder, seed: u64) -> f64 {
        let mut chance = SameDice::of(seed);
        let mut game = *game;
        game.apply_unchecked(action, &mut chance, |_| {});
        let winner = winner_of(game, &mut chance, |acting, game, actions| {
            if acting == builder { self.own.decide(game, actions) } else { self.others.decide(game, actions) }
        });
        f64::from(u8::from(winner == Some(builder)))
    }
}

/// Plays a game to its end, where `decide` says what whoever is to act does of several actions; who wins it, unless nobody has
/// after very many turns.
#[inline]
pub(super) fn winner_of(
    mut game: Game,
    chance: &mut SameDice,
    mut decide: impl FnMut(Builder, &Game, &Actions) -> Option<Action>,
) -> Option<Builder> {
    const MOST_TURNS: u32 = 400;
    let mut turns = 0;
    while turns < MOST_TURNS
        && let Some(acting) = game.to_act()
    {
        let actions = game.actions(Trades::Off);
        let Some(action) = actions.only().or_else(|| decide(acting, &game, &actions)) else { break };
        game.apply_unchecked(action, chance, |_| {});
        turns += u32::from(action == Action::EndTurn);
    }
    game.winner()
}

/// Chance whose dice do not depend on what else was drawn: so they fall the same in games that have gone other ways.
pub(super) struct SameDice {
    dice: Xoshiro256PlusPlus,
    rest: Xoshiro256PlusPlus,
}

impl SameDice {
    pub fn of(seed: u64) -> Self {
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
        let builder = game.to_act()?;
        let tried = self.candidates(game, actions, builder);
        let budget = self.budget;
        let chosen = best_of(tried, budget, random, |action, seed| self.play_out(game, action, builder, seed))?;
        self.offers += u32::from(matches!(chosen, Action::Offer { .. }));
        Some(chosen)
    }

    fn begin_turn(&mut self) {
        self.offers = 0;
    }
}
