//! The seeds of simulated games.

use constructor_common::rng::split_mix64;

use super::simulation::Simulation;

/// Returns the seed of the dice in a match, all of whose games on a board have the same dice.
pub(crate) const fn dice_seed(seed: u64) -> u64 {
    seed ^ 0x51ed_2705_c4f8_9a3d
}

/// Returns the seed of the players' generator in the game with this seed.
#[must_use]
pub const fn players_seed(seed: u64) -> u64 {
    seed ^ 0x9d5c_3a0f_71e2_84b6
}

/// Derives the seed with this number from another seed, such as the seed of a game from the seed of its simulation.
///
/// The result stays the same in all versions of the program.
#[must_use]
pub const fn derive_seed(seed: u64, number: u64) -> u64 {
    split_mix64(seed, number.wrapping_sub(1))
}

impl Simulation {
    /// Returns the seed of a game.
    ///
    /// The games on the same board have the same seed.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        derive_seed(self.seed, number / self.schedule.games_per_board())
    }
}
