//! Playouts by the turn policy.

use crate::game::{Builder, Game};
use crate::players::flat_mc::{CommonRandomNumbers, finish_game};
use crate::players::{OpponentKind, TurnPolicy, WinModel};

/// Makes playouts in which everybody plays by the turn policy. The value network judges the end of each playout.
#[derive(Default)]
pub(super) struct TurnPlayout {
    pub policy: TurnPolicy,
    pub win_model: WinModel,
}

impl TurnPlayout {
    /// Estimates the win probability of a builder by one playout of this many turns, in which everybody plays by the policy.
    pub fn chance(&mut self, mut game: Game, builder: Builder, turns: u64, chance: &mut CommonRandomNumbers) -> f32 {
        finish_game(&mut game, turns, chance, |_, game, actions| self.policy.decide(game, actions));
        self.win_model.chances(&game, [OpponentKind::Rollout; Builder::COUNT])[builder.index()]
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{Action, Rules, Trades};

    #[test]
    fn chances_after_actions_depend_on_the_seed_only() {
        let mut rng = SmallRng::seed_from_u64(2);
        let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        let mut playout = TurnPlayout::default();
        let action = game.legal_actions(Trades::Off).nth(7).unwrap_or(Action::EndTurn);
        let mut chance = |seed| {
            let (mut after, mut chance) = (game, CommonRandomNumbers::new(seed));
            after.apply_unchecked(action, &mut chance, |_| {});
            playout.chance(after, Builder::Blue, 16, &mut chance).to_bits()
        };
        assert_eq!(chance(1), chance(1));
        assert_ne!(chance(1), chance(2));
    }
}
