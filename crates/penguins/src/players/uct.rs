//! Plain UCT: a tree that grows by one position for each random game. (Levente Kocsis and Csaba Szepesvári, "Bandit based
//! Monte-Carlo planning", 2006.)

use std::time::Instant;

use constructor_common::rng::{below, from_seed};
use rand_chacha::ChaCha8Rng;

use crate::board::{Number, Place};
use crate::game::{Action, Game, Phase};
use crate::players::Player;
use crate::players::bits::{Bits, with_bits};
use crate::players::ice::{Ice, Move, Position};
use crate::players::simple::Greedy;

/// How much a move is tried that was tried little.
const CURIOSITY: f64 = 1.0;

/// The most positions that are kept.
const MOST_NODES: usize = 1 << 20;

/// The plain UCT player. It places greedily.
#[derive(Clone, Debug)]
pub struct Uct(ChaCha8Rng);

impl Uct {
    /// A player by this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(from_seed(seed))
    }
}

impl Player for Uct {
    fn decide(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        if !matches!(game.phase(), Phase::Movement) {
            return Greedy.decide(game, deadline);
        }
        with_bits!((game.board().rows(), game.board().columns()), |B| self.on::<B>(game, deadline))
    }
}

/// A position in the tree.
struct Node {
    /// The move that led to it.
    step: Move,
    visits: u32,
    /// The sum of what the one who moved to it got in all games through it.
    sum: f64,
    /// Where the positions behind it are, once it has been looked at.
    children: Option<(usize, usize)>,
}

impl Uct {
    fn on<B: Bits>(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
        let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
        let (ice, root) = Ice::<B>::cut(game.board(), whole, &players);
        let mut nodes = vec![Node { step: (0, 0), visits: 0, sum: 0.0, children: None }];
        while nodes.len() < MOST_NODES && (Instant::now() < deadline || nodes[0].visits < 2) {
            let (mut position, mut player, mut at) = (root.clone(), game.turn(), 0);
            let mut scores = vec![0; players.len()];
            let mut path = vec![];
            loop {
                let (first, end) = if let Some(children) = nodes[at].children {
                    children
                } else {
                    let first = nodes.len();
                    nodes.extend(position.moves(player).map(|step| Node { step, visits: 0, sum: 0.0, children: None }));
                    nodes[at].children = Some((first, nodes.len()));
                    (first, nodes.len())
                };
                if first == end {
                    // One who has no move is passed over: the random game goes on from here.
                    break;
                }
                let parent = f64::from(nodes[at].visits.max(1)).ln();
                let worth = |node: &Node| match f64::from(node.visits) {
                    0.0 => f64::INFINITY,
                    visits => node.sum / visits + CURIOSITY * (parent / visits).sqrt(),
                };
                at = (first..end).max_by(|&one, &other| worth(&nodes[one]).total_cmp(&worth(&nodes[other])))?;
                let (from, to) = nodes[at].step;
                ice.slide(&mut position, player, from.into(), to.into());
                scores[player] += ice.fish(to.into());
                path.push((at, player));
                player = (player + 1) % players.len();
                if nodes[at].visits == 0 {
                    break;
                }
            }
            self.play_on(&ice, &mut position, player, &mut scores);
            nodes[0].visits += 1;
            for (at, player) in path {
                let others = (0..scores.len()).filter(|&other| other != player).map(|other| scores[other]).max();
                let lead = f64::from(scores[player] - others.unwrap_or(0));
                nodes[at].visits += 1;
                nodes[at].sum += 0.5 + 0.5 * (lead / 10.0).tanh();
            }
        }
        let (first, end) = nodes[0].children?;
        let best = (first..end).max_by_key(|&at| nodes[at].visits)?;
        let (from, to) = nodes[best].step;
        Some(Action::Slide { from: ice.place(from.into()), to: ice.place(to.into()) })
    }

    /// Plays on at random until nobody can move.
    fn play_on<B: Bits>(&mut self, ice: &Ice<B>, position: &mut Position<B>, mut player: usize, scores: &mut [i32]) {
        let mut passed = 0;
        while passed < scores.len() {
            let moves: Vec<Move> = position.moves(player).collect();
            match u32::try_from(moves.len()) {
                Ok(count @ 1..) => {
                    let (from, to) = moves[below(&mut self.0, count) as usize];
                    ice.slide(position, player, from.into(), to.into());
                    scores[player] += ice.fish(to.into());
                    passed = 0;
                }
                _ => passed += 1,
            }
            player = (player + 1) % scores.len();
        }
    }
}
