//! Running `simulate` and `match`: progress, tables and files.

use std::sync::atomic::Ordering;
use std::time::Instant;

use constructor_common::files::{ResultFile, ResultFolder};
use constructor_common::frame::{Failure, Io};
use indicatif::ProgressBar;

use super::open::{check_programs, player_factory, stop_on_signals};
use crate::app::bots::BotPool;
use crate::app::io::games;
use crate::app::options::{SimulateOptions, shell_quote};
use crate::app::play::{read_layout, read_saved};
use crate::players::PlayerFactory;
use crate::report::simulation_page;
use crate::simulate::{
    self, Adjustment, Cancellation, KeepOptions, Played, Progress, RunInfo, Simulation, Stats, Unit, csv_header, json,
    script, table,
};

/// Plays the games, prints the table and writes the files.
///
/// A terminating signal ends it early, with the results so far.
///
/// # Errors
/// When no game was played because a file cannot be read or written, or a program does not play.
pub fn simulate(io: &Io, options: &SimulateOptions) -> Result<u8, Failure> {
    let cancellation = Cancellation::default();
    let programs = BotPool::new(io.voice.clone(), cancellation.clone());
    let simulation = open(io, options, &programs, &cancellation)?;
    match options.only {
        Some(number) => print_script(io, &simulation, options, number),
        None => play_and_report(io, &simulation, options, &programs, &cancellation),
    }
}

fn open(
    io: &Io,
    options: &SimulateOptions,
    programs: &BotPool,
    cancellation: &Cancellation,
) -> Result<Simulation, String> {
    let SimulateOptions { players, limits, .. } = options;
    let factories = std::array::from_fn(|player| {
        player_factory(&players[player], programs, options.edition, options.trades, limits[player], cancellation)
    });
    let mut simulation = Simulation::new(options.edition, factories);
    if let Some(path) = &options.board {
        simulation.source = Box::new(read_layout(io, path)?);
    }
    if let Some(path) = &options.load {
        let saved = read_saved(io, path, options.edition)?;
        let loaded = simulation.load(saved);
        loaded.map_err(|error| format!("{}: {error}", constructor_common::display_path(path)))?;
    }
    simulation.first = options.first;
    simulation.games = options.games;
    simulation.seed = options.seed;
    simulation.max_turns = options.max_turns;
    simulation.trades = options.trades;
    simulation.schedule = options.schedule;
    simulation.sprt = options.sprt;
    simulation.adjustment = options.adjust.map(Adjustment::new);
    Ok(simulation)
}

/// Prints one game as a script. Prints instructions to play the script on standard error.
fn print_script(io: &Io, simulation: &Simulation, options: &SimulateOptions, number: u64) -> Result<u8, Failure> {
    let (lines, result) = script(simulation, number);
    io.print(lines.as_bytes())?;
    if !options.quiet {
        let file = |option: &str, path: &std::path::Path| format!("-{option} {}", shell_quote(&path.to_string_lossy()));
        let start = match (&options.load, &options.board) {
            (Some(path), _) => file("load", path),
            (None, Some(path)) => file("board", path),
            (None, None) => "-random-board".to_owned(),
        };
        let (program, edition, seed) = (&options.program, simulation.edition.name, result.seed);
        io.voice.say_lines(format!("play it with: {program} -edition {edition} -seed {seed} {start} < FILE\n"));
    }
    Ok(0)
}

