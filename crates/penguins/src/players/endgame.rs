//! Exact solutions of endgames of two players.
//!
//! Regions that only one player can reach are solved separately and enter the search as two numbers: the fish there, and the tempo moves. A
//! tempo move is a move in such a region, made instead of a move in the contested region, where having to move may hurt. A tempo move never
//! hurts, since a player who can move elsewhere need not use it, and a player who cannot move is skipped. So the value has two bounds: the
//! value if the first side has no tempo moves and the second side has unlimited tempo moves, and the value in the reverse case. If the two
//! bounds are equal, which is nearly always the case, the value is exact. Otherwise, the tempo moves are counted.

use crate::players::bitboard::{Bitboard, hash_u64};
use crate::players::eval::INFINITY;
use crate::players::geometry::{Geometry, Move};
use crate::players::limit::Limit;
use crate::players::pvs::TEMPO_MOVE;
use crate::players::solo::SoloSolver;
use crate::players::transposition::{Bound, Entry, TranspositionTable};

/// The contested part of a position.
#[derive(Clone, Copy, Debug)]
pub struct Endgame<B> {
    free: B,
    /// The penguins of the player to move, and of the other player.
    penguins: [B; 2],
    /// The number of tempo moves of each of these two players.
    tempo_moves: [u16; 2],
}

impl<B: Bitboard> Endgame<B> {
    /// Returns the same position with the other player to move.
    const fn with_turn_passed(self) -> Self {
        let Self { free, penguins: [ours, theirs], tempo_moves: [own, others] } = self;
        Self { free, penguins: [theirs, ours], tempo_moves: [others, own] }
    }
}

/// Unlimited tempo moves.
const UNLIMITED: u16 = u16::MAX;

/// The assumption about solo regions whose bounds are not tight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Assumption {
    /// Whether bounds that are not tight are resolved in favour of the player to move at the root.
    is_optimistic: bool,
    /// Whether tempo moves are counted. If not, one side has no tempo moves, and the other side has unlimited tempo moves.
    counts_moves: bool,
}

/// The result of solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameResult {
    /// The difference of fish from now on, for the player to move.
    pub value: i32,
    /// A move with this value; [`TEMPO_MOVE`] stands for a move in a region that only this player can reach.
    pub best: Move,
    /// Whether the value is exact. Otherwise it is a lower bound.
    pub is_exact: bool,
}

/// A position split into contested and solo regions.
#[derive(Clone, Debug)]
pub struct Regions<B> {
    /// The floes that both teams can reach.
    pub free: B,
    /// The penguins that can reach these floes.
    pub penguins: [B; 2],
    /// For each side, the regions that only this side can reach, each with its floes and the penguins that share them.
    pub isolated: [Vec<(B, B)>; 2],
}

/// Splits a position into regions.
///
/// Penguins share a region if they can reach a common floe or one of them reaches another. Floes and penguins that nobody reaches belong to
/// no region.
pub fn split_regions<B: Bitboard>(free: B, [ours, theirs]: [B; 2]) -> Regions<B> {
    let mut split = Regions { free: B::EMPTY, penguins: [B::EMPTY; 2], isolated: [Vec::new(), Vec::new()] };
    let mut left = ours | theirs;
    while !left.is_empty() {
        let mut group = B::single(left.first());
        let mut reached = group.flood_fill(free);
        loop {
            let more = reached.neighbours() & (left - group);
            if more.is_empty() {
                break;
            }
            group = group | more;
            reached = reached | more.flood_fill(free);
        }
        left = left - group;
        let teams = [group & ours, group & theirs];
        match teams.map(Bitboard::is_empty) {
            _ if reached.is_empty() => {}
            [false, true] => split.isolated[0].push((reached, group)),
            [true, false] => split.isolated[1].push((reached, group)),
            _ => {
                split.free = split.free | reached;
                split.penguins[0] = split.penguins[0] | teams[0];
                split.penguins[1] = split.penguins[1] | teams[1];
            }
        }
    }
    split
}

/// The maximum number of positions that are searched to solve a solo region within the search.
const SOLO_NODES: u64 = 5000;

/// The number of positions between two readings of the clock.
const CLOCK_INTERVAL: u64 = 512;

/// The depth that is stored in entries that depend on an assumption. All other entries come from searches to the end of the game.
const ASSUMED_DEPTH: u8 = u8::MAX - 1;

/// A solver of endgames.
#[derive(Debug)]
pub struct EndgameSolver<'s, B> {
    geometry: &'s Geometry<B>,
    solo: SoloSolver<'s, B>,
    table: TranspositionTable<'s>,
    limit: Limit,
    nodes: u64,
    /// The number of positions at which the clock is read next.
    next_look: u64,
    stopped: bool,
    assumption: Assumption,
    /// Whether an assumption affected the current search.
    used_assumption: bool,
    moves: Vec<(Move, i32)>,
}

