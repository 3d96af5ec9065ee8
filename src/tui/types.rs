//! Types that several parts of the screen use.

use std::path::PathBuf;

use super::remote::Remote;
use super::timeline::Timeline;
use crate::analysis::{SeatHistory, TakenOver};
use crate::game::Builder;
use crate::record::Recipe;

/// The title of a window with text that the text game printed.
pub const TEXT_TITLE: &str = "As the text game says it";

/// The estimated chances to win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinEstimate {
    /// The probability of each builder, 0 to 1.
    pub by_builder: [f64; Builder::COUNT],
    /// The number of playouts that the estimate is made from.
    pub playouts: u32,
}

/// A game that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The timeline of the game.
    pub timeline: Timeline,
    /// The players, and those of a recorded game since its beginning.
    pub seats: SeatHistory,
    /// The kind of dice with which people begin, if it was chosen: `fair` or `load`.
    pub first_dice: Option<&'static str>,
    /// The command that plays this game as a text game, given its input.
    pub command: Recipe,
    /// The names that are proposed for a saved game and for a script.
    pub file_names: [String; 2],
    /// Whether this is a finished recorded game, which opens at its end.
    pub is_record: bool,
    /// The beginning that the game took over from a finished one.
    pub taken_over: TakenOver,
    /// Whether the game is kept as a record.
    pub is_kept: bool,
    /// Whether the game is that of the tutorial.
    pub is_tutorial: bool,
    /// The table over the network, if the game is played at one.
    pub remote: Option<Remote>,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameStart {
    /// At its beginning.
    New,
    /// At the beginning of the tutorial.
    Tutorial,
    /// With the game in the backup.
    Backup,
    /// With a kept game.
    Kept {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file.
        number: usize,
        /// How the game stood when it was listed.
        standing: String,
    },
}

/// The paces that can be chosen by keys, in milliseconds for each action.
pub const PACES_MS: [u64; 7] = [0, 50, 150, 400, 800, 1_500, 3_000];

/// The choices for a game, as made on the first page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// Where the game begins.
    pub start: GameStart,
    /// The edition.
    pub edition: &'static str,
    /// Whether the layout is random. Otherwise the layout of the command line or of the edition is used.
    pub random_board: bool,
    /// The name of the player of each builder.
    pub players: [&'static str; Builder::COUNT],
    /// The time for a decision of a computer player in milliseconds; with `None`, the budget of the command line is used.
    pub think_ms: Option<u64>,
    /// Whether the dice of people are fair; otherwise they are loaded.
    pub fair_dice: bool,
    /// The time for which a computer's action is shown, in milliseconds.
    pub pace_ms: u64,
}

/// Returns the value `step` places further in a list. The first value follows the last.
#[must_use]
pub fn rotate<T: Clone + PartialEq>(all: &[T], value: &T, step: isize) -> T {
    let at = all.iter().position(|other| other == value).unwrap_or(0);
    let count = all.len();
    let next = at.checked_add_signed(step).map_or(count - 1, |next| next % count);
    all[next].clone()
}

/// Returns the index of the next name after `at` that begins with a small letter or its capital; `None` if there is none.
#[must_use]
pub fn next_with_letter(names: &[impl AsRef<str>], at: usize, letter: char) -> Option<usize> {
    let is_named = |&other: &usize| names[other].as_ref().to_lowercase().starts_with(letter);
    (1..=names.len()).map(|step| (at + step) % names.len()).find(is_named)
}

/// Returns the next greater or smaller value of an ascending list; the value itself if there is none.
///
/// The value need not be in the list.
#[must_use]
pub fn shift<T: Copy + PartialOrd>(all: &[T], value: T, is_up: bool) -> T {
    let mut all = all.iter().copied();
    let found = if is_up { all.find(|&other| other > value) } else { all.rfind(|&other| other < value) };
    found.unwrap_or(value)
}
