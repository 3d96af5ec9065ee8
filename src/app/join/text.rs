//! A table as text: everybody's answers with the words of the text game, and typed lines.

use std::collections::VecDeque;
use std::io::BufReader;
use std::sync::mpsc;

use constructor_common::escape;
use constructor_common::frame::{Failure, Io};
use constructor_common::streams::RetryOnWouldBlock;

use super::input::read_line;
use crate::app::io::spawn;
use crate::app::remote::{FromTable, Link, TableClient};
use crate::record::Replay;
use crate::table::{Follower, Message, Reply, SeatPresence, SeatState, information};
use crate::text::{ASK_PLAY_AGAIN, Answered, Output, TurnCommand};

/// The number of events that may wait to be handled.
const WAITING_EVENTS: usize = 64;

/// Something that happens to the client.
enum Event {
    Table(FromTable),
    /// A line was typed.
    Typed(String),
    /// The input has ended.
    InputEnded,
    /// The reply to the line that was sent after the line with this number.
    Answered(u64, Result<Reply, String>),
}

/// A table as text.
struct TextClient<'i> {
    io: &'i Io,
    client: TableClient,
    follower: Follower,
    /// Typed lines that wait for this player's decision.
    typed: VecDeque<String>,
    turn: Turn,
    /// Whether the position has been shown as a whole.
    is_shown: bool,
    /// Whether lines come from a terminal: then one that is typed at somebody else's decision does not wait.
    is_terminal: bool,
    colour: Option<String>,
    /// The builder who decides.
    decider: Option<String>,
    presence: String,
    leaving: Leaving,
}

/// Whether this client leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    No,
    /// No more lines are taken; the last one is waited for.
    AfterLastLine,
    Now,
}

/// The side that has to act.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Somebody else decides.
    Others,
    /// This client decides.
    Own,
    /// A line was sent after the line with this number, and neither a refusal nor its effect has come.
    Sent(u64),
}

/// Plays with typed lines, until the input ends.
///
/// # Errors
/// When the table does not take the link, or standard output fails.
pub fn play(io: &Io, link: Link, mut input: BufReader<RetryOnWouldBlock>, is_terminal: bool) -> Result<u8, Failure> {
    // A table that sends faster than this can be printed has to wait.
    let (events, inbox) = mpsc::sync_channel(WAITING_EVENTS);
    let (from_table, from_input, answers) = (events.clone(), events.clone(), events);
    let client = TableClient::start(link, move |event| drop(from_table.send(Event::Table(event))))?;
    let read = move || {
        while let Ok(Some(line)) = read_line(&mut input) {
            if from_input.send(Event::Typed(line)).is_err() {
                return;
            }
        }
        let _ = from_input.send(Event::InputEnded);
    };
    spawn("input", read)?;
    let mut text = TextClient {
        io,
        client,
        follower: Follower::default(),
        typed: VecDeque::new(),
        turn: Turn::Others,
        is_shown: false,
        is_terminal,
        colour: None,
        decider: None,
        presence: String::new(),
        leaving: Leaving::No,
    };
    for event in inbox {
        match event {
            Event::Table(FromTable::Message(message)) => text.take(*message)?,
            Event::Table(FromTable::Lost(reason)) => {
                io.voice.say(format_args!("{reason}; joining again"));
                if text.turn == Turn::Own {
                    text.turn = Turn::Others;
                }
            }
            Event::Table(FromTable::Ended(reason)) => return Err(reason.into()),
            Event::Typed(typed) if text.leaving == Leaving::No => text.type_line(typed)?,
            Event::Typed(_) => {}
            Event::InputEnded => text.leaving = Leaving::AfterLastLine,
            Event::Answered(after, reply) => text.answered(after, reply)?,
        }
        if text.turn == Turn::Own
            && let Some(line) = text.typed.pop_front()
        {
            let (client, answers, after) = (text.client.clone(), answers.clone(), text.follower.number());
            text.turn = Turn::Sent(after);
            spawn("line", move || drop(answers.send(Event::Answered(after, client.send(Some(after), &line)))))?;
        }
        let has_waiting_line = !text.typed.is_empty() || matches!(text.turn, Turn::Sent(_));
        if text.leaving == Leaving::Now || text.leaving == Leaving::AfterLastLine && !has_waiting_line {
            return Ok(0);
        }
    }
    Ok(0)
}

