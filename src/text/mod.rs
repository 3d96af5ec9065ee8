//! The game as text: words, editions, notation of actions, saved games, the drawing of the board, messages and the dialogue. This module
//! uses no streams and no files.

mod answered;
mod dialogue;
mod edition;
mod extras;
mod foresight;
mod messages;
mod notation;
mod output;
mod reasons;
mod render;
pub mod save;
pub mod words;

pub use answered::Answered;
pub use dialogue::{Dialogue, Flow};
pub use edition::{
    BoardTemplate, COMPACT_BOARD, CONSTRUCTOR, CONSTRUCTOR_2024, CommandKind, CommandSpec, EDITIONS, Edition, Place,
    PlaceChoice, Strings, Symbols, TemplateField, WATAN,
};
pub use foresight::Builders;
pub use messages::ASK_PLAY_AGAIN;
pub use notation::{ParseActionError, TurnCommand};
pub use output::Output;
pub use render::{render, render_on};
