//! Text for standard output and standard error.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::io_error_text;

/// How long [`print_errors_or_give_up`] waits for standard error, in milliseconds.
const MAX_WAIT_MS: u16 = 1000;

/// Prints `program: message` as a line on standard error. A failure to print is ignored: there is nowhere to report it.
pub fn print_error(program: &str, message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{program}: {message}");
}

/// Prints the last messages of a program, each as `program: message` on a line of its own: on a terminal, after the line of the
/// prompt at which the user typed Ctrl-C or Ctrl-D.
///
/// Unlike [`print_error`], it works while another thread is stuck writing to standard error, and gives up when standard error takes
/// nothing for a second: its reader may have stopped, and the program has to end all the same.
pub fn print_errors_or_give_up(program: &str, messages: &[String]) {
    // A duplicate, since `io::stderr` is locked while another thread writes.
    let Ok(stderr) = io::stderr().as_fd().try_clone_to_owned() else { return };
    let mut text = String::new();
    if !messages.is_empty() && stderr.is_terminal() {
        text.push('\n');
    }
    for message in messages {
        text += &format!("{program}: {message}\n");
    }
    let mut stderr = File::from(stderr);
    // A pipe that is ready takes this much at once.
    for part in text.as_bytes().chunks(4096) {
        let mut ready = [PollFd::new(stderr.as_fd(), PollFlags::POLLOUT)];
        let is_ready = poll(&mut ready, PollTimeout::from(MAX_WAIT_MS)).is_ok_and(|ready| ready > 0);
        if !is_ready || stderr.write_all(part).is_err() {
            return;
        }
    }
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
