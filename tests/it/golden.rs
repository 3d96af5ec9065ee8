//! The golden cases: each folder in `tests/golden` is a run of the program.
//!
//! | in the folder | says | when it is not there |
//! | --- | --- | --- |
//! | `options` | the command line, split at blanks | no options |
//! | `given/` | the files in the folder in which the program runs | none |
//! | `input` | standard input | nothing |
//! | `stdout` | standard output, every byte | |
//! | `stderr` | standard error | nothing |
//! | `status` | the exit status | 0 |
//! | `left/` | the files that are new or changed afterwards | none |
//!
//! What is expected never comes from the program. `GOLDEN=write cargo test golden` writes `stdout` and `left/` as the
//! model has them, to be read through as a diff; cases with a `stderr` or a `status` are written by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::model::{Model, Start, State, read_tiles};
use crate::program::{Program, Run, files_below};
use crate::theme;

pub struct Case {
    folder: PathBuf,
    options: Vec<String>,
    given: BTreeMap<String, Vec<u8>>,
    input: Vec<u8>,
}

impl Case {
    fn read(folder: &Path) -> Self {
        let options = fs::read_to_string(folder.join("options")).unwrap_or_default();
        Self {
            folder: folder.to_owned(),
            options: options.split_whitespace().map(ToOwned::to_owned).collect(),
            given: files_in(&folder.join("given")),
            input: fs::read(folder.join("input")).unwrap_or_default(),
        }
    }

    fn name(&self) -> String {
        self.folder.file_name().unwrap().to_string_lossy().into_owned()
    }

    fn expected(&self, file: &str) -> Option<String> {
        fs::read(self.folder.join(file)).ok().map(|content| String::from_utf8_lossy(&content).into_owned())
    }

    fn run(&self) -> Run {
        let mut program = Program::new().options(&self.options).input(&self.input);
        for (name, content) in &self.given {
            program = program.file(name, content);
        }
        program.run()
    }

    /// The files that are new or changed after a run.
    fn left(&self, run: &Run) -> BTreeMap<String, Vec<u8>> {
        let mut left = run.files.clone();
        left.retain(|name, content| self.given.get(name) != Some(content));
        left
    }

    /// What is not as expected.
    fn differences(&self) -> Vec<String> {
        let run = self.run();
        let left = self.left(&run);
        let gone = self.given.keys().filter(|name| !run.files.contains_key(*name)).cloned().collect::<Vec<_>>();

        let status = self.expected("status").map_or(0, |status| status.trim().parse().unwrap());
        [
            compare("status", &run.status.to_string(), &status.to_string()),
            compare("stderr", &run.stderr_text(), &self.expected("stderr").unwrap_or_default()),
            compare("stdout", &run.stdout_text(), &self.expected("stdout").expect("every case has a stdout")),
            compare("left", &listed(&left), &listed(&files_in(&self.folder.join("left")))),
            compare("files that are gone", &gone.join("\n"), ""),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn is_written_by_hand(&self) -> bool {
        self.folder.join("stderr").exists() || self.folder.join("status").exists()
    }

    /// Writes what the model has to say.
    fn write(&self) {
        let option = |name: &str| {
            let place = self.options.iter().position(|option| option == name)?;
            self.options.get(place + 1).map(String::as_str)
        };
        let text = |name: &str| String::from_utf8(self.given[name].clone()).unwrap();
        let tiles = |name: &str| read_tiles(&text(name).split_whitespace().collect::<Vec<_>>());
        let theme = if option("-edition") == Some("watan") { &theme::WATAN } else { &theme::CONSTRUCTOR };
        let start = if let Some(file) = option("-load") {
            Start::Load(State::read(theme, &text(file)))
        } else if let Some(file) = option("-board") {
            Start::Layout(tiles(file))
        } else if !theme.layout_file || self.options.iter().any(|option| option == "-random-board") {
            Start::Random
        } else {
            Start::Layout(tiles("layout.txt"))
        };
        let seed = option("-seed").map_or(0, |seed| seed.parse().unwrap());
        let outcome = Model::new(theme, start, seed).play(&mut self.input.as_slice());

        fs::write(self.folder.join("stdout"), outcome.stdout).unwrap();
        let changed =
            |name: &String, content: &String| self.given.get(name).map(Vec::as_slice) != Some(content.as_bytes());
        self.write_left(outcome.files.iter().filter(|(name, content)| changed(name, content)));
    }

    /// Writes what the program itself prints and leaves.
    pub fn write_run(&self) {
        let run = self.run();
        fs::write(self.folder.join("stdout"), &run.stdout).unwrap();
        self.write_left(self.left(&run));
    }

    /// Writes the files that are expected to be left.
    fn write_left(&self, files: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<[u8]>)>) {
        let left = self.folder.join("left");
        let _ = fs::remove_dir_all(&left);
        for (name, content) in files {
            fs::create_dir_all(&left).unwrap();
            fs::write(left.join(name), content).unwrap();
        }
    }
}

fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    if folder.exists() { files_below(folder) } else { BTreeMap::new() }
}

fn listed(files: &BTreeMap<String, Vec<u8>>) -> String {
    files.iter().map(|(name, content)| format!("{name}:\n{}", String::from_utf8_lossy(content))).collect()
}

fn compare(what: &str, found: &str, expected: &str) -> Option<String> {
    if found == expected {
        return None;
    }
    let same = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(nothing)").to_owned();
    Some(format!("{what}, line {}\n  found    {}\n  expected {}", same + 1, line(found), line(expected)))
}

/// The names of the cases in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Compares all cases in a folder, each after it was written anew where the environment variable is `write`.
pub fn compare_all(folder: &Path, variable: &str, write: impl Fn(&Case)) {
    let writes = std::env::var(variable).is_ok_and(|value| value == "write");
    let mut wrong = Vec::new();
    for name in names(folder) {
        let case = Case::read(&folder.join(name));
        if writes {
            write(&case);
        }
        wrong.extend(case.differences().into_iter().map(|difference| format!("{}: {difference}", case.name())));
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

/// Where the golden cases are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

#[test]
fn golden() {
    compare_all(&folder(), "GOLDEN", |case| {
        if !case.is_written_by_hand() {
            case.write();
        }
    });
}
