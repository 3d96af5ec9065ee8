//! Exact solutions of solo regions: the maximum number of fish that the penguins of one player can catch in a region that no other player
//! can reach.
//!
//! A depth-first search proves whether a number of fish can be caught, for decreasing numbers. An upper bound prunes the search: floes out
//! of reach are lost, and so is one side of an articulation floe that must be landed on. An articulation floe that can be slid over in a
//! straight line loses nothing, so the blocks on both of its sides count as one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::players::bitboard::{Bitboard, hash_u64};
use crate::players::geometry::Geometry;
use crate::players::limit::Limit;

/// Bounds on what penguins can do in a solo region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoloBounds {
    /// A lower bound on the number of fish: it is proven that this many can be caught.
    pub fish: i32,
    /// An upper bound on the fish; equal to `fish` if the region is solved.
    pub max_fish: i32,
    /// The number of moves made in catching `fish`.
    pub moves: u16,
    /// An upper bound of the number of moves.
    pub max_moves: u16,
}

/// The identity as hash function: keys are hashes already.
#[derive(Clone, Copy, Default, Debug)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<IdentityHasher>>;

/// A lower and an upper bound on the fish that can be caught from a position.
type Range = (i32, i32);

/// A path found greedily.
#[derive(Clone, Copy, Debug)]
struct GreedyPath {
    fish: i32,
    moves: u16,
    first: (usize, usize),
}

/// The maximum number of stored positions.
const MAX_ENTRIES: usize = 1 << 21;

/// A solver of solo regions, with a memory of solved positions.
#[derive(Debug)]
pub struct SoloSolver<'l, B> {
    geometry: &'l Geometry<B>,
    known: KeyMap<Range>,
    solved: KeyMap<SoloBounds>,
    greedy_paths: KeyMap<GreedyPath>,
    limit: Limit,
    nodes: u64,
    /// The node count at which the current proof is abandoned.
    end: u64,
    stopped: bool,
    /// Permutes the order of equally promising moves; 0 for the default order.
    permutation: u64,
    /// Scratch space of [`Self::find_blocks`]: discovery numbers and low links.
    discovery: Vec<u16>,
    low_link: Vec<u16>,
}

/// The node limit of each proof, after which a smaller number of fish is tried.
const NODES_PER_TRY: u64 = 3000;

/// The maximum number of floes of a region that is solved. Larger regions are searched greedily.
const MAX_FLOES: u32 = 256;

impl<'l, B: Bitboard> SoloSolver<'l, B> {
    /// The number of positions between two readings of the clock. On large boards, each position takes long.
    const CLOCK_INTERVAL: u64 = if B::CELLS > 128 { 1 } else { 256 };

    /// Makes a solver on this board.
    #[must_use]
    pub fn new(geometry: &'l Geometry<B>, limit: Limit) -> Self {
        let none = vec![0; B::CELLS];
        Self {
            geometry,
            known: KeyMap::default(),
            solved: KeyMap::default(),
            greedy_paths: KeyMap::default(),
            limit,
            nodes: 0,
            end: 0,
            stopped: false,
            permutation: 0,
            discovery: none.clone(),
            low_link: none,
        }
    }

