//! The program: everything that touches files, streams, signals, processes and the command line.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod archive;
pub mod bots;
mod io;
mod join;
pub mod options;
pub mod play;
pub mod remote;
mod run;
#[cfg(feature = "tui")]
pub mod screen;
pub mod serve;
mod simulations;
pub mod text_game;

pub use run::run;
