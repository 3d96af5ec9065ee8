//! Programs that play. Each is a process that is asked by lines of text or of JSON, as `docs/bots.md` describes.

mod answers;
mod json;
mod judge;
mod player;
mod process;
mod session;

pub use judge::{BotFailure, Judge};
pub use player::{BotPool, BotSettings};
pub use process::{MessageSink, NoReply, ProcessGroups};
pub use session::lead_if_asked;
