//! The events that change the state, and the effects that the surrounding program has to carry out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};

use super::popups::games::{KeptChange, StartKept};
use super::popups::review::ReviewProgress;
use super::types::{NewGame, Opened, WinEstimate};
use crate::analysis::{Analysis, Move, SeatHistory, SeatKind};
use crate::game::{AnsweredOffers, Builder, Game, Trades};
use crate::guide::Advised;
use crate::players::PlayerKind;
use crate::session::Decision;
use crate::table::{Message, Reply};
use crate::text::{Answered, Edition};

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
    /// The pause after this version of the timeline is over.
    Due(u64),
    /// An estimate of the chances to win, by the analysis with this number.
    WinEstimate(u64, WinEstimate),
    /// The best actions, by the analysis with this number, with the chance to win after each.
    Hints(u64, Vec<Advised>),
    /// How many percent of the playouts for the best actions are done, by the analysis with this number.
    HintsProgress(u64, u32),
    /// How far the analysis of this version of the timeline is.
    ReviewProgress(u64, ReviewProgress),
    /// The analysis of this version of the timeline.
    Reviewed(u64, Arc<Analysis>),
    /// A message of a program that plays.
    Note(String),
    /// The result of writing a file: a message, or the error.
    Written(Result<String, String>),
    /// The game cannot be saved, so that leaving would lose it.
    NotSaved(String),
    /// A message of the table over the network.
    Table(Box<Message>),
    /// The connection to the table is lost, for this reason, and whether it comes back by itself.
    TableLost(String, bool),
    /// The table's reply to the line that was sent after the line with this number, or why there is none.
    Replied(u64, Result<Reply, String>),
    /// The last position of a kept game, for the first page.
    Previewed(Box<StartKept>, Box<Game>, &'static Edition),
    /// The game that was chosen, or why it cannot be opened.
    Opened(Result<Box<Opened>, String>),
}

/// Something that the state asks for.
#[derive(Debug)]
pub enum Effect {
    /// Show this decision to the computer players. If one of them has to decide, send [`TuiEvent::Answer`] with this number.
    Decide(u64, Box<Decision>),
    /// Send a line to the table over the network, to be taken after the line of the record with this number.
    Send(u64, String),
    /// Record an answer, and report it to the programs that play.
    Tell(Box<Answered>),
    /// Make the computer player who is thinking answer at once.
    CutShort,
    /// Estimate chances and hints.
    Analyse(EstimateRequest),
    /// Analyse a whole game.
    Review(Box<ReviewRequest>),
    /// Send [`TuiEvent::Due`] with this version after a time.
    Wait(u64, Duration),
    /// Save the game in a file.
    Save(PathBuf),
    /// Write text to a file.
    Write(PathBuf, String),
    /// Change the player of this builder.
    Seat(Builder, SeatKind),
    /// Record the players, who have changed during the game.
    RecordPlayers,
    /// Make computer players for the position of a game that begins.
    Restart,
    /// Make new computer players for a game that continues from the position after this number of its actions.
    Branch(usize),
    /// Open the game that was chosen.
    Open(Box<NewGame>),
    /// Send the last position of this kept game as [`TuiEvent::Previewed`], if it can be read.
    Preview(Box<StartKept>),
    /// List the games that are kept now: another run may have kept one.
    ListKept,
    /// Change the games that are kept, and list them.
    ChangeKept(KeptChange),
    /// Turn the use of the mouse on or off.
    CaptureMouse(bool),
    /// Stop the program until it is continued.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Leave.
    Leave,
}

/// A request to analyse a whole game.
#[derive(Debug)]
pub struct ReviewRequest {
    /// The version of the timeline.
    pub version: u64,
    /// The first position.
    pub first: Game,
    /// The moves.
    pub moves: Vec<Move>,
    /// Whether builders can offer trades.
    pub trades: Trades,
    /// The players of the game.
    pub seats: SeatHistory,
    /// How the game ended from which the first position was taken over; empty if there is none.
    pub origin_end: String,
    /// Whether the program keeps the game.
    pub is_kept: bool,
    /// Whether it is the game of the tutorial.
    pub is_tutorial: bool,
}

/// A request to estimate chances.
#[derive(Debug)]
pub struct EstimateRequest {
    /// The number of the request.
    pub number: u64,
    /// The position.
    pub game: Box<Game>,
    /// Whether builders can offer trades.
    pub trades: Trades,
    /// Whether to estimate the chances to win.
    pub chances: bool,
    /// The kind of player of each builder; `None` for people and programs.
    pub players: [Option<PlayerKind>; Builder::COUNT],
    /// Whether to estimate the best actions.
    pub hints: bool,
    /// The offers that were answered in this turn.
    pub answered: AnsweredOffers,
}
