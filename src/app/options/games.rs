//! The options of `games`.

use clap::Args;

use super::shared::number;

/// The options of the list of kept games.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
#[group(multiple = false)]
pub struct GamesOptions {
    /// Continue game K on the full screen, without K the last one that can be continued
    #[arg(long, value_name = "K", num_args = 0..=1, value_parser = number(1..=1_000_000_usize))]
    pub resume: Option<Option<usize>>,
    /// Print game K as the text game would
    #[arg(long, value_name = "K", value_parser = number(1..=1_000_000_usize))]
    pub show: Option<usize>,
    /// Analyse game K
    #[arg(long, value_name = "K", value_parser = number(1..=1_000_000_usize))]
    pub analyse: Option<usize>,
    /// Remove game K
    #[arg(long, value_name = "K", value_parser = number(1..=1_000_000_usize))]
    pub remove: Option<usize>,
}
