//! The turn policy as a player.

use std::sync::Arc;

use rand::Rng;

use crate::game::{Action, Game, LegalActions, Trades};
use crate::players::turn_policy::TurnPolicy;
use crate::players::{Network, Player};

/// The turn policy of the expert as a player: it does not search.
#[derive(Clone, Debug, Default)]
pub struct Policy(TurnPolicy);

impl Policy {
    /// Makes the player with this turn network.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        Self(TurnPolicy::new(network))
    }
}

impl Player for Policy {
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        self.0.choose(game, actions, rng)
    }

    fn wants_turns(&self, _trades: Trades) -> bool {
        false
    }

    fn wants_observations(&self) -> bool {
        false
    }
}
