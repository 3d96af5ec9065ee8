//! The options of `calibrate`.

use std::num::NonZeroUsize;

use clap::Args;

use super::players::names;
use super::shared::{edition, number, threads_or_cores};
use crate::game::Builder;
use crate::players::PlayerKind;
use crate::text::{EDITIONS, Edition};

/// The options of a calibration.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct CalibrateOptions {
    /// Players of the games
    #[arg(long, value_name = "A,B,C,D", default_value = "normal,normal,normal,normal", value_parser = parse_players)]
    pub players: [PlayerKind; Builder::COUNT],
    /// Number of games, 1 to 1000000000; each has a position every 16 turns
    #[arg(long, value_name = "N", default_value = "1000", value_parser = number(1..=1_000_000_000_u64))]
    pub games: u64,
    /// Playouts of an estimate, and of each decision of players that think
    #[arg(long, value_name = "N", default_value = "400", value_parser = number(1..=1_000_000_u32))]
    pub playouts: u32,
    /// Seed from which the seeds of all games are derived
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Number of threads; by default the number of cores
    #[arg(long, value_name = "T", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Edition to play; the default is the program's own name, or else constructor
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true, value_parser = edition())]
    pub edition: &'static Edition,
}

impl CalibrateOptions {
    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }
}

fn parse_players(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::by_name).collect();
    kinds
        .and_then(|kinds| kinds.try_into().ok())
        .ok_or_else(|| format!("expected four comma-separated players, each one of {}", names()))
}
