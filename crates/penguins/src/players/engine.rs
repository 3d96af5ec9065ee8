//! The strongest player. It solves solo regions and endgames of two players exactly, and otherwise searches within its time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Field, MAX_PLAYERS, Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::baselines::Greedy;
use crate::players::bitboard::{Bitboard, with_bitboard};
use crate::players::endgame::{EndgameResult, EndgameSolver, Regions, split_regions};
use crate::players::eval::FISH;
use crate::players::geometry::{Geometry, Move, Position, bounds};
use crate::players::limit::Limit;
use crate::players::placement::PlacementSearch;
use crate::players::pvs::{RootResult, Search, TEMPO_MOVE};
use crate::players::solo::SoloSolver;
use crate::players::teams::Teams;
use crate::players::transposition::{TableMemory, TranspositionTable};
use crate::players::{Player, SearchResult};

/// The strongest player.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// The number of search threads, at least 1.
    pub threads: usize,
}

impl Player for Engine {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        // A forced action needs no search.
        match game.actions()[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        let limit = Limit { deadline: Some(deadline), nodes: u64::MAX };
        let result = search(game, limit, self.threads);
        // Without time to search, any sensible action will do.
        result.map(|result| result.action).or_else(|| Greedy.decide(game, deadline))
    }
}

/// Searches until the limit is reached or the value is proven.
#[must_use]
pub fn search(game: &Game, limit: Limit, threads: usize) -> Option<SearchResult> {
    let board = game.board();
    let is_ice = |place: Place| board.get(place) != Field::Water;
    let cut = bounds(board, is_ice)?;
    with_bitboard!((cut.1, cut.2), |B| Decision::<B>::new(game, cut, limit, threads).decide())
}

/// The maximum number of positions that are searched to solve a solo region before the search.
const SOLO_NODES: u64 = 20_000;

/// The maximum number of floes of an endgame that the engine tries to solve.
const MAX_FLOES: u32 = 44;

/// The minimum time left for a search on several threads.
const MIN_PARALLEL: Duration = Duration::from_millis(40);

/// The limits of a first search, which decides simple positions at once: the maximum number of positions, and the maximum number of table
/// entries.
const FIRST_NODES: u64 = 8000;
const FIRST_ENTRIES: usize = 1 << 16;

/// One decision of the engine.
struct Decision<B> {
    geometry: Geometry<B>,
    position: Position<B>,
    teams: Teams,
    phase: Phase,
    limit: Limit,
    threads: usize,
}

impl<B: Bitboard> Decision<B> {
    fn new(game: &Game, cut: (Place, usize, usize), limit: Limit, threads: usize) -> Self {
        let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
        let (geometry, position) = Geometry::from_board(game.board(), cut, &players);
        Self { geometry, position, teams: Teams::new(players.len(), game.turn()), phase: game.phase(), limit, threads }
    }

    fn decide(&self) -> Option<SearchResult> {
        match self.phase {
            Phase::Placement { penguins } => {
                let placed = |seat: usize| self.position.penguins[seat].count() as usize;
                let left = std::array::from_fn(|seat| penguins.saturating_sub(placed(seat)));
                let mut memory = TableMemory::new(self.limit.table_entries());
                let (table, stop) = (memory.table(), AtomicBool::new(false));
                let mut placing = PlacementSearch::new(
                    &self.geometry,
                    self.position.clone(),
                    self.teams,
                    left,
                    table,
                    (self.limit, &stop),
                );
                let (cell, value, depth) = placing.decide()?;
                let action = Action::Place(self.geometry.place(cell));
                Some(SearchResult { action, nodes: placing.nodes(), depth, value, exact: None })
            }
            Phase::Movement => self.search_moves(),
        }
    }

    fn slide(&self, (from, to): Move) -> Action {
        Action::Slide { from: self.geometry.place(from.into()), to: self.geometry.place(to.into()) }
    }

