//! The command line of `calibrate`.

use std::num::NonZeroUsize;

use clap::{ArgMatches, Command};

use super::simulate::{threads, threads_of};
use super::{edition, edition_of, help, names, number, option, seed};
use crate::game::Builder;
use crate::players::PlayerKind;
use crate::text::Edition;

/// The command's name.
pub(super) const CALIBRATE: &str = "calibrate";

/// The options of a calibration.
#[derive(Clone, Debug)]
pub struct CalibrateOptions {
    /// The players of the games.
    pub players: [PlayerKind; Builder::COUNT],
    /// The number of games.
    pub games: u64,
    /// The playouts of an estimate, and of players that think.
    pub playouts: u32,
    /// The seed of the games.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The edition whose rules are played.
    pub edition: &'static Edition,
}

pub(super) fn command() -> Command {
    Command::new(CALIBRATE)
        .about("Play games, and compare estimated win probabilities with who wins")
        .disable_help_flag(true)
        .arg(
            option("players", "A,B,C,D", "Players of the games")
                .default_value("normal,normal,normal,normal")
                .value_parser(parse_players),
        )
        .arg(
            option("games", "N", "Number of games, 1 to 1000000000; each has a position every 16 turns")
                .default_value("1000")
                .value_parser(number(1..=1_000_000_000_u64)),
        )
        .arg(
            option("playouts", "N", "Playouts of an estimate, and of each decision of players that think")
                .default_value("400")
                .value_parser(number(1..=1_000_000_u32)),
        )
        .arg(seed("Seed from which the seeds of all games are derived").default_value("0"))
        .arg(threads())
        .arg(edition())
        .arg(help())
}

fn parse_players(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::by_name).collect();
    kinds
        .and_then(|kinds| kinds.try_into().ok())
        .ok_or_else(|| format!("expected four comma-separated players, each one of {}", names()))
}

pub(super) fn options(matches: &mut ArgMatches, default: &'static Edition) -> CalibrateOptions {
    CalibrateOptions {
        players: matches.remove_one("players").unwrap_or([PlayerKind::Normal; Builder::COUNT]),
        games: matches.remove_one("games").unwrap_or_default(),
        playouts: matches.remove_one("playouts").unwrap_or_default(),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        edition: edition_of(matches, default),
    }
}
