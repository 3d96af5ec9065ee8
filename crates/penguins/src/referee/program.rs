//! A program that plays: it is started for every placement and every move, in a folder of its own, and ended with all that it
//! started when its time is over.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open, set_child_subreaper,
    waitpid,
};
use tempfile::TempDir;

/// The name of the state file in a program's folder.
const BOARD: &str = "board.txt";

/// The variable by which all that a program started is known again.
const MARK: &str = "PENGUINS_CALL";

/// How much of what a program says is kept, in bytes.
const KEPT: usize = 512;

/// How a call of a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With this exit status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// By force, because its time was over.
    Overrun,
}

/// A call of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// How it ended.
    pub ended: Ended,
    /// How long it took.
    pub time: Duration,
    /// What it wrote on standard output, if that was wanted.
    pub said: Vec<u8>,
    /// What it wrote on standard error.
    pub complained: Vec<u8>,
}

/// A program and its folder, which is removed in the end.
#[derive(Debug)]
pub struct Program {
    command: Vec<OsString>,
    folder: TempDir,
    /// What the state file held when the program was done with it.
    left: Option<Vec<u8>>,
    mark: OsString,
}

/// Makes this process the one to whom orphans of its programs come, so that they can be ended.
pub fn adopt_orphans() {
    // Where the system does not do that, orphans that left their group are not found.
    let _ = set_child_subreaper(Some(getpid()));
}

/// A relative path that is there stays what it is in another folder.
fn absolute(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    (path.is_relative() && path.exists()).then(|| fs::canonicalize(path).ok()).flatten()
}

impl Program {
    /// A program with its first arguments, in a new folder. Arguments that name files are the same files for it.
    ///
    /// # Errors
    /// When there cannot be a folder for it.
    pub fn new(command: &[OsString]) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let with_folder = |word: &OsString| word.as_encoded_bytes().contains(&b'/');
        let command = command.iter().enumerate().map(|(at, word)| {
            // A bare first word is looked for where all programs are.
            let path = if at > 0 || with_folder(word) { absolute(word) } else { None };
            path.map_or_else(|| word.clone(), PathBuf::into_os_string)
        });
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = tempfile::Builder::new().prefix("penguins-").tempdir()?;
        Ok(Self { command: command.collect(), folder, left: None, mark: mark.into() })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> String {
        let words: Vec<String> = self.command.iter().map(|word| crate::state::shown(word.as_encoded_bytes())).collect();
        words.join(" ")
    }

    fn board(&self) -> PathBuf {
        self.folder.path().join(BOARD)
    }

    /// The id that it gives itself; nothing when it gives none.
    pub fn id(&self, time: Duration) -> Option<Vec<u8>> {
        let call = self.run(&["id".into()], true, time).ok()?;
        let id = call.said.trim_ascii();
        (call.ended == Ended::Exit(0) && !id.is_empty() && !id.iter().any(u8::is_ascii_whitespace)).then(|| id.to_vec())
    }

    /// Whether the state file is not as the program left it when it ended.
    #[must_use]
    pub fn wrote_late(&self) -> bool {
        self.left.is_some() && read_whole(&self.board()) != self.left
    }

