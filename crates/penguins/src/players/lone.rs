//! Floes that the penguins of one player alone can reach: how many fish can be caught there is solved exactly.
//!
//! Whether so many fish can be caught is looked for depth first, with less and less asked for. What cannot be caught any
//! more cuts a branch off: floes out of reach, and floes behind a cut floe that has to be landed on, since one side of it is lost
//! then. A cut floe that can be slid straight over is no such loss, so the blocks on both sides of it count as one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::players::bits::{Bits, mixed};
use crate::players::ice::Ice;
use crate::players::search::Limit;

/// What penguins can do where they are alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alone {
    /// How many fish they catch for certain.
    pub fish: i32,
    /// How many they cannot exceed; as many as they catch, when that is proven.
    pub most: i32,
    /// How many moves they make in catching them.
    pub moves: u16,
    /// How many moves they cannot exceed.
    pub most_moves: u16,
}

/// Keys look drawn already.
#[derive(Clone, Copy, Default, Debug)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type Memory<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// What is known of catching fish from a position: so many can be caught, and no more than so many.
type Range = (i32, i32);

/// A way over the floes that was taken without looking back.
#[derive(Clone, Copy, Debug)]
struct Stroll {
    fish: i32,
    moves: u16,
    first: (usize, usize),
}

/// The most positions that are remembered.
const MOST_KNOWN: usize = 1 << 21;

/// One who solves the floes of lone players, and remembers what was solved.
#[derive(Debug)]
pub struct Solver<'l, B> {
    ice: &'l Ice<B>,
    known: Memory<Range>,
    solved: Memory<Alone>,
    strolls: Memory<Stroll>,
    limit: Limit,
    nodes: u64,
    /// When to give up.
    end: u64,
    stopped: bool,
    /// In which order moves are tried that are equally promising.
    salt: u64,
    /// For the blocks.
    order: Vec<u16>,
    low: Vec<u16>,
}

/// How many positions are looked at before less is asked for.
const GLANCE: u64 = 3000;

/// More floes than this are not solved: a way over them is taken without looking back.
const MOST_FLOES: u32 = 256;

impl<'l, B: Bits> Solver<'l, B> {
    /// Time is looked at after so many positions, and on large boards after each.
    const EVERY: u64 = if B::CELLS > 128 { 1 } else { 256 };

    /// A solver on this ice.
    #[must_use]
    pub fn new(ice: &'l Ice<B>, limit: Limit) -> Self {
        let none = vec![0; B::CELLS];
        Self {
            ice,
            known: Memory::default(),
            solved: Memory::default(),
            strolls: Memory::default(),
            limit,
            nodes: 0,
            end: 0,
            stopped: false,
            salt: 0,
            order: none.clone(),
            low: none,
        }
    }

    /// How many positions were looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What the penguins can do on the free floes that they reach, where nobody else comes, looking at so many positions at
    /// most.
    pub fn solve(&mut self, free: B, penguins: B, most_nodes: u64) -> Alone {
        let free = penguins.reach(free);
        let key = key(free, penguins);
        if let Some(&alone) = self.solved.get(&key)
            && (alone.fish == alone.most || most_nodes < 50_000)
        {
            return alone;
        }
        let is_solved = free.count() <= MOST_FLOES;
        let end = if is_solved { self.nodes.saturating_add(most_nodes) } else { self.nodes };
        let most = if is_solved { self.bound(free, penguins) } else { self.ice.fish_on(free) };
        let most_moves = u16::try_from(free.count()).unwrap_or(u16::MAX);
        let mut alone = Alone { fish: 0, most, moves: 0, most_moves };
        let stroll = self.stroll(free, penguins);
        if let Some(stroll) = stroll {
            alone.fish = stroll.fish;
            self.strolls.insert(key, stroll);
        }
        // A little less than all is often found at once.
        let mut asked = most;
        while asked > 0 && alone.fish < asked && self.nodes < end && !self.limit.is_reached(self.nodes, 1) {
            match self.tries(free, penguins, asked, end.min(self.nodes + GLANCE)) {
                Some(true) => alone.fish = asked,
                Some(false) => alone.most = asked - 1,
                None => {}
            }
            asked -= 1;
        }
        // In another order what is asked for may be found sooner. What was seen to lead nowhere is remembered.
        let mut patience = GLANCE;
        while alone.fish < alone.most && self.nodes < end && !self.limit.is_reached(self.nodes, 1) {
            self.salt += 1;
            match self.tries(free, penguins, alone.fish + 1, end.min(self.nodes + patience)) {
                Some(true) => alone.fish += 1,
                Some(false) => alone.most = alone.fish,
                None => patience += patience / 2,
            }
        }
        self.salt = 0;
        alone.moves = match stroll {
            Some(stroll) if stroll.fish == alone.fish => stroll.moves,
            _ => self.moves(free, penguins, alone.fish),
        };
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        self.solved.insert(key, alone);
        alone
    }