    /// Returns the number of positions searched.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Finds bounds for the penguins on the free floes that they reach, and searches at most `max_nodes` positions.
    pub fn solve(&mut self, free: B, penguins: B, max_nodes: u64) -> SoloBounds {
        let free = penguins.flood_fill(free);
        let key = key(free, penguins);
        if let Some(&alone) = self.solved.get(&key)
            && (alone.fish == alone.max_fish || max_nodes < 50_000)
        {
            return alone;
        }
        let is_solved = free.count() <= MAX_FLOES;
        let end = if is_solved { self.nodes.saturating_add(max_nodes) } else { self.nodes };
        let bound = if is_solved { self.bound(free, penguins) } else { self.geometry.fish_on(free) };
        let max_moves = u16::try_from(free.count()).unwrap_or(u16::MAX);
        let mut alone = SoloBounds { fish: 0, max_fish: bound, moves: 0, max_moves };
        let path = self.greedy_path(free, penguins);
        if let Some(path) = path {
            alone.fish = path.fish;
            self.greedy_paths.insert(key, path);
        }
        // Slightly less than the upper bound is often found immediately.
        let mut target = bound;
        while target > 0 && alone.fish < target && self.nodes < end && !self.limit.is_reached(self.nodes, 1) {
            match self.prove(free, penguins, target, end.min(self.nodes + NODES_PER_TRY)) {
                Some(true) => alone.fish = target,
                Some(false) => alone.max_fish = target - 1,
                None => {}
            }
            target -= 1;
        }
        // Another move order may succeed sooner. Refuted positions stay in memory.
        let mut patience = NODES_PER_TRY;
        while alone.fish < alone.max_fish && self.nodes < end && !self.limit.is_reached(self.nodes, 1) {
            self.permutation += 1;
            match self.prove(free, penguins, alone.fish + 1, end.min(self.nodes + patience)) {
                Some(true) => alone.fish += 1,
                Some(false) => alone.max_fish = alone.fish,
                None => patience += patience / 2,
            }
        }
        self.permutation = 0;
        alone.moves = match path {
            Some(path) if path.fish == alone.fish => path.moves,
            _ => self.moves(free, penguins, alone.fish),
        };
        if self.known.len() > MAX_ENTRIES {
            self.known.clear();
        }
        self.solved.insert(key, alone);
        alone
    }

    /// Builds a path, while there is time. Each move keeps the most fish reachable; ties are broken by the fewest exits.
    ///
    /// In very large regions only the exits count.
    fn greedy_path(&self, free: B, penguins: B) -> Option<GreedyPath> {
        let (mut free, mut penguins) = (free, penguins);
        let mut path: Option<GreedyPath> = None;
        loop {
            let moves = self.ordered(free, penguins);
            let upper_bound = |&&(_, from, to): &&(u64, usize, usize)| {
                let (free, penguins) = after(free, penguins, from, to);
                self.geometry.fish(to) + self.reachable_fish(free, penguins)
            };
            // `max_by_key` takes the last of equal moves; the order is reversed, so that this is the first in `moves`.
            let best =
                if free.count() > MAX_FLOES { moves.first() } else { moves.iter().rev().max_by_key(upper_bound) };
            let Some(&(_, from, to)) = best else { return path };
            if path.is_some() && self.limit.deadline_passed() {
                return path;
            }
            let so_far = path.get_or_insert(GreedyPath { fish: 0, moves: 0, first: (from, to) });
            so_far.fish += self.geometry.fish(to);
            so_far.moves += 1;
            (free, penguins) = after(free, penguins, from, to);
        }
    }

    /// Returns the number of fish that the penguins can still reach, given that each penguin can continue in only one connected piece.
    fn reachable_fish(&self, free: B, penguins: B) -> i32 {
        let mut sum = 0;
        for penguin in penguins.iter() {
            sum += pieces(free, penguin).map(|piece| self.geometry.fish_on(piece)).max().unwrap_or(0);
        }
        sum.min(self.geometry.fish_on(free))
    }

    /// Decides whether `fish` can be caught. Returns `None` if the search reaches the node limit before that.
    fn prove(&mut self, free: B, penguins: B, fish: i32, end: u64) -> Option<bool> {
        self.stopped = false;
        self.end = end;
        let succeeds = self.can_catch(free, penguins, fish);
        if succeeds || !self.stopped { Some(succeeds) } else { None }
    }

    /// Returns the first move of a path that catches `fish`; `None` if no such path was found.
    pub fn first_move(&mut self, free: B, penguins: B, fish: i32) -> Option<(usize, usize)> {
        let free = penguins.flood_fill(free);
        self.end = u64::MAX;
        self.stopped = false;
        if let Some(path) = self.greedy_paths.get(&key(free, penguins)).filter(|path| path.fish >= fish) {
            return Some(path.first);
        }
        self.first_known(free, penguins, fish)
    }

