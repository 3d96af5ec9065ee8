//! Analyses of games; those of kept games are kept in files, so that a game that was analysed before needs no playouts.

use constructor_common::files::{Files, KeptFolder, read_unclaimed};

use super::kept;
use crate::analysis::{self, Analysis, AnalysisOptions, Move};
use crate::game::Game;

/// The most files of analyses, and the most bytes that they have.
const MOST: (usize, u64) = (100, 20_000_000);

/// Analyses a game. Where `files` are given, the game is kept: its analysis is read if it was made before, or else written.
#[must_use]
pub fn analyse(
    files: Option<&Files>,
    first: &Game,
    moves: &[Move],
    settings: &AnalysisOptions,
    progress: &(impl Fn() + Sync),
) -> Analysis {
    let folder = || KeptFolder::make(kept::data_folder()?.join("analyses"), ".json").ok();
    let Some((files, folder)) = files.and_then(|files| Some((files, folder()?))) else {
        return analysis::analyse(first, moves, settings, progress);
    };
    let file = folder.path().join(analysis::stored_name(first, moves, settings) + ".json");
    let stored = read_unclaimed(&file, MOST.1).ok();
    stored.and_then(|content| Analysis::from_stored(&content, moves, settings)).unwrap_or_else(|| {
        let analysis = analysis::analyse(first, moves, settings, progress);
        // Without the file, it can be made again.
        if analysis.to_stored().is_ok_and(|content| files.save(&file, content.as_bytes()).is_ok()) {
            folder.tidy(MOST.0, MOST.1, |_| true);
        }
        analysis
    })
}
