//! The tests of the program as a whole, and of the library as its users see it.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by a panic")]

mod architecture;
mod assets;
mod corpus;
mod documents;
mod editions;
mod engine;
mod examples;
mod faults;
mod figure;
mod golden;
mod model;
mod naive;
mod options;
mod players;
mod program;
#[path = "../../fuzz/src/lib.rs"]
mod properties;
mod randomness;
mod rules;
mod sessions;
mod signals;
mod signatures;
mod simulate;
mod streams;
mod table;
mod theme;
