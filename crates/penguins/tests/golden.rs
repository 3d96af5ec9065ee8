//! The golden cases: a directory for each, with the arguments in `args` and the state in `board.txt`. Expected are the exit
//! status in `status` (default 0), `stdout` and `stderr` (default empty), `board.txt` afterwards in `expected-board.txt` (default
//! unchanged), and a second file in `expected-out.txt`. Each case is a test of its own name: `cargo test --test golden NAME`.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "it/program.rs"]
#[expect(dead_code, reason = "shared with the integration tests")]
mod program;

use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};

use self::program::Folder;

fn text(case: &Path, name: &str) -> Option<String> {
    fs::read_to_string(case.join(name)).ok()
}

fn run_case(case: &Path) {
    let known = ["args", "board.txt", "expected-board.txt", "expected-out.txt", "status", "stderr", "stdout"];
    for file in fs::read_dir(case).unwrap() {
        let file = file.unwrap().file_name();
        assert!(known.contains(&file.to_str().unwrap()), "unknown file {}", file.display());
    }
    let folder = Folder::new();
    let before = text(case, "board.txt");
    if let Some(board) = &before {
        folder.write("board.txt", board);
    }
    let run = folder.run(&text(case, "args").unwrap());
    let status = text(case, "status").map_or(0, |status| status.trim().parse().unwrap());
    assert_eq!(run.stderr, text(case, "stderr").unwrap_or_default(), "standard error");
    assert_eq!(run.status, Some(status), "exit status");
    assert_eq!(run.stdout, text(case, "stdout").unwrap_or_default(), "standard output");
    assert_eq!(folder.read("board.txt"), text(case, "expected-board.txt").or(before), "board.txt");
    assert_eq!(folder.read("out.txt"), text(case, "expected-out.txt"), "out.txt");
    let is_expected = |file: &String| ["board.txt", "out.txt"].contains(&file.as_str());
    assert!(folder.names().iter().all(is_expected), "files left: {:?}", folder.names());
}

fn main() {
    let arguments = Arguments::from_args();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut cases: Vec<_> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let trials = cases.into_iter().map(|case| {
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        // With the feature `interactive`, a person decides.
        Trial::test(name, move || {
            run_case(&case);
            Ok::<(), Failed>(())
        })
        .with_ignored_flag(cfg!(feature = "interactive"))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
