//! A [`Game`] as data: a saved game with its rules and its phase.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::saved_game::basements_after;
use super::{Builder, Game, Phase, Rules, SavedGame, WINNING_POINTS};

#[derive(Serialize, Deserialize)]
struct GameData {
    rules: Rules,
    phase: Phase,
    saved: SavedGame,
}

/// Serializes rules, phase and the content of a saved game, with roads and residences in ascending order.
impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = self
            .saved_game(|builder| (self.roads(builder).iter().collect(), self.residences(builder).iter().collect()));
        GameData { rules: self.rules, phase: self.phase, saved }.serialize(serializer)
    }
}

/// Fails for two roads or residences in one place, and for a phase that contradicts the position.
impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let GameData { rules, phase, saved } = GameData::deserialize(deserializer)?;
        let mut game = Self::from_saved(rules, &saved).map_err(D::Error::custom)?;
        let is_won = Builder::ALL.iter().any(|&builder| game.points(builder) >= WINNING_POINTS);
        let is_possible = match phase {
            Phase::Setup(step) => game.is_in_setup(step),
            Phase::Over(_) => is_won,
            Phase::Rob(robber) => !is_won && !game.victims(robber).is_empty(),
            Phase::Offered(offer) => !is_won && offer.from != offer.to && game.hand(offer.from).count(offer.give) > 0,
            Phase::TurnStart(_) | Phase::MoveGeese(_) | Phase::DuringTurn(_) => !is_won,
        };
        if !is_possible {
            return Err(D::Error::custom(format!("the phase {phase:?} does not fit the position")));
        }
        game.phase = phase;
        Ok(game)
    }
}

impl Game {
    /// Returns whether the only pieces on the board are the basements of the first `step` steps of the setup.
    ///
    /// Hands are not checked, as they depend on the order of a builder's basements.
    fn is_in_setup(&self, step: u8) -> bool {
        basements_after(step.into()).is_some_and(|counts| {
            Builder::ALL.into_iter().zip(counts).all(|(builder, count)| {
                self.roads(builder).is_empty()
                    && self.residences(builder) == self.basements(builder)
                    && self.basements(builder).len() as usize == count
            })
        })
    }
}
