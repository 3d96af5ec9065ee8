//! Perft: the number of action sequences from a position, a test for comparing implementations of the rules.

use super::Game;
use super::legal::Trades;

/// Returns the number of different sequences of `depth` actions from a position.
///
/// Each outcome of chance counts as a different action; a sequence that reaches the end of the game before `depth` is not counted.
///
/// Named after the same test of chess programs, "performance test".
///
/// ```
/// use constructor::board::{Layout, Terrain, Tile};
/// use constructor::game::{Game, Rules, Trades, perft};
/// let game = Game::new(Rules::default(), Layout::new([Terrain::Park; Tile::COUNT]));
/// assert_eq!(perft(&game, 1, Trades::Off), 54);
/// // 18 vertices have two neighbours and leave 51 for the next basement; the others leave 50.
/// assert_eq!(perft(&game, 2, Trades::Off), 18 * 51 + 36 * 50);
/// ```
#[must_use]
pub fn perft(game: &Game, depth: u32, trades: Trades) -> u64 {
    let Some(rest) = depth.checked_sub(1) else { return 1 };
    let outcomes = game.legal_actions(trades).iter().filter_map(|action| game.outcomes(action).ok()).flatten();
    outcomes.map(|(after, _)| perft(&after, rest, trades)).sum()
}