    /// Returns the number of moves of a known path that catches `fish`.
    fn moves(&mut self, free: B, penguins: B, fish: i32) -> u16 {
        let (mut free, mut penguins, mut fish, mut moves) = (free, penguins, fish, 0);
        self.end = self.nodes + 100_000;
        self.stopped = false;
        // Further moves may be possible after the last fish. They are not counted.
        while fish > 0 && !self.stopped {
            let Some((from, to)) = self.first_known(free, penguins, fish) else { break };
            (free, penguins) = after(free, penguins, from, to);
            fish -= self.geometry.fish(to);
            moves += 1;
        }
        moves
    }

    fn first_known(&mut self, free: B, penguins: B, fish: i32) -> Option<(usize, usize)> {
        let moves = self.ordered(free, penguins);
        moves.into_iter().map(|(_, from, to)| (from, to)).find(|&(from, to)| {
            let (free, penguins) = after(free, penguins, from, to);
            self.can_catch(free, penguins, fish - self.geometry.fish(to))
        })
    }

    /// Returns the moves, sorted by the number of exits of the target (Warnsdorff's rule).
    fn ordered(&self, free: B, penguins: B) -> Vec<(u64, usize, usize)> {
        let mut moves = Vec::with_capacity(16);
        for from in penguins.iter() {
            free.rays(from).for_each(|to| {
                let ways = u64::from((B::single(to).neighbours() & free).count());
                let is_step = B::single(from).neighbours().contains(to);
                let chance = if self.permutation == 0 { 0 } else { hash_u64(self.permutation << 16 | to as u64) % 5 };
                moves.push((4 * ways + if is_step { 0 } else { 6 } + chance, from, to));
            });
        }
        moves.sort_unstable();
        moves
    }

    /// Searches for a way to catch `fish` on these floes, and returns whether one was found. All floes must be reachable.
    fn can_catch(&mut self, free: B, penguins: B, fish: i32) -> bool {
        if fish <= 0 {
            return true;
        }
        if self.stopped {
            return false;
        }
        if self.geometry.fish_on(free) < fish {
            return false;
        }
        let key = key(free, penguins);
        if let Some(&(least, most)) = self.known.get(&key) {
            if least >= fish {
                return true;
            }
            if most < fish {
                return false;
            }
        }
        self.nodes += 1;
        if self.nodes >= self.end || self.limit.is_reached(self.nodes, Self::CLOCK_INTERVAL) {
            self.stopped = true;
            return false;
        }
        let bound = self.bound(free, penguins);
        let mut succeeds = false;
        if bound >= fish {
            for (_, from, to) in self.ordered(free, penguins) {
                let (free, penguins) = after(free, penguins, from, to);
                succeeds = self.can_catch(free, penguins, fish - self.geometry.fish(to));
                if succeeds || self.stopped {
                    break;
                }
            }
            if self.stopped && !succeeds {
                return false;
            }
        }
        let range = self.known.entry(key).or_insert((0, bound));
        if succeeds {
            range.0 = range.0.max(fish);
        } else {
            range.1 = range.1.min(fish - 1).min(bound);
        }
        succeeds
    }

    /// Returns an upper bound on the fish that all penguins can catch: the sum of the penguins' own bounds, but at most all fish.
    fn bound(&mut self, free: B, penguins: B) -> i32 {
        let all = self.geometry.fish_on(free);
        let mut sum = 0;
        for penguin in penguins.iter() {
            sum += self.bound_of(free, penguin);
            if sum >= all {
                return all;
            }
        }
        sum
    }

    /// Returns an upper bound on the fish that one penguin can catch.
    fn bound_of(&mut self, free: B, penguin: usize) -> i32 {
        let mut most = 0;
        for piece in pieces(free, penguin) {
            let fish = self.geometry.fish_on(piece);
            if fish > most {
                most = most.max(self.bound_of_piece(piece, penguin, fish));
            }
        }
        most
    }

    /// Returns an upper bound on the fish that one penguin can catch on a connected piece, which has `fish` in total.
    fn bound_of_piece(&mut self, piece: B, penguin: usize, fish: i32) -> i32 {
        let mut blocks: Vec<B> = Vec::new();
        self.find_blocks(piece, &mut blocks);
        if blocks.len() <= 1 {
            return fish;
        }
        let straight_cuts = Self::straight_cuts(&blocks);
        let seen = piece.rays(penguin).fold(B::EMPTY, |seen, cell| seen | B::single(cell));
        let starts = (0..blocks.len()).filter(|&at| !(blocks[at] & seen).is_empty());
        starts.map(|at| self.longest(&blocks, &straight_cuts, at, usize::MAX)).max().unwrap_or(0)
    }

