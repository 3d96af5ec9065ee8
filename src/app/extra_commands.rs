//! The commands of `-extras`: computer, human, hint, undo, log.

use super::seats::Seats;
use crate::players::PlayerKind;
use crate::session::{Command, Decision, Pending};
use crate::text::words::Words;
use crate::text::{Dialogue, Output};

/// The result of trying a line as an extra command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ExtraCommand {
    /// It is not an extra command.
    None,
    /// It was executed.
    Done,
    /// It asks for a [hint](Seats::hint) on this decision.
    Hint(Box<Decision>),
}

/// The extra commands, as `help` lists them.
const EXTRA_USAGE: [&str; 5] = ["computer <level>", "human <colour>", "hint", "undo", "log"];

/// Executes the next word of the line if it is an extra command. They are available at the start of a turn and during it.
pub(super) fn run_extra_command(
    seats: &mut Seats,
    dialogue: &mut Dialogue,
    words: &mut Words<'_>,
    out: &mut Output,
) -> ExtraCommand {
    let builder = match dialogue.session().pending() {
        Pending::Roll(builder, _) | Pending::Turn(builder) if seats.has_extra_commands() => builder,
        _ => return ExtraCommand::None,
    };
    let edition = seats.edition();
    let mut rest = words.clone();
    match rest.next().unwrap_or_default().to_ascii_lowercase().as_slice() {
        b"computer" => match rest.next().and_then(kind_by_name) {
            Some(kind) => seats.seat_computer(builder, kind),
            None => out.line("A computer player is easy, normal, hard, expert, classic or random."),
        },
        b"human" => match rest.next().and_then(|word| edition.builder(word)) {
            Some(other) => seats.seat_human(other),
            None => out.put("A colour is ").put(&edition.strings.colours.join(", ")).put(".").end(),
        },
        b"hint" => {
            *words = rest;
            return ExtraCommand::Hint(Box::new(dialogue.session().decision()));
        }
        b"undo" => {
            if dialogue.session_mut().submit(Command::Undo).is_err() {
                out.line("There is nothing to undo.");
            }
        }
        b"log" => {
            for entry in dialogue.session().history() {
                out.put(edition.colour(entry.builder)).put(": ").put(&edition.action_text(entry.action)).end();
            }
        }
        b"help" => {
            if let Pending::Turn(_) = dialogue.session().pending() {
                dialogue.answer(&mut Words::new(b"help"), out);
            }
            for usage in EXTRA_USAGE {
                out.line(usage);
            }
        }
        _ => return ExtraCommand::None,
    }
    *words = rest;
    ExtraCommand::Done
}

fn kind_by_name(word: &[u8]) -> Option<PlayerKind> {
    let name = word.to_ascii_lowercase();
    std::str::from_utf8(&name).ok().and_then(PlayerKind::by_name)
}
