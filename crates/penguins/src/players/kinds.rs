//! The built-in players.

use super::player::Player;
use super::{baselines, engine};

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

    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "best",
            Self::Greedy => "greedy",
            Self::First => "first",
            Self::Random => "random",
        }
    }

    /// Returns the names of all kinds.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).to_vec()
    }

    /// Returns the kind with this name; `None` if there is no such kind.
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

    /// Returns a player of this kind.
    ///
    /// `seed` determines the player's random choices.
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
