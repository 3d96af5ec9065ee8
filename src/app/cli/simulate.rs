//! The command line of `simulate` and `match`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::{
    THINK_MS, board, budget, budget_of, edition, edition_of, help, is_on, names, number, on_off, option, seed, switch,
    time_budget, trades, trades_of,
};
use crate::game::{Builder, Trades};
use crate::players::{PlayerFactory, PlayerKind};
use crate::simulate::Interruption;
use crate::text::Edition;

/// The options of a simulation.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The file with the layout; `None` draws one for each game.
    pub board: Option<PathBuf>,
    /// The players.
    pub players: [PlayerFactory; Builder::COUNT],
    /// The signals that end the games early. `stop` also interrupts players that think.
    pub interruption: Interruption,
    /// The number of games.
    pub games: u64,
    /// The seed from which the seeds of all games are derived.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The number of turns after which a game ends without a result.
    pub max_turns: u64,
    /// Whether players offer trades.
    pub trades: Trades,
    /// The two win rates of a sequential test.
    pub sprt: Option<[f64; 2]>,
    /// Whether this is a match of one player against three.
    pub is_match: bool,
    /// Whether the players move on by a seat from game to game.
    pub rotates_seats: bool,
    /// The only game to play, as a script.
    pub only: Option<u64>,
    /// The file for the JSON summary; `-` is standard output.
    pub json: Option<PathBuf>,
    /// The file for a row of each game; `-` is standard output.
    pub csv: Option<PathBuf>,
    /// Whether only errors are printed.
    pub quiet: bool,
}

/// The name of the command that plays many games.
pub(super) const SIMULATE: &str = "simulate";
/// The name of the command that plays one player against three others.
pub(super) const MATCH: &str = "match";

pub(super) fn command() -> Command {
    common(Command::new(SIMULATE).about("Play many games between computer players, and print statistics"))
        .arg(
            option("games", "N", "Number of games, 1 to 1000000000000")
                .default_value("1000")
                .value_parser(number(1..=1_000_000_000_000_u64)),
        )
        .arg(
            option("players", "A,B,C,D", format!("Players, each one of {}", names()))
                .default_value("random,random,greedy,greedy")
                .value_parser(parse_players),
        )
        .arg(
            option("rotate-seats", "WHEN", "Move the players on by a seat from game to game")
                .default_value("on")
                .value_parser(on_off()),
        )
        .arg(
            option("only", "I", "Play only game I, from 0, and print it as a script for the text game")
                .value_parser(number(0..=u64::MAX))
                .conflicts_with_all(["json", "csv"]),
        )
}

pub(super) fn match_command() -> Command {
    common(Command::new(MATCH).about("Play one computer player against three of another, and print its win rate"))
        .mut_arg("think", |think| {
            think
                .value_name("MS[,MS]")
                .help("Milliseconds for each decision instead, 1 to 3600000; the second for the three others")
                .value_parser(parse_times)
        })
        .arg(
            option(
                "boards",
                "N",
                "Number of boards, 1 to 250000000000; each is played from every seat with the same dice",
            )
            .default_value("250")
            .value_parser(number(1..=250_000_000_000_u64)),
        )
        .arg(
            option("players", "A,B", format!("One player and the three others, each one of {}", names()))
                .default_value("greedy,random")
                .value_parser(parse_opponents),
        )
        .arg(
            option(
                "sprt",
                "P,Q",
                "Stop as soon as a sequential test decides between the win rates P and Q, such as 0.25,0.3",
            )
            .value_parser(parse_rates),
        )
}

pub(super) fn threads() -> Arg {
    option("threads", "T", "Number of threads; by default the number of cores").value_parser(number(1..=1024_u16))
}

