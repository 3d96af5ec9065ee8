//! The layers of the library: which module may use which, as `docs/design.md` shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use constructor::text::EDITIONS;

/// The modules of the library, each with those that it may use besides itself. `rng` and `statistics` are free for all.
const MAY_USE: [(&str, &[&str]); 15] = [
    ("board", &[]),
    ("game", &["board"]),
    ("players", &["board", "game"]),
    ("session", &["board", "game"]),
    ("text", &["board", "game", "session"]),
    ("guide", &["board", "game", "players", "session", "text"]),
    ("record", &["board", "game", "players", "session", "text"]),
    ("table", &["game", "guide", "players", "record", "session", "text"]),
    ("simulate", &["board", "game", "players", "record", "session", "text"]),
    ("batch", &["board", "game", "players", "session", "simulate", "text"]),
    ("lab", &["board", "game", "guide", "players", "simulate", "text"]),
    ("analysis", &["board", "game", "guide", "players", "record", "text"]),
    ("report", &["analysis", "board", "game", "players", "simulate", "text"]),
    ("tui", &["analysis", "board", "game", "guide", "players", "record", "session", "table", "text"]),
    (
        "app",
        &[
            "analysis", "board", "game", "guide", "players", "record", "report", "session", "text", "table",
            "simulate", "tui",
        ],
    ),
];

/// Lists the source files below a folder.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the code of a file without comments.
fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Every source file below `src/`, with the module that it belongs to and its code without comments.
fn sources() -> Vec<(PathBuf, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: PathBuf| {
        let module = path.strip_prefix(&src).unwrap().components().next().unwrap().as_os_str().to_str().unwrap();
        let module = module.trim_end_matches(".rs").to_owned();
        let code = code_of(&path);
        (path, module, code)
    };
    rust_files(&src).into_iter().map(read).collect()
}

/// The first segment of every path below `root` that the code names, also in groups such as `crate::{board, game}`.
fn names_below(root: &str, code: &str) -> Vec<String> {
    let mut names: Vec<String> =
        code.split(root).skip(1).flat_map(expand).filter_map(|path| path.into_iter().next()).collect();
    names.dedup();
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
            assert!(!is_module || used == module || allowed.contains(&used.as_str()), "{} uses {used}", path.display());
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
                !["io", "fs", "env", "process", "net", "os"].contains(&name.as_str()),
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
const ROOMS: [&str; 11] =
    ["options", "io", "bots", "play", "remote", "text_game", "screen", "serve", "join", "simulations", "archive"];

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
            assert!(ROOMS[..=place].contains(&used.as_str()), "{room}/{name}.rs uses {used}");
        }
    }
    for room in ROOMS {
        assert!(files.iter().any(|(of, ..)| of == room), "there is no room {room}");
    }
}

/// The files of the packages, each with its module path below its root, and its code without comments and tests.
struct Tree {
    files: BTreeMap<Vec<String>, (PathBuf, String)>,
}

impl Tree {
    fn of(src: &str) -> Self {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(src);
        let mut files = BTreeMap::new();
        for path in rust_files(&src) {
            let below = path.strip_prefix(&src).unwrap().with_extension("");
            let mut module: Vec<String> = below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if module.last().is_some_and(|last| ["mod", "lib"].contains(&last.as_str())) {
                module.pop();
            }
            let code = code_of(&path);
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
            files.insert(module, (path, code));
        }
        Self { files }
    }

    /// Returns the module whose file defines what a path names. Follows re-exports.
    fn definition(&self, path: &[String]) -> Vec<String> {
        let depth = (0..=path.len()).rev().find(|&depth| self.files.contains_key(&path[..depth])).unwrap_or(0);
        let (module, rest) = path.split_at(depth);
        let code = &self.files[module].1;
        let Some(name) = rest.first() else { return module.to_vec() };
        let exports = code.split("pub").skip(1).filter_map(|part| {
            let rest = part.strip_prefix("(crate)").or_else(|| part.strip_prefix("(super)")).unwrap_or(part);
            rest.strip_prefix(" use ")
        });
        for tree in exports {
            for exported in expand(tree) {
                if exported.last() == Some(name) {
                    let exported = Self::absolute(module, &exported);
                    if exported != path {
                        return self.definition(&exported);
                    }
                }
            }
        }
        module.to_vec()
    }

