//! Constructor, a game of builders for four at one terminal.
//!
//! The rules are in [`game`], on the board of [`board`]; they know nothing of text. A [`dialogue::Dialogue`] turns
//! lines of input into actions and what comes of them into text, in the words of an [`edition`]. Files and streams are
//! touched only by what stands around them: [`start`], [`store`], [`signals`], [`terminal`], and [`complaint`], which says what went
//! wrong.
//!
//! ```
//! use constructor::board::RandomLayout;
//! use constructor::dialogue::{Dialogue, Text};
//! use constructor::edition::CONSTRUCTOR;
//! use constructor::game::Phase;
//! use constructor::line::Line;
//!
//! let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 2021);
//! let mut text = Text::default();
//! dialogue.begin(&mut text);
//! for vertex in ["0", "4", "10", "17", "20", "30", "40", "52"] {
//!     dialogue.answer(&mut Line::new(vertex.as_bytes()), &mut text);
//! }
//! assert!(matches!(dialogue.game().phase(), Phase::TurnStart(_)));
//! ```

pub mod board;
pub mod cli;
pub mod clock;
pub mod complaint;
pub mod dialogue;
pub mod dice;
pub mod edition;
pub mod external;
pub mod game;
pub mod line;
pub mod players;
pub mod save;
pub mod signals;
pub mod simulate;
pub mod start;
pub mod table;
pub mod terminal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

pub use groundwork::{random, statistics, store};

use crate::cli::{Notice, Request};
use crate::complaint::failure;
use crate::table::Table;

/// The exit status after a usage error.
const USAGE: u8 = 2;

/// Does what the command line asks for, the program's name first: 0 when a game or its input ended, 1 when a file could
/// not be read or is not valid or a standard stream failed, 2 when the command line is wrong, and 128 and the signal's
/// number when a signal ended the game.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match cli::parse(args) {
        Ok(Request::Play(options)) => play(options),
        Ok(Request::Simulate(options)) => start::simulation(&options)
            .map_or_else(failure, |simulation| terminal::run_simulation(&simulation, &options)),
        Ok(Request::Tune(options)) => terminal::run_tuning(&options),
        Err(Notice::Asked(text)) => terminal::print(&text).map_or_else(failure, |()| ExitCode::SUCCESS),
        Err(Notice::Usage(text)) => {
            // There is nobody left to tell when this cannot be shown.
            let _ = io::stderr().write_all(text.as_bytes());
            ExitCode::from(USAGE)
        }
    }
}

fn play(options: cli::Options) -> ExitCode {
    let players = options.players.clone();
    let (edition, budget, seed, extras) = (options.edition, options.budget, options.seed, options.extras);
    let dialogue = match start::dialogue(options) {
        Ok(dialogue) => dialogue,
        Err(unusable) => return failure(unusable),
    };
    let table = Table::new(edition, players, budget, seed);
    terminal::play(dialogue, if extras { table.with_extras() } else { table })
}
