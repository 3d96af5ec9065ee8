//! The layers of the library: which module may use which, as `docs/design.md` shows them.

use std::fs;
use std::path::{Path, PathBuf};

use constructor::text::EDITIONS;

/// The modules of the library, each with those that it may use besides itself. `rng` and `statistics` are free for all.
const MAY_USE: [(&str, &[&str]); 11] = [
    ("board", &[]),
    ("game", &["board"]),
    ("players", &["board", "game"]),
    ("session", &["board", "game"]),
    ("text", &["board", "game", "session"]),
    ("record", &["board", "game", "players", "session", "text"]),
    ("simulate", &["board", "game", "players", "record", "session", "text"]),
    ("analysis", &["game", "players", "record", "text"]),
    ("report", &["analysis", "board", "game", "players", "simulate", "text"]),
    ("tui", &["board", "game", "players", "record", "session", "text"]),
    ("app", &["analysis", "board", "game", "players", "record", "report", "session", "text", "simulate", "tui"]),
];

/// Every source file below `src/`, with the module that it belongs to and its code without comments.
fn sources() -> Vec<(PathBuf, String, String)> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    visit(&src, &mut paths);
    let read = |path: PathBuf| {
        let module = path.strip_prefix(&src).unwrap().components().next().unwrap().as_os_str().to_str().unwrap();
        let module = module.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.map(|line| format!("{line}\n")).collect();
        (path, module, code)
    };
    paths.into_iter().map(read).collect()
}

/// The first segment of every path below `root` that the code names, also in groups such as `crate::{board, game}`.
fn names_below<'c>(root: &str, code: &'c str) -> Vec<&'c str> {
    let mut names = Vec::new();
    for rest in code.split(root).skip(1) {
        let name = |text: &'c str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        let (mut depth, mut expects_name) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => expects_name = true,
                c if expects_name && !c.is_whitespace() => {
                    names.push(name(&group[at..]));
                    expects_name = false;
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn names_below_finds_single_and_grouped_names() {
    let code = "use crate::{board::{Edge, Tile}, game};\nuse crate::text::Words;\nlet x = crate::rng::below(1);";
    assert_eq!(names_below("crate::", code), ["board", "game", "text", "rng"]);
    assert_eq!(names_below("std::", "use std::{\n    fmt,\n    io::{self, Write},\n};"), ["fmt", "io"]);
}

#[test]
fn modules_use_only_lower_layers() {
    for (path, module, code) in sources() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            assert!(module == "lib" || module == "main", "{module} is not in the table of layers");
            continue;
        };
        for used in names_below("crate::", &code) {
            let is_module = MAY_USE.iter().any(|(name, _)| *name == used);
            assert!(!is_module || used == module || allowed.contains(&used), "{} uses {used}", path.display());
        }
    }
}

#[test]
fn design_shows_the_same_layers() {
    let design = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/design.md")).unwrap();
    for (module, allowed) in MAY_USE {
        let start = format!("| `{module}` |");
        let row = design.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{module} has no row"));
        let named: Vec<&str> =
            row.trim_end_matches(" |").rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2).collect();
        assert_eq!(named, allowed, "what {module} may use");
    }
}

#[test]
fn design_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let design = fs::read_to_string(root.join("docs/design.md")).unwrap();
    let paths = design.split('`').skip(1).step_by(2).filter(|text| text.contains('/') && !text.contains([' ', '(']));
    let mut count = 0;
    for path in paths {
        assert!(["", "src", "docs"].iter().any(|folder| root.join(folder).join(path).exists()), "no {path}");
        count += 1;
    }
    assert!(count > 40, "{count} paths");
}

#[test]
fn edition_names_stand_only_in_the_editions() {
    for (path, _, code) in
        sources().into_iter().filter(|(path, ..)| !path.ends_with("lib.rs") && !path.ends_with("main.rs"))
    {
        if path.components().any(|part| part.as_os_str() == "edition") {
            continue;
        }
        for edition in &EDITIONS {
            assert!(!code.contains(&format!("\"{}\"", edition.name)), "{} names {}", path.display(), edition.name);
        }
    }
}

/// The library without the feature `cli` must build where there are no files, streams or processes.
#[test]
fn only_app_uses_files_streams_and_processes() {
    for (path, _, code) in sources().into_iter().filter(|(_, module, _)| module != "app" && module != "main") {
        for name in names_below("std::", &code) {
            assert!(
                !["io", "fs", "env", "process", "net", "os"].contains(&name),
                "{} uses std::{name}",
                path.display()
            );
        }
        for name in
            ["print!", "println!", "eprint!", "eprintln!", "dbg!", "nix::", "clap::", "indicatif::", "parking_lot::"]
        {
            assert!(!code.contains(name), "{} uses {name}", path.display());
        }
    }
}

/// The rooms of `app`, each of which uses only those before it.
const ROOMS: [&str; 9] = ["options", "io", "bots", "play", "text_game", "screen", "simulations", "archive", "lab"];

/// Returns the files of `app` by room and name, with their code; those of `app` itself have the empty room.
fn files_of_app() -> Vec<(String, String, String)> {
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
    let of_app = |(path, module, code): (PathBuf, String, String)| {
        let name = path.file_stem()?.to_str()?.to_owned();
        let room = path.strip_prefix(&app).ok()?.parent()?.to_str()?.to_owned();
        (module == "app").then_some((room, name, code))
    };
    sources().into_iter().filter_map(of_app).collect()
}

#[test]
fn rooms_of_app_use_only_earlier_ones() {
    let files = files_of_app();
    for (room, name, code) in &files {
        let Some(place) = ROOMS.iter().position(|known| known == room) else {
            assert!(room.is_empty(), "{room} is no room of app");
            continue;
        };
        for used in names_below("crate::app::", code) {
            assert!(ROOMS[..=place].contains(&used), "{room}/{name}.rs uses {used}");
        }
    }
    for room in ROOMS {
        assert!(files.iter().any(|(of, ..)| of == room), "there is no room {room}");
    }
}

/// No file of a room of `app` uses itself by others of the room.
#[test]
fn files_of_app_form_no_circles() {
    let mut files = files_of_app();
    // Takes away what uses nothing that is left, until only circles are left.
    loop {
        let names: Vec<(String, String)> = files.iter().map(|(room, name, _)| (room.clone(), name.clone())).collect();
        let uses_others = |(room, name, code): &(String, String, String)| {
            name != "mod"
                && names_below("super::", code)
                    .iter()
                    .any(|used| used != name && names.iter().any(|(of, other)| of == room && other == used))
        };
        files.retain(uses_others);
        if files.len() == names.len() {
            break;
        }
    }
    let names: Vec<String> = files.iter().map(|(room, name, _)| format!("{room}/{name}.rs")).collect();
    assert!(names.is_empty(), "a circle of {names:?}");
}