    /// Moves on and on to where the most fish stay within reach, and of such floes to the one with the fewest ways on, as long as
    /// there is time. On very many floes only the ways on are looked at.
    fn stroll(&self, free: B, penguins: B) -> Option<Stroll> {
        let (mut free, mut penguins) = (free, penguins);
        let mut stroll: Option<Stroll> = None;
        loop {
            let moves = self.ordered(free, penguins);
            let hope = |&&(_, from, to): &&(u64, usize, usize)| {
                let (free, penguins) = after(free, penguins, from, to);
                self.ice.fish(to) + self.within_reach(free, penguins)
            };
            // Of several equal ones, the last is taken.
            let best = if free.count() > MOST_FLOES { moves.first() } else { moves.iter().rev().max_by_key(hope) };
            let Some(&(_, from, to)) = best else { return stroll };
            if stroll.is_some() && self.limit.is_late() {
                return stroll;
            }
            let so_far = stroll.get_or_insert(Stroll { fish: 0, moves: 0, first: (from, to) });
            so_far.fish += self.ice.fish(to);
            so_far.moves += 1;
            (free, penguins) = after(free, penguins, from, to);
        }
    }

    /// How many fish are within reach of penguins, of whom each can go on in one piece of the ice only.
    fn within_reach(&self, free: B, penguins: B) -> i32 {
        let mut sum = 0;
        for penguin in penguins.all() {
            sum += pieces(free, penguin).map(|piece| self.ice.fish_on(piece)).max().unwrap_or(0);
        }
        sum.min(self.ice.fish_on(free))
    }

    /// Whether so many fish can be caught; nothing when that is not known before the end.
    fn tries(&mut self, free: B, penguins: B, fish: i32, end: u64) -> Option<bool> {
        self.stopped = false;
        self.end = end;
        let is_caught = self.catches(free, penguins, fish);
        if is_caught || !self.stopped { Some(is_caught) } else { None }
    }

    /// The first move of a way to catch so many fish, if there is one that was found.
    pub fn first_move(&mut self, free: B, penguins: B, fish: i32) -> Option<(usize, usize)> {
        let free = penguins.reach(free);
        self.end = u64::MAX;
        self.stopped = false;
        if let Some(stroll) = self.strolls.get(&key(free, penguins)).filter(|stroll| stroll.fish >= fish) {
            return Some(stroll.first);
        }
        self.first_known(free, penguins, fish)
    }

    /// How many moves are made in catching so many fish, in a way that was found before.
    fn moves(&mut self, free: B, penguins: B, fish: i32) -> u16 {
        let (mut free, mut penguins, mut fish, mut moves) = (free, penguins, fish, 0);
        self.end = self.nodes + 100_000;
        self.stopped = false;
        // Moves that catch more than is asked for may follow, and are not counted.
        while fish > 0 && !self.stopped {
            let Some((from, to)) = self.first_known(free, penguins, fish) else { break };
            (free, penguins) = after(free, penguins, from, to);
            fish -= self.ice.fish(to);
            moves += 1;
        }
        moves
    }

    fn first_known(&mut self, free: B, penguins: B, fish: i32) -> Option<(usize, usize)> {
        let moves = self.ordered(free, penguins);
        moves.into_iter().map(|(_, from, to)| (from, to)).find(|&(from, to)| {
            let (free, penguins) = after(free, penguins, from, to);
            self.catches(free, penguins, fish - self.ice.fish(to))
        })
    }

    /// The moves, the floes with the fewest ways on first.
    fn ordered(&self, free: B, penguins: B) -> Vec<(u64, usize, usize)> {
        let mut moves = Vec::with_capacity(16);
        for from in penguins.all() {
            free.along(from).for_each(|to| {
                let ways = u64::from((B::of(to).beside() & free).count());
                let is_step = B::of(from).beside().has(to);
                let chance = if self.salt == 0 { 0 } else { mixed(self.salt << 16 | to as u64) % 5 };
                moves.push((4 * ways + if is_step { 0 } else { 6 } + chance, from, to));
            });
        }
        moves.sort_unstable();
        moves
    }

