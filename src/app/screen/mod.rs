//! The full-screen game at a terminal: threads, files and signals around [`crate::tui`].
//!
//! The main thread changes the state and draws. Others wait for input, think for computer players, estimate chances, and wait for
//! signals; all but the last send messages to the main thread.

mod analysis;
mod background;
mod input;
mod joined;
mod messages;
mod open;
mod players;
mod program;
mod review;
mod shared;
mod terminal;
mod theme;

pub use program::{join, run, run_with};
