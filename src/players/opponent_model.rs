//! A model of the other players, from their decisions.

use super::Player;
use super::greedy::Greedy;
use super::linear::Linear;
use super::turn_policy::TurnPolicy;
use super::weights::Weights;
use crate::game::{Action, Builder, Game, LegalActions, Phase, Trades};

/// A kind of player that an opponent is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentKind {
    /// The linear player with its default weights.
    Normal,
    /// The greedy player.
    Greedy,
    /// The linear player with the rollout weights of the expert.
    Rollout,
}

impl OpponentKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Greedy, Self::Rollout];

    /// The prior weight of this kind: most games are played against easy players.
    const fn prior_weight(self) -> usize {
        match self {
            Self::Greedy => 4,
            Self::Normal | Self::Rollout => 1,
        }
    }

    /// A player of this kind.
    #[must_use]
    pub fn player(self) -> Box<dyn Player> {
        match self {
            Self::Normal => Box::new(Linear::default()),
            Self::Greedy => Box::new(Greedy::default()),
            Self::Rollout => Box::new(Linear::new(Weights::rollout())),
        }
    }
}

/// Observes the decisions of all players and infers the kind of each.
#[derive(Clone, Debug)]
pub(super) struct OpponentModel {
    normal: Linear,
    greedy: Greedy,
    rollout: Linear,
    /// How the expert itself plays in its turns; without it, as the linear player.
    turn_policy: Option<TurnPolicy>,
    /// The last position that was observed.
    last: Option<Game>,
    /// For each builder, the number of decisions that each kind would have made, and the number of all decisions.
    hits: [[u32; OpponentKind::ALL.len()]; Builder::COUNT],
    observed: [u32; Builder::COUNT],
}

/// This many decisions say little about a player.
const FEW_DECISIONS: u32 = 3;

impl Default for OpponentModel {
    fn default() -> Self {
        Self {
            normal: Linear::default(),
            greedy: Greedy::default(),
            rollout: Linear::new(Weights::rollout()),
            turn_policy: Some(TurnPolicy::default()),
            last: None,
            hits: Default::default(),
            observed: Default::default(),
        }
    }
}

impl OpponentModel {
    /// The same model without a turn policy.
    pub fn without_turn_policy(self) -> Self {
        Self { turn_policy: None, ..self }
    }

    /// The action of the expert itself without a search.
    #[inline]
    pub fn decide_as_expert(&mut self, game: &Game, actions: &LegalActions) -> Option<Action> {
        match &mut self.turn_policy {
            Some(turn_policy) => turn_policy.decide(game, actions),
            None => self.rollout.decide(game, actions),
        }
    }

    /// The action of the player of this kind.
    #[inline]
    pub fn decide(&mut self, kind: OpponentKind, game: &Game, actions: &LegalActions) -> Option<Action> {
        match kind {
            OpponentKind::Normal => self.normal.decide(game, actions),
            OpponentKind::Greedy => self.greedy.decide(game, actions),
            OpponentKind::Rollout => self.rollout.decide(game, actions),
        }
    }

    /// Samples a kind for each builder. Kinds that explain equally many of its decisions are drawn in proportion to their prior,
    /// derived from `seed`. If the best kind explains less than 90 % of more than [`FEW_DECISIONS`] decisions,
    /// [`OpponentKind::Rollout`] is returned.
    pub fn sample(&self, seed: u64) -> [OpponentKind; Builder::COUNT] {
        let mut number = usize::try_from(seed % 0x1_0000).unwrap_or(0);
        Builder::ALL.map(|builder| {
            let (hits, observed) = (&self.hits[builder.index()], self.observed[builder.index()]);
            let most = hits.iter().copied().max().unwrap_or(0);
            if observed > FEW_DECISIONS && 10 * most < 9 * observed {
                return OpponentKind::Rollout;
            }
            let likeliest = OpponentKind::ALL.into_iter().zip(hits).filter(|&(_, &hits)| hits == most);
            let mut weighted = likeliest.flat_map(|(kind, _)| std::iter::repeat_n(kind, kind.prior_weight()));
            let count = weighted.clone().count();
            let (index, rest) = (number % count, number / count);
            number = rest;
            weighted.nth(index).unwrap_or(OpponentKind::Normal)
        })
    }

