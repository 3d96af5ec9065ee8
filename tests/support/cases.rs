//! Cases: folders with a run of the program and what it must print and leave.
//!
//! | in the folder | content | without it |
//! | --- | --- | --- |
//! | `options` | the command line, split at white space | no options |
//! | `given/` | the files in the working directory | none |
//! | `input` | standard input | empty |
//! | `stdout` | standard output, every byte | |
//! | `stderr` | standard error | empty |
//! | `status` | the exit status | 0 |
//! | `left/` | the files that are new or changed afterwards | none |
//!
//! The golden cases are in `tests/golden/TOPIC/CASE`. Their expected output never comes from the program:
//! `GOLDEN=write cargo test --test golden` writes `stdout` and `left/` as the reference program has them, to be reviewed as a
//! diff. Cases with a `stderr` or a `status` are written by hand.
//!
//! The signatures are in `tests/signatures/CASE`: what computer players do. Their expected output does come from the program,
//! since there is no second implementation of the players. They show that players with a number of playouts play the same on
//! every machine, and that a change which should not alter play did not. After one that should,
//! `SIGNATURES=write cargo test --test golden` writes them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::{Program, files_below};
use crate::support::reference_program::{ReferenceProgram, Start, State, read_tiles};
use crate::support::spec_strings;

/// Where the expected output of a case comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The reference program, or a person: a golden case.
    Reference,
    /// The program itself: a signature.
    Program,
}

pub struct Case {
    name: String,
    folder: PathBuf,
    origin: Origin,
}

impl Case {
    /// All cases of this origin, sorted by name.
    pub fn all(origin: Origin) -> Vec<Self> {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let mut cases: Vec<Self> = match origin {
            Origin::Reference => folders_in(&tests.join("golden"))
                .into_iter()
                .flat_map(|(topic, folder)| {
                    let cases = folders_in(&folder).into_iter();
                    cases.map(move |(case, folder)| Self { name: format!("{topic}-{case}"), folder, origin })
                })
                .collect(),
            Origin::Program => folders_in(&tests.join("signatures"))
                .into_iter()
                .map(|(case, folder)| Self { name: format!("signature-{case}"), folder, origin })
                .collect(),
        };
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    fn read(&self, file: &str) -> Option<String> {
        fs::read(self.folder.join(file)).ok().map(|content| String::from_utf8_lossy(&content).into_owned())
    }

    fn options(&self) -> Vec<String> {
        self.read("options").unwrap_or_default().split_whitespace().map(ToOwned::to_owned).collect()
    }

    fn given(&self) -> BTreeMap<String, Vec<u8>> {
        files_in(&self.folder.join("given"))
    }

    fn program(&self) -> Program {
        let input = fs::read(self.folder.join("input")).unwrap_or_default();
        let program = Program::new().options(self.options()).input(input);
        self.given().into_iter().fold(program, |program, (name, content)| program.file(&name, content))
    }

    /// The differences between the run and what is expected, as readable texts.
    pub fn differences(&self) -> Vec<String> {
        let status = self.read("status").map_or(0, |status| status.trim().parse().unwrap());
        let stdout = fs::read(self.folder.join("stdout")).unwrap();
        let program = self.program().status(status).stdout(stdout).stderr(self.read("stderr").unwrap_or_default());
        program.left(files_in(&self.folder.join("left"))).differences()
    }

    /// Writes the expected output if the environment asks for it.
    pub fn write_if_requested(&self) {
        let variable = if self.origin == Origin::Reference { "GOLDEN" } else { "SIGNATURES" };
        if !std::env::var(variable).is_ok_and(|value| value == "write") {
            return;
        }
        match self.origin {
            Origin::Program => self.write_run(),
            Origin::Reference if self.folder.join("stderr").exists() || self.folder.join("status").exists() => {}
            Origin::Reference => self.write_reference(),
        }
    }

    /// Writes what the reference program prints and leaves.
    fn write_reference(&self) {
        let (options, given) = (self.options(), self.given());
        let option = |name: &str| {
            let position = options.iter().position(|option| option == name)?;
            options.get(position + 1).map(String::as_str)
        };
        let text = |name: &str| String::from_utf8(given[name].clone()).unwrap();
        let tiles = |name: &str| read_tiles(&text(name).split_whitespace().collect::<Vec<_>>());
        let edition = option("-edition").unwrap_or("constructor");
        let strings = spec_strings::ALL.into_iter().find(|strings| strings.name == edition).unwrap();
        let start = if let Some(file) = option("-load") {
            Start::Load(State::read(strings, &text(file)))
        } else if let Some(file) = option("-board") {
            Start::Layout(tiles(file))
        } else if !strings.layout_file || options.iter().any(|option| option == "-random-board") {
            Start::Random
        } else {
            Start::Layout(tiles("layout.txt"))
        };
        let seed = option("-seed").map_or(0, |seed| seed.parse().unwrap());
        let input = fs::read(self.folder.join("input")).unwrap_or_default();
        let outcome = ReferenceProgram::new(strings, start, seed).play(&mut input.as_slice());

        fs::write(self.folder.join("stdout"), outcome.stdout).unwrap();
        let is_changed =
            |name: &String, content: &String| given.get(name).map(Vec::as_slice) != Some(content.as_bytes());
        self.write_left(outcome.files.iter().filter(|(name, content)| is_changed(name, content)));
    }

    /// Writes what the program itself prints and leaves.
    fn write_run(&self) {
        let run = self.program().run();
        fs::write(self.folder.join("stdout"), &run.stdout).unwrap();
        self.write_left(run.left(&self.given()));
    }

    fn write_left(&self, files: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<[u8]>)>) {
        let left = self.folder.join("left");
        let _ = fs::remove_dir_all(&left);
        for (name, content) in files {
            fs::create_dir_all(&left).unwrap();
            fs::write(left.join(name), content).unwrap();
        }
    }
}

/// The folders in a folder, with their names.
fn folders_in(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path())).collect()
}

fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    if folder.exists() { files_below(folder) } else { BTreeMap::new() }
}
