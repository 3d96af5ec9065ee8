//! Many games of computer players, for statistics.
//!
//! Each game has a seed of its own, made from that of the simulation and its number, and from it a generator for chance
//! and one for the players. So the result does not depend on who plays which game, and each game can be played alone,
//! also [as a script](fn@transcript) for the game itself.

mod learner;
mod learning;
mod report;
mod tally;
mod transcript;
mod tuning;
mod workers;

use rand_chacha::ChaCha8Rng;

use crate::board::LayoutSource;
use crate::edition::Edition;
use crate::game::{Action, Builder, Drawn, Event, Game, Phase, Residence, Trades};
use crate::players::{Budget, PlayerKind, decide};
use crate::random;
use crate::statistics::log_likelihood_ratio;

pub use learning::{Learned, Learning};
pub use report::{CSV_HEADER, csv_row, json, table};
pub use tally::Tally;
pub use transcript::transcript;
pub use tuning::{Round, Tuning};
pub use workers::{Progress, run};

/// What is simulated.
pub struct Simulation {
    /// Whose rules are played.
    pub edition: &'static Edition,
    /// Where each game's layout comes from.
    pub source: Box<dyn LayoutSource + Sync>,
    /// Who plays.
    pub players: [PlayerKind; Builder::COUNT],
    /// How many games there are.
    pub games: u64,
    /// From which the seeds of all games are made.
    pub seed: u64,
    /// After so many turns a game ends without a result.
    pub most_turns: u64,
    /// Whether trades are offered.
    pub trades: Trades,
    /// How long each player may think about a decision, if it thinks at all.
    pub budgets: [Budget; Builder::COUNT],
    /// Whether the players change their seats from game to game, each to the next one.
    pub rotates_seats: bool,
    /// The shares of a [sequential test](crate::statistics::log_likelihood_ratio) that ends a match as soon as it is clear.
    pub test: Option<[f64; 2]>,
    /// Whether it is a match, where the same board and the same dice are played four times, before the next ones come.
    pub is_match: bool,
}

/// How many rolls are told apart: the sums 2 to 12.
pub const ROLLS: usize = 11;

/// What came of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Its number, from 0.
    pub number: u64,
    /// The seed with which the text game plays it.
    pub seed: u64,
    /// Who sat where: for each seat the number of the player.
    pub seats: [usize; Builder::COUNT],
    /// The position at the end.
    pub end: Game,
    /// How many turns were ended.
    pub turns: u64,
    /// How many actions were done.
    pub plies: u64,
    /// How often each sum was rolled.
    pub rolls: [u64; ROLLS],
    /// How many of each builder's offers were accepted.
    pub trades: [u64; Builder::COUNT],
}

impl Played {
    /// How many residences of a kind the builder has at the end.
    #[must_use]
    pub fn residences(&self, builder: Builder, kind: Residence) -> u64 {
        let own = self.end.residences(builder);
        own.iter().filter(|&vertex| self.end.residence(vertex) == Some(kind)).count() as u64
    }
}

/// The dice of a match are from a generator of their own, with a seed that differs in these bits.
const DICE_SEED: u64 = 0x51ed_2705_c4f8_9a3d;

/// The players' draws are from another generator than chance's, with a seed that differs in these bits.
const PLAYERS_SEED: u64 = 0x9d5c_3a0f_71e2_84b6;

/// The seed with this number of those that come from another one: numbers are spread over all seeds. (Guy Steele, Doug Lea
/// and Christine Flood, "Fast splittable pseudorandom number generators", 2014.)
const fn spread(seed: u64, number: u64) -> u64 {
    let mut seed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    seed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    seed = (seed ^ seed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ seed >> 31
}

impl Simulation {
    /// The seed of a game, by its number; in a match four games have the same.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        spread(self.seed, if self.is_match { number / Builder::COUNT as u64 } else { number })
    }

    /// Which of the two shares a sequential test has come to accept, with a chance of 5 % to be wrong in either way; `None`
    /// while it has not, or when there is no test.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> Option<f64> {
        const ERROR: f64 = 0.05;
        let shares = self.test?;
        let ratio = log_likelihood_ratio(&tally.boards, shares);
        let bound = ((1.0 - ERROR) / ERROR).ln();
        if ratio >= bound {
            Some(shares[1])
        } else if ratio <= -bound {
            Some(shares[0])
        } else {
            None
        }
    }

    /// Who sits where in a game: for each seat the number of the player.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a number below 4")]
    pub fn seats_of(&self, number: u64) -> [usize; Builder::COUNT] {
        let mut seats = std::array::from_fn(|seat| seat);
        if self.rotates_seats {
            seats.rotate_right((number % Builder::COUNT as u64) as usize);
        }
        seats
    }

    /// Plays a game. Every action is told before it is done, with the position then.
    pub fn play(&self, number: u64, mut tell: impl FnMut(&Game, Action)) -> Played {
        let seed = self.seed_of(number);
        let mut chance = random::seeded(seed);
        let mut dice = self.is_match.then(|| random::seeded(seed ^ DICE_SEED));
        let mut draws = random::seeded(seed ^ PLAYERS_SEED);
        let layout = self.source.layout(&mut chance);
        let seats = self.seats_of(number);
        let mut players = seats.map(|player| self.players[player].player(self.budgets[player]));
        let mut played = Played {
            number,
            seed,
            seats,
            end: Game::new(self.edition.rules, layout),
            turns: 0,
            plies: 0,
            rolls: [0; ROLLS],
            trades: [0; Builder::COUNT],
        };
        let watches = self.players.iter().any(|kind| kind.thinks());
        while played.turns < self.most_turns {
            if watches {
                for player in &mut players {
                    player.see(&played.end);
                }
            }
            let Some(action) = decide(&played.end, self.trades, &mut players, &mut draws) else { break };
            tell(&played.end, action);
            played.go_on(action, dice.as_mut(), &mut chance);
        }
        played
    }
}

impl Played {
    fn go_on(&mut self, action: Action, dice: Option<&mut ChaCha8Rng>, chance: &mut ChaCha8Rng) {
        match (action, self.end.phase()) {
            (Action::EndTurn, _) => self.turns += 1,
            (Action::Accept, Phase::Offered(offer)) => self.trades[offer.from.index()] += 1,
            _ => {}
        }
        self.plies += 1;
        let mut rolled = Rolled { dice, chance: Drawn(chance), rolls: &mut self.rolls };
        self.end.apply_unchecked(action, &mut rolled, |_: Event| {});
    }
}

/// Chance whose rolls are counted. The dice may have a generator of their own.
struct Rolled<'r, C> {
    dice: Option<&'r mut ChaCha8Rng>,
    chance: C,
    rolls: &'r mut [u64; ROLLS],
}

impl<C: crate::game::Chance> crate::game::Chance for Rolled<'_, C> {
    fn roll(&mut self) -> crate::board::Roll {
        let roll = match &mut self.dice {
            Some(dice) => Drawn(*dice).roll(),
            None => self.chance.roll(),
        };
        self.rolls[usize::from(roll.value()) - 2] += 1;
        roll
    }

    fn lost(&mut self, held: crate::game::Hand, count: u32) -> crate::game::Hand {
        self.chance.lost(held, count)
    }

    fn taken(&mut self, held: crate::game::Hand) -> Option<crate::board::Resource> {
        self.chance.taken(held)
    }
}
