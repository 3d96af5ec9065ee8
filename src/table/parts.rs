//! The lines, outputs and clients that a table keeps, and what it refuses.

use super::events::Output;
use super::message::Message;
use super::seat::ClientId;
use crate::game::{Builder, Game};
use crate::guide::View;
use crate::session::Pending;
use crate::text::words::Words;
use crate::text::{self, CommandKind, Dialogue, TurnCommand};

/// The reply to a request for loaded dice.
pub const FAIR_DICE: &str = "The dice of a table are fair.";

/// A line of the record.
#[derive(Clone, Debug)]
pub struct TableLine {
    /// The line as clients get it, without its end.
    pub text: String,
    /// The words of the text game that follow an action.
    pub said: String,
    /// The position after it.
    pub game: Game,
}

/// A client with an open stream.
#[derive(Debug)]
pub struct Client {
    pub id: ClientId,
    pub seat: Option<Builder>,
    /// The number of the last line that it has, until it gets those before it joined.
    pub joined_after: Option<u64>,
}

impl Client {
    /// Returns whether the client has the lines before it joined.
    pub const fn is_welcomed(&self) -> bool {
        self.joined_after.is_none()
    }
}

impl TableLine {
    /// Makes a line from a line of the record, which may say where the generator stands. `said` follows it if it is an action.
    pub fn new(line: &str, said: &str, game: &Game) -> Self {
        let is_action = !line.starts_with("{\"type\":");
        Self {
            text: without_position(line),
            said: if is_action { said.to_owned() } else { String::new() },
            game: *game,
        }
    }
}

/// Returns the words of the text game after an action, without the board and the prompt, which clients show in their own way.
pub fn words_after(dialogue: &Dialogue, text: &[u8]) -> String {
    let mut board = text::Output::default();
    dialogue.write_info(TurnCommand::Board, &mut board);
    let text = String::from_utf8_lossy(text).replace(&*board.text(), "");
    text.trim_end().trim_end_matches("\n>").trim_end().to_owned()
}

/// Returns a line of the record without the position of the generator.
fn without_position(line: &str) -> String {
    // In a text, the quotation marks would be escaped.
    let Some((before, rest)) = line.split_once(",\"drawn\":") else { return line.to_owned() };
    before.to_owned() + rest.trim_start_matches(|digit: char| digit.is_ascii_digit())
}

/// Ends the stream of a client whose place another connection takes.
pub fn dismiss(client: ClientId, out: &mut Vec<Output>) {
    out.push(Output::Send(client, Message::Replaced.to_line().into()));
    out.push(Output::Close(client));
}

/// Returns the answer to a line that only asks for information, which everybody may at any time.
#[must_use]
pub fn information(dialogue: &Dialogue, line: &str) -> Option<String> {
    let mut out = text::Output::default();
    match line.trim().to_ascii_lowercase().as_str() {
        "board" => dialogue.write_info(TurnCommand::Board, &mut out),
        "status" => dialogue.write_info(TurnCommand::Status, &mut out),
        "help" => {
            if let Pending::Turn(_) = dialogue.session().pending() {
                out.line("Valid commands:");
                let commands = dialogue.edition().commands.iter().filter(|command| command.kind != CommandKind::Save);
                commands.for_each(|command| out.line(command.usage));
            } else {
                out.line(&View::of(dialogue, None, 0).question);
            }
            out.line("board, status and help answer at any time.");
        }
        _ => return None,
    }
    Some(out.text())
}

/// Returns why a line is refused that the text game would take, or answer in the words of a game on one computer.
pub fn objection(dialogue: &Dialogue, line: &str) -> Option<String> {
    let mut words = Words::new(line.as_bytes());
    let word = words.next()?;
    match dialogue.session().pending() {
        Pending::Turn(_) => match dialogue.edition().parse_command(word, &mut words) {
            Ok(TurnCommand::Save(_)) => {
                return Some("The table keeps its record itself; it is not saved.".to_owned());
            }
            Ok(_) => {}
            Err(_) => return None,
        },
        Pending::Roll(..) if word.eq_ignore_ascii_case(b"load") => {
            return Some(FAIR_DICE.to_owned());
        }
        Pending::Roll(..) if !word.eq_ignore_ascii_case(b"roll") => {
            return Some("Type roll to roll the dice.".to_owned());
        }
        _ => {}
    }
    let left = String::from_utf8_lossy(words.next()?).into_owned();
    Some(format!("One answer at a time: nothing is played, since '{left}' follows."))
}
