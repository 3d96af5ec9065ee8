//! Plain UCT: Monte-Carlo tree search with UCB1 and uniformly random playouts. (Levente Kocsis and Csaba Szepesvári, "Bandit
//! based Monte-Carlo planning", 2006.)

use std::ops::Range;
use std::time::Instant;

use constructor_common::rng::{below, from_seed};
use rand_chacha::ChaCha8Rng;

use penguins::board::{Number, Place};
use penguins::game::{Action, Game, Phase};
use penguins::players::Player;
use penguins::players::baselines::Greedy;
use penguins::players::bitboard::{Bitboard, with_bitboard};
use penguins::players::geometry::{Geometry, Move, Position};

/// The exploration constant of UCB1.
const EXPLORATION: f64 = 1.0;

/// The maximum number of nodes of the tree.
const MAX_NODES: usize = 1 << 20;

/// The UCT player. It places its penguins greedily.
#[derive(Clone, Debug)]
pub struct Uct(ChaCha8Rng);

impl Uct {
    /// Makes a player with this seed.
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
        with_bitboard!((game.board().rows(), game.board().columns()), |B| self.search::<B>(game, deadline))
    }
}

/// A node of the tree.
struct Node {
    /// The move that leads to this node; `None` for a pass, or at the root.
    step: Option<Move>,
    visits: u32,
    /// The sum of the rewards of the player whose move leads to this node.
    sum: f64,
    /// The children; `None` until the node is expanded, and empty if the game is over.
    children: Option<Range<usize>>,
}

impl Node {
    const fn new(step: Option<Move>) -> Self {
        Self { step, visits: 0, sum: 0.0, children: None }
    }

    /// Returns the upper confidence bound of the node, from the logarithm of its parent's visits.
    fn ucb(&self, ln_parent_visits: f64) -> f64 {
        match f64::from(self.visits) {
            0.0 => f64::INFINITY,
            visits => self.sum / visits + EXPLORATION * (ln_parent_visits / visits).sqrt(),
        }
    }
}

/// A position during one iteration.
struct Iteration<'g, B> {
    geometry: &'g Geometry<B>,
    position: Position<B>,
    player: usize,
    /// The fish that each player has collected in this iteration.
    scores: Vec<i32>,
}

impl<B: Bitboard> Iteration<'_, B> {
    /// Makes a move or passes; then it is the next player's turn.
    fn play(&mut self, step: Option<Move>) {
        if let Some((from, to)) = step {
            self.geometry.slide(&mut self.position, self.player, from.into(), to.into());
            self.scores[self.player] += self.geometry.fish(to.into());
        }
        self.player = (self.player + 1) % self.scores.len();
    }

    fn is_over(&self) -> bool {
        (0..self.scores.len()).all(|player| self.position.moves(player).next().is_none())
    }

    /// Returns the reward of a player: its lead over the best opponent, mapped to 0 to 1.
    fn reward(&self, player: usize) -> f64 {
        let others = (0..self.scores.len()).filter(|&other| other != player).map(|other| self.scores[other]).max();
        let lead = f64::from(self.scores[player] - others.unwrap_or(0));
        0.5 + 0.5 * (lead / 10.0).tanh()
    }
}

impl Uct {
    fn search<B: Bitboard>(&mut self, game: &Game, deadline: Instant) -> Option<Action> {
        let players: Vec<Number> = game.seats().iter().map(|seat| seat.number).collect();
        let whole = (Place::new(0, 0), game.board().rows(), game.board().columns());
        let (geometry, root) = Geometry::<B>::from_board(game.board(), whole, &players);
        let mut nodes = vec![Node::new(None)];
        while nodes.len() < MAX_NODES && (Instant::now() < deadline || nodes[0].visits < 2) {
            let scores = vec![0; players.len()];
            let mut iteration = Iteration { geometry: &geometry, position: root.clone(), player: game.turn(), scores };
            let path = Self::descend(&mut nodes, &mut iteration);
            self.playout(&mut iteration);
            nodes[0].visits += 1;
            for (at, player) in path {
                nodes[at].visits += 1;
                nodes[at].sum += iteration.reward(player);
            }
        }
        let children = nodes[0].children.clone()?;
        let best = children.max_by_key(|&at| nodes[at].visits)?;
        let (from, to) = nodes[best].step?;
        Some(Action::Slide { from: geometry.place(from.into()), to: geometry.place(to.into()) })
    }