    /// Whether so many fish can be caught on these floes, all of which are within reach.
    fn catches(&mut self, free: B, penguins: B, fish: i32) -> bool {
        if fish <= 0 {
            return true;
        }
        if self.stopped {
            return false;
        }
        if self.ice.fish_on(free) < fish {
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
        if self.nodes >= self.end || self.limit.is_reached(self.nodes, Self::EVERY) {
            self.stopped = true;
            return false;
        }
        let bound = self.bound(free, penguins);
        let mut is_caught = false;
        if bound >= fish {
            for (_, from, to) in self.ordered(free, penguins) {
                let (free, penguins) = after(free, penguins, from, to);
                is_caught = self.catches(free, penguins, fish - self.ice.fish(to));
                if is_caught || self.stopped {
                    break;
                }
            }
            if self.stopped && !is_caught {
                return false;
            }
        }
        let range = self.known.entry(key).or_insert((0, bound));
        if is_caught {
            range.0 = range.0.max(fish);
        } else {
            range.1 = range.1.min(fish - 1).min(bound);
        }
        is_caught
    }

    /// How many fish the penguins cannot exceed: of each alone what it could catch, and together no more than there is.
    fn bound(&mut self, free: B, penguins: B) -> i32 {
        let all = self.ice.fish_on(free);
        let mut sum = 0;
        for penguin in penguins.all() {
            sum += self.bound_of(free, penguin);
            if sum >= all {
                return all;
            }
        }
        sum
    }

    /// How many fish one penguin cannot exceed.
    fn bound_of(&mut self, free: B, penguin: usize) -> i32 {
        let mut most = 0;
        for piece in pieces(free, penguin) {
            let fish = self.ice.fish_on(piece);
            if fish > most {
                most = most.max(self.bound_of_piece(piece, penguin, fish));
            }
        }
        most
    }

    /// How many fish a penguin cannot exceed on a connected piece of ice with so many.
    fn bound_of_piece(&mut self, piece: B, penguin: usize, fish: i32) -> i32 {
        let mut blocks: Vec<B> = Vec::new();
        self.find_blocks(piece, &mut blocks);
        if blocks.len() <= 1 {
            return fish;
        }
        let bridges = Self::bridges(&blocks);
        let seen = piece.along(penguin).fold(B::EMPTY, |seen, cell| seen | B::of(cell));
        let starts = (0..blocks.len()).filter(|&at| !(blocks[at] & seen).is_empty());
        starts.map(|at| self.longest(&blocks, &bridges, at, usize::MAX)).max().unwrap_or(0)
    }

    /// The most fish on a way through the blocks that begins in this one, when a cell is landed on before, and gone. All blocks
    /// that can be reached by sliding straight over cut floes count; any other cut floe is landed on, and leads to one block more.
    fn longest(&self, blocks: &[B], bridges: &[(usize, usize, usize)], at: usize, gone: usize) -> i32 {
        let mut together = vec![at];
        let mut all = blocks[at];
        let mut next = 0;
        while let Some(&block) = together.get(next) {
            for &(one, other, cell) in bridges {
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
                more = more.max(self.longest(blocks, bridges, to, cell) - self.ice.fish(cell));
            }
        }
        self.ice.fish_on(all) + more
    }

    /// Which two blocks meet in a floe that can be slid straight over from one to the other, and the floe.
    fn bridges(blocks: &[B]) -> Vec<(usize, usize, usize)> {
        let mut bridges = Vec::new();
        for (one, &block) in blocks.iter().enumerate() {
            for (other, &beside) in blocks.iter().enumerate().skip(one + 1) {
                let common = block & beside;
                if !common.is_empty() && Self::is_straight(common.first(), block, beside) {
                    bridges.push((one, other, common.first()));
                }
            }
        }
        bridges
    }

    /// Whether the two cells on opposite sides of a cell are one in each of two blocks.
    fn is_straight(cell: usize, one: B, other: B) -> bool {
        let sides = B::sides(cell);
        let is_in = |block: B, side: Option<usize>| side.is_some_and(|side| block.has(side));
        sides
            .chunks_exact(2)
            .any(|pair| is_in(one, pair[0]) && is_in(other, pair[1]) || is_in(one, pair[1]) && is_in(other, pair[0]))
    }

    /// The blocks of a connected piece: the largest parts that hang together by more than one floe. (John Hopcroft and Robert
    /// Tarjan, "Efficient algorithms for graph manipulation", 1973.)
    fn find_blocks(&mut self, piece: B, blocks: &mut Vec<B>) {
        for cell in piece.all() {
            self.order[cell] = 0;
        }
        let mut stack: Vec<usize> = Vec::with_capacity(64);
        // Each cell on the way here, and what beside it is still to be looked at.
        let mut way: Vec<(usize, B)> = Vec::with_capacity(64);
        let mut count = 0;
        let root = piece.first();
        let mut enter = |solver: &mut Self, cell: usize, way: &mut Vec<(usize, B)>, stack: &mut Vec<usize>| {
            count += 1;
            solver.order[cell] = count;
            solver.low[cell] = count;
            stack.push(cell);
            way.push((cell, B::of(cell).beside() & piece));
        };
        enter(self, root, &mut way, &mut stack);
        while let Some((cell, beside)) = way.last_mut() {
            let cell = *cell;
            if beside.is_empty() {
                way.pop();
                let Some(&(parent, _)) = way.last() else { break };
                self.low[parent] = self.low[parent].min(self.low[cell]);
                if self.low[cell] >= self.order[parent] {
                    let mut block = B::of(parent);
                    while let Some(member) = stack.pop() {
                        block.flip(member);
                        if member == cell {
                            break;
                        }
                    }
                    blocks.push(block);
                }
                continue;
            }
            let next = beside.first();
            beside.flip(next);
            if self.order[next] == 0 {
                enter(self, next, &mut way, &mut stack);
            } else {
                self.low[cell] = self.low[cell].min(self.order[next]);
            }
        }
    }
}

/// What is within reach after a slide.
fn after<B: Bits>(mut free: B, mut penguins: B, from: usize, to: usize) -> (B, B) {
    free.flip(to);
    penguins.flip(from);
    penguins.flip(to);
    (penguins.reach(free), penguins)
}

/// The connected pieces of free floes that begin beside a penguin.
fn pieces<B: Bits>(free: B, penguin: usize) -> impl Iterator<Item = B> {
    let mut left = B::of(penguin).beside() & free;
    std::iter::from_fn(move || {
        let first = left.all().next().map(B::of)?;
        let piece = first.reach(free) | first;
        left = left - piece;
        Some(piece)
    })
}

/// A number that looks drawn, for floes and penguins.
fn key<B: Bits>(free: B, penguins: B) -> u64 {
    penguins.hash(free.hash(0))
}

#[cfg(test)]
mod tests {
    use constructor_common::rng::{below, from_seed};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::{Board, Field, Number, Place};
    use crate::players::bits::Block;

