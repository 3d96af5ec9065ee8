//! The best actions, by playouts.

use crate::game::{Action, Game, Phase, Trades};
use crate::players::ActionChances;

/// The number of playouts for each action. More playouts would hardly change the advice.
pub const ADVICE_PLAYOUTS: u32 = 1_000;

/// The probability that a person accepts an offer that a greedy player would accept.
const ACCEPTANCE: f64 = 0.5;

/// An advised action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advised {
    /// The action.
    pub action: Action,
    /// The chance of winning after it, 0 to 1; for an offer, if it is accepted.
    pub chance: f64,
    /// The standard error of the chance.
    pub error: f64,
}

/// Advice for a position: the same advice each time it is asked for.
#[derive(Clone, Debug)]
pub struct Advice {
    chances: ActionChances,
    shows_chances: bool,
}

impl Advice {
    /// Makes advice for a position, without any playouts yet.
    ///
    /// Offers in `refused` are not advised again.
    #[must_use]
    pub fn new(game: &Game, trades: Trades, refused: &[Action]) -> Self {
        // One seed for all positions: the same position gives the same advice, in text and on the screen.
        let chances = ActionChances::new(*game, trades, 0).without(refused);
        Self { chances, shows_chances: !matches!(game.phase(), Phase::Setup(_)) }
    }

    /// Returns whether the chances mean something at this table.
    ///
    /// In the setup they do not: playouts place like `normal` players, who all prefer the same sites.
    #[must_use]
    pub const fn shows_chances(&self) -> bool {
        self.shows_chances
    }

    /// Returns the number of playouts of each action so far.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.chances.playouts()
    }

    /// Plays the game out once more after each action.
    pub fn add_playout_of_each(&mut self) {
        self.chances.add_playout_of_each();
    }

    /// Returns the actions, the best first; none before the first playout.
    ///
    /// An offer that may be refused is worth less than its chance says: half of that, and half of the best chance without it.
    #[must_use]
    pub fn best(&self) -> Vec<Advised> {
        let count = f64::from(self.chances.playouts());
        let estimates = self.chances.estimates();
        let is_offer = |action: &Action| matches!(action, Action::Offer { .. });
        let without_offers = estimates.iter().filter(|(action, _)| !is_offer(action)).map(|&(_, chance)| chance);
        let otherwise = without_offers.fold(0.0, f64::max);
        let worth = |advised: &Advised| {
            let acceptance = if is_offer(&advised.action) { ACCEPTANCE } else { 1.0 };
            acceptance * advised.chance + (1.0 - acceptance) * otherwise
        };
        let advised = |(action, chance): (Action, f64)| Advised {
            action,
            chance,
            error: (chance * (1.0 - chance) / count).sqrt(),
        };
        let mut best: Vec<Advised> = estimates.into_iter().map(advised).collect();
        best.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
        best
    }
}
