//! The options of `simulate` and `match`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::{THINK, board, budget, budget_of, edition, edition_of, help, option, seed, switch, thinks_for};
use crate::edition::Edition;
use crate::game::{Builder, Trades};
use crate::players::{Budget, PlayerKind};

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
    /// How long each player may think about a decision.
    pub budgets: [Budget; Builder::COUNT],
    /// The shares that a sequential test tells apart.
    pub test: Option<[f64; 2]>,
    /// Whether it is a match.
    pub is_match: bool,
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

/// The command that plays many games.
pub(super) const SIMULATE: &str = "simulate";
/// The command that measures one player against another.
pub(super) const MATCH: &str = "match";

pub(super) fn command() -> Command {
    common(Command::new(SIMULATE).about("Let computer players play many games, and print what came of them"))
        .arg(
            option("games", "N", "How many games, 1 to 1000000000000")
                .default_value("1000")
                .value_parser(value_parser!(u64).range(1..=1_000_000_000_000)),
        )
        .arg(
            option("players", "A,B,C,D", format!("Who plays: four of {}", names()))
                .default_value("random,random,greedy,greedy")
                .value_parser(parse_players),
        )
        .arg(
            option("rotate-seats", "WHEN", "Whether the players move on by a seat from game to game")
                .default_value("on")
                .value_parser(on_off()),
        )
        .arg(
            option("only", "I", "Play game I alone, counted from 0, and print it as a script for the game itself")
                .value_parser(value_parser!(u64)),
        )
}

pub(super) fn match_command() -> Command {
    common(
        Command::new(MATCH).about("Let one computer player play against three of another, and print how often it wins"),
    )
    .mut_arg("think", |think| {
        think
            .value_name("MS[,MS]")
            .help("How many milliseconds a player thinks instead, 1 to 3600000; the second is for the three others")
            .value_parser(parse_times)
    })
    .arg(
        option("boards", "N", "How many boards, 1 to 250000000000; each is played with the same dice from every seat")
            .default_value("250")
            .value_parser(value_parser!(u64).range(1..=250_000_000_000)),
    )
    .arg(
        option("players", "A,B", format!("Who plays against three of whom: two of {}", names()))
            .default_value("greedy,random")
            .value_parser(parse_opponents),
    )
    .arg(
        option("sprt", "P,Q", "Stop when it is clear whether the share won is nearer to P or to Q, such as 0.25,0.3")
            .value_parser(parse_shares),
    )
}

pub(super) fn threads() -> Arg {
    option("threads", "T", "How many games are played at a time; without it, as many as there are cores")
        .value_parser(value_parser!(u16).range(1..=1024))
}

pub(super) fn threads_of(matches: &mut ArgMatches) -> NonZeroUsize {
    let threads = matches.remove_one::<u16>("threads").and_then(|threads| NonZeroUsize::new(threads.into()));
    threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

fn on_off() -> PossibleValuesParser {
    PossibleValuesParser::new(["on", "off"])
}

/// The options that both commands have.
fn common(command: Command) -> Command {
    command
        .disable_help_flag(true)
        .arg(seed("Seed from which the seed of each game is made"))
        .args(budget())
        .arg(threads())
        .arg(
            option("max-turns", "N", "After so many turns a game ends without a result")
                .default_value("10000")
                .value_parser(value_parser!(u64).range(1..=1_000_000_000)),
        )
        .arg(board())
        .arg(switch("random-board", "Draw a layout for each game, as is done without --board too"))
        .arg(option("trades", "WHEN", "Whether trades are offered").default_value("off").value_parser(on_off()))
        .arg(edition())
        .arg(option("json", "FILE", "Write the summary to FILE as JSON").value_parser(value_parser!(PathBuf)))
        .arg(option("csv", "FILE", "Write a line for each game to FILE").value_parser(value_parser!(PathBuf)))
        .arg(switch("quiet", "Print nothing but errors"))
        .arg(help())
}

fn parse_players(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    parse_kinds(text).ok_or_else(|| format!("wanted are four of {}, with commas between", names()))
}

/// One player and three of another.
fn parse_opponents(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let [one, other] =
        parse_kinds(text).ok_or_else(|| format!("wanted are two of {}, with a comma between", names()))?;
    Ok([one, other, other, other])
}

/// How long the one player thinks, and how long the others do.
fn parse_times(text: &str) -> Result<[u64; 2], String> {
    let time = |text: &str| text.parse().ok().filter(|time| THINK.contains(time));
    let (one, other) = text.split_once(',').unwrap_or((text, text));
    time(one).zip(time(other)).map(|(one, other)| [one, other]).ok_or_else(|| {
        format!("wanted are one or two numbers from {} to {}, with a comma between", THINK.start(), THINK.end())
    })
}

/// Two different shares.
fn parse_shares(text: &str) -> Result<[f64; 2], String> {
    let share = |text: &str| text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    text.split_once(',')
        .and_then(|(one, other)| Some([share(one)?, share(other)?]))
        .filter(|[one, other]| one < other)
        .ok_or_else(|| "wanted are two shares from 0 to 1, the lesser one first, with a comma between".to_owned())
}

fn parse_kinds<const COUNT: usize>(text: &str) -> Option<[PlayerKind; COUNT]> {
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::named).collect();
    kinds?.try_into().ok()
}

fn names() -> String {
    PlayerKind::ALL.map(PlayerKind::name).join(", ")
}

pub(super) fn options(name: &str, matches: &mut ArgMatches, usual: &'static Edition) -> SimulateOptions {
    let is_match = name == MATCH;
    let is_on = |name: &str| matches.get_one::<String>(name).is_some_and(|value| value == "on");
    let (trades, rotates_seats) = (is_on("trades"), is_match || is_on("rotate-seats"));
    let budgets = match if is_match { matches.remove_one::<[u64; 2]>("think") } else { None } {
        Some([one, other]) => [one, other, other, other].map(thinks_for),
        None => [budget_of(matches); Builder::COUNT],
    };
    let games = if is_match {
        matches.remove_one("boards").unwrap_or(0) * Builder::COUNT as u64
    } else {
        matches.remove_one("games").unwrap_or_default()
    };
    SimulateOptions {
        board: matches.remove_one("board"),
        players: matches.remove_one("players").unwrap_or([PlayerKind::Random; Builder::COUNT]),
        games,
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        most_turns: matches.remove_one("max-turns").unwrap_or_default(),
        trades: if trades { Trades::On } else { Trades::Off },
        budgets,
        test: if is_match { matches.remove_one("sprt") } else { None },
        is_match,
        rotates_seats,
        only: if is_match { None } else { matches.remove_one("only") },
        json: matches.remove_one("json"),
        csv: matches.remove_one("csv"),
        quiet: matches.get_flag("quiet"),
        edition: edition_of(matches, usual),
    }
}
