//! Principal-variation search with a transposition table, history heuristic and late-move reductions, for two teams;
//! with more than two players, all others play against the searching player.
//!
//! A value is the difference of fish that the team to move gains from now on, in fractions of a [fish](FISH). Fish
//! already collected do not count, so transpositions share their values.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::MAX_PLAYERS;
use crate::players::bitboard::{Bitboard, hash_u64};
use crate::players::cpu::Cpu;
use crate::players::eval::{FISH, INFINITY};
use crate::players::geometry::{Geometry, Move, Position};
use crate::players::limit::Limit;
use crate::players::teams::Teams;
use crate::players::transposition::{Bound, Entry, TranspositionTable};

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootResult {
    /// The best move.
    pub best: Move,
    /// The value of the move.
    pub value: i32,
    /// Whether the value is proven: every line was searched to the end of the game.
    pub is_exact: bool,
    /// The depth in plies.
    pub depth: u8,
}

/// The number of moves that are sorted at depth 1, where the order of the rest matters little.
const LEAF_SORTED: usize = 4;

/// The depth with which proven values are stored.
const FULL_DEPTH: u8 = u8::MAX;

/// Stands for any move in a region that only one player can reach. In the search, it only passes the turn.
pub const TEMPO_MOVE: Move = (0, 0);

/// A value, and whether it is proven.
type ProvenValue = (i32, bool);

/// A search from one position.
#[derive(Debug)]
pub struct Search<'s, B> {
    geometry: &'s Geometry<B>,
    position: Position<B>,
    teams: Teams,
    /// For each player, the number of tempo moves left.
    tempo_moves: [u16; MAX_PLAYERS],
    table: TranspositionTable<'s>,
    limit: Limit,
    stop: &'s AtomicBool,
    stopped: bool,
    nodes: u64,
    /// A stack of the moves of all positions from the root to here, with their ordering scores.
    moves: Vec<(Move, i32)>,
    /// The history heuristic: a score for each player and target cell.
    history: Vec<i32>,
    /// The number of positions between two readings of the clock.
    every: u64,
    cpu: Cpu,
}

