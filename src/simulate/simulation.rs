//! The settings of a simulation.

use std::ops::Range;

use super::adjusted::Adjustment;
use super::schedule::Schedule;
use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Builder, Game, PlacementConflict, SavedGame, Trades};
use crate::players::PlayerFactory;
use crate::text::Edition;

/// The settings of a simulation. Begin with [`Simulation::new`] or [`Simulation::versus`] and change fields.
///
/// ```
/// use std::num::NonZeroUsize;
/// use constructor::players::{Greedy, PlayerFactory, PlayerKind};
/// use constructor::simulate::Simulation;
/// use constructor::text::CONSTRUCTOR;
/// let mine = PlayerFactory::new("mine", || Box::new(Greedy::default()));
/// let random = PlayerFactory::from(PlayerKind::Random);
/// let mut simulation = Simulation::versus(&CONSTRUCTOR, mine, random);
/// simulation.games = 40;
/// let stats = simulation.run(NonZeroUsize::MIN);
/// assert!(stats.players[0].wins > 30);
/// ```
#[non_exhaustive]
pub struct Simulation {
    /// The edition whose rules are played. It has no default.
    pub edition: &'static Edition,
    /// The source of each game's layout. Default: random.
    pub source: Box<dyn LayoutSource + Sync>,
    /// The players.
    pub players: [PlayerFactory; Builder::COUNT],
    /// The number of the first game. Default: 0.
    pub first: u64,
    /// The number of games. Default: 1,000.
    pub games: u64,
    /// The seed from which the seeds of all games are derived. Default: 0.
    pub seed: u64,
    /// The number of turns after which a game ends without a result. Default: 10,000.
    pub max_turns: u64,
    /// Whether players offer trades. Default: off.
    pub trades: Trades,
    /// The seats of the players. Default: [`Schedule::Rotated`].
    pub schedule: Schedule,
    /// The two win rates of a sequential test that stops a match as soon as it is decided: see [`Simulation::verdict`].
    pub sprt: Option<[f64; 2]>,
    /// How the results of a match are adjusted for luck; `None` if they are not. Default: `None`.
    pub adjustment: Option<Adjustment>,
    /// The saved game with which every game begins: see [`Simulation::load`].
    pub(super) loaded: Option<Box<Loaded>>,
}

/// A saved game with which every game of a simulation begins.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub saved: SavedGame,
    pub game: Game,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (games, seed) = (&self.games, &self.seed);
        f.debug_struct("Simulation")
            .field("players", &self.players)
            .field("games", games)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// Makes a simulation of these players with default settings.
    #[must_use]
    pub fn new(edition: &'static Edition, players: [PlayerFactory; Builder::COUNT]) -> Self {
        Self {
            edition,
            source: Box::new(RandomLayout),
            players,
            first: 0,
            games: 1_000,
            seed: 0,
            max_turns: 10_000,
            trades: Trades::Off,
            schedule: Schedule::Rotated,
            sprt: None,
            adjustment: None,
            loaded: None,
        }
    }

    /// Makes every game begin with a saved game, on the layout of that game.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn load(&mut self, saved: SavedGame) -> Result<(), PlacementConflict> {
        let game = Game::from_saved(self.edition.rules, &saved)?;
        self.source = Box::new(saved.layout);
        self.loaded = Some(Box::new(Loaded { saved, game }));
        Ok(())
    }

    /// Returns the saved game with which every game begins; `None` if games begin with the setup.
    #[must_use]
    pub fn loaded(&self) -> Option<&SavedGame> {
        self.loaded.as_ref().map(|loaded| &loaded.saved)
    }

    /// Makes a match of one player against three players of another kind, with default settings.
    #[must_use]
    pub fn versus(edition: &'static Edition, one: PlayerFactory, other: PlayerFactory) -> Self {
        let players = [one, other.clone(), other.clone(), other];
        Self { schedule: Schedule::Match, ..Self::new(edition, players) }
    }

    /// Returns the numbers of the games.
    #[must_use]
    pub const fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.games)
    }

    /// Returns, for each builder of a game, the number of its player.
    #[must_use]
    pub const fn seating(&self, number: u64) -> [usize; Builder::COUNT] {
        self.schedule.seating(number)
    }
}
