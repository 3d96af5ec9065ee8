//! The seeds of simulated games.

use constructor_common::rng::split_mix64;

use super::simulation::Simulation;

/// The dice of a match have a generator whose seed differs from the game's in these bits.
pub(super) const DICE_SEED: u64 = 0x51ed_2705_c4f8_9a3d;

/// Returns the seed of the generator of the players of a game.
#[must_use]
pub const fn players_seed(seed: u64) -> u64 {
    seed ^ 0x9d5c_3a0f_71e2_84b6
}

/// Returns seed `number` of those derived from a seed: that of the game with this number.
///
/// Stable between versions.
#[must_use]
pub const fn derive_seed(seed: u64, number: u64) -> u64 {
    split_mix64(seed, number.wrapping_sub(1))
}

impl Simulation {
    /// Returns the seed of a game.
    ///
    /// The games of a board share it.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        derive_seed(self.seed, number / self.schedule.games_per_board())
    }
}
