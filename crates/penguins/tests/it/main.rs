//! The tests of the program as a whole.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by a panic")]

mod damage;
mod edit;
mod generate;
mod golden;
mod invalid;
mod killed;
mod play;
mod program;
#[path = "../../fuzz/src/lib.rs"]
mod properties;
mod referee;
mod tournament;
