//! Text for standard output and standard error.

use std::fmt;
use std::io::{self, Write};

use crate::io_error_text;

/// Prints `program: message` as a line on standard error. A failure to print is ignored: there is nowhere to report it.
pub fn print_error(program: &str, message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{program}: {message}");
}

/// Prints text on standard output and flushes it. A closed pipe is not an error: the reader wants no more.
///
/// # Errors
/// A message that names standard output, when writing fails for another reason.
pub fn print(text: &[u8]) -> Result<(), String> {
    match io::stdout().write_all(text).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {}", io_error_text(&error)))
        }
        _ => Ok(()),
    }
}
