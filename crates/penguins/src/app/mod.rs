//! The program: command line, files, standard streams and exit status.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod cli;
mod exit;
mod one_turn;
mod punctual;
pub mod terminal;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use constructor_common::files::ResultFile;
use constructor_common::frame::{self, Failure, Io};
use constructor_common::process::{become_subreaper, kill_descendants};
use constructor_common::{display_path, io_error_text, rng};

use self::cli::{CliRequest, GenerateOptions, PlayOptions, RefereeOptions, TournamentOptions, USAGE};
use self::exit::Ended;
pub use self::exit::ExitStatus;
use self::one_turn::{deadline, read_state, take_turn_on_files};
use self::punctual::in_time;
use crate::board::{Board, Field};
use crate::game::{Action, Game, Phase};
use crate::generate::generate;
use crate::lock;
use crate::players::Player;
use crate::players::baselines::Greedy;
use crate::players::engine::Engine;
use crate::referee::program::{Workspace, end_all};
use crate::referee::{CallReport, Match, Outcome, PlayerResult, sandbox};
use crate::state_file;
use crate::tournament::{GameResults, Tournament, align_columns, report, table};

/// Runs the program with these arguments, without its own name.
///
/// `started` is the time at which the program started; time limits count from this time. Returns the exit code.
#[must_use]
pub fn run(args: &[OsString], started: Instant) -> u8 {
    run_with(args, started, |game, deadline| {
        if cfg!(feature = "interactive") {
            return terminal::ask(game);
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let searched = game.clone();
        let found = in_time(deadline, move || Engine { threads }.decide(&searched, deadline));
        found.unwrap_or_else(|| Greedy.decide(game, deadline))
    })
}

/// Runs the program like [`run`], except that `decide` chooses the placement or move of a call with `phase=`, before the deadline.
#[must_use]
pub fn run_with(args: &[OsString], started: Instant, decide: impl FnOnce(&Game, Instant) -> Option<Action>) -> u8 {
    if let Some(code) = sandbox::run_if_asked(args) {
        return code;
    }
    frame::run("penguins", |io| run_command(io, args, started, decide).map(ExitStatus::code))
}

fn run_command(
    io: &Io,
    args: &[OsString],
    started: Instant,
    decide: impl FnOnce(&Game, Instant) -> Option<Action>,
) -> Ended {
    match cli::parse(args) {
        Ok(CliRequest::Id(mut id)) => {
            id.push(b'\n');
            print(io, &id)
        }
        Ok(CliRequest::Help) => print(io, USAGE.as_bytes()),
        Ok(CliRequest::Version) => print(io, concat!("penguins ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()),
        Ok(CliRequest::Turn(options)) => {
            take_turn_on_files(io, &options, |game| decide(game, deadline(&options, started)))
        }
        Ok(CliRequest::Generate(options)) => generate_board(io, &options),
        Ok(CliRequest::Referee(options)) => one_game(io, &options),
        Ok(CliRequest::Tournament(options)) => play_tournament(io, &options),
        Ok(CliRequest::Play(options)) => play_at_the_terminal(io, &options),
        Err(error) => {
            io.voice.say(error);
            io.voice.say_lines(format!("{}\n", cli::usage_of(args)));
            Ok(ExitStatus::Failure)
        }
    }
}

fn print(io: &Io, text: &[u8]) -> Ended {
    io.print(text).map(|()| ExitStatus::Success).map_err(|message| ExitStatus::Failure.failure(message))
}

fn generate_board(io: &Io, options: &GenerateOptions) -> Ended {
    let board = generate(options.spec, options.seed.unwrap_or_else(rng::random_seed));
    let board = board.map_err(|error| ExitStatus::Failure.failure(error))?;
    one_turn::write(io, &options.output, &state_file::write(&board, []), ExitStatus::Success)
}

/// Makes a directory for the programs of games. If `isolates` is true, isolates the programs from each other where the system allows it.
///
/// A signal ends all programs, removes the directory, and calls `finish` before the exit.
fn prepare_for_programs(
    io: &Io,
    programs: usize,
    is_sequential: bool,
    isolates: bool,
    mut finish: impl FnMut() + Send + 'static,
) -> Result<Arc<Workspace>, Failure> {
    let failed = |error| format!("cannot create a directory for the programs: {}", io_error_text(&error));
    let workspace =
        Workspace::new(programs, is_sequential).map_err(|error| ExitStatus::Failure.failure(failed(error)))?;
    let (path, io_at_signal) = (workspace.path().to_owned(), io.clone());
    io.on_signal(move |status| {
        end_all(&path);
        finish();
        io_at_signal.exit(status);
    });
    become_subreaper();
    if isolates {
        sandbox::enable();
    }
    Ok(Arc::new(workspace))
}

/// Reads a board on which no game has begun.
fn read_board(io: &Io, path: &Path) -> Result<Board, String> {
    let state = read_state(io, path)?;
    let has_penguin = |board: &Board| board.places().any(|place| matches!(board.get(place), Field::Penguin(_)));
    if !state.rows().is_empty() || has_penguin(state.board()) {
        return Err(format!("{}: a game has begun on this board", display_path(path)));
    }
    Ok(state.board().clone())
}

fn one_game(io: &Io, options: &RefereeOptions) -> Ended {
    let board = read_board(io, &options.board).map_err(|message| ExitStatus::InvalidInput.failure(message))?;
    let failed = |message: String| ExitStatus::Failure.failure(message);
    let [log] = io.files.results([options.log.as_deref()]).map_err(failed)?;
    let log = Arc::new(Mutex::new(log));
    let (log_to_finish, io_to_finish) = (Arc::clone(&log), io.clone());
    let finish = move || {
        finish_files(&io_to_finish, [take(&log_to_finish)]);
    };
    let workspace = prepare_for_programs(io, options.contestants.len(), true, options.isolates, finish)?;
    let played = thread::scope(|scope| {
        // Orphans are children of the main thread, so it must not start programs itself.
        let play = || play_logged(io, board, options, &workspace, &log);
        let thread = thread::Builder::new().spawn_scoped(scope, play).ok()?;
        thread.join().ok()
    });
    kill_descendants();
    let written = finish_files(io, [take(&log)]);
    let results = played.unwrap_or_else(|| Err("the game could not be played".to_owned())).map_err(failed)?;
    print(io, result_table(results).as_bytes())?;
    Ok(written)
}

/// A file for results. If a signal arrives, its handler may finish the file first.
type SharedFile = Arc<Mutex<Option<ResultFile>>>;

fn take(file: &SharedFile) -> Option<ResultFile> {
    lock(file).take()
}

/// Finishes the files for results.
fn finish_files<const COUNT: usize>(io: &Io, files: [Option<ResultFile>; COUNT]) -> ExitStatus {
    let failures: Vec<String> = files.into_iter().flatten().filter_map(|file| file.finish().err()).collect();
    if io.report(&failures) == 0 { ExitStatus::Success } else { ExitStatus::Failure }
}

/// Plays a game, prints faults, and logs all calls.
fn play_logged(
    io: &Io,
    board: Board,
    options: &RefereeOptions,
    workspace: &Arc<Workspace>,
    log: &SharedFile,
) -> Result<Vec<PlayerResult>, String> {
    let limits = (options.time, options.policy);
    let game = Match::new(board, options.penguins, limits, &options.contestants, rng::random_seed(), workspace);
    let results = game.map_err(|error| error.to_string())?.play(|call| {
        let line = log_line(&call);
        if let Outcome::Fault(_) = call.outcome {
            io.voice.say(&line);
        }
        if let Some(log) = &mut *lock(log) {
            log.write(&format!("{line}\n"));
        }
    });
    results.map_err(|error| error.to_string())
}

/// Formats a call as a line of the log.
fn log_line(call: &CallReport<'_>) -> String {
    let phase = match call.phase {
        Phase::Placement { .. } => "placement",
        Phase::Movement => "movement",
    };
    let outcome = match call.outcome {
        Outcome::Legal(turn) => match turn.action {
            Action::Place(place) => place.to_string(),
            Action::Slide { from, to } => format!("{from} to {to}"),
        },
        Outcome::NothingToDo => "nothing to do".to_owned(),
        Outcome::Unverified => "done, unchecked".to_owned(),
        Outcome::Fault(violation) => format!("FAULT, {violation}"),
    };
    let time = call.time.as_secs_f64() * 1e3;
    let mut line = format!("{phase} {}: {}: {outcome} ({time:.1} ms)", call.round, call.name);
    if !call.stderr.is_empty() {
        line.push_str(&format!(" [{}]", call.stderr));
    }
    line
}

/// Formats the final table, most fish first.
fn result_table(mut results: Vec<PlayerResult>) -> String {
    results.sort_by_key(|result| std::cmp::Reverse(result.score));
    let mut rows = vec![["id", "place", "number", "fish", "faults"].map(str::to_owned)];
    for result in &results {
        let place = 1 + results.iter().filter(|other| other.score > result.score).count();
        let faults = result.faults.values().sum::<u64>();
        let number = if result.number == 0 { "-".to_owned() } else { result.number.to_string() };
        rows.push([result.name.clone(), place.to_string(), number, result.score.to_string(), faults.to_string()]);
    }
    align_columns(&rows)
}

fn play_tournament(io: &Io, options: &TournamentOptions) -> Ended {
    let files = io.files.results([options.csv.as_deref(), options.json.as_deref()]);
    let files = files.map_err(|message| ExitStatus::Failure.failure(message))?;
    let tournament = &options.tournament;
    let output = Arc::new(TournamentOutput {
        io: io.clone(),
        tournament: tournament.clone(),
        results: Mutex::default(),
        files: Mutex::new(Some(files)),
    });
    let shared = Arc::clone(&output);
    let jobs = tournament.jobs();
    let programs = tournament.contestants.len() * jobs;
    let finish = move || drop(shared.report());
    let workspace = prepare_for_programs(io, programs, jobs == 1, options.isolates, finish)?;
    let games = tournament.games();
    let progress = |played: u64| {
        // Prints about twenty lines of progress in total.
        if played == games || played.is_multiple_of(games.div_ceil(20)) {
            io.voice.say(format_args!("{played} of {games} games"));
        }
    };
    let played = tournament.play(&workspace, &output.results, progress);
    kill_descendants();
    let reported = output.report();
    played.map_err(|error| ExitStatus::Failure.failure(error))?;
    reported
}

/// The results of a tournament and the files for them. After a signal, the results of the games that are finished by then are reported.
struct TournamentOutput {
    io: Io,
    tournament: Tournament,
    results: Mutex<GameResults>,
    /// The files for CSV and JSON, until they are written.
    files: Mutex<Option<[Option<ResultFile>; 2]>>,
}

impl TournamentOutput {
    /// Writes the files and prints the table for the finished games, if there are any. Only the first call has an effect.
    fn report(&self) -> Ended {
        let results = lock(&self.results);
        let Some([mut csv, mut json]) = lock(&self.files).take() else { return Ok(ExitStatus::Success) };
        if results.is_empty() {
            return Ok(ExitStatus::Success);
        }
        let standings = self.tournament.standings(&results);
        if let Some(file) = &mut csv {
            file.write(&report::csv(&self.tournament, &results));
        }
        if let Some(file) = &mut json {
            file.write(&report::json(&self.tournament, &standings, results.len() as u64));
        }
        let is_stdout_free = ![&csv, &json].into_iter().flatten().any(ResultFile::is_stdout);
        let written = finish_files(&self.io, [csv, json]);
        if results.len() as u64 != self.tournament.games() {
            let all = self.tournament.games();
            self.io.voice.say(format_args!("interrupted after {} of {all} games", results.len()));
        }
        let text = table(&standings);
        if is_stdout_free {
            print(&self.io, text.as_bytes())?;
        } else {
            self.io.voice.say_lines(text);
        }
        Ok(written)
    }
}

fn play_at_the_terminal(io: &Io, options: &PlayOptions) -> Ended {
    let board = match &options.board {
        Some(path) => {
            let board = read_board(io, path).map_err(|message| ExitStatus::InvalidInput.failure(message))?;
            // The player may save the game to the same file.
            io.files.release_input(path);
            board
        }
        None => generate(options.spec, options.seed.unwrap_or_else(rng::random_seed))
            .map_err(|error| ExitStatus::Failure.failure(error))?,
    };
    terminal::play(io, board, options)
}