    type Small = Block<8, 8>;

    /// A piece of random ice with so many penguins of one player.
    fn piece(random: &mut ChaCha8Rng, rows: usize, columns: usize, penguins: usize) -> (Ice<Small>, Small, Small) {
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
        let (ice, position) = Ice::cut(&board, (Place::new(0, 0), rows, columns), &[player]);
        (ice, position.free, position.penguins[0])
    }

    /// The most fish, by trying everything, and the most moves.
    fn by_trying(
        ice: &Ice<Small>,
        free: Small,
        penguins: Small,
        tried: &mut HashMap<(Small, Small), (i32, u16)>,
    ) -> (i32, u16) {
        if let Some(&most) = tried.get(&(free, penguins)) {
            return most;
        }
        let mut most = (0, 0);
        for from in penguins.all() {
            for to in free.along(from) {
                let (free, penguins) = (free - Small::of(to), (penguins - Small::of(from)) | Small::of(to));
                let next = by_trying(ice, free, penguins, tried);
                most = (most.0.max(next.0 + ice.fish(to)), most.1.max(next.1 + 1));
            }
        }
        tried.insert((free, penguins), most);
        most
    }

    #[test]
    fn small_pieces_are_solved_as_by_trying_everything() {
        let random = &mut from_seed(1);
        let mut seen = 0;
        for at in 0..3000 {
            let (rows, columns) = [(3, 4), (4, 4), (3, 5), (2, 7)][at % 4];
            let (ice, free, penguins) = piece(random, rows, columns, 1 + at / 4 % 2);
            let within_reach = penguins.reach(free);
            if within_reach.count() > 12 {
                continue;
            }
            seen += 1;
            let mut solver = Solver::new(&ice, Limit::NONE);
            let alone = solver.solve(free, penguins, u64::MAX);
            let (fish, moves) = by_trying(&ice, within_reach, penguins, &mut HashMap::new());
            assert_eq!((alone.fish, alone.most), (fish, fish), "{at}");
            assert!(alone.moves <= moves && moves <= alone.most_moves, "{at}: {alone:?} {moves}");
            assert!(solver.bound(within_reach, penguins) >= fish, "{at}");
        }
        assert!(seen > 1500, "{seen}");
    }
}