    /// Observes the position before a decision: compares what was decided in the last observed position with what each kind
    /// would have decided there.
    pub fn observe(&mut self, game: &Game) {
        if game.phase() == Phase::Setup(0) {
            self.hits = Default::default();
            self.observed = Default::default();
        }
        let Some(before) = self.last.replace(*game) else { return };
        let Some(builder) = before.current_player() else { return };
        let actions = before.legal_actions(Trades::Off);
        let is_uninformative =
            matches!(before.phase(), Phase::Rob(_) | Phase::Offered(_)) || actions.forced().is_some();
        if is_uninformative
            || before == *game
            || before.layout_hash() != game.layout_hash()
            || matches!(game.phase(), Phase::Offered(_))
        {
            return;
        }
        self.observed[builder.index()] += 1;
        for (index, kind) in OpponentKind::ALL.into_iter().enumerate() {
            let action = self.decide(kind, &before, &actions);
            let is_hit = action.is_some_and(|action| leads_to(&before, action, game));
            self.hits[builder.index()][index] += u32::from(is_hit);
        }
    }
}

/// Whether the action leads from one position to the other, as far as the board shows.
fn leads_to(before: &Game, action: Action, game: &Game) -> bool {
    let Some(after) = before.after(action) else { return false };
    let is_same_board = |builder: Builder| {
        after.residences(builder) == game.residences(builder) && after.roads(builder) == game.roads(builder)
    };
    Builder::ALL.into_iter().all(is_same_board)
        && (after.houses(), after.towers(), after.geese()) == (game.houses(), game.towers(), game.geese())
        && std::mem::discriminant(&after.phase()) == std::mem::discriminant(&game.phase())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::{Random, next_action};
    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{RandomChance, Rules};

    fn new_game(rng: &mut SmallRng) -> Game {
        Game::new(Rules::default(), RandomLayout.layout(rng))
    }

    #[test]
    fn opponent_model_recognizes_each_kind() {
        let mut model = OpponentModel::default();
        let mut recognized = 0;
        for seed in 0..6 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut game = new_game(&mut rng);
            let mut players: [Box<dyn Player>; 4] = [
                OpponentKind::Greedy.player(),
                Box::new(Random),
                OpponentKind::Normal.player(),
                OpponentKind::Rollout.player(),
            ];
            for _ in 0..500 {
                model.observe(&game);
                // Observing a position twice changes nothing.
                model.observe(&game);
                let Some(action) = next_action(&game, Trades::Off, &mut players, &mut rng) else { break };
                game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
            }
            for [blue, red, orange, yellow] in [model.sample(0), model.sample(7)] {
                let kinds = [OpponentKind::Greedy, OpponentKind::Normal, OpponentKind::Rollout];
                assert_eq!([blue, orange, yellow], kinds, "game {seed}: {:?}", model.hits);
                // A player who hardly decides anything before the game is over stays unknown.
                let is_unknown = model.observed[1] <= FEW_DECISIONS;
                assert!(red == OpponentKind::Rollout || is_unknown, "game {seed}: {:?}", model.hits);
            }
            recognized += u32::from(model.observed[1] > FEW_DECISIONS);
        }
        assert!(recognized >= 5, "{recognized}");
    }

    #[test]
    fn unknown_opponents_are_sampled_by_prior() {
        let mut model = OpponentModel::default();
        let game = new_game(&mut SmallRng::seed_from_u64(1));
        model.observe(&game);
        let samples: Vec<[OpponentKind; 4]> = (0..6_u64.pow(4)).map(|seed| model.sample(seed)).collect();
        for builder in 0..4 {
            for (kind, of_six) in [(OpponentKind::Normal, 1), (OpponentKind::Greedy, 4), (OpponentKind::Rollout, 1)] {
                let count = samples.iter().filter(|kinds| kinds[builder] == kind).count();
                assert_eq!(count, of_six * samples.len() / 6, "{kind:?}");
            }
        }
        let all_greedy = samples.iter().filter(|kinds| **kinds == [OpponentKind::Greedy; 4]).count();
        assert_eq!(all_greedy, 4_usize.pow(4), "independently for each builder");
    }
}
