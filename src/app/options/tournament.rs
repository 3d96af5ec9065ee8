//! The options of `tournament`.

use std::num::NonZeroUsize;

use clap::Args;

use constructor_common::threads::threads_or_cores;

use super::paths::{Appended, Input};
use super::players::{self, PlayerChoice};
use super::shared::{BudgetOptions, edition, edition_help, number, trades};
use super::simulate::parse_coefficient;
use crate::game::Trades;
use crate::text::{EDITIONS, Edition};

/// The options of a tournament.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct TournamentOptions {
    /// The players
    #[arg(value_name = "PLAYER", num_args = 1.., required = false, required_unless_present = "help", value_parser = players::computer)]
    pub players: Vec<PlayerChoice>,
    /// Boards of each pair, six games each
    ///
    /// In the six games, the two players of a pair take two seats each, in every order.
    #[arg(long, value_name = "N", default_value = "50", value_parser = number(1..=1_000_000_u64))]
    pub boards: u64,
    /// Write results to FILE as they come
    ///
    /// An interrupted tournament goes on from there.
    #[arg(long, value_name = "FILE")]
    pub file: Option<Appended>,
    /// Seed of all games
    ///
    /// The seed of each board is derived from it.
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// The budget of players that think.
    #[command(flatten)]
    pub budget: BudgetOptions,
    /// Number of threads; by default that of the cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Most turns of a game
    ///
    /// After them it ends without a result.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = number(1..=1_000_000_000_u64))]
    pub max_turns: u64,
    /// Subtract BETA times the luck from all results
    ///
    /// As for match. Without BETA, put it after the players.
    #[arg(long, value_name = "BETA", num_args = 0..=1, default_missing_value = "0.65", value_parser = parse_coefficient)]
    pub adjust: Option<f64>,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE")]
    pub board: Option<Input>,
    /// Let builders offer trades
    #[arg(long, value_name = "on|off", hide_possible_values = true, default_value = "off", value_parser = trades())]
    pub trades: Trades,
    /// The edition; by default the one that the program is named after.
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true,
          hide_possible_values = true, help = edition_help(), value_parser = edition())]
    pub edition: &'static Edition,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
}

/// The minimum and the maximum number of players.
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
