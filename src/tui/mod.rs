//! The full-screen game: the state as plain data, [`update`](update()) and [`draw`](draw()). Pure: no terminal, no files, no threads,
//! no clock.
//!
//! Every key that plays stands for a line that the text game understands, so every session is a script of the text game.

mod actions;
mod advice;
mod answers;
mod at_table;
pub mod bindings;
mod canvas;
mod commands;
mod course;
mod describe;
mod dialogs;
mod draw;
mod event;
mod flow;
mod key;
mod popups;
mod preferences;
mod remote;
mod start_page;
mod state;
mod targets;
mod theme;
mod timeline;
pub mod tutorial;
mod types;
mod update;

pub use at_table::open_remote;
pub use draw::draw;
pub use event::{Effect, EstimateRequest, ReviewRequest, TuiEvent};
pub use popups::games::{ANALYSED, KeptChange, KeptList, LONGEST_NAME, StartKept, UNFINISHED};
pub use popups::review::ReviewProgress;
pub use preferences::{ListOrder, MAX_PACE_MS, Preferences};
pub use remote::Remote;
pub use start_page::{StartPage, player_name};
pub use state::{BotState, Page, Play, RefusedOffers, State};
pub use theme::{Colours, Theme};
pub use timeline::{GameSetup, Snapshot, Timeline};
pub use types::{GameStart, NewGame, Opened, PACES_MS, WinEstimate};
pub use update::update;
