//! The command line of `tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command, value_parser};

use super::simulate::{threads, threads_of};
use super::{edition, edition_of, help, number, option, seed};
use crate::text::Edition;

/// The options of tuning.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// The player or network to tune.
    pub target: TuneTarget,
    /// The file with the weights.
    pub weights: PathBuf,
    /// The last round.
    pub rounds: u64,
    /// The number of boards of a round.
    pub boards: u64,
    /// The seed from which all rounds are derived.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The edition whose rules are played.
    pub edition: &'static Edition,
}

/// What can be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TuneTarget {
    /// The weights of the normal player.
    Normal,
    /// The weights of the expert's playouts.
    Planner,
    /// The value network of the expert.
    Value,
    /// The expert's network of where others place in the setup.
    Placement,
    /// The expert's turn network.
    Turn,
}

impl TuneTarget {
    const ALL: [(&str, Self); 5] = [
        ("normal", Self::Normal),
        ("planner", Self::Planner),
        ("value", Self::Value),
        ("placement", Self::Placement),
        ("turn", Self::Turn),
    ];
}

/// The command's name.
pub(super) const TUNE: &str = "tune";

pub(super) fn command() -> Command {
    Command::new(TUNE)
        .about("Tune a computer player by self-play")
        .disable_help_flag(true)
        .arg(
            option(
                "what",
                "NAME",
                "What to tune: the normal player's weights (normal), the weights of the expert's playouts (planner), its \
                 value network (value), its network of where others place in the setup (placement), or that for decisions \
                 in turns (turn)",
            )
            .default_value("normal")
            .value_parser(PossibleValuesParser::new(TuneTarget::ALL.map(|(name, _)| name))),
        )
        .arg(
            option("weights", "FILE", "File with the weights; a new file begins with those of the program")
                .default_value("weights.txt")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("rounds", "N", "Last round, 1 to 1000000000; the file records how many were played")
                .default_value("300")
                .value_parser(number(1..=1_000_000_000_u64)),
        )
        .arg(
            option(
                "boards",
                "N",
                "Boards of a round, each played from four seats with the weights before and after; for a network, games of a round",
            )
            .default_value("500")
            .value_parser(number(1..=1_000_000_000_u64)),
        )
        .arg(seed("Seed from which all rounds are derived"))
        .arg(threads())
        .arg(edition())
        .arg(help())
}

pub(super) fn options(matches: &mut ArgMatches, default: &'static Edition) -> TuneOptions {
    let what = matches.remove_one::<String>("what");
    let what = TuneTarget::ALL.into_iter().find(|(name, _)| what.as_deref() == Some(name));
    TuneOptions {
        target: what.map_or(TuneTarget::Normal, |(_, what)| what),
        weights: matches.remove_one("weights").unwrap_or_default(),
        rounds: matches.remove_one("rounds").unwrap_or_default(),
        boards: matches.remove_one("boards").unwrap_or_default(),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        edition: edition_of(matches, default),
    }
}
