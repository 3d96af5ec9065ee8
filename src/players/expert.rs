//! A player who looks ahead in a tree, against others who are taken for what they have shown to be.

use std::collections::HashMap;

use rand::Rng;

use super::Player;
use super::greedy::{Breadth, Greedy};
use super::halving::{Budget, best_of};
use super::monte_carlo::{SameDice, winner_of};
use super::value::Value;
use super::watch::{Model, Watch};
use crate::game::{Action, Actions, Builder, Drawn, Game, Offer, Phase, Trades};
use crate::random;

/// Chooses by a search in a tree. The nodes are its own decisions in this turn or in the setup; what the dice and the others
/// do is chance between them. A [`Linear`](super::Linear) player with weights of its own says what to try first (the prior). From a leaf the
/// game is played to its end, itself as that player and the others as what they have shown to be. At the root the actions that win
/// less are given up by sequential halving; below it those are tried that may be the best (upper confidence bounds: Levente Kocsis
/// and Csaba Szepesvári, "Bandit based Monte-Carlo planning", 2006).
///
/// A trade is offered, or agreed to, when the own chance to win rises by it, and that of whoever leads the others by no more. How
/// likely the win is before and after is what was learned ([`Value`]).
#[derive(Clone, Debug)]
pub struct Expert {
    budget: Budget,
    greedy: Greedy,
    watch: Watch,
    value: Value,
    nodes: HashMap<u64, Node>,
    /// The way from the root to the leaf: a node and one of its arms.
    path: Vec<(u64, usize)>,
    /// Whether anything is offered.
    offers: bool,
    /// What was offered in this turn.
    offered: Vec<Action>,
}

/// A decision of one's own below the root.
#[derive(Clone, Debug)]
struct Node {
    arms: Vec<Arm>,
    visits: u32,
}

/// An action at a node, and what came of it: how likely the win was, in all visits.
#[derive(Clone, Copy, Debug)]
struct Arm {
    action: Action,
    visits: u32,
    sum: f64,
}

impl Node {
    /// The arm that may be the best: the prior's own until the node has been visited some times.
    fn choose(&self) -> usize {
        const MATURE: u32 = 12;
        const EAGERNESS: f64 = 0.4;
        if self.visits < MATURE {
            return 0;
        }
        // In whole numbers: the system's logarithm is not the same on every machine.
        let log = f64::from(self.visits.ilog2());
        let bound = |arm: &Arm| {
            let visits = f64::from(arm.visits);
            if arm.visits == 0 { f64::INFINITY } else { arm.sum / visits + EAGERNESS * (log / visits).sqrt() }
        };
        let mut best = 0;
        for (index, arm) in self.arms.iter().enumerate() {
            if bound(arm) > bound(&self.arms[best]) {
                best = index;
            }
        }
        best
    }
}

