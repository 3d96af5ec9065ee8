//! The game that the text game plays.

use super::extra_commands::{Then, run_extra_command};
use crate::app::play::Seats;
use crate::text::words::Words;
use crate::text::{Answered, Dialogue, Flow, Output};

/// A game that is played by one thread, and may be saved by another thread. It is locked only while memory changes, and never during input,
/// output, recording, messages to programs, or thinking.
pub type SharedGame = parking_lot::Mutex<Dialogue>;

/// Takes as many words as one answer or extra command needs.
///
/// An extra command may change who plays.
pub fn answer<'l>(game: &SharedGame, words: &mut Words<'l>, seats: &mut Seats) -> (Answered, Then<'l>) {
    let mut dialogue = game.lock();
    let (before, decision) = (words.clone(), dialogue.session().decision());
    let mut out = Output::default();
    let Some(then) = run_extra_command(seats, &mut dialogue, words, &mut out) else {
        let (answered, flow) = dialogue.answer_in_full(words);
        let then = match flow {
            Flow::Continue | Flow::Refused => Then::Go,
            Flow::Save(file) => Then::Save(file),
            Flow::End => Then::End,
        };
        return (answered, then);
    };
    let answered = dialogue.answered(decision, before.text_up_to(words), out.bytes().to_vec());
    // Of these commands, only `undo` changes the game.
    (Answered { is_undo: answered.has_effect, ..answered }, then)
}

/// Answers with the line of a computer player. Returns also whether the players are done.
pub fn answer_line(game: &SharedGame, line: &str) -> (Answered, bool) {
    let (answered, flow) = game.lock().answer_in_full(&mut Words::new(line.as_bytes()));
    (answered, flow == Flow::End)
}