impl<'s, B: Bitboard> Search<'s, B> {
    /// Makes a search from this position.
    #[must_use]
    pub fn new(
        geometry: &'s Geometry<B>,
        position: Position<B>,
        teams: Teams,
        tempo_moves: [u16; MAX_PLAYERS],
        table: TranspositionTable<'s>,
        (limit, stop): (Limit, &'s AtomicBool),
    ) -> Self {
        Self {
            geometry,
            position,
            teams,
            tempo_moves,
            table,
            limit,
            stop,
            stopped: false,
            nodes: 0,
            moves: Vec::with_capacity(4096),
            history: vec![0; teams.players() * B::CELLS],
            every: (4096 / (B::CELLS as u64 / 64).pow(2)).max(8),
            cpu: Cpu::detect(),
        }
    }

    /// Returns the number of positions searched.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches another position on the same board at this depth, with `player` to move, and returns its value for the player's team.
    ///
    /// The value is exact within the bounds; it is `None` if the limit is reached.
    pub fn value_of(
        &mut self,
        position: &Position<B>,
        player: usize,
        depth: u8,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        self.position.clone_from(position);
        let (value, _) = self.search(player, depth.into(), alpha, beta, 0);
        (!self.stopped).then_some(value)
    }

    /// Searches by iterative deepening, until the limit is reached or the value is proven.
    ///
    /// Returns `None` if the player has no move.
    pub fn deepen(&mut self, player: usize, first_depth: u8) -> Option<RootResult> {
        let mut roots = Vec::new();
        self.generate(player);
        roots.append(&mut self.moves);
        roots.sort_by_key(|&(_, order_score)| -order_score);
        let mut found: Option<RootResult> = None;
        for depth in first_depth..=250 {
            let Some(next) = self.aspiration_search(player, depth, &mut roots, found) else { break };
            found = Some(next);
            if next.is_exact || self.stopped {
                break;
            }
        }
        found
    }

    /// Searches at this depth with an aspiration window.
    ///
    /// Sorts the moves of the root by their values.
    fn aspiration_search(
        &mut self,
        player: usize,
        depth: u8,
        roots: &mut [(Move, i32)],
        last: Option<RootResult>,
    ) -> Option<RootResult> {
        let mut window = FISH;
        let (mut alpha, mut beta) = match last {
            Some(last) if depth > 2 => (last.value - window, last.value + window),
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let found = self.root(player, depth, roots, alpha, beta)?;
            if self.stopped {
                // The partial result is usable: the best move of the previous depth was searched first.
                return (found.value > alpha).then_some(found);
            }
            if found.value <= alpha && alpha > -INFINITY {
                window *= 4;
                alpha = (found.value - window).max(-INFINITY);
            } else if found.value >= beta && beta < INFINITY {
                window *= 4;
                beta = (found.value + window).min(INFINITY);
            } else {
                return Some(found);
            }
        }
    }

    fn root(
        &mut self,
        player: usize,
        depth: u8,
        roots: &mut [(Move, i32)],
        alpha: i32,
        beta: i32,
    ) -> Option<RootResult> {
        let mut best: Option<RootResult> = None;
        let mut all_exact = true;
        let mut raised = alpha;
        for at in 0..roots.len() {
            let (step, _) = roots[at];
            let (value, is_exact) = self.child(player, step, i32::from(depth), at, raised, beta);
            if self.stopped {
                break;
            }
            all_exact &= is_exact;
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootResult { best: step, value, is_exact, depth });
                roots[..=at].rotate_right(1);
            }
            raised = raised.max(value);
            if raised >= beta {
                break;
            }
        }
        best.map(|best| RootResult { is_exact: all_exact && !self.stopped, ..best })
    }

    /// Searches a move, and returns its value. The first move is searched with the full window; later moves are first searched with a null
    /// window and at reduced depth.
    fn child(&mut self, player: usize, step: Move, depth: i32, index: usize, alpha: i32, beta: i32) -> ProvenValue {
        let gain = self.make(player, step);
        let next = self.teams.next(player);
        let mut look =
            |depth: i32, alpha: i32, beta: i32| self.other(player, next, depth, alpha - gain, beta - gain, 0);
        let valued = if index == 0 {
            look(depth - 1, alpha, beta)
        } else {
            let reduced = if depth >= 3 && index >= 3 { reduction(depth, index) } else { 0 };
            let mut valued = look(depth - 1 - reduced, alpha, alpha + 1);
            if reduced > 0 && valued.0 + gain > alpha && !valued.1 {
                valued = look(depth - 1, alpha, alpha + 1);
            }
            if valued.0 + gain > alpha && valued.0 + gain < beta && beta - alpha > 1 {
                valued = look(depth - 1, alpha, beta);
            }
            valued
        };
        self.unmake(player, step);
        (valued.0 + gain, valued.1)
    }

    /// Searches a position with `next` to move, and returns its value for the team of `player`.
    #[inline]
    fn other(&mut self, player: usize, next: usize, depth: i32, alpha: i32, beta: i32, passed: usize) -> ProvenValue {
        if self.teams.same_team(player, next) {
            self.search(next, depth, alpha, beta, passed)
        } else {
            let (value, is_exact) = self.search(next, depth, -beta, -alpha, passed);
            (-value, is_exact)
        }
    }

    fn search(&mut self, player: usize, depth: i32, alpha: i32, beta: i32, passed: usize) -> ProvenValue {
        self.nodes += 1;
        if self.limit.is_reached(self.nodes, self.every)
            || self.nodes.is_multiple_of(self.every) && self.stop.load(Ordering::Relaxed)
        {
            self.stopped = true;
        }
        if self.stopped {
            return (0, false);
        }
        if depth <= 0 {
            let (teams, geometry, position) = (self.teams, self.geometry, &self.position);
            let value = self.cpu.run(
                #[inline(always)]
                || teams.evaluate(geometry, position, player, (alpha, beta)),
            );
            return (value, false);
        }
        let key = self.key(player);
        self.table.prefetch(key);
        let first = self.moves.len();
        // The moves are generated before the probe, while the slot is loaded from memory. This work is wasted if the entry causes a cutoff.
        self.generate(player);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
            && entry.cuts_off(alpha, beta)
        {
            self.moves.truncate(first);
            return (entry.value, entry.depth == FULL_DEPTH);
        }
        if let Some(best) = known.and_then(|entry| entry.best)
            && let Some((_, order_score)) = self.moves[first..].iter_mut().find(|(step, _)| *step == best)
        {
            *order_score = i32::MAX;
        }
        if self.moves.len() == first {
            if passed + 1 >= self.teams.players() {
                return (0, true);
            }
            let next = self.teams.next(player);
            return self.other(player, next, depth, alpha, beta, passed + 1);
        }
        let valued = self.search_moves(player, depth, alpha, beta, first, key);
        self.moves.truncate(first);
        valued
    }

    /// Searches a position, and returns its value. Its moves are on the stack from index `first` on.
    fn search_moves(
        &mut self,
        player: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        first: usize,
        key: u64,
    ) -> ProvenValue {
        let mut best: Option<(i32, Move)> = None;
        let mut raised = alpha;
        // A value of at least beta is proven if the value of its move is proven. Any other value is proven if the values of all moves are
        // proven.
        let mut all_exact = true;
        for at in first..self.moves.len() {
            if depth > 1 || at - first < LEAF_SORTED {
                // Of several moves with the highest score, the first is taken.
                let most = (at..self.moves.len()).rev().max_by_key(|&other| self.moves[other].1).unwrap_or(at);
                self.moves.swap(at, most);
            }
            let (step, _) = self.moves[at];
            let (value, is_exact) = self.child(player, step, depth, at - first, raised, beta);
            if self.stopped {
                return (0, false);
            }
            all_exact &= is_exact;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, step));
            }
            if value > raised {
                raised = value;
                if value >= beta {
                    all_exact = is_exact;
                    self.update_history(player, first, at, depth);
                    break;
                }
            }
        }
        let Some((value, step)) = best else { return (0, false) };
        let bound = Bound::of(value, alpha, beta);
        let depth = if all_exact { FULL_DEPTH } else { u8::try_from(depth).unwrap_or(FULL_DEPTH - 1) };
        self.table.store(key, Entry { value, bound, depth, best: Some(step) });
        (value, all_exact)
    }

    /// Raises the history score of a move that caused a cutoff and lowers the scores of the moves before it.
    fn update_history(&mut self, player: usize, first: usize, at: usize, depth: i32) {
        for before in first..=at {
            let (_, to) = self.moves[before].0;
            let entry = &mut self.history[player * B::CELLS + usize::from(to)];
            let bonus = (depth * depth).min(400) * if before == at { 1 } else { -1 };
            *entry += bonus - *entry * bonus.abs() / 8192;
        }
    }

    /// Pushes the player's moves onto the stack.
    fn generate(&mut self, player: usize) {
        let history = &self.history[player * B::CELLS..][..B::CELLS];
        let order_score = |step: Move| {
            let to = usize::from(step.1);
            self.geometry.fish(to) * 2048 + history[to]
        };
        // The stack is moved out, so that the closure of `for_each` can push onto it: internal iteration is faster than a loop here.
        let mut moves = std::mem::take(&mut self.moves);
        self.position.moves(player).for_each(|step| moves.push((step, order_score(step))));
        self.moves = moves;
        if self.tempo_moves[player] > 0 {
            self.moves.push((TEMPO_MOVE, 0));
        }
    }

    /// Makes a move and returns the value of its fish.
    #[inline]
    fn make(&mut self, player: usize, (from, to): Move) -> i32 {
        if from == to {
            self.tempo_moves[player] -= 1;
            return 0;
        }
        self.geometry.slide(&mut self.position, player, from.into(), to.into());
        self.geometry.fish(to.into()) * self.teams.fish_value(player)
    }

    #[inline]
    fn unmake(&mut self, player: usize, (from, to): Move) {
        if from == to {
            self.tempo_moves[player] += 1;
        } else {
            self.geometry.slide(&mut self.position, player, from.into(), to.into());
        }
    }

    #[inline]
    fn key(&self, player: usize) -> u64 {
        let tempo_moves = self.tempo_moves[..self.teams.players()]
            .iter()
            .fold(0, |key: u64, &tempo_moves| key.rotate_left(12) ^ u64::from(tempo_moves));
        self.position.key ^ hash_u64(tempo_moves.rotate_left(4) ^ player as u64)
    }
}

/// Returns the late-move reduction in plies.
fn reduction(depth: i32, index: usize) -> i32 {
    (1 + (depth - 3) / 4 + i32::from(index >= 8) + i32::from(index >= 20)).min(depth - 1)
}
