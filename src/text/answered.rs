//! An answer with all its effects, for the parts of the program that are notified of answers: records, programs, the full screen.

use super::dialogue::{Dialogue, Flow};
use super::output::Output;
use super::words::Words;
use crate::game::{Action, Event, Game};
use crate::session::{Command, Decision};

/// A typed answer and its effects.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The decision that was asked for.
    pub decision: Decision,
    /// The position after the answer.
    pub game: Game,
    /// The words that were used, with a space between them.
    pub typed: String,
    /// The text that the game printed in response.
    pub text: Vec<u8>,
    /// The events that the answer caused.
    pub events: Vec<Event>,
    /// Whether the game asks the same question again: the answer was refused, was blank, or asked to save the game.
    pub is_refused: bool,
    /// Whether the answer changed the position, or the input that the session waits for.
    pub has_effect: bool,
    /// Whether the answer took back the last action.
    pub is_undo: bool,
    /// The action that the answer played, if any; known only if the session has a [history](crate::session::Session::with_history).
    pub played: Option<Action>,
    /// The faces of the last roll, if the dice were fair.
    pub faces: Option<[u8; 2]>,
    /// The number of words that the session's generator has drawn.
    pub drawn: u64,
}

impl Dialogue {
    /// Answers like [`Dialogue::answer`].
    ///
    /// Returns the answer with its effects, and the next step.
    pub fn answer_in_full<'l>(&mut self, words: &mut Words<'l>) -> (Answered, Flow<'l>) {
        let (before, decision) = (words.clone(), self.session().decision());
        let actions = self.session().history().len();
        let mut out = Output::default();
        let flow = self.answer(words, &mut out);
        let typed = before.text_up_to(words);
        let is_refused = typed.is_empty() || matches!(flow, Flow::Refused | Flow::Save(_));
        let played = self.session().history().get(actions).map(|entry| entry.action);
        let text = out.bytes().to_vec();
        let answered =
            Answered { is_refused, played, events: self.events().to_vec(), ..self.answered(decision, typed, text) };
        (answered, flow)
    }

    /// Takes back the last building action of this turn. Returns `None` if there is no such action.
    pub fn undo(&mut self) -> Option<Answered> {
        let decision = self.session().decision();
        self.session_mut().submit(Command::Undo).ok()?;
        Some(Answered { is_undo: true, ..self.answered(decision, "undo".to_owned(), Vec::new()) })
    }

    /// Returns a typed answer together with its effects. Call it after the session has processed the answer.
    #[must_use]
    pub fn answered(&self, decision: Decision, typed: String, text: Vec<u8>) -> Answered {
        let session = self.session();
        Answered {
            decision,
            game: *session.game(),
            typed,
            text,
            events: Vec::new(),
            is_refused: false,
            has_effect: session.decision() != decision,
            is_undo: false,
            played: None,
            faces: session.faces(),
            drawn: session.drawn(),
        }
    }
}
