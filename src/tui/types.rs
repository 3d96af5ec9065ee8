//! What several parts of the screen speak of.

use super::timeline::Timeline;
use crate::game::Builder;
use crate::record::Recipe;

/// The title of what the text game says.
pub const TEXT_TITLE: &str = "As the text game says it";

/// The player of a builder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatKind {
    /// A person at the screen.
    Human,
    /// A computer player or a program, by its name.
    Computer(String),
}

/// The estimated chances to win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinEstimate {
    /// The probability of each builder, 0 to 1.
    pub by_builder: [f64; Builder::COUNT],
    /// From how many playouts.
    pub playouts: u32,
}

/// A game that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The table.
    pub table: Timeline,
    /// The player of each builder.
    pub seats: [SeatKind; Builder::COUNT],
    /// The dice with which people begin, if they are chosen.
    pub first_dice: Option<&'static str>,
    /// How this game is played in the text game, given its input.
    pub command: Recipe,
    /// The names that are proposed for a saved game and for a script.
    pub file_names: [String; 2],
    /// Whether it is a recorded game that is looked at, from its beginning.
    pub is_record: bool,
}

/// A game as it was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// Whether to go on with the backup.
    pub continues: bool,
    /// The edition.
    pub edition: &'static str,
    /// Whether the layout is random; otherwise it is that of the command line, or the edition's.
    pub random_board: bool,
    /// The name of the player of each builder.
    pub players: [&'static str; Builder::COUNT],
    /// The time for a decision in milliseconds; `None` is that of the command line.
    pub think_ms: Option<u64>,
    /// Whether the dice of people are fair; otherwise they are loaded.
    pub fair_dice: bool,
}
