//! One turn from file to file.

use std::path::Path;
use std::time::{Duration, Instant};

use constructor_common::files::{MAX_FILE_SIZE, is_same_file};
use constructor_common::frame::Io;
use constructor_common::{display_path, io_error_text};

use super::cli::TurnOptions;
use super::exit::{Ended, ExitStatus};
use crate::game::{Action, Game};
use crate::state_file::StateFile;
use crate::turn::{TurnResult, take_turn};

/// Reads a state file.
///
/// # Errors
/// An error message with the file's name.
pub fn read_state(io: &Io, path: &Path) -> Result<StateFile, String> {
    let text = io.files.input(path, MAX_FILE_SIZE)?;
    StateFile::parse(&text).map_err(|invalid| format!("{}:{invalid}", display_path(path)))
}

/// Makes one placement or move from file to file.
///
/// `decide` chooses the action.
pub fn take_turn_on_files(io: &Io, turn: &TurnOptions, decide: impl FnOnce(&Game) -> Option<Action>) -> Ended {
    let input = display_path(&turn.input);
    let invalid = |message: String| ExitStatus::InvalidInput.failure(message);
    let text = io.files.input(&turn.input, MAX_FILE_SIZE).map_err(invalid)?;
    // The output may be the same file.
    io.files.release_input(&turn.input);
    let warn = |what| io.voice.say(format_args!("warning: {input}: {what}"));
    match take_turn(&text, turn.phase, &turn.id, warn, decide) {
        TurnResult::Made(text) => write(io, &turn.output, &text, ExitStatus::Success),
        // Copies the unchanged state, if the output is another file.
        TurnResult::NothingToDo if is_same_file(&turn.input, &turn.output) => Ok(ExitStatus::NothingToDo),
        TurnResult::NothingToDo => write(io, &turn.output, &text, ExitStatus::NothingToDo),
        TurnResult::Invalid(what) => Err(invalid(format!("{input}{what}"))),
        TurnResult::Undecided => Err(ExitStatus::Failure.failure("no decision was made")),
    }
}

/// Writes a file.
///
/// Returns `status`, or a failure.
pub fn write(io: &Io, output: &Path, text: &[u8], status: ExitStatus) -> Ended {
    let written = io.files.save_without_sync(output, text);
    written.map(|()| status).map_err(|error| {
        let (name, reason) = (display_path(output), io_error_text(&error));
        ExitStatus::Failure.failure(format!("{name}: not written: {reason}"))
    })
}

/// Returns the deadline of the decision. The time limit counts from the start of the process to its exit, so a reserve is subtracted from
/// it: for the start, the search's last reading of the clock, writing the file, freeing the transposition table, and the exit.
///
/// The reserve grows with the time limit, as the table does.
#[must_use]
pub fn deadline(turn: &TurnOptions, started: Instant) -> Instant {
    const LEAST: Duration = Duration::from_millis(3);
    const MOST: Duration = Duration::from_millis(30);
    started + turn.time.saturating_sub((LEAST + turn.time / 40).min(MOST))
}
