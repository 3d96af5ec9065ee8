//! Signals, at every command that runs for long, with a standard error that is full and that nobody reads.

use std::fs;
use std::io::Write;
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::program::{Folder, path};
use crate::referee::ChildGuard;

/// The commands, with what they leave behind.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("tournament boards=1000000 rows=5 cols=6 json=a.json -- @first -- @random", &["a.json", "b", "slow"]),
    ("tournament boards=1000000 time=100 csv=a.csv -- @best -- @greedy", &["a.csv", "b", "slow"]),
    ("referee b penguins=1 time=60000 -- @first -- ./slow", &["b", "slow"]),
];

/// A pipe that is full: its reader and its writer.
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    fcntl(writer.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
    while writer.write(&[b'x'; 4096]).is_ok() {}
    while writer.write(b"x").is_ok() {}
    fcntl(writer.as_fd(), FcntlArg::F_SETFL(OFlag::empty())).unwrap();
    (reader, writer)
}

/// Whether a process catches a signal.
fn catches(child: &Child, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
    u64::from_str_radix(caught, 16).unwrap_or_default() >> (signal as i32 - 1) & 1 == 1
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn stuck_standard_error_hinders_no_signal() {
    for (command, left) in COMMANDS {
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
            let folder = Folder::new();
            folder.write("b", "1 4\n10 10 30 00\n");
            folder.write_program("slow", "#!/bin/sh\n[ \"$1\" = id ] && { echo Slow; exit; }\nsleep 60\n");
            let (_reader, writer) = full_pipe();
            let child = Command::new("env")
                .arg("--default-signal")
                .arg(path())
                .args(command.split(' '))
                .current_dir(folder.path("."))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(writer)
                .spawn()
                .unwrap();
            let mut child = ChildGuard(child);
            let started = Instant::now();
            let wait = || {
                thread::sleep(Duration::from_millis(5));
                assert!(started.elapsed() < Duration::from_secs(30), "{command}, {signal}");
            };
            while !catches(&child.0, signal) {
                assert!(child.0.try_wait().unwrap().is_none(), "{command} ends at once");
                wait();
            }
            thread::sleep(Duration::from_millis(200));
            kill(Pid::from_raw(child.0.id().cast_signed()), signal).unwrap();
            let status = loop {
                match child.0.try_wait().unwrap() {
                    Some(status) => break status,
                    None => wait(),
                }
            };
            assert_eq!(status.code(), Some(128 + signal as i32), "{command}, {signal}");
            let names = folder.names();
            assert!(names.iter().all(|name| left.contains(&name.as_str())), "{command}, {signal}: {names:?}");
        }
    }
}
