//! Computer players.

pub mod baselines;
pub mod bitboard;
pub mod cpu;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod geometry;
pub mod limit;
pub mod placement;
pub mod pvs;
pub mod solo;
pub mod teams;
pub mod transposition;

use std::time::Instant;

use crate::game::{Action, Game};

/// A computer player.
pub trait Player: std::fmt::Debug + Send {
    /// Chooses an action for the player to act, before the deadline; `None` if there is no legal action.
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action>;
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// The chosen action.
    pub action: Action,
    /// The number of positions searched.
    pub nodes: u64,
    /// The depth in plies.
    pub depth: u8,
    /// The estimated difference of fish from now on, in 64ths of a [fish](eval::FISH), from the searching player's view.
    pub value: i32,
    /// The same in fish, if it is proven.
    pub exact: Option<i32>,
}

/// The built-in players, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerKind {
    /// The [engine](engine::Engine).
    Engine,
    /// Maximises the fish of the next move.
    Greedy,
    /// Takes the first legal action.
    First,
    /// Plays uniformly at random.
    Random,
}

impl PlayerKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Engine, Self::Greedy, Self::First, Self::Random];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "best",
            Self::Greedy => "greedy",
            Self::First => "first",
            Self::Random => "random",
        }
    }

    /// The names of all kinds.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).to_vec()
    }

    /// The kind of this name.
    ///
    /// ```
    /// use penguins::players::PlayerKind;
    /// assert_eq!(PlayerKind::by_name("best"), Some(PlayerKind::Engine));
    /// assert_eq!(PlayerKind::by_name("worst"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A player of this kind. The seed is for its random choices.
    #[must_use]
    pub fn player(self, seed: u64) -> Box<dyn Player> {
        match self {
            Self::Engine => Box::new(engine::Engine { threads: 1 }),
            Self::Greedy => Box::new(baselines::Greedy),
            Self::First => Box::new(baselines::First),
            Self::Random => Box::new(baselines::Random::new(seed)),
        }
    }
}
