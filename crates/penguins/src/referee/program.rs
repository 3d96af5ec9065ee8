//! External programs: started for every placement and move in a directory of their own, and killed with all their
//! descendants at the time limit.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use constructor_common::atomic_file;
use constructor_common::process::kill_group;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::Pid;
use tempfile::TempDir;

/// The name of the state file in a program's directory.
const BOARD: &str = "board.txt";

/// The environment variable that marks the descendants of a call.
const CALL_VARIABLE: &str = "PENGUINS_CALL";

/// The number of bytes kept of a program's standard output and standard error.
const MAX_CAPTURE: usize = 512;

/// How a call of a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// It exited with this status.
    Exit(i32),
    /// It was killed by this signal.
    Signal(i32),
    /// It was killed at the time limit.
    Overrun,
}

/// A call of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// How it ended.
    pub ended: Termination,
    /// The time that it took.
    pub time: Duration,
    /// The start of its standard output, if captured.
    pub stdout: Vec<u8>,
    /// The start of its standard error.
    pub stderr: Vec<u8>,
}

/// A program and its directory, which is removed on drop.
#[derive(Debug)]
pub struct Program {
    command: Vec<OsString>,
    folder: TempDir,
    /// The state file's content when the program ended.
    left: Option<Vec<u8>>,
    mark: OsString,
}

/// Makes this process the parent of orphaned descendants (a child subreaper), so that they can be killed.
pub fn adopt_orphans() {
    // Without a subreaper, orphans that left their process group are not found.
    let _ = set_child_subreaper(true);
}

/// The absolute path of an existing relative path; `None` for other words.
fn absolute(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    (path.is_relative() && path.exists()).then(|| fs::canonicalize(path).ok()).flatten()
}

impl Program {
    /// A program with its first arguments and a new directory. Arguments that name existing files become absolute
    /// paths.
    ///
    /// # Errors
    /// When the directory cannot be created.
    pub fn new(command: &[OsString]) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let with_folder = |word: &OsString| word.as_encoded_bytes().contains(&b'/');
        let command = command.iter().enumerate().map(|(at, word)| {
            // A program name without `/` is searched for in `PATH`.
            let path = if at > 0 || with_folder(word) { absolute(word) } else { None };
            path.map_or_else(|| word.clone(), PathBuf::into_os_string)
        });
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = tempfile::Builder::new().prefix("penguins-").tempdir()?;
        Ok(Self { command: command.collect(), folder, left: None, mark: mark.into() })
    }

    /// The command, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        let words: Vec<String> =
            self.command.iter().map(|word| crate::state_file::quoted(word.as_encoded_bytes())).collect();
        words.join(" ")
    }

    fn board(&self) -> PathBuf {
        self.folder.path().join(BOARD)
    }

    /// Asks the program for its id; `None` if it prints none.
    pub fn id(&self, time: Duration) -> Option<Vec<u8>> {
        let call = self.run(&["id".into()], true, time).ok()?;
        let id = call.stdout.trim_ascii();
        (call.ended == Termination::Exit(0) && !id.is_empty() && !id.iter().any(u8::is_ascii_whitespace))
            .then(|| id.to_vec())
    }

    /// Whether the state file has changed since the program ended.
    #[must_use]
    pub fn wrote_late(&self) -> bool {
        self.left.is_some() && read_whole(&self.board()) != self.left
    }

    /// Runs the program on a state with these parameters. Returns the call and the state file's content, if it is a
    /// file.
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
        // The program may have replaced the file or removed the directory.
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

    fn run(&self, arguments: &[OsString], captures_stdout: bool, time: Duration) -> io::Result<Call> {
        let begun = Instant::now();
        let (program, first) = self.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut child = Command::new(program)
            .args(first)
            .args(arguments)
            .current_dir(self.folder.path())
            .env(CALL_VARIABLE, &self.mark)
            .stdin(Stdio::null())
            .stdout(if captures_stdout { Stdio::piped() } else { Stdio::null() })
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let mut stdout = Stream::new(child.stdout.take().map(OwnedFd::from));
        let mut stderr = Stream::new(child.stderr.take().map(OwnedFd::from));
        let in_time = exit_notification(&child).map(|exit| wait(&exit, begun + time, [&mut stdout, &mut stderr]));
        // The child has not been reaped, so its process id is still its own.
        kill_group(child.id());
        let status = child.wait()?;
        self.end_orphans();
        let ended = if in_time? { ended(status) } else { Termination::Overrun };
        Ok(Call { ended, time: begun.elapsed(), stdout: stdout.rest(), stderr: stderr.rest() })
    }

    /// Kills descendants that left the process group: when their parents end, they become children of this process.
    fn end_orphans(&self) {
        let Ok(children) = fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id())) else {
            return;
        };
        let mark = [CALL_VARIABLE.as_bytes(), b"=", self.mark.as_encoded_bytes()].concat();
        for number in children.split_whitespace() {
            let is_marked = fs::read(format!("/proc/{number}/environ"))
                .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|variable| variable == mark));
            if let Some(orphan) = number.parse().ok().map(Pid::from_raw).filter(|_| is_marked) {
                let _ = kill(orphan, Signal::SIGKILL);
                let _ = waitpid(orphan, None);
            }
        }
    }
}

