//! Computer players: each sees a position and what can be done there, and chooses.

mod classic;
mod expert;
mod greedy;
mod ground;
mod halving;
mod linear;
mod monte_carlo;
mod plan;
pub(crate) mod value;
mod watch;

use std::iter;

use rand::Rng;

use crate::game::{Action, Actions, Builder, Game, Phase, Trades};
use crate::random;

pub use classic::Classic;
pub use expert::Expert;
pub use greedy::Greedy;
pub use halving::Budget;
pub use linear::{Linear, NoWeights, Weights};
pub use monte_carlo::MonteCarlo;
pub use value::{Network, NoNetwork, Value};
pub use watch::Model;

/// A computer player.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::game::{Game, Trades};
/// use constructor::players::{Greedy, Player};
/// use constructor::random;
/// let mut draws = random::seeded(0);
/// let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
/// let action = Greedy::default().choose(&game, &game.actions(Trades::Off), &mut draws);
/// assert_eq!(game.check(action.unwrap()), Ok(()));
/// ```
pub trait Player: Send {
    /// One of the actions, which are those of the position; `None` only when there are none. What is not legal would not
    /// be done: the first of the actions would be in its stead.
    fn choose(&mut self, game: &Game, actions: &Actions, random: &mut dyn Rng) -> Option<Action>;

    /// Is told that a turn of their own begins.
    fn begin_turn(&mut self) {}

    /// Is shown the position before each decision, whoever takes it.
    fn see(&mut self, _game: &Game) {}
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn choose(&mut self, game: &Game, actions: &Actions, random: &mut dyn Rng) -> Option<Action> {
        (**self).choose(game, actions, random)
    }

    fn begin_turn(&mut self) {
        (**self).begin_turn();
    }

    fn see(&mut self, game: &Game) {
        (**self).see(game);
    }
}

/// What is done next, unless the game is over: by the player whose decision is waited for, and always legal. Who can do but
/// one thing is not asked.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::game::{Drawn, Game, Trades};
/// use constructor::players::{Greedy, decide};
/// use constructor::random;
/// let mut draws = random::seeded(0);
/// let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
/// let mut players: [Greedy; 4] = Default::default();
/// while let Some(action) = decide(&game, Trades::Off, &mut players, &mut draws) {
///     game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
/// }
/// assert!(game.winner().is_some());
/// ```
#[inline]
pub fn decide<P: Player>(
    game: &Game,
    trades: Trades,
    players: &mut [P; Builder::COUNT],
    random: &mut dyn Rng,
) -> Option<Action> {
    if let Phase::TurnStart(builder) = game.phase() {
        players[builder.index()].begin_turn();
        return Some(Action::Roll);
    }
    ask(game, trades, &mut players[game.to_act()?.index()], random)
}

/// What the player does who is to act: always something legal. Who can do but one thing is not asked.
#[inline]
pub fn ask<P: Player>(game: &Game, trades: Trades, player: &mut P, random: &mut dyn Rng) -> Option<Action> {
    let actions = game.actions(trades);
    if let Some(only) = actions.only() {
        return Some(only);
    }
    let chosen = player.choose(game, &actions, random);
    chosen.filter(|&action| game.check(action).is_ok()).or_else(|| actions.nth(0))
}

/// The kinds of computer players, from the weakest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// Does anything that is allowed, everything equally likely.
    Random,
    /// Builds the greatest thing that it can pay for.
    Greedy,
    /// Adds up what speaks for an action, by weights that were tuned.
    Normal,
    /// Plays the game out before it decides.
    Hard,
    /// Looks two decisions ahead.
    Classic,
    /// Looks ahead in a tree.
    Expert,
    /// The same, but offers no trades.
    Quiet,
}

impl PlayerKind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Random, Self::Greedy, Self::Normal, Self::Hard, Self::Classic, Self::Expert, Self::Quiet];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Normal => "normal",
            Self::Hard => "hard",
            Self::Classic => "classic",
            Self::Expert => "expert",
            Self::Quiet => "quiet",
        }
    }

    /// The kind with this name, if there is one. A greedy player is an easy one too.
    ///
    /// ```
    /// use constructor::players::PlayerKind;
    /// assert_eq!(PlayerKind::named("greedy"), Some(PlayerKind::Greedy));
    /// assert_eq!(PlayerKind::named("easy"), Some(PlayerKind::Greedy));
    /// assert_eq!(PlayerKind::named("Greedy"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "easy" { Self::Greedy.name() } else { name };
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it takes its time: the budget's, not a millionth of a second.
    #[must_use]
    pub const fn thinks(self) -> bool {
        matches!(self, Self::Hard | Self::Expert | Self::Quiet)
    }

    /// A player of this kind, who may think for so long if it thinks at all.
    #[must_use]
    pub fn player(self, budget: Budget) -> Box<dyn Player> {
        match self {
            Self::Random => Box::new(Random),
            Self::Greedy => Box::new(Greedy::default()),
            Self::Normal => Box::new(Linear::default()),
            Self::Hard => Box::new(MonteCarlo::new(budget)),
            Self::Classic => Box::new(Classic::default()),
            Self::Expert => Box::new(Expert::new(budget)),
            Self::Quiet => Box::new(Expert::new(budget).quiet()),
        }
    }
}

/// The lines of a text that have more to them than what comes behind a `#`, without that, each with its number from 1; and
/// then, without end, an empty one behind the last.
fn lines_with_something(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("")));
    let end = (text.lines().count() + 1, "");
    lines.filter(|(_, line)| !line.trim().is_empty()).chain(iter::repeat(end))
}

/// Who plays for a builder.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Who {
    /// A person.
    #[default]
    Person,
    /// A computer player of this kind.
    Computer(PlayerKind),
    /// The program with this name.
    Program(String),
}

/// Chooses among all actions, all equally likely.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Player for Random {
    fn choose(&mut self, _game: &Game, actions: &Actions, random: &mut dyn Rng) -> Option<Action> {
        actions.pick(|count| random::below(random, count))
    }
}
