//! Integration tests of the program and of the library.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by a panic")]

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod assets;
mod backups;
mod batch;
mod board;
mod bots;
mod completions;
mod corpus;
mod doc_comments;
mod documents;
mod editions;
mod engine;
mod examples;
mod fault_injection;
mod guide;
mod journals;
mod library;
mod luck;
mod options;
mod owners;
mod packaging;
mod players;
#[path = "../../fuzz/src/lib.rs"]
mod properties;
mod randomness;
mod reasons;
mod records;
mod reference_rules;
mod reports;
mod rules;
mod session;
mod sessions;
mod signals;
mod simulate;
mod streams;
mod table;
mod times;
mod together;
mod tournaments;
#[cfg(feature = "tui")]
mod tui;
mod units;

use support::{program, pty, reference_program, spec_board, spec_strings};
