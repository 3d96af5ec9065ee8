//! Records of games: JSON Lines that are written while a game is played, and from which it can be replayed without a seed. `docs/record.md`
//! describes the format, `docs/record.schema.json` is its schema.

mod journal;
mod json;
mod line;
mod read;
mod replay;
mod write;

pub use journal::{Journal, JournalSetup, Recipe, Resumed, Step, recipe, resume};
pub use json::{json_reason, sha256};
pub use line::{
    Branch, HUMAN, Header, PlayedAction, RecordLine, RecordedPlayer, RecordedResult, ResourceCounts, TableFields,
    joined_names,
};
pub use read::{ReadError, Reader, Record, parse_line, read};
pub use replay::{Replay, ReplayError, ReplayedLine};
pub use write::RecordWriter;

/// The version of the format of simulated games. It is increased when a reader of the previous version would misunderstand a record.
pub const FORMAT: u32 = 1;

/// The version of the format of [journals](Journal), which can be resumed.
pub const JOURNAL_FORMAT: u32 = 2;
