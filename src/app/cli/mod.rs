//! The command line.

mod analyse;
mod board;
mod calibrate;
mod merge;
mod replay;
mod simulate;
mod single_dash;
mod tournament;
#[cfg(feature = "tui")]
mod tui;
mod tune;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use constructor_common::escape;

use self::single_dash::{to_double_dash, usage_error};
use super::backup::BACKUP;
use super::bots::{BotCommand, Protocol};
use super::seats::Controller;
use crate::game::{Builder, Trades};
use crate::players::{Budget, PlayerKind};
use crate::record::HUMAN;
use crate::text::{EDITIONS, Edition};

pub use analyse::AnalyseOptions;
pub use board::BoardOptions;
pub use calibrate::CalibrateOptions;
pub use merge::MergeOptions;
pub use replay::ReplayOptions;
pub use simulate::SimulateOptions;
pub use single_dash::to_single_dash;
pub use tournament::TournamentOptions;
#[cfg(feature = "tui")]
pub use tui::TuiOptions;
pub use tune::{TuneOptions, TuneTarget};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub enum Request {
    /// Play a game.
    Play(Box<Options>),
    /// Play on the full screen.
    #[cfg(feature = "tui")]
    Tui(Box<TuiOptions>),
    /// Simulate games of computer players.
    Simulate(Box<SimulateOptions>),
    /// Replay a record.
    Replay(ReplayOptions),
    /// Analyse a record.
    Analyse(AnalyseOptions),
    /// Draw a board.
    Board(BoardOptions),
    /// Play a tournament.
    Tournament(Box<TournamentOptions>),
    /// Merge units.
    Merge(MergeOptions),
    /// Measure the players.
    Bench {
        /// Whether only the signature is printed.
        only_signature: bool,
    },
    /// Compare estimates with who wins.
    Calibrate(CalibrateOptions),
    /// Tune a computer player.
    Tune(TuneOptions),
}

/// The options of a game.
#[derive(Clone, Debug)]
pub struct Options {
    /// The edition.
    pub edition: &'static Edition,
    /// The seed of all random draws; `None` is to be drawn.
    pub seed: Option<u64>,
    /// How the first game begins.
    pub start: Start,
    /// Who plays each builder.
    pub players: [Controller; Builder::COUNT],
    /// The budget of computer players for each decision.
    pub budget: Budget,
    /// Whether builders can offer trades.
    pub trades: Trades,
    /// Whether the extra commands are enabled.
    pub extras: bool,
    /// The file of the record.
    pub record: Option<PathBuf>,
    /// The command line, as a shell reads it, without the options that say how the first game begins.
    pub resume_command: String,
}

/// How the first game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// From a saved game.
    Load(PathBuf),
    /// With the layout in a file.
    Board(PathBuf),
    /// With a random layout.
    RandomBoard,
    /// With the default layout of the edition.
    Default,
}

/// Why the command line starts nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Help or version was requested: the text.
    Info(String),
    /// The command line is invalid: the error message and the usage.
    UsageError(String),
}

/// Parses the command line, the program's name first.
///
/// # Errors
/// A [`Stop`] for help, version and usage errors.
///
/// ```
/// use constructor::app::cli::{Stop, Request, Start, parse};
/// let request = parse(["constructor", "-seed=7", "-load", "-odd name.sv"].map(Into::into)).unwrap();
/// let Request::Play(options) = request else { unreachable!() };
/// assert_eq!((options.seed, options.start), (Some(7), Start::Load("-odd name.sv".into())));
///
/// let Err(Stop::UsageError(message)) = parse(["constructor", "-sead", "7"].map(Into::into)) else { unreachable!() };
/// assert!(message.contains("unexpected argument '-sead' found"));
/// assert!(message.contains("a similar argument exists: '-seed'"));
/// ```
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Request, Stop> {
    let typed: Vec<OsString> = args.into_iter().collect();
    // A subcommand must come first. A word after options is never taken for a misspelt subcommand.
    let may_be_subcommand = typed.get(1).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let edition = default_edition(&typed);
    let mut command = named(if may_be_subcommand { command() } else { game_command() }, edition);
    let converted = to_double_dash(&command, &typed);
    match command.try_get_matches_from_mut(&converted) {
        Ok(mut matches) => to_request(&mut matches, edition, &converted),
        Err(error) => Err(Stop::UsageError(usage_error(error, &typed))),
    }
}

