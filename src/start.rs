//! From the options to a game that can begin: the files are read here.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Layout, LayoutSource, RandomLayout};
use crate::cli::{Options, SimulateOptions, Start};
use crate::complaint::{self, shown};
use crate::dialogue::Dialogue;
use crate::save::{self, Malformed};
use crate::simulate::Simulation;
use crate::store;

/// Why there is no game to begin.
#[derive(Debug, Error)]
pub enum Unusable {
    /// A file cannot be read.
    #[error("{}: {}", shown(path), complaint::reason(reason))]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// The usual layout cannot be read.
    #[error(
        "{}: {}; give a layout with -board FILE, or draw one with -random-board",
        shown(path),
        complaint::reason(reason)
    )]
    NoLayout {
        /// Which file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}: {malformed}", shown(path))]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        malformed: Malformed,
    },
}

/// Makes ready the game that the options ask for.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn dialogue(options: Options) -> Result<Dialogue, Unusable> {
    let edition = options.edition;
    let with_past = |dialogue: Dialogue| if options.extras { dialogue.with_past() } else { dialogue };
    let unreadable = |path: &Path, reason| Unusable::Unreadable { path: path.to_owned(), reason };
    let source: Box<dyn LayoutSource> = match options.start {
        Start::Load(path) => {
            let text = store::read(&path).map_err(|reason| unreadable(&path, reason))?;
            return save::read_game(edition, &text)
                .and_then(|position| Ok(with_past(Dialogue::resume(edition, &position, options.seed)?)))
                .map_err(|malformed| Unusable::Malformed { path, malformed });
        }
        Start::Board(path) => {
            let text = store::read(&path).map_err(|reason| unreadable(&path, reason))?;
            Box::new(layout_in(path, &text)?)
        }
        Start::RandomBoard => Box::new(RandomLayout),
        Start::Usual => match edition.layout_file {
            Some(file) => {
                let path = PathBuf::from(file);
                let text = store::read(&path).map_err(|reason| Unusable::NoLayout { path: path.clone(), reason })?;
                Box::new(layout_in(path, &text)?)
            }
            None => Box::new(RandomLayout),
        },
    };
    Ok(with_past(Dialogue::new(edition, source, options.seed)))
}

/// Makes ready the simulation that the options ask for.
///
/// # Errors
/// When the file with the layout cannot be read or is not valid.
pub fn simulation(options: &SimulateOptions) -> Result<Simulation, Unusable> {
    let source: Box<dyn LayoutSource + Sync> = match &options.board {
        Some(path) => {
            let text = store::read(path).map_err(|reason| Unusable::Unreadable { path: path.clone(), reason })?;
            Box::new(layout_in(path.clone(), &text)?)
        }
        None => Box::new(RandomLayout),
    };
    Ok(Simulation {
        edition: options.edition,
        source,
        players: options.players,
        games: options.games,
        seed: options.seed,
        most_turns: options.most_turns,
        trades: options.trades,
        budgets: options.budgets,
        rotates_seats: options.rotates_seats,
        is_match: options.is_match,
        test: options.test,
    })
}

fn layout_in(path: PathBuf, text: &[u8]) -> Result<Layout, Unusable> {
    save::read_layout(text).map_err(|malformed| Unusable::Malformed { path, malformed })
}
