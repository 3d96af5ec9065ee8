//! The options of `replay`.

use clap::Args;

use super::paths::{Input, Saved};
use super::shared::number;

/// The options of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct ReplayOptions {
    /// Record of games; - is standard input
    #[arg(value_name = "FILE", required = false, required_unless_present = "help")]
    pub record: Input,
    /// Take only game K of the record, from 1
    ///
    /// With --turn and --save the default is the last game.
    #[arg(long, value_name = "K", value_parser = number(1..=usize::MAX))]
    pub game: Option<usize>,
    /// Stop at the end of turn N; 0 is the end of the setup
    #[arg(long, value_name = "N", value_parser = number(0..=u32::MAX))]
    pub turn: Option<u32>,
    /// Save the game in FILE instead of printing it
    ///
    /// At its end, or with --turn at that turn.
    #[arg(long, value_name = "FILE")]
    pub save: Option<Saved>,
    /// Print the input that plays the game instead
    #[arg(long)]
    pub script: bool,
    /// Print what people typed, too
    ///
    /// As at a terminal. Without it, only what computer players typed is printed, as by the text game.
    #[arg(long)]
    pub typed: bool,
    /// Print only what is wrong with the record
    #[arg(long)]
    pub quiet: bool,
    /// The name under which the program was started, quoted for a shell.
    #[arg(skip)]
    pub program: String,
}
