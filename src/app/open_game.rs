//! Opening the game or the simulation that the options ask for: files are read here.

use std::path::{Path, PathBuf};
use std::{env, io};

use constructor_common::{atomic_file, display_path, io_error_text};
use thiserror::Error;

use super::bots::{ProgramSetting, Programs};
use super::cli::{Options, SimulateOptions, Start};
use super::seats::Controller;
use crate::board::Layout;
use crate::game::Trades;
use crate::players::{Limit, PlayerFactory, Random};
use crate::record::HUMAN;
use crate::session::{Opening, Session};
use crate::simulate::Simulation;
use crate::text::save::{self, ParseError};
use crate::text::{Dialogue, Edition};

/// Why a game cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A file cannot be read.
    #[error("{}: {}", display_path(path), io_error_text(error))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The default layout cannot be read.
    #[error(
        "{}: {}; give a layout with -board FILE{}, or draw one with -random-board",
        display_path(path),
        io_error_text(error),
        sample.as_ref().map_or(String::new(), |sample| format!(", such as {}", display_path(sample)))
    )]
    DefaultLayout {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
        /// The sample that is installed with the program.
        sample: Option<PathBuf>,
    },
    /// No seed can be drawn.
    #[error("{0}")]
    Seed(String),
    /// A file is not a saved game or a layout.
    #[error("{}: {error}", display_path(path))]
    Parse {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: ParseError,
    },
}

/// Opens the game that the options ask for, with this seed.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open_dialogue(options: &Options, seed: u64) -> Result<Dialogue, OpenError> {
    let edition = options.edition;
    let (_, session) = open_session(options.start.clone(), edition, seed)?;
    let session = session.with_trades(options.trades);
    let dialogue = if options.extras {
        Dialogue::of(edition, session.with_history()).with_announcements()
    } else {
        Dialogue::of(edition, session)
    };
    let dialogue = if options.record.is_some() { dialogue.with_history() } else { dialogue };
    let has_programs = options.players.iter().any(|player| matches!(player, Controller::Program(_)));
    Ok(if has_programs { dialogue.with_events() } else { dialogue })
}

/// Reads how a game begins, and begins it with this seed.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open_session(start: Start, edition: &'static Edition, seed: u64) -> Result<(Opening, Session), OpenError> {
    let invalid = |path| move |error| OpenError::Parse { path, error };
    let (opening, path) = match start {
        Start::Load(path) => {
            let saved = save::read_game(edition, &read(&path)?).map_err(invalid(path.clone()))?;
            (Opening::Saved(Box::new(saved)), path)
        }
        start => (read_board(start, edition.layout_file)?, PathBuf::new()),
    };
    // Only a saved game can be in conflict with itself.
    let session = edition.open_session(&opening, seed).map_err(|error| invalid(path)(error.into()))?;
    Ok((opening, session))
}

fn read_board(start: Start, default_file: Option<&str>) -> Result<Opening, OpenError> {
    let layout = match (start, default_file) {
        (Start::Board(path) | Start::Load(path), _) => read_layout(path)?,
        (Start::Default, Some(file)) => {
            let path = PathBuf::from(file);
            let text = atomic_file::read(&path);
            let text = text.map_err(|error| {
                let sample = installed_sample();
                OpenError::DefaultLayout { path: path.clone(), error, sample }
            })?;
            parse_layout(path, &text)?
        }
        (Start::RandomBoard, _) | (Start::Default, None) => return Ok(Opening::RandomBoard),
    };
    Ok(Opening::Board(Box::new(layout)))
}

/// The sample layout that `make install` puts beside the program, if it is there.
fn installed_sample() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let sample = program.parent()?.parent()?.join("share/constructor/layouts/sample.txt");
    sample.is_file().then_some(sample)
}

/// The factory of a player of simulations. People cannot play in them.
#[must_use]
pub fn player_factory(
    player: &Controller,
    programs: &Programs,
    edition: &'static Edition,
    trades: Trades,
    limit: Limit,
) -> PlayerFactory {
    match player {
        Controller::Computer(factory) => factory.clone(),
        Controller::Program(command) => programs.factory(command.clone(), ProgramSetting { edition, trades, limit }),
        // The command line allows no people here.
        Controller::Human => PlayerFactory::new(HUMAN, || Box::new(Random)),
    }
}

/// Opens the simulation that the options ask for.
///
/// # Errors
/// When the layout file cannot be read or is not valid.
pub fn open_simulation(options: &SimulateOptions) -> Result<Simulation, OpenError> {
    let factories = std::array::from_fn(|player| {
        let SimulateOptions { players, programs, edition, trades, limits, .. } = options;
        player_factory(&players[player], programs, edition, *trades, limits[player])
    });
    let mut simulation = Simulation::new(options.edition, factories);
    if let Some(path) = &options.board {
        simulation.source = Box::new(read_layout(path.clone())?);
    }
    simulation.first = options.first;
    simulation.games = options.games;
    simulation.seed = options.seed;
    simulation.max_turns = options.max_turns;
    simulation.trades = options.trades;
    simulation.schedule = options.schedule;
    simulation.sprt = options.sprt;
    Ok(simulation)
}

fn read(path: &Path) -> Result<Vec<u8>, OpenError> {
    atomic_file::read(path).map_err(|error| OpenError::Read { path: path.to_owned(), error })
}

/// Reads a layout.
///
/// # Errors
/// When the file cannot be read or is not valid.
pub fn read_layout(path: PathBuf) -> Result<Layout, OpenError> {
    let text = read(&path)?;
    parse_layout(path, &text)
}

fn parse_layout(path: PathBuf, text: &[u8]) -> Result<Layout, OpenError> {
    save::read_layout(text).map_err(|error| OpenError::Parse { path, error })
}
