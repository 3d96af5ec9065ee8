//! The process of a program that plays: lines go in, lines come out.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

use super::session;
use constructor_common::escape;
use constructor_common::process::{has_exited, kill_descendants, kill_tree, reap_orphans};
use parking_lot::{Mutex, MutexGuard};
use thiserror::Error;

/// The longest reply of a program, in bytes without its newline.
const MAX_REPLY_BYTES: usize = 4096;

/// The number of lines that a program can write before it is asked; after them, it blocks.
const MAX_LINES_AHEAD: usize = 4;

/// The maximum number of bytes that a program may leave unread. The messages between two questions to it are far shorter.
const MAX_UNREAD_BYTES: usize = 1 << 20;

/// Why a program does not reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoReply {
    /// It exited, or closed its output.
    #[error("exited")]
    Exited,
    /// It exceeded the time limit.
    #[error("timed out")]
    TimedOut,
    /// It left too much of its input unread.
    #[error("does not read its input")]
    DoesNotRead,
}

/// A line that a program wrote: `None` if it is too long or has other characters than printable ASCII.
pub type Reply = Option<String>;

/// Takes the lines that programs write to standard error.
pub type MessageSink = Arc<dyn Fn(String) + Send + Sync>;

/// A running program.
#[derive(Debug)]
pub struct BotProcess {
    child: Child,
    /// Where its process group is registered.
    groups: ProcessGroups,
    streams: Option<Streams>,
    unread_bytes: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Streams {
    to_child: Sender<Vec<u8>>,
    from_child: Receiver<Reply>,
}

/// The process groups of all programs, so that another thread can kill them.
#[derive(Clone, Default, Debug)]
pub struct ProcessGroups(Arc<Mutex<Groups>>);

#[derive(Default, Debug)]
struct Groups {
    running: Vec<u32>,
    /// The ids of all programs that were started. Each program led a process group, and a session where that is possible.
    started: BTreeSet<u32>,
}

impl ProcessGroups {
    /// Kills all programs, and all processes that these programs or earlier programs started.
    ///
    /// Keep the returned guard until exit: while it is held, no question to a program reports that it died.
    #[must_use]
    pub fn kill_all(&self) -> impl Drop + use<'_> {
        let groups: MutexGuard<'_, _> = self.0.lock();
        groups.running.iter().copied().for_each(kill_tree);
        if !groups.started.is_empty() {
            kill_descendants();
        }
        groups
    }

    /// Starts a program so that [`ProcessGroups::kill_all`] kills it, even if that function is called at the same time.
    fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut groups = self.0.lock();
        let child = command.spawn()?;
        groups.running.push(child.id());
        groups.started.insert(child.id());
        Ok(child)
    }
}

impl BotProcess {
    /// Starts a program with these arguments in a session of its own, so that it cannot take the terminal.
    ///
    /// `messages` gets each line that the program writes to standard error.
    ///
    /// # Errors
    /// When it cannot be started. Nothing is left running.
    pub fn spawn(
        program: &str,
        arguments: &[&str],
        groups: &ProcessGroups,
        messages: &MessageSink,
    ) -> io::Result<Self> {
        let mut command = session::command(program)?;
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = groups.spawn(&mut command)?;
        // From here on, an error kills the program.
        let mut process = Self { child, groups: groups.clone(), streams: None, unread_bytes: Arc::default() };
        let (Some(stdin), Some(stdout)) = (process.child.stdin.take(), process.child.stdout.take()) else {
            return Err(io::Error::other("it has no input or output"));
        };
        let (to_child, text) = mpsc::channel();
        let (line, from_child) = mpsc::sync_channel(MAX_LINES_AHEAD);
        let unread_bytes = Arc::clone(&process.unread_bytes);
        thread::Builder::new().name("to a player".to_owned()).spawn(move || write_all(stdin, &text, &unread_bytes))?;
        thread::Builder::new().name("from a player".to_owned()).spawn(move || read_lines(stdout, &line))?;
        if let (Some(stderr), messages) = (process.child.stderr.take(), Arc::clone(messages)) {
            thread::Builder::new().name("errors of a player".to_owned()).spawn(move || forward(stderr, &messages))?;
        }
        process.streams = Some(Streams { to_child, from_child });
        Ok(process)
    }