fn to_request(matches: &mut ArgMatches, default: &'static Edition, args: &[OsString]) -> Result<Request, Stop> {
    let help = |command: &mut Command| Err(Stop::Info(to_single_dash(&command.render_help().to_string())));
    match matches.remove_subcommand() {
        Some((name, matches)) if matches.get_flag("help") => {
            let mut all = named(command(), default);
            all.build();
            all.find_subcommand_mut(&name).map_or_else(|| help(&mut command()), help)
        }
        #[cfg(feature = "tui")]
        Some((name, mut matches)) if name == tui::TUI => {
            Ok(Request::Tui(Box::new(tui::options(&mut matches, default, args))))
        }
        Some((name, mut matches)) if name == replay::REPLAY => Ok(Request::Replay(replay::options(&mut matches))),
        Some((name, mut matches)) if name == analyse::ANALYSE => Ok(Request::Analyse(analyse::options(&mut matches))),
        Some((name, mut matches)) if name == board::BOARD => Ok(Request::Board(board::options(&mut matches, default))),
        Some((name, mut matches)) if name == merge::MERGE => {
            Ok(Request::Merge(merge::options(&mut matches, resume_command(args, &[]))))
        }
        Some((name, matches)) if name == merge::BENCH => {
            Ok(Request::Bench { only_signature: matches.get_flag("signature") })
        }
        Some((name, mut matches)) if name == tournament::TOURNAMENT => {
            let options = tournament::options(&mut matches, default);
            options.map(|options| Request::Tournament(Box::new(options))).map_err(|error| option_error(&name, &error))
        }
        Some((name, mut matches)) if name == calibrate::CALIBRATE => {
            Ok(Request::Calibrate(calibrate::options(&mut matches, default)))
        }
        Some((name, mut matches)) if name == tune::TUNE => Ok(Request::Tune(tune::options(&mut matches, default))),
        Some((name, mut matches)) => {
            let options = simulate::options(&name, &mut matches, default, args);
            options.map(|options| Request::Simulate(Box::new(options))).map_err(|error| option_error(&name, &error))
        }
        None if matches.get_flag("help") => help(&mut named(command(), default)),
        None if matches.get_flag("version") => Err(Stop::Info(command().render_version())),
        None => Ok(Request::Play(Box::new(options(matches, default, args)))),
    }
}

/// The usage error of options that do not go together.
fn option_error(command: &str, error: &str) -> Stop {
    Stop::UsageError(format!("error: {error}\n\nFor more information, try '{command} -help'.\n"))
}

