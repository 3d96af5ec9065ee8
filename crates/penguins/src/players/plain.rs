//! The yardstick: a plain alpha-beta search, as somebody writes it in an afternoon. Iterative deepening, a transposition table,
//! moves with more fish first, and fish and territory at the end.

use std::time::Instant;

use crate::board::{Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::bits::{Bits, mixed, with_bits};
use crate::players::ice::{Ice, Move, Position};
use crate::players::search::Limit;
use crate::players::sides::Sides;
use crate::players::simple::Greedy;
use crate::players::table::{Bound, Entry, Table};
use crate::players::{Player, Thought};

/// What a fish counts that is caught; one that is only nearer counts half.
const FISH: i32 = 2;

/// Higher than any value.
const INFINITE: i32 = 1 << 22;

/// The plain alpha-beta player. It places greedily.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Player for Plain {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        if !matches!(game.phase(), Phase::Movement) {
            return Greedy.decide(game, deadline);
        }
        let limit = Limit { deadline: Some(deadline), nodes: u64::MAX };
        think(game, limit).map(|thought| thought.action)
    }
}

/// Thinks until the limit is reached.
#[must_use]
pub fn think(game: &Game, limit: Limit) -> Option<Thought> {
    with_bits!((game.board().rows(), game.board().columns()), |B| on::<B>(game, limit))
}

fn on<B: Bits>(game: &Game, limit: Limit) -> Option<Thought> {
    let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
    let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
    let (ice, position) = Ice::<B>::cut(game.board(), whole, &players);
    let table = Table::new(1 << 18);
    let mut search =
        Search { ice: &ice, position, sides: Sides::new(players.len(), game.turn()), table: &table, limit, nodes: 0 };
    let mut thought: Option<(Move, i32, bool)> = None;
    let mut reached = 0;
    for depth in 1..=200 {
        let Some((best, value, is_exact)) = search.root(depth, thought.map(|(best, ..)| best)) else { break };
        thought = Some((best, value, is_exact));
        reached = depth;
        if is_exact {
            break;
        }
    }
    let ((from, to), value, is_exact) = thought?;
    let action = Action::Slide { from: ice.place(from.into()), to: ice.place(to.into()) };
    Some(Thought { action, nodes: search.nodes, depth: reached, exact: is_exact.then_some(value / FISH) })
}

struct Search<'s, B> {
    ice: &'s Ice<B>,
    position: Position<B>,
    sides: Sides,
    table: &'s Table,
    limit: Limit,
    nodes: u64,
}

impl<B: Bits> Search<'_, B> {
    /// The best move, what it is worth, and whether that is certain; nothing when there is no move or no time.
    fn root(&mut self, depth: u8, first: Option<Move>) -> Option<(Move, i32, bool)> {
        let mut best = None;
        let mut is_certain = true;
        for step in self.moves(self.sides.hero(), first) {
            let alpha = best.map_or(-INFINITE, |(_, value)| value);
            let Some((value, is_exact)) = self.child(self.sides.hero(), step, depth, alpha, INFINITE) else {
                // Without the first move there is nothing to compare with; the best one so far is no worse than it.
                return first.and(best).map(|(step, value)| (step, value, false));
            };
            is_certain &= is_exact;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((step, value));
            }
        }
        best.map(|(step, value)| (step, value, is_certain))
    }

    fn child(&mut self, player: usize, (from, to): Move, depth: u8, alpha: i32, beta: i32) -> Option<(i32, bool)> {
        let gain = self.ice.fish(to.into()) * FISH;
        self.ice.slide(&mut self.position, player, from.into(), to.into());
        let next = self.sides.next(player);
        let value = self.next(player, next, depth - 1, alpha - gain, beta - gain, 0);
        self.ice.slide(&mut self.position, player, from.into(), to.into());
        value.map(|(value, is_exact)| (value + gain, is_exact))
    }

    fn next(
        &mut self,
        player: usize,
        next: usize,
        depth: u8,
        alpha: i32,
        beta: i32,
        passed: usize,
    ) -> Option<(i32, bool)> {
        if self.sides.is_with(player, next) {
            return self.value(next, depth, alpha, beta, passed);
        }
        self.value(next, depth, -beta, -alpha, passed).map(|(value, is_exact)| (-value, is_exact))
    }

    /// The value of the position for the side that is to move, and whether it is certain; nothing when there is no time.
    fn value(&mut self, player: usize, depth: u8, mut alpha: i32, beta: i32, passed: usize) -> Option<(i32, bool)> {
        self.nodes += 1;
        if self.limit.is_reached(self.nodes, 1024) {
            return None;
        }
        if depth == 0 {
            return Some((self.territory(player) * FISH / 2, false));
        }
        let key = self.position.key ^ mixed(player as u64);
        let known = self.table.get(key);
        if let Some(Entry { value, bound, depth: seen, .. }) = known
            && seen >= depth
            && (bound == Bound::Exact
                || bound == Bound::Least && value >= beta
                || bound == Bound::Most && value <= alpha)
        {
            return Some((value, seen == u8::MAX));
        }
        let moves = self.moves(player, known.and_then(|entry| entry.best));
        if moves.is_empty() {
            if passed + 1 == self.sides.players() {
                return Some((0, true));
            }
            return self.next(player, self.sides.next(player), depth, alpha, beta, passed + 1);
        }
        let (mut best, mut is_certain, mut bound) = (None, true, Bound::Most);
        for step in moves {
            let (value, is_exact) = self.child(player, step, depth, alpha, beta)?;
            is_certain &= is_exact;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((step, value));
            }
            if value > alpha {
                (alpha, bound) = (value, Bound::Exact);
            }
            if value >= beta {
                (is_certain, bound) = (is_exact, Bound::Least);
                break;
            }
        }
        let (step, value) = best?;
        let depth = if is_certain { u8::MAX } else { depth };
        self.table.set(key, Entry { value, bound, depth, best: Some(step) });
        Some((value, is_certain))
    }

    /// The player's moves: the one that is best as far as is known, then those with more fish first.
    fn moves(&self, player: usize, first: Option<Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.moves(player).collect();
        moves.sort_by_key(|&step| (first != Some(step), -self.ice.fish(step.1.into())));
        moves
    }

    /// How many fish more than the other one side comes to first, step by step.
    fn territory(&self, player: usize) -> i32 {
        let (mut ours, mut theirs) = self.sides.penguins(&self.position, player);
        let (mut free, mut fish) = (self.position.free, 0);
        while !(ours | theirs).is_empty() {
            (ours, theirs) = (ours.beside() & free, theirs.beside() & free);
            fish += self.ice.fish_on(ours) - self.ice.fish_on(theirs);
            free = free - (ours | theirs);
        }
        fish
    }
}
