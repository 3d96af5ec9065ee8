//! Running `analyse`.

use constructor_common::display_path;
use constructor_common::files::ResultFile;
use constructor_common::frame::{Failure, Io};

use super::read::read_game;
use crate::analysis::{self, AnalysisOptions, SeatHistory, SeatKind, TakenOver};
use crate::app::io::positions;
use crate::app::options::{AnalyseOptions, wrapped};
use crate::app::play::{analyses, kept};
use crate::report::game_page;
use crate::tui::tutorial;

/// The columns of the printed analysis, as many as its widest table has.
const COLUMNS: usize = 113;

/// Analyses a recorded game, prints the analysis and writes the files.
///
/// # Errors
/// When the record is damaged or impossible, or a file cannot be opened.
pub fn analyse(io: &Io, options: &AnalyseOptions) -> Result<u8, Failure> {
    let record = read_game(io, &options.record, options.game)?;
    let moves = analysis::moves(&record);
    let (mut first, mut moves, replay) =
        moves.map_err(|(line, reason)| format!("{}: line {line}: {reason}", display_path(&options.record)))?;
    let edition = replay.edition();
    let mut seats = SeatHistory::of_record(&record, edition, SeatKind::of_recorded).of_game(moves.len());
    // Of a kept branch, what it took over is in the analysis of the other game.
    let is_kept = kept::is_kept(&options.record);
    let taken_over = options.game.filter(|_| is_kept).map(|game| kept::taken_over(&options.record, game));
    let TakenOver { actions, origin_end } =
        taken_over.filter(|taken_over| taken_over.actions < moves.len()).unwrap_or_default();
    if actions > 0 {
        moves.drain(..actions);
        (first, seats) = (moves[0].before, seats.since(actions));
    }
    let [mut data, mut page] = io.files.results([options.json.as_deref(), options.html.as_deref()])?;
    let settings = AnalysisOptions {
        seats,
        playouts: options.playouts,
        search: options.search,
        origin_end,
        taught_until: kept::is_tutorial(&record.header).then_some(tutorial::LAST_TURN),
        trades: record.header.trades(),
        seed: options.seed,
        threads: options.threads(),
    };
    let bar = positions(&io.voice, options.quiet, moves.len() as u64 + 1);
    let analysis = analyses::analyse(&io.files, is_kept, (&first, &moves), &settings, &|_, _| bar.inc(1));
    bar.finish_and_clear();
    if let Some(file) = &mut data {
        file.write(&analysis::json(edition, &analysis).map_err(|error| error.to_string())?);
    }
    if let Some(file) = &mut page {
        file.write(&game_page(edition, &analysis));
    }
    let files: Vec<ResultFile> = [data, page].into_iter().flatten().collect();
    let is_stdout_free = !files.iter().any(ResultFile::is_stdout);
    let mut failures: Vec<String> = files.into_iter().filter_map(|file| file.finish().err()).collect();
    if !options.quiet && is_stdout_free {
        failures.extend(io.print(wrapped(&analysis::text(edition, &analysis), COLUMNS).as_bytes()).err());
    }
    Ok(io.report(&failures))
}
