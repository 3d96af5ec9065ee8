//! Questions that are answered by one of a few words, and the effect of each answer.

use super::state::Play;
use crate::board::Roll;
use crate::game::{Builder, Game, Hand};
use crate::session::Pending;
use crate::text::Edition;

/// One of the answers to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The line to type in the text game.
    pub line: String,
    /// The effect of the answer.
    pub about: String,
}

/// Returns the answers to the question that a person is asked. Returns an empty list if there are too many answers to list, or if no person
/// is asked.
#[must_use]
pub fn answers(play: &Play) -> Vec<Answer> {
    if !play.person_decides() {
        return Vec::new();
    }
    let (edition, game) = (play.edition(), play.timeline.game());
    match play.timeline.pending() {
        Pending::LoadedRoll(_) => Roll::all()
            .map(|roll| Answer { line: roll.value().to_string(), about: roll_effect(edition, game, roll) })
            .collect(),
        Pending::Rob(robber) => {
            let answer = |victim: Builder| Answer {
                line: edition.colour(victim).to_owned(),
                about: format!("holds {}", units_or_nothing(edition, game.hand(victim))),
            };
            game.victims(robber).iter().map(answer).collect()
        }
        Pending::Answer(offer) => {
            let [give, take] = [offer.take, offer.give].map(|resource| edition.resource_name(resource));
            let held = game.hand(offer.to).count(offer.take);
            let yes = if held == 0 { format!("you have no {give}") } else { format!("give {give}, get {take}") };
            [("yes", yes), ("no", "refuse".to_owned())]
                .map(|(line, about)| Answer { line: line.to_owned(), about })
                .to_vec()
        }
        _ => Vec::new(),
    }
}

/// Describes what a roll would do.
fn roll_effect(edition: &Edition, game: &Game, roll: Roll) -> String {
    if roll.is_seven() {
        return format!("the {} move", edition.strings.geese);
    }
    let gains: Vec<String> = Builder::ALL
        .into_iter()
        .filter(|&builder| !game.production(roll, builder).is_empty())
        .map(|builder| format!("{} {}", edition.colour(builder), edition.units(game.production(roll, builder))))
        .collect();
    if gains.is_empty() { "nobody gains".to_owned() } else { gains.join("; ") }
}

/// Returns the units of a hand, or `nothing`.
#[must_use]
pub fn units_or_nothing(edition: &Edition, hand: Hand) -> String {
    if hand.is_empty() { "nothing".to_owned() } else { edition.units(hand) }
}
