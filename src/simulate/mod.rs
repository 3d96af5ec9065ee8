//! Simulations: many games of computer players, and their statistics.
//!
//! Each game has its own seed, derived from the seed of the simulation and the game's number, and from it one generator for
//! chance and one for the players. So results do not depend on the number of threads, and each game can be replayed alone, also
//! [as a script](fn@script) for the text game.

mod report;
mod script;
mod stats;
pub mod training;
mod workers;

use rand_chacha::ChaCha8Rng;

use crate::board::{LayoutSource, RandomLayout, Resource, Roll};
use crate::game::{Action, Builder, Chance, Event, Game, Hand, RandomChance, Residence, Trades};
use crate::players::{Player, PlayerFactory, next_action, playout};
use crate::rng::{self, split_mix64};
use crate::statistics::sprt_llr;
use crate::text::Edition;

#[cfg(feature = "serde")]
pub use report::json;
pub use report::{CSV_HEADER, csv_row, table};
pub use script::script;
pub use stats::{PlayerStats, Stats};
pub use workers::{Interruption, Progress, run};

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
    /// The number of games. Default: 1,000.
    pub games: u64,
    /// The seed from which the seeds of all games are derived. Default: 0.
    pub seed: u64,
    /// The number of turns after which a game ends without a result. Default: 10,000.
    pub max_turns: u64,
    /// Whether players offer trades. Default: off.
    pub trades: Trades,
    /// Whether the players move on by a seat from game to game. Default: on.
    pub rotates_seats: bool,
    /// Whether this is a match of the first player against three others: each board is played four times with the same dice, once
    /// from each seat.
    pub is_match: bool,
    /// The two win rates of a sequential test that stops a match as soon as it is decided: see [`Simulation::verdict`].
    pub sprt: Option<[f64; 2]>,
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

/// The result of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The game's number, from 0.
    pub number: u64,
    /// The game's seed, also for the text game.
    pub seed: u64,
    /// For each builder, the number of its player.
    pub seating: [usize; Builder::COUNT],
    /// The final position.
    pub end: Game,
    /// The number of turns that ended.
    pub turns: u64,
    /// The number of actions.
    pub plies: u64,
    /// The number of times each sum was rolled.
    pub rolls: [u64; Roll::COUNT],
    /// For each builder, the number of its offers that were accepted.
    pub trades: [u64; Builder::COUNT],
}

impl GameResult {
    /// The number of residences of this kind that the builder has at the end.
    #[must_use]
    pub fn residences(&self, builder: Builder, kind: Residence) -> u64 {
        let own = self.end.residences(builder);
        let of_kind = match kind {
            Residence::Basement => self.end.basements(builder),
            Residence::House => own & self.end.houses(),
            Residence::Tower => own & self.end.towers(),
        };
        of_kind.len().into()
    }
}

/// The dice of a match have a generator whose seed differs from the game's in these bits.
const DICE_SEED: u64 = 0x51ed_2705_c4f8_9a3d;

/// The players have a generator whose seed differs from the game's in these bits.
const PLAYERS_SEED: u64 = 0x9d5c_3a0f_71e2_84b6;

/// Seed `number` of those derived from a seed. Stable between versions.
const fn derive_seed(seed: u64, number: u64) -> u64 {
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
            games: 1_000,
            seed: 0,
            max_turns: 10_000,
            trades: Trades::Off,
            rotates_seats: true,
            is_match: false,
            sprt: None,
        }
    }

    /// A match of one player against three of another, with default settings.
    #[must_use]
    pub fn versus(edition: &'static Edition, one: PlayerFactory, other: PlayerFactory) -> Self {
        let players = [one, other.clone(), other.clone(), other];
        Self { is_match: true, ..Self::new(edition, players) }
    }

    /// The seed of a game. In a match, the four games of a board share it.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        derive_seed(self.seed, if self.is_match { number / Builder::COUNT as u64 } else { number })
    }

    /// The win rate that the sequential test accepts, with error probabilities of 5 %; `None` while it is undecided, and without
    /// a test.
    #[must_use]
    pub fn verdict(&self, stats: &Stats) -> Option<f64> {
        const ERROR: f64 = 0.05;
        let rates = self.sprt?;
        let llr = sprt_llr(&stats.boards, rates);
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
    #[expect(clippy::cast_possible_truncation, reason = "below 4")]
    pub fn seating(&self, number: u64) -> [usize; Builder::COUNT] {
        let mut seating = std::array::from_fn(|seat| seat);
        if self.rotates_seats {
            seating.rotate_right((number % Builder::COUNT as u64) as usize);
        }
        seating
    }

    /// Plays a game. `before` is called with every action and the position before it.
    pub fn play(&self, number: u64, before: impl FnMut(&Game, Action)) -> GameResult {
        self.play_until(number, || false, before).0
    }

    /// Plays a game up to the first turn at whose start `is_dropped`. Returns the result so far, and whether the game was played
    /// to its end.
    fn play_until(
        &self,
        number: u64,
        is_dropped: impl Fn() -> bool,
        mut before: impl FnMut(&Game, Action),
    ) -> (GameResult, bool) {
        let seed = self.seed_of(number);
        let mut rng = rng::from_seed(seed);
        let dice = self.is_match.then(|| rng::from_seed(seed ^ DICE_SEED));
        let mut players_rng = rng::from_seed(seed ^ PLAYERS_SEED);
        let layout = self.source.layout(&mut rng);
        let mut chance = MatchChance { rng, dice };
        let seating = self.seating(number);
        let mut players = seating.map(|player| self.players[player].make());
        let observe = players.iter().any(Player::wants_observations);
        let mut game = Game::new(self.edition.rules, layout);
        let (mut plies, mut rolls, mut trades) = (0, [0; Roll::COUNT], [0; Builder::COUNT]);
        let mut is_complete = true;
        let turns = playout(&mut game, self.max_turns, |game, _| {
            if observe {
                for player in &mut players {
                    player.observe(game);
                }
            }
            let action = next_action(game, self.trades, &mut players, &mut players_rng)?;
            if action == Action::Roll && is_dropped() {
                is_complete = false;
                return None;
            }
            before(game, action);
            plies += 1;
            game.apply_unchecked(action, &mut chance, |event| match event {
                Event::Rolled(_, roll) => rolls[roll.index()] += 1,
                Event::Traded(offer) => trades[offer.from.index()] += 1,
                _ => {}
            });
            Some(action)
        });
        (GameResult { number, seed, seating, end: game, turns, plies, rolls, trades }, is_complete)
    }
}

/// Random chance whose dice may have a generator of their own.
struct MatchChance {
    rng: ChaCha8Rng,
    dice: Option<ChaCha8Rng>,
}

impl Chance for MatchChance {
    fn roll(&mut self) -> Roll {
        RandomChance(self.dice.as_mut().unwrap_or(&mut self.rng)).roll()
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        RandomChance(&mut self.rng).discard(held, count)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        RandomChance(&mut self.rng).steal(held)
    }
}
