//! What goes wrong outside of the game, said to the user.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

pub use groundwork::reason;

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
