//! A plain principal-variation search as a baseline: iterative deepening, a transposition table, history heuristic and late-move
//! reductions, with territory, liberties and mobility as evaluation. No endgame solver, no fitted weights, one thread.

use std::time::Instant;

use penguins::board::{MAX_PLAYERS, Number, Place};
use penguins::game::{Action, Game, Phase};
use penguins::players::baselines::Greedy;
use penguins::players::bitboard::{Bitboard, Partition, hash_u64, with_bitboard};
use penguins::players::eval::{self, INFINITY};
use penguins::players::geometry::{Geometry, Move, Position};
use penguins::players::limit::Limit;
use penguins::players::teams::Teams;
use penguins::players::transposition::{Bound, Entry, TableMemory, TranspositionTable};
use penguins::players::{Player, SearchResult};

/// The value of a fish that is caught; one unit of value is a twentieth of a fish.
const FISH: i32 = 20;
/// The value of a fish on a floe that one team reaches first by slides.
const FIRST_BY_SLIDES: i32 = 10;
/// The value of a fish on a floe that one team reaches first by steps.
const FIRST_BY_STEPS: i32 = 8;
/// The value of a free floe next to a team's penguins.
const LIBERTY: i32 = 2;
/// The value of a floe that is one slide away.
const MOBILITY: i32 = 1;

/// The plain alpha-beta player.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta;

impl Player for AlphaBeta {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        let limit = Limit { deadline: Some(deadline), nodes: u64::MAX };
        match game.phase() {
            Phase::Placement { .. } => place(game),
            Phase::Movement => search(game, limit).map(|result| result.action),
        }
        .or_else(|| Greedy.decide(game, deadline))
    }
}

/// Searches the moves until the limit is reached.
#[must_use]
pub fn search(game: &Game, limit: Limit) -> Option<SearchResult> {
    with_bitboard!((game.board().rows(), game.board().columns()), |B| {
        let (geometry, position) = cut::<B>(game);
        Search::new(game, &geometry, position, &mut TableMemory::new(limit.table_entries()), limit).deepen()
    })
}

/// Returns the placement with the best evaluation, for the player to act.
fn place(game: &Game) -> Option<Action> {
    with_bitboard!((game.board().rows(), game.board().columns()), |B| {
        let (geometry, position) = cut::<B>(game);
        let mut memory = TableMemory::new(0);
        let mut search = Search::new(game, &geometry, position, &mut memory, Limit::NONE);
        let player = search.teams.max_player();
        let sites = search.position.free & geometry.with_one_fish();
        let best = sites.iter().max_by_key(|&cell| {
            geometry.put(&mut search.position, player, cell);
            let value = search.evaluate(player);
            geometry.put(&mut search.position, player, cell);
            value
        })?;
        Some(Action::Place(geometry.place(best)))
    })
}

/// Returns the whole board as a position.
fn cut<B: Bitboard>(game: &Game) -> (Geometry<B>, Position<B>) {
    let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
    let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
    Geometry::from_board(game.board(), whole, &players)
}

/// A value, and whether it is proven.
type ProvenValue = (i32, bool);

struct Search<'s, B> {
    geometry: &'s Geometry<B>,
    position: Position<B>,
    teams: Teams,
    table: TranspositionTable<'s>,
    limit: Limit,
    nodes: u64,
    /// The history heuristic: a score for each player and target cell.
    history: Vec<i32>,
}

impl<'s, B: Bitboard> Search<'s, B> {
    fn new(
        game: &Game,
        geometry: &'s Geometry<B>,
        position: Position<B>,
        memory: &'s mut TableMemory,
        limit: Limit,
    ) -> Self {
        Self {
            geometry,
            position,
            teams: Teams::new(game.seats().len(), game.turn()),
            table: memory.table(),
            limit,
            nodes: 0,
            history: vec![0; MAX_PLAYERS * B::CELLS],
        }
    }

    /// Searches by iterative deepening.
    fn deepen(&mut self) -> Option<SearchResult> {
        let mut result: Option<(Move, ProvenValue)> = None;
        let mut reached = 0;
        for depth in 1..=200 {
            let Some(best) = self.root(depth, result.map(|(best, _)| best)) else { break };
            result = Some(best);
            reached = depth;
            if best.1.1 {
                break;
            }
        }
        let ((from, to), (value, is_exact)) = result?;
        let action = Action::Slide { from: self.geometry.place(from.into()), to: self.geometry.place(to.into()) };
        let exact = is_exact.then_some(value / FISH);
        let value = value * eval::FISH / FISH;
        Some(SearchResult { action, nodes: self.nodes, depth: reached, value, exact })
    }

