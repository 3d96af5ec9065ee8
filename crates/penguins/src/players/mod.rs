//! Computer players.

pub mod best;
pub mod bits;
pub mod ice;
pub mod lone;
pub mod placement;
pub mod plain;
pub mod search;
pub mod sides;
pub mod simple;
pub mod solve;
pub mod table;
pub mod territory;
pub mod uct;

use std::time::Instant;

use crate::game::{Action, Game};

/// One who plays: sees the game and says what to do.
pub trait Player: std::fmt::Debug + Send {
    /// What the player on turn should do, decided by this time; nothing when there is nothing to do.
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action>;
}

/// What one who looks ahead came to.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// What it does.
    pub action: Action,
    /// How many positions it looked at.
    pub nodes: u64,
    /// How many plies it looked ahead.
    pub depth: u8,
    /// How many fish more than the other it will have from now on, when that is proven.
    pub exact: Option<i32>,
}

/// The players that are built in, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The strongest.
    Best,
    /// A plain alpha-beta search.
    Plain,
    /// Plain UCT.
    Uct,
    /// Takes the most fish at once.
    Greedy,
    /// Does the first thing that there is.
    First,
    /// Does anything.
    Random,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Best, Self::Plain, Self::Uct, Self::Greedy, Self::First, Self::Random];

    /// What it is called on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Plain => "plain",
            Self::Uct => "uct",
            Self::Greedy => "greedy",
            Self::First => "first",
            Self::Random => "random",
        }
    }

    /// What all are called.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).to_vec()
    }

    /// The one that is called so.
    ///
    /// ```
    /// use penguins::players::Kind;
    /// assert_eq!(Kind::named("best"), Some(Kind::Best));
    /// assert_eq!(Kind::named("worst"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A player of this kind, whose chance is drawn by the seed.
    #[must_use]
    pub fn player(self, seed: u64) -> Box<dyn Player> {
        match self {
            Self::Best => Box::new(best::Best { threads: 1 }),
            Self::Plain => Box::new(plain::Plain),
            Self::Uct => Box::new(uct::Uct::new(seed)),
            Self::Greedy => Box::new(simple::Greedy),
            Self::First => Box::new(simple::First),
            Self::Random => Box::new(simple::Random::new(seed)),
        }
    }
}
