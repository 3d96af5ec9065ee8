//! Players without search, as baselines.

use std::time::Instant;

use constructor_common::rng::{below, from_seed};
use rand_chacha::ChaCha8Rng;

use crate::board::{Board, Field};
use crate::game::{Action, Game};
use crate::players::Player;

/// Plays uniformly at random.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Makes a player with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(from_seed(seed))
    }
}

impl Player for Random {
    fn decide(&mut self, game: &Game, _deadline: Instant) -> Option<Action> {
        let actions = game.actions();
        let count = u32::try_from(actions.len()).ok().filter(|&count| count > 0)?;
        actions.get(below(&mut self.0, count) as usize).copied()
    }
}

/// Takes the first legal action, row by row.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Player for First {
    fn decide(&mut self, game: &Game, _deadline: Instant) -> Option<Action> {
        game.actions().first().copied()
    }
}

/// Maximises the fish of the next move; breaks ties by the fish that can be reached from there.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Player for Greedy {
    fn decide(&mut self, game: &Game, _deadline: Instant) -> Option<Action> {
        let board = game.board();
        game.actions().into_iter().max_by_key(|&action| {
            let mut after = board.clone();
            if let Action::Slide { from, .. } = action {
                after.set(from, Field::Water);
            }
            let next: u32 = after.slides(action.target()).map(|place| fish(&after, place)).sum();
            (fish(board, action.target()), next)
        })
    }
}

fn fish(board: &Board, place: crate::board::Place) -> u32 {
    match board.get(place) {
        Field::Floe(fish) => fish.into(),
        Field::Water | Field::Penguin(_) => 0,
    }
}
