//! Messages on standard error. A separate thread writes them, so that no other thread waits for a reader that has stopped.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// The largest number of texts that wait to be written; further ones are dropped and counted.
const MAX_WAITING: usize = 1024;

/// The maximum time that a program waits for standard error. It waits when it ends, and where a message should be seen before later output.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximum number of different lines of other programs that are remembered in order to count repetitions. Further lines are counted as
/// dropped.
const MAX_KNOWN: usize = 256;

/// Erases the line of a terminal in which the cursor is.
const ERASE_LINE: &str = "\r\x1b[K";

/// Writes messages to standard error, without making the caller wait. Clones share the stream.
#[derive(Clone)]
pub struct Voice(Arc<Shared>);

struct Shared {
    program: &'static str,
    /// The queue of the thread that writes, which is started for the first text; `None` if it could not be started.
    queue: OnceLock<Option<SyncSender<Text>>>,
    state: Mutex<State>,
    written: Condvar,
}

#[derive(Default)]
struct State {
    /// The number of texts in the queue, including the one that is being written.
    waiting: usize,
    dropped: u64,
    /// Whether the last wait for the stream timed out.
    is_stuck: bool,
    /// The number of times that each line of other programs came.
    lines: BTreeMap<String, u64>,
}

/// A text for standard error.
enum Text {
    /// Whole lines.
    Lines(String),
    /// The line that shows progress. It replaces the previous progress line; an empty text removes it.
    Progress(String),
}

impl fmt::Debug for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Voice").field("program", &self.0.program).finish_non_exhaustive()
    }
}

impl Voice {
    /// Makes the voice of the program with this name.
    #[must_use]
    pub fn new(program: &'static str) -> Self {
        let (queue, state, written) = (OnceLock::new(), Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { program, queue, state, written }))
    }

    /// Says `program: message` on a line.
    pub fn say(&self, message: impl fmt::Display) {
        self.say_lines(format!("{}: {message}\n", self.0.program));
    }

    /// Says a message in place of the line in which the cursor of the terminal is.
    pub fn say_over(&self, message: impl fmt::Display) {
        self.say_lines(format!("{ERASE_LINE}{}: {message}\n", self.0.program));
    }

    /// Says whole lines as they are.
    pub fn say_lines(&self, text: impl Into<String>) {
        self.send(Text::Lines(text.into()));
    }

    /// Says the last messages before the end: on a terminal, below the prompt at which the user typed Ctrl-C or Ctrl-D.
    pub fn say_at_the_end(&self, messages: &[String]) {
        if !messages.is_empty() && self.is_terminal() {
            self.say_lines("\n");
        }
        for message in messages {
            self.say(message);
        }
    }

    /// Says a line that another program wrote.
    ///
    /// A repeated line is not written again but counted: see [`Voice::finish`].
    pub fn relay(&self, line: &str) {
        let mut state = self.state();
        if state.lines.len() < MAX_KNOWN || state.lines.contains_key(line) {
            let times = state.lines.entry(line.to_owned()).or_default();
            *times += 1;
            if *times > 1 {
                return;
            }
        } else {
            state.dropped += 1;
            return;
        }
        drop(state);
        self.say_lines(format!("{line}\n"));
    }

    /// Shows a line of progress below all messages. An empty line removes the progress line.
    pub fn show_progress(&self, line: impl Into<String>) {
        self.send(Text::Progress(line.into()));
    }

    /// Returns whether standard error is a terminal.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        io::stderr().is_terminal()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, text: Text) {
        match self.0.queue.get_or_init(|| self.start()) {
            Some(queue) => {
                let mut state = self.state();
                match queue.try_send(text) {
                    Ok(()) => state.waiting += 1,
                    // If this is a line of progress, the next one replaces it.
                    Err(_) => state.dropped += 1,
                }
            }
            None => {
                if let Text::Lines(lines) = text {
                    write_or_give_up(&lines);
                }
            }
        }
    }

    /// Starts the thread that writes.
    fn start(&self) -> Option<SyncSender<Text>> {
        let (queue, texts) = mpsc::sync_channel(MAX_WAITING);
        let voice = self.clone();
        thread::Builder::new().name("voice".to_owned()).spawn(move || voice.write_all(&texts)).ok().map(|_| queue)
    }

    fn write_all(&self, texts: &Receiver<Text>) {
        let mut progress = String::new();
        for text in texts {
            let erased = if progress.is_empty() { "" } else { ERASE_LINE };
            let shown = match text {
                Text::Lines(lines) => format!("{erased}{lines}{progress}"),
                Text::Progress(line) => {
                    progress = line;
                    format!("{erased}{progress}")
                }
            };
            // There is nowhere to report a failure to.
            let _ = io::stderr().write_all(shown.as_bytes());
            let mut state = self.state();
            state.waiting -= 1;
            state.is_stuck = false;
            drop(state);
            self.0.written.notify_all();
        }
    }

    /// Waits at most a second until everything is written. Does not wait if the last wait timed out and nothing was written since.
    pub fn settle(&self) {
        let state = self.state();
        if state.is_stuck {
            return;
        }
        let waited = self.0.written.wait_timeout_while(state, PATIENCE, |state| state.waiting > 0);
        let (mut state, result) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_stuck = result.timed_out();
    }

    /// Says how often lines of other programs were repeated and how many messages were dropped, and waits until everything is written, at
    /// most a second.
    pub fn finish(&self) {
        let mut state = self.state();
        let again: Vec<(String, u64)> =
            std::mem::take(&mut state.lines).into_iter().filter(|(_, times)| *times > 1).collect();
        let dropped = std::mem::take(&mut state.dropped);
        drop(state);
        for (line, times) in again {
            self.say_lines(format!("{line} ... {times} times\n"));
        }
        if dropped > 0 {
            self.say(format_args!("{dropped} more messages were dropped"));
        }
        self.settle();
    }
}

/// Writes to standard error from this thread.
///
/// Gives up when standard error accepts nothing for a second.
fn write_or_give_up(text: &str) {
    // A duplicate, since `io::stderr` may be locked by a thread that is stuck.
    let Ok(stderr) = io::stderr().as_fd().try_clone_to_owned() else { return };
    let mut stderr = File::from(stderr);
    // A pipe that is ready takes this much at once.
    for part in text.as_bytes().chunks(4096) {
        let mut ready = [PollFd::new(stderr.as_fd(), PollFlags::POLLOUT)];
        let patience = PollTimeout::try_from(PATIENCE).unwrap_or(PollTimeout::ZERO);
        let is_ready = poll(&mut ready, patience).is_ok_and(|ready| ready > 0);
        if !is_ready || stderr.write_all(part).is_err() {
            return;
        }
    }
}
