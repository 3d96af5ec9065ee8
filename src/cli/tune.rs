//! The options of `tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command, value_parser};

use super::simulate::{threads, threads_of};
use super::{edition, edition_of, help, option, seed};
use crate::edition::Edition;

/// How to tune, and which weights.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// What is made better.
    pub what: Tuned,
    /// The file with the weights, which are made better there.
    pub weights: PathBuf,
    /// Up to which round.
    pub rounds: u64,
    /// How many boards are played in a round.
    pub boards: u64,
    /// From which everything that is drawn is made.
    pub seed: u64,
    /// How many threads play.
    pub threads: NonZeroUsize,
    /// Whose rules are played.
    pub edition: &'static Edition,
}

/// What can be made better by playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tuned {
    /// The weights of the normal player.
    Normal,
    /// The weights by which an expert plays games out.
    Planner,
    /// What an expert thinks of a position.
    Value,
}

impl Tuned {
    const ALL: [(&str, Self); 3] = [("normal", Self::Normal), ("planner", Self::Planner), ("value", Self::Value)];
}

/// The command's name.
pub(super) const TUNE: &str = "tune";

pub(super) fn command() -> Command {
    Command::new(TUNE)
        .about("Make a computer player better by letting it play")
        .disable_help_flag(true)
        .arg(
            option(
                "what",
                "NAME",
                "What is made better: the normal player's weights (normal), those by which an expert plays games out \
                 (planner), or what it thinks of positions (value)",
            )
            .default_value("normal")
            .value_parser(PossibleValuesParser::new(Tuned::ALL.map(|(name, _)| name))),
        )
        .arg(
            option("weights", "FILE", "Where the weights are; a new file begins with those of the program")
                .default_value("weights.txt")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("rounds", "N", "Up to which round, 1 to 1000000000; the file knows how many there were")
                .default_value("300")
                .value_parser(value_parser!(u64).range(1..=1_000_000_000)),
        )
        .arg(
            option(
                "boards",
                "N",
                "How many boards a round has, each played from four seats, before and after a change; for value, once",
            )
            .default_value("500")
            .value_parser(value_parser!(u64).range(1..=1_000_000_000)),
        )
        .arg(seed("Seed from which the seed of each round is made"))
        .arg(threads())
        .arg(edition())
        .arg(help())
}

pub(super) fn options(matches: &mut ArgMatches, usual: &'static Edition) -> TuneOptions {
    let what = matches.remove_one::<String>("what");
    let what = Tuned::ALL.into_iter().find(|(name, _)| what.as_deref() == Some(name));
    TuneOptions {
        what: what.map_or(Tuned::Normal, |(_, what)| what),
        weights: matches.remove_one("weights").unwrap_or_default(),
        rounds: matches.remove_one("rounds").unwrap_or_default(),
        boards: matches.remove_one("boards").unwrap_or_default(),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        edition: edition_of(matches, usual),
    }
}
