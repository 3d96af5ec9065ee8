//! Looking ahead: principal-variation search with a transposition table, for two sides; of more than two players, all others
//! are taken to play against the one who thinks.
//!
//! A value is what the side to move will have more than the other from now on, in parts of a [fish](FISH): what was caught
//! before does not matter to it, so the positions that are reached by different ways share their values.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::board::MOST_PLAYERS;
use crate::players::bits::{Bits, mixed};
use crate::players::ice::{Ice, Move, Position};
use crate::players::sides::Sides;
use crate::players::table::{Bound, Entry, Table};
use crate::players::territory::FISH;

/// When looking ahead has to end.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// At this time.
    pub deadline: Option<Instant>,
    /// After so many positions.
    pub nodes: u64,
}

impl Limit {
    /// No limit but the end of the game.
    pub const NONE: Self = Self { deadline: None, nodes: u64::MAX };

    /// Whether its time has come.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether it is reached after so many positions. The clock is looked at for one of so many of them only.
    #[must_use]
    #[inline]
    pub fn is_reached(&self, nodes: u64, every: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(every) && self.is_late()
    }
}

/// What came of looking ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// What it is worth.
    pub value: i32,
    /// Whether that is so for certain: everything was looked at, to the end of the game.
    pub is_exact: bool,
    /// How many plies were looked ahead.
    pub depth: u8,
}

/// Higher than any value.
const INFINITE: i32 = 1 << 22;

/// So many of the last moves that are looked at are the most promising ones; in which order the others come matters little.
const SORTED: usize = 4;

/// The depth of what is known for certain.
const TO_THE_END: u8 = u8::MAX;

/// A move that is made somewhere else, where nobody comes in the way: here it only passes the turn.
pub const ELSEWHERE: Move = (0, 0);

/// A value, and whether it is certain.
type Valued = (i32, bool);

/// One who looks ahead on a position.
#[derive(Debug)]
pub struct Search<'s, B> {
    ice: &'s Ice<B>,
    position: Position<B>,
    sides: Sides,
    /// How many moves each player has elsewhere, where nobody comes in the way.
    spare: [u16; MOST_PLAYERS],
    table: &'s Table,
    limit: Limit,
    stop: &'s AtomicBool,
    stopped: bool,
    nodes: u64,
    /// The moves of the positions between the root and here, and how promising they are.
    moves: Vec<(Move, i32)>,
    /// How often a move to a cell was too good, by player.
    history: Vec<i32>,
    /// How many positions pass between two looks at the clock.
    every: u64,
}

impl<'s, B: Bits> Search<'s, B> {
    /// A search from this position, where `hero` is to move or another.
    #[must_use]
    pub fn new(
        ice: &'s Ice<B>,
        position: Position<B>,
        sides: Sides,
        spare: [u16; MOST_PLAYERS],
        table: &'s Table,
        (limit, stop): (Limit, &'s AtomicBool),
    ) -> Self {
        let sides = sides.sharing(position.free.count(), position.count());
        Self {
            ice,
            position,
            sides,
            spare,
            table,
            limit,
            stop,
            stopped: false,
            nodes: 0,
            moves: Vec::with_capacity(4096),
            history: vec![0; sides.players() * B::CELLS],
            every: (4096 / (B::CELLS as u64 / 64).pow(2)).max(8),
        }
    }

    /// How many positions were looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks ahead one ply deeper after the other, until the limit is reached or everything is known. There is nothing to find when the player has no move.
    pub fn deepen(&mut self, player: usize, first_depth: u8) -> Option<Found> {
        let mut roots = Vec::new();
        self.generate(player, None);
        roots.append(&mut self.moves);
        roots.sort_by_key(|&(_, promise)| -promise);
        let mut found: Option<Found> = None;
        for depth in first_depth..=250 {
            let Some(next) = self.iterate(player, depth, &mut roots, found) else { break };
            found = Some(next);
            if next.is_exact || self.stopped {
                break;
            }
        }
        found
    }

    /// Looks so many plies ahead. The moves of the root are sorted by what comes of them.
    fn iterate(&mut self, player: usize, depth: u8, roots: &mut [(Move, i32)], last: Option<Found>) -> Option<Found> {
        let mut window = FISH;
        let (mut alpha, mut beta) = match last {
            Some(last) if depth > 2 => (last.value - window, last.value + window),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let found = self.root(player, depth, roots, alpha, beta)?;
            if self.stopped {
                // What was looked at so far is as good as the best of it: the first move was the best one ply before.
                return (found.value > alpha).then_some(found);
            }
            if found.value <= alpha && alpha > -INFINITE {
                window *= 4;
                alpha = (found.value - window).max(-INFINITE);
            } else if found.value >= beta && beta < INFINITE {
                window *= 4;
                beta = (found.value + window).min(INFINITE);
            } else {
                return Some(found);
            }
        }
    }

    fn root(&mut self, player: usize, depth: u8, roots: &mut [(Move, i32)], alpha: i32, beta: i32) -> Option<Found> {
        let mut best: Option<Found> = None;
        let mut is_certain = true;
        let mut raised = alpha;
        for at in 0..roots.len() {
            let (step, _) = roots[at];
            let (value, is_exact) = self.child(player, step, i32::from(depth), at, raised, beta);
            if self.stopped {
                break;
            }
            is_certain &= is_exact;
            if best.is_none_or(|best| value > best.value) {
                best = Some(Found { best: step, value, is_exact, depth });
                roots[..=at].rotate_right(1);
            }
            raised = raised.max(value);
            if raised >= beta {
                break;
            }
        }
        best.map(|best| Found { is_exact: is_certain && !self.stopped, ..best })
    }

    /// Does a move and says what it is worth, if it is between the two bounds: later moves are looked at with less depth and
    /// a narrow window first.
    fn child(&mut self, player: usize, step: Move, depth: i32, index: usize, alpha: i32, beta: i32) -> Valued {
        let gain = self.make(player, step);
        let next = self.sides.next(player);
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
        self.take_back(player, step);
        (valued.0 + gain, valued.1)
    }

    /// The value of a position for one player, where the next is to move.
    #[inline]
    fn other(&mut self, player: usize, next: usize, depth: i32, alpha: i32, beta: i32, passed: usize) -> Valued {
        if self.sides.is_with(player, next) {
            self.search(next, depth, alpha, beta, passed)
        } else {
            let (value, is_exact) = self.search(next, depth, -beta, -alpha, passed);
            (-value, is_exact)
        }
    }

    fn search(&mut self, player: usize, depth: i32, alpha: i32, beta: i32, passed: usize) -> Valued {
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
            return (self.sides.evaluate(self.ice, &self.position, player, (alpha, beta)), false);
        }
        let key = self.key(player);
        let known = self.table.get(key);
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
        {
            let is_exact = entry.depth == TO_THE_END;
            match entry.bound {
                Bound::Exact => return (entry.value, is_exact),
                Bound::Least if entry.value >= beta => return (entry.value, is_exact),
                Bound::Most if entry.value <= alpha => return (entry.value, is_exact),
                Bound::Least | Bound::Most => {}
            }
        }
        let first = self.moves.len();
        self.generate(player, known.and_then(|entry| entry.best));
        if self.moves.len() == first {
            if passed + 1 >= self.sides.players() {
                return (0, true);
            }
            let next = self.sides.next(player);
            return self.other(player, next, depth, alpha, beta, passed + 1);
        }
        let valued = self.best_of(player, depth, alpha, beta, first, key);
        self.moves.truncate(first);
        valued
    }

