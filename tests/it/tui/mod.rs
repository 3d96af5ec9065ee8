//! The full-screen game.

mod driver;
mod playing;
mod random;
mod snapshots;
mod terminal;
