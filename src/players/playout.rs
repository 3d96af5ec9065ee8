//! The loop that plays games to their end.

use crate::game::{Action, Game};

/// Plays a game until it is over or `max_turns` turns have ended, and returns the number of turns that have ended.
///
/// `step` is called with the number of turns that have ended; it decides on an action, applies it and returns it, or returns `None` to
/// stop.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, RandomChance, Rules, Trades};
/// use constructor::players::{Greedy, next_action, playout};
/// use constructor::rng;
/// let mut rng = rng::from_seed(0);
/// let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
/// let mut players: [Greedy; 4] = Default::default();
/// let turns = playout(&mut game, 1_000, |game, _| {
///     let action = next_action(game, Trades::Off, &mut players, &mut rng)?;
///     game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
///     Some(action)
/// });
/// assert!(game.winner().is_some() && turns < 1_000);
/// ```
#[inline]
pub fn playout(game: &mut Game, max_turns: u64, mut step: impl FnMut(&mut Game, u64) -> Option<Action>) -> u64 {
    let mut turns = 0;
    while turns < max_turns
        && let Some(action) = step(game, turns)
    {
        turns += u64::from(action == Action::EndTurn);
    }
    turns
}
