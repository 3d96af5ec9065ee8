//! The program: command line, files, standard streams and exit status.

pub mod cli;
mod one_turn;
pub mod terminal;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{fmt, process, thread};

use constructor_common::atomic_file::AtomicFile;
use constructor_common::process::adopt_orphans;
use constructor_common::{display_path, io_error_text, output, signals};

use self::cli::{GenerateOptions, PlayOptions, RefereeOptions, Request, TournamentOptions, TurnOptions, USAGE};
use self::one_turn::{deadline, read_state, take_turn_on_files};
use crate::board::{Board, Field};
use crate::game::{Action, Phase};
use crate::generate::generate;
use crate::players::Player;
use crate::players::engine::Engine;
use crate::referee::program::{Workspace, end_all};
use crate::referee::{CallReport, Match, Outcome, PlayerResult, SetupError, sandbox};
use crate::state_file;
use crate::tournament::{align_columns, report, table};

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
    let _ = signals::block_file_size_signal();
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
/// all programs and removes it.
fn prepare_for_programs(programs: usize, is_sequential: bool, isolates: bool) -> Result<Arc<Workspace>, ExitStatus> {
    let failure = |error| {
        let reason = io_error_text(&error);
        ExitStatus::Failure.with_error(format_args!("cannot create a directory for the programs: {reason}"))
    };
    let workspace = Arc::new(Workspace::new(programs, is_sequential).map_err(failure)?);
    let path = workspace.path().to_owned();
    let waiting = signals::on_termination(move |status| {
        end_all(&path);
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
    let log_name = options.log.as_deref().map(display_path).unwrap_or_default();
    let mut log = match options.log.as_deref().map(AtomicFile::create).transpose() {
        Ok(log) => log,
        Err(error) => {
            return ExitStatus::Failure.with_error(format_args!("{log_name}: {}", io_error_text(&error)));
        }
    };
    let workspace = match prepare_for_programs(options.contestants.len(), true, options.isolates) {
        Ok(workspace) => workspace,
        Err(status) => return status,
    };
    let played = thread::scope(|scope| {
        let (log, workspace) = (&mut log, &workspace);
        // Orphans are children of the main thread, so it must not start programs itself.
        let play = move || play_logged(board, options, workspace, log.as_mut());
        thread::Builder::new().spawn_scoped(scope, play).map(thread::ScopedJoinHandle::join)
    });
    let (results, log_error) = match played {
        Ok(Ok(Ok(played))) => played,
        Ok(Ok(Err(error))) => return ExitStatus::Failure.with_error(error),
        Ok(Err(_)) | Err(_) => return ExitStatus::Failure.with_error("the game could not be played"),
    };
    if let Some(error) = log_error {
        return ExitStatus::Failure.with_error(format_args!("{log_name}: not saved: {}", io_error_text(&error)));
    }
    if let Some(Err(error)) = log.map(AtomicFile::commit) {
        return ExitStatus::Failure.with_error(format_args!("{log_name}: {error}"));
    }
    print(result_table(results).as_bytes())
}

/// Plays a game, prints faults, and logs all calls. Returns the results and the last error of writing the log.
fn play_logged(
    board: Board,
    options: &RefereeOptions,
    workspace: &Arc<Workspace>,
    mut log: Option<&mut AtomicFile>,
) -> Result<(Vec<PlayerResult>, Option<io::Error>), SetupError> {
    let limits = (options.time, options.policy);
    let game = Match::new(board, options.penguins, limits, &options.contestants, any_seed(), workspace)?;
    let log_error = RefCell::new(None);
    let results = game.play(|call| {
        let line = log_line(&call);
        if let Outcome::Fault(_) = call.outcome {
            print_error(&line);
        }
        if let Some(Err(error)) = log.as_mut().map(|log| writeln!(log, "{line}")) {
            log_error.replace(Some(error));
        }
    });
    Ok((results, log_error.into_inner()))
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
    let tournament = &options.tournament;
    let open = |path: &Option<PathBuf>| path.as_deref().map(ResultFile::create).transpose();
    let (csv, json) = match open(&options.csv).and_then(|csv| Ok((csv, open(&options.json)?))) {
        Ok(files) => files,
        Err(message) => return ExitStatus::Failure.with_error(message),
    };
    let jobs = tournament.jobs();
    let programs = tournament.contestants.len() * jobs;
    let workspace = match prepare_for_programs(programs, jobs == 1, options.isolates) {
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
    let results = match tournament.play(&workspace, progress) {
        Ok(results) => results,
        Err(error) => return ExitStatus::Failure.with_error(error),
    };
    let standings = tournament.standings(&results);
    let written = [
        csv.map(|file| file.write(&report::csv(tournament, &results))),
        json.map(|file| file.write(&report::json(tournament, &standings))),
    ];
    let printed = print(table(&standings).as_bytes());
    written
        .into_iter()
        .flatten()
        .filter_map(Result::err)
        .fold(printed, |_, message| ExitStatus::Failure.with_error(message))
}

/// A file for results, which is opened before the first game.
struct ResultFile {
    name: String,
    file: AtomicFile,
}

impl ResultFile {
    fn create(path: &Path) -> Result<Self, String> {
        let name = display_path(path);
        match AtomicFile::create(path) {
            Ok(file) => Ok(Self { name, file }),
            Err(error) => Err(format!("{name}: {}", io_error_text(&error))),
        }
    }

    fn write(mut self, text: &str) -> Result<(), String> {
        let written = self.file.write_all(text.as_bytes()).map_err(Into::into).and_then(|()| self.file.commit());
        written.map_err(|error| format!("{}: {error}", self.name))
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
