//! The command line of `analyse`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};

use super::replay::{game, record};
use super::simulate::{threads, threads_of};
use super::{help, number, option, seed, switch};

/// The name of the command.
pub(super) const ANALYSE: &str = "analyse";

/// The options of an analysis.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// The record; `-` is standard input.
    pub record: PathBuf,
    /// The number of the game in the record, from 1; `None` is the last one.
    pub game: Option<usize>,
    /// The playouts of each position.
    pub playouts: u32,
    /// The playouts of the search for each decision.
    pub search: u32,
    /// The seed of all draws.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The file for the analysis as JSON.
    pub json: Option<PathBuf>,
    /// The file for a page with charts.
    pub html: Option<PathBuf>,
    /// Whether only errors are printed.
    pub quiet: bool,
}

pub(super) fn command() -> Command {
    Command::new(ANALYSE)
        .about("Show where a recorded game was won and lost: chances, luck, and the costliest decisions")
        .disable_help_flag(true)
        .arg(record())
        .arg(game("Game K of the record, from 1; the last one, if not given"))
        .arg(
            option("playouts", "N", "Playouts of each position, 1 to 1000000; more are more exact")
                .default_value("500")
                .value_parser(number(1..=1_000_000_u32)),
        )
        .arg(
            option("search", "N", "Playouts of the expert's search for each decision, 1 to 1000000")
                .default_value("500")
                .value_parser(number(1..=1_000_000_u32)),
        )
        .arg(seed("Seed of all random draws"))
        .arg(threads())
        .arg(
            option("json", "FILE", "Write the analysis to FILE as JSON; - is standard output")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(option("html", "FILE", "Write a page with charts to FILE").value_parser(value_parser!(PathBuf)))
        .arg(switch("quiet", "Print only errors"))
        .arg(help())
}

pub(super) fn options(matches: &mut ArgMatches) -> AnalyseOptions {
    AnalyseOptions {
        record: matches.remove_one("record").unwrap_or_default(),
        game: matches.remove_one("game"),
        playouts: matches.remove_one("playouts").unwrap_or(1),
        search: matches.remove_one("search").unwrap_or(1),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        json: matches.remove_one("json"),
        html: matches.remove_one("html"),
        quiet: matches.get_flag("quiet"),
    }
}
