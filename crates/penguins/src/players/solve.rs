//! The end of a game of two, looked at to its very end.
//!
//! Floes that one player alone can reach are solved by themselves and enter as numbers: so many fish, and so many moves that can
//! be made there while the rest is fought for, where having to move may hurt. A move to spare is never a harm, since nobody has
//! to use it who can move elsewhere, and one who cannot move anywhere is passed over. So the value lies between what it is when
//! one side has no move to spare and the other as many as it likes, and the other way round. It is certain when both come to the
//! same, as they nearly always do; where they do not, the moves to spare are counted.

use crate::players::bits::{Bits, mixed};
use crate::players::ice::{Ice, Move};
use crate::players::lone;
use crate::players::search::{ELSEWHERE, Limit};
use crate::players::table::{Bound, Entry, Table};

/// Two players' penguins and the floes that they can reach.
#[derive(Clone, Copy, Debug)]
pub struct Ends<B> {
    free: B,
    /// The penguins of the one to move, and of the other.
    penguins: [B; 2],
    /// How many moves each has where the other cannot come.
    spare: [u16; 2],
}

/// As many moves to spare as one likes.
const FREE: u16 = u16::MAX;

/// What is assumed of the floes that one player alone can reach, where it is not known or not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Assumption {
    /// Whether the one who is to move at the root is given the benefit of the doubt, or the other is.
    is_hopeful: bool,
    /// Whether moves to spare are counted. Otherwise one side has none, and the other as many as it likes.
    counts: bool,
}

/// What came of solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// How many fish more the one to move will have from now on.
    pub value: i32,
    /// A move that comes to it; a move elsewhere when it is one where the other cannot come.
    pub best: Move,
    /// Whether the value is certain. Otherwise it is at least this much.
    pub is_certain: bool,
}

/// A position taken apart.
#[derive(Clone, Debug)]
pub struct Split<B> {
    /// The floes that both sides can reach.
    pub free: B,
    /// The penguins who can.
    pub penguins: [B; 2],
    /// For each side, the floes that it alone can reach, and the penguins who can, where they can come in each other's way.
    pub alone: [Vec<(B, B)>; 2],
}

/// Takes a position of two sides apart: penguins belong together who can reach a floe in common, or one whom another of them
/// can reach. Floes and penguins whom nobody reaches belong nowhere.
pub fn split<B: Bits>(free: B, [ours, theirs]: [B; 2]) -> Split<B> {
    let mut split = Split { free: B::EMPTY, penguins: [B::EMPTY; 2], alone: [Vec::new(), Vec::new()] };
    let mut left = ours | theirs;
    while !left.is_empty() {
        let mut group = B::of(left.first());
        let mut reached = group.reach(free);
        loop {
            let more = reached.beside() & (left - group);
            if more.is_empty() {
                break;
            }
            group = group | more;
            reached = reached | more.reach(free);
        }
        left = left - group;
        let sides = [group & ours, group & theirs];
        match sides.map(Bits::is_empty) {
            _ if reached.is_empty() => {}
            [false, true] => split.alone[0].push((reached, group)),
            [true, false] => split.alone[1].push((reached, group)),
            _ => {
                split.free = split.free | reached;
                split.penguins[0] = split.penguins[0] | sides[0];
                split.penguins[1] = split.penguins[1] | sides[1];
            }
        }
    }
    split
}

/// Higher than any value, in fish.
const INFINITE: i32 = 1 << 20;

/// How many positions are looked at for the floes of a lone player within the search.
const GLANCE: u64 = 5000;

/// Time is looked at after so many positions.
const EVERY: u64 = 512;

/// The depth of what may depend on an assumption. Everything is looked at to the end.
const DOUBTED: u8 = u8::MAX - 1;

/// One who solves ends.
#[derive(Debug)]
pub struct Solver<'s, B> {
    ice: &'s Ice<B>,
    lone: lone::Solver<'s, B>,
    table: &'s Table,
    limit: Limit,
    nodes: u64,
    /// After how many positions the clock is looked at next.
    next_look: u64,
    stopped: bool,
    assumption: Assumption,
    /// Whether it mattered what was assumed.
    had_doubt: bool,
    moves: Vec<(Move, i32)>,
}

