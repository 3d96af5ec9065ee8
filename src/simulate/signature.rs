//! The signature of a program: a hash of fixed games that shows whether two programs play the same.

use super::{Recording, Simulation};
use crate::game::Trades;
use crate::players::{Budget, PlayerKind};
use crate::record::sha256;
use crate::text::EDITIONS;

/// The number of games of each kind of player in [`signature`].
const GAMES: u64 = 2;

/// The number of playouts for each decision. A few are enough to show whether a player plays the same.
const PLAYOUTS: u32 = 24;

const TURNS: u64 = 40;

/// Computes sixteen hexadecimal digits that depend on every action of fixed games. Every kind of player plays in one edition, and all
/// editions are played.
///
/// Programs with the same signature play the same games; another version, or a processor with other rounding, may have another signature.
/// The computation takes a fraction of a second.
#[must_use]
pub fn signature() -> String {
    let mut records = String::new();
    for (kind, edition) in PlayerKind::ALL.into_iter().zip(EDITIONS.iter().cycle()) {
        let mut simulation = Simulation::new(edition, [(); 4].map(|()| kind.factory(&Budget::playouts(PLAYOUTS))));
        simulation.trades = Trades::On;
        simulation.max_turns = TURNS;
        let mut recording = Recording::new(&simulation);
        for number in 0..GAMES {
            recording.play(&simulation, number);
        }
        records += &recording.take();
    }
    let mut digits = sha256(records.as_bytes());
    digits.truncate(16);
    digits
}
