//! The command line of `board`.

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};

use super::{Start, board, edition, edition_of, help, option, seed, start_of, switch};
use crate::text::Edition;

/// The name of the command.
pub(super) const BOARD: &str = "board";

/// The options of a picture of a board.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// The edition.
    pub edition: &'static Edition,
    /// What to draw.
    pub start: Start,
    /// The seed of a random layout.
    pub seed: u64,
    /// The file for the picture; without it, the board is printed as text.
    pub svg: Option<PathBuf>,
}

pub(super) fn command() -> Command {
    Command::new(BOARD)
        .about("Draw a board, as text or as a picture")
        .disable_help_flag(true)
        .arg(
            option("load", "FILE", "Draw the saved game in FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("board"),
        )
        .arg(board())
        .arg(switch("random-board", "Draw a random layout; ignored with --load or --board"))
        .arg(seed("Seed of a random layout"))
        .arg(edition())
        .arg(
            option("svg", "FILE", "Write the picture to FILE as SVG instead of printing text; - is standard output")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(help())
}

pub(super) fn options(matches: &mut ArgMatches, default: &'static Edition) -> BoardOptions {
    BoardOptions {
        start: start_of(matches),
        seed: matches.remove_one("seed").unwrap_or_default(),
        svg: matches.remove_one("svg"),
        edition: edition_of(matches, default),
    }
}
