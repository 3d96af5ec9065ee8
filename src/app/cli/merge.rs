//! The command lines of `merge` and `bench`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{help, option, switch};

/// The name of the command that merges units.
pub(super) const MERGE: &str = "merge";
/// The name of the command that measures the players.
pub(super) const BENCH: &str = "bench";

/// The options of a merge.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// Units, and folders with units.
    pub units: Vec<PathBuf>,
    /// The file for the JSON summary; `-` is standard output.
    pub json: Option<PathBuf>,
    /// The file for a page with charts.
    pub html: Option<PathBuf>,
    /// The command line, as a shell reads it.
    pub command: String,
    /// Whether only errors are printed.
    pub quiet: bool,
}

pub(super) fn command() -> Command {
    Command::new(MERGE)
        .about("Merge units of simulate or match, and print what one run over all their games would have printed")
        .disable_help_flag(true)
        .arg(
            Arg::new("units")
                .value_name("UNIT")
                .help("Units, in any order, some of them twice; of a folder, all files in it")
                .action(ArgAction::Append)
                .num_args(1..)
                .required_unless_present("help")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("json", "FILE", "Write a summary to FILE as JSON; - is standard output")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(option("html", "FILE", "Write a page with charts to FILE").value_parser(value_parser!(PathBuf)))
        .arg(switch("quiet", "Print only errors"))
        .arg(help())
}

pub(super) fn bench_command() -> Command {
    Command::new(BENCH)
        .about("Play fixed games of every kind of player, and print the program's signature and the speed")
        .disable_help_flag(true)
        .arg(switch("signature", "Print only the signature"))
        .arg(help())
}

pub(super) fn options(matches: &mut ArgMatches, command: String) -> MergeOptions {
    MergeOptions {
        units: matches.remove_many("units").map_or_else(Vec::new, Iterator::collect),
        json: matches.remove_one("json"),
        html: matches.remove_one("html"),
        command,
        quiet: matches.get_flag("quiet"),
    }
}
