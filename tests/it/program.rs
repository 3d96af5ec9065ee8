//! Runs the program in a folder of its own and says everything that can be seen from outside.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// A run in preparation.
pub struct Program {
    folder: TempDir,
    options: Vec<OsString>,
    input: Vec<u8>,
}

/// What came of a run.
pub struct Run {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Every file in the folder, by its path in it.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Program {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), options: vec![], input: vec![] }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.folder().join(name), content).unwrap();
        self
    }

    /// A file that can be started. Another process writes it: while this one has it open, what other tests start just then
    /// would have it open too, and the system starts no program that somebody may still be writing.
    pub fn executable(self, name: &str, code: &str) -> Self {
        let path = self.folder().join(name);
        Command::new("install").args(["-m", "755", "/dev/stdin"]).arg(path).write_stdin(code).assert().success();
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

    pub fn run(self) -> Run {
        let output = Command::new(path())
            .current_dir(self.folder())
            .args(&self.options)
            .write_stdin(self.input.clone())
            .timeout(Duration::from_mins(1))
            .output()
            .unwrap();
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: output.stderr,
            files: files_below(self.folder()),
        }
    }
}

impl Run {
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

/// Where the program is.
pub fn path() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("constructor").to_owned()
}

/// Every regular file below the folder, by its path in it.
pub fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
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
