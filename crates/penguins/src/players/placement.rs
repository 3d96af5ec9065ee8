//! Placement by alpha-beta search over the remaining placements. At each ply, only the most promising placements are searched (a beam). In
//! the time left, the positions after the last placement are searched deeper and deeper.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use crate::board::MAX_PLAYERS;
use crate::players::bitboard::Bitboard;
use crate::players::eval::INFINITY;
use crate::players::geometry::{Geometry, Position};
use crate::players::limit::Limit;
use crate::players::pvs::Search;
use crate::players::teams::Teams;
use crate::players::transposition::TranspositionTable;

/// The beam width at each ply; the last one applies to all deeper plies.
const WIDTHS: [usize; 4] = [24, 12, 8, 6];

/// The maximum depth in placements.
const MAX_DEPTH: usize = 64;

/// The maximum depth in moves.
const MAX_MOVEMENT_DEPTH: u8 = 60;

/// The maximum number of candidate floes.
const MAX_FLOES: usize = 160;

/// A search over placements.
#[derive(Debug)]
pub struct PlacementSearch<'p, B> {
    geometry: &'p Geometry<B>,
    position: Position<B>,
    teams: Teams,
    /// The number of penguins that each player has left to place.
    left: [usize; MAX_PLAYERS],
    limit: Limit,
    nodes: u64,
    stopped: bool,
    /// The search of positions after the last placement, and its depth.
    movement: Search<'p, B>,
    movement_depth: u8,
}

impl<'p, B: Bitboard> PlacementSearch<'p, B> {
    /// Makes a search from this position.
    ///
    /// `left` is the number of penguins that each player has left to place.
    #[must_use]
    pub fn new(
        geometry: &'p Geometry<B>,
        position: Position<B>,
        teams: Teams,
        left: [usize; MAX_PLAYERS],
        table: TranspositionTable<'p>,
        (limit, stop): (Limit, &'p AtomicBool),
    ) -> Self {
        let to_come = u32::try_from(left.iter().sum::<usize>()).unwrap_or(u32::MAX / 2);
        let teams = teams.with_density(position.free.count(), position.count() + to_come);
        let movement = Search::new(geometry, position.clone(), teams, [0; MAX_PLAYERS], table, (limit, stop));
        Self { geometry, position, teams, left, limit, nodes: 0, stopped: false, movement, movement_depth: 0 }
    }

    /// Returns the number of positions searched.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes + self.movement.nodes()
    }

    /// Returns the cell where the searching player should place a penguin, its value, and the depth reached; `None` if there is no such
    /// cell.
    pub fn decide(&mut self) -> Option<(usize, i32, u8)> {
        let mut candidates = self.candidates(self.teams.max_player());
        let mut decided = candidates.first().map(|&(value, cell)| (cell, value, 0))?;
        let all = self.left[..self.teams.players()].iter().sum::<usize>().min(MAX_DEPTH);
        // The search first becomes deeper in placements, and then deeper in moves.
        let depths = (1..=all).map(|depth| (depth, 0)).chain((1..=MAX_MOVEMENT_DEPTH).map(|movement| (all, movement)));
        for (depth, movement_depth) in depths {
            if depth > 1 {
                candidates.truncate(WIDTHS[0]);
            }
            self.movement_depth = movement_depth;
            let mut alpha = -INFINITY;
            for (worth, cell) in &mut candidates {
                let value = self.child(self.teams.max_player(), *cell, depth, 0, alpha, INFINITY);
                if self.stopped {
                    return Some(decided);
                }
                *worth = value;
                if value > alpha {
                    alpha = value;
                    // The previous best is searched first, so any higher value is an improvement.
                    decided = (*cell, value, u8::try_from(depth).unwrap_or(u8::MAX) + movement_depth);
                }
            }
            candidates.sort_by_key(|&(worth, _)| Reverse(worth));
        }
        Some(decided)
    }

    /// Returns the candidate floes of a player with their values, best first.
    fn candidates(&mut self, player: usize) -> Vec<(i32, usize)> {
        let next = self.teams.next(player);
        let mut candidates = Vec::new();
        for cell in self.candidate_floes() {
            // At least one candidate is needed, even without time.
            if !candidates.is_empty() && self.limit.is_reached(self.nodes, 1) {
                break;
            }
            self.geometry.put(&mut self.position, player, cell);
            let value = self.evaluate(next);
            self.geometry.put(&mut self.position, player, cell);
            candidates.push((if self.teams.same_team(player, next) { value } else { -value }, cell));
            self.nodes += 1;
        }
        candidates.sort_by_key(|&(worth, _)| Reverse(worth));
        candidates
    }

    /// Returns the evaluation for the team of the player to move.
    fn evaluate(&self, player: usize) -> i32 {
        self.teams.evaluate(self.geometry, &self.position, player, (-INFINITY, INFINITY))
    }

    /// Returns the floes where a penguin can be placed. If there are too many, returns those with the most fish in sight.
    fn candidate_floes(&self) -> Vec<usize> {
        let mut floes: Vec<usize> = (self.position.free & self.geometry.with_one_fish()).iter().collect();
        if floes.len() > MAX_FLOES {
            let fish = |&cell: &usize| self.position.free.rays(cell).map(|to| self.geometry.fish(to)).sum();
            floes.sort_by_cached_key(|cell| Reverse::<i32>(fish(cell)));
            floes.truncate(MAX_FLOES);
        }
        floes
    }

    fn child(&mut self, player: usize, cell: usize, depth: usize, ply: usize, alpha: i32, beta: i32) -> i32 {
        self.geometry.put(&mut self.position, player, cell);
        self.left[player] -= 1;
        let value = self.other(player, self.teams.next(player), depth - 1, ply + 1, alpha, beta);
        self.left[player] += 1;
        self.geometry.put(&mut self.position, player, cell);
        value
    }

    fn other(&mut self, player: usize, next: usize, depth: usize, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.teams.same_team(player, next) {
            self.value(next, depth, ply, alpha, beta)
        } else {
            -self.value(next, depth, ply, -beta, -alpha)
        }
    }

    fn value(&mut self, player: usize, depth: usize, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        self.stopped |= self.limit.is_reached(self.nodes(), 1);
        if self.stopped {
            return 0;
        }
        if self.left[..self.teams.players()].iter().all(|&left| left == 0) {
            // The first player begins the movement.
            let is_same = self.teams.same_team(0, player);
            let bounds = if is_same { (alpha, beta) } else { (-beta, -alpha) };
            let value = self.movement.value_of(&self.position, 0, self.movement_depth, bounds);
            self.stopped |= value.is_none();
            let value = value.unwrap_or_default();
            return if is_same { value } else { -value };
        }
        if depth == 0 {
            return self.evaluate(player);
        }
        let mut candidates = if self.left[player] > 0 { self.candidates(player) } else { Vec::new() };
        if candidates.is_empty() {
            if (self.position.free & self.geometry.with_one_fish()).is_empty() {
                return self.evaluate(player);
            }
            return self.other(player, self.teams.next(player), depth, ply, alpha, beta);
        }
        candidates.truncate(WIDTHS[ply.min(WIDTHS.len() - 1)]);
        let mut best = -INFINITY;
        for (worth, cell) in candidates {
            // At depth 1 the candidate's value is the evaluation already.
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
