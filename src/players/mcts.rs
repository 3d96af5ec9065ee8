//! The expert player: Monte Carlo tree search against models of its opponents.

use std::collections::HashMap;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::Player;
use super::budget::{Budget, Limit};
use super::candidates::{CandidateLimits, candidates};
use super::flat_mc::{CommonRandomNumbers, finish_game, winner_of};
use super::greedy::Greedy;
use super::opponent_model::{Opponent, OpponentModel};
use super::sequential_halving::{TriedAction, sequential_halving};
use super::value::WinModel;
use crate::game::{Action, Builder, Game, LegalActions, Offer, Phase, Trades};

/// Monte Carlo tree search. The nodes are the player's own decisions in this turn or in the setup; dice and opponents' decisions between
/// them are treated as chance. The prior action comes from the turn policy during turns, and from a [`Linear`](super::Linear) player
/// otherwise. The opponents' ways to play are sampled from a model of their decisions so far. At the root, actions are dropped by
/// sequential halving; below, arms are chosen by upper confidence bounds (UCT: Levente Kocsis and Csaba Szepesvári, "Bandit based
/// Monte-Carlo planning", 2006).
///
/// Playouts are cut after some turns, and the network's estimate is their reward. The estimate varies much less than the final result, and
/// this outweighs the network's errors. With more playouts the errors matter more than the noise, so playouts are longer.
///
/// Offers and accepts a trade if the trade raises the player's own win probability, and raises the leading opponent's win probability by no
/// more than that. A [`WinModel`] estimates both probabilities.
#[derive(Clone, Debug)]
pub struct Mcts {
    budget: Budget,
    greedy: Greedy,
    opponents: OpponentModel,
    win_model: WinModel,
    /// The tree, by position hash.
    nodes: HashMap<u64, Node>,
    /// The path from the root to the leaf: nodes and the arms chosen there.
    path: Vec<(u64, usize)>,
    offers_trades: bool,
    /// Whether playouts are cut and evaluated by the network; otherwise they run to the end of the game.
    cuts_playouts: bool,
    /// The offers that were made in this turn.
    offered: Vec<Action>,
    /// The actions that the last search has tried.
    tried: Vec<TriedAction>,
}

/// One of the player's own decisions below the root.
#[derive(Clone, Debug)]
struct Node {
    /// The prior action, and from [`MIN_VISITS`] on the other candidates. Most nodes have fewer visits: the arms would be most of the memory.
    arms: Vec<SearchArm>,
    visits: u32,
}

/// The number of visits of a node in which the prior action is chosen.
const MIN_VISITS: u32 = 12;

/// The greatest number of nodes: some MB. Positions that come later, in a very long search, get the prior action.
const MAX_NODES: usize = 1 << 15;

/// An action at a node, with its visits and the sum of their rewards.
#[derive(Clone, Copy, Debug)]
struct SearchArm {
    action: Action,
    visits: u32,
    sum: f64,
}

impl Node {
    /// Returns the index of the arm with the highest upper confidence bound.
    fn choose(&self) -> usize {
        const EXPLORATION: f64 = 0.4;
        // An integer logarithm, since the floating-point one differs between platforms.
        let log = f64::from(self.visits.ilog2());
        let bound = |arm: &SearchArm| {
            let visits = f64::from(arm.visits);
            if arm.visits == 0 { f64::INFINITY } else { arm.sum / visits + EXPLORATION * (log / visits).sqrt() }
        };
        super::first_max_by(0..self.arms.len(), |index| bound(&self.arms[index])).unwrap_or(0)
    }
}

/// How a playout continues where the tree ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Horizon {
    /// The number of turns in which searching players play by the [turn policy](super::turn_policy), which is slower than the linear
    /// player. Afterwards, each of them plays as the most similar kind of player.
    learned: u64,
    /// The number of turns after which a playout is cut.
    turns: u64,
}

