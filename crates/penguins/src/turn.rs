//! One call of the program: it reads the state, decides, writes the state, and ends.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use constructor_common::{atomic_file, io_error_text};

use crate::arguments::Turn;
use crate::board::Number;
use crate::game::{Action, Game, Phase, Seat};
use crate::state::{NoNumber, State, shown};

/// How a call ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The placement or move was made.
    Made,
    /// There is none to make.
    NothingToDo,
    /// The input is not readable or no valid state.
    BadState,
    /// The parameters are wrong, the output cannot be written, or something else failed.
    Failed,
}

impl Ending {
    /// The exit status for it, 0 to 3.
    #[must_use]
    pub const fn status(self) -> u8 {
        match self {
            Self::Made => 0,
            Self::NothingToDo => 1,
            Self::BadState => 2,
            Self::Failed => 3,
        }
    }
}

/// Says on standard error what went wrong.
pub fn complain(what: impl fmt::Display) {
    // There is nobody left to tell when this cannot be shown.
    let _ = writeln!(io::stderr(), "penguins: {what}");
}

/// A file's name as an error shows it.
#[must_use]
pub fn name(path: &Path) -> String {
    shown(path.as_os_str().as_bytes())
}

/// The state in a file.
///
/// # Errors
/// Why there is none, with the file's name.
pub fn read_state(path: &Path) -> Result<State, String> {
    let text = atomic_file::read(path).map_err(|error| format!("{}: {}", name(path), io_error_text(&error)))?;
    State::read(&text).map_err(|invalid| format!("{}:{invalid}", name(path)))
}

/// What comes of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The state after a placement or a move.
    Made(Vec<u8>),
    /// There is none to make.
    NothingToDo,
    /// The state is not valid, or has no room for one more: what is wrong, and where if that is known.
    Bad(String),
    /// Nobody decided.
    Undecided,
}

/// Makes one placement or move on a state, for the player with this id, which `decide` chooses. It is asked only when there
/// is one. What is odd about the state is given to `warn`.
pub fn answer(
    text: &[u8],
    phase: Phase,
    id: &[u8],
    mut warn: impl FnMut(String),
    decide: impl FnOnce(&Game) -> Option<Action>,
) -> Answer {
    let read = State::read(text).and_then(|state| match phase {
        Phase::Movement => state.explained().map(|()| state),
        Phase::Placement { .. } => Ok(state),
    });
    let state = match read {
        Ok(state) => state,
        Err(invalid) => return Answer::Bad(format!(":{invalid}")),
    };
    state.suspicions(phase).into_iter().for_each(&mut warn);
    let game = match game(&state, phase, id) {
        Ok(Some(game)) => game,
        Ok(None) => return Answer::NothingToDo,
        Err(no_number) => return Answer::Bad(format!(": {no_number}")),
    };
    if !game.can_act(game.turn()) {
        return Answer::NothingToDo;
    }
    match decide(&game).filter(|&action| game.check(action).is_ok()) {
        Some(action) => Answer::Made(state.after(action, id, game.number())),
        None => Answer::Undecided,
    }
}

/// The game as far as it is known, with the player on turn; nothing when the player has no part in it.
fn game(state: &State, phase: Phase, id: &[u8]) -> Result<Option<Game>, NoNumber> {
    let mut seats = state.seats();
    let own = match (state.row(id), phase) {
        (Some(row), _) => row,
        (None, Phase::Movement) => return Ok(None),
        (None, Phase::Placement { .. }) => {
            seats.push(Seat { number: state.free_number()?, score: 0 });
            seats.len() - 1
        }
    };
    // Whoever will still come is not known, but nobody plays alone.
    let is_new = |number: &Number| seats.iter().all(|seat| seat.number != *number);
    if let (1, Some(other)) = (seats.len(), Number::all().find(is_new)) {
        seats.push(Seat { number: other, score: 0 });
    }
    Ok(Some(Game::new(state.board().clone(), seats, phase, own)))
}

/// Makes one placement or move, which `decide` chooses, from file to file.
pub fn take(turn: &Turn, decide: impl FnOnce(&Game) -> Option<Action>) -> Ending {
    let input = name(&turn.input);
    let text = match atomic_file::read(&turn.input) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!("{input}: {}", io_error_text(&error)));
            return Ending::BadState;
        }
    };
    let warn = |what| complain(format_args!("warning: {input}: {what}"));
    match answer(&text, turn.phase, &turn.id, warn, decide) {
        Answer::Made(text) => written(&turn.output, &text, Ending::Made),
        Answer::NothingToDo => nothing_to_do(turn, &text),
        Answer::Bad(what) => {
            complain(format_args!("{input}{what}"));
            Ending::BadState
        }
        Answer::Undecided => {
            complain("no decision was made");
            Ending::Failed
        }
    }
}

/// The state as it is, in another file if another file is asked for.
fn nothing_to_do(turn: &Turn, text: &[u8]) -> Ending {
    if is_same(&turn.input, &turn.output) {
        return Ending::NothingToDo;
    }
    written(&turn.output, text, Ending::NothingToDo)
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

fn written(output: &Path, text: &[u8], ending: Ending) -> Ending {
    match atomic_file::write(output, text) {
        Ok(()) => ending,
        Err(error) => {
            complain(format_args!("{}: {error}", name(output)));
            Ending::Failed
        }
    }
}

/// When the computer has to have decided, if it began at this time: the answer has to be written before its time is over.
#[must_use]
pub fn deadline(turn: &Turn, begun: Instant) -> Instant {
    const RESERVE: RangeInclusive<Duration> = Duration::from_micros(1500)..=Duration::from_millis(10);
    begun + turn.time.saturating_sub((turn.time / 20).clamp(*RESERVE.start(), *RESERVE.end()))
}
