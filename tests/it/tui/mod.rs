//! The full-screen game.

mod driver;
mod emulator;
mod endings;
mod picture;
mod pictures;
mod playing;
mod random;
mod remote;
mod snapshots;
mod terminal;
