//! Programs that play. Each program is a process, which is asked for its decisions in lines of text or JSON, as `docs/bots.md` describes.

mod answers;
mod json;
mod judge;
mod player;
mod process;
mod session;

pub use judge::{BotFailure, Judge};
pub use player::{BotPool, BotSettings};
pub use process::{MessageSink, NoReply, ProcessGroups};
pub use session::{command as session_command, lead_if_asked};
