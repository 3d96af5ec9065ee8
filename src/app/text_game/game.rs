//! The game that the text game plays.

use parking_lot::{Mutex, MutexGuard};

use super::extra_commands::{ExtraCommand, run_extra_command};
use crate::app::play::Seats;
use crate::game::Action;
use crate::session::Decision;
use crate::text::words::Words;
use crate::text::{Answered, Dialogue, Flow, Output};

/// A game that is played by one thread, and may be saved by another thread. It is locked only while memory changes, and never during input,
/// output, recording, messages to programs, or thinking.
#[derive(Debug)]
pub struct SharedGame(Mutex<Dialogue>);

/// The step after an answer, besides reporting it.
#[derive(Debug)]
pub enum Then<'l> {
    /// Ask for the next answer.
    Go,
    /// An extra command was executed: ask for the next answer.
    Done,
    /// Save the game in the file with this name.
    Save(&'l [u8]),
    /// Give advice on this decision.
    Hint(Box<Decision>, Vec<Action>),
    /// The players are done.
    End,
}

impl SharedGame {
    /// Shares a game.
    #[must_use]
    pub const fn new(dialogue: Dialogue) -> Self {
        Self(Mutex::new(dialogue))
    }

    /// Returns the game, once it is no longer shared.
    #[must_use]
    pub fn into_dialogue(self) -> Dialogue {
        self.0.into_inner()
    }

    /// Locks the game.
    pub fn lock(&self) -> MutexGuard<'_, Dialogue> {
        self.0.lock()
    }

    /// Returns the decision that the game asks for.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.lock().session().decision()
    }

    /// Takes as many words as one answer or extra command needs.
    ///
    /// An extra command may change who plays.
    pub fn answer<'l>(&self, words: &mut Words<'l>, seats: &mut Seats) -> (Answered, Then<'l>) {
        let mut dialogue = self.lock();
        let (before, decision) = (words.clone(), dialogue.session().decision());
        let mut out = Output::default();
        let then = match run_extra_command(seats, &mut dialogue, words, &mut out) {
            ExtraCommand::None => {
                let (answered, flow) = dialogue.answer_in_full(words);
                let then = match flow {
                    Flow::Continue | Flow::Refused => Then::Go,
                    Flow::Save(file) => Then::Save(file),
                    Flow::End => Then::End,
                };
                return (answered, then);
            }
            ExtraCommand::Done => Then::Done,
            ExtraCommand::Save(file) => Then::Save(file),
            ExtraCommand::Hint(decision, refused) => Then::Hint(decision, refused),
        };
        let answered = dialogue.answered(decision, before.text_up_to(words), out.bytes().to_vec());
        // Of these commands, only `undo` changes the game.
        (Answered { is_undo: answered.has_effect, ..answered }, then)
    }

    /// Answers with the line of a computer player. Returns also whether the players are done.
    pub fn answer_line(&self, line: &str) -> (Answered, bool) {
        let (answered, flow) = self.lock().answer_in_full(&mut Words::new(line.as_bytes()));
        (answered, flow == Flow::End)
    }
}
