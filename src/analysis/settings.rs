//! The settings of an analysis.

use std::num::NonZeroUsize;

use crate::game::{Builder, Trades};
use crate::players::PlayerKind;

/// The settings of an analysis.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisOptions {
    /// The players for whom the chances are estimated. `None` is a player of whom nothing is known, who is taken for a
    /// strong one.
    pub players: [Option<PlayerKind>; Builder::COUNT],
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
