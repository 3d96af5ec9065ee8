//! The options of `simulate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command, value_parser};

use super::{board, edition, edition_of, help, option, seed, switch};
use crate::edition::Edition;
use crate::game::{Builder, Trades};
use crate::players::PlayerKind;

/// What to simulate, and where to put what comes of it.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// Whose rules are played.
    pub edition: &'static Edition,
    /// The file with the layout of every game; `None` draws one for each.
    pub board: Option<PathBuf>,
    /// Who plays.
    pub players: [PlayerKind; Builder::COUNT],
    /// How many games.
    pub games: u64,
    /// From which the seeds of all games are made.
    pub seed: u64,
    /// How many threads play.
    pub threads: NonZeroUsize,
    /// After so many turns a game ends without a result.
    pub most_turns: u64,
    /// Whether trades are offered.
    pub trades: Trades,
    /// Whether the players change their seats from game to game.
    pub rotates_seats: bool,
    /// The one game to be played, as a script.
    pub only: Option<u64>,
    /// Where the summary goes as JSON.
    pub json: Option<PathBuf>,
    /// Where a line for each game goes.
    pub csv: Option<PathBuf>,
    /// Whether nothing is printed but errors.
    pub quiet: bool,
}

pub(super) const NAME: &str = "simulate";

pub(super) fn command() -> Command {
    let on_off = || PossibleValuesParser::new(["on", "off"]);
    Command::new(NAME)
        .about("Let computer players play many games, and print what came of them")
        .disable_help_flag(true)
        .arg(
            option("games", "N", "How many games, 1 to 1000000000000")
                .default_value("1000")
                .value_parser(value_parser!(u64).range(1..=1_000_000_000_000)),
        )
        .arg(
            option("players", "A,B,C,D", "Who plays: four of random and greedy")
                .default_value("random,random,greedy,greedy")
                .value_parser(parse_players),
        )
        .arg(seed("Seed from which the seed of each game is made"))
        .arg(
            option("threads", "T", "How many games are played at a time; without it, as many as there are cores")
                .value_parser(value_parser!(u16).range(1..=1024)),
        )
        .arg(
            option("max-turns", "N", "After so many turns a game ends without a result")
                .default_value("10000")
                .value_parser(value_parser!(u64).range(1..=1_000_000_000)),
        )
        .arg(board())
        .arg(switch("random-board", "Draw a layout for each game, as is done without --board too"))
        .arg(option("trades", "WHEN", "Whether trades are offered").default_value("off").value_parser(on_off()))
        .arg(
            option("rotate-seats", "WHEN", "Whether the players move on by a seat from game to game")
                .default_value("on")
                .value_parser(on_off()),
        )
        .arg(edition())
        .arg(
            option("only", "I", "Play game I alone, counted from 0, and print it as a script for the game itself")
                .value_parser(value_parser!(u64)),
        )
        .arg(option("json", "FILE", "Write the summary to FILE as JSON").value_parser(value_parser!(PathBuf)))
        .arg(option("csv", "FILE", "Write a line for each game to FILE").value_parser(value_parser!(PathBuf)))
        .arg(switch("quiet", "Print nothing but errors"))
        .arg(help())
}

fn parse_players(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let names = PlayerKind::ALL.map(PlayerKind::name).join(", ");
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::named).collect();
    kinds
        .and_then(|kinds| kinds.try_into().ok())
        .ok_or_else(|| format!("wanted are four of {names}, with commas between"))
}

pub(super) fn options(matches: &mut ArgMatches, usual: &'static Edition) -> SimulateOptions {
    let is_on = |name: &str| matches.get_one::<String>(name).is_some_and(|value| value == "on");
    let (trades, rotates_seats) = (is_on("trades"), is_on("rotate-seats"));
    let threads = matches.remove_one::<u16>("threads").and_then(|threads| NonZeroUsize::new(threads.into()));
    SimulateOptions {
        board: matches.remove_one("board"),
        players: matches.remove_one("players").unwrap_or([PlayerKind::Random; Builder::COUNT]),
        games: matches.remove_one("games").unwrap_or_default(),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN),
        most_turns: matches.remove_one("max-turns").unwrap_or_default(),
        trades: if trades { Trades::On } else { Trades::Off },
        rotates_seats,
        only: matches.remove_one("only"),
        json: matches.remove_one("json"),
        csv: matches.remove_one("csv"),
        quiet: matches.get_flag("quiet"),
        edition: edition_of(matches, usual),
    }
}
