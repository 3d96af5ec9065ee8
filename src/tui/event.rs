//! What happens to the state, and what it asks of the program around it.

use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};

use super::types::{NewGame, Opened, SeatKind, WinEstimate};
use crate::game::{Action, Builder, Game};
use crate::session::Decision;
use crate::text::Answered;

/// Something that happened.
#[derive(Debug)]
pub enum TuiEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The screen has this many columns and rows now.
    Resize(u16, u16),
    /// The answer of a computer player to the question with this number; `None` if it has none.
    Answer(u64, Option<String>),
    /// The pause after this version of the table is over.
    Due(u64),
    /// An estimate of the analysis with this number.
    WinEstimate(u64, WinEstimate),
    /// The best actions, by the analysis with this number, with the chance to win after each.
    Hints(u64, Vec<(Action, f64)>),
    /// A message of a program that plays.
    Note(String),
    /// The result of writing a file: a message, or the error.
    Written(Result<String, String>),
    /// The game cannot be saved, so that leaving would lose it.
    NotSaved(String),
    /// The game that was chosen, or why it cannot be opened.
    Opened(Result<Box<Opened>, String>),
}

/// Something that the state asks for.
#[derive(Debug)]
pub enum Effect {
    /// Show this decision to the computer players. If one of them makes it, send [`TuiEvent::Answer`] with the number.
    Decide(u64, Box<Decision>),
    /// Record an answer, and tell programs of it.
    Tell(Box<Answered>),
    /// Let the computer player who thinks answer at once.
    CutShort,
    /// Estimate chances and hints.
    Analyse(EstimateRequest),
    /// Send [`TuiEvent::Due`] with this version after a time.
    Wait(u64, Duration),
    /// Save the game in a file.
    Save(PathBuf),
    /// Write text to a file.
    Write(PathBuf, String),
    /// Somebody else plays this builder.
    Seat(Builder, SeatKind),
    /// The game begins: make computer players for its position.
    Restart,
    /// The game goes on from the position after this many of its actions: make computer players anew.
    Branch(usize),
    /// Open the game that was chosen.
    Open(Box<NewGame>),
    /// Use the mouse or not.
    CaptureMouse(bool),
    /// Stop the program until it is continued.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Leave.
    Leave,
}

/// A request to estimate chances.
#[derive(Debug)]
pub struct EstimateRequest {
    /// The number of the request.
    pub number: u64,
    /// The position.
    pub game: Box<Game>,
    /// Whether to estimate the chances to win.
    pub chances: bool,
    /// Whether to estimate the best actions.
    pub hints: bool,
}