fn ended(status: ExitStatus) -> Termination {
    match (status.code(), status.signal()) {
        (Some(code), _) => Termination::Exit(code),
        (None, Some(signal)) => Termination::Signal(signal),
        (None, None) => Termination::Exit(-1),
    }
}

/// The content of a regular file of at most a megabyte.
fn read_whole(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|known| known.is_file());
    if is_file { atomic_file::read(path).ok() } else { None }
}

/// A pipe from a program. Keeps its first bytes.
struct Stream {
    pipe: Option<OwnedFd>,
    kept: Vec<u8>,
}

impl Stream {
    const fn new(pipe: Option<OwnedFd>) -> Self {
        Self { pipe, kept: Vec::new() }
    }

    /// Reads once from the pipe, which must be readable.
    fn take(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut buffer = [0; 1 << 14];
        match nix::unistd::read(pipe, &mut buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => {
                let room = MAX_CAPTURE - self.kept.len();
                self.kept.extend(&buffer[..count.min(room)]);
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(_) => self.pipe = None,
        }
    }

    fn is_ready(&self) -> bool {
        self.pipe.as_ref().is_some_and(is_readable)
    }

    /// The bytes kept, including those still in the pipe.
    fn rest(mut self) -> Vec<u8> {
        while self.kept.len() < MAX_CAPTURE && self.is_ready() {
            self.take();
        }
        self.kept
    }
}

/// A pipe that is closed when the child has exited. The child is not reaped.
fn exit_notification(child: &Child) -> io::Result<PipeReader> {
    let (reader, writer) = io::pipe()?;
    let id = Pid::from_raw(child.id().cast_signed());
    thread::Builder::new().spawn(move || {
        while waitid(Id::Pid(id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR) {}
        drop(writer);
    })?;
    Ok(reader)
}

/// Waits until the program has exited or the deadline has passed, and reads its pipes meanwhile. Returns whether it exited in
/// time.
fn wait(exit: &PipeReader, deadline: Instant, streams: [&mut Stream; 2]) -> bool {
    let [first, second] = streams;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return is_readable(exit);
        }
        let mut fds = vec![PollFd::new(exit.as_fd(), PollFlags::POLLIN)];
        fds.extend(first.pipe.iter().chain(&second.pipe).map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)));
        // Rounded up: poll waits for whole milliseconds.
        let timeout = PollTimeout::try_from(left + Duration::from_micros(999)).unwrap_or(PollTimeout::MAX);
        let ready = poll(&mut fds, timeout);
        let mut events: Vec<bool> =
            fds.iter().map(|fd| fd.revents().is_some_and(|events| !events.is_empty())).collect();
        drop(fds);
        match ready {
            Ok(0) | Err(Errno::EINTR) => continue,
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

/// Whether a read from this pipe would not block.
fn is_readable(pipe: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}
