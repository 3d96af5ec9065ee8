//! Counting all ways to go on from a position: the test that two implementations of the rules agree.

use super::Game;
use super::actions::Trades;

/// How many different sequences of so many actions can follow, chance included: what chance makes of an action are so
/// many different actions. A game that ends earlier counts for nothing.
///
/// The name is that of the same count in chess programs, "performance test".
///
/// ```
/// use constructor::board::{Ground, Layout, Tile};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::game::{Game, Trades, perft};
/// let game = Game::new(CONSTRUCTOR.rules, Layout::new([Ground::Park; Tile::COUNT]));
/// assert_eq!(perft(&game, 1, Trades::Off), 54);
/// // A first basement at one of 18 corners leaves 51 vertices for the second, and at one of the others 50.
/// assert_eq!(perft(&game, 2, Trades::Off), 18 * 51 + 36 * 50);
/// ```
#[must_use]
pub fn perft(game: &Game, depth: u32, trades: Trades) -> u64 {
    let Some(rest) = depth.checked_sub(1) else { return 1 };
    let outcomes = game.actions(trades).iter().filter_map(|action| game.outcomes(action).ok()).flatten();
    outcomes.map(|(after, _)| perft(&after, rest, trades)).sum()
}
