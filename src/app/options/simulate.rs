//! The options of `simulate` and `match`.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::time::Duration;

use clap::Args;
use clap::builder::ValueParser;

use constructor_common::threads::threads_or_cores;

use super::paths::{Folder, Input, Output};
use super::players::{self, PlayerChoice, Players};
use super::shared::{THINK_MS, edition, edition_help, number, on_off, trades};
use crate::game::{Builder, Trades};
use crate::players::Limit;
use crate::simulate::{GAMES_BETWEEN_TESTS, Schedule};
use crate::text::{EDITIONS, Edition};

/// The options that `simulate` and `match` share.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct SimulationOptions {
    /// Seed of all games
    ///
    /// The seed of each game is derived from it.
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Playouts for each decision
    ///
    /// The budget of hard and expert players, 1 to 100000000.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = number(1..=100_000_000_u32))]
    playouts: u32,
    /// Milliseconds for each decision instead
    ///
    /// 1 to 3600000. Games with such a budget are not reproducible.
    #[arg(long, value_name = "MS", value_parser = one_time(), conflicts_with = "playouts")]
    think: Option<Times>,
    /// Number of threads; by default that of the cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Most turns of a game
    ///
    /// After them it ends without a result.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = number(1..=1_000_000_000_u64))]
    pub max_turns: u64,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE")]
    pub board: Option<Input>,
    /// Draw a layout for each game, the default
    #[arg(long)]
    random_board: bool,
    /// Let builders offer trades
    #[arg(long, value_name = "on|off", hide_possible_values = true, default_value = "off", value_parser = trades())]
    pub trades: Trades,
    /// The edition; by default the one that the program is named after.
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true,
          hide_possible_values = true, help = edition_help(), value_parser = edition())]
    pub edition: &'static Edition,
    /// Write a summary to FILE as JSON
    ///
    /// - is standard output; the table then goes to standard error.
    #[arg(long, value_name = "FILE")]
    pub json: Option<Output>,
    /// Write a row for each seat of each game to FILE
    ///
    /// The format is CSV. - is standard output; the table then goes to standard error.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<Output>,
    /// Write a page with charts to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<Output>,
    /// Write records of the games to FOLDER
    #[arg(long, value_name = "FOLDER")]
    pub records: Option<Folder>,
    /// Number of the first game
    ///
    /// For a part of a simulation.
    #[arg(long, value_name = "A", default_value = "0", value_parser = number(0..=1_000_000_000_000_u64))]
    pub first: u64,
    /// Write the results of this part to FILE
    ///
    /// The command merge puts parts together.
    #[arg(long, value_name = "FILE", conflicts_with = "think")]
    pub unit: Option<Output>,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

/// The options of `simulate`.
#[derive(Clone, PartialEq, Debug, Args)]
pub(super) struct SimulateArguments {
    #[command(flatten)]
    common: SimulationOptions,
    /// Number of games [default: 1000]
    ///
    /// 1 to 1000000000000.
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_000_000_u64))]
    games: Option<u64>,
    /// The player of each seat
    ///
    /// By default random,random,greedy,greedy.
    #[arg(long, value_name = "A,B,C,D", default_value = "random,random,greedy,greedy", hide_default_value = true,
          value_parser = players::of_simulation())]
    players: Players,
    /// Begin every game with the saved game in FILE
    ///
    /// The players then keep their seats, unless --rotate-seats on is given.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "random_board"])]
    load: Option<Input>,
    /// Move players on by a seat each game
    ///
    /// On by default, but off with --load.
    #[arg(long, value_name = "on|off", hide_possible_values = true, value_parser = on_off())]
    rotate_seats: Option<bool>,
    /// Print game I as a script for the text game
    ///
    /// Games are counted from 0. Nothing else is played.
    #[arg(long, value_name = "I", value_parser = number(0..=u64::MAX),
          conflicts_with_all = ["json", "csv", "html", "unit", "records", "first"])]
    only: Option<u64>,
}

/// The options of `match`.
#[derive(Clone, PartialEq, Debug, Args)]
#[command(mut_arg("think", |think| think.value_name("MS[,MS]").value_parser(two_times()).long_help(
    "Milliseconds for each decision instead\n\n\
     1 to 3600000; the second for the three others. Games with such a budget are not reproducible."
)))]
pub(super) struct MatchArguments {
    #[command(flatten)]
    common: SimulationOptions,
    /// Number of boards, four games each
    ///
    /// 1 to 250000000000. A board is played from every seat with the same dice.
    #[arg(long, value_name = "N", default_value = "250", value_parser = number(1..=250_000_000_000_u64))]
    boards: u64,
    /// Number of games instead, a multiple of 4
    #[arg(long, value_name = "N", value_parser = number(4..=1_000_000_000_000_u64), conflicts_with = "boards")]
    games: Option<u64>,
    /// One player and the three others
    #[arg(long, value_name = "A,B", default_value = "greedy,random", value_parser = players::of_match())]
    players: Players,
    /// Stop when a test decides for win rate P or Q
    ///
    /// A sequential test between two win rates, such as 0.25,0.3.
    #[arg(long, value_name = "P,Q", value_parser = parse_rates)]
    sprt: Option<[f64; 2]>,
    /// Also print the win rate after subtracting BETA times the luck
    ///
    /// BETA is 0 to 1; without it 0.65, which fits players that search. A value function judges every roll and theft, some 2 ms a game.
    #[arg(long, value_name = "BETA", num_args = 0..=1, default_missing_value = "0.65", value_parser = parse_coefficient)]
    adjust: Option<f64>,
}