    /// Sends text, without waiting for the program to read it.
    pub fn send(&self, text: Vec<u8>) {
        let (Some(streams), length) = (&self.streams, text.len()) else { return };
        let is_reading = self.unread_bytes.load(Ordering::Relaxed) <= MAX_UNREAD_BYTES;
        if !is_reading {
            return;
        }
        // Counted before the writer can have subtracted it.
        self.unread_bytes.fetch_add(length, Ordering::Relaxed);
        // A program that closed its input may still answer.
        if streams.to_child.send(text).is_err() {
            self.unread_bytes.fetch_sub(length, Ordering::Relaxed);
        }
    }

    /// Sends a question and waits for the reply.
    ///
    /// Lines that the program wrote before the question are dropped, up to a limit. A later line counts as the answer, even if the program
    /// keeps writing without being asked.
    ///
    /// # Errors
    /// Why there is no reply.
    pub fn ask(&self, question: Vec<u8>, limit: Duration) -> Result<Reply, NoReply> {
        // A program may start other processes for each answer; those that have ended are reaped here.
        let groups = self.groups.0.lock();
        reap_orphans(&groups.started, &groups.running);
        drop(groups);
        let Some(streams) = &self.streams else { return Err(NoReply::Exited) };
        for _ in 0..2 * MAX_LINES_AHEAD {
            let _ = streams.from_child.try_recv();
        }
        if self.unread_bytes.load(Ordering::Relaxed) > MAX_UNREAD_BYTES {
            return Err(NoReply::DoesNotRead);
        }
        self.send(question);
        streams.from_child.recv_timeout(limit).map_err(|error| {
            // Blocks while all programs are killed, so that none is reported as ended.
            drop(self.groups.0.lock());
            match error {
                RecvTimeoutError::Timeout => NoReply::TimedOut,
                RecvTimeoutError::Disconnected => NoReply::Exited,
            }
        })
    }

    /// Closes the program's input.
    ///
    /// It may still read how the game ended.
    pub fn close(&mut self) {
        self.streams = None;
    }

    /// Returns whether the program has exited.
    pub fn has_exited(&self) -> bool {
        has_exited(&self.child)
    }
}

/// Kills the program with everything that it started.
impl Drop for BotProcess {
    fn drop(&mut self) {
        let group = self.child.id();
        kill_tree(group);
        // Once the child has been waited for, its id may be reused.
        self.groups.0.lock().running.retain(|&other| other != group);
        // Fails if it was waited for already.
        let _ = self.child.wait();
    }
}

/// Writes to the program's input, on a thread of its own, since the program may not read.
fn write_all(mut stdin: ChildStdin, text: &Receiver<Vec<u8>>, unread_bytes: &AtomicUsize) {
    while let Ok(text) = text.recv() {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
        unread_bytes.fetch_sub(text.len(), Ordering::Relaxed);
    }
}

/// Reads lines from the program until it ends.
///
/// The last one needs no newline.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Reply>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        // The longest line with its line end; one byte more shows that a line is longer.
        let limit = MAX_REPLY_BYTES as u64 + 2;
        match stdout.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let is_cut = line.len() as u64 == limit && !line.ends_with(b"\n");
        if is_cut && stdout.skip_until(b'\n').is_err() {
            return;
        }
        let text = str::from_utf8(&line).ok().map(str::trim_ascii);
        let is_printable =
            |text: &&str| text.bytes().all(|byte| byte == b' ' || byte == b'\t' || byte.is_ascii_graphic());
        let reply = text.filter(is_printable).filter(|text| text.len() <= MAX_REPLY_BYTES && !is_cut);
        if lines.send(reply.map(str::to_owned)).is_err() {
            return;
        }
    }
}

/// Forwards the lines of a program's standard error until it ends.
///
/// Long lines come in parts.
fn forward(stderr: ChildStderr, messages: &MessageSink) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    while stderr.by_ref().take(MAX_REPLY_BYTES as u64).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        messages(escape(String::from_utf8_lossy(&line).trim_end()));
        line.clear();
    }
}
