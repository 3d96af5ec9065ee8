//! A simulation as its user sees it: how far it is, what comes of it, and where that is written.

use std::io::{self, BufWriter, IntoInnerError, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use super::print;
use crate::cli::SimulateOptions;
use crate::complaint::{failure, reason, shown};
use crate::signals;
use crate::simulate::{self, CSV_HEADER, Progress, Simulation, Tally, csv_row, json, table, transcript};
use crate::store::{self, NewFile, Unwritten};

/// Plays the games, and prints and writes what came of them. A signal that asks the program to end has those played so
/// far printed.
#[must_use]
pub fn run_simulation(simulation: &Simulation, options: &SimulateOptions) -> ExitCode {
    let done = match options.only {
        Some(number) => print_one(simulation, options, number),
        None => print_all(simulation, options),
    };
    done.unwrap_or_else(failure)
}

/// The game as a script on standard output; how to play it goes to standard error.
fn print_one(simulation: &Simulation, options: &SimulateOptions, number: u64) -> Result<ExitCode, String> {
    let (lines, played) = transcript(simulation, number);
    print(&lines)?;
    if !options.quiet {
        let layout =
            options.board.as_ref().map_or("-random-board".to_owned(), |path| format!("-board {}", shown(path)));
        let edition = simulation.edition.name;
        eprint_line(&format!("play it with -edition {edition} -seed {} {layout}", played.seed));
    }
    Ok(ExitCode::SUCCESS)
}

fn print_all(simulation: &Simulation, options: &SimulateOptions) -> Result<ExitCode, String> {
    let (stop, status) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU8::new(0)));
    let (to_stop, to_status) = (Arc::clone(&stop), Arc::clone(&status));
    let waiting = signals::watch(move |status| {
        to_status.store(status, Ordering::Relaxed);
        to_stop.store(true, Ordering::Release);
    });
    waiting.map_err(|error| format!("signals cannot be waited for: {}", reason(&error)))?;

    let mut watcher = Watcher::new(options)?;
    let row = |played: &simulate::Played| csv_row(simulation, played);
    let tally = play_all(simulation, options.threads, &stop, row, &mut watcher);
    watcher.finish(options)?;
    if let Some(path) = &options.json {
        let text = json(simulation, &tally).map_err(|error| failed(path, io::Error::from(error)))?;
        store::write(path, text.as_bytes()).map_err(|error| failed(path, error))?;
    }
    if !options.quiet {
        print(&table(simulation, &tally))?;
    }
    Ok(ExitCode::from(status.load(Ordering::Relaxed)))
}

/// Plays all games, or those of a sequential test: it is made after the same numbers of boards whatever the threads do.
fn play_all(
    simulation: &Simulation,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    row: impl Fn(&simulate::Played) -> String + Sync,
    watcher: &mut Watcher,
) -> Tally {
    const BETWEEN_TESTS: u64 = 128;
    let batch = if simulation.test.is_some() { BETWEEN_TESTS } else { simulation.games };
    let mut all = Tally::default();
    while all.games < simulation.games && !stop.load(Ordering::Relaxed) {
        let numbers = all.games..simulation.games.min(all.games + batch);
        all.merge(&simulate::run(simulation, numbers, threads, stop, &row, watcher));
        if simulation.verdict(&all).is_some() {
            break;
        }
    }
    all
}

/// Shows how far the simulation is, and writes the rows as they come.
struct Watcher {
    bar: ProgressBar,
    rows: Option<BufWriter<NewFile>>,
    failure: Option<io::Error>,
}

impl Watcher {
    fn new(options: &SimulateOptions) -> Result<Self, String> {
        let bar = if options.quiet || !io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(options.games)
        };
        let style = "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let rows = match &options.csv {
            Some(path) => Some(started(path).map_err(|error| failed(path, error))?),
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
        written.map_err(Unwritten::from).and_then(NewFile::finish).map_err(|error| failed(path, error))
    }
}

fn started(path: &Path) -> io::Result<BufWriter<NewFile>> {
    let mut rows = BufWriter::new(NewFile::create(path)?);
    rows.write_all(CSV_HEADER.as_bytes())?;
    Ok(rows)
}

impl Progress for Watcher {
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

fn failed(path: &Path, error: impl Into<Unwritten>) -> String {
    format!("{}: {}", shown(path), error.into())
}

fn eprint_line(line: &str) {
    // There is nobody left to tell when this cannot be shown.
    let _ = writeln!(io::stderr(), "{line}");
}
