//! A learned policy for turns.

mod features;

use std::sync::Arc;

use rand::Rng;

use super::Player;
use super::candidates::{CandidateLimits, candidates};
use super::linear::Linear;
use super::network::{Features, Network, NetworkSpec};
use super::site_values::SiteValues;
use super::weights::Weights;
use crate::game::{Action, Builder, Game, LegalActions, Phase, Trades, WINNING_POINTS};

use self::features::{ActionExtractor, GROUPS};

/// The network for the expert's turns. It scores the actions of a builder; its score of an action is added to that of the linear player.
pub static TURN_NETWORK: NetworkSpec = NetworkSpec::new("turn", &GROUPS, include_str!("../data/turn.txt"));

/// The [`Linear`] player with the expert's weights, except in its turns: there, a [`Network`] corrects the scores of the best actions of
/// each kind. The main effect is a better choice of roads. Deterministic.
#[derive(Clone, Debug)]
pub struct TurnPolicy {
    network: Arc<Network>,
    linear: Linear,
    site_values: Option<SiteValues>,
}

/// An action that the policy considers.
#[cfg(any(feature = "lab", test))]
pub(crate) struct ScoredCandidate {
    pub action: Action,
    pub features: Features,
    /// The part of the action's score that comes from the linear player.
    pub linear_score: f32,
}

/// The policy with the pretrained network.
impl Default for TurnPolicy {
    fn default() -> Self {
        Self::new(TURN_NETWORK.pretrained())
    }
}

impl TurnPolicy {
    /// Makes the policy with this turn network.
    #[must_use]
    pub fn new(network: impl Into<Arc<Network>>) -> Self {
        Self { network: network.into(), linear: Linear::new(Weights::rollout()), site_values: None }
    }

    /// Returns the action of the policy in the position.
    pub(crate) fn decide(&mut self, game: &Game, actions: &LegalActions) -> Option<Action> {
        let Phase::DuringTurn(builder) = game.phase() else { return self.linear.decide(game, actions) };
        let network = Arc::clone(&self.network);
        let mut best: Option<(f32, Action)> = None;
        self.consider(game, actions, builder, |action, linear_score, features| {
            let wins = game.points(builder) + 1 == WINNING_POINTS
                && matches!(action, Action::BuildBasement(_) | Action::Improve(_));
            let score = if wins { f32::INFINITY } else { linear_score + network.score(features) };
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, action));
            }
        });
        best.map(|(_, action)| action)
    }

    /// Returns the actions that the policy considers in a turn, the linear player's choice first.
    #[cfg(any(feature = "lab", test))]
    pub(crate) fn candidates(&mut self, game: &Game, actions: &LegalActions) -> Vec<ScoredCandidate> {
        let mut all = Vec::new();
        if let Phase::DuringTurn(builder) = game.phase() {
            self.consider(game, actions, builder, |action, linear_score, features| {
                all.push(ScoredCandidate { action, features: *features, linear_score });
            });
        }
        all
    }

    /// Calls `visit` with each action that is considered, its score by the linear player, and its features.
    fn consider(
        &mut self,
        game: &Game,
        actions: &LegalActions,
        builder: Builder,
        mut visit: impl FnMut(Action, f32, &Features),
    ) {
        const LIMITS: CandidateLimits = CandidateLimits { builds: 6, ..CandidateLimits::EXPERT };
        // `SCALE` converts gaps to units of the network's output. Gaps are limited to `MAX_GAP`: actions with a greater gap are seldom
        // worth looking at.
        const SCALE: f32 = 0.2;
        const MAX_GAP: f32 = 25.0;
        let prior_action = self.linear.decide(game, actions);
        let site_values = SiteValues::cached_for(&mut self.site_values, game);
        let all = candidates(game, actions, builder, site_values, LIMITS, prior_action);
        let scores = self.linear.scores_in_turn(game, builder, &all);
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let extractor = ActionExtractor::new(game, builder, site_values, &self.linear);
        let mut features = Features::NONE;
        for (action, score) in all.into_iter().zip(scores) {
            let gap = score - best;
            extractor.extract(action, gap, Some(action) == prior_action, &mut features);
            visit(action, SCALE * gap.max(-MAX_GAP), &features);
        }
    }
}

impl Player for TurnPolicy {
    fn choose(&mut self, game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }

    fn wants_turns(&self, _trades: Trades) -> bool {
        false
    }

    fn wants_observations(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{FastChance, Rules};
    use crate::players::{OpponentKind, next_action, playout};
    use crate::rng;

    /// Plays a game of these players.
    fn play(
        players: &mut [Box<dyn Player>; Builder::COUNT],
        seed: u64,
        mut visit: impl FnMut(&Game),
    ) -> Option<Builder> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        playout(&mut game, 1_000, |game, _| {
            visit(game);
            let action = next_action(game, Trades::Off, players, &mut rng::from_seed(0))?;
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
            Some(action)
        });
        game.winner()
    }

    #[test]
    #[ignore = "long: a match of many games"]
    fn the_turn_policy_beats_the_linear_player() {
        const BOARDS: u64 = 300;
        let mut wins = 0;
        for board in 0..BOARDS {
            for seat in Builder::ALL {
                let mut players = Builder::ALL.map(|builder| {
                    if builder == seat {
                        Box::<TurnPolicy>::default() as Box<dyn Player>
                    } else {
                        OpponentKind::Rollout.player()
                    }
                });
                wins += u64::from(play(&mut players, board, |_| {}) == Some(seat));
            }
        }
        assert!(wins * 100 > 27 * 4 * BOARDS, "{wins} of {} games", 4 * BOARDS);
    }

    #[test]
    fn decisions_are_the_best_of_those_considered() {
        let (mut policy, mut linear) = (TurnPolicy::default(), Linear::new(Weights::rollout()));
        let (mut corrected, mut wins) = (0, 0);
        for seed in 0..10 {
            let mut players = [(); 4].map(|()| OpponentKind::Rollout.player());
            play(&mut players, seed, |game| {
                let actions = game.legal_actions(Trades::Off);
                let (decided, by_linear) = (policy.decide(game, &actions), linear.decide(game, &actions));
                let candidates = policy.candidates(game, &actions);
                let Phase::DuringTurn(builder) = game.phase() else {
                    assert!(candidates.is_empty());
                    return assert_eq!(decided, by_linear, "outside of turns");
                };
                assert_eq!(candidates.first().map(|first| first.action), by_linear);
                assert!(candidates.iter().all(|candidates| actions.contains(candidates.action)));
                assert!(candidates.iter().all(|candidates| candidates.features.iter().count() > 0));
                assert!(candidates.iter().any(|candidates| candidates.linear_score == 0.0));
                assert!(candidates.iter().all(|candidates| (-5.0..=0.0).contains(&candidates.linear_score)));
                corrected += u32::from(decided != by_linear);
                let after = decided.and_then(|action| game.after(action));
                let can_win =
                    actions.iter().any(|action| game.after(action).is_some_and(|after| after.winner().is_some()));
                if can_win {
                    assert_eq!(after.and_then(|after| after.winner()), Some(builder), "{game}");
                    wins += 1;
                }
            });
        }
        assert!(corrected > 100 && wins == 10, "{corrected} corrected, {wins} won");
    }
}
