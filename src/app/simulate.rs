//! Running `simulate` and `match`: progress, signals, tables and files.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::{fmt, fs};

use constructor_common::result_file::ResultFile;
use constructor_common::{io_error_text, output, signals};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use parking_lot::Mutex;

use super::cli::{SimulateOptions, shell_quote};
use super::{exit_with_error, print_error};
use crate::players::PlayerFactory;
use crate::simulate::{
    self, CSV_HEADER, GameResult, Interruption, Progress, Simulation, Stats, csv_row, json, script, table,
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
    let bar = progress_bar(options);
    let signal_status = Arc::new(AtomicU8::new(0));
    // Locked while the files are opened, so that a signal finds all of them.
    let temporary = Arc::new(Mutex::new(Vec::new()));
    let mut guard = None;
    let [csv, mut summary] = ResultFile::open_all([options.csv.as_deref(), options.json.as_deref()], || {
        guard = Some(temporary.lock());
        stop_on_signals(simulation, options, &bar, &signal_status, &temporary);
    })?;
    if let Some(mut temporary) = guard {
        temporary.extend([&csv, &summary].into_iter().flatten().filter_map(ResultFile::temporary_path));
    }

    let mut reporter = Reporter { bar, rows: csv, interruption: options.interruption.clone() };
    reporter.rows(CSV_HEADER);
    let row = |result: &GameResult| csv_row(simulation, result);
    let stats = play_all(simulation, options, row, &mut reporter);
    reporter.bar.finish_and_clear();

    // Whatever fails, the rest is written.
    let mut failures = Vec::new();
    if let Some(file) = &mut summary {
        match json(simulation, &stats) {
            Ok(text) => file.write(&text),
            Err(error) => failures.push(error.to_string()),
        }
    }
    let files = [reporter.rows, summary];
    let is_stdout_free = !files.iter().flatten().any(ResultFile::is_stdout);
    failures.extend(files.into_iter().flatten().filter_map(|file| file.finish().err()));
    if !options.quiet {
        let text = table(simulation, &stats);
        let printed = if is_stdout_free { output::print(text.as_bytes()) } else { print_to_stderr(&text) };
        failures.extend(printed.err());
    }
    failures.iter().for_each(print_error);
    let interrupted = signal_status.load(Ordering::Relaxed);
    Ok(if failures.is_empty() || interrupted != 0 { ExitCode::from(interrupted) } else { ExitCode::FAILURE })
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
    let (bar, quiet) = (bar.clone(), options.quiet);
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

/// Plays all games, or as many as a sequential test needs. The test looks at the same numbers of boards whatever the number of
/// threads.
fn play_all(
    simulation: &Simulation,
    options: &SimulateOptions,
    row: impl Fn(&GameResult) -> String + Sync,
    reporter: &mut Reporter,
) -> Stats {
    const GAMES_BETWEEN_TESTS: u64 = 128;
    let batch = if simulation.sprt.is_some() { GAMES_BETWEEN_TESTS } else { simulation.games };
    let mut all = Stats::default();
    while all.games < simulation.games && !options.interruption.stop.is_stopped() {
        let numbers = all.games..simulation.games.min(all.games + batch);
        all.merge(&simulate::run(simulation, numbers, options.threads, &options.interruption, &row, reporter));
        if simulation.verdict(&all).is_some() {
            break;
        }
    }
    all
}

/// The progress bar, shown before the first game ends.
fn progress_bar(options: &SimulateOptions) -> ProgressBar {
    if options.quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(options.games);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} games, {speed}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("speed", write_speed));
    bar.tick();
    bar
}

/// Writes the speed as `14,937 games/s`, below 10 with a decimal.
fn write_speed(state: &ProgressState, out: &mut dyn fmt::Write) {
    let speed = state.per_sec();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
    let rounded = speed.round() as u64;
    let _ =
        if speed < 10.0 { write!(out, "{speed:.1} games/s") } else { write!(out, "{} games/s", HumanCount(rounded)) };
}

/// Shows a progress bar and writes the rows of the CSV file.
struct Reporter {
    bar: ProgressBar,
    rows: Option<ResultFile>,
    interruption: Interruption,
}

impl Progress for Reporter {
    fn played(&mut self, games: u64) {
        self.bar.set_position(games);
    }

    fn wants_rows(&self) -> bool {
        self.rows.is_some()
    }

    fn rows(&mut self, text: &str) {
        let Some(rows) = &mut self.rows else { return };
        rows.write(text);
        if rows.is_closed() {
            // The reader has closed the pipe.
            self.interruption.stop.stop();
        }
    }
}
