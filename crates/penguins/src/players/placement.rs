//! Where to put the penguins: the same looking ahead, over the placements that are left, of which only the most promising are
//! followed.

use std::cmp::Reverse;

use crate::board::MOST_PLAYERS;
use crate::players::bits::Bits;
use crate::players::ice::{Ice, Position};
use crate::players::search::Limit;
use crate::players::sides::Sides;

/// How many placements are followed, ply by ply; from the last on always as many.
const WIDTHS: [usize; 4] = [24, 12, 8, 6];

/// More floes than this are not all looked at.
const MOST_FLOES: usize = 160;

/// Higher than any value.
const INFINITE: i32 = 1 << 22;

/// One who looks ahead over placements.
#[derive(Debug)]
pub struct Placing<'p, B> {
    ice: &'p Ice<B>,
    position: Position<B>,
    sides: Sides,
    /// How many penguins each player has yet to place.
    left: [usize; MOST_PLAYERS],
    limit: Limit,
    nodes: u64,
    stopped: bool,
}

impl<'p, B: Bits> Placing<'p, B> {
    /// A search over the placements of `hero` and the others, who have so many penguins left.
    #[must_use]
    pub fn new(
        ice: &'p Ice<B>,
        position: Position<B>,
        sides: Sides,
        left: [usize; MOST_PLAYERS],
        limit: Limit,
    ) -> Self {
        let to_come = u32::try_from(left.iter().sum::<usize>()).unwrap_or(u32::MAX / 2);
        let sides = sides.sharing(position.free.count(), position.count() + to_come);
        Self { ice, position, sides, left, limit, nodes: 0, stopped: false }
    }

    /// How many positions were looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The cell where the hero should place a penguin, and how many placements were looked ahead; nothing when there is none.
    pub fn decide(&mut self) -> Option<(usize, u8)> {
        let mut candidates = self.candidates(self.sides.hero());
        let mut decided = candidates.first().map(|&(_, cell)| (cell, 0))?;
        let all: usize = self.left[..self.sides.players()].iter().sum();
        for depth in 1..=all.min(64) {
            let width = if depth == 1 { candidates.len() } else { WIDTHS[0] };
            candidates.truncate(width);
            let mut alpha = -INFINITE;
            for (worth, cell) in &mut candidates {
                let value = self.child(self.sides.hero(), *cell, depth, 0, alpha, INFINITE);
                if self.stopped {
                    return Some(decided);
                }
                *worth = value;
                if value > alpha {
                    alpha = value;
                    #[expect(clippy::cast_possible_truncation, reason = "no more than 64")]
                    let depth = depth as u8;
                    // What the last ply thought best is looked at first, so anything better than it is better.
                    decided = (*cell, depth);
                }
            }
            candidates.sort_by_key(|&(worth, _)| Reverse(worth));
        }
        Some(decided)
    }

    /// The floes where a player can place, the most promising first, and how promising they are.
    fn candidates(&mut self, player: usize) -> Vec<(i32, usize)> {
        let next = self.sides.next(player);
        let mut candidates = Vec::new();
        for cell in self.roomy() {
            // Whatever the time is, there is one to choose.
            if !candidates.is_empty() && self.limit.is_reached(self.nodes, 1) {
                break;
            }
            self.ice.put(&mut self.position, player, cell);
            let value = self.evaluate(next);
            self.ice.put(&mut self.position, player, cell);
            candidates.push((if self.sides.is_with(player, next) { value } else { -value }, cell));
            self.nodes += 1;
        }
        candidates.sort_by_key(|&(worth, _)| Reverse(worth));
        candidates
    }

    /// What the position looks worth for the side of the player who is to move.
    fn evaluate(&self, player: usize) -> i32 {
        self.sides.evaluate(self.ice, &self.position, player, (-INFINITE, INFINITE))
    }

    /// The floes where a penguin can be placed; of very many those from which the most fish are in sight.
    fn roomy(&self) -> Vec<usize> {
        let mut floes: Vec<usize> = (self.position.free & self.ice.with_one_fish()).all().collect();
        if floes.len() > MOST_FLOES {
            let fish = |&cell: &usize| self.position.free.along(cell).map(|to| self.ice.fish(to)).sum();
            floes.sort_by_cached_key(|cell| Reverse::<i32>(fish(cell)));
            floes.truncate(MOST_FLOES);
        }
        floes
    }

    fn child(&mut self, player: usize, cell: usize, depth: usize, ply: usize, alpha: i32, beta: i32) -> i32 {
        self.ice.put(&mut self.position, player, cell);
        self.left[player] -= 1;
        let value = self.other(player, self.sides.next(player), depth - 1, ply + 1, alpha, beta);
        self.left[player] += 1;
        self.ice.put(&mut self.position, player, cell);
        value
    }

    fn other(&mut self, player: usize, next: usize, depth: usize, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.sides.is_with(player, next) {
            self.value(next, depth, ply, alpha, beta)
        } else {
            -self.value(next, depth, ply, -beta, -alpha)
        }
    }

    fn value(&mut self, player: usize, depth: usize, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        self.stopped |= self.limit.is_reached(self.nodes, 1);
        if self.stopped {
            return 0;
        }
        if self.left[..self.sides.players()].iter().all(|&left| left == 0) {
            // The first player moves first.
            let value = self.evaluate(0);
            return if self.sides.is_with(0, player) { value } else { -value };
        }
        if depth == 0 {
            return self.evaluate(player);
        }
        let mut candidates = if self.left[player] > 0 { self.candidates(player) } else { Vec::new() };
        if candidates.is_empty() {
            if (self.position.free & self.ice.with_one_fish()).is_empty() {
                return self.evaluate(player);
            }
            return self.other(player, self.sides.next(player), depth, ply, alpha, beta);
        }
        candidates.truncate(WIDTHS[ply.min(WIDTHS.len() - 1)]);
        let mut best = -INFINITE;
        for (worth, cell) in candidates {
            // Before the last ply what comes of it is known already.
            let value = if depth == 1 && self.left[player] > 1 {
                worth
            } else {
                self.child(player, cell, depth, ply, alpha, beta)
            };
            if self.stopped {
                return 0;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
