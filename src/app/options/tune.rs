//! The options of `tune`.

use std::num::NonZeroUsize;

use clap::Args;

use super::paths::Saved;
use super::shared::{edition, number, one_of, threads_or_cores};
use crate::text::{EDITIONS, Edition};

/// The options of tuning.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct TuneOptions {
    /// What to tune: the normal player's weights (normal), the weights of the expert's playouts (planner), its value network
    /// (value), its network of where others place in the setup (placement), or that for decisions in turns (turn)
    #[arg(long, value_name = "NAME", default_value = "normal", value_parser = one_of(TARGETS))]
    pub what: TuneTarget,
    /// File with the weights; a new file begins with those of the program
    #[arg(long, value_name = "FILE", default_value = "weights.txt")]
    pub weights: Saved,
    /// Last round, 1 to 1000000000; the file records how many were played
    #[arg(long, value_name = "N", default_value = "300", value_parser = number(1..=1_000_000_000_u64))]
    pub rounds: u64,
    /// Boards of a round, each played from four seats with the weights before and after; for a network, games of a round
    #[arg(long, value_name = "N", default_value = "500", value_parser = number(1..=1_000_000_000_u64))]
    pub boards: u64,
    /// Seed from which all rounds are derived
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Number of threads; by default the number of cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Edition to play; the default is the program's own name, or else constructor
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true, value_parser = edition())]
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

const TARGETS: [(&str, TuneTarget); 5] = [
    ("normal", TuneTarget::Normal),
    ("planner", TuneTarget::Planner),
    ("value", TuneTarget::Value),
    ("placement", TuneTarget::Placement),
    ("turn", TuneTarget::Turn),
];

impl TuneOptions {
    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }
}
