//! The settings of an analysis.

use std::num::NonZeroUsize;

use super::seats::{SeatHistory, SeatKind};
use crate::game::{Builder, Trades};
use crate::players::PlayerKind;

/// The settings of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// The players of the game. The chances are estimated for the first ones.
    pub seats: SeatHistory,
    /// The number of playouts for each position and for each alternative.
    pub playouts: u32,
    /// The number of playouts of the search for each decision.
    pub search: u32,
    /// Whether the search considers trades.
    pub trades: Trades,
    /// The seed of all draws.
    pub seed: u64,
    /// The number of threads; the result does not depend on it.
    pub threads: NonZeroUsize,
}

impl AnalysisOptions {
    /// Returns the kinds of the players for whom the chances are estimated; `None` for a program.
    #[must_use]
    pub fn kinds(&self) -> [Option<PlayerKind>; Builder::COUNT] {
        self.seats.first().each_ref().map(SeatKind::player_kind)
    }
}
