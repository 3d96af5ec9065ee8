//! External programs: started for every placement and move in a directory of their own, and killed with all their
//! descendants at the time limit.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use std::{mem, thread};

use constructor_common::files::{MAX_FILE_SIZE, read_unclaimed};
use constructor_common::io_error_text;
use constructor_common::process::{kill_descendants, kill_orphans, kill_tree};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::statvfs::statvfs;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use tempfile::TempDir;

use super::sandbox::{self, ExitReport, ReportReader};
use crate::lock;

/// The name of the state file in a program's directory.
const BOARD: &str = "board.txt";

/// The environment variable that marks the descendants of a call.
const CALL_VARIABLE: &str = "PENGUINS_CALL";

/// The time limit for making the namespaces.
const START_TIME: Duration = Duration::from_secs(10);

/// The maximum number of bytes that are kept of a program's standard output, and of its standard error.
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
    /// The first bytes of the program's standard output, if it was captured.
    pub stdout: Vec<u8>,
    /// The first bytes of the program's standard error.
    pub stderr: Vec<u8>,
}

/// The directory of all programs of this process, which is removed on drop.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
    /// Whether the games in it are played one after the other.
    is_sequential: bool,
    /// The number of bytes that a program may store.
    quota: u64,
}

impl Workspace {
    /// The upper limit of `quota`, in bytes.
    const MAX_QUOTA: u64 = 64 << 20;

    /// Makes a directory for this many programs. `is_sequential` says whether the games are played one after the other.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new(programs: usize, is_sequential: bool) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("penguins-").tempdir()?;
        let free = statvfs(folder.path()).map_or(u64::MAX, |disk| disk.blocks_available() * disk.fragment_size());
        let quota = (free / (programs as u64 + 1)).min(Self::MAX_QUOTA);
        Ok(Self { folder, is_sequential, quota })
    }

    /// Returns the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns whether it is certain which program changed the directory of another program. It is certain if each program is isolated, or
    /// if only one program runs at a time.
    #[must_use]
    pub fn can_attribute_changes(&self) -> bool {
        self.is_sequential || sandbox::is_enabled()
    }
}

/// A program and its directory, which is removed on drop.
#[derive(Debug)]
pub struct Program {
    command: Vec<OsString>,
    workspace: Arc<Workspace>,
    folder: TempDir,
    /// The content of the directory when the program last ended.
    left: Snapshot,
    mark: OsString,
}

/// The content of a directory at a time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Snapshot {
    files: Vec<Entry>,
    /// The space on the disk, in bytes.
    size: u64,
}

/// A file in a directory: its path, its inode, and its size and `ctime` (seconds and nanoseconds), which programs cannot set. Size and
/// `ctime` are `None` for a file with several hard links, since a write through another link changes them.
type Entry = (PathBuf, u64, Option<(u64, i64, i64)>);

/// Removes the files that programs left, even protected ones.
impl Drop for Workspace {
    fn drop(&mut self) {
        remove(self.folder.path());
    }
}

/// The children that this process waits for, by process id, with the marks of their calls. They are not orphans. The map is locked while a
/// directory is changed or a program is started, so that [`end_all`] can prevent both.
static CHILDREN: Mutex<BTreeMap<u32, OsString>> = Mutex::new(BTreeMap::new());

/// Ends all programs and removes the directory.
///
/// The process must exit afterwards, since no program can be started any more.
pub fn end_all(workspace: &Path) {
    mem::forget(children());
    kill_descendants();
    remove(workspace);
}

/// Removes a directory with its content, even if programs protected it.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        // Taking a snapshot makes all its directories accessible.
        let _ = snapshot(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

fn children() -> MutexGuard<'static, BTreeMap<u32, OsString>> {
    lock(&CHILDREN)
}

/// Returns the absolute path if the word is a relative path of something that exists; otherwise `None`.
fn absolute(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    (path.is_relative() && path.exists()).then(|| fs::canonicalize(path).ok()).flatten()
}

