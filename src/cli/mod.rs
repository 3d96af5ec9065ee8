//! The options of the command line.

mod simulate;
mod tune;

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::clock;
use crate::edition::{EDITIONS, Edition};
use crate::game::Builder;
use crate::players::{Budget, PlayerKind, Who};
use crate::save::BACKUP;

pub use simulate::SimulateOptions;
pub use tune::{TuneOptions, Tuned};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub enum Request {
    /// To play.
    Play(Options),
    /// To have computer players play many games.
    Simulate(SimulateOptions),
    /// To make a player better.
    Tune(TuneOptions),
}

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The edition that is played.
    pub edition: &'static Edition,
    /// The seed of every random draw.
    pub seed: u64,
    /// What the first game begins with.
    pub start: Start,
    /// Who plays.
    pub players: [Who; Builder::COUNT],
    /// How long computer players may think about a decision.
    pub budget: Budget,
    /// Whether there are further commands.
    pub extras: bool,
}

/// What the first game begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// A saved game.
    Load(PathBuf),
    /// A new game on the layout in a file.
    Board(PathBuf),
    /// A new game on a layout that is drawn.
    RandomBoard,
    /// A new game on the layout that the edition uses when nothing else is asked for.
    Usual,
}

/// An answer to the command line that is not a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// The help or the version that was asked for.
    Asked(String),
    /// What is wrong with the command line, and how it is used.
    Usage(String),
}

/// Reads the command line, the program's name first.
///
/// # Errors
/// A [`Notice`], when nothing is to be played.
///
/// ```
/// use constructor::cli::{Notice, Request, Start, parse};
/// let request = parse(["constructor", "-seed=7", "-load", "-odd name.sv"].map(Into::into)).unwrap();
/// let Request::Play(options) = request else { unreachable!() };
/// assert_eq!((options.seed, options.start), (7, Start::Load("-odd name.sv".into())));
///
/// let Err(Notice::Usage(message)) = parse(["constructor", "-sead", "7"].map(Into::into)) else { unreachable!() };
/// assert!(message.contains("unexpected argument '-sead' found"));
/// assert!(message.contains("a similar argument exists: '-seed'"));
/// ```
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Request, Notice> {
    let typed: Vec<OsString> = args.into_iter().collect();
    // A command can only come first, and a word that comes after options is never a misspelt one.
    let may_be_command = typed.get(1).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let mut command = if may_be_command { command() } else { game_command() };
    match command.try_get_matches_from_mut(with_two_dashes(&command, &typed)) {
        Ok(mut matches) => asked_for(&mut matches, usual_edition(&typed)),
        Err(error) => Err(Notice::Usage(complaint(error, &typed))),
    }
}

fn asked_for(matches: &mut ArgMatches, usual: &'static Edition) -> Result<Request, Notice> {
    let help = |command: &mut Command| Err(Notice::Asked(with_one_dash(&command.render_help().to_string())));
    match matches.remove_subcommand() {
        Some((name, matches)) if matches.get_flag("help") => {
            let mut all = command();
            all.build();
            all.find_subcommand_mut(&name).map_or_else(|| help(&mut command()), help)
        }
        Some((name, mut matches)) if name == tune::TUNE => Ok(Request::Tune(tune::options(&mut matches, usual))),
        Some((name, mut matches)) => Ok(Request::Simulate(simulate::options(&name, &mut matches, usual))),
        None if matches.get_flag("help") => help(&mut command()),
        None if matches.get_flag("version") => Err(Notice::Asked(command().render_version())),
        None => Ok(Request::Play(options(matches, usual))),
    }
}

