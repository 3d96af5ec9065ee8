//! Running `simulate` and `match`: progress, signals, tables and files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use constructor_common::result_file::ResultFile;
use constructor_common::{display_path, io_error_text, output, signals};
use indicatif::ProgressBar;
use parking_lot::Mutex;

use super::cli::{SimulateOptions, shell_quote};
use super::{exit_with_error, print_error, progress};
use crate::players::PlayerFactory;
use crate::report::simulation_page;
use crate::simulate::{
    self, CSV_HEADER, Interruption, Outputs, Played, Progress, RunInfo, Simulation, Stats, Unit, json, script, table,
};

/// Plays the games, prints the table and writes the files. A terminating signal ends it early, with the
/// results so far.
#[must_use]
pub fn run_simulation(simulation: &Simulation, options: &SimulateOptions) -> ExitCode {
    let done = match options.only {
        Some(number) => print_script(simulation, options, number),
        None => play_and_report(simulation, options),
    };
    done.unwrap_or_else(exit_with_error)
}

/// Prints one game as a script, and on standard error how to play it.
fn print_script(simulation: &Simulation, options: &SimulateOptions, number: u64) -> Result<ExitCode, String> {
    let (lines, result) = script(simulation, number);
    output::print(lines.as_bytes())?;
    if !options.quiet {
        let board = options.board.as_ref().map(|path| shell_quote(&path.to_string_lossy()));
        let layout = board.map_or("-random-board".to_owned(), |path| format!("-board {path}"));
        let edition = simulation.edition.name;
        // There is nowhere to report a failure to.
        let _ = writeln!(
            io::stderr(),
            "play it with: constructor -edition {edition} -seed {} {layout} < FILE",
            result.seed
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// # Errors
/// When no game was played since a file cannot be written.
fn play_and_report(simulation: &Simulation, options: &SimulateOptions) -> Result<ExitCode, String> {
    let begun = Instant::now();
    let bar = progress::games(options.quiet, options.games);
    let signal_status = Arc::new(AtomicU8::new(0));
    // Locked while the files are opened, so that a signal finds all of them.
    let temporary = Arc::new(Mutex::new(Vec::new()));
    let mut guard = None;
    let paths = [&options.csv, &options.json, &options.html, &options.unit].map(Option::as_deref);
    let [csv, summary, page, unit] = ResultFile::open_all(paths, || {
        guard = Some(temporary.lock());
        stop_on_signals(simulation, options, &bar, &signal_status, &temporary);
    })?;
    if let Some(mut temporary) = guard {
        let files = [&csv, &summary, &page, &unit].into_iter().flatten();
        temporary.extend(files.filter_map(ResultFile::temporary_path));
    }
    let records = options.records.as_deref().map(|folder| RecordFolder::create(folder, options.first)).transpose()?;

    let mut reporter = Reporter { bar, rows: csv, records, interruption: options.interruption.clone() };
    reporter.games(Played { rows: CSV_HEADER.to_owned(), ..Played::default() });
    let outputs = Outputs { rows: reporter.rows.is_some(), records: reporter.records.is_some(), results: false };
    // A unit has all games, so that the test can be made over several of them.
    let all_games = options.unit.is_some();
    let parts =
        simulate::run_in_parts(simulation, all_games, options.threads, &options.interruption, outputs, &mut reporter);
    reporter.bar.finish_and_clear();
    let mut stats = Stats::default();
    for part in &parts {
        stats.merge(part);
    }
    let results = Results {
        simulation,
        stats: &stats,
        run: RunInfo {
            command: options.command.clone(),
            duration_s: begun.elapsed().as_secs_f64(),
            faults: options.programs.faults(),
        },
    };

    // Whatever fails, the rest is written.
    let mut failures = Vec::new();
    let mut unit = unit;
    if let Some(file) = unit.take_if(|_| stats.games < simulation.games) {
        // Dropped unfinished, so that nothing is there.
        failures.push(format!("{}: not written: not all games were played", file.name()));
    }
    if let Some(file) = &mut unit {
        write_or_note(file, Unit::new(simulation, &parts).write(), &mut failures);
    }
    failures.extend(reporter.records.and_then(RecordFolder::finish));
    failures.extend(results.report([reporter.rows, unit], summary, page, options.quiet));
    failures.iter().for_each(print_error);
    let interrupted = signal_status.load(Ordering::Relaxed);
    Ok(if failures.is_empty() || interrupted != 0 { ExitCode::from(interrupted) } else { ExitCode::FAILURE })
}

fn write_or_note(file: &mut ResultFile, text: serde_json::Result<String>, failures: &mut Vec<String>) {
    match text {
        Ok(text) => file.write(&text),
        Err(error) => failures.push(error.to_string()),
    }
}

/// What a simulation is reported by.
pub(super) struct Results<'r> {
    pub simulation: &'r Simulation,
    pub stats: &'r Stats,
    pub run: RunInfo,
}

impl Results<'_> {
    /// Writes the summary and the page, finishes all files, and prints the table. Returns what failed.
    pub(super) fn report<const OTHERS: usize>(
        &self,
        others: [Option<ResultFile>; OTHERS],
        mut summary: Option<ResultFile>,
        mut page: Option<ResultFile>,
        quiet: bool,
    ) -> Vec<String> {
        let mut failures = Vec::new();
        if let Some(file) = &mut summary {
            write_or_note(file, json(self.simulation, self.stats, &self.run), &mut failures);
        }
        if let Some(file) = &mut page {
            file.write(&simulation_page(self.simulation, self.stats, &self.run));
        }
        let files: Vec<ResultFile> = others.into_iter().chain([summary, page]).flatten().collect();
        let is_stdout_free = !files.iter().any(ResultFile::is_stdout);
        failures.extend(files.into_iter().filter_map(|file| file.finish().err()));
        if !quiet {
            let mut text = table(self.simulation, self.stats);
            for fault in &self.run.faults {
                text += &format!("{fault}\n");
            }
            let printed = if is_stdout_free { output::print(text.as_bytes()) } else { print_to_stderr(&text) };
            failures.extend(printed.err());
        }
        failures
    }
}

fn print_to_stderr(text: &str) -> Result<(), String> {
    io::stderr().write_all(text.as_bytes()).map_err(|error| format!("standard error: {}", io_error_text(&error)))
}

/// Ends the games when a signal arrives, and prints what it waits for. A second signal drops the games in progress. A third one removes
/// the `temporary` files and exits: a reader of the results may be stuck. Stores the exit status.
fn stop_on_signals(
    simulation: &Simulation,
    options: &SimulateOptions,
    bar: &ProgressBar,
    status_to_store: &Arc<AtomicU8>,
    temporary: &Arc<Mutex<Vec<PathBuf>>>,
) {
    let (status_to_store, temporary) = (Arc::clone(status_to_store), Arc::clone(temporary));
    let (bar, quiet, groups) = (bar.clone(), options.quiet, options.programs.groups.clone());
    let Interruption { stop, drop_games } = options.interruption.clone();
    let mut signals = 0_u32;
    let has_slow_players = simulation.players.iter().any(PlayerFactory::is_slow);
    let waiting = signals::on_termination(move |status| {
        status_to_store.store(status, Ordering::Relaxed);
        signals += 1;
        match signals {
            1 => stop.stop(),
            2 => drop_games.stop(),
            _ => {
                drop(groups.kill_all());
                for path in temporary.lock().iter() {
                    let _ = fs::remove_file(path);
                }
                process::exit(status.into());
            }
        }
        if signals == 1 && !quiet {
            let message = if has_slow_players {
                "interrupted: the games in progress are dropped"
            } else {
                "interrupted: waiting for the games in progress; a second signal drops them"
            };
            bar.suspend(|| print_error(message));
        }
    });
    if let Err(error) = waiting {
        print_error(format_args!("a signal will end it without results: {}", io_error_text(&error)));
    }
}

/// Shows a progress bar, and writes the rows of the CSV file and the records.
struct Reporter {
    bar: ProgressBar,
    rows: Option<ResultFile>,
    records: Option<RecordFolder>,
    interruption: Interruption,
}

impl Progress for Reporter {
    fn played(&mut self, games: u64) {
        self.bar.set_position(games);
    }

    fn games(&mut self, played: Played) {
        if let Some(folder) = &mut self.records {
            folder.write(played.games, &played.records);
        }
        let Some(file) = &mut self.rows else { return };
        file.write(&played.rows);
        if file.is_closed() {
            // The reader has closed the pipe.
            self.interruption.stop.stop();
        }
    }
}

/// A folder with records of games, many games to a file.
struct RecordFolder {
    folder: PathBuf,
    /// The number of the next game.
    next: u64,
    /// The file that is being written, and the games that it has.
    file: Option<(File, u64)>,
    failure: Option<String>,
}

impl RecordFolder {
    /// A file with this many games is followed by another.
    const GAMES_OF_A_FILE: u64 = 1_000;

    /// # Errors
    /// When the folder cannot be made, or the first file is there already.
    fn create(folder: &Path, first: u64) -> Result<Self, String> {
        let name = || display_path(folder);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {}", name(), io_error_text(&error)))?;
        let mut records = Self { folder: folder.to_owned(), next: first, file: None, failure: None };
        // Before the games are played, so that a wrong folder costs none of them.
        records.begin_file()?;
        Ok(records)
    }

    /// Writes records of games. After a failure, nothing more is written.
    fn write(&mut self, games: u64, records: &str) {
        if games == 0 || self.failure.is_some() {
            return;
        }
        if let Err(error) = self.try_write(games, records) {
            self.failure = Some(error);
        }
    }

    fn try_write(&mut self, games: u64, records: &str) -> Result<(), String> {
        if self.file.as_ref().is_none_or(|(_, has)| *has >= Self::GAMES_OF_A_FILE) {
            self.begin_file()?;
        }
        let Some((file, has)) = &mut self.file else { return Ok(()) };
        let written = file.write_all(records.as_bytes());
        let failed =
            |error| format!("{}: {}; not all games are recorded", display_path(&self.folder), io_error_text(&error));
        written.map_err(failed)?;
        *has += games;
        self.next += games;
        Ok(())
    }

    /// Begins the file of the next game.
    fn begin_file(&mut self) -> Result<(), String> {
        let path = self.folder.join(format!("games-{:012}.jsonl", self.next));
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = opened.map_err(|error| {
            let name = display_path(&path);
            match error.kind() {
                io::ErrorKind::AlreadyExists => format!("{name}: records are there already, and not overwritten"),
                _ => format!("{name}: {}", io_error_text(&error)),
            }
        })?;
        self.file = Some((file, 0));
        Ok(())
    }

    /// What failed, if anything did.
    fn finish(self) -> Option<String> {
        self.failure
    }
}
