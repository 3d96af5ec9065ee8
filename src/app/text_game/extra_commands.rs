//! The commands of `-extras`. They are available at every prompt.

use constructor_common::Foreign;

use crate::app::play::Seats;
use crate::game::AnsweredOffers;
use crate::guide::EXTRA_COMMANDS;
use crate::players::{PlayerKind, UnknownPlayer};
use crate::session::{Command, Decision, Pending};
use crate::text::words::Words;
use crate::text::{Dialogue, Edition, Output, TurnCommand};

/// The step after an answer, besides reporting it.
#[derive(Debug)]
pub enum Then<'l> {
    /// Ask for the next answer.
    Go,
    /// An extra command was executed: ask for the next answer.
    Done,
    /// Save the game in the file with this name.
    Save(&'l [u8]),
    /// Give a [hint](Seats::hint) on this decision; these offers were answered in the turn.
    Hint(Box<Decision>, AnsweredOffers),
    /// The players are done.
    End,
}

/// Executes the extra command at the beginning of the words. Returns what is to be done then; `None` if the words do not begin with an extra
/// command.
pub fn run_extra_command<'l>(
    seats: &mut Seats,
    dialogue: &mut Dialogue,
    words: &mut Words<'l>,
    out: &mut Output,
) -> Option<Then<'l>> {
    if !seats.has_extra_commands() {
        return None;
    }
    let pending = dialogue.session().pending();
    let edition = seats.edition();
    let mut rest = words.clone();
    match rest.next().unwrap_or_default().to_ascii_lowercase().as_slice() {
        b"computer" => match (kind_named(rest.next()), pending.builder()) {
            (Ok(kind), Some(builder)) => {
                seats.seat_computer(builder, kind);
                out.put(if kind == PlayerKind::Expert { "An " } else { "A " })
                    .put(kind.name())
                    .put(" player plays ")
                    .put(edition.colour(builder))
                    .put(".")
                    .end();
            }
            (Ok(_), None) => out.line("The game is over."),
            (Err(error), _) => out.line(&error.to_string()),
        },
        b"human" => match edition.parse_builder_or_list(rest.next().unwrap_or_default()) {
            Ok(other) => {
                seats.seat_human(other);
                out.put("A human plays ").put(edition.colour(other)).put(".").end();
            }
            Err(error) => out.line(&error),
        },
        b"hint" if pending == Pending::GameOver => out.line("The game is over."),
        b"hint" => {
            *words = rest;
            let session = dialogue.session();
            return Some(Then::Hint(Box::new(session.decision()), session.answered_offers()));
        }
        b"save" if !is_turn(pending) => match rest.next() {
            Some(file) => {
                *words = rest;
                return Some(Then::Save(file));
            }
            None => out.line("Type save and the name of a file."),
        },
        b"undo" => undo(dialogue, out),
        b"log" => edition.write_log(dialogue.game().layout(), dialogue.session().history(), out),
        b"help" => {
            dialogue.write_help(out);
            out.line("Also:");
            let usages = EXTRA_COMMANDS.iter().filter(|command| !command.needs_screen).map(|command| command.usage);
            for usage in usages.filter(|usage| !(is_turn(pending) && is_turn_command(edition, usage))) {
                out.line(usage);
            }
            out.line("Ctrl-D or Ctrl-C saves the game and leaves.");
            out.line("Costs:");
            edition.write_costs(out);
            out.line("On the board:");
            edition.write_legend(out);
        }
        b"board" if !is_turn(pending) => dialogue.write_info(TurnCommand::Board, out),
        b"status" if !is_turn(pending) => dialogue.write_info(TurnCommand::Status, out),
        _ => return None,
    }
    *words = rest;
    Some(Then::Done)
}

const fn is_turn(pending: Pending) -> bool {
    matches!(pending, Pending::Turn(_))
}

/// Returns whether a command belongs to the game itself during a turn.
fn is_turn_command(edition: &Edition, usage: &str) -> bool {
    edition.commands.iter().any(|command| command.usage == usage)
}

fn undo(dialogue: &mut Dialogue, out: &mut Output) {
    let last = dialogue.session().history().last().map(|entry| entry.action);
    match (dialogue.session_mut().submit(Command::Undo), last) {
        (Ok(_), Some(action)) => out.put("Undone: ").put(&dialogue.edition().action_text(action)).end(),
        _ => out.line("There is nothing to undo."),
    }
}

fn kind_named(word: Option<&[u8]>) -> Result<PlayerKind, UnknownPlayer> {
    let name = word.unwrap_or_default().to_ascii_lowercase();
    PlayerKind::named(&String::from_utf8_lossy(&name))
}

/// Writes the message of the extra commands that the game was saved in a file.
pub fn write_saved(file: &[u8], out: &mut Output) {
    out.put("Saved in ").put(&Foreign::from(String::from_utf8_lossy(file)).to_string()).put(".").end();
}
