//! The strongest player.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::board::{MOST_PLAYERS, Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::Player;
use crate::players::bits::{Bits, with_bits};
use crate::players::ice::{Ice, bounds};
use crate::players::placement::Placing;
use crate::players::search::{Limit, Search};
use crate::players::sides::Sides;
use crate::players::table::Table;

/// The strongest player.
#[derive(Clone, Copy, Debug)]
pub struct Best;

impl Player for Best {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        // Nothing is to be decided where there is no choice.
        if let [only] = game.actions()[..] {
            return Some(only);
        }
        think(game, Limit { deadline: Some(deadline), nodes: u64::MAX }).map(|thought| thought.action)
    }
}

/// What it came to.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// What it does.
    pub action: Action,
    /// How many positions it looked at.
    pub nodes: u64,
    /// How deep.
    pub depth: u8,
    /// How many fish more it will have from now on, if it looked at everything.
    pub exact: Option<i32>,
}

/// Thinks until the limit is reached.
#[must_use]
pub fn think(game: &Game, limit: Limit) -> Option<Thought> {
    let board = game.board();
    let cut = bounds(board, |place| board.get(place) != crate::board::Field::Water)?;
    with_bits!(cut.1 * cut.2, |B| on::<B>(game, cut, limit))
}

fn on<B: Bits>(game: &Game, cut: (Place, usize, usize), limit: Limit) -> Option<Thought> {
    let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
    let (ice, position) = Ice::<B>::cut(game.board(), cut, &players);
    let table = Table::new(1 << 20);
    let stop = AtomicBool::new(false);
    let sides = Sides::new(players.len(), game.turn());
    if let Phase::Placement { penguins } = game.phase() {
        let left = std::array::from_fn(|seat| penguins.saturating_sub(position.penguins[seat].count() as usize));
        let mut placing = Placing::new(&ice, position, sides, left, limit);
        let (cell, depth) = placing.decide()?;
        return Some(Thought { action: Action::Place(ice.place(cell)), nodes: placing.nodes(), depth, exact: None });
    }
    let mut search = Search::new(&ice, position, sides, [0; MOST_PLAYERS], &table, (limit, &stop));
    let found = search.deepen(game.turn(), 1, |_| ())?;
    let (from, to) = found.best;
    Some(Thought {
        action: Action::Slide { from: ice.place(from.into()), to: ice.place(to.into()) },
        nodes: search.nodes(),
        depth: found.depth,
        exact: found.is_exact.then_some(found.value / crate::players::territory::FISH),
    })
}
