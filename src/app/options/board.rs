//! The options of `board`.

use clap::Args;

use super::game::GameSource;
use super::paths::{Input, Output};
use super::shared::{edition, edition_help, number};
use crate::text::{EDITIONS, Edition};

/// The options of a picture of a board.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct BoardOptions {
    /// Draw the saved game in FILE
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    load: Option<Input>,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE")]
    board: Option<Input>,
    /// Draw a random layout
    ///
    /// Ignored with --load or --board.
    #[arg(long)]
    random_board: bool,
    /// Seed of a random layout
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// The edition; by default the one that the program is named after.
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true,
          hide_possible_values = true, help = edition_help(), value_parser = edition())]
    pub edition: &'static Edition,
    /// Write a picture to FILE as SVG, not text
    ///
    /// - is standard output.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<Output>,
}

impl BoardOptions {
    /// Returns what to draw.
    #[must_use]
    pub fn start(&self) -> GameSource {
        GameSource::of(self.load.as_ref(), self.board.as_ref(), self.random_board)
    }
}
