//! Whether a line of several answers can be played as a whole.

use super::Output;
use super::dialogue::Dialogue;
use super::notation::{TurnCommand, is, yes_or_no};
use super::words::{Words, parse_int};
use crate::board::Roll;
use crate::game::{Action, Builder, Game, Phase, Trades};
use crate::session::{DiceKind, Pending};

/// Facts about the builders that are not part of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builders {
    /// Whether a person answers for each builder.
    pub people: [bool; Builder::COUNT],
    /// Whether offers to them are refused without a question.
    pub refuses_offers: bool,
    /// The dice that each builder rolls next.
    pub dice: [DiceKind; Builder::COUNT],
}

impl Dialogue {
    /// Returns the first mistake in a line of answers, as a sentence; `None` if there is none.
    ///
    /// The check ends where the game cannot be foreseen: at a roll or a theft, or at a builder that no person plays.
    #[must_use]
    pub fn mistake_in(&self, line: &[u8], mut builders: Builders) -> Option<String> {
        let (edition, session) = (self.edition(), self.session());
        let mut game = *session.game();
        let mut words = Words::new(line);
        match session.pending() {
            Pending::LoadedRoll(_) => return words.next().and_then(wrong_roll),
            Pending::GameOver => return None,
            _ => {}
        }
        while let Some(builder) = game.current_player().filter(|builder| builders.people[builder.index()]) {
            let all = builders.dice;
            let dice = &mut builders.dice[builder.index()];
            if builders.refuses_offers && matches!(game.phase(), Phase::Offered(_)) {
                game = game.after(Action::Refuse)?;
                continue;
            }
            let word = words.next()?;
            let pending = Pending::of(game.phase(), &all);
            let unknown = || Some(format!("'{}': {}", word.escape_ascii(), self.choices(&game, pending)));
            let action = match game.phase() {
                Phase::TurnStart(_) if is(word, "load") => {
                    *dice = DiceKind::Loaded;
                    continue;
                }
                Phase::TurnStart(_) if is(word, "fair") => {
                    *dice = DiceKind::Fair;
                    continue;
                }
                Phase::TurnStart(_) if is(word, "roll") => {
                    let sum = if *dice == DiceKind::Loaded { words.next() } else { None };
                    return sum.and_then(wrong_roll);
                }
                Phase::DuringTurn(_) => match edition.parse_command(word, &mut words) {
                    Ok(TurnCommand::Act(Action::Offer { .. })) if session.trades() == Trades::Off => {
                        return Some("Trades are turned off.".to_owned());
                    }
                    Ok(TurnCommand::Act(action)) => action,
                    Ok(_) => continue,
                    Err(error) => return Some(edition.mistake(error, word)),
                },
                Phase::Offered(offer) => match yes_or_no(word) {
                    Some(true) if game.hand(offer.to).count(offer.take) > 0 => Action::Accept,
                    Some(_) => Action::Refuse,
                    None => return unknown(),
                },
                phase => match edition.parse_answer(word, phase) {
                    Ok(action) => action,
                    Err(_) => return unknown(),
                },
            };
            if let Some(reason) = edition.why_not(&game, action) {
                return Some(reason);
            }
            // A theft is drawn; everything else is known.
            game = game.after(action)?;
        }
        None
    }

    /// Returns what can be typed at a decision.
    fn choices(&self, game: &Game, pending: Pending) -> String {
        let mut out = Output::default();
        self.edition().write_answers(game, pending, &mut out);
        out.text().trim_end().to_owned()
    }
}

/// Returns what is wrong with a word for the sum of loaded dice.
fn wrong_roll(word: &[u8]) -> Option<String> {
    let is_roll = parse_int(word).and_then(Roll::new).is_some();
    (!is_roll).then(|| format!("'{}': Type what the dice show, 2 to 12.", word.escape_ascii()))
}
