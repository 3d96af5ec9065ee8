//! A plain alpha-beta search as a baseline: iterative deepening, a transposition table, moves with more fish first, and
//! territory as evaluation.

use std::time::Instant;

use crate::board::{Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::baselines::Greedy;
use crate::players::bitboard::{Bitboard, hash_u64, with_bitboard};
use crate::players::eval::INFINITY;
use crate::players::geometry::{Geometry, Move, Position};
use crate::players::limit::Limit;
use crate::players::teams::Teams;
use crate::players::transposition::{Bound, Entry, TranspositionTable};
use crate::players::{Player, SearchResult};

/// The value of a fish that is caught. A fish in one's own territory counts half.
const FISH: i32 = 2;

/// The plain alpha-beta player. Places greedily.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta;

impl Player for AlphaBeta {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        if !matches!(game.phase(), Phase::Movement) {
            return Greedy.decide(game, deadline);
        }
        let limit = Limit { deadline: Some(deadline), nodes: u64::MAX };
        search(game, limit).map(|result| result.action)
    }
}

/// Searches until the limit is reached.
#[must_use]
pub fn search(game: &Game, limit: Limit) -> Option<SearchResult> {
    with_bitboard!((game.board().rows(), game.board().columns()), |B| on::<B>(game, limit))
}

fn on<B: Bitboard>(game: &Game, limit: Limit) -> Option<SearchResult> {
    let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
    let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
    let (geometry, position) = Geometry::<B>::from_board(game.board(), whole, &players);
    let table = TranspositionTable::new(1 << 18);
    let mut search = Search {
        geometry: &geometry,
        position,
        teams: Teams::new(players.len(), game.turn()),
        table: &table,
        limit,
        nodes: 0,
    };
    let mut result: Option<(Move, i32, bool)> = None;
    let mut reached = 0;
    for depth in 1..=200 {
        let Some((best, value, is_exact)) = search.root(depth, result.map(|(best, ..)| best)) else { break };
        result = Some((best, value, is_exact));
        reached = depth;
        if is_exact {
            break;
        }
    }
    let ((from, to), value, is_exact) = result?;
    let action = Action::Slide { from: geometry.place(from.into()), to: geometry.place(to.into()) };
    Some(SearchResult { action, nodes: search.nodes, depth: reached, exact: is_exact.then_some(value / FISH) })
}

struct Search<'s, B> {
    geometry: &'s Geometry<B>,
    position: Position<B>,
    teams: Teams,
    table: &'s TranspositionTable,
    limit: Limit,
    nodes: u64,
}

impl<B: Bitboard> Search<'_, B> {
    /// The best move, its value, and whether the value is proven; `None` without a move or without time.
    fn root(&mut self, depth: u8, first: Option<Move>) -> Option<(Move, i32, bool)> {
        let mut best = None;
        let mut all_exact = true;
        for step in self.moves(self.teams.max_player(), first) {
            let alpha = best.map_or(-INFINITY, |(_, value)| value);
            let Some((value, is_exact)) = self.child(self.teams.max_player(), step, depth, alpha, INFINITY) else {
                // The best move of the previous depth was searched first, so a partial result is usable if it has that
                // one.
                return first.and(best).map(|(step, value)| (step, value, false));
            };
            all_exact &= is_exact;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((step, value));
            }
        }
        best.map(|(step, value)| (step, value, all_exact))
    }

    fn child(&mut self, player: usize, (from, to): Move, depth: u8, alpha: i32, beta: i32) -> Option<(i32, bool)> {
        let gain = self.geometry.fish(to.into()) * FISH;
        self.geometry.slide(&mut self.position, player, from.into(), to.into());
        let next = self.teams.next(player);
        let value = self.next(player, next, depth - 1, alpha - gain, beta - gain, 0);
        self.geometry.slide(&mut self.position, player, from.into(), to.into());
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
        if self.teams.same_team(player, next) {
            return self.value(next, depth, alpha, beta, passed);
        }
        self.value(next, depth, -beta, -alpha, passed).map(|(value, is_exact)| (-value, is_exact))
    }

    /// The value of the position for the team to move, and whether it is proven; `None` without time.
    fn value(&mut self, player: usize, depth: u8, alpha: i32, beta: i32, passed: usize) -> Option<(i32, bool)> {
        self.nodes += 1;
        if self.limit.is_reached(self.nodes, 1024) {
            return None;
        }
        if depth == 0 {
            return Some((self.territory(player) * FISH / 2, false));
        }
        let key = self.position.key ^ hash_u64(player as u64);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && entry.depth >= depth
            && entry.cuts_off(alpha, beta)
        {
            return Some((entry.value, entry.depth == u8::MAX));
        }
        let moves = self.moves(player, known.and_then(|entry| entry.best));
        if moves.is_empty() {
            if passed + 1 == self.teams.players() {
                return Some((0, true));
            }
            return self.next(player, self.teams.next(player), depth, alpha, beta, passed + 1);
        }
        let (mut best, mut all_exact, mut raised) = (None, true, alpha);
        for step in moves {
            let (value, is_exact) = self.child(player, step, depth, raised, beta)?;
            all_exact &= is_exact;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((step, value));
            }
            raised = raised.max(value);
            if value >= beta {
                all_exact = is_exact;
                break;
            }
        }
        let (step, value) = best?;
        let depth = if all_exact { u8::MAX } else { depth };
        self.table.store(key, Entry { value, bound: Bound::of(value, alpha, beta), depth, best: Some(step) });
        Some((value, all_exact))
    }

    /// The player's moves: first the best known one, then those with more fish.
    fn moves(&self, player: usize, first: Option<Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.moves(player).collect();
        moves.sort_by_key(|&step| (first != Some(step), -self.geometry.fish(step.1.into())));
        moves
    }

    /// The difference of fish that each team reaches first, step by step.
    fn territory(&self, player: usize) -> i32 {
        let (mut ours, mut theirs) = self.teams.penguins(&self.position, player);
        let (mut free, mut fish) = (self.position.free, 0);
        while !(ours | theirs).is_empty() {
            (ours, theirs) = (ours.neighbours() & free, theirs.neighbours() & free);
            fish += self.geometry.fish_on(ours) - self.geometry.fish_on(theirs);
            free = free - (ours | theirs);
        }
        fish
    }
}
