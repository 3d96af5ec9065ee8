//! The options of `analyse`.

use std::num::NonZeroUsize;

use clap::Args;

use constructor_common::threads::threads_or_cores;

use super::paths::{Input, Output};
use super::shared::number;

/// The options of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct AnalyseOptions {
    /// Record of games; - is standard input
    #[arg(value_name = "FILE", required = false, required_unless_present = "help")]
    pub record: Input,
    /// Analyse game K, from 1; by default the last one
    #[arg(long, value_name = "K", value_parser = number(1..=usize::MAX))]
    pub game: Option<usize>,
    /// Playouts of each position
    ///
    /// 1 to 1000000; more are more exact.
    #[arg(long, value_name = "N", default_value = "500", value_parser = number(1..=1_000_000_u32))]
    pub playouts: u32,
    /// Playouts of each action considered at a decision
    ///
    /// 1 to 1000000; the best action is found as for advice.
    #[arg(long, value_name = "N", default_value = "500", value_parser = number(1..=1_000_000_u32))]
    pub search: u32,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Number of threads; by default that of the cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Write the analysis to FILE as JSON
    ///
    /// - is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<Output>,
    /// Write a page with charts to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<Output>,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

impl AnalyseOptions {
    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }
}