impl<'s, B: Bits> Solver<'s, B> {
    /// A solver on this ice, which shares what it finds in the table.
    #[must_use]
    pub fn new(ice: &'s Ice<B>, table: &'s Table, limit: Limit) -> Self {
        Self {
            ice,
            lone: lone::Solver::new(ice, limit),
            table,
            limit,
            nodes: 0,
            next_look: 0,
            stopped: false,
            assumption: Assumption { is_hopeful: false, counts: false },
            had_doubt: false,
            moves: Vec::with_capacity(1024),
        }
    }

    /// How many positions were looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes + self.lone.nodes()
    }

    /// Solves a position of two, of whom the first has to have a move; nothing when the limit is reached before. The
    /// guess is what the value may be.
    pub fn solve(&mut self, free: B, penguins: [B; 2], guess: i32) -> Option<Solved> {
        let ends = Ends { free, penguins, spare: [0; 2] };
        let mut solved: Option<Solved> = None;
        for counts in [false, true] {
            self.had_doubt = false;
            self.assumption = Assumption { is_hopeful: false, counts };
            let Some((value, best)) = self.root(ends, solved.map_or(guess, |solved| solved.value)) else { break };
            let mut is_certain = !self.had_doubt;
            if !is_certain {
                self.assumption.is_hopeful = true;
                is_certain = self.root(ends, value).is_some_and(|(hoped, _)| hoped == value);
            }
            solved = Some(Solved { value, best, is_certain });
            if is_certain || self.stopped {
                break;
            }
        }
        solved
    }

    /// The value by narrowing it down with windows of one fish. (Aske Plaat and others, "Best-first fixed-depth minimax
    /// algorithms", 1996.)
    fn root(&mut self, ends: Ends<B>, guess: i32) -> Option<(i32, Move)> {
        let (sure, ends) = self.settled(ends, 0);
        let (mut low, mut high) = (-INFINITE, INFINITE);
        let mut guess = guess - sure;
        let mut best = None;
        while low < high {
            let beta = if guess == low { guess + 1 } else { guess };
            guess = self.search(ends, beta - 1, beta, 0, false);
            if self.stopped {
                return None;
            }
            if guess < beta {
                high = guess;
            } else {
                low = guess;
                best = self.table.get(self.key(&ends, 0)).and_then(|entry| entry.best).or(best);
            }
        }
        Some((sure + guess, best.unwrap_or(ELSEWHERE)))
    }

    fn key(&self, ends: &Ends<B>, player: usize) -> u64 {
        let [ours, theirs] = ends.spare;
        let rest = u64::from(ours) << 32
            | u64::from(theirs) << 8
            | (player as u64) << 3
            | u64::from(self.assumption.is_hopeful)
            | u64::from(self.assumption.counts) << 2;
        let penguins = ends.penguins[1].hash(ends.penguins[0].hash(mixed(rest) | 1));
        ends.free.hash(penguins)
    }

    /// Takes out what one player alone can reach, and what nobody can: says how many fish more the first has from it. Which
    /// of the two was to move at the root decides who is given the benefit of a doubt.
    fn settled(&mut self, ends: Ends<B>, player: usize) -> (i32, Ends<B>) {
        let Split { free, penguins, alone } = split(ends.free, ends.penguins);
        let mut rest = Ends { free, penguins, spare: ends.spare };
        let is_over = rest.free.is_empty();
        let mut sure = 0;
        for (side, pieces) in alone.into_iter().enumerate() {
            for (free, penguins) in pieces {
                let alone = self.lone.solve(free, penguins, GLANCE);
                // The side that is to move at the root is `player` here.
                let Assumption { is_hopeful, counts } = self.assumption;
                let is_lucky = (side == player) == is_hopeful;
                let is_sure = alone.fish == alone.most && (is_over || counts && alone.moves == alone.most_moves);
                self.had_doubt |= !is_sure;
                let (fish, moves) = if is_lucky { (alone.most, alone.most_moves) } else { (alone.fish, alone.moves) };
                sure += if side == 0 { fish } else { -fish };
                rest.spare[side] = match (counts, is_lucky) {
                    (true, _) => rest.spare[side].saturating_add(moves).min(FREE - 1),
                    (false, true) => FREE,
                    (false, false) => 0,
                };
            }
        }
        (sure, rest)
    }

    /// The value of a position without floes of lone players for the one to move, who is `player` when the one to move at
    /// the root is 0.
    fn search(&mut self, ends: Ends<B>, alpha: i32, beta: i32, player: usize, has_passed: bool) -> i32 {
        self.nodes += 1;
        let looked_at = self.nodes();
        if looked_at >= self.next_look {
            self.next_look = looked_at + EVERY;
            self.stopped = self.limit.is_late();
        }
        self.stopped |= looked_at >= self.limit.nodes;
        if self.stopped || ends.free.is_empty() {
            return 0;
        }
        let [ours, theirs] = ends.penguins.map(|penguins| penguins.reach(ends.free));
        let most = self.ice.fish_on(ours);
        if most <= alpha {
            return most;
        }
        let least = -self.ice.fish_on(theirs);
        if least >= beta {
            return least;
        }
        let key = self.key(&ends, player);
        let known = self.table.get(key);
        if let Some(entry) = known
            && match entry.bound {
                Bound::Exact => true,
                Bound::Least => entry.value >= beta,
                Bound::Most => entry.value <= alpha,
            }
        {
            // It may have been found by a solver before this one, with doubts of its own.
            self.had_doubt |= entry.depth == DOUBTED;
            return entry.value;
        }
        let first = self.moves.len();
        self.generate(&ends, known.and_then(|entry| entry.best));
        if ends.spare[0] > 0 && !(has_passed && self.moves.len() > first) {
            self.moves
                .push((ELSEWHERE, if known.is_some_and(|entry| entry.best == Some(ELSEWHERE)) { i32::MAX } else { 0 }));
        }
        if self.moves.len() == first {
            if has_passed {
                return 0;
            }
            let turned =
                Ends { penguins: [ends.penguins[1], ends.penguins[0]], spare: [ends.spare[1], ends.spare[0]], ..ends };
            return -self.search(turned, -beta, -alpha, 1 - player, true);
        }
        let mut best = (-INFINITE, ELSEWHERE);
        let mut raised = alpha;
        for at in first..self.moves.len() {
            let next = (at..self.moves.len()).max_by_key(|&other| self.moves[other].1).unwrap_or(at);
            self.moves.swap(at, next);
            let (step, _) = self.moves[at];
            let value = self.child(ends, step, raised, beta, player);
            if self.stopped {
                return 0;
            }
            if value > best.0 {
                best = (value, step);
                raised = raised.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(first);
        let (value, step) = best;
        let bound = match value {
            value if value >= beta => Bound::Least,
            value if value > alpha => Bound::Exact,
            _ => Bound::Most,
        };
        let depth = if self.had_doubt { DOUBTED } else { u8::MAX };
        self.table.set(key, Entry { value, bound, depth, best: Some(step) });
        value
    }

    fn child(&mut self, ends: Ends<B>, (from, to): Move, alpha: i32, beta: i32, player: usize) -> i32 {
        let Ends { mut free, penguins: [mut ours, theirs], spare: [mut spare, others] } = ends;
        if from == to {
            spare -= u16::from(spare != FREE);
            let next = Ends { free, penguins: [theirs, ours], spare: [others, spare] };
            return -self.search(next, -beta, -alpha, 1 - player, false);
        }
        free.flip(to.into());
        ours.flip(from.into());
        ours.flip(to.into());
        let gain = self.ice.fish(to.into());
        let next = Ends { free, penguins: [theirs, ours], spare: [others, spare] };
        let (sure, next) = self.settled(next, 1 - player);
        let gain = gain - sure;
        gain - self.search(next, gain - beta, gain - alpha, 1 - player, false)
    }

    fn generate(&mut self, ends: &Ends<B>, best: Option<Move>) {
        let [ours, theirs] = ends.penguins;
        let threatened = theirs.slides(ends.free);
        let mut moves = std::mem::take(&mut self.moves);
        for from in ours.all() {
            ends.free.along(from).for_each(|to| {
                #[expect(clippy::cast_possible_truncation, reason = "there are at most 10,000 cells")]
                let step = (from as u16, to as u16);
                let promise = if best == Some(step) {
                    i32::MAX
                } else {
                    let ways = (B::of(to).beside() & ends.free).count().cast_signed();
                    self.ice.fish(to) * 4 + i32::from(threatened.has(to)) * 3 + ways
                };
                moves.push((step, promise));
            });
        }
        self.moves = moves;
    }
}
