//! The tests of the program as a whole.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by a panic")]

mod golden;
mod invalid;
mod program;
mod referee;
