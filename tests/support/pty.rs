//! A program at a real terminal: a pseudo-terminal that is the controlling terminal of the program's session.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

use super::program::{ChildGuard, with_default_signals};

/// How long a program may take to print what is expected, or to end.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A terminal with a running program.
pub struct Terminal {
    master: File,
    pub child: ChildGuard,
    /// Everything that was printed.
    pub text: String,
    /// The same as bytes.
    pub bytes: Vec<u8>,
    /// The [modes](Self::modes) before the program started.
    pub first_modes: String,
}

impl Terminal {
    /// Starts a command in a directory at a new terminal of 80 columns and 24 rows.
    pub fn start(folder: &Path, command: &[&str]) -> Self {
        Self::start_with(folder, command, (80, 24), &[])
    }

    /// Starts a command in a directory at a new terminal of this size, with these environment variables.
    pub fn start_with(folder: &Path, command: &[&str], size: (u16, u16), variables: &[(&str, &str)]) -> Self {
        // Programs that other tests start at the same moment must not inherit the terminal, or it stays open.
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, window(size)).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        // It must become the controlling terminal of the program, not of the test.
        let no_controlling = OpenptFlags::NOCTTY.bits().cast_signed();
        let terminal = File::options()
            .read(true)
            .write(true)
            .custom_flags(no_controlling)
            .open(OsStr::from_bytes(name.to_bytes()))
            .unwrap();
        let first_modes = modes(&master);
        let stream = || Stdio::from(terminal.try_clone().unwrap());
        let child = with_default_signals("setsid")
            .arg("--ctty")
            .args(command)
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .env("HOME", folder.join("home"))
            .env_remove("XDG_DATA_HOME")
            .envs(variables.iter().copied())
            .stdin(stream())
            .stdout(stream())
            .stderr(stream())
            .spawn()
            .unwrap();
        Self {
            master: File::from(master),
            child: ChildGuard(child),
            text: String::new(),
            bytes: Vec::new(),
            first_modes,
        }
    }

    /// Changes the size, as a window that is resized does.
    pub fn resize(&self, size: (u16, u16)) {
        tcsetwinsize(&self.master, window(size)).unwrap();
    }

    /// The modes of the terminal's line discipline, as text.
    pub fn modes(&self) -> String {
        modes(&self.master)
    }

    /// Reads until nothing was printed for so many milliseconds.
    pub fn settle(&mut self, milliseconds: u16) {
        while self.is_ready(milliseconds) && self.read_some() {}
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Reads until the new text contains `expected`, and returns the new text.
    ///
    /// # Panics
    /// When it is not printed in time.
    #[track_caller]
    pub fn read_until(&mut self, expected: &str) -> String {
        self.read_until_any(&[expected])
    }

    /// Like [`Terminal::read_until`], for any of several texts.
    #[track_caller]
    pub fn read_until_any(&mut self, expected: &[&str]) -> String {
        let start = self.text.len();
        while !expected.iter().any(|expected| self.text[start..].contains(expected)) {
            assert!(self.read_some(), "expected {expected:?} after {:?}", &self.text[start..]);
        }
        self.text[start..].to_owned()
    }

    /// Reads until the program ends, and returns its exit status.
    ///
    /// # Panics
    /// When it does not end in time.
    #[track_caller]
    pub fn end(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                while self.is_ready(0) && self.read_some() {}
                return status.code();
            }
            assert!(started.elapsed() < TIMEOUT, "the program does not end after {:?}", self.text);
            if self.is_ready(10) {
                self.read_some();
            }
        }
    }

    /// Closes the terminal, as a window that is closed does.
    pub fn close(self) -> ChildGuard {
        self.child
    }

    /// Whether there is text to read within this many milliseconds.
    fn is_ready(&self, milliseconds: u16) -> bool {
        let mut ready = [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)];
        poll(&mut ready, PollTimeout::from(milliseconds)).is_ok_and(|ready| ready > 0)
    }

    /// Reads what there is; false at the end and after the time limit.
    fn read_some(&mut self) -> bool {
        let mut bytes = [0; 1 << 14];
        if !self.is_ready(u16::try_from(TIMEOUT.as_millis()).unwrap()) {
            return false;
        }
        match self.master.read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.text += &String::from_utf8_lossy(&bytes[..count]);
                self.bytes.extend_from_slice(&bytes[..count]);
                true
            }
        }
    }
}

fn modes(terminal: &impl AsFd) -> String {
    let modes = tcgetattr(terminal).unwrap();
    format!("{:?} {:?} {:?} {:?}", modes.input_modes, modes.output_modes, modes.control_modes, modes.local_modes)
}

/// A size in columns and rows.
const fn window((columns, rows): (u16, u16)) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
