//! Process groups: a child and everything that it starts, ended together.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Kills the process group with this id, which is the process id of the child that leads it. Does nothing for 0 (the caller's
/// own group) and 1, and when no process of the group is left.
pub fn kill_group(id: u32) {
    if let Ok(id @ 2..) = i32::try_from(id) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}