    /// Gives it a state and these parameters, and says how it ended and what it left; nothing when it left no file.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn call(
        &mut self,
        state: &[u8],
        parameters: &[OsString],
        time: Duration,
    ) -> io::Result<(Call, Option<Vec<u8>>)> {
        let board = self.board();
        // It may have put something else in the place of the file, or removed the folder.
        match fs::symlink_metadata(&board) {
            Ok(known) if known.is_dir() => fs::remove_dir_all(&board)?,
            Ok(known) if !known.is_file() => fs::remove_file(&board)?,
            Ok(_) => {}
            Err(_) => fs::create_dir_all(self.folder.path())?,
        }
        fs::write(&board, state)?;
        let mut arguments = parameters.to_vec();
        arguments.extend([BOARD.into(), BOARD.into()]);
        let call = self.run(&arguments, false, time)?;
        self.left = read_whole(&board);
        Ok((call, self.left.clone()))
    }

    fn run(&self, arguments: &[OsString], is_heard: bool, time: Duration) -> io::Result<Call> {
        let begun = Instant::now();
        let (program, first) = self.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut child = Command::new(program)
            .args(first)
            .args(arguments)
            .current_dir(self.folder.path())
            .env(MARK, &self.mark)
            .stdin(Stdio::null())
            .stdout(if is_heard { Stdio::piped() } else { Stdio::null() })
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let mut said = Stream::new(child.stdout.take().map(OwnedFd::from));
        let mut complained = Stream::new(child.stderr.take().map(OwnedFd::from));
        let is_done = wait(&child, begun + time, [&mut said, &mut complained]);
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // The child is not waited for yet, so its number is still its own.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let status = child.wait()?;
        self.end_orphans();
        let ended = if is_done { ended(status) } else { Ended::Overrun };
        Ok(Call { ended, time: begun.elapsed(), said: said.rest(), complained: complained.rest() })
    }

    /// Ends what the program left running though it left its group: that comes to this process when its parents end.
    fn end_orphans(&self) {
        let Ok(children) = fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id())) else {
            return;
        };
        let mark = [MARK.as_bytes(), b"=", self.mark.as_encoded_bytes()].concat();
        for number in children.split_whitespace() {
            let is_marked = fs::read(format!("/proc/{number}/environ"))
                .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|variable| variable == mark));
            if let Some(orphan) = number.parse().ok().and_then(Pid::from_raw).filter(|_| is_marked) {
                let _ = kill_process(orphan, Signal::KILL);
                let _ = waitpid(Some(orphan), WaitOptions::empty());
            }
        }
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, Some(signal)) => Ended::Signal(signal),
        (None, None) => Ended::Exit(-1),
    }
}

/// A regular file of no more than a megabyte.
fn read_whole(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|known| known.is_file());
    if is_file { constructor_common::atomic_file::read(path).ok() } else { None }
}

/// What a program says, of which the beginning is kept.
struct Stream {
    pipe: Option<OwnedFd>,
    kept: Vec<u8>,
}

impl Stream {
    const fn new(pipe: Option<OwnedFd>) -> Self {
        Self { pipe, kept: Vec::new() }
    }

    /// Takes what is there, of which there has to be something or the end.
    fn take(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut buffer = [0; 1 << 14];
        match rustix::io::read(pipe, &mut buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => {
                let room = KEPT - self.kept.len();
                self.kept.extend(&buffer[..count.min(room)]);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.pipe = None,
        }
    }

    fn is_ready(&self) -> bool {
        self.pipe.as_ref().is_some_and(|pipe| {
            let mut fds = [PollFd::new(pipe, PollFlags::IN)];
            poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
        })
    }

    /// All that is kept, with what is there at the end.
    fn rest(mut self) -> Vec<u8> {
        while self.kept.len() < KEPT && self.is_ready() {
            self.take();
        }
        self.kept
    }
}

/// Waits until the program has ended, and says whether it did so in time.
fn wait(child: &Child, deadline: Instant, streams: [&mut Stream; 2]) -> bool {
    let number = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let Some(Ok(process)) = number.map(|number| pidfd_open(number, PidfdFlags::empty())) else { return false };
    let [first, second] = streams;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return is_readable(process.as_fd());
        }
        let mut fds = vec![PollFd::new(&process, PollFlags::IN)];
        fds.extend(first.pipe.iter().chain(&second.pipe).map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let timeout = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
        let ready = poll(&mut fds, Some(&timeout));
        let mut events: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        match ready {
            Ok(0) | Err(Errno::INTR) => continue,
            Err(_) => return false,
            Ok(_) => {}
        }
        if events.remove(0) {
            return true;
        }
        let mut events = events.into_iter();
        for stream in [&mut *first, &mut *second] {
            if stream.pipe.is_some() && events.next() == Some(true) {
                stream.take();
            }
        }
    }
}

fn is_readable(fd: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::new(&fd, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}