    /// Returns the maximum number of fish on a path through the block tree from this block, after landing on cell `gone`.
    ///
    /// All blocks that can be reached by sliding straight over articulation floes count. A penguin must land on any other articulation
    /// floe, and only one more block can be reached from there.
    fn longest(&self, blocks: &[B], straight_cuts: &[(usize, usize, usize)], at: usize, gone: usize) -> i32 {
        let mut together = vec![at];
        let mut all = blocks[at];
        let mut next = 0;
        while let Some(&block) = together.get(next) {
            for &(one, other, cell) in straight_cuts {
                let to = if one == block { other } else { one };
                if (one == block || other == block) && cell != gone && !together.contains(&to) {
                    together.push(to);
                    all = all | blocks[to];
                }
            }
            next += 1;
        }
        let mut more = 0;
        for (to, &block) in blocks.iter().enumerate() {
            let common = all & block;
            if !common.is_empty() && !together.contains(&to) && common.first() != gone {
                let cell = common.first();
                more = more.max(self.longest(blocks, straight_cuts, to, cell) - self.geometry.fish(cell));
            }
        }
        self.geometry.fish_on(all) + more
    }

    /// Returns the pairs of blocks that share an articulation floe, each with this floe. Only floes that a penguin can slide over in a
    /// straight line, from one block to the other, are included.
    fn straight_cuts(blocks: &[B]) -> Vec<(usize, usize, usize)> {
        let mut straight_cuts = Vec::new();
        for (one, &block) in blocks.iter().enumerate() {
            for (other, &beside) in blocks.iter().enumerate().skip(one + 1) {
                let common = block & beside;
                if !common.is_empty() && Self::is_straight(common.first(), block, beside) {
                    straight_cuts.push((one, other, common.first()));
                }
            }
        }
        straight_cuts
    }

    /// Returns whether two opposite neighbours of a cell belong to the two blocks.
    fn is_straight(cell: usize, one: B, other: B) -> bool {
        let neighbours = B::adjacent(cell);
        let is_in = |block: B, side: Option<usize>| side.is_some_and(|side| block.contains(side));
        neighbours
            .chunks_exact(2)
            .any(|pair| is_in(one, pair[0]) && is_in(other, pair[1]) || is_in(one, pair[1]) && is_in(other, pair[0]))
    }

    /// Finds the biconnected components of a connected piece.
    ///
    /// (John Hopcroft and Robert Tarjan, "Efficient algorithms for graph manipulation", 1973.)
    fn find_blocks(&mut self, piece: B, blocks: &mut Vec<B>) {
        for cell in piece.iter() {
            self.discovery[cell] = 0;
        }
        let mut stack: Vec<usize> = Vec::with_capacity(64);
        // The cells of the path to this cell, each with its neighbours that are not visited yet.
        let mut way: Vec<(usize, B)> = Vec::with_capacity(64);
        let mut count = 0;
        let root = piece.first();
        let mut enter = |solver: &mut Self, cell: usize, way: &mut Vec<(usize, B)>, stack: &mut Vec<usize>| {
            count += 1;
            solver.discovery[cell] = count;
            solver.low_link[cell] = count;
            stack.push(cell);
            way.push((cell, B::single(cell).neighbours() & piece));
        };
        enter(self, root, &mut way, &mut stack);
        while let Some((cell, beside)) = way.last_mut() {
            let cell = *cell;
            if beside.is_empty() {
                way.pop();
                let Some(&(parent, _)) = way.last() else { break };
                self.low_link[parent] = self.low_link[parent].min(self.low_link[cell]);
                if self.low_link[cell] >= self.discovery[parent] {
                    let mut block = B::single(parent);
                    while let Some(member) = stack.pop() {
                        block.toggle(member);
                        if member == cell {
                            break;
                        }
                    }
                    blocks.push(block);
                }
                continue;
            }
            let next = beside.first();
            beside.toggle(next);
            if self.discovery[next] == 0 {
                enter(self, next, &mut way, &mut stack);
            } else {
                self.low_link[cell] = self.low_link[cell].min(self.discovery[next]);
            }
        }
    }
}

