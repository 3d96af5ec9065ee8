//! The options of `tournament`.

use std::num::NonZeroUsize;

use clap::Args;

use constructor_common::threads::threads_or_cores;

use super::paths::{Appended, Input};
use super::players::{self, PlayerChoice};
use super::shared::{BudgetOptions, edition, number, trades};
use crate::game::Trades;
use crate::text::{EDITIONS, Edition};

/// The options of a tournament.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct TournamentOptions {
    /// The players.
    #[arg(value_name = "PLAYER", num_args = 1.., required = false, required_unless_present = "help", value_parser = players::computer,
          help = players::help(false, "Players", ""))]
    pub players: Vec<PlayerChoice>,
    /// Boards of each pair; each is played six times, two seats for each of the pair, four seats in all
    #[arg(long, value_name = "N", default_value = "50", value_parser = number(1..=1_000_000_u64))]
    pub boards: u64,
    /// Write results to FILE as they come; an interrupted tournament goes on from there
    #[arg(long, value_name = "FILE")]
    pub file: Option<Appended>,
    /// Seed from which the seeds of all boards are derived
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// The budget of players that think.
    #[command(flatten)]
    pub budget: BudgetOptions,
    /// Number of threads; by default the number of cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Turns after which a game ends without a result
    #[arg(long, value_name = "N", default_value = "10000", value_parser = number(1..=1_000_000_000_u64))]
    pub max_turns: u64,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE")]
    pub board: Option<Input>,
    /// Let builders offer trades
    #[arg(long, value_name = "WHEN", default_value = "off", value_parser = trades())]
    pub trades: Trades,
    /// Edition to play; the default is the program's own name, or else constructor
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true, value_parser = edition())]
    pub edition: &'static Edition,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

/// The least and the most players.
const MIN_PLAYERS: usize = 2;
const MAX_PLAYERS: usize = 32;

impl TournamentOptions {
    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }

    /// Checks the number of players.
    pub(super) fn check(self) -> Result<Self, String> {
        if (MIN_PLAYERS..=MAX_PLAYERS).contains(&self.players.len()) {
            Ok(self)
        } else {
            Err(format!("expected {MIN_PLAYERS} to {MAX_PLAYERS} players"))
        }
    }
}