    fn search_moves(&self) -> Option<SearchResult> {
        let (ours, theirs) = self.teams.penguins(&self.position, self.teams.max_player());
        let parts = split_regions(self.position.free, [ours, theirs]);
        let mut solo = SoloSolver::new(&self.geometry, self.limit);
        if parts.penguins[0].is_empty() {
            return self.solve_solo(&parts, &mut solo);
        }
        // The contested part, and the tempo moves of each side.
        let mut position = self.position.clone();
        let mut tempo_moves = [0; MAX_PLAYERS];
        let mut solo_fish = 0;
        for (player, free, penguins) in self.isolated(&parts) {
            position.free = position.free - free;
            position.penguins[player] = position.penguins[player] - penguins;
            let isolated = solo.solve(free, penguins, SOLO_NODES);
            tempo_moves[player] += isolated.moves;
            solo_fish += if player == self.teams.max_player() { isolated.fish } else { -isolated.fish };
        }
        position.key = self.geometry.key_of(position.free, &position.penguins[..self.teams.players()]);
        // Simple positions are decided at once, in a small table.
        let mut first_memory = TableMemory::new(self.limit.table_entries().min(FIRST_ENTRIES));
        let mut memory;
        let mut table = first_memory.table();
        let floes = (ours | theirs).flood_fill(self.position.free).count();
        let is_an_end = self.teams.players() == 2 && floes <= MAX_FLOES;
        let first_nodes = if is_an_end { FIRST_NODES } else { FIRST_NODES / 16 };
        let first = Limit { nodes: self.limit.nodes.min(first_nodes), ..self.limit };
        let (mut found, mut nodes) = self.parallel_search(&position, tempo_moves, table, first, 1)?;
        nodes += solo.nodes();
        let mut end = if is_an_end { self.end(table, first, found.value, &mut nodes) } else { None };
        if end.is_none() && !found.is_exact {
            if self.limit.table_entries() > FIRST_ENTRIES {
                memory = TableMemory::new(self.limit.table_entries());
                table = memory.table();
            }
            if is_an_end {
                end = self.end(table, self.part_of_time(floes), found.value, &mut nodes);
            }
            if end.is_none()
                && let Some((deeper, looked)) =
                    self.parallel_search(&position, tempo_moves, table, self.limit, self.threads)
            {
                (found, nodes) = (deeper, nodes + looked);
            }
        }
        let is_exact = found.is_exact && self.teams.players() == 2 && parts.isolated.iter().all(Vec::is_empty);
        let value = found.value + solo_fish * FISH;
        let (best, depth, value, exact) = match end {
            Some(end) => (end.best, u8::MAX, end.value * FISH, Some(end.value)),
            None => (found.best, found.depth, value, is_exact.then_some(found.value / FISH)),
        };
        let best = if best == TEMPO_MOVE { Self::solo_move(&parts, &mut solo)? } else { best };
        Some(SearchResult { action: self.slide(best), nodes, depth, value, exact })
    }

    /// Returns the exact result of an endgame of two players; `None` if it is not found within the limit.
    fn end(&self, table: TranspositionTable<'_>, limit: Limit, value: i32, nodes: &mut u64) -> Option<EndgameResult> {
        let (ours, theirs) = self.teams.penguins(&self.position, self.teams.max_player());
        let mut solver = EndgameSolver::new(&self.geometry, table, limit);
        let end = solver.solve(self.position.free, [ours, theirs], value / FISH);
        *nodes += solver.nodes();
        end.filter(|end| end.is_exact)
    }

