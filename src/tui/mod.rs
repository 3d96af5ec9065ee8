//! The full-screen game: the state as plain data, [`update`](update()) and [`draw`](draw()). Pure: no terminal, no files, no threads,
//! no clock.
//!
//! Every key stands for a line that the text game understands, so every session is a script of the text game.

mod acts;
mod answers;
pub mod bindings;
mod canvas;
mod commands;
mod describe;
mod dialogs;
mod draw;
mod event;
mod flow;
mod key;
mod line;
mod log;
mod report;
mod start_page;
mod state;
mod table;
mod targets;
mod theme;
mod trade;
mod types;
mod update;

pub use draw::draw;
pub use event::{Analysis, Effect, Event};
pub use start_page::{HUMAN, StartPage};
pub use state::{PACES_MS, Page, Play, Preferences, State, Thinking};
pub use table::{Moment, Setting, Table};
pub use theme::{Colours, Theme};
pub use types::{Chances, Choice, Opened, Seat};
pub use update::update;
