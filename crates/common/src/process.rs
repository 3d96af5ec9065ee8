//! The processes that this process started, and their descendants.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpgid, getsid};

/// The maximum number of rounds in which [`kill_tree`] searches for processes that were started while others were being stopped.
const MAX_ROUNDS: usize = 50;

/// The maximum time spent on searching for processes that were started while others were being killed.
const MAX_KILLING: Duration = Duration::from_secs(2);

/// Returns whether a child has exited.
///
/// The child is not reaped, so its process id is not used for another process.
#[must_use]
#[cfg(target_os = "linux")]
pub fn has_exited(child: &Child) -> bool {
    use nix::sys::wait::{Id, waitid};
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let state = waitid(Id::Pid(Pid::from_raw(child.id().cast_signed())), flags);
    state != Ok(WaitStatus::StillAlive)
}

/// Returns `false`: this system cannot tell without waiting for the child.
#[must_use]
#[cfg(not(target_os = "linux"))]
pub fn has_exited(_: &Child) -> bool {
    false
}

/// Makes orphaned descendants children of this process, so that [`kill_descendants`] finds them.
///
/// Linux only; elsewhere, a process that leaves its process group outlives this one.
pub fn become_subreaper() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Kills a process that has not been waited for, its descendants, and the process group that it leads, if it leads one.
pub fn kill_tree(id: u32) {
    let Ok(root @ 2..) = i32::try_from(id) else { return };
    // Stopped first, so that none starts another meanwhile.
    send(root, Signal::SIGSTOP);
    let mut stopped = BTreeSet::from([root]);
    for _ in 0..MAX_ROUNDS {
        let new: Vec<i32> = descendants(root).into_iter().filter(|process| stopped.insert(*process)).collect();
        if new.is_empty() {
            break;
        }
        for process in new {
            send(process, Signal::SIGSTOP);
        }
    }
    // Fails if it leads no group.
    let _ = killpg(Pid::from_raw(root), Signal::SIGKILL);
    for process in stopped {
        send(process, Signal::SIGKILL);
    }
}

/// Kills all descendants of this process, including the [adopted](become_subreaper) ones, and waits for them.
///
/// The caller must not wait for children at the same time. Gives up after two seconds.
pub fn kill_descendants() {
    kill_orphans(|_| false);
}

/// Returns the children of this process, including adopted ones and those that have exited but were not waited for.
fn own_children() -> Vec<u32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).collect()
}

/// Reaps the [adopted](become_subreaper) orphans that have exited and belong to the session or the process group of one of the `leaders`,
/// except the children that are `running`.
///
/// `leaders` are programs that this process started. Its other children are left to the code that started them.
pub fn reap_orphans(leaders: &BTreeSet<u32>, running: &[u32]) {
    for child in own_children().into_iter().filter(|child| !running.contains(child)) {
        let process = Some(Pid::from_raw(child.cast_signed()));
        let groups = [getsid(process), getpgid(process)];
        if groups.into_iter().flatten().any(|leader| leaders.contains(&leader.as_raw().cast_unsigned())) {
            reap(child);
        }
    }
}

/// Kills the [adopted](become_subreaper) orphans, and reaps those that have exited.
///
/// A child for which `is_spared` returns `true` is neither killed nor reaped. Gives up after two seconds.
pub fn kill_orphans(is_spared: impl Fn(u32) -> bool) {
    let deadline = Instant::now() + MAX_KILLING;
    // The children of a program are adopted when it ends. If another thread waits for the program just then, one list of children can have been
    // read too early to have them, and the other too late to have the program. The next lists have them.
    let mut empty_rounds = 0;
    while empty_rounds < 2 && Instant::now() < deadline {
        empty_rounds += 1;
        // The children of one that is killed, or that has exited by itself, are then adopted, and found in the next round.
        for orphan in own_children().into_iter().filter(|&orphan| !is_spared(orphan)) {
            empty_rounds = 0;
            if reap(orphan) {
                send(orphan.cast_signed(), Signal::SIGKILL);
            }
        }
    }
}

/// Reaps a child if it has exited.
///
/// Returns whether it is still running.
fn reap(child: u32) -> bool {
    waitpid(Pid::from_raw(child.cast_signed()), Some(WaitPidFlag::WNOHANG)) == Ok(WaitStatus::StillAlive)
}

fn send(process: i32, signal: Signal) {
    // Fails if the process has ended.
    let _ = kill(Pid::from_raw(process), signal);
}

/// Returns the running descendants of a process, not including the process itself. The list is empty where there is no `/proc`.
fn descendants(root: i32) -> Vec<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    let mut zombies = BTreeSet::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Some((state, parent)) = state_and_parent(process) else { continue };
        children.entry(parent).or_default().push(process);
        if matches!(state.as_str(), "Z" | "X") {
            zombies.insert(process);
        }
    }
    let mut found = Vec::new();
    let mut unseen = vec![root];
    while let Some(parent) = unseen.pop() {
        let own = children.remove(&parent).unwrap_or_default();
        unseen.extend(&own);
        found.extend(own.into_iter().filter(|process| !zombies.contains(process)));
    }
    found
}

/// Returns the state of a process and its parent, from `/proc/ID/stat`: `ID (NAME) STATE PARENT ...`, where the name can have any
/// characters.
pub(crate) fn state_and_parent(process: i32) -> Option<(String, i32)> {
    let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let mut words = stat.rsplit_once(") ")?.1.split(' ');
    Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
}