/// The definition of the options, with two dashes each. Help, usage errors, completions and the manual page come from
/// it, and are shown [with one dash](with_one_dash).
#[must_use]
pub fn command() -> Command {
    game_command()
        .disable_help_subcommand(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_value_name("COMMAND")
        .subcommand(simulate::command())
        .subcommand(simulate::match_command())
        .subcommand(tune::command())
}

/// The options of the game itself.
fn game_command() -> Command {
    Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(seed("Seed of every random draw, 0 to 18446744073709551615"))
        .arg(
            option("load", "FILE", "Start from the saved game in FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("board"),
        )
        .arg(board())
        .arg(switch("random-board", "Draw the layout; ignored when --load or --board is given"))
        .arg(edition())
        .arg(
            option("players", "A,B,C,D", format!("Who plays: four of {PLAYERS}"))
                .default_value("human,human,human,human")
                .value_parser(parse_players),
        )
        .args(budget())
        .arg(switch("extras", "Understand computer, human, hint, undo and log in a turn; help lists them"))
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
    option("seed", "N", help).default_value("0").value_parser(parse_seed)
}

fn board() -> Arg {
    option("board", "FILE", "Take the layout from FILE").value_parser(value_parser!(PathBuf))
}

fn edition() -> Arg {
    option("edition", "NAME", "Which edition to play; the program's name chooses one too")
        .value_parser(PossibleValuesParser::new(EDITIONS.iter().map(|edition| edition.name)))
}

/// How many milliseconds a player can think.
const THINK: RangeInclusive<u64> = 1..=3_600_000;

fn thinks_for(milliseconds: u64) -> Budget {
    Budget::Time { limit: Duration::from_millis(milliseconds), now: clock::now }
}

/// How long the players may think who think.
fn budget() -> [Arg; 2] {
    [
        option("playouts", "N", "How many games a hard or expert player plays out for a decision, 1 to 100000000")
            .default_value("1000")
            .value_parser(value_parser!(u32).range(1..=100_000_000)),
        option("think", "MS", "How many milliseconds it thinks instead, 1 to 3600000; then no game is the same again")
            .value_parser(value_parser!(u64).range(THINK)),
    ]
}

fn budget_of(matches: &mut ArgMatches) -> Budget {
    match matches.remove_one("think") {
        Some(milliseconds) => thinks_for(milliseconds),
        None => Budget::Playouts(matches.remove_one("playouts").unwrap_or(1)),
    }
}

fn help() -> Arg {
    switch("help", "Print help").short('h').alias("h")
}

fn after_help() -> String {
    let with_layout_file = EDITIONS.iter().filter_map(|edition| Some((edition.name, edition.layout_file?)));
    let layout_files: String = with_layout_file
        .map(|(name, file)| {
            format!("  {file}  Where {name} reads the layout from without --load, --board and --random-board\n")
        })
        .collect();
    format!(
        "\
The names work with two dashes too, and with = before the value.

Files:
{layout_files}  {BACKUP}   Where the game is saved when its input ends before it does, or a signal ends it

Exit status:
  0        The game ended, or its input
  1        A file could not be read or is not valid, or standard input or output failed
  2        The command line is wrong
  128 + N  Signal N ended the program"
    )
}

/// Our own text about the options, with the one dash that they are typed with: each `--` before the name of an option
/// loses one of its dashes.
///
/// ```
/// use constructor::cli::with_one_dash;
/// assert_eq!(with_one_dash("--load or --board, but --other"), "-load or -board, but --other");
/// ```
#[must_use]
pub fn with_one_dash(text: &str) -> String {
    let command = command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let names = commands.flat_map(Command::get_arguments).filter_map(Arg::get_long);
    names.fold(text.to_owned(), |text, name| text.replace(&format!("--{name}"), &format!("-{name}")))
}

/// Who can play.
const PLAYERS: &str = "human, random, easy, normal, hard, classic, expert, exec:PROGRAM";

fn parse_players(text: &str) -> Result<[Who; Builder::COUNT], String> {
    let player = |name: &str| match (name, name.strip_prefix("exec:")) {
        ("human", _) => Some(Who::Person),
        (_, Some(program)) if !program.is_empty() => Some(Who::Program(program.to_owned())),
        _ => PlayerKind::named(name).map(Who::Computer),
    };
    let players: Option<Vec<_>> = text.split(',').map(player).collect();
    players
        .and_then(|players| players.try_into().ok())
        .ok_or_else(|| format!("wanted are four of {PLAYERS}, with commas between"))
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// The edition whose name the program was started under, or else the usual one.
fn usual_edition(typed: &[OsString]) -> &'static Edition {
    let name = typed.first().and_then(|program| Path::new(program).file_name()).and_then(OsStr::to_str);
    name.and_then(Edition::named).unwrap_or_else(Edition::usual)
}

fn options(matches: &mut ArgMatches, usual: &'static Edition) -> Options {
    let start = if let Some(file) = matches.remove_one("load") {
        Start::Load(file)
    } else if let Some(file) = matches.remove_one("board") {
        Start::Board(file)
    } else if matches.get_flag("random-board") {
        Start::RandomBoard
    } else {
        Start::Usual
    };
    Options {
        edition: edition_of(matches, usual),
        seed: matches.remove_one("seed").unwrap_or_default(),
        start,
        players: matches.remove_one("players").unwrap_or_default(),
        budget: budget_of(matches),
        extras: matches.get_flag("extras"),
    }
}

fn edition_of(matches: &mut ArgMatches, usual: &'static Edition) -> &'static Edition {
    matches.remove_one::<String>("edition").and_then(|name| Edition::named(&name)).unwrap_or(usual)
}

/// The arguments as clap takes them: every option with two dashes, and its value behind a `=`, so that values that
/// begin with a dash are no options. A word that is the name of an option is never a value.
fn with_two_dashes(command: &Command, typed: &[OsString]) -> Vec<OsString> {
    let mut taken = Vec::with_capacity(typed.len());
    let mut rest = typed.iter().peekable();
    taken.extend(rest.next().cloned());
    let subcommand = rest.peek().and_then(|word| command.find_subcommand(word));
    let command = subcommand.unwrap_or(command);
    while let Some(word) = rest.next() {
        let mut option = as_long(word);
        if word == "--" {
            taken.push(option);
            break;
        }
        let takes_value = find(command, word).is_some_and(|arg| arg.get_action().takes_values());
        if takes_value && let Some(value) = rest.next_if(|&value| !is_option(command, value)) {
            option.push("=");
            option.push(value);
        }
        taken.push(option);
    }
    taken.extend(rest.cloned());
    taken
}

/// The word with two dashes before it, when it begins with one and is longer than a letter.
fn as_long(word: &OsStr) -> OsString {
    let mut long = OsString::new();
    if matches!(word.as_encoded_bytes(), [b'-', first, _, ..] if *first != b'-') {
        long.push("-");
    }
    long.push(word);
    long
}

/// Whether a word is the name of an option, with a value behind a `=` or without.
fn is_option(command: &Command, word: &OsStr) -> bool {
    let name = word.to_str().map_or(word, |word| OsStr::new(word.split_once('=').map_or(word, |(name, _)| name)));
    find(command, name).is_some()
}

/// The option of which this word is a name, with however many dashes.
fn find<'c>(command: &'c Command, word: &OsStr) -> Option<&'c Arg> {
    let long = as_long(word);
    let name = long.to_str()?.strip_prefix('-')?;
    let is_named = |arg: &&Arg| match name.strip_prefix('-') {
        Some(long) => arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|all| all.contains(&long)),
        None => arg.get_short().is_some_and(|short| name.chars().eq([short])),
    };
    command.get_arguments().find(is_named)
}

