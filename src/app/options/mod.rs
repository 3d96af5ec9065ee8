//! The command line, as plain values. Each command's options are declared once, including how they use files; help, usage errors,
//! completions and manual pages are generated from the declarations.

mod analyse;
mod board;
mod command;
mod game;
mod games;
mod merge;
mod paths;
mod players;
mod replay;
mod serve;
mod shared;
mod simulate;
mod single_dash;
mod tournament;
#[cfg(feature = "tui")]
mod tui;

pub use analyse::AnalyseOptions;
pub use board::BoardOptions;
pub(super) use command::version;
pub(in crate::app) use command::wrapped;
pub use command::{CliRequest, ParseExit, command, parse, to_single_dash};
pub use game::{GameOptions, GameSource, Seed};
pub use games::GamesOptions;
pub use merge::{BenchOptions, MergeOptions};
pub use paths::{Appended, Folder, Input, Inputs, Output, PathRole, Saved};
pub use players::{BotCommand, PlayerChoice, Players, Protocol};
pub use replay::ReplayOptions;
pub use serve::{JoinOptions, ServeOptions};
pub use shared::{program_name, shell_quote};
pub use simulate::SimulateOptions;
pub use tournament::TournamentOptions;
#[cfg(feature = "tui")]
pub use tui::TuiOptions;
