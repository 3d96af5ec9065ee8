//! The golden cases: a folder for each, with the arguments in `args`, the state in `board.txt`, and what has to come of them: the
//! exit status in `status` (0 where there is none), `stdout` and `stderr` (nothing where there are none), what `board.txt` becomes
//! in `expected-board.txt` (what it was, where there is none), and another file in `expected-out.txt`.

use std::fs;
use std::path::Path;

use crate::program::{Folder, Run};

fn text(case: &Path, name: &str) -> Option<String> {
    fs::read(case.join(name)).ok().map(|content| String::from_utf8(content).unwrap())
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn every_case_is_as_expected() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut cases: Vec<_> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 60);
    for case in cases {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let known = ["args", "board.txt", "expected-board.txt", "expected-out.txt", "status", "stderr", "stdout"];
        for file in fs::read_dir(&case).unwrap() {
            let file = file.unwrap().file_name();
            assert!(known.contains(&file.to_str().unwrap()), "{name}: {}", file.display());
        }
        let folder = Folder::new();
        let before = text(&case, "board.txt");
        if let Some(board) = &before {
            folder.write("board.txt", board);
        }
        let run = folder.run(&text(&case, "args").unwrap());
        let expected = Run {
            status: Some(text(&case, "status").map_or(0, |status| status.trim().parse().unwrap())),
            stdout: text(&case, "stdout").unwrap_or_default(),
            stderr: text(&case, "stderr").unwrap_or_default(),
        };
        assert_eq!(run, expected, "{name}");
        assert_eq!(folder.read("board.txt"), text(&case, "expected-board.txt").or(before), "{name}");
        assert_eq!(folder.read("out.txt"), text(&case, "expected-out.txt"), "{name}");
        let left = folder.names().iter().all(|file| ["board.txt", "out.txt"].contains(&file.as_str()));
        assert!(left, "{name} leaves {:?}", folder.names());
    }
}

/// The cases that the table of the contract names are there, and those that are there are named.
#[test]
fn the_table_of_the_contract_names_every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(folder.join("../docs/conformance-penguins.md")).unwrap();
    let cases = fs::read_dir(folder.join("tests/golden")).unwrap();
    let mut cases: Vec<String> = cases.map(|case| case.unwrap().file_name().into_string().unwrap()).collect();
    cases.sort();
    for case in cases.iter().filter(|case| !case.starts_with("usage-")) {
        assert!(table.contains(&format!("`{case}`")), "{case} is not in the table");
    }
    let kinds = ["placement-", "movement-", "usage-", "output-", "input-"];
    for name in table.split('`').filter(|name| kinds.iter().any(|kind| name.starts_with(kind) && !name.contains(' '))) {
        assert!(cases.iter().any(|case| case == name), "there is no {name}");
    }
}
