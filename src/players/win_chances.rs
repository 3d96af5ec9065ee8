//! Estimates of who will win, by playing the game out.

use super::Linear;
use super::flat_mc::{CommonRandomNumbers, winner_of};
use crate::game::{Builder, Game};

/// An estimate of each builder's probability of winning from a position: the share of playouts that the builder wins, in which
/// everybody plays as a [`Linear`] player, without trades. It gets better with every playout.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules};
/// use constructor::players::WinChances;
/// use constructor::rng;
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
/// let mut chances = WinChances::new(game, 1);
/// assert_eq!(chances.estimate(), None);
/// chances.play_out(20);
/// assert!(chances.estimate().unwrap().iter().sum::<f64>() > 0.9, "hardly any playout ends without a winner");
/// ```
#[derive(Clone, Debug)]
pub struct WinChances {
    game: Game,
    player: Linear,
    /// The seed of the first playout.
    seed: u64,
    wins: [u32; Builder::COUNT],
    playouts: u32,
}

impl WinChances {
    /// An estimate for a position, without any playouts yet.
    #[must_use]
    pub fn new(game: Game, seed: u64) -> Self {
        Self { game, player: Linear::default(), seed, wins: [0; Builder::COUNT], playouts: 0 }
    }

    /// The number of playouts so far.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Plays the game out a number of times more.
    pub fn play_out(&mut self, playouts: u32) {
        for _ in 0..playouts {
            let mut chance = CommonRandomNumbers::new(self.seed.wrapping_add(self.playouts.into()));
            let winner = winner_of(self.game, &mut chance, |_, game, actions| self.player.decide(game, actions));
            if let Some(winner) = winner {
                self.wins[winner.index()] += 1;
            }
            self.playouts += 1;
        }
    }

    /// The probability of winning of each builder, 0 to 1; `None` before the first playout.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; Builder::COUNT]> {
        (self.playouts > 0).then(|| self.wins.map(|wins| f64::from(wins) / f64::from(self.playouts)))
    }
}
