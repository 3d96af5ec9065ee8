//! How the program ends.

use std::fmt::Display;

use constructor_common::frame::Failure;

/// The exit status of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// Success.
    Success,
    /// The player has no legal action.
    NothingToDo,
    /// An input file cannot be read or is invalid.
    InvalidInput,
    /// The command line is invalid, the output cannot be written, or something else failed.
    Failure,
}

impl ExitStatus {
    /// Returns the exit code, 0 to 3.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingToDo => 1,
            Self::InvalidInput => 2,
            Self::Failure => 3,
        }
    }

    /// Returns the failure with this status and message.
    pub(super) fn failure(self, message: impl Display) -> Failure {
        Failure::new(self.code(), message.to_string())
    }
}

/// The end of a command: an exit status, or a message with an exit status.
pub(super) type Ended = Result<ExitStatus, Failure>;
