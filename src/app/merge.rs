//! Running `merge` and `bench`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use constructor_common::result_file::ResultFile;
use constructor_common::{display_path, io_error_text, output};

use super::cli::MergeOptions;
use super::simulate::Results;
use super::{exit_with_error, print_error};
use crate::players::{Budget, PlayerKind};
use crate::simulate::{Merged, RunInfo, Simulation, Stats, Units, signature};
use crate::statistics::{grouped, ratio};
use crate::text::Edition;

/// Merges units and reports their results.
#[must_use]
pub fn run_merge(options: &MergeOptions) -> ExitCode {
    merge(options).unwrap_or_else(exit_with_error)
}

fn merge(options: &MergeOptions) -> Result<ExitCode, String> {
    let begun = Instant::now();
    let outputs = [options.json.as_deref(), options.html.as_deref()];
    let inputs = files(&options.units)?;
    ResultFile::refuse_inputs(inputs.iter().map(PathBuf::as_path), &outputs)?;
    let mut units = Units::new(signature());
    for path in inputs {
        let name = display_path(&path);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {}", io_error_text(&error)))?;
        units.read(&name, &text).map_err(|error| error.to_string())?;
    }
    let [summary, page] = ResultFile::open_all(outputs, || {})?;
    let Merged { simulation, stats, missing } = units.merge().map_err(|error| error.to_string())?;
    if let Some(missing) = missing {
        print_error(format_args!("{missing}: decided by those before them"));
    }
    let run =
        RunInfo { command: options.command.clone(), duration_s: begun.elapsed().as_secs_f64(), faults: Vec::new() };
    let failures = Results { simulation: &simulation, stats: &stats, run }.report([], summary, page, options.quiet);
    failures.iter().for_each(print_error);
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The files that are named, and those in folders that are. Hidden files are left out: they may be units that are being written.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let error = |error| format!("{}: {}", display_path(path), io_error_text(&error));
        for entry in fs::read_dir(path).map_err(error)? {
            let entry = entry.map_err(error)?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_hidden && entry.path().is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Prints the signature and, unless only that is asked for, the speed of every kind of player.
#[must_use]
pub fn run_bench(only_signature: bool) -> ExitCode {
    let done = if only_signature { output::print(format!("{}\n", signature()).as_bytes()) } else { bench() };
    done.map_or_else(exit_with_error, |()| ExitCode::SUCCESS)
}

/// The playouts of players that think, and the games of each kind: about a second's worth.
const PLAYOUTS: u32 = 100;
const GAMES: [(PlayerKind, u64); PlayerKind::ALL.len()] = [
    (PlayerKind::Random, 4_000),
    (PlayerKind::Greedy, 20_000),
    (PlayerKind::Normal, 8_000),
    (PlayerKind::Hard, 8),
    (PlayerKind::Classic, 16),
    (PlayerKind::Expert, 6),
    (PlayerKind::Quiet, 6),
    (PlayerKind::Veteran, 6),
];

fn bench() -> Result<(), String> {
    output::print(
        format!("{:<10} {:>8} {:>10} {:>12} {:>14}\n", "player", "games", "seconds", "games/s", "actions/s").as_bytes(),
    )?;
    for (kind, games) in GAMES {
        let players = [(); 4].map(|()| kind.factory(&Budget::playouts(PLAYOUTS)));
        let simulation = Simulation::new(Edition::default(), players);
        let begun = Instant::now();
        let stats = Stats::play(&simulation, 0..games, |_| {});
        let seconds = begun.elapsed().as_secs_f64();
        let a_second = |count: u64| {
            let rate = ratio(count, 1) / seconds;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
            let rounded = rate.round() as u64;
            if rate < 10.0 { format!("{rate:.1}") } else { grouped(rounded) }
        };
        let (name, games) = (kind.name(), grouped(games));
        let line = format!(
            "{name:<10} {games:>8} {seconds:>10.2} {:>12} {:>14}\n",
            a_second(stats.games),
            a_second(stats.plies)
        );
        output::print(line.as_bytes())?;
    }
    output::print(format!("signature {}\n", signature()).as_bytes())
}