    /// The value of a position whose moves are the last ones from `first`.
    fn best_of(&mut self, player: usize, depth: i32, alpha: i32, beta: i32, first: usize, key: u64) -> Valued {
        let mut best: Option<(i32, Move)> = None;
        let mut raised = alpha;
        // A value that is too high is certain when the move's is; one that is not, when all moves' are.
        let mut is_certain = true;
        for at in first..self.moves.len() {
            if depth > 1 || at - first < SORTED {
                // Of several equal ones, the first is taken.
                let most = (at..self.moves.len()).rev().max_by_key(|&other| self.moves[other].1).unwrap_or(at);
                self.moves.swap(at, most);
            }
            let (step, _) = self.moves[at];
            let (value, is_exact) = self.child(player, step, depth, at - first, raised, beta);
            if self.stopped {
                return (0, false);
            }
            is_certain &= is_exact;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, step));
            }
            if value > raised {
                raised = value;
                if value >= beta {
                    is_certain = is_exact;
                    self.reward(player, first, at, depth);
                    break;
                }
            }
        }
        let Some((value, step)) = best else { return (0, false) };
        let bound = if value >= beta {
            Bound::Least
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Most
        };
        let depth = if is_certain { TO_THE_END } else { u8::try_from(depth).unwrap_or(TO_THE_END - 1) };
        self.table.set(key, Entry { value, bound, depth, best: Some(step) });
        (value, is_certain)
    }

    /// Remembers that a move was too good, and those before it were not.
    fn reward(&mut self, player: usize, first: usize, at: usize, depth: i32) {
        for before in first..=at {
            let (_, to) = self.moves[before].0;
            let entry = &mut self.history[player * B::CELLS + usize::from(to)];
            let bonus = (depth * depth).min(400) * if before == at { 1 } else { -1 };
            *entry += bonus - *entry * bonus.abs() / 8192;
        }
    }

    /// Puts the player's moves behind those that there are.
    fn generate(&mut self, player: usize, best: Option<Move>) {
        let history = &self.history[player * B::CELLS..][..B::CELLS];
        let promise = |step: Move| {
            let to = usize::from(step.1);
            if best == Some(step) { i32::MAX } else { self.ice.fish(to) * 2048 + history[to] }
        };
        // Taken out for a moment. What goes through them all at once is quicker than one after the other.
        let mut moves = std::mem::take(&mut self.moves);
        self.position.moves(player).for_each(|step| moves.push((step, promise(step))));
        self.moves = moves;
        if self.spare[player] > 0 {
            self.moves.push((ELSEWHERE, if best == Some(ELSEWHERE) { i32::MAX } else { 0 }));
        }
    }

    /// Does a move and says how much it gains.
    #[inline]
    fn make(&mut self, player: usize, (from, to): Move) -> i32 {
        if from == to {
            self.spare[player] -= 1;
            return 0;
        }
        self.ice.slide(&mut self.position, player, from.into(), to.into());
        self.ice.fish(to.into()) * self.sides.worth(player)
    }

    #[inline]
    fn take_back(&mut self, player: usize, (from, to): Move) {
        if from == to {
            self.spare[player] += 1;
        } else {
            self.ice.slide(&mut self.position, player, from.into(), to.into());
        }
    }

    #[inline]
    fn key(&self, player: usize) -> u64 {
        let spare = self.spare[..self.sides.players()].iter().fold(0, |key: u64, &spare| key << 12 ^ u64::from(spare));
        self.position.key ^ mixed(spare << 4 | player as u64)
    }
}

/// By how many plies less a later move is looked at.
fn reduction(depth: i32, index: usize) -> i32 {
    (1 + (depth - 3) / 4 + i32::from(index >= 8) + i32::from(index >= 20)).min(depth - 1)
}
