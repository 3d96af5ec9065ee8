//! The golden cases and the signatures: one test for each case, named after its folder.
//!
//! `cargo test --test golden rules-` runs the cases about rules, `cargo test rules-yields` runs one. See
//! [`cases`] for the files of a case.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(dead_code, reason = "not all of the shared code is used here")]

#[path = "support/cases.rs"]
mod cases;
mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use self::cases::{Case, Origin};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [Origin::Reference, Origin::Program].into_iter().flat_map(Case::all).map(|case| {
        Trial::test(case.name().to_owned(), move || {
            case.write_if_requested();
            let differences = case.differences();
            if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
