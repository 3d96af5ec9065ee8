//! A program killed at any moment leaves either the old file or the new one.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{Folder, path};

const BEFORE: &str = "1 2\n01 20\nTuxedo 1 1\n";
const AFTER: &str = "1 2\n00 01\nTuxedo 1 3\n";

/// The system calls of writing a state.
const CALLS: [&str; 7] =
    ["openat", "write", "chmod,fchmod", "fchown", "rename,renameat,renameat2", "unlink,unlinkat", "close"];

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn kill_at_any_system_call_leaves_old_or_new_file() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("strace is not there: nothing was tested");
        return;
    }
    let mut seen = [0, 0];
    for calls in CALLS {
        for at in 1..40 {
            let folder = Folder::new();
            folder.write("board.txt", BEFORE);
            let inject = format!("inject={calls}:signal=SIGKILL:when={at}");
            let mut command = Command::new("strace");
            command.args(["-f", "-o", "/dev/null", "-e", &inject]).arg(path());
            command.args(["phase=movement", "board.txt", "board.txt"]).current_dir(folder.path(""));
            let status = command.stderr(Stdio::null()).status().unwrap();
            let text = folder.read("board.txt").unwrap();
            assert!([BEFORE, AFTER].contains(&text.as_str()), "{calls} {at}: {text}");
            seen[usize::from(text == AFTER)] += 1;
            if status.success() {
                break;
            }
        }
    }
    assert!(seen[0] > 5 && seen[1] >= CALLS.len(), "{seen:?}");
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn kill_at_any_time_leaves_old_or_new_file() {
    for microseconds in (0..6000).step_by(60) {
        let folder = Folder::new();
        folder.write("board.txt", BEFORE);
        let mut child = Command::new(path())
            .args(["phase=movement", "board.txt", "board.txt"])
            .current_dir(folder.path(""))
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(microseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = folder.read("board.txt").unwrap();
        assert!([BEFORE, AFTER].contains(&text.as_str()), "{microseconds}: {text}");
    }
}
