//! Analyses of games; those of kept games are kept in files, so that a game that was analysed before needs no playouts.

use constructor_common::files::{Files, KeptFolder, read_unclaimed};

use super::kept::{self, KeptGame};
use crate::analysis::{self, Analysis, AnalysisOptions, Chances, Move};
use crate::game::Game;

/// The folder of analyses, beside that of the games, and the end of their names.
const FOLDER: &str = "analyses";
const ENDING: &str = ".json";

/// The most files of analyses, and the most bytes that they have.
const MOST: (usize, u64) = (100, 20_000_000);

/// Returns for each game whether it is over and its analysis is kept.
#[must_use]
pub fn are_analysed(games: &[KeptGame]) -> Vec<bool> {
    let folder = kept::data_folder().map(|folder| KeptFolder::at(folder.join(FOLDER), ENDING));
    let files = folder.map_or_else(Vec::new, |folder| folder.files());
    let names: Vec<_> = files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
    let is_analysed =
        |game: &KeptGame| !game.is_unfinished() && names.iter().any(|name| name.starts_with(&game.analysis_prefix));
    games.iter().map(is_analysed).collect()
}

/// Analyses a game, or reads its analysis if it was made before. That of a kept game is written.
#[must_use]
pub fn analyse(
    files: &Files,
    is_kept: bool,
    (first, moves): (&Game, &[Move]),
    settings: &AnalysisOptions,
    progress: &(impl Fn(usize, &Chances) + Sync),
) -> Analysis {
    let analyse = || analysis::analyse(first, moves, settings, progress);
    let Some(folder) = kept::data_folder().map(|folder| folder.join(FOLDER)) else { return analyse() };
    let file = folder.join(analysis::stored_name(first, moves, settings) + ENDING);
    let stored = read_unclaimed(&file, MOST.1).ok();
    stored.and_then(|content| Analysis::from_stored(&content, moves, settings)).unwrap_or_else(|| {
        let analysis = analyse();
        let folder = if is_kept { KeptFolder::make(folder, ENDING).ok() } else { None };
        // Without the file, it can be made again.
        if let Some(folder) = folder
            && analysis.to_stored().is_ok_and(|content| files.save(&file, content.as_bytes()).is_ok())
        {
            folder.tidy(MOST.0, MOST.1, |_| true);
        }
        analysis
    })
}
