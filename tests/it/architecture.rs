//! Which part of the library may use which: dependencies point one way.

use std::fs;
use std::path::{Path, PathBuf};

use constructor::edition::EDITIONS;

/// For each module, those that it may use besides itself.
const MAY_USE: [(&str, &[&str]); 17] = [
    ("line", &[]),
    ("signals", &[]),
    ("clock", &[]),
    ("complaint", &["line"]),
    ("board", &[]),
    ("game", &["board"]),
    ("players", &["board", "game"]),
    ("dice", &["board", "game"]),
    ("edition", &["board", "dice", "game"]),
    ("simulate", &["board", "dice", "edition", "game", "players"]),
    ("save", &["board", "edition", "game", "line"]),
    ("dialogue", &["board", "dice", "edition", "game", "line", "save"]),
    ("external", &[]),
    ("table", &["board", "complaint", "dialogue", "dice", "edition", "external", "game", "line", "players"]),
    ("cli", &["clock", "edition", "game", "players", "save"]),
    ("start", &["board", "cli", "complaint", "dialogue", "save", "simulate"]),
    (
        "terminal",
        &["cli", "complaint", "dialogue", "external", "line", "players", "save", "signals", "simulate", "table"],
    ),
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

/// The source without its comments.
fn code(source: &str) -> String {
    source.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// What is named right behind a path in a source: one name, or all of a group in braces.
fn named_behind<'s>(path: &str, code: &'s str) -> Vec<&'s str> {
    let mut names = Vec::new();
    for rest in code.split(path).skip(1) {
        let name = |text: &'s str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        let (mut depth, mut begun) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begun = true,
                c if begun && !c.is_whitespace() => {
                    names.push(name(&group[at..]));
                    begun = false;
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn names_are_found_alone_and_in_groups() {
    let code = "use crate::{board::{Edge, Tile}, game};\nuse crate::line::Line;\nlet x = crate::random::below(1);";
    assert_eq!(named_behind("crate::", code), ["board", "game", "line", "random"]);
    assert_eq!(named_behind("std::", "use std::{\n    fmt,\n    io::{self, Write},\n};"), ["fmt", "io"]);
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
            for name in named_behind("crate::", &code(&text))
                .into_iter()
                .filter(|name| declared.contains(name) && name != module)
            {
                assert!(allowed.contains(&name), "{} uses {name}", source.display());
            }
        }
    }
    assert_eq!(declared.len(), MAY_USE.len());
}

/// The table of the modules in the design is the one above.
#[test]
fn the_design_says_the_same() {
    let design = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/design.md")).unwrap();
    for (module, allowed) in MAY_USE {
        let start = format!("| `{module}` |");
        let row = design.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{module} has no row"));
        let mut named: Vec<&str> = row.rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2).collect();
        named.sort_unstable();
        assert_eq!(named, allowed, "what {module} may use");
    }
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
    let pure = ["line.rs", "board", "game", "players", "dice.rs", "edition"];
    for module in pure.into_iter().chain(["save.rs", "dialogue"]) {
        for source in sources(&src.join(module)) {
            let text = fs::read_to_string(&source).unwrap();
            let code = code(&text);
            let world = ["io", "fs", "env", "process", "thread", "net", "os", "sync"];
            for name in named_behind("std::", &code) {
                assert!(!world.contains(&name), "{} uses std::{name}", source.display());
            }
            let effects = ["print!", "println!", "eprint!", "eprintln!", "dbg!", "Instant", "SystemTime"];
            let found = effects.iter().find(|effect| code.contains(*effect));
            assert_eq!(found, None, "{}", source.display());
        }
    }
}