impl TextClient<'_> {
    fn print(&self, text: &str) -> Result<(), String> {
        self.io.print(text.as_bytes())
    }

    /// Prints what the game's own dialogue writes.
    fn print_info(&self, what: TurnCommand<'_>) -> Result<(), String> {
        let Some(replay) = self.follower.replay() else { return Ok(()) };
        let mut out = Output::default();
        replay.dialogue().write_info(what, &mut out);
        self.io.print(out.bytes())
    }

    fn take(&mut self, message: Message) -> Result<(), String> {
        match message {
            Message::Record { n, line, .. } => {
                self.is_shown &= self.follower.number() + 1 == n;
                if let Some(answered) = self.follower.take(n, &line)?
                    && self.is_shown
                {
                    self.show(&answered)?;
                }
            }
            Message::View { view, clock, .. } => {
                self.colour.clone_from(&view.you);
                if !std::mem::replace(&mut self.is_shown, true) {
                    self.print_info(TurnCommand::Board)?;
                    self.print_info(TurnCommand::Status)?;
                    let you =
                        view.you.as_ref().map_or("You watch".to_owned(), |you| format!("You are {}", escape(you)));
                    self.print(&format!("{you}; quit leaves, and the table goes on.\n"))?;
                }
                let decides = view.decides.is_some() && view.decides == view.you && !view.can.is_empty();
                self.turn = if decides { Turn::Own } else { Turn::Others };
                self.decider.clone_from(&view.decides);
                if decides {
                    let clock = clock.map_or(String::new(), |seconds| format!(" You have {seconds} s."));
                    self.print(&format!("{}{clock}\n> ", escape(&view.question)))?;
                } else if view.decides.is_none() {
                    self.typed.clear();
                }
            }
            Message::Presence { seats, watchers, paused } => self.show_presence(&seats, watchers, paused)?,
            Message::Notice { text } => self.print(&format!("{}\n", escape(&text)))?,
            Message::Reveal(reveal) => match self.follower.check_dice(&reveal) {
                Ok(()) => self.print("The dice are those to which the table was committed at the beginning.\n")?,
                Err(error) => self.print(&format!("The dice are not those of the beginning: {}\n", escape(&error)))?,
            },
            Message::Replaced => {}
        }
        Ok(())
    }

    /// Prints an answer, and what the game says to it.
    fn show(&self, answered: &Answered) -> Result<(), String> {
        let edition = self.follower.replay().map(Replay::edition);
        let by = answered.decision.pending.builder().zip(edition).map(|(builder, edition)| edition.colour(builder));
        // Whoever serves the table begins the next game.
        let text = String::from_utf8_lossy(&answered.text).replace(ASK_PLAY_AGAIN, "The game is over.");
        // A line of this seat's that was not sent from here is a computer's.
        match by.filter(|&by| self.colour.as_deref() != Some(by) || !matches!(self.turn, Turn::Sent(_))) {
            Some(by) => self.print(&format!("{by}: {}\n{text}", escape(&answered.typed))),
            None => self.print(&text),
        }
    }

    fn show_presence(&mut self, seats: &[SeatPresence], watchers: usize, paused: bool) -> Result<(), String> {
        let seat = |seat: &SeatPresence| {
            let state = match seat.state {
                SeatState::Here => "here".to_owned(),
                SeatState::Gone => "gone".to_owned(),
                SeatState::Awaited => "awaited".to_owned(),
                SeatState::Computer => escape(&seat.player),
            };
            format!("{} {state}", escape(&seat.builder))
        };
        let seats: Vec<String> = seats.iter().map(seat).collect();
        let paused = if paused { "; paused" } else { "" };
        let text = format!("At the table: {}; {watchers} watch{paused}.\n", seats.join(", "));
        if std::mem::replace(&mut self.presence, text.clone()) == text { Ok(()) } else { self.print(&text) }
    }

    /// Takes a typed line: what only asks for information is answered here, everything else waits for this player's decision.
    fn type_line(&mut self, line: String) -> Result<(), String> {
        if line.trim().is_empty() {
            return Ok(());
        }
        if line.trim().eq_ignore_ascii_case("quit") {
            // The lines before it are still played.
            self.leaving = if self.is_terminal { Leaving::Now } else { Leaving::AfterLastLine };
            return Ok(());
        }
        let replay = self.follower.replay();
        if let Some(text) = replay.and_then(|replay| information(replay.dialogue(), &line)) {
            self.print(&text)?;
            return if self.turn == Turn::Own { self.print("> ") } else { Ok(()) };
        }
        if self.is_terminal && self.turn != Turn::Own {
            return match &self.decider {
                Some(other) if self.turn == Turn::Others => {
                    self.print(&format!("It is {} who decides now.\n", escape(other)))
                }
                Some(_) => Ok(()),
                None => self.print("The game is over; quit leaves.\n"),
            };
        }
        self.typed.push_back(line);
        Ok(())
    }

    /// Takes the reply to the line that was sent after line `after`.
    fn answered(&mut self, after: u64, reply: Result<Reply, String>) -> Result<(), String> {
        // The effect of a line comes with the stream, often before the reply.
        if self.turn != Turn::Sent(after) {
            return Ok(());
        }
        let text = match reply {
            Ok(Reply { status: 200, refused: false, n, .. }) if n > after => return Ok(()),
            // A computer has decided; the next question comes with the stream.
            Ok(Reply { status: 412, text, .. }) => {
                self.turn = Turn::Others;
                return self.print(&format!("{}\n", lines(&text)));
            }
            Ok(reply) => reply.text,
            Err(error) => {
                self.io.voice.say(format_args!("the line may not have been taken: {error}"));
                String::new()
            }
        };
        self.turn = Turn::Own;
        self.typed.clear();
        self.print(&format!("{}\n> ", lines(&text)))
    }
}

/// Returns a text of the table with its lines, each escaped.
fn lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