    /// Searches for the best move and its value; `None` if there is no move, or no time to search the first one.
    fn root(&mut self, depth: u8, first: Option<Move>) -> Option<(Move, ProvenValue)> {
        let player = self.teams.max_player();
        let mut best: Option<(Move, ProvenValue)> = None;
        let mut all_exact = true;
        for (index, step) in self.moves(player, first).into_iter().enumerate() {
            let alpha = best.map_or(-INFINITY, |(_, (value, _))| value);
            let Some((value, is_exact)) = self.child(player, step, depth, index, alpha, INFINITY) else {
                // The best move of the previous depth was searched first, so a partial result is usable.
                all_exact = false;
                break;
            };
            all_exact &= is_exact;
            if value > alpha {
                best = Some((step, (value, false)));
            }
        }
        best.map(|(step, (value, _))| (step, (value, all_exact)))
    }

    /// Searches for the value of a move. The first move is searched with the full window; later moves are first searched with a null
    /// window, and the last of them with a reduced depth.
    fn child(
        &mut self,
        player: usize,
        (from, to): Move,
        depth: u8,
        index: usize,
        alpha: i32,
        beta: i32,
    ) -> Option<ProvenValue> {
        let gain = self.geometry.fish(to.into()) * FISH;
        self.geometry.slide(&mut self.position, player, from.into(), to.into());
        let mut look = |depth: u8, alpha: i32, beta: i32| {
            let (value, is_exact) = self.next(player, depth, alpha - gain, beta - gain, 0)?;
            Some((value + gain, is_exact))
        };
        let reduced = if depth >= 3 && index >= 4 { 1 + u8::from(depth >= 5 && index >= 12) } else { 0 };
        let mut valued = look(depth - 1 - reduced, alpha, if index == 0 { beta } else { alpha + 1 });
        if index > 0
            && valued.is_some_and(|(value, is_exact)| value > alpha && (reduced > 0 && !is_exact || value < beta))
        {
            valued = look(depth - 1, alpha, beta);
        }
        self.geometry.slide(&mut self.position, player, from.into(), to.into());
        valued
    }

    /// Searches for the value of the position for the team of `player`. The next player is to move.
    fn next(&mut self, player: usize, depth: u8, alpha: i32, beta: i32, passed: usize) -> Option<ProvenValue> {
        let next = self.teams.next(player);
        if self.teams.same_team(player, next) {
            return self.value(next, depth, alpha, beta, passed);
        }
        self.value(next, depth, -beta, -alpha, passed).map(|(value, is_exact)| (-value, is_exact))
    }

    /// Searches for the value of the position for the team of the player to move; `None` when the limit is reached.
    fn value(&mut self, player: usize, depth: u8, alpha: i32, beta: i32, passed: usize) -> Option<ProvenValue> {
        self.nodes += 1;
        if self.limit.is_reached(self.nodes, 256) {
            return None;
        }
        if depth == 0 {
            return Some((self.evaluate(player), false));
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
            return self.next(player, depth, alpha, beta, passed + 1);
        }
        let (mut best, mut all_exact, mut raised) = (None, true, alpha);
        for (index, step) in moves.into_iter().enumerate() {
            let (value, is_exact) = self.child(player, step, depth, index, raised, beta)?;
            all_exact &= is_exact;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((step, value));
            }
            raised = raised.max(value);
            if value >= beta {
                all_exact = is_exact;
                let entry = &mut self.history[player * B::CELLS + usize::from(step.1)];
                *entry = (*entry + i32::from(depth).pow(2)).min(1 << 20);
                break;
            }
        }
        let (step, value) = best?;
        let depth = if all_exact { u8::MAX } else { depth };
        self.table.store(key, Entry { value, bound: Bound::of(value, alpha, beta), depth, best: Some(step) });
        Some((value, all_exact))
    }

    /// Returns the player's moves in the order of the search: the best known move first, then by fish and history.
    fn moves(&self, player: usize, first: Option<Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.moves(player).collect();
        let history = &self.history[player * B::CELLS..];
        let order_score = |to: u16| 1000 * self.geometry.fish(to.into()) + history[usize::from(to)];
        moves.sort_by_cached_key(|&step| (first != Some(step), -order_score(step.1)));
        moves
    }

    /// Returns the evaluation for the team of the player to move.
    fn evaluate(&self, player: usize) -> i32 {
        let (ours, theirs) = self.teams.penguins(&self.position, player);
        let free = self.position.free;
        let liberties = [ours, theirs].map(|penguins| penguins.neighbours() & free);
        let targets = [ours, theirs].map(|penguins| penguins.slide_targets(free));
        let fish = |Partition { ours, theirs }| self.geometry.fish_on(ours) - self.geometry.fish_on(theirs);
        let floes = |[ours, theirs]: [B; 2]| ours.count().cast_signed() - theirs.count().cast_signed();
        FIRST_BY_SLIDES * fish(Partition::by(targets, free, |from| from.slide_targets(free)))
            + FIRST_BY_STEPS * fish(Partition::by(liberties, free, B::neighbours))
            + LIBERTY * floes(liberties)
            + MOBILITY * floes(targets)
    }
}
