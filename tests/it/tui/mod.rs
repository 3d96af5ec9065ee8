//! The full-screen game.

mod driver;
mod pictures;
mod playing;
mod random;
mod snapshots;
mod terminal;
