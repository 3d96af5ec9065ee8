//! The text game: lines are read, text is shown, games are saved and recorded.

mod extra_commands;
mod game;
mod loop_of_lines;
mod start;
mod streams;

pub use extra_commands::{Then, run_extra_command, write_saved};
pub use game::SharedGame;
pub use loop_of_lines::TextGame;
pub use start::play;
pub use streams::{LoopEnd, PROMPT};
