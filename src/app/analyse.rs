//! Running `analyse`.

use std::process::ExitCode;

use constructor_common::result_file::ResultFile;
use constructor_common::{display_path, output};

use super::cli::AnalyseOptions;
use super::replay::{choose_game, read_record};
use super::{exit_with_error, print_error, progress};
use crate::analysis::{self, GameInfo, Settings};
use crate::game::Builder;
use crate::report::game_page;

/// Analyses a recorded game, prints the analysis and writes the files.
#[must_use]
pub fn run_analysis(options: &AnalyseOptions) -> ExitCode {
    analyse(options).unwrap_or_else(exit_with_error)
}

fn analyse(options: &AnalyseOptions) -> Result<ExitCode, String> {
    let outputs = [options.json.as_deref(), options.html.as_deref()];
    ResultFile::refuse_inputs([options.record.as_path()], &outputs)?;
    let records = read_record(&options.record)?;
    let record = choose_game(&records, options.game, &options.record)?;
    let moves = analysis::moves(record);
    let (first, moves, replay) =
        moves.map_err(|(line, reason)| format!("{}: line {line}: {reason}", display_path(&options.record)))?;
    let [mut data, mut page] = ResultFile::open_all(outputs, || {})?;
    let settings = Settings {
        playouts: options.playouts,
        search: options.search,
        trades: record.header.trades(),
        seed: options.seed,
        threads: options.threads,
    };
    let bar = progress::positions(options.quiet, moves.len() as u64 + 1);
    let analysis = analysis::analyse(&first, &moves, settings, &|| bar.inc(1));
    bar.finish_and_clear();
    let edition = replay.edition();
    let info = GameInfo {
        edition: edition.name,
        players: Builder::ALL.map(|builder| replay.players()[builder.index()].player.clone()),
        winner: replay.dialogue().game().winner().map(|winner| edition.colour(winner)),
    };
    if let Some(file) = &mut data {
        file.write(&analysis::json(edition, &info, &analysis).map_err(|error| error.to_string())?);
    }
    if let Some(file) = &mut page {
        file.write(&game_page(edition, &info, &analysis));
    }
    let files: Vec<ResultFile> = [data, page].into_iter().flatten().collect();
    let is_stdout_free = !files.iter().any(ResultFile::is_stdout);
    let mut failures: Vec<String> = files.into_iter().filter_map(|file| file.finish().err()).collect();
    if !options.quiet && is_stdout_free {
        failures.extend(output::print(analysis::text(edition, &info, &analysis).as_bytes()).err());
    }
    failures.iter().for_each(print_error);
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
