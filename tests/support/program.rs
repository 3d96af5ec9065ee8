//! Runs the program in a temporary directory and compares everything that can be observed from outside.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use assert_cmd::Command;
use similar::TextDiff;
use tempfile::TempDir;

/// How long a run may take.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Files by their path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A run of the program that is being prepared, with what is expected of it.
///
/// ```ignore
/// Program::new().options(["-load", "in.sv"]).stderr("constructor: in.sv: No such file or directory\n").status(1).check();
/// ```
pub struct Program {
    folder: TempDir,
    options: Vec<OsString>,
    input: Vec<u8>,
    given: Files,
    status: i32,
    stdout: Option<Vec<u8>>,
    stderr: Vec<u8>,
    left: Option<Files>,
}

/// A finished run.
pub struct Run {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Every file in the directory.
    pub files: Files,
}

impl Program {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            options: vec![],
            input: vec![],
            given: Files::new(),
            status: 0,
            stdout: None,
            stderr: vec![],
            left: None,
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a file to the directory.
    pub fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.folder().join(name), &content).unwrap();
        self.given.insert(name.to_owned(), content.as_ref().to_vec());
        self
    }

    /// Adds an executable file. Another process writes it: if this one had it open, a program that another test starts at the
    /// same moment would inherit it, and the system does not execute a file that is open for writing.
    pub fn executable(self, name: &str, code: &str) -> Self {
        let path = self.folder().join(name);
        let mut install = Command::new("install");
        install.args(["-m", "755", "/dev/stdin"]).arg(path).write_stdin(code).timeout(TIMEOUT).assert().success();
        self
    }

    pub fn options(mut self, options: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    pub fn input(mut self, input: impl AsRef<[u8]>) -> Self {
        self.input.extend(input.as_ref());
        self
    }

    /// Expects this exit status instead of 0.
    pub fn status(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    /// Expects this on standard output.
    pub fn stdout(mut self, text: impl AsRef<[u8]>) -> Self {
        self.stdout = Some(text.as_ref().to_vec());
        self
    }

    /// Expects this on standard error instead of nothing.
    pub fn stderr(mut self, text: impl AsRef<[u8]>) -> Self {
        self.stderr = text.as_ref().to_vec();
        self
    }

    /// Expects that exactly these files are new or changed, and that none is gone.
    pub fn left(mut self, files: Files) -> Self {
        self.left = Some(files);
        self
    }

    pub fn run(self) -> Run {
        self.run_once()
    }

    fn run_once(&self) -> Run {
        let output = Command::new(path())
            .current_dir(self.folder())
            .args(&self.options)
            .write_stdin(self.input.clone())
            .timeout(TIMEOUT)
            .output()
            .unwrap();
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: output.stderr,
            files: files_below(self.folder()),
        }
    }

    /// Runs the program and returns every difference from what is expected, as a readable text.
    pub fn differences(self) -> Vec<String> {
        let run = self.run_once();
        let mut differences = Vec::new();
        let mut compare = |what: &str, expected: &[u8], found: &[u8]| {
            if expected != found {
                differences.push(difference(what, expected, found));
            }
        };
        compare("status", self.status.to_string().as_bytes(), run.status.to_string().as_bytes());
        compare("stderr", &self.stderr, &run.stderr);
        if let Some(stdout) = &self.stdout {
            compare("stdout", stdout, &run.stdout);
        }
        if let Some(expected) = &self.left {
            compare("files left", listing(expected).as_bytes(), listing(&run.left(&self.given)).as_bytes());
            let gone: String = self.given.keys().filter(|name| !run.files.contains_key(*name)).cloned().collect();
            compare("files gone", b"", gone.as_bytes());
        }
        differences
    }

    /// Runs the program.
    ///
    /// # Panics
    /// With a diff, when anything differs from what is expected.
    #[track_caller]
    pub fn check(self) {
        let differences = self.differences();
        assert!(differences.is_empty(), "\n{}", differences.join("\n"));
    }
}

impl Run {
    /// The files that are new or changed.
    pub fn left(&self, given: &Files) -> Files {
        let mut left = self.files.clone();
        left.retain(|name, content| given.get(name) != Some(content));
        left
    }

    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn file_text(&self, name: &str) -> Option<String> {
        self.files.get(name).map(|content| String::from_utf8_lossy(content).into_owned())
    }
}

/// A unified diff.
fn difference(what: &str, expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let diff = TextDiff::from_lines(expected.as_ref(), found.as_ref());
    diff.unified_diff().context_radius(3).header(&format!("{what}, expected"), &format!("{what}, found")).to_string()
}

fn listing(files: &Files) -> String {
    files.iter().map(|(name, content)| format!("{name}:\n{}\n", String::from_utf8_lossy(content))).collect()
}

/// A command that starts a program and ends it after a minute, for tests that need streams or a working directory of their own.
pub fn with_time_limit(program: impl AsRef<OsStr>) -> std::process::Command {
    let mut command = std::process::Command::new("timeout");
    command.args(["--kill-after=5", &TIMEOUT.as_secs().to_string()]).arg(program);
    command
}

/// A command that starts a program with the default effect of signals. A shell starts background jobs with SIGINT ignored, and
/// `nohup` ignores SIGHUP; the program respects both, so tests that send signals must not inherit them.
pub fn with_default_signals(program: impl AsRef<OsStr>) -> std::process::Command {
    let mut command = std::process::Command::new("env");
    command.arg("--default-signal").arg(program);
    command
}

/// A child process that is killed when the test ends, also by a panic.
pub struct ChildGuard(pub Child);

impl Deref for ChildGuard {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for ChildGuard {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The path of the program.
pub fn path() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("constructor").to_owned()
}

/// Copies the program, to be run from there.
///
/// Another process copies it: a child that is started meanwhile would inherit the open file, and the copy could not be run yet.
pub fn copy_to(target: &Path) {
    assert!(std::process::Command::new("cp").arg(path()).arg(target).status().unwrap().success());
}

/// Every regular file below a folder, by its path in it.
pub fn files_below(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(files_below(&path).into_iter().map(|(below, content)| (format!("{name}/{below}"), content)));
        } else if path.is_file() {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    files
}
