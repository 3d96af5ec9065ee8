//! A simulated game as lines that could have been typed.

use super::{Played, Simulation};
use crate::dice::DiceKind;
use crate::edition::{Edition, Verb};
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
        lines += &typed(edition, action);
        lines.push('\n');
    });
    if played.end.winner().is_some() {
        lines += "no\n";
    }
    (lines, played)
}

/// An action as it is typed.
fn typed(edition: &Edition, action: Action) -> String {
    let command = |verb| edition.commands.iter().find(|command| command.verb == verb).map_or("", |words| words.name());
    let colour = |builder: Builder| edition.words.colours[builder.index()];
    match action {
        Action::Settle(vertex) => vertex.to_string(),
        Action::Roll => "roll".to_owned(),
        Action::MoveGeese(tile) => tile.to_string(),
        Action::Rob(builder) => colour(builder).to_owned(),
        Action::BuildRoad(edge) => format!("{} {edge}", command(Verb::BuildRoad)),
        Action::BuildBasement(vertex) => format!("{} {vertex}", command(Verb::BuildBasement)),
        Action::Improve(vertex) => format!("{} {vertex}", command(Verb::Improve)),
        Action::Offer { to, give, take } => {
            let [give, take] = [give, take].map(|resource| edition.words.resources[resource.index()]);
            format!("{} {} {give} {take}", command(Verb::Trade), colour(to))
        }
        Action::Accept => "yes".to_owned(),
        Action::Refuse => "no".to_owned(),
        Action::EndTurn => command(Verb::Next).to_owned(),
    }
}
