//! A simulated game as input for the text game.

use super::{GameResult, Simulation};
use crate::game::{Action, Builder, Phase};
use crate::session::DiceKind;

/// Returns the lines that the players of a game would have typed, and its result.
///
/// The text game plays the same game from them, with the same layout source and the game's [seed](GameResult::seed).
#[must_use]
pub fn script(simulation: &Simulation, number: u64) -> (String, GameResult) {
    let edition = simulation.edition;
    let mut lines = String::new();
    let mut has_fair_dice = [edition.first_dice == DiceKind::Fair; Builder::COUNT];
    let result = simulation.play(number, |game, action| {
        if let (Action::Roll, Phase::TurnStart(builder)) = (action, game.phase())
            && !std::mem::replace(&mut has_fair_dice[builder.index()], true)
        {
            lines += "fair\n";
        }
        lines += &edition.action_text(action);
        lines.push('\n');
    });
    if result.end.winner().is_some() {
        lines += "no\n";
    }
    (lines, result)
}
