//! Simulations: many games of computer players, and their statistics.
//!
//! Each game has its own seed, derived from the seed of the simulation and the game's number, and from it one generator for
//! chance and one for the players. So results do not depend on the number of threads, and each game can be replayed alone, also
//! [as a script](fn@script) for the text game.

mod game_result;
#[cfg(feature = "serde")]
mod job;
#[cfg(feature = "serde")]
mod merge;
mod ratings;
mod report;
mod schedule;
mod script;
#[cfg(feature = "serde")]
mod signature;
mod stats;
#[cfg(feature = "serde")]
mod tournament;
#[cfg(feature = "serde")]
mod unit;
mod watcher;
mod workers;

use std::num::NonZeroUsize;
use std::ops::Range;

use rand_chacha::ChaCha8Rng;

use self::watcher::{Before, Watcher};
use crate::board::{LayoutSource, RandomLayout, Resource, Roll};
use crate::game::{
    Action, Builder, Chance, ChanceOutcome, Game, Hand, LegalActions, PlacementConflict, RandomChance, SavedGame,
    Trades,
};
use crate::players::{Player, PlayerFactory, Table, legal_choice, play_game};
use crate::rng::{self, split_mix64};
use crate::statistics::sprt_llr;
use crate::text::Edition;

pub use game_result::{GameResult, SeatResult};
#[cfg(feature = "serde")]
pub use job::{Job, JobPlayer};
#[cfg(feature = "serde")]
pub use merge::{MergeError, Merged, Units};
pub use ratings::{PairResult, Rating, pairs, ratings};
pub use report::{CSV_HEADER, csv_rows, table};
#[cfg(feature = "serde")]
pub use report::{Fault, RunInfo, json};
pub use schedule::Schedule;
pub use script::script;
#[cfg(feature = "serde")]
pub use signature::signature;
pub use stats::{MAX_STEPS, PlayerStats, Stats, TURNS_PER_STEP};
#[cfg(feature = "serde")]
pub use tournament::{PlayedBoards, TOURNAMENT_FORMAT, Tournament, TournamentSetting};
#[cfg(feature = "serde")]
pub use unit::{Unit, UnitError};
#[cfg(feature = "serde")]
pub use watcher::Recording;
pub use workers::{GAMES_BETWEEN_TESTS, Interruption, Outputs, Played, Progress, run, run_in_parts};

