//! The options of `games`.

use std::ffi::OsString;

use clap::Args;

use super::shared::number;
use crate::tui::LONGEST_NAME;

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
    /// Name game K
    #[arg(long, group = "choice", value_name = "K", requires = "to", value_parser = number(1..=1_000_000_usize))]
    pub name: Option<usize>,
    /// With -name: the name, of at most 30 letters; an empty one takes it away
    #[arg(long, value_name = "NAME", requires = "name", value_parser = parse_game_name)]
    pub to: Option<String>,
    /// Remove game K
    ///
    /// For 30 days, it can be brought back.
    #[arg(long, group = "choice", value_name = "K", value_parser = number(1..=1_000_000_usize))]
    pub remove: Option<usize>,
    /// Bring back game K, without K the one that was removed last
    #[arg(long, group = "choice", value_name = "K", num_args = 0..=1, value_parser = number(1..=1_000_000_usize))]
    pub bring_back: Option<Option<usize>>,
}

/// Parses the name of a game.
fn parse_game_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_short = name.chars().count() <= LONGEST_NAME;
    is_short.then(|| name.to_owned()).ok_or_else(|| format!("expected at most {LONGEST_NAME} letters"))
}
