//! The program: command line, files, standard streams and exit status.

pub mod cli;
mod one_turn;
pub mod terminal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{fmt, process, thread};

use constructor_common::process::{adopt_orphans, kill_descendants};
use constructor_common::result_file::ResultFile;
use constructor_common::{display_path, io_error_text, output, signals};

use self::cli::{GenerateOptions, PlayOptions, RefereeOptions, Request, TournamentOptions, TurnOptions, USAGE};
use self::one_turn::{deadline, read_state, take_turn_on_files};
use crate::board::{Board, Field};
use crate::game::{Action, Phase};
use crate::generate::generate;
use crate::lock;
use crate::players::Player;
use crate::players::engine::Engine;
use crate::referee::program::{Workspace, end_all};
use crate::referee::{CallReport, Match, Outcome, PlayerResult, sandbox};
use crate::state_file;
use crate::tournament::{GameResults, Tournament, align_columns, report, table};

/// The exit status of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// Success.
    Success,
    /// The player has no legal action.
    NothingToDo,
    /// An input file cannot be read or is invalid.
    InvalidInput,
    /// The command line is invalid, the output cannot be written, or something else failed.
    Failure,
}

impl ExitStatus {
    /// The exit code, 0 to 3.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingToDo => 1,
            Self::InvalidInput => 2,
            Self::Failure => 3,
        }
    }

    /// The first of both statuses that is not success.
    fn and(self, other: Self) -> Self {
        if self == Self::Success { other } else { self }
    }

    /// This status, after an error message.
    fn with_error(self, message: impl fmt::Display) -> Self {
        print_error(message);
        self
    }
}

/// Prints an error message.
fn print_error(message: impl fmt::Display) {
    output::print_error("penguins", message);
}