impl<'s, B: Bitboard> EndgameSolver<'s, B> {
    /// Makes a solver on this board, with a transposition table.
    #[must_use]
    pub fn new(geometry: &'s Geometry<B>, table: TranspositionTable<'s>, limit: Limit) -> Self {
        Self {
            geometry,
            solo: SoloSolver::new(geometry, limit),
            table,
            limit,
            nodes: 0,
            next_look: 0,
            stopped: false,
            assumption: Assumption { is_optimistic: false, counts_moves: false },
            used_assumption: false,
            moves: Vec::with_capacity(1024),
        }
    }

    /// Returns the number of positions searched.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes + self.solo.nodes()
    }

    /// Solves a position in which the first player has a move. Returns `None` if the limit is reached.
    ///
    /// `guess` is an estimate of the value, with which the search begins.
    pub fn solve(&mut self, free: B, penguins: [B; 2], guess: i32) -> Option<EndgameResult> {
        let endgame = Endgame { free, penguins, tempo_moves: [0; 2] };
        let mut solved: Option<EndgameResult> = None;
        for counts_moves in [false, true] {
            self.used_assumption = false;
            self.assumption = Assumption { is_optimistic: false, counts_moves };
            let Some((value, best)) = self.root(endgame, solved.map_or(guess, |solved| solved.value)) else { break };
            let mut all_exact = !self.used_assumption;
            if !all_exact {
                self.assumption.is_optimistic = true;
                all_exact = self.root(endgame, value).is_some_and(|(optimistic, _)| optimistic == value);
            }
            solved = Some(EndgameResult { value, best, is_exact: all_exact });
            if all_exact || self.stopped {
                break;
            }
        }
        solved
    }

    /// Searches for the value by MTD(f), a series of null-window searches.
    ///
    /// (Aske Plaat and others, "Best-first fixed-depth minimax algorithms", 1996.)
    fn root(&mut self, endgame: Endgame<B>, guess: i32) -> Option<(i32, Move)> {
        let (proven, endgame) = self.solve_regions(endgame, 0);
        let (mut low, mut high) = (-INFINITY, INFINITY);
        let mut guess = guess - proven;
        let mut best = None;
        while low < high {
            let beta = if guess == low { guess + 1 } else { guess };
            guess = self.search(endgame, beta - 1, beta, 0, false);
            if self.stopped {
                return None;
            }
            if guess < beta {
                high = guess;
            } else {
                low = guess;
                best = self.table.probe(self.key(&endgame, 0)).and_then(|entry| entry.best).or(best);
            }
        }
        Some((proven + guess, best.unwrap_or(TEMPO_MOVE)))
    }

    fn key(&self, endgame: &Endgame<B>, player: usize) -> u64 {
        let [ours, theirs] = endgame.tempo_moves;
        let rest = u64::from(ours) << 32
            | u64::from(theirs) << 8
            | (player as u64) << 3
            | u64::from(self.assumption.is_optimistic)
            | u64::from(self.assumption.counts_moves) << 2;
        let penguins = endgame.penguins[1].hash(endgame.penguins[0].hash(hash_u64(rest) | 1));
        endgame.free.hash(penguins)
    }

    /// Removes solo regions and unreachable floes.
    ///
    /// Returns the difference of fish in the removed regions, from the first side's point of view, and the rest of the position. `player`
    /// is the index of the side that is to move at the root.
    fn solve_regions(&mut self, endgame: Endgame<B>, player: usize) -> (i32, Endgame<B>) {
        let Regions { free, penguins, isolated } = split_regions(endgame.free, endgame.penguins);
        let mut rest = Endgame { free, penguins, tempo_moves: endgame.tempo_moves };
        let is_over = rest.free.is_empty();
        let mut proven = 0;
        for (side, pieces) in isolated.into_iter().enumerate() {
            for (free, penguins) in pieces {
                let isolated = self.solo.solve(free, penguins, SOLO_NODES);
                // `player` is the index of the side that moves at the root.
                let Assumption { is_optimistic, counts_moves } = self.assumption;
                let is_lucky = (side == player) == is_optimistic;
                let is_sure = isolated.fish == isolated.max_fish
                    && (is_over || counts_moves && isolated.moves == isolated.max_moves);
                self.used_assumption |= !is_sure;
                let (fish, moves) =
                    if is_lucky { (isolated.max_fish, isolated.max_moves) } else { (isolated.fish, isolated.moves) };
                proven += if side == 0 { fish } else { -fish };
                rest.tempo_moves[side] = match (counts_moves, is_lucky) {
                    (true, _) => rest.tempo_moves[side].saturating_add(moves).min(UNLIMITED - 1),
                    (false, true) => UNLIMITED,
                    (false, false) => 0,
                };
            }
        }
        (proven, rest)
    }

    /// Searches for the value of a contested position for the player to move.
    ///
    /// `player` is 0 if the player to move is also to move at the root, and otherwise 1.
    fn search(&mut self, endgame: Endgame<B>, alpha: i32, beta: i32, player: usize, has_passed: bool) -> i32 {
        self.count_node();
        if self.stopped || endgame.free.is_empty() {
            return 0;
        }
        // Neither side can gain more than all fish that it reaches.
        let [ours, theirs] = endgame.penguins.map(|penguins| penguins.flood_fill(endgame.free));
        let max = self.geometry.fish_on(ours);
        if max <= alpha {
            return max;
        }
        let min = -self.geometry.fish_on(theirs);
        if min >= beta {
            return min;
        }
        let key = self.key(&endgame, player);
        let entry = self.table.probe(key);
        if let Some(entry) = entry.filter(|entry| entry.cuts_off(alpha, beta)) {
            // The entry may come from an earlier solver, which made its own assumptions.
            self.used_assumption |= entry.depth == ASSUMED_DEPTH;
            return entry.value;
        }
        let first = self.moves.len();
        self.push_moves(&endgame, entry.and_then(|entry| entry.best), has_passed);
        if self.moves.len() == first {
            return if has_passed {
                0
            } else {
                -self.search(endgame.with_turn_passed(), -beta, -alpha, 1 - player, true)
            };
        }
        let best = self.best_move(endgame, first, alpha, beta, player);
        self.moves.truncate(first);
        let Some((value, step)) = best else { return 0 };
        let depth = if self.used_assumption { ASSUMED_DEPTH } else { u8::MAX };
        self.table.store(key, Entry { value, bound: Bound::of(value, alpha, beta), depth, best: Some(step) });
        value
    }

    /// Counts a position, and checks the limit now and then.
    fn count_node(&mut self) {
        self.nodes += 1;
        let nodes = self.nodes();
        if nodes >= self.next_look {
            self.next_look = nodes + CLOCK_INTERVAL;
            self.stopped = self.limit.deadline_passed();
        }
        self.stopped |= nodes >= self.limit.nodes;
    }

    /// Finds the best of the moves that are on the stack from index `first` on. Returns its value and the move, or `None` if the limit is
    /// reached.
    fn best_move(
        &mut self,
        endgame: Endgame<B>,
        first: usize,
        alpha: i32,
        beta: i32,
        player: usize,
    ) -> Option<(i32, Move)> {
        let mut best = (-INFINITY, TEMPO_MOVE);
        for at in first..self.moves.len() {
            let next = (at..self.moves.len()).max_by_key(|&other| self.moves[other].1).unwrap_or(at);
            self.moves.swap(at, next);
            let (step, _) = self.moves[at];
            let value = self.child_value(endgame, step, alpha.max(best.0), beta, player);
            if self.stopped {
                return None;
            }
            if value > best.0 {
                best = (value, step);
                if value >= beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// Searches a move, and returns its value.
    fn child_value(&mut self, endgame: Endgame<B>, (from, to): Move, alpha: i32, beta: i32, player: usize) -> i32 {
        let mut next = endgame;
        if from == to {
            next.tempo_moves[0] -= u16::from(next.tempo_moves[0] != UNLIMITED);
            return -self.search(next.with_turn_passed(), -beta, -alpha, 1 - player, false);
        }
        next.free.toggle(to.into());
        next.penguins[0].toggle(from.into());
        next.penguins[0].toggle(to.into());
        let gain = self.geometry.fish(to.into());
        let (proven, next) = self.solve_regions(next.with_turn_passed(), 1 - player);
        let gain = gain - proven;
        gain - self.search(next, gain - beta, gain - alpha, 1 - player, false)
    }

    /// Pushes the moves with their ordering scores onto the stack.
    ///
    /// After a pass, a tempo move is possible only if there is no other move.
    fn push_moves(&mut self, endgame: &Endgame<B>, best: Option<Move>, has_passed: bool) {
        let first = self.moves.len();
        let [ours, theirs] = endgame.penguins;
        let threatened = theirs.slide_targets(endgame.free);
        let mut moves = std::mem::take(&mut self.moves);
        for from in ours.iter() {
            endgame.free.rays(from).for_each(|to| {
                #[expect(clippy::cast_possible_truncation, reason = "there are at most 10,000 cells")]
                let step = (from as u16, to as u16);
                let order_score = if best == Some(step) {
                    i32::MAX
                } else {
                    let ways = (B::single(to).neighbours() & endgame.free).count().cast_signed();
                    self.geometry.fish(to) * 4 + i32::from(threatened.contains(to)) * 3 + ways
                };
                moves.push((step, order_score));
            });
        }
        self.moves = moves;
        if endgame.tempo_moves[0] > 0 && !(has_passed && self.moves.len() > first) {
            self.moves.push((TEMPO_MOVE, if best == Some(TEMPO_MOVE) { i32::MAX } else { 0 }));
        }
    }
}
