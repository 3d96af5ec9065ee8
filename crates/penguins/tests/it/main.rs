//! Integration tests of Penguins.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by a panic")]

mod conformance;
mod corrupt_files;
mod generate;
mod interrupted_writes;
mod invalid_states;
mod minimal_edits;
mod program;
#[path = "../../fuzz/src/lib.rs"]
mod properties;
mod referee;
#[cfg(target_os = "linux")]
mod signals;
mod terminal;
mod tournament;
