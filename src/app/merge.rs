//! Running `merge` and `bench`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use constructor_common::result_file::ResultFile;
use constructor_common::{display_path, io_error_text, output};

use super::cli::MergeOptions;
use super::simulate::Results;
use super::{exit_with_error, print_error};
use crate::players::{Budget, PlayerKind};
use crate::simulate::{RunInfo, Simulation, Stats, Unit, signature};
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
    let units = read_units(inputs)?;
    let Some((_, (_, first))) = units.first_key_value() else { return Err("there are no units".to_owned()) };
    let mut simulation = first.job.simulation().ok_or("the job is none that this program knows")?;
    let [summary, page] = ResultFile::open_all(outputs, || {})?;
    let (stats, games) = add_up(&simulation, &units)?;
    simulation.games = games;
    let run =
        RunInfo { command: options.command.clone(), duration_s: begun.elapsed().as_secs_f64(), faults: Vec::new() };
    let failures = Results { simulation: &simulation, stats: &stats, run }.report([], summary, page, options.quiet);
    failures.iter().for_each(print_error);
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Units by their first game, each with the file that it is from.
type Units = BTreeMap<u64, (PathBuf, Unit)>;

/// Reads the units and checks that they belong together and do not overlap. A unit that is there twice is taken once.
fn read_units(paths: Vec<PathBuf>) -> Result<Units, String> {
    let own = signature();
    let mut units = Units::new();
    for path in paths {
        let name = display_path(&path);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {}", io_error_text(&error)))?;
        let unit = Unit::read(&text).map_err(|error| format!("{name}: {error}"))?;
        unit.check_signature(&own).map_err(|error| format!("{name}: {error}"))?;
        if let Some((_, (other_path, other))) = units.first_key_value()
            && other.job != unit.job
        {
            return Err(format!("{name}: it is of another job than {}", display_path(other_path)));
        }
        match units.get(&unit.first) {
            Some((_, same)) if *same == unit => {}
            Some((other_path, other)) if other.games == unit.games => {
                return Err(format!(
                    "{name}: it does not agree with {} on games {}: one of the two computers computes wrongly",
                    display_path(other_path),
                    range(&unit)
                ));
            }
            Some((other_path, other)) => return Err(overlap((&name, &unit), (other_path, other))),
            None => drop(units.insert(unit.first, (path, unit))),
        }
    }
    for ((_, (path, unit)), (_, (next_path, next))) in units.iter().zip(units.iter().skip(1)) {
        if unit.first + unit.games > next.first {
            return Err(overlap((&display_path(next_path), next), (path, unit)));
        }
    }
    Ok(units)
}

fn range(unit: &Unit) -> String {
    format!("{} to {}", unit.first, unit.first + unit.games - 1)
}

fn overlap((name, unit): (&str, &Unit), (other_path, other): (&Path, &Unit)) -> String {
    format!("{name}: its games {} overlap with those of {}, {}", range(unit), display_path(other_path), range(other))
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

/// The statistics of the units, and how many games one run over all would have played. With a sequential test, those of the
/// longest prefix without a gap, up to the games after which the test is decided.
fn add_up(simulation: &Simulation, units: &Units) -> Result<(Stats, u64), String> {
    let mut all = Stats::default();
    for (path, unit) in units.values() {
        if unit.first != all.games {
            let missing = format!("games {} to {} are missing", all.games, unit.first - 1);
            if simulation.sprt.is_none() {
                return Err(missing);
            }
            print_error(format_args!("{missing}: decided by those before them"));
            break;
        }
        for part in unit.stats().ok_or_else(|| format!("{}: damaged", display_path(path)))? {
            all.merge(&part);
            if simulation.verdict(&all).is_some() {
                return Ok((all, u64::MAX));
            }
        }
    }
    let games = all.games;
    Ok((all, games))
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
