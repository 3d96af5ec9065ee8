//! The input of the terminal: keys, clicks, pasted text, and the terminal's answer among them.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use crossterm::event::{Event as InputEvent, KeyCode};

use super::background::{AnswerFilter, Filtered, QUESTION};
use super::messages::{LoopMessage, spawn};
use super::terminal::{Screen, TerminalModes, clamp_size};
use crate::tui::TuiEvent;

/// How long the first frame waits for the terminal to say whether its background is light.
const ANSWER_TIME: Duration = Duration::from_millis(100);

/// The number of input events that may wait for the main loop.
const MAX_UNHANDLED: usize = 1_000;

/// The input, which a thread reads.
pub struct Input {
    /// Has an entry for each input event that waits. It is full while the main loop is behind, so that input waits in the terminal instead of
    /// in memory.
    waiting: Receiver<()>,
    /// Finds the answer to the question for the background, if it was asked.
    background: Option<AnswerFilter>,
}

impl Input {
    /// Starts to read. If `asks` is `true`, asks the terminal for its background first.
    ///
    /// # Errors
    /// When no thread can be started, or the terminal cannot be written.
    pub fn start(messages: Sender<LoopMessage>, modes: &TerminalModes, asks: bool) -> io::Result<Self> {
        let (waits, waiting) = mpsc::sync_channel(MAX_UNHANDLED);
        let forward = move |message| {
            if waits.send(()).is_ok() {
                drop(messages.send(message));
            }
        };
        spawn("input", forward, read_input)?;
        let background = asks.then(|| AnswerFilter::new(Instant::now()));
        if asks {
            modes.write(QUESTION)?;
        }
        Ok(Self { waiting, background })
    }

    /// Returns how long the first frame waits: for the answer, whose colours it should have.
    pub const fn first_wait(&self) -> Duration {
        if self.background.is_some() { ANSWER_TIME } else { Duration::ZERO }
    }

    /// Returns the time until which a key is held back, if one is.
    pub fn held_until(&self) -> Option<Instant> {
        self.background.as_ref().and_then(AnswerFilter::held_until)
    }

    /// Returns the key that was held back until now, if it is due.
    pub fn release(&mut self) -> Option<TuiEvent> {
        let is_due = self.background.as_mut().is_some_and(|filter| filter.release(Instant::now()));
        is_due.then(|| TuiEvent::Key(KeyCode::Esc.into()))
    }

    /// Takes an input event.
    ///
    /// Returns the events for the state, and at the end of the terminal's answer whether its background is light.
    ///
    /// # Errors
    /// When the screen cannot be adapted to a new size.
    pub fn take(&mut self, input: InputEvent, screen: &mut Screen) -> io::Result<(Vec<TuiEvent>, Option<bool>)> {
        let _ = self.waiting.try_recv();
        let filtered = match (&input, &mut self.background) {
            (InputEvent::Key(key), Some(filter)) => filter.take(key, Instant::now()),
            _ => Filtered::Key,
        };
        let mut events = Vec::new();
        match filtered {
            Filtered::Part => return Ok((events, None)),
            Filtered::End(is_light) => return Ok((events, Some(is_light.unwrap_or(false)))),
            Filtered::AfterEscape => events.push(TuiEvent::Key(KeyCode::Esc.into())),
            Filtered::Key => {}
        }
        events.extend(event(input, screen)?);
        Ok((events, None))
    }
}

/// Returns the event for the state, or `None` if the input is not an event for the state.
fn event(input: InputEvent, screen: &mut Screen) -> io::Result<Option<TuiEvent>> {
    Ok(match input {
        InputEvent::Key(key) => Some(TuiEvent::Key(key)),
        InputEvent::Mouse(mouse) => Some(TuiEvent::Mouse(mouse)),
        InputEvent::Paste(text) => Some(TuiEvent::Paste(text)),
        InputEvent::Resize(columns, rows) => {
            let (columns, rows) = clamp_size(columns, rows);
            screen.resize(columns, rows)?;
            Some(TuiEvent::Resize(columns, rows))
        }
        InputEvent::FocusGained | InputEvent::FocusLost => None,
    })
}

/// Reads input and sends it.
fn read_input(send: &impl Fn(LoopMessage)) {
    loop {
        match crossterm::event::read() {
            Ok(input) => send(LoopMessage::Input(input)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return send(LoopMessage::InputFailed(error)),
        }
    }
}