/// What is simulated. Begin with [`Simulation::new`] or [`Simulation::versus`] and change fields.
///
/// ```
/// use constructor::players::{Budget, Greedy, PlayerFactory, PlayerKind};
/// use constructor::simulate::{Simulation, Stats};
/// use constructor::text::CONSTRUCTOR;
/// let mine = PlayerFactory::new("mine", || Box::new(Greedy::default()));
/// let random = PlayerKind::Random.factory(&Budget::playouts(1));
/// let mut simulation = Simulation::versus(&CONSTRUCTOR, mine, random);
/// simulation.games = 40;
/// let stats = Stats::play(&simulation, 0..simulation.games, |_| {});
/// assert!(stats.players[0].wins > 30);
/// ```
#[non_exhaustive]
pub struct Simulation {
    /// The edition whose rules are played. Default: as given.
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
    /// Who sits where. Default: [`Schedule::Rotated`].
    pub schedule: Schedule,
    /// The two win rates of a sequential test that stops a match as soon as it is decided: see [`Simulation::verdict`].
    pub sprt: Option<[f64; 2]>,
    /// The saved game with which every game begins: see [`Simulation::load`].
    loaded: Option<Box<Loaded>>,
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

/// The dice of a match have a generator whose seed differs from the game's in these bits.
const DICE_SEED: u64 = 0x51ed_2705_c4f8_9a3d;

/// The players have a generator whose seed differs from the game's in these bits.
const PLAYERS_SEED: u64 = 0x9d5c_3a0f_71e2_84b6;

/// Seed `number` of those derived from a seed. Stable between versions.
pub(crate) const fn derive_seed(seed: u64, number: u64) -> u64 {
    split_mix64(seed, number.wrapping_sub(1))
}

impl Simulation {
    /// A simulation of these players with default settings.
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
            loaded: None,
        }
    }

    /// Begins every game with a saved one, on its layout.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn load(&mut self, saved: SavedGame) -> Result<(), PlacementConflict> {
        let game = Game::from_saved(self.edition.rules, &saved)?;
        self.source = Box::new(saved.layout);
        self.loaded = Some(Box::new(Loaded { saved, game }));
        Ok(())
    }

    /// The saved game with which every game begins, if one does.
    #[must_use]
    pub fn loaded(&self) -> Option<&SavedGame> {
        self.loaded.as_ref().map(|loaded| &loaded.saved)
    }

    /// A match of one player against three of another, with default settings.
    #[must_use]
    pub fn versus(edition: &'static Edition, one: PlayerFactory, other: PlayerFactory) -> Self {
        let players = [one, other.clone(), other.clone(), other];
        Self { schedule: Schedule::Match, ..Self::new(edition, players) }
    }

    /// The numbers of the games.
    #[must_use]
    pub const fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.games)
    }

    /// The seed of a game. The games of a board share it.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        derive_seed(self.seed, number / self.schedule.games_of_a_board())
    }

    /// The win rate that the sequential test accepts, with error probabilities of 5 %; `None` while it is undecided, and without
    /// a test.
    #[must_use]
    pub fn verdict(&self, stats: &Stats) -> Option<f64> {
        const ERROR: f64 = 0.05;
        let rates = self.sprt?;
        let llr = sprt_llr(stats.boards.first_chunk::<{ Builder::COUNT + 1 }>()?, rates);
        let bound = ((1.0 - ERROR) / ERROR).ln();
        if llr >= bound {
            Some(rates[1])
        } else if llr <= -bound {
            Some(rates[0])
        } else {
            None
        }
    }

    /// For each builder of a game, the number of its player.
    #[must_use]
    pub const fn seating(&self, number: u64) -> [usize; Builder::COUNT] {
        self.schedule.seating(number)
    }

    /// Plays all games on this many threads, and returns their statistics.
    ///
    /// Without a sequential test, whatever [`Simulation::sprt`] says.
    #[must_use]
    pub fn run(&self, threads: NonZeroUsize) -> Stats {
        run(self, self.numbers(), threads, &Interruption::default(), Outputs::default(), &mut ())
    }

    /// Plays a game. `before` is called with every action and the position before it.
    pub fn play(&self, number: u64, before: impl FnMut(&Game, Action)) -> GameResult {
        self.play_until(number, || false, &mut Before(before)).0
    }

    /// Plays a game up to the first turn at whose start `is_dropped`. Returns the result so far, and whether the game was played
    /// to its end.
    fn play_until<W: Watcher>(
        &self,
        number: u64,
        is_dropped: impl Fn() -> bool,
        watcher: &mut W,
    ) -> (GameResult, bool) {
        let seed = self.seed_of(number);
        let mut rng = rng::from_seed(seed);
        let dice = self.schedule.shares_dice().then(|| rng::from_seed(seed ^ DICE_SEED));
        let layout = self.source.layout(&mut rng);
        let seating = self.seating(number);
        let mut players = seating.map(|player| self.players[player].make());
        let mut game = self.loaded.as_ref().map_or_else(|| Game::new(self.edition.rules, layout), |loaded| loaded.game);
        let wants = Wants {
            turns: players.iter().any(|player| player.wants_turns(self.trades)),
            observations: players.iter().any(Player::wants_observations),
            actions: players.iter().any(Player::wants_actions),
        };
        if wants.actions {
            for (player, builder) in players.iter_mut().zip(Builder::ALL) {
                player.begin_game(&game, builder);
            }
        }
        let result = GameResult::new(number, seed, seating, &game);
        watcher.begin(self, &result);
        let mut table = WatchedTable {
            chance: MatchChance { rng, dice, roll: Roll::of_dice(0, 0) },
            wants,
            players,
            players_rng: rng::from_seed(seed ^ PLAYERS_SEED),
            watcher,
            result,
            is_dropped,
            is_complete: true,
        };
        let turns = play_game(&mut game, self.trades, self.max_turns, &mut table);
        let WatchedTable { mut result, is_complete, watcher, players, wants, .. } = table;
        result.finish(&game, turns);
        if wants.actions {
            for (seat, player) in result.seats.iter_mut().zip(&players) {
                seat.failed = player.has_failed();
            }
        }
        if let Some(loaded) = &self.loaded {
            result.subtract_beginning(loaded);
        }
        watcher.end(&result);
        (result, is_complete)
    }
}

