//! The command line of `simulate` and `match`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::{
    PlayerName, THINK_MS, board, budget, budget_of, edition, edition_of, help, is_on, names, number, on_off, option,
    resume_command, seed, split_at_commas, switch, time_budget, trades, trades_of,
};
use crate::app::bots::Programs;
use crate::app::seats::Controller;
use crate::game::{Builder, Trades};
use crate::players::{Limit, PlayerKind};
use crate::simulate::{GAMES_BETWEEN_TESTS, Interruption, Schedule};
use crate::text::Edition;

/// The options of a simulation.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The file with the layout; `None` draws one for each game.
    pub board: Option<PathBuf>,
    /// The players: computer players and programs.
    pub players: [Controller; Builder::COUNT],
    /// The budget of each player for each decision.
    pub limits: [Limit; Builder::COUNT],
    /// The programs that play.
    pub programs: Programs,
    /// The signals that end the games early. `stop` also interrupts players that think.
    pub interruption: Interruption,
    /// The number of the first game.
    pub first: u64,
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
    /// Who sits where.
    pub schedule: Schedule,
    /// The only game to play, as a script.
    pub only: Option<u64>,
    /// The file for the JSON summary; `-` is standard output.
    pub json: Option<PathBuf>,
    /// The file for the rows of each game; `-` is standard output.
    pub csv: Option<PathBuf>,
    /// The file for a page with charts.
    pub html: Option<PathBuf>,
    /// The file for a unit.
    pub unit: Option<PathBuf>,
    /// The folder for records of the games.
    pub records: Option<PathBuf>,
    /// The command line, as a shell reads it.
    pub command: String,
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
            option("players", "A,B,C,D", format!("Players, each one of {}", computers()))
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
                .conflicts_with_all(["json", "csv", "html", "unit", "records", "first"]),
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
            option("games", "N", "Number of games instead, a multiple of 4")
                .value_parser(number(4..=1_000_000_000_000_u64))
                .conflicts_with("boards"),
        )
        .arg(
            option("players", "A,B", format!("One player and the three others, each one of {}", computers()))
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
    given_threads(matches).or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// The value of `-threads`, if it is given.
pub(super) fn given_threads(matches: &mut ArgMatches) -> Option<NonZeroUsize> {
    matches.remove_one::<u16>("threads").and_then(|threads| NonZeroUsize::new(threads.into()))
}

pub(super) fn max_turns() -> Arg {
    option("max-turns", "N", "Turns after which a game ends without a result")
        .default_value("10000")
        .value_parser(number(1..=1_000_000_000_u64))
}

/// The options of both commands.
fn common(command: Command) -> Command {
    command
        .disable_help_flag(true)
        .arg(seed("Seed from which the seeds of all games are derived"))
        .args(budget())
        .arg(threads())
        .arg(max_turns())
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
            option(
                "csv",
                "FILE",
                "Write a row for each seat of each game to FILE as CSV; - is standard output, as for --json",
            )
            .value_parser(value_parser!(PathBuf)),
        )
        .arg(option("html", "FILE", "Write a page with charts to FILE").value_parser(value_parser!(PathBuf)))
        .arg(
            option("records", "FOLDER", "Write records of the games to files in FOLDER")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("first", "A", "Number of the first game, for a part of a simulation")
                .default_value("0")
                .value_parser(number(0..=1_000_000_000_000_u64)),
        )
        .arg(
            option("unit", "FILE", "Write the results of this part to FILE, for the command merge")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("think"),
        )
        .arg(switch("quiet", "Print only errors"))
        .arg(help())
}

/// The values of `-players`, for help and messages.
pub(super) fn computers() -> String {
    format!("{}, exec:COMMAND, json:COMMAND", names())
}

fn parse_players(text: &str) -> Result<[PlayerName; Builder::COUNT], String> {
    parse_names(text).ok_or_else(|| format!("expected four comma-separated players, each one of {}", computers()))
}

/// One player and three others.
fn parse_opponents(text: &str) -> Result<[PlayerName; Builder::COUNT], String> {
    let [one, other] = parse_names(text)
        .ok_or_else(|| format!("expected two comma-separated players, each one of {}", computers()))?;
    Ok([one, other.clone(), other.clone(), other])
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

/// Computer players and programs.
fn parse_names<const COUNT: usize>(text: &str) -> Option<[PlayerName; COUNT]> {
    let names: Option<Vec<PlayerName>> = split_at_commas(text).into_iter().map(computer_named).collect();
    names?.try_into().ok()
}

/// A computer player or a program by name.
pub(super) fn computer_named(name: &str) -> Option<PlayerName> {
    PlayerName::parse(name).filter(|name| !matches!(name, PlayerName::Human))
}

/// # Errors
/// When options do not go together.
pub(super) fn options(
    name: &str,
    matches: &mut ArgMatches,
    default: &'static Edition,
    args: &[OsString],
) -> Result<SimulateOptions, String> {
    let is_match = name == MATCH;
    let schedule = if is_match {
        Schedule::Match
    } else if is_on(matches, "rotate-seats") {
        Schedule::Rotated
    } else {
        Schedule::Fixed
    };
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
    let has_games = matches.value_source("games") == Some(ValueSource::CommandLine);
    let games = match matches.remove_one::<u64>("games") {
        Some(games) => games,
        None => matches.remove_one("boards").unwrap_or(0) * schedule.games_of_a_board(),
    };
    if let Some(number) = only.filter(|&number| has_games && number >= games) {
        return Err(format!("there is no game {number}: '-games {games}' are those from 0 to {}", games - 1));
    }
    let names = matches.remove_one::<[PlayerName; Builder::COUNT]>("players");
    let names = names.unwrap_or([const { PlayerName::Kind(PlayerKind::Random) }; Builder::COUNT]);
    let options = SimulateOptions {
        board: matches.remove_one("board"),
        players: std::array::from_fn(|player| names[player].clone().controller(&budgets[player])),
        limits: budgets.map(|budget| budget.limit()),
        programs: Programs::default(),
        interruption,
        first: matches.remove_one("first").unwrap_or_default(),
        games,
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        max_turns: matches.remove_one("max-turns").unwrap_or_default(),
        trades: trades_of(matches),
        sprt: if is_match { matches.remove_one("sprt") } else { None },
        schedule,
        only,
        json: matches.remove_one("json"),
        csv: matches.remove_one("csv"),
        html: matches.remove_one("html"),
        unit: matches.remove_one("unit"),
        records: matches.remove_one("records"),
        command: resume_command(args, &[]),
        quiet: matches.get_flag("quiet"),
        edition: edition_of(matches, default),
    };
    check_parts(&options)?;
    Ok(options)
}

/// Checks that a part has whole boards, and that a unit of it can be merged.
fn check_parts(options: &SimulateOptions) -> Result<(), String> {
    let board = options.schedule.games_of_a_board();
    for (name, number) in [("first", options.first), ("games", options.games)] {
        if !number.is_multiple_of(board) {
            return Err(format!("'-{name} {number}' is not a multiple of {board}, the games of a board"));
        }
    }
    if options.unit.is_none() {
        return Ok(());
    }
    if options.players.iter().any(|player| matches!(player, Controller::Program(_))) {
        return Err("'-unit' cannot be used with programs as players: their games are not reproducible".to_owned());
    }
    if options.sprt.is_some() && !options.first.is_multiple_of(GAMES_BETWEEN_TESTS) {
        let first = options.first;
        return Err(format!("'-first {first}' is not a multiple of {GAMES_BETWEEN_TESTS}, after which -sprt tests"));
    }
    Ok(())
}
