//! Running `simulate` and `match`: progress, signals, tables and files.

use std::io::{self, BufWriter, IntoInnerError, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use constructor_common::atomic_file::{self, AtomicFile, WriteError};
use constructor_common::{display_path, io_error_text, output};
use indicatif::{ProgressBar, ProgressStyle};

use super::cli::SimulateOptions;
use super::{exit_with_error, signals};
use crate::players::StopSignal;
use crate::simulate::{self, CSV_HEADER, GameResult, Progress, Simulation, Stats, csv_row, json, script, table};

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
        let layout =
            options.board.as_ref().map_or("-random-board".to_owned(), |path| format!("-board {}", display_path(path)));
        let edition = simulation.edition.name;
        // There is nowhere to report a failure to.
        let _ = writeln!(io::stderr(), "play it with -edition {edition} -seed {} {layout}", result.seed);
    }
    Ok(ExitCode::SUCCESS)
}

fn play_and_report(simulation: &Simulation, options: &SimulateOptions) -> Result<ExitCode, String> {
    let (stop, signal_status) = (StopSignal::default(), Arc::new(AtomicU8::new(0)));
    let (stop_on_signal, to_store) = (stop.clone(), Arc::clone(&signal_status));
    let waiting = signals::on_termination(move |status| {
        to_store.store(status, Ordering::Relaxed);
        stop_on_signal.stop();
    });
    waiting.map_err(|error| format!("signals cannot be waited for: {}", io_error_text(&error)))?;

    let mut reporter = ProgressReporter::new(options)?;
    let row = |result: &GameResult| csv_row(simulation, result);
    let stats = play_all(simulation, options.threads, &stop, row, &mut reporter);
    reporter.finish(options)?;
    if let Some(path) = &options.json {
        let text = json(simulation, &stats).map_err(|error| file_error(path, io::Error::from(error)))?;
        atomic_file::write(path, text.as_bytes()).map_err(|error| file_error(path, error))?;
    }
    if !options.quiet {
        output::print(table(simulation, &stats).as_bytes())?;
    }
    Ok(ExitCode::from(signal_status.load(Ordering::Relaxed)))
}

/// Plays all games, or as many as a sequential test needs. The test looks at the same numbers of boards whatever the number of
/// threads.
fn play_all(
    simulation: &Simulation,
    threads: NonZeroUsize,
    stop: &StopSignal,
    row: impl Fn(&GameResult) -> String + Sync,
    reporter: &mut ProgressReporter,
) -> Stats {
    const GAMES_BETWEEN_TESTS: u64 = 128;
    let batch = if simulation.sprt.is_some() { GAMES_BETWEEN_TESTS } else { simulation.games };
    let mut all = Stats::default();
    while all.games < simulation.games && !stop.is_stopped() {
        let numbers = all.games..simulation.games.min(all.games + batch);
        all.merge(&simulate::run(simulation, numbers, threads, stop, &row, reporter));
        if simulation.verdict(&all).is_some() {
            break;
        }
    }
    all
}

/// Shows a progress bar and writes the rows of the CSV file.
struct ProgressReporter {
    bar: ProgressBar,
    rows: Option<BufWriter<AtomicFile>>,
    failure: Option<io::Error>,
}

impl ProgressReporter {
    fn new(options: &SimulateOptions) -> Result<Self, String> {
        let bar = if options.quiet || !io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(options.games)
        };
        let style = "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let rows = match &options.csv {
            Some(path) => Some(create_csv(path).map_err(|error| file_error(path, error))?),
            None => None,
        };
        Ok(Self { bar, rows, failure: None })
    }

    fn finish(self, options: &SimulateOptions) -> Result<(), String> {
        self.bar.finish_and_clear();
        let (Some(rows), Some(path)) = (self.rows, &options.csv) else { return Ok(()) };
        let written = match self.failure {
            Some(failure) => Err(failure),
            None => rows.into_inner().map_err(IntoInnerError::into_error),
        };
        written.map_err(WriteError::from).and_then(AtomicFile::commit).map_err(|error| file_error(path, error))
    }
}

fn create_csv(path: &Path) -> io::Result<BufWriter<AtomicFile>> {
    let mut rows = BufWriter::new(AtomicFile::create(path)?);
    rows.write_all(CSV_HEADER.as_bytes())?;
    Ok(rows)
}

impl Progress for ProgressReporter {
    fn played(&mut self, games: u64) {
        self.bar.set_position(games);
    }

    fn wants_rows(&self) -> bool {
        self.rows.is_some()
    }

    fn rows(&mut self, text: &str) {
        let Some(rows) = &mut self.rows else { return };
        if self.failure.is_none() {
            self.failure = rows.write_all(text.as_bytes()).err();
        }
    }
}

fn file_error(path: &Path, error: impl Into<WriteError>) -> String {
    format!("{}: {}", display_path(path), error.into())
}
