//! What goes wrong outside of the game, said to the user.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::line;

/// Says on standard error, on a line of its own, what went wrong.
pub fn complain(what: fmt::Arguments<'_>) {
    // There is nobody left to tell when this cannot be shown.
    let _ = writeln!(io::stderr(), "{}: {what}", env!("CARGO_PKG_NAME"));
}

/// Says so too, of something because of which the program ends, with the exit status that is due.
pub fn failure(what: impl fmt::Display) -> ExitCode {
    complain(format_args!("{what}"));
    ExitCode::FAILURE
}

/// A file's name as an error shows it: on one line, whatever it is.
///
/// ```
/// use std::path::Path;
/// use constructor::complaint::shown;
/// assert_eq!(shown(Path::new("two\nlines.sv")), "two\\nlines.sv");
/// ```
#[must_use]
pub fn shown(path: &Path) -> String {
    line::visible(&path.to_string_lossy())
}

/// Why a file or stream could not be read or written, without the number that the system gives to the reason.
///
/// ```
/// use std::io::Error;
/// use constructor::complaint::reason;
/// assert_eq!(reason(&Error::from_raw_os_error(2)), "No such file or directory");
/// ```
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
