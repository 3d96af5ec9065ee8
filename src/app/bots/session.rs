//! Starting a program in a session of its own: this program starts a copy of itself, which leaves its session and becomes the other
//! program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::unistd::{AccessFlags, access, setsid};

/// The first argument of a command line that asks to start a program in a session of its own.
const LEAD_A_SESSION: &str = "--lead-a-session";

/// Whether this process runs this program, rather than another program that uses its library.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Replaces this process with the program that the command line names, in a new session, if the command line asks for that.
///
/// Returns an exit status if that program cannot be started, and `None` if the command line does not ask for this.
pub fn lead_if_asked(args: &[OsString]) -> Option<u8> {
    const CANNOT_START: u8 = 127;
    IS_PROGRAM.store(true, Ordering::Relaxed);
    let (word, command) = args.get(1..)?.split_first()?;
    if word != LEAD_A_SESSION {
        return None;
    }
    let (program, arguments) = command.split_first()?;
    // If this fails, the program merely shares the terminal.
    let _ = setsid();
    let _error = Command::new(program).args(arguments).exec();
    Some(CANNOT_START)
}

/// Returns a command that starts a program in a session of its own or, where that is not possible, in a process group of its own.
///
/// # Errors
/// When there is no such program.
pub fn command(program: &str) -> io::Result<Command> {
    const SELF: &str = "/proc/self/exe";
    if !IS_PROGRAM.load(Ordering::Relaxed) || !Path::new(SELF).exists() {
        let mut command = Command::new(program);
        command.process_group(0);
        return Ok(command);
    }
    check(program)?;
    let mut command = Command::new(SELF);
    command.arg(LEAD_A_SESSION).arg(program);
    Ok(command)
}

/// Checks that there is a program of this name that can be started.
fn check(program: &str) -> io::Result<()> {
    let can_start = |path: &Path| access(path, AccessFlags::X_OK).map_err(io::Error::from);
    if program.contains('/') {
        return can_start(Path::new(program));
    }
    let folders = env::var_os("PATH").unwrap_or_else(|| OsStr::new("/usr/bin:/bin").to_owned());
    let found = env::split_paths(&folders).any(|folder| can_start(&folder.join(program)).is_ok());
    if found { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}
