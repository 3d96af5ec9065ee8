//! The manual pages and shell completions in `assets/`, generated from the definition of the options.
//!
//! `ASSETS=write cargo test --test it assets` regenerates them.

use std::fs;
use std::path::Path;

use clap_complete::Shell;
use constructor::app::cli::{command, to_single_dash};

/// The name and content of each file for the program under this name.
fn assets(name: &'static str) -> [(String, String); 4] {
    let completions = |shell| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), name, &mut text);
        to_single_dash(&String::from_utf8(text).unwrap())
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command().name(name)).render(&mut page).unwrap();
    // `mangen` escapes dashes; `to_single_dash` expects them plain.
    let page = String::from_utf8(page).unwrap().replace("\\-", "-");
    // Fish declares options of one dash and several letters with `-o`.
    let fish = completions(Shell::Fish).replace(" -l ", " -o ");
    [
        (format!("{name}.1"), to_single_dash(&page).replace('-', "\\-")),
        (format!("{name}.bash"), completions(Shell::Bash)),
        (format!("_{name}"), completions(Shell::Zsh)),
        (format!("{name}.fish"), fish),
    ]
}

#[test]
fn assets_are_generated_from_the_options() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let write = std::env::var("ASSETS").is_ok_and(|value| value == "write");
    for (name, expected) in ["constructor", "watan"].into_iter().flat_map(assets) {
        if write {
            fs::write(folder.join(&name), &expected).unwrap();
        }
        let found = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert_eq!(found, expected, "{name} is out of date: ASSETS=write cargo test --test it assets");
    }
}