impl Mcts {
    /// Makes a player with this budget for each decision.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::game::{Game, Rules, Trades};
    /// use constructor::players::{Budget, Mcts, Player};
    /// use constructor::rng;
    /// let mut rng = rng::from_seed(0);
    /// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
    /// let action = Mcts::new(Budget::playouts(100)).choose(&game, &game.legal_actions(Trades::Off), &mut rng);
    /// assert_eq!(game.check(action.unwrap()), Ok(()));
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            greedy: Greedy::default(),
            opponents: OpponentModel::default(),
            win_model: WinModel::default(),
            nodes: HashMap::new(),
            path: Vec::new(),
            offers_trades: true,
            cuts_playouts: true,
            offered: Vec::new(),
            tried: Vec::new(),
        }
    }

    /// Returns the same player, except that it offers no trades. It still accepts good offers.
    #[must_use]
    pub fn without_offers(self) -> Self {
        Self { offers_trades: false, ..self }
    }

    /// Returns an earlier version of the player, with which later ones are compared: its playouts run to the end of the game, it uses a
    /// linear player instead of the turn policy, and it does not expect others to search.
    #[must_use]
    pub fn veteran(self) -> Self {
        Self { cuts_playouts: false, opponents: OpponentModel::without_searchers(), ..self }
    }

    /// Replaces the player's network that has the same kind as `network`.
    #[cfg(feature = "lab")]
    #[must_use]
    pub fn with_network(mut self, network: std::sync::Arc<super::Network>) -> Self {
        if *network.spec() == super::VALUE_NETWORK {
            self.win_model = WinModel::new(network);
        } else {
            self.opponents.set_network(network);
        }
        self
    }

    /// Returns the candidate actions, the prior action first.
    fn candidates(
        &mut self,
        game: &Game,
        actions: &LegalActions,
        builder: Builder,
        prior: Option<Action>,
    ) -> Vec<Action> {
        candidates(game, actions, builder, self.greedy.site_values(game), CandidateLimits::EXPERT, prior)
    }

    /// Returns the horizon of the playouts of a decision in this phase.
    fn horizon(&self, phase: Phase) -> Horizon {
        const MANY_PLAYOUTS: u32 = 1_000;
        const LONG: Duration = Duration::from_millis(20);
        let has_many = match self.budget.limit() {
            Limit::Playouts(playouts) => playouts >= MANY_PLAYOUTS,
            Limit::Time(time) => time >= LONG,
        };
        match (matches!(phase, Phase::Setup(_)), has_many) {
            (true, true) => Horizon { learned: 40, turns: 60 },
            (true, false) => Horizon { learned: 4, turns: 30 },
            (false, true) => Horizon { learned: 8, turns: 24 },
            (false, false) => Horizon { learned: 2, turns: 14 },
        }
    }

    /// Simulates an action at the root once: descends the tree, plays the game out, and backs up the reward.
    ///
    /// Returns the builder's estimated win probability where the playout was cut; 1 if the builder won before the cut, and 0 if another
    /// builder did.
    fn simulate_once(&mut self, game: &Game, action: Action, builder: Builder, seed: u64) -> f64 {
        let sampled = self.opponents.sample(builder, seed);
        // This generator is for the placements of opponents; the dice have their own.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(16));
        let horizon = self.horizon(game.phase());
        let mut game = *game;
        let mut chance = CommonRandomNumbers::new(seed);
        self.path.clear();
        game.apply_unchecked(action, &mut chance, |_| {});
        // Only positions in the builder's own turn or in the setup have nodes.
        while !matches!(game.phase(), Phase::TurnStart(_) | Phase::Over(_))
            && let Some(acting) = game.current_player()
        {
            let actions = game.legal_actions(Trades::Off);
            let next = actions.forced().or_else(|| {
                if acting == builder {
                    self.descend(&game, &actions, builder)
                } else {
                    self.opponents.decide(sampled[acting.index()], &game, &actions, &mut rng)
                }
            });
            let Some(next) = next else { break };
            game.apply_unchecked(next, &mut chance, |_| {});
        }
        let (opponents, kinds) = (&mut self.opponents, sampled.map(Opponent::kind));
        let reward = if self.cuts_playouts {
            finish_game(&mut game, horizon.learned, &mut chance, |acting, game, actions| {
                opponents.decide(sampled[acting.index()], game, actions, &mut rng)
            });
            finish_game(&mut game, horizon.turns - horizon.learned, &mut chance, |acting, game, actions| {
                opponents.decide_as(kinds[acting.index()], game, actions)
            });
            self.win_model.chances(&game, kinds)[builder.index()].into()
        } else {
            let winner = winner_of(game, &mut chance, |acting, game, actions| {
                opponents.decide_as(kinds[acting.index()], game, actions)
            });
            f64::from(u8::from(winner == Some(builder)))
        };
        for &(hash, arm) in &self.path {
            if let Some(node) = self.nodes.get_mut(&hash) {
                node.visits += 1;
                node.arms[arm].visits += 1;
                node.arms[arm].sum += reward;
            }
        }
        reward
    }

    /// Chooses an arm at the node of a position, which is created if there is none and room for it, and returns its action.
    fn descend(&mut self, game: &Game, actions: &LegalActions, builder: Builder) -> Option<Action> {
        let hash = game.hash64();
        let arm_of = |action: Action| SearchArm { action, visits: 0, sum: 0.0 };
        if !self.nodes.contains_key(&hash) {
            let prior = self.opponents.prior_action(game, actions)?;
            if self.nodes.len() == MAX_NODES {
                return Some(prior);
            }
            self.nodes.insert(hash, Node { arms: vec![arm_of(prior)], visits: 0 });
        }
        let mut node = self.nodes.get(&hash)?;
        if node.visits == MIN_VISITS {
            let prior = node.arms.first().map(|arm| arm.action);
            let others = self.candidates(game, actions, builder, prior).into_iter().skip(1);
            self.nodes.get_mut(&hash)?.arms.extend(others.map(arm_of));
            node = self.nodes.get(&hash)?;
        }
        let arm = if node.visits < MIN_VISITS { 0 } else { node.choose() };
        self.path.push((hash, arm));
        node.arms.get(arm).map(|arm| arm.action)
    }

    /// Returns the win probability of each builder, if `builder` plays as a searcher.
    fn win_chances(&mut self, game: &Game, builder: Builder) -> [f32; Builder::COUNT] {
        let kinds = self.opponents.sample(builder, 0).map(Opponent::kind);
        self.win_model.chances(game, kinds)
    }

    /// Returns by how much a trade raises the builder's win probability from `before`.
    ///
    /// Returns `None` if the trade does not raise it, or if it raises the leading opponent's win probability by more.
    fn gain(&mut self, before: [f32; Builder::COUNT], game: &Game, offer: Offer, builder: Builder) -> Option<f32> {
        let Offer { to, give, take, .. } = offer;
        let offered = match game.phase() {
            Phase::DuringTurn(_) => game.after(Action::Offer { to, give, take })?,
            _ => *game,
        };
        let after = self.win_chances(&offered.after(Action::Accept)?, builder);
        let gain = |builder: Builder| after[builder.index()] - before[builder.index()];
        let leader = builder.others().max_by(|one, other| before[one.index()].total_cmp(&before[other.index()]))?;
        let is_good = gain(builder) > 0.0 && gain(leader) <= gain(builder);
        is_good.then(|| gain(builder))
    }

    /// Returns whether the builder to whom the trade is offered should accept it.
    fn accepts(&mut self, game: &Game, offer: Offer) -> bool {
        let before = self.win_chances(game, offer.to);
        self.gain(before, game, offer, offer.to).is_some()
    }

    /// Returns the offer with the greatest gain among those that the other builder should accept.
    ///
    /// Each offer is made at most once a turn.
    fn offer(&mut self, game: &Game, builder: Builder) -> Option<Action> {
        const MAX_OFFERS: usize = 4;
        const MIN_GAIN: f32 = 0.005;
        if !self.offers_trades || self.offered.len() == MAX_OFFERS {
            return None;
        }
        let before = self.win_chances(game, builder);
        let mut best: Option<(f32, Action)> = None;
        for action in &game.legal_actions(Trades::On) {
            let Action::Offer { to, give, take } = action else { continue };
            if give == take || game.hand(to).count(take) == 0 || self.offered.contains(&action) {
                continue;
            }
            let offer = Offer { from: builder, to, give, take };
            if let Some(gain) = self.gain(before, game, offer, builder).filter(|&gain| gain > MIN_GAIN)
                && best.is_none_or(|(max, _)| gain > max)
                && self.accepts(game, offer)
            {
                best = Some((gain, action));
            }
        }
        let (_, action) = best?;
        self.offered.push(action);
        Some(action)
    }
}