/// The thinking times of the first player and of the others, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Times([u64; 2]);

/// The simulation to play, and the results to write.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulateOptions {
    common: SimulationOptions,
    /// The saved game with which every game begins.
    pub load: Option<Input>,
    /// The number of games.
    pub games: u64,
    /// The players.
    pub players: Players,
    /// The budget of each player for each decision.
    pub limits: [Limit; Builder::COUNT],
    /// The schedule: which player sits where in which game.
    pub schedule: Schedule,
    /// The two win rates of a sequential test.
    pub sprt: Option<[f64; 2]>,
    /// The coefficient by which results are adjusted for luck.
    pub adjust: Option<f64>,
    /// The number of the only game to play, which is printed as a script.
    pub only: Option<u64>,
    /// The name under which the program was started, quoted for a shell.
    pub program: String,
    /// The command line, quoted for a shell.
    pub command: String,
}

impl Deref for SimulateOptions {
    type Target = SimulationOptions;

    fn deref(&self) -> &SimulationOptions {
        &self.common
    }
}

impl SimulationOptions {
    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }

    fn limits(&self) -> [Limit; Builder::COUNT] {
        match self.think {
            Some(Times([one, other])) => {
                [one, other, other, other].map(|time| Limit::Time(Duration::from_millis(time)))
            }
            None => [Limit::Playouts(self.playouts); Builder::COUNT],
        }
    }
}

impl SimulateArguments {
    /// Checks that the options go together.
    pub fn check(self, [program, command]: [String; 2]) -> Result<SimulateOptions, String> {
        if let (Some(number), Some(games)) = (self.only, self.games)
            && number >= games
        {
            return Err(format!("there is no game {number}: '-games {games}' are those from 0 to {}", games - 1));
        }
        let rotates = self.rotate_seats.unwrap_or(self.load.is_none());
        SimulateOptions {
            load: self.load,
            games: self.games.unwrap_or(1000),
            players: self.players,
            limits: self.common.limits(),
            schedule: if rotates { Schedule::Rotated } else { Schedule::Fixed },
            sprt: None,
            adjust: None,
            only: self.only,
            program,
            command,
            common: self.common,
        }
        .check_parts()
    }
}

impl MatchArguments {
    /// Checks that the options go together.
    pub fn check(self, [program, command]: [String; 2]) -> Result<SimulateOptions, String> {
        SimulateOptions {
            load: None,
            games: self.games.unwrap_or(self.boards * Schedule::Match.games_per_board()),
            players: self.players,
            limits: self.common.limits(),
            schedule: Schedule::Match,
            sprt: self.sprt,
            adjust: self.adjust,
            only: None,
            program,
            command,
            common: self.common,
        }
        .check_parts()
    }
}

impl SimulateOptions {
    /// Checks that this part of a simulation consists of whole boards, and that its unit can be merged.
    fn check_parts(self) -> Result<Self, String> {
        let board = self.schedule.games_per_board();
        for (name, number) in [("first", self.first), ("games", self.games)] {
            if !number.is_multiple_of(board) {
                return Err(format!("'-{name} {number}' is not a multiple of {board}, the games of a board"));
            }
        }
        if self.unit.is_some() {
            if self.players.iter().any(|player| matches!(player, PlayerChoice::Program(_))) {
                let reason = "'-unit' cannot be used with programs as players: their games are not reproducible";
                return Err(reason.to_owned());
            }
            if self.sprt.is_some() && !self.first.is_multiple_of(GAMES_BETWEEN_TESTS) {
                let first = self.first;
                return Err(format!(
                    "'-first {first}' is not a multiple of {GAMES_BETWEEN_TESTS}, the games between two tests of -sprt"
                ));
            }
        }
        Ok(self)
    }
}

/// Returns a parser of the thinking time of all players.
fn one_time() -> ValueParser {
    ValueParser::new(|text: &str| {
        let time = text.parse().ok().filter(|time| THINK_MS.contains(time)).map(|time| Times([time, time]));
        time.ok_or_else(|| format!("expected a whole number from {} to {}", THINK_MS.start(), THINK_MS.end()))
    })
}

/// Returns a parser of the thinking times of the first player and of the others.
fn two_times() -> ValueParser {
    ValueParser::new(|text: &str| {
        let time = |text: &str| text.parse().ok().filter(|time| THINK_MS.contains(time));
        let (one, other) = text.split_once(',').unwrap_or((text, text));
        time(one).zip(time(other)).map(|(one, other)| Times([one, other])).ok_or_else(|| {
            format!("expected one or two comma-separated numbers from {} to {}", THINK_MS.start(), THINK_MS.end())
        })
    })
}

/// Parses the coefficient of an adjustment for luck.
pub(super) fn parse_coefficient(text: &str) -> Result<f64, String> {
    let coefficient = text.parse().ok().filter(|coefficient| (0.0..=1.0).contains(coefficient));
    coefficient.ok_or_else(|| "expected a number from 0 to 1, or nothing for 0.65".to_owned())
}

/// Parses two win rates in ascending order.
fn parse_rates(text: &str) -> Result<[f64; 2], String> {
    let rate = |text: &str| text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    text.split_once(',')
        .and_then(|(one, other)| Some([rate(one)?, rate(other)?]))
        .filter(|[one, other]| one < other)
        .ok_or_else(|| "expected two comma-separated win rates from 0 to 1 in ascending order".to_owned())
}