/// Runs the program with these arguments, without its own name. `begun` is when the program started: time limits count from
/// then. Returns the exit code.
#[must_use]
pub fn run(args: &[OsString], begun: Instant) -> u8 {
    if let Some(code) = sandbox::run_if_asked(args) {
        return code;
    }
    // If this fails, a file that exceeds the limit ends the program, as usual.
    let _ = signals::catch_file_size_signal();
    let status = match cli::parse(args) {
        Ok(Request::Id(mut id)) => {
            id.push(b'\n');
            print(&id)
        }
        Ok(Request::Help) => print(USAGE.as_bytes()),
        Ok(Request::Version) => print(concat!("penguins ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()),
        Ok(Request::Turn(options)) => one_turn(&options, begun),
        Ok(Request::Generate(options)) => generate_board(&options),
        Ok(Request::Referee(options)) => one_game(&options),
        Ok(Request::Tournament(options)) => play_tournament(&options),
        Ok(Request::Play(options)) => play_at_the_terminal(&options),
        Err(error) => {
            print_error(error);
            // A failure to print has nowhere to be reported.
            let _ = writeln!(io::stderr(), "{}", cli::usage_of(args));
            ExitStatus::Failure
        }
    };
    status.code()
}

fn print(text: &[u8]) -> ExitStatus {
    match output::print(text) {
        Ok(()) => ExitStatus::Success,
        Err(message) => ExitStatus::Failure.with_error(message),
    }
}

fn one_turn(options: &TurnOptions, begun: Instant) -> ExitStatus {
    if cfg!(feature = "interactive") {
        return take_turn_on_files(options, terminal::ask);
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    take_turn_on_files(options, |game| Engine { threads }.decide(game, deadline(options, begun)))
}

/// An unpredictable seed.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_nanos()) << 32 ^ u64::from(process::id())
}

fn generate_board(options: &GenerateOptions) -> ExitStatus {
    match generate(options.spec, options.seed.unwrap_or_else(any_seed)) {
        Ok(board) => one_turn::write(&options.output, &state_file::write(&board, []), ExitStatus::Success),
        Err(error) => ExitStatus::Failure.with_error(error),
    }
}

/// A directory for the programs of games, from which they cannot reach each other where the system allows that. A signal ends
/// all programs, removes the directory, and calls `finish` before the exit.
fn prepare_for_programs(
    programs: usize,
    is_sequential: bool,
    isolates: bool,
    mut finish: impl FnMut() + Send + 'static,
) -> Result<Arc<Workspace>, ExitStatus> {
    let failure = |error| {
        let reason = io_error_text(&error);
        ExitStatus::Failure.with_error(format_args!("cannot create a directory for the programs: {reason}"))
    };
    let workspace = Arc::new(Workspace::new(programs, is_sequential).map_err(failure)?);
    let path = workspace.path().to_owned();
    let waiting = signals::on_termination(move |status| {
        end_all(&path);
        finish();
        process::exit(status.into());
    });
    if let Err(error) = waiting {
        print_error(format_args!("a signal may leave programs behind: {}", io_error_text(&error)));
    }
    adopt_orphans();
    if isolates {
        sandbox::enable();
    }
    Ok(workspace)
}

/// Reads a board on which no game has begun.
fn read_board(path: &Path) -> Result<Board, String> {
    let state = read_state(path)?;
    let has_penguin = |board: &Board| board.places().any(|place| matches!(board.get(place), Field::Penguin(_)));
    if !state.rows().is_empty() || has_penguin(state.board()) {
        return Err(format!("{}: a game has begun on this board", display_path(path)));
    }
    Ok(state.board().clone())
}

fn one_game(options: &RefereeOptions) -> ExitStatus {
    let board = match read_board(&options.board) {
        Ok(board) => board,
        Err(message) => return ExitStatus::InvalidInput.with_error(message),
    };
    let log = match ResultFile::open_all([options.log.as_deref()], || ()) {
        Ok([log]) => Arc::new(Mutex::new(log)),
        Err(message) => return ExitStatus::Failure.with_error(message),
    };
    let log_to_finish = Arc::clone(&log);
    let finish = move || {
        finish_files([take(&log_to_finish)]);
    };
    let workspace = match prepare_for_programs(options.contestants.len(), true, options.isolates, finish) {
        Ok(workspace) => workspace,
        Err(status) => return status,
    };
    let played = thread::scope(|scope| {
        // Orphans are children of the main thread, so it must not start programs itself.
        let play = || play_logged(board, options, &workspace, &log);
        thread::Builder::new().spawn_scoped(scope, play).map(thread::ScopedJoinHandle::join)
    });
    kill_descendants();
    let written = finish_files([take(&log)]);
    match played {
        Ok(Ok(Ok(results))) => written.and(print(result_table(results).as_bytes())),
        Ok(Ok(Err(message))) => ExitStatus::Failure.with_error(message),
        Ok(Err(_)) | Err(_) => ExitStatus::Failure.with_error("the game could not be played"),
    }
}

/// A file for results, which a signal may finish first.
type SharedFile = Arc<Mutex<Option<ResultFile>>>;

fn take(file: &SharedFile) -> Option<ResultFile> {
    lock(file).take()
}

/// Finishes the files for results.
fn finish_files<const COUNT: usize>(files: [Option<ResultFile>; COUNT]) -> ExitStatus {
    let errors = files.into_iter().flatten().filter_map(|file| file.finish().err());
    errors.fold(ExitStatus::Success, |_, message| ExitStatus::Failure.with_error(message))
}

/// Plays a game, prints faults, and logs all calls.
fn play_logged(
    board: Board,
    options: &RefereeOptions,
    workspace: &Arc<Workspace>,
    log: &SharedFile,
) -> Result<Vec<PlayerResult>, String> {
    let limits = (options.time, options.policy);
    let game = Match::new(board, options.penguins, limits, &options.contestants, any_seed(), workspace);
    let results = game.map_err(|error| error.to_string())?.play(|call| {
        let line = log_line(&call);
        if let Outcome::Fault(_) = call.outcome {
            print_error(&line);
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

fn play_tournament(options: &TournamentOptions) -> ExitStatus {
    let files = match ResultFile::open_all([options.csv.as_deref(), options.json.as_deref()], || ()) {
        Ok(files) => files,
        Err(message) => return ExitStatus::Failure.with_error(message),
    };
    let tournament = &options.tournament;
    let output = Arc::new(TournamentOutput {
        tournament: tournament.clone(),
        results: Mutex::default(),
        files: Mutex::new(Some(files)),
    });
    let shared = Arc::clone(&output);
    let jobs = tournament.jobs();
    let programs = tournament.contestants.len() * jobs;
    let finish = move || {
        shared.report();
    };
    let workspace = match prepare_for_programs(programs, jobs == 1, options.isolates, finish) {
        Ok(workspace) => workspace,
        Err(status) => return status,
    };
    let games = tournament.games();
    let progress = |played: u64| {
        // About twenty lines in total.
        if played == games || played.is_multiple_of(games.div_ceil(20)) {
            print_error(format_args!("{played} of {games} games"));
        }
    };
    let played = tournament.play(&workspace, &output.results, progress);
    kill_descendants();
    match played {
        Ok(()) => output.report(),
        Err(error) => {
            output.report();
            ExitStatus::Failure.with_error(error)
        }
    }
}

/// The results of a tournament and the files for them. A signal reports those of the games finished by then.
struct TournamentOutput {
    tournament: Tournament,
    results: Mutex<GameResults>,
    /// The files for CSV and JSON, until they are written.
    files: Mutex<Option<[Option<ResultFile>; 2]>>,
}

impl TournamentOutput {
    /// Writes the files and prints the table, once: of the games that are finished, if there are any.
    fn report(&self) -> ExitStatus {
        let results = lock(&self.results);
        let Some([mut csv, mut json]) = lock(&self.files).take() else { return ExitStatus::Success };
        if results.is_empty() {
            return ExitStatus::Success;
        }
        let standings = self.tournament.standings(&results);
        if let Some(file) = &mut csv {
            file.write(&report::csv(&self.tournament, &results));
        }
        if let Some(file) = &mut json {
            file.write(&report::json(&self.tournament, &standings, results.len() as u64));
        }
        let is_stdout_free = ![&csv, &json].into_iter().flatten().any(ResultFile::is_stdout);
        let written = finish_files([csv, json]);
        if results.len() as u64 != self.tournament.games() {
            print_error(format_args!("interrupted after {} of {} games", results.len(), self.tournament.games()));
        }
        let text = table(&standings);
        if is_stdout_free {
            return written.and(print(text.as_bytes()));
        }
        // There is nowhere to report a failure to.
        let _ = io::stderr().write_all(text.as_bytes());
        written
    }
}

fn play_at_the_terminal(options: &PlayOptions) -> ExitStatus {
    let board = match &options.board {
        Some(path) => read_board(path).map_err(|message| ExitStatus::InvalidInput.with_error(message)),
        None => generate(options.spec, options.seed.unwrap_or_else(any_seed))
            .map_err(|error| ExitStatus::Failure.with_error(error)),
    };
    match board {
        Ok(board) => terminal::play(board, options),
        Err(status) => status,
    }
}
