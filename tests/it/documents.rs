//! The examples in the documents are run and compared.
//!
//! A block of `sh` is run in a directory with `./constructor`, `./watan`, `layout.txt`, `layouts` and `saves`, and its
//! output must equal the block of `text` after it. There, a line of three dots stands for any text, and a prompt alone
//! is where the program waits at the end. If the commands have no pipe and no redirection, the text after a prompt is
//! typed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;

use crate::program::path;

struct Example {
    place: String,
    commands: String,
    shown: String,
}

fn read(document: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).unwrap()
}

/// The code blocks of a document: language, content, and line number.
fn blocks(text: &str) -> Vec<(String, String, usize)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let content = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            blocks.push((language.to_owned(), content.map(|line| format!("{line}\n")).collect(), number + 1));
        }
    }
    blocks
}

fn examples(document: &str) -> Vec<Example> {
    let blocks = blocks(&read(document));
    let mut examples = Vec::new();
    for (place, (language, commands, line)) in blocks.iter().enumerate() {
        if language == "sh" {
            let shown = blocks.get(place + 1).filter(|(language, ..)| language == "text");
            let shown = shown.unwrap_or_else(|| panic!("{document}:{line}: what these commands print is not shown"));
            examples.push(Example {
                place: format!("{document}:{line}"),
                commands: commands.clone(),
                shown: shown.1.clone(),
            });
        }
    }
    examples
}

/// The input, and the pieces of output between the dots.
fn typed_and_printed(example: &Example) -> (String, Vec<String>) {
    let is_typed_at = !example.commands.contains(['|', '<']);
    let (mut typed, mut printed) = (String::new(), vec![String::new()]);
    for line in example.shown.lines() {
        let (prompt, rest) = match line.strip_prefix("> ") {
            Some(rest) => ("> ", rest),
            None => ("", line),
        };
        printed.last_mut().unwrap().push_str(prompt);
        if rest.is_empty() && !prompt.is_empty() {
            continue;
        }
        if rest == "..." {
            printed.push(String::new());
        } else if is_typed_at && !prompt.is_empty() {
            typed.push_str(rest);
            typed.push('\n');
        } else {
            printed.last_mut().unwrap().push_str(&format!("{rest}\n"));
        }
    }
    (typed, printed)
}

fn run(example: &Example, typed: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["layout.txt", "layouts", "saves"] {
        symlink(project.join(name), folder.path().join(name)).unwrap();
    }
    for name in ["constructor", "watan"] {
        symlink(path(), folder.path().join(name)).unwrap();
    }
    let output = Command::new("sh")
        .timeout(Duration::from_mins(2))
        .args(["-c", &format!("exec 2>&1\n{}", example.commands)])
        .current_dir(folder.path())
        .write_stdin(typed)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // The last command may show an error, which is then the last line.
    let complains = text.lines().last().is_some_and(|line| line.trim_start_matches("> ").starts_with("constructor: "));
    assert_eq!(output.status.success(), !complains, "{}: {}\n{text}", example.place, output.status);
    text
}

fn check(document: &str) {
    let examples = examples(document);
    assert!(!examples.is_empty(), "{document} has no examples");
    for example in examples {
        let (typed, printed) = typed_and_printed(&example);
        let output = run(&example, &typed);
        let mut rest = output.as_str();
        for (number, piece) in printed.iter().enumerate() {
            let found = if number == 0 { rest.starts_with(piece).then_some(0) } else { rest.find(piece) };
            let found = found.unwrap_or_else(|| {
                panic!("{}: this is not printed:\n{piece}\nbut this is:\n{rest}", example.place);
            });
            rest = &rest[found + piece.len()..];
        }
        let all_is_shown = printed.last().is_some_and(String::is_empty) || rest.is_empty() || rest == "> ";
        assert!(all_is_shown, "{}: this is printed besides:\n{rest}", example.place);
    }
}

#[test]
fn readme_examples_are_true() {
    check("README.md");
}

#[test]
fn manual_examples_are_true() {
    check("docs/manual.md");
}

#[test]
fn demo_examples_are_true() {
    check("docs/demo.md");
}

/// The names of the golden cases, sorted.
fn golden_cases() -> Vec<String> {
    let names = |folder: &Path| -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let cases = |topic: String| names(&golden.join(&topic)).into_iter().map(move |case| format!("{topic}-{case}"));
    let mut cases: Vec<String> = names(&golden).into_iter().flat_map(cases).collect();
    cases.sort();
    cases
}

/// The conformance tables name exactly the golden cases, and only tests that exist.
#[test]
fn conformance_tables_are_complete() {
    let text = ["docs/conformance.md", "docs/conformance-watan.md", "docs/conformance-2024.md"].map(read).concat();
    let mut cases: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|line| line.rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2))
        .filter(|name| name.contains('-'))
        .map(ToOwned::to_owned)
        .collect();
    cases.sort();
    cases.dedup();
    assert_eq!(cases, golden_cases());

    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').filter(|name| name.contains("::")) {
        let (module, function) = name.split_once("::").unwrap();
        let is_type = module.starts_with(char::is_uppercase);
        if !is_type && !module.is_empty() && !function.is_empty() {
            let source = fs::read_to_string(project.join(format!("tests/it/{module}.rs")))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(source.contains(&format!("fn {function}(")), "{name} is no test");
        }
    }
}
