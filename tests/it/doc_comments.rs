//! The style of doc comments, as `CONTRIBUTING.md` describes it: the first sentence of a function says what it does.

use std::fs;
use std::path::Path;

use crate::architecture::rust_files;

/// A doc comment's first line, with the item that it documents: its first lines up to a brace or a semicolon.
struct Doc {
    place: String,
    first_line: String,
    item: String,
}

/// Returns the doc comments of all packages.
fn docs() -> Vec<Doc> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut docs = Vec::new();
    for path in ["src", "crates/common/src", "crates/penguins/src", "crates/lab/src", "python/src"] {
        for file in rust_files(&root.join(path)) {
            let text = fs::read_to_string(&file).unwrap();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let is_doc = |at: usize| lines[at].starts_with("///");
            for at in (0..lines.len()).filter(|&at| is_doc(at) && (at == 0 || !is_doc(at - 1))) {
                let rest = lines[at..].iter().skip_while(|line| line.starts_with("///") || line.starts_with("#["));
                let mut item = String::new();
                for line in rest.take(20) {
                    item += line;
                    item.push(' ');
                    if line.ends_with(['{', ';', ',']) && item.matches('(').count() == item.matches(')').count() {
                        break;
                    }
                }
                let place = format!("{}:{}", file.strip_prefix(root).unwrap().display(), at + 1);
                docs.push(Doc { place, first_line: lines[at].trim_start_matches('/').trim().to_owned(), item });
            }
        }
    }
    assert!(docs.len() > 3_000, "{} doc comments", docs.len());
    docs
}

impl Doc {
    fn first_word(&self) -> &str {
        self.first_line.split([' ', ',', '.', ':']).next().unwrap_or_default()
    }

    fn is_of_function(&self) -> bool {
        let before = self.item.split('(').next().unwrap_or_default();
        before.starts_with("fn ") || before.contains(" fn ")
    }

    /// Returns whether the function does something: it returns nothing or a result, or changes what it belongs to.
    fn does_something(&self) -> bool {
        let is_result = self.item.rsplit("-> ").next().is_some_and(|end| end.contains("Result"));
        !self.item.contains(") -> ") || is_result || self.item.contains("&mut self")
    }

    /// Returns whether the first word is a verb: in the third person, or for Python, whose style differs, an imperative.
    fn begins_with_verb(&self) -> bool {
        const NOUNS: [&str; 13] = [
            "This",
            "Its",
            "Lines",
            "Units",
            "Actions",
            "Players",
            "Values",
            "Names",
            "Words",
            "Features",
            "Weights",
            "Builders",
            "Positions",
        ];
        let word = self.first_word();
        let is_imperative = self.place.starts_with("python") && !["The", "A", "An", "What", "Whether"].contains(&word);
        is_imperative || word.ends_with('s') && word != "As" && !NOUNS.contains(&word)
    }
}

#[test]
fn first_sentences_begin_with_a_verb_or_a_noun() {
    const BAD: [&str; 5] = ["What", "Who", "Its", "Those", "That"];
    let bad: Vec<String> = docs()
        .iter()
        .filter(|doc| BAD.contains(&doc.first_word()))
        .map(|doc| format!("{}: {}", doc.place, doc.first_line))
        .collect();
    assert!(bad.is_empty(), "say what it is or does, instead of:\n{}", bad.join("\n"));
}

#[test]
fn functions_begin_with_what_they_do() {
    let functions: Vec<Doc> = docs().into_iter().filter(Doc::is_of_function).collect();
    let (doing, others): (Vec<_>, Vec<_>) = functions.iter().partition(|doc| doc.does_something());
    let with_noun = |docs: &[&Doc]| -> Vec<String> {
        let nouns = docs.iter().filter(|doc| !doc.begins_with_verb());
        nouns.map(|doc| format!("{}: {}", doc.place, doc.first_line)).collect()
    };
    let (doing_nouns, other_nouns) = (with_noun(&doing), with_noun(&others));
    let nouns = doing_nouns.len() + other_nouns.len();
    assert!(doing_nouns.len() * 5 <= doing.len(), "of {} functions:\n{}", doing.len(), doing_nouns.join("\n"));
    assert!(nouns * 5 <= functions.len() * 2, "{nouns} of {} functions begin with a noun", functions.len());
}
