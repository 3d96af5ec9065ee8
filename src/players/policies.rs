//! The kinds of player by which opponents are modelled.

use super::greedy::Greedy;
use super::linear::Linear;
use super::weights::Weights;
use super::{Player, PlayerKind};
use crate::game::{Action, Game, LegalActions};

/// A kind of player by which an opponent is modelled.
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

    /// Returns the kind that plays most like a player without its search. `None` is a player of whom nothing is known, who
    /// is taken for one that searches.
    #[must_use]
    pub const fn most_like(player: Option<PlayerKind>) -> Self {
        match player {
            Some(PlayerKind::Random | PlayerKind::Greedy) => Self::Greedy,
            Some(PlayerKind::Normal | PlayerKind::Classic) => Self::Normal,
            Some(PlayerKind::Hard | PlayerKind::Expert | PlayerKind::Quiet | PlayerKind::Veteran) | None => {
                Self::Rollout
            }
        }
    }

    /// Returns the prior weight of this kind: most games are played against easy players.
    pub(super) const fn prior_weight(self) -> usize {
        match self {
            Self::Greedy => 4,
            Self::Normal | Self::Rollout => 1,
        }
    }

    /// Returns a player of this kind.
    #[must_use]
    pub fn player(self) -> Box<dyn Player> {
        match self {
            Self::Normal => Box::new(Linear::default()),
            Self::Greedy => Box::new(Greedy::default()),
            Self::Rollout => Box::new(Linear::new(Weights::rollout())),
        }
    }
}

/// A player of each [`OpponentKind`].
#[derive(Clone, Debug)]
pub(crate) struct Policies {
    normal: Linear,
    pub(super) greedy: Greedy,
    pub(super) rollout: Linear,
}

impl Default for Policies {
    fn default() -> Self {
        Self { normal: Linear::default(), greedy: Greedy::default(), rollout: Linear::new(Weights::rollout()) }
    }
}

impl Policies {
    /// Returns the action of the player of this kind.
    #[inline]
    pub fn decide(&mut self, kind: OpponentKind, game: &Game, actions: &LegalActions) -> Option<Action> {
        match kind {
            OpponentKind::Normal => self.normal.decide(game, actions),
            OpponentKind::Greedy => self.greedy.decide(game, actions),
            OpponentKind::Rollout => self.rollout.decide(game, actions),
        }
    }
}

/// Returns the first value at which the sum of the weights so far exceeds `threshold`; else the last one.
///
/// A uniform threshold below the total draws values in proportion to their weights.
pub(super) fn weighted_choice<T>(weighted: impl Iterator<Item = (T, f32)>, threshold: f32) -> Option<T> {
    let (mut rest, mut last) = (threshold, None);
    for (value, weight) in weighted {
        rest -= weight;
        last = Some(value);
        if rest < 0.0 {
            break;
        }
    }
    last
}
