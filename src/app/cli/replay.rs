//! The command line of `replay`, and what `analyse` shares with it.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::{help, number, option, switch};

/// The name of the command.
pub(super) const REPLAY: &str = "replay";

/// The options of a replay.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The record; `-` is standard input.
    pub record: PathBuf,
    /// The number of the game in the record, from 1; `None` are all games, or the last one.
    pub game: Option<usize>,
    /// The turn at whose end to stop.
    pub turn: Option<u32>,
    /// The file for the saved game of that moment.
    pub save: Option<PathBuf>,
    /// Whether to print the input instead of the game.
    pub script: bool,
    /// Whether to print nothing.
    pub quiet: bool,
}

pub(super) fn command() -> Command {
    Command::new(REPLAY)
        .about("Check a record against the rules, and print its games as the text game would")
        .disable_help_flag(true)
        .arg(record())
        .arg(game("Only game K of the record, from 1; for --turn and --save the last one, if not given"))
        .arg(
            option("turn", "N", "Stop at the end of turn N; 0 is the end of the setup")
                .value_parser(number(0..=u32::MAX)),
        )
        .arg(
            option("save", "FILE", "Save the game at its end, or at that turn, in FILE, instead of printing it")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(switch("script", "Print the input that plays the game instead"))
        .arg(switch("quiet", "Print only what is wrong with the record"))
        .arg(help())
}

pub(super) fn record() -> Arg {
    Arg::new("record")
        .value_name("FILE")
        .help("Record of games; - is standard input")
        .required_unless_present("help")
        .value_parser(value_parser!(PathBuf))
}

pub(super) fn game(help: &'static str) -> Arg {
    option("game", "K", help).value_parser(number(1..=usize::MAX))
}

pub(super) fn options(matches: &mut ArgMatches) -> ReplayOptions {
    ReplayOptions {
        record: matches.remove_one("record").unwrap_or_default(),
        game: matches.remove_one("game"),
        turn: matches.remove_one("turn"),
        save: matches.remove_one("save"),
        script: matches.get_flag("script"),
        quiet: matches.get_flag("quiet"),
    }
}