    /// Returns the solo regions: for each region, its player, its floes and its penguins.
    ///
    /// If there are several opponents, their regions are left out, since it is not known which opponent a region belongs to.
    fn isolated<'p>(&self, parts: &'p Regions<B>) -> impl Iterator<Item = (usize, B, B)> + 'p {
        let (max_player, is_two) = (self.teams.max_player(), self.teams.players() == 2);
        let theirs = parts.isolated[1]
            .iter()
            .filter(move |_| is_two)
            .map(move |&(free, penguins)| (1 - max_player, free, penguins));
        parts.isolated[0].iter().map(move |&(free, penguins)| (max_player, free, penguins)).chain(theirs)
    }

    /// Returns the limit for solving the endgame: a share of the time, after which the engine falls back to the search.
    fn part_of_time(&self, floes: u32) -> Limit {
        let now = Instant::now();
        let has_time = self.limit.deadline.is_none_or(|end| end.saturating_duration_since(now) > MIN_PARALLEL * 4);
        let parts = match floes {
            0..=28 => 9,
            29..=34 if has_time => 9,
            35..=38 if has_time => 5,
            29..=34 => 4,
            35..=38 => 2,
            _ => 1,
        };
        let deadline = self.limit.deadline.map(|end| now + end.saturating_duration_since(now) * parts / 10);
        Limit { deadline, nodes: self.limit.nodes / 10 * u64::from(parts) }
    }

    /// Searches on all threads (lazy SMP).
    ///
    /// Returns the result and the number of positions.
    fn parallel_search(
        &self,
        position: &Position<B>,
        tempo_moves: [u16; MAX_PLAYERS],
        table: TranspositionTable<'_>,
        limit: Limit,
        threads: usize,
    ) -> Option<(RootResult, u64)> {
        let stop = AtomicBool::new(false);
        let max_player = self.teams.max_player();
        let teams = self.teams.with_density(position.free.count(), position.count());
        let new = |limit| Search::new(&self.geometry, position.clone(), teams, tempo_moves, table, (limit, &stop));
        // Helper threads stop earlier, as the system may schedule them late.
        let left = limit.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let threads = if left < MIN_PARALLEL { 1 } else { threads };
        let reserve = (left / 40).max(MIN_PARALLEL / 4);
        let earlier = Limit { deadline: limit.deadline.and_then(|end| end.checked_sub(reserve)), ..limit };
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .filter_map(|helper| {
                    let mut search = new(earlier);
                    let first = if helper % 2 == 0 { 1 } else { 2 };
                    let look = move || {
                        search.deepen(max_player, first);
                        search.nodes()
                    };
                    // If a thread cannot be spawned, the search continues without it.
                    thread::Builder::new().spawn_scoped(scope, look).ok()
                })
                .collect();
            let mut search = new(limit);
            let found = search.deepen(max_player, 1);
            stop.store(true, Ordering::Relaxed);
            let helped: u64 = helpers.into_iter().filter_map(|helper| helper.join().ok()).sum();
            found.map(|found| (found, search.nodes() + helped))
        })
    }

    /// Returns a move in a solo region: the first move of the best known path.
    fn solo_move(parts: &Regions<B>, solo: &mut SoloSolver<'_, B>) -> Option<Move> {
        let &(free, penguins) = parts.isolated[0].first()?;
        let fish = solo.solve(free, penguins, SOLO_NODES).fish;
        let step = solo.first_move(free, penguins, fish);
        let (from, to) = step.or_else(|| {
            let from = penguins.iter().find(|&from| free.rays(from).next().is_some())?;
            Some((from, free.rays(from).next()?))
        })?;
        Some((u16::try_from(from).ok()?, u16::try_from(to).ok()?))
    }

    /// Returns the decision in a position without contested floes, where the opponents do not matter.
    fn solve_solo(&self, parts: &Regions<B>, solo: &mut SoloSolver<'_, B>) -> Option<SearchResult> {
        let mut sum = 0;
        let mut all_exact = self.teams.players() == 2 && parts.penguins[1].is_empty();
        for (side, pieces) in parts.isolated.iter().enumerate() {
            for &(free, penguins) in pieces {
                let isolated = solo.solve(free, penguins, if side == 0 { u64::MAX } else { SOLO_NODES });
                all_exact &= isolated.fish == isolated.max_fish;
                sum += if side == 0 { isolated.fish } else { -isolated.fish };
            }
        }
        let action = self.slide(Self::solo_move(parts, solo)?);
        let exact = all_exact.then_some(sum);
        Some(SearchResult { action, nodes: solo.nodes(), depth: u8::MAX, value: sum * FISH, exact })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use constructor_common::rng::{below, from_seed, shuffle};

    use super::*;
    use crate::board::{Board, Number};
    use crate::game::Seat;

    /// Returns the difference of fish from now on for the player to act, by exhaustive search.
    fn exhaustive_search(game: &Game, tried: &mut HashMap<(Board, usize), i64>) -> i64 {
        let key = (game.board().clone(), game.turn());
        if let Some(&value) = tried.get(&key) {
            return value;
        }
        let value = if game.is_over() {
            0
        } else if game.can_act(game.turn()) {
            let after = |action| {
                let mut next = game.clone();
                let fish = next.act(action).unwrap();
                i64::from(fish) - exhaustive_search(&next, tried)
            };
            game.actions().into_iter().map(after).max().unwrap()
        } else {
            let mut next = game.clone();
            next.pass();
            -exhaustive_search(&next, tried)
        };
        tried.insert(key, value);
        value
    }

    #[test]
    fn search_handles_large_solo_regions() {
        for (rows, columns) in [(1, 100), (100, 1), (10, 65), (33, 33), (100, 100)] {
            let mut board = Board::new(rows, columns).unwrap();
            let players = [1, 2].map(|number| Number::new(number).unwrap());
            let places: Vec<Place> = board.places().collect();
            for &place in &places {
                board.set(place, Field::Floe(1 + place.column % 3));
            }
            board.set(places[0], Field::Penguin(players[0]));
            let mut game = Game::new(board, Seat::first(2), Phase::Movement, 0);
            let limit = Limit { deadline: Some(Instant::now() + Duration::from_millis(10)), nodes: u64::MAX };
            let result = search(&game, limit, 1).unwrap();
            assert!(result.exact.is_none_or(|exact| rows.min(columns) == 1 && exact > 0), "{rows} x {columns}");
            assert!(game.act(result.action).is_ok());
        }
    }

    #[test]
    fn search_equals_exhaustive_search_on_small_positions() {
        let random = &mut from_seed(5);
        let (mut seen, mut certain) = (0, 0);
        for at in 0..1500 {
            let (rows, columns) = [(3, 4), (2, 6), (4, 4), (1, 9), (3, 5)][at % 5];
            let mut board = Board::new(rows, columns).unwrap();
            let mut places: Vec<Place> = board.places().collect();
            shuffle(random, &mut places);
            let floes = 5 + below(random, 6) as usize;
            let players = [1, 2].map(|number| Number::new(number).unwrap());
            for (at, &place) in places.iter().enumerate().take(floes) {
                let fish = [1, 1, 2, 3][below(random, 4) as usize];
                board.set(place, if at < 4 { Field::Penguin(players[at % 2]) } else { Field::Floe(fish) });
            }
            let game = Game::new(board, Seat::first(2), Phase::Movement, 0);
            if !game.can_act(0) {
                continue;
            }
            let result = search(&game, Limit::NONE, 1).unwrap();
            let value = exhaustive_search(&game, &mut HashMap::new());
            let mut next = game.clone();
            let fish = next.act(result.action).unwrap();
            let attained = i64::from(fish) - exhaustive_search(&next, &mut HashMap::new());
            seen += 1;
            if let Some(exact) = result.exact {
                certain += 1;
                assert_eq!(
                    (i64::from(exact), attained),
                    (value, value),
                    "{at}: {}",
                    crate::app::terminal::drawing(game.board())
                );
            }
        }
        assert!(seen > 1000, "{seen}");
        assert_eq!(certain, seen);
    }
}
