//! Analyses of games; those of kept games are kept in files, so that a game that was analysed before needs no playouts.

use constructor_common::files::{Files, KeptFolder, read_unclaimed};

use super::kept;
use crate::analysis::{self, Analysis, AnalysisOptions, Chances, Move};
use crate::game::Game;

/// The most files of analyses, and the most bytes that they have.
const MOST: (usize, u64) = (100, 20_000_000);

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
    let Some(folder) = kept::data_folder().map(|folder| folder.join("analyses")) else { return analyse() };
    let file = folder.join(analysis::stored_name(first, moves, settings) + ".json");
    let stored = read_unclaimed(&file, MOST.1).ok();
    stored.and_then(|content| Analysis::from_stored(&content, moves, settings)).unwrap_or_else(|| {
        let analysis = analyse();
        let folder = if is_kept { KeptFolder::make(folder, ".json").ok() } else { None };
        // Without the file, it can be made again.
        if let Some(folder) = folder
            && analysis.to_stored().is_ok_and(|content| files.save(&file, content.as_bytes()).is_ok())
        {
            folder.tidy(MOST.0, MOST.1, |_| true);
        }
        analysis
    })
}
