//! A player that is a program of its own: it reads the game as text and types its answers.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use parking_lot::{Mutex, MutexGuard};
use thiserror::Error;

/// The longest line that is taken from a program, in bytes.
const LONGEST: u64 = 4096;

/// How many lines a program can say without being asked, before it has to wait.
const MOST_UNASKED: usize = 4;

/// Why a program does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Silent {
    /// It has ended, or closed its output.
    #[error("has ended")]
    Ended,
    /// It takes too long.
    #[error("is late")]
    Late,
}

/// A running program.
///
/// It is told the colour that it plays as its only argument. What the game prints is given to it, with the others' answers
/// behind the prompts; a line that is a prompt and nothing else is a question to it, which it answers by a line.
#[derive(Debug)]
pub struct External {
    child: Child,
    to_child: Sender<Vec<u8>>,
    from_child: Receiver<String>,
    /// How much of the game it has been told, in bytes.
    told: usize,
    running: Running,
}

/// The programs that run, each by the number of its process group, so that they can be ended from another thread.
#[derive(Clone, Default, Debug)]
pub struct Running(Arc<Mutex<Vec<u32>>>);

impl Running {
    /// Ends all of them, with all that they have started. While what is returned is held, nobody learns that they ended.
    #[must_use]
    pub fn end_all(&self) -> impl Drop + use<'_> {
        let running: MutexGuard<'_, _> = self.0.lock();
        running.iter().copied().for_each(end_group);
        running
    }
}

impl External {
    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &OsStr, colour: &str, running: &Running) -> io::Result<Self> {
        // In a group of its own, with all that it starts itself.
        let mut child =
            Command::new(program).arg(colour).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no input or output"));
        };
        let (to_child, text) = mpsc::channel();
        let (line, from_child) = mpsc::sync_channel(MOST_UNASKED);
        thread::Builder::new().name("to a player".to_owned()).spawn(move || write_all(stdin, &text))?;
        thread::Builder::new().name("from a player".to_owned()).spawn(move || read_lines(stdout, &line))?;
        running.0.lock().push(child.id());
        Ok(Self { child, to_child, from_child, told: 0, running: running.clone() })
    }

    /// Tells it what it does not know yet of the game so far, which ends with a prompt, and waits for its answer.
    ///
    /// # Errors
    /// Why it does not answer.
    pub fn answer(&mut self, game: &[u8], limit: Duration) -> Result<String, Silent> {
        let mut news = game[self.told.min(game.len())..].to_vec();
        news.push(b'\n');
        self.told = game.len();
        // What was said without being asked is no answer.
        for _ in 0..MOST_UNASKED {
            let _ = self.from_child.try_recv();
        }
        // It may have closed its input, and still answer.
        let _ = self.to_child.send(news);
        let line = self.from_child.recv_timeout(limit).map_err(|error| {
            // One that was ended with all others is not missed.
            drop(self.running.0.lock());
            match error {
                RecvTimeoutError::Timeout => Silent::Late,
                RecvTimeoutError::Disconnected => Silent::Ended,
            }
        })?;
        // It knows what it said itself.
        self.told += line.len() + 1;
        Ok(line)
    }
}

/// A program that does not play any more is not left behind.
impl Drop for External {
    fn drop(&mut self) {
        let group = self.child.id();
        // Once it has been waited for, its number may be somebody else's.
        self.running.0.lock().retain(|&other| other != group);
        end_group(group);
        // It may have ended by itself.
        let _ = self.child.wait();
    }
}

/// Ends a program and all that it started.
fn end_group(group: u32) {
    // 0 would be the game's own group, and 1 everybody.
    if let Ok(group @ 2..) = i32::try_from(group) {
        // There may be nobody left.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Gives the program its input, on a thread of its own: it may not read.
fn write_all(mut stdin: ChildStdin, text: &Receiver<Vec<u8>>) {
    while let Ok(text) = text.recv() {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Takes lines from the program until it ends. One that is too long, or that cannot be shown as it is, is an empty one.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let text = line.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok()).unwrap_or_default().trim();
        let is_plain = !text.chars().any(char::is_control);
        if lines.send(if is_plain { text.to_owned() } else { String::new() }).is_err() {
            return;
        }
    }
}
