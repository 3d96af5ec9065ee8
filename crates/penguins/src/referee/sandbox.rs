//! Isolation of the programs: each call runs in a mount namespace, where the directories of the other programs are hidden, and in a PID
//! namespace, which no process leaves or outlives. This needs Linux, and root or unprivileged user namespaces. Elsewhere nothing is
//! isolated.
//!
//! For that, the program starts itself again, twice: `sandbox-enter` makes the namespaces, and `sandbox-init` is the first process in them,
//! which starts the program, adopts orphans and reports how the program ended.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use constructor_common::io_error_text;
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Pid, getgid, getuid};

/// The argument that makes the namespaces. It is followed by the directory of all programs, the name of the program's own directory, and
/// the command.
const ENTER: &str = "sandbox-enter";

/// The argument of the first process in the namespaces. It is followed by the command.
const INIT: &str = "sandbox-init";

/// An argument of `mount` that is not given.
const NONE: Option<&str> = None;

/// This program.
const SELF: &str = "/proc/self/exe";

/// Whether programs are isolated; `None` until [`enable`] is called.
static IS_ENABLED: OnceLock<bool> = OnceLock::new();

/// Isolates the programs from now on, if the system allows it.
pub fn enable() {
    let _ = IS_ENABLED.get_or_init(|| probe().unwrap_or(false));
}

/// Returns whether programs are isolated.
#[must_use]
pub fn is_enabled() -> bool {
    IS_ENABLED.get() == Some(&true)
}

/// Tests whether a program can be run in namespaces.
fn probe() -> io::Result<bool> {
    let base = tempfile::tempdir()?;
    fs::create_dir(base.path().join("own"))?;
    let (mut reader, writer) = io::pipe()?;
    let mut command = command(base.path(), "own".as_ref(), writer.into());
    let mut child = command.arg("true").stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    drop(command);
    let mut report = String::new();
    reader.read_to_string(&mut report)?;
    child.wait()?;
    Ok(report.ends_with("\nexit 0\n"))
}

/// Returns a command that runs another command in the sandbox, in the directory `own` of `base`. The caller adds the other command as
/// arguments.
///
/// The report is written to its standard input, a pipe.
#[must_use]
pub fn command(base: &Path, own: &OsStr, report: Stdio) -> Command {
    let mut command = Command::new(SELF);
    command.arg(ENTER).arg(base).arg(own).stdin(report).process_group(0);
    command
}

/// How a program ended, as its sandbox reports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitReport {
    /// It exited with this status.
    Exit(i32),
    /// It was killed by this signal.
    Signal(i32),
    /// It could not be started.
    NotStarted(String),
}

/// The longest report, in bytes.
const MAX_REPORT: usize = 1024;

/// Reads the report of a call.
#[derive(Debug)]
pub struct ReportReader {
    /// The pipe.
    pub pipe: PipeReader,
    text: Vec<u8>,
}

impl ReportReader {
    /// Makes a reader of the report that is written to the other end of this pipe.
    #[must_use]
    pub const fn new(pipe: PipeReader) -> Self {
        Self { pipe, text: Vec::new() }
    }

    /// Reads once from the pipe, which must be readable.
    ///
    /// Returns whether the report has ended.
    pub fn take(&mut self) -> bool {
        let mut buffer = [0; 256];
        match self.pipe.read(&mut buffer) {
            Ok(0) => true,
            Ok(count) => {
                self.text.extend(&buffer[..count]);
                // A program may reach the pipe and flood it; genuine reports are short.
                self.text.len() > MAX_REPORT
            }
            Err(error) => error.kind() != io::ErrorKind::Interrupted,
        }
    }

    /// Returns whether the program is about to be started.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// Returns how the program ended; `None` if it was killed.
    #[must_use]
    pub fn report(&self) -> Option<ExitReport> {
        let text = String::from_utf8_lossy(&self.text);
        let (kind, detail) = text.lines().next_back()?.split_once(' ')?;
        match kind {
            "exit" => detail.parse().ok().map(ExitReport::Exit),
            "signal" => detail.parse().ok().map(ExitReport::Signal),
            _ => Some(ExitReport::NotStarted(detail.to_owned())),
        }
    }
}

/// Runs this process as a part of the sandbox and returns the exit code. Returns `None` if the arguments do not ask for the sandbox.
#[must_use]
pub fn run_if_asked(args: &[OsString]) -> Option<u8> {
    match args {
        [first, base, own, command @ ..] if first == ENTER => {
            let entered = enter(base.as_ref(), own, command);
            if let Err(error) = &entered {
                report(&format!("error the sandbox failed: {}", io_error_text(error)));
            }
            Some(u8::from(entered.is_err()))
        }
        [first, command @ ..] if first == INIT => {
            init(command);
            Some(0)
        }
        _ => None,
    }
}

/// Writes a line of the report.
fn report(line: &str) {
    if let Ok(pipe) = io::stdin().as_fd().try_clone_to_owned() {
        // Fails if the call was ended: the pipe is closed then.
        let _ = File::from(pipe).write_all(format!("{line}\n").as_bytes());
    }
}

/// Makes the namespaces, hides the directories of other programs, and runs [`init`] in the program's own directory.
fn enter(base: &Path, own: &OsStr, command: &[OsString]) -> io::Result<()> {
    let own = base.join(own);
    let (uid, gid) = (getuid(), getgid());
    let namespaces = CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID;
    if unshare(namespaces).is_err() {
        unshare(namespaces | CloneFlags::CLONE_NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    }
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    // The directory is opened in the new namespace, since mounts of another namespace cannot be bound.
    let folder = File::open(&own)?;
    mount(Some("tmpfs"), base, Some("tmpfs"), MsFlags::MS_NOSUID | MsFlags::MS_NODEV, Some("size=64k,mode=755"))?;
    fs::create_dir(&own)?;
    let source = format!("/proc/self/fd/{}", folder.as_raw_fd());
    mount(Some(source.as_str()), &own, NONE, MsFlags::MS_BIND, NONE)?;
    let status = Command::new(SELF).arg(INIT).args(command).current_dir(&own).status()?;
    if let Some(signal) = status.signal() {
        // Nothing in the namespace is left.
        report(&format!("signal {signal}"));
    }
    Ok(())
}

/// Starts the command, and waits for it and for all orphans until it ends.
///
/// All other processes of the namespace end with this one.
fn init(command: &[OsString]) {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    // Only root may mount this. For other users, and in some containers, the processes outside of the namespace stay visible.
    let _ = mount(Some("proc"), "/proc", Some("proc"), flags, NONE);
    report("begun");
    let Some((program, arguments)) = command.split_first() else { return };
    match Command::new(program).args(arguments).stdin(Stdio::null()).spawn() {
        Ok(child) => report(&wait_for(&child)),
        Err(error) => report(&format!("error {}", io_error_text(&error))),
    }
}

/// Waits for a child, reaps orphans meanwhile, and returns the line of the report about the child.
fn wait_for(child: &Child) -> String {
    let id = Pid::from_raw(child.id().cast_signed());
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(process, code)) if process == id => return format!("exit {code}"),
            Ok(WaitStatus::Signaled(process, signal, _)) if process == id => {
                return format!("signal {}", signal as i32);
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return format!("error {error}"),
        }
    }
}