impl Expert {
    /// A player who may think for so long about each decision.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Game, Trades};
    /// use constructor::players::{Budget, Expert, Player};
    /// use constructor::random;
    /// let mut draws = random::seeded(0);
    /// let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    /// let action = Expert::new(Budget::Playouts(100)).choose(&game, &game.actions(Trades::Off), &mut draws);
    /// assert_eq!(game.check(action.unwrap()), Ok(()));
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            greedy: Greedy::default(),
            watch: Watch::default(),
            value: Value::default(),
            nodes: HashMap::new(),
            path: Vec::new(),
            offers: true,
            offered: Vec::new(),
        }
    }

    /// The same player, who offers nothing, but agrees to what others offer.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { offers: false, ..self }
    }

    /// The actions that are worth trying, that of the prior first.
    fn candidates(&mut self, game: &Game, actions: &Actions, builder: Builder) -> Vec<Action> {
        let breadth = Breadth { sites: 16, roads: 8, tiles: 10 };
        let favourite = self.watch.decide(Model::Own, game, actions);
        self.greedy.worth_trying(game, actions, builder, breadth, favourite)
    }

    /// Who plays, with the builder as oneself.
    fn models(&self, builder: Builder, number: u64) -> [Model; Builder::COUNT] {
        let mut models = self.watch.models(number);
        models[builder.index()] = Model::Own;
        models
    }

    /// How likely the builder is to win after the action, by one game that is played on.
    fn try_out(&mut self, game: &Game, action: Action, builder: Builder, seed: u64) -> f64 {
        let models = self.models(builder, seed);
        let mut game = *game;
        let mut chance = SameDice::of(seed);
        self.path.clear();
        game.apply_unchecked(action, &mut chance, |_| {});
        // The builder's own turn, or the setup: here are the nodes.
        while !matches!(game.phase(), Phase::TurnStart(_) | Phase::Over(_))
            && let Some(acting) = game.to_act()
        {
            let actions = game.actions(Trades::Off);
            let next = actions.only().or_else(|| {
                if acting == builder {
                    self.descend(&game, &actions, builder)
                } else {
                    self.watch.decide(models[acting.index()], &game, &actions)
                }
            });
            let Some(next) = next else { break };
            game.apply_unchecked(next, &mut chance, |_| {});
        }
        let winner = winner_of(game, &mut chance, |acting, game, actions| {
            self.watch.decide(models[acting.index()], game, actions)
        });
        let value = f64::from(u8::from(winner == Some(builder)));
        for &(key, arm) in &self.path {
            if let Some(node) = self.nodes.get_mut(&key) {
                node.visits += 1;
                node.arms[arm].visits += 1;
                node.arms[arm].sum += value;
            }
        }
        value
    }

    /// What is tried at a node, which is made when it is not there yet.
    fn descend(&mut self, game: &Game, actions: &Actions, builder: Builder) -> Option<Action> {
        let key = game.key();
        if !self.nodes.contains_key(&key) {
            let arms = self.candidates(game, actions, builder).into_iter();
            let arms = arms.map(|action| Arm { action, visits: 0, sum: 0.0 }).collect();
            self.nodes.insert(key, Node { arms, visits: 0 });
        }
        let node = self.nodes.get(&key)?;
        let arm = node.choose();
        self.path.push((key, arm));
        node.arms.get(arm).map(|arm| arm.action)
    }

    /// How likely each builder is to win, with this one as oneself.
    fn outlook(&mut self, game: &Game, builder: Builder) -> [f32; Builder::COUNT] {
        let models = self.models(builder, 0);
        self.value.chances(game, models)
    }

    /// By how much a trade makes the builder likelier to win than before, if it does, and makes whoever leads the others
    /// likelier by no more than that.
    fn gain(&mut self, before: [f32; Builder::COUNT], game: &Game, offer: Offer, builder: Builder) -> Option<f32> {
        let mut after = *game;
        let unused = &mut random::seeded(0);
        if let Phase::DuringTurn(_) = after.phase() {
            let Offer { to, give, take, .. } = offer;
            after.apply(Action::Offer { to, give, take }, &mut Drawn(unused), |_| {}).ok()?;
        }
        after.apply(Action::Accept, &mut Drawn(unused), |_| {}).ok()?;
        let after = self.outlook(&after, builder);
        let gain = |builder: Builder| after[builder.index()] - before[builder.index()];
        let others = Builder::ALL.into_iter().filter(|&other| other != builder);
        let leader = others.max_by(|one, other| before[one.index()].total_cmp(&before[other.index()]))?;
        let is_good = gain(builder) > 0.0 && gain(leader) <= gain(builder);
        is_good.then(|| gain(builder))
    }

    /// Whether the builder who is asked should agree.
    fn agrees(&mut self, game: &Game, offer: Offer) -> bool {
        let before = self.outlook(game, offer.to);
        self.gain(before, game, offer, offer.to).is_some()
    }

    /// The trade that makes the builder likeliest to win, of those that are good for the other too. Each is offered once a turn.
    fn offer(&mut self, game: &Game, builder: Builder) -> Option<Action> {
        const MOST_OFFERS: usize = 4;
        const LEAST: f32 = 0.005;
        if !self.offers || self.offered.len() == MOST_OFFERS {
            return None;
        }
        let before = self.outlook(game, builder);
        let mut best: Option<(f32, Action)> = None;
        for action in game.actions(Trades::On).iter() {
            let Action::Offer { to, give, take } = action else { continue };
            if give == take || game.hand(to).count(take) == 0 || self.offered.contains(&action) {
                continue;
            }
            let offer = Offer { from: builder, to, give, take };
            if let Some(gain) = self.gain(before, game, offer, builder).filter(|&gain| gain > LEAST)
                && best.is_none_or(|(most, _)| gain > most)
                && self.agrees(game, offer)
            {
                best = Some((gain, action));
            }
        }
        let (_, action) = best?;
        self.offered.push(action);
        Some(action)
    }
}

impl Player for Expert {
    fn choose(&mut self, game: &Game, actions: &Actions, random: &mut dyn Rng) -> Option<Action> {
        let builder = game.to_act()?;
        if let Phase::Offered(offer) = game.phase() {
            return Some(if self.agrees(game, offer) { Action::Accept } else { Action::Refuse });
        }
        if actions.lists_offers()
            && let Some(offer) = self.offer(game, builder)
        {
            return Some(offer);
        }
        self.nodes.clear();
        let tried = self.candidates(game, actions, builder);
        let budget = self.budget;
        best_of(tried, budget, random, |action, seed| self.try_out(game, action, builder, seed))
    }

    fn begin_turn(&mut self) {
        self.offered.clear();
    }

    fn see(&mut self, game: &Game) {
        self.watch.see(game);
    }
}
