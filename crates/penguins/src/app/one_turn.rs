//! One turn from file to file.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use constructor_common::atomic_file::{self, is_same_file};
use constructor_common::{display_path, io_error_text};

use super::cli::TurnOptions;
use super::{ExitStatus, print_error};
use crate::game::{Action, Game};
use crate::state_file::StateFile;
use crate::turn::{TurnResult, take_turn};

/// Reads a state file.
///
/// # Errors
/// An error message with the file's name.
pub fn read_state(path: &Path) -> Result<StateFile, String> {
    let text = atomic_file::read(path).map_err(|error| format!("{}: {}", display_path(path), io_error_text(&error)))?;
    StateFile::parse(&text).map_err(|invalid| format!("{}:{invalid}", display_path(path)))
}

/// Makes one placement or move from file to file. `decide` chooses it.
pub fn take_turn_on_files(turn: &TurnOptions, decide: impl FnOnce(&Game) -> Option<Action>) -> ExitStatus {
    let input = display_path(&turn.input);
    let text = match atomic_file::read(&turn.input) {
        Ok(text) => text,
        Err(error) => {
            print_error(format_args!("{input}: {}", io_error_text(&error)));
            return ExitStatus::InvalidInput;
        }
    };
    let warn = |what| print_error(format_args!("warning: {input}: {what}"));
    match take_turn(&text, turn.phase, &turn.id, warn, decide) {
        TurnResult::Made(text) => write(&turn.output, &text, ExitStatus::Success),
        TurnResult::NothingToDo => nothing_to_do(turn, &text),
        TurnResult::Invalid(what) => {
            print_error(format_args!("{input}{what}"));
            ExitStatus::InvalidInput
        }
        TurnResult::Undecided => {
            print_error("no decision was made");
            ExitStatus::Failure
        }
    }
}

/// Copies the unchanged state to the output, if that is another file.
fn nothing_to_do(turn: &TurnOptions, text: &[u8]) -> ExitStatus {
    if fs::metadata(&turn.input).is_ok_and(|input| is_same_file(&turn.output, &input)) {
        return ExitStatus::NothingToDo;
    }
    write(&turn.output, text, ExitStatus::NothingToDo)
}

/// Writes a file. Returns `status`, or a failure after an error message.
pub fn write(output: &Path, text: &[u8], status: ExitStatus) -> ExitStatus {
    match atomic_file::write_no_sync(output, text) {
        Ok(()) => status,
        Err(error) => {
            print_error(format_args!("{}: not written: {}", display_path(output), io_error_text(&error)));
            ExitStatus::Failure
        }
    }
}

/// The deadline of the decision: the time limit of the whole call, which counts from the start of the process to its exit, minus a
/// reserve for what is not thinking: the start, the search's last look at the clock, writing the file, freeing the table of
/// positions, and the exit. The table grows with the time.
#[must_use]
pub fn deadline(turn: &TurnOptions, begun: Instant) -> Instant {
    const LEAST: Duration = Duration::from_millis(3);
    const MOST: Duration = Duration::from_millis(30);
    begun + turn.time.saturating_sub((LEAST + turn.time / 40).min(MOST))
}
