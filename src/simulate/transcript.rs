//! A simulated game as lines that could have been typed.

use super::{Played, Simulation};
use crate::dice::DiceKind;
use crate::game::{Action, Builder, Phase};

/// The lines that a game's players would have typed, and what came of it. Given to the game itself with the same layout
/// and [seed](Played::seed), they play the same game.
#[must_use]
pub fn transcript(simulation: &Simulation, number: u64) -> (String, Played) {
    let edition = simulation.edition;
    let mut lines = String::new();
    let mut has_fair_dice = [edition.first_dice == DiceKind::Fair; Builder::COUNT];
    let played = simulation.play(number, |game, action| {
        if let (Action::Roll, Phase::TurnStart(builder)) = (action, game.phase())
            && !std::mem::replace(&mut has_fair_dice[builder.index()], true)
        {
            lines += "fair\n";
        }
        lines += &edition.typed(action);
        lines.push('\n');
    });
    if played.end.winner().is_some() {
        lines += "no\n";
    }
    (lines, played)
}
