//! Who plays with whom: the one who thinks alone on one side, and all others on the other.

use crate::players::bits::Bits;
use crate::players::ice::{Ice, Position};
use crate::players::territory::{FISH, Pair, weights_of_share};

/// The two sides of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides {
    players: usize,
    hero: usize,
    /// How many others there are, at least one.
    others: i32,
    /// What fish that are reached by steps count on large boards.
    of_steps: [i32; 2],
}

impl Sides {
    /// So many players, of whom one, by the index of the seat, is alone.
    #[must_use]
    pub fn new(players: usize, hero: usize) -> Self {
        let others = i32::try_from(players).unwrap_or(i32::MAX).saturating_sub(1).max(1);
        Self { players, hero, others, of_steps: [0; 2] }
    }

    /// The same sides on a board with so many free floes and penguins.
    #[must_use]
    pub fn sharing(self, floes: u32, penguins: u32) -> Self {
        Self { of_steps: weights_of_share(floes / penguins.max(1)), ..self }
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(self) -> usize {
        self.players
    }

    /// Who thinks.
    #[must_use]
    pub const fn hero(self) -> usize {
        self.hero
    }

    /// Whose turn it is after this one's.
    #[must_use]
    #[inline]
    pub const fn next(self, player: usize) -> usize {
        if player + 1 < self.players { player + 1 } else { 0 }
    }

    /// Whether two players are on one side.
    #[must_use]
    #[inline]
    pub const fn is_with(self, player: usize, other: usize) -> bool {
        (player == self.hero) == (other == self.hero)
    }

    /// What a fish counts that a player catches: of several on one side, each has a part in it.
    #[must_use]
    #[inline]
    pub const fn worth(self, player: usize) -> i32 {
        if player == self.hero { FISH } else { FISH / self.others }
    }

    /// The penguins of the side of a player, and those of the other side.
    #[must_use]
    #[inline]
    pub fn penguins<B: Bits>(self, position: &Position<B>, player: usize) -> (B, B) {
        let mut others = B::EMPTY;
        for other in (0..self.players).filter(|&other| other != self.hero) {
            others = others | position.penguins[other];
        }
        let hero = position.penguins[self.hero];
        if player == self.hero { (hero, others) } else { (others, hero) }
    }

    /// What a position looks worth for the side of the player who is to move, if that is between the two bounds; otherwise
    /// about that.
    #[must_use]
    #[inline]
    pub fn evaluate<B: Bits>(self, ice: &Ice<B>, position: &Position<B>, player: usize, bounds: (i32, i32)) -> i32 {
        let players = if player == self.hero { [1, self.others] } else { [self.others, 1] };
        let pair = Pair { penguins: self.penguins(position, player).into(), players };
        pair.value(ice, position.free, self.of_steps, bounds)
    }
}
