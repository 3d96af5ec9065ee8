//! Runs the program in a directory of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// A directory in which the program is run.
pub struct Folder(TempDir);

/// The result of a run.
#[derive(PartialEq, Eq, Debug)]
pub struct Run {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Writes an executable script by another process: while this process has it open for writing, children forked by
    /// other tests inherit the descriptor, and exec fails with ETXTBSY.
    pub fn write_program(&self, name: &str, code: &str) {
        Command::new("install")
            .args(["-m", "755", "/dev/stdin"])
            .arg(self.path(name))
            .write_stdin(code)
            .assert()
            .success();
    }

    pub fn read(&self, name: &str) -> Option<String> {
        fs::read(self.path(name)).ok().map(|content| String::from_utf8_lossy(&content).into_owned())
    }

    pub fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = fs::read_dir(self.0.path()).unwrap().map(name).collect();
        names.sort();
        names
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(path());
        command.current_dir(self.0.path()).timeout(Duration::from_mins(2));
        command
    }

    /// Runs the program with these arguments, separated by blanks.
    pub fn run(&self, args: &str) -> Run {
        run(self.command().args(args.split_whitespace()))
    }

    /// Runs the program, which must print this first line on standard error, nothing on standard output, and exit with
    /// this status.
    pub fn refuses(&self, args: &str, status: i32, message: &str) {
        let run = self.run(args);
        assert_eq!((run.status, run.stdout.as_str()), (Some(status), ""), "{args}");
        assert_eq!(run.stderr.lines().next(), Some(format!("penguins: {message}").as_str()), "{args}");
    }
}

pub fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The path of the program.
pub fn path() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("penguins")
}
