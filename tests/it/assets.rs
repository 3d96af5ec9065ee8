//! The manual page and the shell completions in `assets`, which come from the definition of the options.
//!
//! `ASSETS=write cargo test assets` makes them anew.

use std::fs;
use std::path::Path;

use clap_complete::Shell;
use constructor::cli::{command, with_one_dash};
use constructor::edition::EDITIONS;

/// Each file for the program under this name, with what it should hold.
fn assets(name: &'static str) -> [(String, String); 4] {
    let completions = |shell| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), name, &mut text);
        with_one_dash(&String::from_utf8(text).unwrap())
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command().name(name)).render(&mut page).unwrap();
    // In a manual page a dash is written with a backslash.
    let page = String::from_utf8(page).unwrap().replace("\\-", "-");
    // Fish calls long options with one dash old.
    let fish = completions(Shell::Fish).replace(" -l ", " -o ");
    [
        (format!("{name}.1"), with_one_dash(&page).replace('-', "\\-")),
        (format!("{name}.bash"), completions(Shell::Bash)),
        (format!("_{name}"), completions(Shell::Zsh)),
        (format!("{name}.fish"), fish),
    ]
}

#[test]
fn assets_are_what_the_options_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let write = std::env::var("ASSETS").is_ok_and(|value| value == "write");
    for (name, expected) in EDITIONS.iter().flat_map(|edition| assets(edition.name)) {
        if write {
            fs::write(folder.join(&name), &expected).unwrap();
        }
        let found = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert_eq!(found, expected, "{name} is out of date: ASSETS=write cargo test assets");
    }
}