impl Program {
    /// Prepares a program with its first arguments and a new directory.
    ///
    /// Arguments that name existing files become absolute paths.
    ///
    /// # Errors
    /// When the directory cannot be created.
    pub fn new(command: &[OsString], workspace: &Arc<Workspace>) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let with_folder = |word: &OsString| word.as_encoded_bytes().contains(&b'/');
        let command = command.iter().enumerate().map(|(at, word)| {
            // A program name without `/` is searched for in `PATH`.
            let path = if at > 0 || with_folder(word) { absolute(word) } else { None };
            path.map_or_else(|| word.clone(), PathBuf::into_os_string)
        });
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let guard = children();
        let folder = tempfile::Builder::new().prefix("program-").tempdir_in(workspace.path())?;
        drop(guard);
        let workspace = Arc::clone(workspace);
        Ok(Self { command: command.collect(), workspace, folder, left: Snapshot::default(), mark: mark.into() })
    }

    /// Returns the command, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        let words: Vec<String> =
            self.command.iter().map(|word| crate::state_file::quoted(word.as_encoded_bytes())).collect();
        words.join(" ")
    }

    fn board(&self) -> PathBuf {
        self.folder.path().join(BOARD)
    }

    /// Asks the program for its id, and if it prints none, for its name. Returns `None` if the program prints neither.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn id(&mut self, time: Duration) -> io::Result<Option<Vec<u8>>> {
        for question in ["id", "name"] {
            let call = self.run(&[question.into()], true, time);
            self.left = snapshot(self.folder.path());
            let call = call?;
            let id = call.stdout.trim_ascii();
            if call.ended == Termination::Exit(0) && !id.is_empty() && !id.iter().any(u8::is_ascii_whitespace) {
                return Ok(Some(id.to_vec()));
            }
        }
        Ok(None)
    }

    /// Returns whether the directory has changed since the program ended.
    ///
    /// The next call compares the directory with its current content.
    pub fn was_changed(&mut self) -> bool {
        let now = snapshot(self.folder.path());
        mem::replace(&mut self.left, now.clone()).files != now.files
    }

    /// Removes everything that the program stored, if its size is more than the program's share of the disk.
    ///
    /// In that case, returns the size and the share; otherwise, returns `None`.
    pub fn clear_if_too_large(&mut self) -> Option<(u64, u64)> {
        let size = self.left.size;
        let too_large = size > self.workspace.quota;
        if too_large {
            self.clear();
        }
        too_large.then_some((size, self.workspace.quota))
    }

    /// Removes everything that the program stored.
    fn clear(&mut self) {
        let _guard = children();
        remove(self.folder.path());
        let _ = fs::create_dir_all(self.folder.path());
        self.left = snapshot(self.folder.path());
    }

    /// Runs the program on a state with these parameters.
    ///
    /// Returns the call, and either the content of the state file or the reason why there is no content.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn call(
        &mut self,
        state: &[u8],
        parameters: &[OsString],
        time: Duration,
    ) -> io::Result<(Call, Result<Vec<u8>, String>)> {
        let call = self.write_state(state).and_then(|()| {
            let mut arguments = parameters.to_vec();
            arguments.extend([BOARD.into(), BOARD.into()]);
            self.run(&arguments, false, time)
        });
        self.left = snapshot(self.folder.path());
        Ok((call?, read_whole(&self.board())))
    }

    /// Puts the state into the directory.
    fn write_state(&self, state: &[u8]) -> io::Result<()> {
        let _guard = children();
        let board = self.board();
        // The program may have replaced the file or removed the directory.
        match fs::symlink_metadata(&board) {
            Ok(known) if known.is_dir() => fs::remove_dir_all(&board)?,
            Ok(known) if !known.is_file() => fs::remove_file(&board)?,
            Ok(_) => {}
            Err(_) => fs::create_dir_all(self.folder.path())?,
        }
        fs::write(&board, state)
    }

    fn run(&self, arguments: &[OsString], captures_stdout: bool, time: Duration) -> io::Result<Call> {
        let (reader, writer) = io::pipe()?;
        let is_isolated = sandbox::is_enabled();
        let mut command = if is_isolated {
            let own = self.folder.path().file_name().unwrap_or_default();
            let mut command = sandbox::command(self.workspace.path(), own, writer.try_clone()?.into());
            command.args(&self.command);
            command
        } else {
            let (program, first) = self.command.split_first().ok_or(io::ErrorKind::NotFound)?;
            let mut command = Command::new(program);
            command.args(first).current_dir(self.folder.path()).stdin(Stdio::null());
            command
        };
        let mut started = Instant::now();
        command
            .args(arguments)
            .env(CALL_VARIABLE, &self.mark)
            .stdout(if captures_stdout { Stdio::piped() } else { Stdio::null() })
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = {
            // The lock is held until the child is registered, so that the child is not taken for an orphan.
            let mut children = children();
            let child = command.spawn()?;
            children.insert(child.id(), self.mark.clone());
            child
        };
        // Closes the child's ends of the pipes.
        drop(command);
        let mut stdout = Stream::new(child.stdout.take().map(OwnedFd::from));
        let mut stderr = Stream::new(child.stderr.take().map(OwnedFd::from));
        let mut report = ReportReader::new(reader);
        let watched = if is_isolated {
            drop(writer);
            // The time for making the namespaces does not count for the program.
            wait(&mut report, started + START_TIME, [&mut stdout, &mut stderr], true).map(|_| started = Instant::now())
        } else {
            notify_of_exit(&child, writer)
        };
        let in_time = watched.and_then(|()| wait(&mut report, started + time, [&mut stdout, &mut stderr], false));
        let time = started.elapsed();
        // The child has not been reaped, so its process id is still its own.
        kill_tree(child.id());
        let status = child.wait();
        children().remove(&child.id());
        end_orphans();
        let ended = match (in_time?, report.report()) {
            (false, _) => Termination::Overrun,
            (true, Some(ExitReport::NotStarted(reason))) => return Err(io::Error::other(reason)),
            (true, Some(ExitReport::Exit(code))) => Termination::Exit(code),
            (true, Some(ExitReport::Signal(signal))) => Termination::Signal(signal),
            (true, None) => ended(status?),
        };
        Ok(Call { ended, time, stdout: stdout.rest(), stderr: stderr.rest() })
    }
}

