//! Which part of the library may use which: dependencies point one way.

use std::fs;
use std::path::{Path, PathBuf};

use constructor::edition::EDITIONS;

/// For each module, those that it may use besides itself.
const MAY_USE: [(&str, &[&str]); 16] = [
    ("line", &[]),
    ("random", &[]),
    ("statistics", &[]),
    ("signals", &[]),
    ("store", &[]),
    ("board", &["random"]),
    ("game", &["board", "random"]),
    ("players", &["board", "game", "random"]),
    ("dice", &["board", "game"]),
    ("edition", &["board", "dice", "game"]),
    ("simulate", &["board", "dice", "edition", "game", "players", "random", "statistics"]),
    ("save", &["board", "edition", "game", "line"]),
    ("dialogue", &["board", "dice", "edition", "game", "line", "random", "save"]),
    ("cli", &["edition", "game", "players", "save"]),
    ("start", &["board", "cli", "dialogue", "line", "save", "simulate", "store"]),
    ("terminal", &["cli", "dialogue", "line", "save", "signals", "simulate", "start", "store"]),
];

fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        entries
            .flat_map(|entry| sources(&entry))
            .filter(|path| path.extension().is_some_and(|end| end == "rs"))
            .collect()
    } else {
        vec![path.to_owned()]
    }
}

/// The modules named behind `crate::` in a source, comments aside.
fn used(source: &str) -> Vec<&str> {
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = fs::read_to_string(src.join("lib.rs")).unwrap();
    let declared: Vec<&str> =
        library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    for module in &declared {
        let (_, allowed) = MAY_USE.iter().find(|(name, _)| name == module).expect("every module is listed above");
        let path = [src.join(module), src.join(format!("{module}.rs"))].into_iter().find(|path| path.exists()).unwrap();
        for source in sources(&path) {
            let text = fs::read_to_string(&source).unwrap();
            for name in used(&text).into_iter().filter(|name| declared.contains(name) && name != module) {
                assert!(allowed.contains(&name), "{} uses {name}", source.display());
            }
        }
    }
    assert_eq!(declared.len(), MAY_USE.len());
}

/// Only the editions themselves, and a test, know which editions there are.
#[test]
fn nothing_outside_the_editions_names_one() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for source in sources(&src).into_iter().filter(|source| !source.starts_with(src.join("edition"))) {
        let text = fs::read_to_string(&source).unwrap();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for edition in &EDITIONS {
                let named = line.to_lowercase().contains(edition.name);
                // The crate has the name of an edition too.
                let is_crate = line.contains("constructor::run(");
                assert!(!named || is_crate, "{}:{} names {}", source.display(), number + 1, edition.name);
            }
        }
    }
}

/// What is pure touches no stream, no file, no clock and no environment.
#[test]
fn only_the_rim_touches_the_world() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let pure = ["line.rs", "random.rs", "statistics.rs", "board", "game", "players", "dice.rs", "edition"];
    for module in pure.into_iter().chain(["save.rs", "dialogue"]) {
        for source in sources(&src.join(module)) {
            let text = fs::read_to_string(&source).unwrap();
            for world in ["std::io", "std::fs", "std::env::", "std::time", "std::process", "std::thread", "println!"] {
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                assert!(code.into_iter().all(|line| !line.contains(world)), "{} uses {world}", source.display());
            }
        }
    }
}