/// What clap has to say of a command line that is wrong: options with one dash, but what was typed as it was typed.
fn complaint(mut error: clap::Error, typed: &[OsString]) -> String {
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg, ContextKind::SuggestedArg] {
        let Some(ContextValue::String(option)) = error.get(kind) else { continue };
        let word = if error.kind() == ErrorKind::UnknownArgument && kind == ContextKind::InvalidArg {
            name_typed(option, typed)
        } else {
            with_one_dash(option)
        };
        error.insert(kind, ContextValue::String(word));
    }
    let text = error.render().to_string();
    let (what, usage) = text.rsplit_once("\n\nUsage: ").unwrap_or((text.trim_end(), ""));
    let usage =
        if usage.is_empty() { String::new() } else { format!("\n\nUsage: {}", with_one_dash(usage.trim_end())) };
    format!("{what}{usage}\n\nFor more information, try '-help'.\n")
}

/// The name of an unknown option with the dashes that it was typed with.
fn name_typed(unknown: &str, typed: &[OsString]) -> String {
    let words = typed.iter().filter_map(|word| word.to_str());
    let names = words.map(|word| word.split_once('=').map_or(word, |(name, _)| name));
    names.into_iter().find(|name| as_long(OsStr::new(name)) == unknown).unwrap_or(unknown).to_owned()
}