    /// Resolves `crate`, `self` and `super`, and the names of children.
    fn absolute(module: &[String], path: &[String]) -> Vec<String> {
        let mut base = module.to_vec();
        let mut rest = path;
        while let Some((first, more)) = rest.split_first() {
            match first.as_str() {
                "crate" => base.clear(),
                "self" => {}
                "super" => drop(base.pop()),
                _ => break,
            }
            rest = more;
        }
        base.extend(rest.iter().cloned());
        base
    }

    /// Lists the modules whose files the file of a module uses. Re-exports are no use.
    fn uses(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        let code = &self.files[module].1;
        let children = self.files.keys().filter(|other| other.len() == module.len() + 1 && other.starts_with(module));
        let children = children.map(|child| format!("{}::", child[child.len() - 1]));
        let roots = ["crate::", "super::", "self::"].map(str::to_owned).into_iter().chain(children);
        let mut used = BTreeSet::new();
        for root in roots {
            for (at, _) in code.match_indices(&root) {
                let before = &code[..at];
                let is_inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
                let is_export =
                    ["pub use ", "pub(crate) use ", "pub(super) use "].iter().any(|words| before.ends_with(words));
                if is_inside || is_export {
                    continue;
                }
                for path in expand(&code[at..]) {
                    used.insert(self.definition(&Self::absolute(module, &path)));
                }
            }
        }
        used.remove(module);
        used
    }
}

/// Expands the tree of a `use`, such as `crate::a::{b, c::D}`, or a path at the beginning of a text.
fn expand(text: &str) -> Vec<Vec<String>> {
    fn tree(text: &mut &str, prefix: &[String], found: &mut Vec<Vec<String>>) {
        let mut path = prefix.to_vec();
        loop {
            *text = text.trim_start();
            if let Some(rest) = text.strip_prefix('{') {
                *text = rest;
                while !text.trim_start().starts_with('}') && !text.is_empty() {
                    tree(text, &path, found);
                    *text = text.trim_start().trim_start_matches(',');
                }
                *text = text.trim_start().trim_start_matches('}');
                return;
            }
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
            if end == 0 {
                *text = text.get(1..).unwrap_or_default();
                break;
            }
            path.push(text[..end].to_owned());
            *text = &text[end..];
            match text.strip_prefix("::") {
                Some(rest) => *text = rest,
                None => break,
            }
        }
        if let Some(rest) = text.strip_prefix(" as ") {
            *text = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        }
        found.push(path);
    }
    let (mut rest, mut found) = (text, Vec::new());
    tree(&mut rest, &[], &mut found);
    found
}

#[test]
fn expand_lists_the_paths_of_a_tree() {
    let paths: Vec<String> =
        expand("crate::{a::{self, B}, c as d, e::f::G};\nuse x;").iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::self", "crate::a::B", "crate::c", "crate::e::f::G"]);
    assert_eq!(expand("super::rest(1)"), [["super", "rest"]]);
}

/// No file uses itself by way of others. A `mod.rs` that only re-exports is passed through.
#[test]
fn files_form_no_circles() {
    let mut circles = String::new();
    for src in ["src", "crates/common/src", "crates/lab/src", "crates/penguins/src", "python/src"] {
        let tree = Tree::of(src);
        let uses: BTreeMap<_, _> = tree.files.keys().map(|module| (module, tree.uses(module))).collect();
        assert!(uses.values().map(BTreeSet::len).sum::<usize>() > uses.len() / 4, "{src}: they use each other");
        let reached = |module: &Vec<String>| {
            let (mut reached, mut rest) = (BTreeSet::new(), vec![module.clone()]);
            while let Some(next) = rest.pop() {
                rest.extend(uses[&next].iter().filter(|&used| reached.insert(used.clone())).cloned());
            }
            reached
        };
        let reached: BTreeMap<_, _> = tree.files.keys().map(|module| (module, reached(module))).collect();
        let name = |module: &Vec<String>| module.join("::");
        for (&module, used) in &uses {
            let back: Vec<String> = used.iter().filter(|&other| reached[other].contains(module)).map(name).collect();
            if !back.is_empty() {
                circles += &format!("{src}: {} uses {}\n", name(module), back.join(", "));
            }
        }
    }
    assert!(circles.is_empty(), "circles:\n{circles}");
}