/// The definition of the command line, with two dashes before long options. Help, usage errors, completions and manual pages
/// are generated from it and [converted](to_single_dash).
#[must_use]
pub fn command() -> Command {
    let command = game_command()
        .disable_help_subcommand(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_value_name("COMMAND");
    #[cfg(feature = "tui")]
    let command = command.subcommand(tui::command());
    command
        .subcommand(simulate::command())
        .subcommand(simulate::match_command())
        .subcommand(tournament::command())
        .subcommand(merge::command())
        .subcommand(merge::bench_command())
        .subcommand(replay::command())
        .subcommand(analyse::command())
        .subcommand(board::command())
        .subcommand(calibrate::command())
        .subcommand(tune::command())
}

/// The command line under the name of the edition that the program is named after.
fn named(command: Command, edition: &Edition) -> Command {
    command.bin_name(edition.name).about(format!("A game of {} for four players", edition.strings.players))
}

/// The options of the game itself.
fn game_command() -> Command {
    Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("A game of builders for four players")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(
            option("seed", "N", "Seed of all random draws, 0 to 18446744073709551615; random draws one and prints it")
                .default_value("0")
                .value_parser(parse_game_seed),
        )
        .arg(
            option("load", "FILE", "Continue the saved game in FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("board"),
        )
        .arg(board())
        .arg(switch("random-board", "Draw a random layout; ignored with --load or --board"))
        .arg(edition())
        .arg(
            option(
                "players",
                "A,B,C,D",
                format!("Players, each one of {}; COMMAND is a program with its arguments", controllers()),
            )
            .default_value("human,human,human,human")
            .value_parser(parse_players),
        )
        .args(budget())
        .arg(
            option("threads", "T", "Threads with which hard and expert players think about a decision, 1 to 1024")
                .default_value("1")
                .value_parser(number(1..=1024_u16)),
        )
        .arg(trades("on"))
        .arg(switch("extras", "Print rolls and the result, and enable more commands, which help lists at every prompt"))
        .arg(
            option("record", "FILE", "Record the games in FILE, after those that it has; see the command replay")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(help())
        .arg(switch("version", "Print version"))
        .after_help(after_help())
}

fn option(name: &'static str, value: &'static str, help: impl Into<String>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help.into())
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

fn seed(help: &'static str) -> Arg {
    option("seed", "N", help).default_value("0").value_parser(number(0..=u64::MAX))
}

fn board() -> Arg {
    option("board", "FILE", "Read the layout from FILE").value_parser(value_parser!(PathBuf))
}

fn edition() -> Arg {
    option("edition", "NAME", "Edition to play; the default is the program's own name, or else constructor")
        .value_parser(PossibleValuesParser::new(EDITIONS.iter().map(|edition| edition.name)))
}

/// The range of thinking times in milliseconds.
const THINK_MS: RangeInclusive<u64> = 1..=3_600_000;

/// A parser of whole numbers in a range.
fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

fn on_off() -> PossibleValuesParser {
    PossibleValuesParser::new(["on", "off"])
}

fn trades(default: &'static str) -> Arg {
    option("trades", "WHEN", "Let builders offer trades").default_value(default).value_parser(on_off())
}

fn trades_of(matches: &ArgMatches) -> Trades {
    if is_on(matches, "trades") { Trades::On } else { Trades::Off }
}

fn is_on(matches: &ArgMatches, name: &str) -> bool {
    matches.get_one::<String>(name).is_some_and(|value| value == "on")
}

fn time_budget(milliseconds: u64) -> Budget {
    Budget::time(Duration::from_millis(milliseconds))
}

/// The options for the budget of players that think.
fn budget() -> [Arg; 2] {
    [
        option("playouts", "N", "Playouts of hard and expert players for each decision, 1 to 100000000")
            .default_value("1000")
            .value_parser(number(1..=100_000_000_u32)),
        option("think", "MS", "Milliseconds for each decision instead, 1 to 3600000; games are then not reproducible")
            .value_parser(number(THINK_MS))
            .conflicts_with("playouts"),
    ]
}

fn budget_of(matches: &mut ArgMatches) -> Budget {
    match matches.remove_one("think") {
        Some(milliseconds) => time_budget(milliseconds),
        None => Budget::playouts(matches.remove_one("playouts").unwrap_or(1)),
    }
}

fn help() -> Arg {
    switch("help", "Print help").short('h').alias("h")
}

fn after_help() -> String {
    let mut editions_by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edition in &EDITIONS {
        if let Some(file) = edition.layout_file {
            editions_by_file.entry(file).or_default().push(edition.name);
        }
    }
    let layout_files: String = editions_by_file
        .iter()
        .map(|(file, names)| {
            format!("  {file}  Layout of {} without --load, --board and --random-board\n", names.join(" and "))
        })
        .collect();
    format!(
        "\
Options may also have two dashes, and their values may follow a =.

Files:
{layout_files}  {BACKUP}   The saved game when the input ends before the game does, or a signal ends it

Exit status:
  0        The game or its input ended
  1        A file cannot be read or is not valid, or standard input or output failed
  2        Usage error
  128 + N  Signal N ended the program"
    )
}

/// The names of the computer players.
fn names() -> String {
    PlayerKind::ALL.map(PlayerKind::name).join(", ")
}

/// The values of `-players`, for help and messages.
fn controllers() -> String {
    format!("human, {}, exec:COMMAND, json:COMMAND", names())
}

/// A player as it is named on the command line.
#[derive(Clone, Debug)]
enum PlayerName {
    Human,
    Kind(PlayerKind),
    Program(BotCommand),
}

impl PlayerName {
    fn parse(name: &str) -> Option<Self> {
        let program = |protocol, command: &str| BotCommand::parse(protocol, command).map(Self::Program);
        match name.split_once(':') {
            Some(("exec", command)) => program(Protocol::Text, command),
            Some(("json", command)) => program(Protocol::Json, command),
            _ if name == HUMAN => Some(Self::Human),
            _ => PlayerKind::by_name(name).map(Self::Kind),
        }
    }

    fn controller(self, budget: &Budget) -> Controller {
        match self {
            Self::Human => Controller::Human,
            Self::Kind(kind) => Controller::Computer(kind.factory(budget)),
            Self::Program(command) => Controller::Program(command),
        }
    }
}

fn parse_players(text: &str) -> Result<[PlayerName; Builder::COUNT], String> {
    let expected = || format!("expected four comma-separated players, each one of {}", controllers());
    let named = |name| PlayerName::parse(name).ok_or_else(|| format!("{}; '{name}' is none of them", expected()));
    let players: Vec<_> = split_at_commas(text).into_iter().map(named).collect::<Result<_, _>>()?;
    players.try_into().map_err(|_| expected())
}

/// The parts of a list between commas. A comma within quotes belongs to its part.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut quote = None;
    text.split(|c| {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c == ','
    })
    .collect()
}

/// The seed of a game: `None` is to be drawn.
fn parse_game_seed(text: &str) -> Result<Option<u64>, String> {
    if text == RANDOM_SEED {
        return Ok(None);
    }
    number(0..=u64::MAX)(text).map(Some).map_err(|error| format!("{error}, or {RANDOM_SEED}"))
}

/// The value of `-seed` that asks for a seed of the system's generator.
const RANDOM_SEED: &str = "random";

/// The edition with the name under which the program was started, or else the default one.
fn default_edition(typed: &[OsString]) -> &'static Edition {
    let name = typed.first().and_then(|program| Path::new(program).file_name()).and_then(OsStr::to_str);
    name.and_then(Edition::by_name).unwrap_or_else(Edition::default)
}

fn options(matches: &mut ArgMatches, default: &'static Edition, args: &[OsString]) -> Options {
    let start = start_of(matches);
    let threads = simulate::given_threads(matches).unwrap_or(NonZeroUsize::MIN);
    let budget = budget_of(matches).with_threads(threads);
    let players = matches.remove_one::<[PlayerName; Builder::COUNT]>("players");
    let players = players.map(|names| names.map(|name| name.controller(&budget))).unwrap_or_default();
    Options {
        edition: edition_of(matches, default),
        seed: matches.remove_one("seed").unwrap_or(Some(0)),
        start,
        players,
        budget,
        trades: trades_of(matches),
        record: matches.remove_one("record"),
        extras: matches.try_get_one("extras").is_ok_and(|extras| extras == Some(&true)),
        resume_command: resume_command(args, &START),
    }
}

/// How the first game begins.
fn start_of(matches: &mut ArgMatches) -> Start {
    if let Some(file) = matches.remove_one("load") {
        Start::Load(file)
    } else if let Some(file) = matches.remove_one("board") {
        Start::Board(file)
    } else if matches.get_flag("random-board") {
        Start::RandomBoard
    } else {
        Start::Default
    }
}

/// The options that say how the first game begins.
const START: [&str; 3] = ["--load", "--board", "--random-board"];

/// The command line of these arguments with double dashes, without some options.
fn resume_command(args: &[OsString], without: &[&str]) -> String {
    let is_left_out = |arg: &str| without.contains(&arg.split('=').next().unwrap_or(arg));
    let args = args.iter().map(|arg| arg.to_string_lossy()).filter(|arg| !is_left_out(arg));
    let quoted = |arg: &str| match (arg.strip_prefix('-'), arg.split_once('=')) {
        // A value that begins with a dash stays behind its `=`.
        (Some(_), Some((option, value))) if !value.starts_with('-') => {
            format!("{} {}", &option[1..], shell_quote(value))
        }
        (Some(option), _) if option.starts_with('-') => shell_quote(option),
        _ => shell_quote(arg),
    };
    args.map(|arg| quoted(&arg)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it. A word with control characters is escaped instead, so that it can be shown.
pub(in crate::app) fn shell_quote(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) if !word.contains(char::is_control) => quoted.into_owned(),
        _ => escape(word),
    }
}

fn edition_of(matches: &mut ArgMatches, default: &'static Edition) -> &'static Edition {
    matches.remove_one::<String>("edition").and_then(|name| Edition::by_name(&name)).unwrap_or(default)
}
