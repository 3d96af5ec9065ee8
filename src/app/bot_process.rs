//! A player that is a program of its own: it reads the game as text and types its answers.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

use constructor_common::process::kill_group;
use parking_lot::{Mutex, MutexGuard};
use thiserror::Error;

/// The longest reply of a program, in bytes with its newline.
const MAX_REPLY_BYTES: u64 = 4096;

/// How many lines a program can write without being asked before it blocks.
const MAX_UNSOLICITED_LINES: usize = 4;

/// Why a program does not reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoReply {
    /// It exited, or closed its output.
    #[error("has ended")]
    Exited,
    /// It exceeded the time limit.
    #[error("is late")]
    TimedOut,
}

/// A running program.
///
/// Its only argument is the colour that it plays. It receives what the game prints, with the other players' answers after the
/// prompts. A line that is just a prompt asks it for an answer, which it writes as a line.
#[derive(Debug)]
pub struct BotProcess {
    child: Child,
    to_child: Sender<Vec<u8>>,
    from_child: Receiver<String>,
    /// How much of the game's text it has received.
    sent_bytes: usize,
    groups: ProcessGroups,
}

/// The process groups of all running programs, so that another thread can kill them.
#[derive(Clone, Default, Debug)]
pub struct ProcessGroups(Arc<Mutex<Vec<u32>>>);

impl ProcessGroups {
    /// Kills all process groups. Keep the returned guard until exit: while it is held, [`BotProcess::answer`] cannot report that
    /// its program died.
    #[must_use]
    pub fn kill_all(&self) -> impl Drop + use<'_> {
        let groups: MutexGuard<'_, _> = self.0.lock();
        groups.iter().copied().for_each(kill_group);
        groups
    }
}

impl BotProcess {
    /// Starts a program in its own process group.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(program: &OsStr, colour: &str, groups: &ProcessGroups) -> io::Result<Self> {
        let mut child =
            Command::new(program).arg(colour).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no input or output"));
        };
        let (to_child, text) = mpsc::channel();
        let (line, from_child) = mpsc::sync_channel(MAX_UNSOLICITED_LINES);
        thread::Builder::new().name("to a player".to_owned()).spawn(move || write_all(stdin, &text))?;
        thread::Builder::new().name("from a player".to_owned()).spawn(move || read_lines(stdout, &line))?;
        groups.0.lock().push(child.id());
        Ok(Self { child, to_child, from_child, sent_bytes: 0, groups: groups.clone() })
    }

    /// Sends the rest of the game's text, which ends with a prompt, and waits for the reply.
    ///
    /// # Errors
    /// Why there is no reply.
    pub fn answer(&mut self, transcript: &[u8], limit: Duration) -> Result<String, NoReply> {
        let mut news = transcript[self.sent_bytes.min(transcript.len())..].to_vec();
        news.push(b'\n');
        self.sent_bytes = transcript.len();
        // Drop what was written without being asked.
        for _ in 0..MAX_UNSOLICITED_LINES {
            let _ = self.from_child.try_recv();
        }
        // A program that closed its input may still answer.
        let _ = self.to_child.send(news);
        let line = self.from_child.recv_timeout(limit).map_err(|error| {
            // Blocks while all programs are killed, so that none is reported as ended.
            drop(self.groups.0.lock());
            match error {
                RecvTimeoutError::Timeout => NoReply::TimedOut,
                RecvTimeoutError::Disconnected => NoReply::Exited,
            }
        })?;
        // Its own answer is not sent back to it.
        self.sent_bytes += line.len() + 1;
        Ok(line)
    }
}

/// Kills the program with everything that it started.
impl Drop for BotProcess {
    fn drop(&mut self) {
        let group = self.child.id();
        // Once the child has been waited for, its id may be reused.
        self.groups.0.lock().retain(|&other| other != group);
        kill_group(group);
        // Fails if it was waited for already.
        let _ = self.child.wait();
    }
}

/// Writes to the program's input, on a thread of its own, since the program may not read.
fn write_all(mut stdin: ChildStdin, text: &Receiver<Vec<u8>>) {
    while let Ok(text) = text.recv() {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines from the program until it ends. A line that is too long or has control characters becomes an empty one.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(MAX_REPLY_BYTES).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let text = line.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok()).unwrap_or_default().trim();
        let is_printable = !text.chars().any(char::is_control);
        if lines.send(if is_printable { text.to_owned() } else { String::new() }).is_err() {
            return;
        }
    }
}
