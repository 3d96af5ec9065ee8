//! Penguins, a game of fishing on melting ice: rules, state files, computer players, a referee and tournaments.
//!
//! | if you want to ... | look at ... |
//! | --- | --- |
//! | apply actions and list legal ones | [`game::Game`] on a [`board::Board`] |
//! | read and write state files | [`state_file::StateFile`], [`turn::take_turn`] |
//! | write or use a computer player | [`players::Player`], [`players::engine::Engine`] |
//! | let programs play against each other | [`referee::Match`], [`tournament::Tournament`] |
//! | run the program | [`app::run`] |
//!
//! The [`game`] and the [`players`] know no text and no files. Only [`app`] and [`referee::program`] touch files, streams and
//! processes.

pub mod app;
pub mod board;
pub mod game;
pub mod generate;
pub mod players;
pub mod referee;
pub mod state_file;
pub mod tournament;
pub mod turn;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even if a thread panicked while it held the lock: every value behind a mutex of this crate stays usable then.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
