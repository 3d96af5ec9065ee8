//! A simulated game as input for the text game.

use super::{GameResult, Simulation};
use crate::game::{Action, Builder, Phase};
use crate::session::DiceKind;

/// Plays a game, and returns the lines that its players would type in the text game, with its result.
///
/// With these lines as input, the same layout source and the game's [seed](GameResult::seed), the text game plays the same game.
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
