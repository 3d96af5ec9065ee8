//! The environment in which every command of a program runs: files, messages, signals and exit status.

use std::io::{self, Write};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use crate::files::Files;
use crate::io_error_text;
use crate::signals::{self, Caught};
use crate::streams::stdout;
use crate::voice::Voice;

/// The failure of a command: its exit status and its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The exit status.
    pub status: u8,
    /// The message, unless it was printed already.
    pub message: Option<String>,
}

impl Failure {
    /// Makes a failure with this exit status.
    pub fn new(status: u8, message: impl Into<String>) -> Self {
        Self { status, message: Some(message.into()) }
    }
}

/// With exit status 1.
impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::new(1, message)
    }
}

type Handler = Box<dyn FnMut(u8) + Send>;

/// The parts of the system that a command uses. Clones share them.
#[derive(Clone)]
pub struct Io {
    /// Standard error.
    pub voice: Voice,
    /// The files that are used.
    pub files: Files,
    /// The function that is called at a signal, instead of the exit.
    handler: Arc<Mutex<Option<Handler>>>,
    caught: Arc<Mutex<Option<Caught>>>,
}

impl std::fmt::Debug for Io {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Io").field("voice", &self.voice).finish_non_exhaustive()
    }
}

/// Runs a command of the program with this name.
///
/// Returns its exit status. If the command fails, says the message of the failure and returns the status of the failure.
///
/// A signal that would end the program calls the command's [handler](Io::on_signal). Without one, the program removes temporary files and
/// exits with 128 plus the signal's number.
pub fn run(program: &'static str, command: impl FnOnce(&Io) -> Result<u8, Failure>) -> u8 {
    // If this fails, a file that exceeds the limit ends the program, as usual.
    let _ = signals::catch_file_size_signal();
    let io = Io::new(program);
    io.files.claim_stdout();
    io.catch_signals();
    let status = command(&io).unwrap_or_else(|failure| {
        if let Some(message) = failure.message {
            io.voice.say(message);
        }
        failure.status
    });
    io.voice.finish();
    status
}

impl Io {
    /// Makes the parts that a command of the program with this name uses, without catching signals.
    #[must_use]
    pub fn new(program: &'static str) -> Self {
        let (voice, files) = (Voice::new(program), Files::default());
        Self { voice, files, handler: Arc::default(), caught: Arc::default() }
    }

    fn catch_signals(&self) {
        let io = self.clone();
        let caught = signals::on_termination(move |status| {
            let mut handler = io.handler.lock().unwrap_or_else(PoisonError::into_inner);
            match &mut *handler {
                Some(handle) => handle(status),
                None => io.exit(status),
            }
        });
        match caught {
            Ok(caught) => *self.caught.lock().unwrap_or_else(PoisonError::into_inner) = Some(caught),
            Err(error) => self
                .voice
                .say(format_args!("a signal ends the program without saving anything: {}", io_error_text(&error))),
        }
    }

    /// Calls `handle` for every signal that would end the program, instead of exiting. The call runs on a separate thread; its argument is
    /// 128 plus the signal's number.
    ///
    /// While `handle` runs, further signals wait.
    pub fn on_signal(&self, handle: impl FnMut(u8) + Send + 'static) {
        *self.handler.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handle));
    }

    /// Also catches the signals that hardly ever end a program: see [`signals::rare_signals`].
    pub fn catch_rare_signals(&self) {
        if let Some(caught) = &*self.caught.lock().unwrap_or_else(PoisonError::into_inner) {
            caught.catch_rare();
        }
    }

    /// Ends the program at once, for a handler of signals.
    ///
    /// Leaves no temporary file.
    pub fn exit(&self, status: u8) -> ! {
        self.files.abandon();
        self.voice.finish();
        process::exit(status.into())
    }

    /// Prints text on standard output and flushes it.
    ///
    /// A closed pipe is not an error: the reader wants no more.
    ///
    /// # Errors
    /// A message that names standard output, when writing fails for another reason.
    pub fn print(&self, text: &[u8]) -> Result<(), String> {
        match stdout().and_then(|mut output| output.write_all(text)) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("standard output: {}", io_error_text(&error)))
            }
            _ => Ok(()),
        }
    }

    /// Prints the failures, if any, and returns the exit status.
    #[must_use]
    pub fn report(&self, failures: &[String]) -> u8 {
        for failure in failures {
            self.voice.say(failure);
        }
        u8::from(!failures.is_empty())
    }
}