fn play_and_report(
    io: &Io,
    simulation: &Simulation,
    options: &SimulateOptions,
    programs: &BotPool,
    cancellation: &Cancellation,
) -> Result<u8, Failure> {
    let started = Instant::now();
    let [csv, summary, page, unit] =
        io.files.results([&options.csv, &options.json, &options.html, &options.unit].map(Option::as_deref))?;
    let records = options.records.as_ref().map(|folder| Records::begin(io, folder, options.first)).transpose()?;
    let message = if simulation.players.iter().any(PlayerFactory::is_slow) {
        "interrupted: the games in progress are dropped"
    } else {
        "interrupted: waiting for the games in progress; a second signal drops them"
    };
    let signalled = stop_on_signals(io, programs, cancellation, false, Some(message).filter(|_| !options.quiet));
    let bar = games(&io.voice, options.quiet, options.games);
    let mut reporter = SimulationReporter { bar, rows: csv, records, cancellation: cancellation.clone() };
    reporter.games(Played { rows: csv_header(simulation), ..Played::default() });
    let outputs = KeepOptions { rows: reporter.rows.is_some(), records: reporter.records.is_some(), results: false };
    // A unit contains all games, so that the sequential test can be made over several units.
    let all_games = options.unit.is_some();
    let parts = simulate::run_with_sequential_test(
        simulation,
        all_games,
        options.threads(),
        cancellation,
        outputs,
        &mut reporter,
    );
    reporter.bar.finish_and_clear();
    check_programs(programs)?;
    let mut stats = Stats::default();
    for part in &parts {
        stats.merge(part);
    }
    let results = Results {
        simulation,
        stats: &stats,
        run: RunInfo {
            command: options.command.clone(),
            duration_s: started.elapsed().as_secs_f64(),
            faults: programs.faults(),
        },
    };

    // If one file fails, the others are still written.
    let mut failures = Vec::new();
    let mut unit = unit;
    if let Some(file) = unit.take_if(|_| stats.games < simulation.games) {
        // The file is dropped unfinished, so that it does not appear.
        failures.push(format!("{}: not written: not all games were played", file.name()));
    }
    if let Some(file) = &mut unit {
        write_or_note(file, Unit::new(simulation, &parts).write(), &mut failures);
    }
    failures.extend(reporter.records.and_then(|records| records.failure));
    failures.extend(results.report([reporter.rows, unit], summary, page, io, options.quiet));
    let failed = io.report(&failures);
    Ok(match signalled.load(Ordering::Relaxed) {
        0 => failed,
        interrupted => interrupted,
    })
}

fn write_or_note(file: &mut ResultFile, text: serde_json::Result<String>, failures: &mut Vec<String>) {
    match text {
        Ok(text) => file.write(&text),
        Err(error) => failures.push(error.to_string()),
    }
}

/// The results of a simulation, to be reported.
pub(super) struct Results<'r> {
    pub simulation: &'r Simulation,
    pub stats: &'r Stats,
    pub run: RunInfo,
}

impl Results<'_> {
    /// Writes the summary and the page, finishes all files, and prints the table.
    ///
    /// Returns what failed.
    pub(super) fn report<const OTHERS: usize>(
        &self,
        others: [Option<ResultFile>; OTHERS],
        mut summary: Option<ResultFile>,
        mut page: Option<ResultFile>,
        io: &Io,
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
            if is_stdout_free {
                failures.extend(io.print(text.as_bytes()).err());
            } else {
                io.voice.say_lines(text);
            }
        }
        failures
    }
}

/// Shows a progress bar, and writes the rows of the CSV file and the records.
struct SimulationReporter {
    bar: ProgressBar,
    rows: Option<ResultFile>,
    records: Option<Records>,
    cancellation: Cancellation,
}

impl Progress for SimulationReporter {
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
            self.cancellation.stop.stop();
        }
    }
}

/// The folder with records of games, many games to a file.
struct Records {
    folder: ResultFolder,
    /// The number of the next game.
    next: u64,
    /// The name of the file that is being written, and the number of games in it.
    file: (String, u64),
    failure: Option<String>,
}

impl Records {
    /// The number of games after which the next file begins.
    const GAMES_OF_A_FILE: u64 = 1_000;

    /// Claims the folder before the games are played, so that no game is lost if the folder cannot be used.
    fn begin(io: &Io, path: &std::path::Path, first: u64) -> Result<Self, String> {
        let name = Self::name(first);
        Ok(Self { folder: io.files.folder(path, &name)?, next: first, file: (name, 0), failure: None })
    }

    fn name(first: u64) -> String {
        format!("games-{first:012}.jsonl")
    }

    /// Writes records of games.
    ///
    /// After a failure, nothing more is written.
    fn write(&mut self, games: u64, records: &str) {
        if games == 0 || self.failure.is_some() {
            return;
        }
        if self.file.1 >= Self::GAMES_OF_A_FILE {
            self.file = (Self::name(self.next), 0);
        }
        self.failure =
            self.folder.write(&self.file.0, records).err().map(|error| format!("{error}; not all games are recorded"));
        self.file.1 += games;
        self.next += games;
    }
}
