//! Opening a game: from a record, a saved game or a layout.

use std::env;
use std::path::{Path, PathBuf};

use constructor_common::files::MAX_FILE_SIZE;
use constructor_common::frame::Io;
use constructor_common::{display_path, rng};

use super::journal::{FoundGame, JournalFile};
use super::kept;
use crate::analysis::turn_in_words;
use crate::app::options::{GameOptions, GameSource, Input, PlayerChoice, Players, Seed};
use crate::board::Layout;
use crate::game::SavedGame;
use crate::players::PlayerKind;
use crate::record::{RecordedPlayer, Resumed};
use crate::session::{Session, SessionStart};
use crate::text::Edition;
use crate::text::save::{self, ParseError};

/// Returns the seed that the options give, or a random seed.
///
/// A drawn seed is printed if `says_it`.
#[must_use]
pub fn seed_of(io: &Io, seed: Seed, says_it: bool) -> u64 {
    match seed {
        Seed::Given(seed) => seed,
        Seed::Random => {
            let seed = rng::random_seed();
            if says_it {
                // So that the game can be played again.
                io.voice.say(format_args!("using -seed {seed}"));
            }
            seed
        }
    }
}

/// Opens a session of the edition, with this seed. Returns also how its first game begins.
///
/// A file that is read stays an input of the process until the caller releases it.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open_session(
    io: &Io,
    start: &GameSource,
    edition: &'static Edition,
    seed: u64,
) -> Result<(SessionStart, Session), String> {
    let (start, path) = match start {
        GameSource::Load(path) => (SessionStart::Saved(Box::new(read_saved(io, path, edition)?)), path.0.as_path()),
        GameSource::Board(path) => (SessionStart::Board(Box::new(read_layout(io, path)?)), path.0.as_path()),
        GameSource::RandomBoard => (SessionStart::RandomBoard, Path::new("")),
        GameSource::Default => (default_layout(io, edition.layout_file)?, Path::new("")),
    };
    // Only a saved game can be in conflict with itself.
    let session = edition.open_session(&start, seed).map_err(|error| invalid(path, &error.into()))?;
    Ok((start, session))
}

fn invalid(path: &Path, error: &ParseError) -> String {
    format!("{}: {error}", display_path(path))
}

fn default_layout(io: &Io, file: Option<&str>) -> Result<SessionStart, String> {
    let Some(path) = file.map(Path::new) else { return Ok(SessionStart::RandomBoard) };
    let text = io.files.input(path, MAX_FILE_SIZE).map_err(|error| {
        let sample = installed_sample().map_or(String::new(), |sample| format!(", such as {}", display_path(&sample)));
        format!(
            "{error}; give a layout with -board FILE{sample}, or draw one with -random-board, or play on the full screen: \
             constructor tui"
        )
    })?;
    let layout = save::read_layout(&text).map_err(|error| invalid(path, &error))?;
    Ok(SessionStart::Board(Box::new(layout)))
}

/// Returns how a game begins. Where the edition's default layout is not there, a board is drawn.
#[must_use]
pub fn or_random_board(source: GameSource, edition: &Edition) -> GameSource {
    let is_missing = edition.layout_file.is_some_and(|file| !Path::new(file).exists());
    if is_missing && source == GameSource::Default { GameSource::RandomBoard } else { source }
}

/// Returns the path of the sample layout that `make install` puts beside the program. Returns `None` if there is no such file.
fn installed_sample() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let sample = program.parent()?.parent()?.join("share/constructor/layouts/sample.txt");
    sample.is_file().then_some(sample)
}

/// Reads a layout.
///
/// # Errors
/// When the file cannot be read or is not valid.
pub fn read_layout(io: &Io, path: &Input) -> Result<Layout, String> {
    save::read_layout(&io.files.input(path, MAX_FILE_SIZE)?).map_err(|error| invalid(path, &error))
}

/// Reads a saved game of the edition.
///
/// # Errors
/// When the file cannot be read or is not valid.
pub fn read_saved(io: &Io, path: &Input, edition: &Edition) -> Result<SavedGame, String> {
    save::read_game(edition, &io.files.input(path, MAX_FILE_SIZE)?).map_err(|error| invalid(path, &error))
}

/// Returns the players who continue a game: the `chosen` players, if given; otherwise the players of the record, with people in place
/// of programs.
///
/// A record may come from anybody, so its programs are not started.
#[must_use]
pub fn players_of(chosen: Option<&Players>, recorded: &[RecordedPlayer; 4]) -> Players {
    chosen.cloned().unwrap_or_else(|| recorded.each_ref().map(player_of))
}

/// Returns the player of a record, with a person in place of a program.
#[must_use]
pub fn player_of(recorded: &RecordedPlayer) -> PlayerChoice {
    PlayerKind::by_name(&recorded.player).map_or(PlayerChoice::Human, PlayerChoice::Computer)
}

/// Continues a recorded game, and says so unless it is a kept one with the same dice.
///
/// Returns the players. Also returns a new seed for the dice if the record does not give the state of their generator.
pub fn continue_game(
    say: impl FnOnce(String),
    options: &GameOptions,
    journal: &mut JournalFile,
    found: &FoundGame,
    resumed: &Resumed,
) -> (Players, Option<u64>) {
    journal.resume(found, resumed);
    let (name, number, edition) = (journal.name(), found.number, resumed.setup.edition.name);
    // One of the kept games, which the list numbers, shows by itself that it goes on.
    let is_kept = options.record.as_deref().is_none_or(kept::is_kept);
    let mut message = format!("{name}: going on with game {number}, {} ({edition})", turn_in_words(resumed.turn));
    let seed = (!resumed.is_exact && !resumed.is_over).then(rng::random_seed);
    if let Some(seed) = seed {
        message += "; its dice are drawn anew, since the record does not say where they stood";
        journal.seed(seed);
    }
    if !is_kept || seed.is_some() {
        say(message);
    }
    (players_of(options.players.as_ref(), &resumed.players), seed)
}