    /// Plays down the tree to a node that has not been visited, or to the end of the game.
    ///
    /// Returns the nodes on the path with the player who moved to each.
    fn descend<B: Bitboard>(nodes: &mut Vec<Node>, iteration: &mut Iteration<'_, B>) -> Vec<(usize, usize)> {
        let (mut at, mut path) = (0, Vec::new());
        loop {
            let children = if let Some(children) = &nodes[at].children {
                children.clone()
            } else {
                let first = nodes.len();
                nodes.extend(iteration.position.moves(iteration.player).map(|step| Node::new(Some(step))));
                // A player who cannot move is skipped.
                if nodes.len() == first && !iteration.is_over() {
                    nodes.push(Node::new(None));
                }
                nodes[at].children = Some(first..nodes.len());
                first..nodes.len()
            };
            let ln_visits = f64::from(nodes[at].visits.max(1)).ln();
            let ucb = |at: usize| nodes[at].ucb(ln_visits);
            let Some(next) = children.max_by(|&one, &other| ucb(one).total_cmp(&ucb(other))) else { return path };
            at = next;
            path.push((at, iteration.player));
            iteration.play(nodes[at].step);
            if nodes[at].visits == 0 {
                return path;
            }
        }
    }

    /// Plays uniformly random moves until nobody can move.
    fn playout<B: Bitboard>(&mut self, iteration: &mut Iteration<'_, B>) {
        let mut passes = 0;
        while passes < iteration.scores.len() {
            let moves: Vec<Move> = iteration.position.moves(iteration.player).collect();
            if let Ok(count @ 1..) = u32::try_from(moves.len()) {
                iteration.play(Some(moves[below(&mut self.0, count) as usize]));
                passes = 0;
            } else {
                iteration.play(None);
                passes += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use penguins::board::{Board, Field};
    use penguins::game::Seat;
    use penguins::players::bitboard::Packed;

    /// Makes a game in which player 2 cannot move, so player 1 moves again after a pass. Along its row, 3 P 1 3 2, player 1 can visit all
    /// floes but the left one.
    fn blocked_opponent() -> Game {
        let mut board = Board::new(2, 6).unwrap();
        let [one, two] = [1, 2].map(|number| Number::new(number).unwrap());
        let row = [Field::Floe(3), Field::Penguin(one), Field::Floe(1), Field::Floe(3), Field::Floe(2)];
        for (column, field) in (0..).zip(row) {
            board.set(Place::new(0, column), field);
        }
        board.set(Place::new(1, 5), Field::Penguin(two));
        Game::new(board, Seat::first(2), Phase::Movement, 0)
    }

    #[test]
    fn descend_goes_on_past_a_player_who_cannot_move() {
        let game = blocked_opponent();
        assert!(!game.can_act(1));
        let players = [1, 2].map(|number| Number::new(number).unwrap());
        let (geometry, root) = Geometry::<Packed<8, 8>>::from_board(game.board(), (Place::new(0, 0), 2, 6), &players);
        let mut nodes = vec![Node::new(None)];
        let mut longest = Vec::new();
        for _ in 0..200 {
            let mut iteration =
                Iteration { geometry: &geometry, position: root.clone(), player: 0, scores: vec![0; 2] };
            let path = Uct::descend(&mut nodes, &mut iteration);
            nodes[0].visits += 1;
            for &(at, _) in &path {
                nodes[at].visits += 1;
            }
            if path.len() > longest.len() {
                longest = path;
            }
        }
        let players: Vec<usize> = longest.iter().map(|&(_, player)| player).collect();
        assert_eq!(players, [0, 1, 0, 1, 0], "three moves with passes between them");
        assert!(longest.iter().all(|&(at, player)| nodes[at].step.is_none() == (player == 1)));
    }

    #[test]
    fn decide_keeps_all_floes_reachable() {
        let action = Uct::new(1).decide(&blocked_opponent(), Instant::now() + Duration::from_millis(50));
        let target = action.map(|action| action.target().column);
        assert!([Some(2), Some(4)].contains(&target), "{action:?}");
    }
}