/// What any of the players wants to be told.
struct Wants {
    turns: bool,
    observations: bool,
    actions: bool,
}

/// The table of a simulated game: its players, its chance, its result so far, and its watcher.
struct WatchedTable<'w, W, D> {
    chance: MatchChance,
    players: [Box<dyn Player>; Builder::COUNT],
    players_rng: ChaCha8Rng,
    wants: Wants,
    watcher: &'w mut W,
    result: GameResult,
    is_dropped: D,
    is_complete: bool,
}

impl<W: Watcher, D: Fn() -> bool> Table for WatchedTable<'_, W, D> {
    #[inline(always)]
    fn observe(&mut self, game: &Game) {
        if self.wants.observations {
            for player in &mut self.players {
                player.observe(game);
            }
        }
    }

    #[inline(always)]
    fn begin_turn(&mut self, builder: Builder) -> bool {
        if self.wants.turns {
            self.players[builder.index()].begin_turn();
        }
        self.is_complete = !(self.is_dropped)();
        self.is_complete
    }

    #[inline(always)]
    fn decide(&mut self, game: &Game, builder: Builder, actions: &LegalActions) -> Option<Action> {
        legal_choice(game, &mut self.players[builder.index()], actions, &mut self.players_rng)
    }

    #[inline(always)]
    fn apply(&mut self, game: &mut Game, builder: Builder, action: Action, turns: u64) {
        self.watcher.before(game, action);
        let faces = if action == Action::Roll { self.chance.draw_dice() } else { [1; 2] };
        self.result.note_action(turns, action, faces, game);
        if !W::WANTS_OUTCOMES && !self.wants.actions {
            game.apply_unchecked(action, &mut self.chance, |_| {});
        } else {
            let mut outcome = ChanceOutcome::default();
            game.apply_unchecked(action, &mut self.chance, |event| outcome.note(event));
            self.watcher.after(builder, action, &outcome, faces, game);
            if self.wants.actions {
                for player in &mut self.players {
                    player.follow(builder, action, &outcome, game);
                }
            }
        }
    }
}

// Out of line: inlined, each of its memory accesses selects between the two generators.
#[inline(never)]
fn dice_of(rng: &mut ChaCha8Rng) -> [u8; 2] {
    RandomChance(rng).dice()
}

/// Random chance whose dice may have a generator of their own. They are drawn before the action, so that their faces are known.
struct MatchChance {
    rng: ChaCha8Rng,
    dice: Option<ChaCha8Rng>,
    /// The last roll.
    roll: Roll,
}

impl MatchChance {
    /// Draws the dice of the next roll, and returns their faces.
    #[inline]
    fn draw_dice(&mut self) -> [u8; 2] {
        let faces = dice_of(self.dice.as_mut().unwrap_or(&mut self.rng));
        self.roll = Roll::of_dice(faces[0] - 1, faces[1] - 1);
        faces
    }
}

impl Chance for MatchChance {
    #[inline]
    fn roll(&mut self) -> Roll {
        self.roll
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        RandomChance(&mut self.rng).discard(held, count)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        RandomChance(&mut self.rng).steal(held)
    }
}