pub(super) fn threads_of(matches: &mut ArgMatches) -> NonZeroUsize {
    let threads = matches.remove_one::<u16>("threads").and_then(|threads| NonZeroUsize::new(threads.into()));
    threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// The options of both commands.
fn common(command: Command) -> Command {
    command
        .disable_help_flag(true)
        .arg(seed("Seed from which the seeds of all games are derived"))
        .args(budget())
        .arg(threads())
        .arg(
            option("max-turns", "N", "Turns after which a game ends without a result")
                .default_value("10000")
                .value_parser(number(1..=1_000_000_000_u64)),
        )
        .arg(board())
        .arg(switch("random-board", "Draw a layout for each game, as without --board"))
        .arg(trades("off"))
        .arg(edition())
        .arg(
            option(
                "json",
                "FILE",
                "Write a summary to FILE as JSON; - is standard output, the table then goes to standard error",
            )
            .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("csv", "FILE", "Write a row for each game to FILE as CSV; - is standard output, as for --json")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(switch("quiet", "Print only errors"))
        .arg(help())
}

fn parse_players(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    parse_kinds(text).ok_or_else(|| format!("expected four comma-separated players, each one of {}", names()))
}

/// One player and three others.
fn parse_opponents(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let [one, other] =
        parse_kinds(text).ok_or_else(|| format!("expected two comma-separated players, each one of {}", names()))?;
    Ok([one, other, other, other])
}

/// The thinking times of the first player and of the others.
fn parse_times(text: &str) -> Result<[u64; 2], String> {
    let time = |text: &str| text.parse().ok().filter(|time| THINK_MS.contains(time));
    let (one, other) = text.split_once(',').unwrap_or((text, text));
    time(one).zip(time(other)).map(|(one, other)| [one, other]).ok_or_else(|| {
        format!("expected one or two comma-separated numbers from {} to {}", THINK_MS.start(), THINK_MS.end())
    })
}

/// Two win rates in ascending order.
fn parse_rates(text: &str) -> Result<[f64; 2], String> {
    let rate = |text: &str| text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    text.split_once(',')
        .and_then(|(one, other)| Some([rate(one)?, rate(other)?]))
        .filter(|[one, other]| one < other)
        .ok_or_else(|| "expected two comma-separated win rates from 0 to 1 in ascending order".to_owned())
}

fn parse_kinds<const COUNT: usize>(text: &str) -> Option<[PlayerKind; COUNT]> {
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::by_name).collect();
    kinds?.try_into().ok()
}

/// # Errors
/// When `-only` names none of the games.
pub(super) fn options(
    name: &str,
    matches: &mut ArgMatches,
    default: &'static Edition,
) -> Result<SimulateOptions, String> {
    let is_match = name == MATCH;
    let (trades, rotates_seats) = (trades_of(matches), is_match || is_on(matches, "rotate-seats"));
    let interruption = Interruption::default();
    let times = if is_match { matches.remove_one::<[u64; 2]>("think") } else { None };
    let budgets = if let Some([one, other]) = times {
        [one, other, other, other].map(time_budget)
    } else {
        let budget = budget_of(matches);
        std::array::from_fn(|_| budget.clone())
    };
    let budgets = budgets.map(|budget| budget.with_stop_signal(interruption.stop.clone()));
    let only = if is_match { None } else { matches.remove_one("only") };
    let has_games = !is_match && matches.value_source("games") == Some(ValueSource::CommandLine);
    let games = if is_match {
        matches.remove_one("boards").unwrap_or(0) * Builder::COUNT as u64
    } else {
        matches.remove_one("games").unwrap_or_default()
    };
    if let Some(number) = only.filter(|&number| has_games && number >= games) {
        return Err(format!("there is no game {number}: '-games {games}' are those from 0 to {}", games - 1));
    }
    let kinds = matches.remove_one("players").unwrap_or([PlayerKind::Random; Builder::COUNT]);
    Ok(SimulateOptions {
        board: matches.remove_one("board"),
        players: std::array::from_fn(|player| kinds[player].factory(&budgets[player])),
        interruption,
        games,
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        max_turns: matches.remove_one("max-turns").unwrap_or_default(),
        trades,
        sprt: if is_match { matches.remove_one("sprt") } else { None },
        is_match,
        rotates_seats,
        only,
        json: matches.remove_one("json"),
        csv: matches.remove_one("csv"),
        quiet: matches.get_flag("quiet"),
        edition: edition_of(matches, default),
    })
}
