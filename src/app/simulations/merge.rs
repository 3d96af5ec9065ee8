//! Running `merge` and `bench`.
#![cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "reads which files are in a folder"))]

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use constructor_common::frame::{Failure, Io};
use constructor_common::{display_path, io_error_text};

use super::simulate::Results;
use crate::app::options::{BenchOptions, Inputs, MergeOptions};
use crate::players::{Budget, PlayerKind};
use crate::simulate::{Merged, RunInfo, Simulation, Stats, Units, signature};
use crate::statistics::{ratio, with_thousands_separators};
use crate::text::Edition;

/// The maximum size of a unit that is read, in bytes: the size of a sequential test over some ten million games.
const MAX_UNIT: u64 = 1 << 28;

/// Merges units and reports their results.
///
/// # Errors
/// When a unit cannot be read, or does not belong to the others.
pub fn merge(io: &Io, options: &MergeOptions) -> Result<u8, Failure> {
    let started = Instant::now();
    let mut texts = Vec::new();
    for path in files(&options.units)? {
        texts.push((display_path(&path), io.files.input(&path, MAX_UNIT)?));
    }
    let [summary, page] = io.files.results([options.json.as_deref(), options.html.as_deref()])?;
    let mut units = Units::new(signature());
    for (name, text) in texts {
        let text = String::from_utf8(text).map_err(|_| format!("{name}: not a unit: it is no text"))?;
        units.read(&name, &text).map_err(|error| error.to_string())?;
    }
    let Merged { simulation, stats, missing } = units.merge().map_err(|error| error.to_string())?;
    if let Some(missing) = missing {
        io.voice.say(format_args!("{missing}: decided by those before them"));
    }
    let run =
        RunInfo { command: options.command.clone(), duration_s: started.elapsed().as_secs_f64(), faults: Vec::new() };
    let results = Results { simulation: &simulation, stats: &stats, run };
    Ok(io.report(&results.report([], summary, page, io, options.quiet)))
}

/// Lists the named files, and the files in the named folders.
///
/// Hidden files are left out: they may be units that are being written.
fn files(paths: &[Inputs]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.0.clone());
            continue;
        }
        let error = |error| format!("{}: {}", display_path(path), io_error_text(&error));
        for entry in fs::read_dir(&path.0).map_err(error)? {
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

/// Prints the signature. Also prints the speed of every kind of player, unless the options ask for the signature only.
///
/// # Errors
/// When standard output fails.
pub fn bench(io: &Io, options: &BenchOptions) -> Result<u8, Failure> {
    if !options.signature {
        print_speeds(io)?;
    }
    let label = if options.signature { "" } else { "signature " };
    io.print(format!("{label}{}\n", signature()).as_bytes())?;
    Ok(0)
}

/// The number of playouts for each decision of players that think, and the number of games for each kind of player. The games of one kind
/// take about a second.
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

fn print_speeds(io: &Io) -> Result<(), String> {
    io.print(
        format!("{:<10} {:>8} {:>10} {:>12} {:>14}\n", "player", "games", "seconds", "games/s", "actions/s").as_bytes(),
    )?;
    for (kind, games) in GAMES {
        let players = [(); 4].map(|()| kind.factory(&Budget::playouts(PLAYOUTS)));
        let simulation = Simulation::new(Edition::standard(), players);
        let started = Instant::now();
        let stats = Stats::play(&simulation, 0..games, |_| {});
        let seconds = started.elapsed().as_secs_f64();
        let a_second = |count: u64| {
            let rate = ratio(count, 1) / seconds;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
            let rounded = rate.round() as u64;
            if rate < 10.0 { format!("{rate:.1}") } else { with_thousands_separators(rounded) }
        };
        let (name, games) = (kind.name(), with_thousands_separators(games));
        let line = format!(
            "{name:<10} {games:>8} {seconds:>10.2} {:>12} {:>14}\n",
            a_second(stats.games),
            a_second(stats.plies)
        );
        io.print(line.as_bytes())?;
    }
    Ok(())
}