/// Returns the reachable floes and the penguins after a slide.
fn after<B: Bitboard>(mut free: B, mut penguins: B, from: usize, to: usize) -> (B, B) {
    free.toggle(to);
    penguins.toggle(from);
    penguins.toggle(to);
    (penguins.flood_fill(free), penguins)
}

/// Returns the connected pieces of free floes next to a penguin.
fn pieces<B: Bitboard>(free: B, penguin: usize) -> impl Iterator<Item = B> {
    let mut left = B::single(penguin).neighbours() & free;
    std::iter::from_fn(move || {
        let first = left.iter().next().map(B::single)?;
        let piece = first.flood_fill(free) | first;
        left = left - piece;
        Some(piece)
    })
}

/// Returns a hash of floes and penguins.
fn key<B: Bitboard>(free: B, penguins: B) -> u64 {
    penguins.hash(free.hash(0))
}

#[cfg(test)]
mod tests {
    use constructor_common::rng::{below, from_seed};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::{Board, Field, Number, Place};
    use crate::players::bitboard::Packed;

    type Small = Packed<8, 8>;

    /// Returns a random board with penguins of one player.
    fn piece(random: &mut ChaCha8Rng, rows: usize, columns: usize, penguins: usize) -> (Geometry<Small>, Small, Small) {
        let mut board = Board::new(rows, columns).unwrap();
        for place in board.places() {
            let fish = below(random, 6);
            board.set(place, if fish < 2 { Field::Water } else { Field::Floe([1, 1, 2, 3][fish as usize - 2]) });
        }
        let player = Number::new(1).unwrap();
        for _ in 0..penguins {
            let places: Vec<Place> = board.places().collect();
            let place = places[below(random, u32::try_from(places.len()).unwrap()) as usize];
            board.set(place, Field::Penguin(player));
        }
        let (geometry, position) = Geometry::from_board(&board, (Place::new(0, 0), rows, columns), &[player]);
        (geometry, position.free, position.penguins[0])
    }

    /// Returns the maximum fish and the maximum moves by exhaustive search.
    fn exhaustive_search(
        geometry: &Geometry<Small>,
        free: Small,
        penguins: Small,
        tried: &mut HashMap<(Small, Small), (i32, u16)>,
    ) -> (i32, u16) {
        if let Some(&most) = tried.get(&(free, penguins)) {
            return most;
        }
        let mut most = (0, 0);
        for from in penguins.iter() {
            for to in free.rays(from) {
                let (free, penguins) = (free - Small::single(to), (penguins - Small::single(from)) | Small::single(to));
                let next = exhaustive_search(geometry, free, penguins, tried);
                most = (most.0.max(next.0 + geometry.fish(to)), most.1.max(next.1 + 1));
            }
        }
        tried.insert((free, penguins), most);
        most
    }

    #[test]
    fn solve_equals_exhaustive_search_on_small_regions() {
        let random = &mut from_seed(1);
        let mut seen = 0;
        for at in 0..3000 {
            let (rows, columns) = [(3, 4), (4, 4), (3, 5), (2, 7)][at % 4];
            let (geometry, free, penguins) = piece(random, rows, columns, 1 + at / 4 % 2);
            let reachable = penguins.flood_fill(free);
            if reachable.count() > 12 {
                continue;
            }
            seen += 1;
            let mut solver = SoloSolver::new(&geometry, Limit::NONE);
            let alone = solver.solve(free, penguins, u64::MAX);
            let (fish, moves) = exhaustive_search(&geometry, reachable, penguins, &mut HashMap::new());
            assert_eq!((alone.fish, alone.max_fish), (fish, fish), "{at}");
            assert!(alone.moves <= moves && moves <= alone.max_moves, "{at}: {alone:?} {moves}");
            assert!(solver.bound(reachable, penguins) >= fish, "{at}");
        }
        assert!(seen > 1500, "{seen}");
    }
}
