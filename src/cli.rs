//! The options of the command line.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::edition::{EDITIONS, Edition};
use crate::save::BACKUP;

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The edition that is played.
    pub edition: &'static Edition,
    /// The seed of every random draw.
    pub seed: u64,
    /// What the first game begins with.
    pub start: Start,
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
/// A [`Notice`], when no game is to be played.
///
/// ```
/// use constructor::cli::{Notice, Start, parse};
/// let options = parse(["constructor", "-seed=7", "-load", "-odd name.sv"].map(Into::into)).unwrap();
/// assert_eq!((options.seed, options.start), (7, Start::Load("-odd name.sv".into())));
///
/// let Err(Notice::Usage(message)) = parse(["constructor", "-sead", "7"].map(Into::into)) else { unreachable!() };
/// assert!(message.contains("unexpected argument '-sead' found"));
/// assert!(message.contains("a similar argument exists: '-seed'"));
/// ```
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Options, Notice> {
    let typed: Vec<OsString> = args.into_iter().collect();
    match command().try_get_matches_from(with_two_dashes(&typed)) {
        Ok(matches) => Ok(options(matches, usual_edition(&typed))),
        Err(error) => Err(notice(error, &typed)),
    }
}

/// The definition of the options, with two dashes each. Help, usage errors, completions and the manual page come from
/// it, and are shown [with one dash](with_one_dash).
#[must_use]
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let switch = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(
            option("seed", "N", "Seed of every random draw, 0 to 18446744073709551615")
                .default_value("0")
                .value_parser(parse_seed),
        )
        .arg(
            option("load", "FILE", "Start from the saved game in FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("board"),
        )
        .arg(option("board", "FILE", "Take the layout from FILE").value_parser(value_parser!(PathBuf)))
        .arg(
            switch("random-board", "Draw the layout; ignored when --load or --board is given")
                .action(ArgAction::SetTrue),
        )
        .arg(
            option("edition", "NAME", "Which edition to play; the program's name chooses one too")
                .value_parser(PossibleValuesParser::new(EDITIONS.iter().map(|edition| edition.name))),
        )
        .arg(switch("help", "Print help").short('h').alias("h").action(ArgAction::Help))
        .arg(switch("version", "Print version").action(ArgAction::Version))
        .after_help(after_help())
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
{layout_files}  {BACKUP}   Where the game is saved when its input ends before it does

Exit status:
  0  The game ended, or its input
  1  A file could not be read or is not valid
  2  The command line is wrong"
    )
}

/// A text about the options, with the one dash that they are typed with: each `--` before the name of an option loses
/// one of its dashes.
///
/// ```
/// use constructor::cli::with_one_dash;
/// assert_eq!(with_one_dash("--load or --board, but --other"), "-load or -board, but --other");
/// ```
#[must_use]
pub fn with_one_dash(text: &str) -> String {
    names().fold(text.to_owned(), |text, name| text.replace(&format!("--{name}"), &format!("-{name}")))
}

fn names() -> impl Iterator<Item = String> {
    let long = |arg: &Arg| arg.get_long().map(ToOwned::to_owned);
    command().get_arguments().filter_map(long).collect::<Vec<_>>().into_iter()
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// The edition whose name the program was started under, or else the usual one.
fn usual_edition(typed: &[OsString]) -> &'static Edition {
    let name = typed.first().and_then(|program| Path::new(program).file_name()).and_then(OsStr::to_str);
    name.and_then(Edition::named).unwrap_or_else(Edition::usual)
}

fn options(mut matches: ArgMatches, usual: &'static Edition) -> Options {
    let start = if let Some(file) = matches.remove_one("load") {
        Start::Load(file)
    } else if let Some(file) = matches.remove_one("board") {
        Start::Board(file)
    } else if matches.get_flag("random-board") {
        Start::RandomBoard
    } else {
        Start::Usual
    };
    let edition = matches.remove_one::<String>("edition").and_then(|name| Edition::named(&name)).unwrap_or(usual);
    Options { edition, seed: matches.remove_one("seed").unwrap_or_default(), start }
}

/// The arguments as clap takes them: every option with two dashes, and its value behind a `=`, so that values that
/// begin with a dash are no options. A word that is the name of an option is never a value.
fn with_two_dashes(typed: &[OsString]) -> Vec<OsString> {
    let command = command();
    let mut taken = Vec::with_capacity(typed.len());
    let mut rest = typed.iter();
    taken.extend(rest.next().cloned());
    while let Some(word) = rest.next() {
        if word == "--" {
            taken.push(word.clone());
            taken.extend(rest.cloned());
            break;
        }
        let mut option = OsString::new();
        if is_short_of_a_dash(word) {
            option.push("-");
        }
        option.push(word);
        if takes_value(&command, &option)
            && let Some(value) = rest.as_slice().first()
            && !is_option(&command, value)
        {
            option.push("=");
            option.push(value);
            rest.next();
        }
        taken.push(option);
    }
    taken
}

/// Whether it is the name of an option with one dash, or would be one.
fn is_short_of_a_dash(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes(), [b'-', first, _, ..] if *first != b'-')
}

fn find<'c>(command: &'c Command, option: &OsStr) -> Option<&'c Arg> {
    let name = option.to_str()?.strip_prefix("--")?;
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}

fn takes_value(command: &Command, option: &OsStr) -> bool {
    find(command, option).is_some_and(|arg| arg.get_action().takes_values())
}

/// Whether a word is the name of an option, with one dash or two.
fn is_option(command: &Command, word: &OsStr) -> bool {
    let mut two_dashes = OsString::new();
    if is_short_of_a_dash(word) {
        two_dashes.push("-");
    }
    two_dashes.push(word);
    find(command, &two_dashes).is_some()
}

/// What clap has to say, with one dash where one was typed.
fn notice(mut error: clap::Error, typed: &[OsString]) -> Notice {
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(one_dash) = option.strip_prefix('-')
        && typed.iter().any(|word| word.to_string_lossy().split('=').next() == Some(one_dash))
    {
        let one_dash = ContextValue::String(one_dash.to_owned());
        error.insert(ContextKind::InvalidArg, one_dash);
    }
    let text = with_one_dash(&error.render().to_string());
    if error.use_stderr() { Notice::Usage(text) } else { Notice::Asked(text) }
}
