//! Two teams: the searching player against all others (the paranoid reduction of a game of more than two players).

use crate::players::bitboard::Bitboard;
use crate::players::eval::{EvalInput, FISH, step_weights};
use crate::players::geometry::{Geometry, Position};

/// The two teams of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Teams {
    players: usize,
    max_player: usize,
    /// The number of opponents, at least 1.
    others: i32,
    /// The weights of [`step_weights`], for large boards.
    of_steps: [i32; 2],
}

impl Teams {
    /// Returns the teams of a game of `players`, with `max_player` against the others.
    #[must_use]
    pub fn new(players: usize, max_player: usize) -> Self {
        let others = i32::try_from(players).unwrap_or(i32::MAX).saturating_sub(1).max(1);
        Self { players, max_player, others, of_steps: [0; 2] }
    }

    /// Returns the same teams with the evaluation weights for this density of free floes per penguin.
    #[must_use]
    pub fn with_density(self, floes: u32, penguins: u32) -> Self {
        Self { of_steps: step_weights(floes / penguins.max(1)), ..self }
    }

    /// Returns the number of players.
    #[must_use]
    pub const fn players(self) -> usize {
        self.players
    }

    /// Returns the searching player.
    #[must_use]
    pub const fn max_player(self) -> usize {
        self.max_player
    }

    /// Returns the player after this one.
    #[must_use]
    #[inline]
    pub const fn next(self, player: usize) -> usize {
        if player + 1 < self.players { player + 1 } else { 0 }
    }

    /// Returns whether two players are on the same team.
    #[must_use]
    #[inline]
    pub const fn same_team(self, player: usize, other: usize) -> bool {
        (player == self.max_player) == (other == self.max_player)
    }

    /// Returns the value of a fish to a player's team.
    ///
    /// For a team of several players, the value of a fish is divided by the number of players.
    #[must_use]
    #[inline]
    pub const fn fish_value(self, player: usize) -> i32 {
        if player == self.max_player { FISH } else { FISH / self.others }
    }

    /// Returns the penguins of a player's team and of the other team.
    #[must_use]
    #[inline(always)]
    pub fn penguins<B: Bitboard>(self, position: &Position<B>, player: usize) -> (B, B) {
        let mut others = B::EMPTY;
        for other in (0..self.players).filter(|&other| other != self.max_player) {
            others = others | position.penguins[other];
        }
        let max_player = position.penguins[self.max_player];
        if player == self.max_player { (max_player, others) } else { (others, max_player) }
    }

    /// Returns the evaluation of a position for the team of the player to move.
    ///
    /// It is exact within the bounds and approximate outside them.
    #[must_use]
    #[inline(always)]
    pub fn evaluate<B: Bitboard>(
        self,
        geometry: &Geometry<B>,
        position: &Position<B>,
        player: usize,
        bounds: (i32, i32),
    ) -> i32 {
        let players = if player == self.max_player { [1, self.others] } else { [self.others, 1] };
        let pair = EvalInput { penguins: self.penguins(position, player).into(), players };
        pair.value(geometry, position.free, self.of_steps, bounds)
    }
}
