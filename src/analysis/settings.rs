//! The settings of an analysis.

use std::num::NonZeroUsize;

use super::seats::{SeatHistory, SeatKind};
use crate::game::{Builder, Trades};
use crate::players::PlayerKind;

/// The settings of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// The players of the game. The chances are estimated for those who play on from each position.
    pub seats: SeatHistory,
    /// The number of playouts for each position and for each alternative.
    pub playouts: u32,
    /// The number of playouts of each considered action, by which the best action of a decision is found.
    pub search: u32,
    /// How the game ended from which the first position was taken over; empty if it begins no branch.
    pub origin_end: String,
    /// The last turn in which a tutorial says what the first builder does; its decisions up to then cost nothing. `None` in other games.
    pub taught_until: Option<u32>,
    /// Whether trades are considered.
    pub trades: Trades,
    /// The seed of all draws.
    pub seed: u64,
    /// The number of threads; the result does not depend on it.
    pub threads: NonZeroUsize,
}

impl AnalysisOptions {
    /// Returns the seed of the playouts of positions: those of advice, which chooses the best actions, have other ones.
    #[must_use]
    pub const fn playout_seed(&self) -> u64 {
        self.seed.wrapping_add(1 << 32)
    }

    /// Returns the settings for the players who sit there after this many actions.
    #[must_use]
    pub(super) fn for_players_at(&self, actions: usize) -> Self {
        let players = Builder::ALL.map(|builder| self.seats.player_at(builder, actions).clone());
        Self { seats: SeatHistory::new(players), ..self.clone() }
    }

    /// Returns the kinds of the first players; `None` for a person or a program.
    #[must_use]
    pub fn kinds(&self) -> [Option<PlayerKind>; Builder::COUNT] {
        self.seats.first().each_ref().map(SeatKind::player_kind)
    }
}
