//! Records of games: JSON Lines that are written while a game is played, and replay it without a seed. `docs/record.md` describes
//! the format, `docs/record.schema.json` is its schema.

mod line;
mod read;
mod replay;
mod write;

pub use line::{HUMAN, Header, Line, PlayedAction, RecordedPlayer, RecordedResult, Units};
pub use read::{ReadError, Record, read};
pub use replay::{Answer, Replay, ReplayError};
pub use write::Writer;

/// The version of the format. It grows when a reader of the version before would misunderstand a record.
pub const FORMAT: u32 = 1;
