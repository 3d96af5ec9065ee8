//! The strongest player: what it alone can reach is solved by itself, the end of a game of two is looked at to its very end, and
//! before that it looks ahead as far as its time goes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Field, MOST_PLAYERS, Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::bits::{Bits, with_bits};
use crate::players::ice::{Ice, Move, Position, bounds};
use crate::players::lone;
use crate::players::placement::Placing;
use crate::players::search::{ELSEWHERE, Found, Limit, Search};
use crate::players::sides::Sides;
use crate::players::simple::Greedy;
use crate::players::solve::{self, Solved, Split, split};
use crate::players::table::Table;
use crate::players::territory::FISH;
use crate::players::{Player, Thought};

/// The strongest player.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// How many threads look ahead at once, at least one.
    pub threads: usize,
}

impl Player for Best {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        // Nothing is to be decided where there is no choice.
        match game.actions()[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        let limit = Limit { deadline: Some(deadline), nodes: u64::MAX };
        let thought = think(game, limit, self.threads);
        // Where there is no time to think, there is still something to do.
        thought.map(|thought| thought.action).or_else(|| Greedy.decide(game, deadline))
    }
}

/// Thinks until the limit is reached, or everything is known.
#[must_use]
pub fn think(game: &Game, limit: Limit, threads: usize) -> Option<Thought> {
    let board = game.board();
    let is_ice = |place: Place| board.get(place) != Field::Water;
    let cut = bounds(board, is_ice)?;
    with_bits!((cut.1, cut.2), |B| Thinking::<B>::new(game, cut, limit, threads).think())
}

/// How many positions are looked at for the floes of a lone player before the rest is looked at.
const GLANCE: u64 = 20_000;

/// More floes than this are not looked at to the end.
const MOST_FLOES: u32 = 44;

/// Less time than this is not worth sharing among threads.
const LEAST_SHARED: Duration = Duration::from_millis(40);

/// How many positions are looked at, and remembered, before it is known that there is something to think about.
const FIRST_NODES: u64 = 8000;
const FIRST_KNOWN: usize = 1 << 16;

/// The most positions that are remembered, of 16 bytes each.
const MOST_KNOWN: u64 = 1 << 22;

/// How many positions are worth remembering for each millisecond.
const EACH_MILLISECOND: u64 = 1 << 12;

/// One decision.
struct Thinking<B> {
    ice: Ice<B>,
    position: Position<B>,
    sides: Sides,
    phase: Phase,
    limit: Limit,
    threads: usize,
}

impl<B: Bits> Thinking<B> {
    fn new(game: &Game, cut: (Place, usize, usize), limit: Limit, threads: usize) -> Self {
        let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
        let (ice, position) = Ice::cut(game.board(), cut, &players);
        Self { ice, position, sides: Sides::new(players.len(), game.turn()), phase: game.phase(), limit, threads }
    }

    fn think(&self) -> Option<Thought> {
        match self.phase {
            Phase::Placement { penguins } => {
                let placed = |seat: usize| self.position.penguins[seat].count() as usize;
                let left = std::array::from_fn(|seat| penguins.saturating_sub(placed(seat)));
                let mut placing = Placing::new(&self.ice, self.position.clone(), self.sides, left, self.limit);
                let (cell, depth) = placing.decide()?;
                let action = Action::Place(self.ice.place(cell));
                Some(Thought { action, nodes: placing.nodes(), depth, exact: None })
            }
            Phase::Movement => self.think_of_moves(),
        }
    }

    fn slide(&self, (from, to): Move) -> Action {
        Action::Slide { from: self.ice.place(from.into()), to: self.ice.place(to.into()) }
    }