impl Player for Mcts {
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        let builder = game.current_player()?;
        self.tried.clear();
        if let Phase::Offered(offer) = game.phase() {
            return Some(if self.accepts(game, offer) { Action::Accept } else { Action::Refuse });
        }
        if actions.lists_offers()
            && let Some(offer) = self.offer(game, builder)
        {
            return Some(offer);
        }
        self.nodes.clear();
        let prior = self.opponents.prior_action(game, actions);
        let candidates = self.candidates(game, actions, builder, prior);
        let budget = self.budget.clone();
        let mut tried = Vec::new();
        let chosen = sequential_halving(self, candidates, &budget, rng, &mut tried, |searcher, action, seed| {
            searcher.simulate_once(game, action, builder, seed)
        });
        self.tried = tried;
        chosen
    }

    fn tried_actions(&self) -> &[TriedAction] {
        &self.tried
    }

    fn begin_turn(&mut self) {
        self.offered.clear();
    }

    fn resume_turn(&mut self, _builder: Builder, offered: &[Action]) {
        self.offered = offered.to_vec();
    }

    fn observe(&mut self, game: &Game) {
        self.opponents.observe(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::Rules;
    use crate::rng;

    /// A search that goes on for long takes no more memory.
    #[test]
    fn full_trees_do_not_grow() {
        let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
        let (actions, builder) = (game.legal_actions(Trades::Off), Builder::Blue);
        let mut player = Mcts::new(Budget::playouts(1));
        let prior = player.opponents.prior_action(&game, &actions);
        for (all, own) in [(MAX_NODES, 0), (MAX_NODES - 1, 1)] {
            player.nodes = (1..).take(all).map(|hash| (hash, Node { arms: Vec::new(), visits: 0 })).collect();
            player.path.clear();
            assert_eq!(player.descend(&game, &actions, builder), prior);
            assert_eq!((player.nodes.len(), player.path.len()), (MAX_NODES, own));
        }
    }

    #[test]
    fn larger_budgets_have_longer_playouts() {
        let (setup, turn) = (Phase::Setup(0), Phase::DuringTurn(Builder::Blue));
        for (budget, horizons) in [
            (Budget::playouts(999), [(4, 30), (2, 14)]),
            (Budget::playouts(1_000), [(40, 60), (8, 24)]),
            (Budget::time(Duration::from_millis(19)), [(4, 30), (2, 14)]),
            (Budget::time(Duration::from_millis(20)), [(40, 60), (8, 24)]),
        ] {
            let player = Mcts::new(budget.clone());
            let of = |phase| {
                let Horizon { learned, turns } = player.horizon(phase);
                (learned, turns)
            };
            assert_eq!([setup, turn].map(of), horizons, "{budget:?}");
        }
    }
}