/// Kills descendants that left the process group of their call: when their parents end, they become children of this process.
///
/// Descendants of calls that still run are left alone, if their environment names the call.
fn end_orphans() {
    kill_orphans(|process| children().contains_key(&process) || is_of_running_call(process));
}

/// Returns whether, according to its environment, a process was started in a call that still runs.
fn is_of_running_call(process: u32) -> bool {
    let variable = [CALL_VARIABLE.as_bytes(), b"="].concat();
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let mark = environment.split(|&byte| byte == 0).find_map(|entry| entry.strip_prefix(variable.as_slice()));
    mark.is_some_and(|mark| children().values().any(|running| running.as_encoded_bytes() == mark))
}

/// Returns a snapshot of a directory and its subdirectories at any depth, in the order of the paths.
///
/// Directories that cannot be read are made readable.
fn snapshot(whole: &Path) -> Snapshot {
    /// The maximum number of files that are listed, far more than a program needs for playing. A directory with more files counts as larger
    /// than any share of the disk.
    const MAX_ENTRIES: usize = 10_000;
    let mut found = Snapshot::default();
    let mut folders = vec![whole.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        if entries.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
            && fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).is_ok()
        {
            // The change of permissions changed entries that were found already, so everything is read again.
            return snapshot(whole);
        }
        for entry in entries.into_iter().flatten().flatten() {
            let Ok(known) = entry.metadata() else { continue };
            if found.files.len() == MAX_ENTRIES {
                found.size = u64::MAX;
                return found;
            }
            // The size counts blocks on the disk, including those of directories, but not holes in files.
            found.size = found.size.saturating_add(known.blocks() * 512);
            let is_shared = known.is_file() && known.nlink() > 1;
            let state = (!is_shared).then(|| (known.len(), known.ctime(), known.ctime_nsec()));
            found.files.push((entry.path(), known.ino(), state));
            if known.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found.files.sort();
    found
}

fn ended(status: ExitStatus) -> Termination {
    match (status.code(), status.signal()) {
        (Some(code), _) => Termination::Exit(code),
        (None, Some(signal)) => Termination::Signal(signal),
        (None, None) => Termination::Exit(-1),
    }
}

/// Reads a regular file; an error says why it cannot be read.
fn read_whole(path: &Path) -> Result<Vec<u8>, String> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|known| known.is_file());
    if !is_file {
        return Err("no file".to_owned());
    }
    read_unclaimed(path, MAX_FILE_SIZE).map_err(|error| io_error_text(&error))
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

    /// Returns the bytes kept, including those still in the pipe.
    fn rest(mut self) -> Vec<u8> {
        while self.kept.len() < MAX_CAPTURE && self.is_ready() {
            self.take();
        }
        self.kept
    }
}

/// Closes this end of a pipe when the child has exited.
///
/// The child is not reaped.
fn notify_of_exit(child: &Child, writer: PipeWriter) -> io::Result<()> {
    let id = Pid::from_raw(child.id().cast_signed());
    thread::Builder::new().spawn(move || {
        while waitid(Id::Pid(id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR) {}
        drop(writer);
    })?;
    Ok(())
}

/// Waits until the report has ended or the deadline has passed, and reads the pipes meanwhile. If `until_begun` is true, waits only until
/// the report has begun.
///
/// Returns whether the report has ended in time.
///
/// # Errors
/// When the pipes cannot be polled; with `until_begun`, when the deadline passes before the report has begun.
fn wait(
    report: &mut ReportReader,
    deadline: Instant,
    streams: [&mut Stream; 2],
    until_begun: bool,
) -> io::Result<bool> {
    let [first, second] = streams;
    loop {
        if until_begun && report.has_begun() {
            return Ok(false);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            // Everything that is in the pipe by now was reported in time.
            while is_readable(&report.pipe) {
                if report.take() {
                    return Ok(true);
                }
            }
            return if until_begun { Err(io::ErrorKind::TimedOut.into()) } else { Ok(false) };
        }
        let mut fds = vec![PollFd::new(report.pipe.as_fd(), PollFlags::POLLIN)];
        fds.extend(first.pipe.iter().chain(&second.pipe).map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)));
        // Rounded up: poll waits for whole milliseconds.
        let timeout = PollTimeout::try_from(left + Duration::from_micros(999)).unwrap_or(PollTimeout::MAX);
        let ready = poll(&mut fds, timeout);
        let mut events: Vec<bool> =
            fds.iter().map(|fd| fd.revents().is_some_and(|events| !events.is_empty())).collect();
        drop(fds);
        match ready {
            Ok(0) | Err(Errno::EINTR) => continue,
            Err(error) => return Err(error.into()),
            Ok(_) => {}
        }
        if events.remove(0) && report.take() {
            return Ok(true);
        }
        let mut events = events.into_iter();
        for stream in [&mut *first, &mut *second] {
            if stream.pipe.is_some() && events.next() == Some(true) {
                stream.take();
            }
        }
    }
}

/// Returns whether a read from this pipe would not block.
fn is_readable(pipe: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}