    /// How many positions can be worth remembering in the time that is left.
    fn table_size(&self) -> usize {
        let time = self.limit.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let positions = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(EACH_MILLISECOND);
        let most = positions.min(self.limit.nodes).clamp(1 << 12, MOST_KNOWN);
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    fn think_of_moves(&self) -> Option<Thought> {
        let (ours, theirs) = self.sides.penguins(&self.position, self.sides.hero());
        let parts = split(self.position.free, [ours, theirs]);
        let mut lone = lone::Solver::new(&self.ice, self.limit);
        if parts.penguins[0].is_empty() {
            return self.think_alone(&parts, &mut lone);
        }
        // What is fought for, and how many moves each side has where the other cannot come.
        let mut position = self.position.clone();
        let mut spare = [0; MOST_PLAYERS];
        for (player, free, penguins) in self.alone(&parts) {
            position.free = position.free - free;
            position.penguins[player] = position.penguins[player] - penguins;
            spare[player] += lone.solve(free, penguins, GLANCE).moves;
        }
        position.key = self.ice.key_of(position.free, &position.penguins[..self.sides.players()]);
        // What is simple is decided at once, in a small table.
        let mut table = Table::new(self.table_size().min(FIRST_KNOWN));
        let floes = (ours | theirs).reach(self.position.free).count();
        let is_an_end = self.sides.players() == 2 && floes <= MOST_FLOES;
        let first_nodes = if is_an_end { FIRST_NODES } else { FIRST_NODES / 16 };
        let first = Limit { nodes: self.limit.nodes.min(first_nodes), ..self.limit };
        let (mut found, mut nodes) = self.search(&position, spare, &table, first, 1)?;
        nodes += lone.nodes();
        let mut end = if is_an_end { self.end(&table, first, found.value, &mut nodes) } else { None };
        if end.is_none() && !found.is_exact {
            if self.table_size() > FIRST_KNOWN {
                table = Table::new(self.table_size());
            }
            if is_an_end {
                end = self.end(&table, self.part_of_time(floes), found.value, &mut nodes);
            }
            if end.is_none()
                && let Some((deeper, looked)) = self.search(&position, spare, &table, self.limit, self.threads)
            {
                (found, nodes) = (deeper, nodes + looked);
            }
        }
        let is_exact = found.is_exact && self.sides.players() == 2 && parts.alone.iter().all(Vec::is_empty);
        let (best, depth, exact) = match end {
            Some(end) => (end.best, u8::MAX, Some(end.value)),
            None => (found.best, found.depth, is_exact.then_some(found.value / FISH)),
        };
        let best = if best == ELSEWHERE { Self::elsewhere(&parts, &mut lone)? } else { best };
        Some(Thought { action: self.slide(best), nodes, depth, exact })
    }

    /// The end of a game of two, if it is known for certain before the limit.
    fn end(&self, table: &Table, limit: Limit, value: i32, nodes: &mut u64) -> Option<Solved> {
        let (ours, theirs) = self.sides.penguins(&self.position, self.sides.hero());
        let mut solver = solve::Solver::new(&self.ice, table, limit);
        let end = solver.solve(self.position.free, [ours, theirs], value / FISH);
        *nodes += solver.nodes();
        end.filter(|end| end.is_certain)
    }

    /// Who alone can reach which floes with which penguins. Of several others it is not known who.
    fn alone<'p>(&self, parts: &'p Split<B>) -> impl Iterator<Item = (usize, B, B)> + 'p {
        let (hero, is_two) = (self.sides.hero(), self.sides.players() == 2);
        let theirs =
            parts.alone[1].iter().filter(move |_| is_two).map(move |&(free, penguins)| (1 - hero, free, penguins));
        parts.alone[0].iter().map(move |&(free, penguins)| (hero, free, penguins)).chain(theirs)
    }

    /// How long the end is looked for, before less than all is looked at again.
    fn part_of_time(&self, floes: u32) -> Limit {
        let now = Instant::now();
        let has_time = self.limit.deadline.is_none_or(|end| end.saturating_duration_since(now) > LEAST_SHARED * 4);
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

    /// Looks ahead on as many threads as there are, and says what was found and how many positions were looked at.
    fn search(
        &self,
        position: &Position<B>,
        spare: [u16; MOST_PLAYERS],
        table: &Table,
        limit: Limit,
        threads: usize,
    ) -> Option<(Found, u64)> {
        let stop = AtomicBool::new(false);
        let hero = self.sides.hero();
        let new = |limit| Search::new(&self.ice, position.clone(), self.sides, spare, table, (limit, &stop));
        // Whoever helps has to be done before, even if the system has other things to do meanwhile.
        let left = limit.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let threads = if left < LEAST_SHARED { 1 } else { threads };
        let reserve = (left / 10).max(LEAST_SHARED / 4);
        let earlier = Limit { deadline: limit.deadline.and_then(|end| end.checked_sub(reserve)), ..limit };
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .filter_map(|helper| {
                    let mut search = new(earlier);
                    let first = if helper % 2 == 0 { 1 } else { 2 };
                    let look = move || {
                        search.deepen(hero, first);
                        search.nodes()
                    };
                    // Where there is no room for a thread, it goes without.
                    thread::Builder::new().spawn_scoped(scope, look).ok()
                })
                .collect();
            let mut search = new(limit);
            let found = search.deepen(hero, 1);
            stop.store(true, Ordering::Relaxed);
            let helped: u64 = helpers.into_iter().filter_map(|helper| helper.join().ok()).sum();
            found.map(|found| (found, search.nodes() + helped))
        })
    }

    /// A move where nobody else comes: the first of a way to the most fish that is known.
    fn elsewhere(parts: &Split<B>, lone: &mut lone::Solver<'_, B>) -> Option<Move> {
        let &(free, penguins) = parts.alone[0].first()?;
        let fish = lone.solve(free, penguins, GLANCE).fish;
        let step = lone.first_move(free, penguins, fish);
        let (from, to) = step.or_else(|| {
            let from = penguins.all().find(|&from| free.along(from).next().is_some())?;
            Some((from, free.along(from).next()?))
        })?;
        Some((u16::try_from(from).ok()?, u16::try_from(to).ok()?))
    }

    /// A decision where nobody else comes: what the others do does not matter.
    fn think_alone(&self, parts: &Split<B>, lone: &mut lone::Solver<'_, B>) -> Option<Thought> {
        let mut sum = 0;
        let mut is_certain = self.sides.players() == 2 && parts.penguins[1].is_empty();
        for (side, pieces) in parts.alone.iter().enumerate() {
            for &(free, penguins) in pieces {
                let alone = lone.solve(free, penguins, if side == 0 { u64::MAX } else { GLANCE });
                is_certain &= alone.fish == alone.most;
                sum += if side == 0 { alone.fish } else { -alone.fish };
            }
        }
        let action = self.slide(Self::elsewhere(parts, lone)?);
        Some(Thought { action, nodes: lone.nodes(), depth: u8::MAX, exact: is_certain.then_some(sum) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use constructor_common::rng::{below, from_seed, shuffle};

    use super::*;
    use crate::board::{Board, Number};
    use crate::game::Seat;

    /// How many fish more the player on turn will have from now on, by trying everything.
    fn by_trying(game: &Game, tried: &mut HashMap<(Board, usize), i64>) -> i64 {
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
                i64::from(fish) - by_trying(&next, tried)
            };
            game.actions().into_iter().map(after).max().unwrap()
        } else {
            let mut next = game.clone();
            next.pass();
            -by_trying(&next, tried)
        };
        tried.insert(key, value);
        value
    }

    #[test]
    fn very_many_floes_alone_are_no_harm() {
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
            let thought = think(&game, limit, 1).unwrap();
            assert!(thought.exact.is_none_or(|exact| rows.min(columns) == 1 && exact > 0), "{rows} x {columns}");
            assert!(game.act(thought.action).is_ok());
        }
    }

    #[test]
    fn a_thousand_small_positions_are_solved_as_by_trying_everything() {
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
            let thought = think(&game, Limit::NONE, 1).unwrap();
            let value = by_trying(&game, &mut HashMap::new());
            let mut next = game.clone();
            let fish = next.act(thought.action).unwrap();
            let attained = i64::from(fish) - by_trying(&next, &mut HashMap::new());
            seen += 1;
            if let Some(exact) = thought.exact {
                certain += 1;
                assert_eq!(
                    (i64::from(exact), attained),
                    (value, value),
                    "{at}: {}",
                    crate::play::drawing(game.board())
                );
            }
        }
        assert!(seen > 1000, "{seen}");
        assert_eq!(certain, seen);
    }
}
