//! The options of `games`.

use std::ffi::OsString;

use clap::Args;

use super::shared::number;

/// The options of the list of kept games.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
#[group(skip)]
pub struct GamesOptions {
    /// Continue game K on the full screen, without K the last one that can be continued
    #[arg(long, group = "choice", value_name = "K", num_args = 0..=1, value_parser = number(1..=1_000_000_usize))]
    pub resume: Option<Option<usize>>,
    /// Print game K as the text game would, without K the last finished one
    #[arg(long, group = "choice", value_name = "K", num_args = 0..=1, value_parser = number(1..=1_000_000_usize))]
    pub show: Option<Option<usize>>,
    /// Analyse game K, without K the last finished one
    #[arg(long, group = "choice", value_name = "K", num_args = 0..=1, value_parser = number(1..=1_000_000_usize))]
    pub analyse: Option<Option<usize>>,
    /// With -analyse: write a page with charts to FILE
    #[arg(long, value_name = "FILE", requires = "analyse")]
    pub html: Option<OsString>,
    /// With -analyse: write the analysis to FILE as JSON
    #[arg(long, value_name = "FILE", requires = "analyse")]
    pub json: Option<OsString>,
    /// Remove game K
    #[arg(long, group = "choice", value_name = "K", value_parser = number(1..=1_000_000_usize))]
    pub remove: Option<usize>,
}
