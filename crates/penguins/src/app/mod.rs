//! The program: command line, files, standard streams and exit status.

pub mod cli;
mod one_turn;
pub mod terminal;

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use constructor_common::atomic_file::AtomicFile;
use constructor_common::{display_path, io_error_text, output};

use self::cli::{GenerateOptions, PlayOptions, RefereeOptions, Request, TurnOptions, USAGE};
use self::one_turn::{deadline, read_state, take_turn_on_files};
use crate::board::{Board, Field};
use crate::game::{Action, Phase};
use crate::generate::generate;
use crate::players::Player;
use crate::players::engine::Engine;
use crate::referee::program::adopt_orphans;
use crate::referee::{CallReport, Match, Outcome, PlayerResult, SetupError};
use crate::state_file;
use crate::tournament::{Tournament, align_columns, table};

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
        Ok(Request::Tournament(tournament)) => play_tournament(&tournament),
        Ok(Request::Play(options)) => play_at_the_terminal(&options),
        Err(error) => {
            print_error(error);
            // A failure to print has nowhere to be reported.
            let _ = io::stderr().write_all(USAGE.as_bytes());
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
    now.as_secs() ^ u64::from(now.subsec_nanos()) << 32 ^ u64::from(std::process::id())
}

fn generate_board(options: &GenerateOptions) -> ExitStatus {
    match generate(options.spec, options.seed.unwrap_or_else(any_seed)) {
        Ok(board) => one_turn::write(&options.output, &state_file::write(&board, []), ExitStatus::Success),
        Err(error) => ExitStatus::Failure.with_error(error),
    }
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
    adopt_orphans();
    let played = thread::scope(|scope| {
        let log = &mut log;
        // Orphans are children of the main thread, so it must not start programs itself.
        let play = move || play_logged(board, options, log.as_mut());
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
    mut log: Option<&mut AtomicFile>,
) -> Result<(Vec<PlayerResult>, Option<io::Error>), SetupError> {
    let game = Match::new(board, options.penguins, (options.time, options.policy), &options.contestants, any_seed())?;
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

fn play_tournament(tournament: &Tournament) -> ExitStatus {
    adopt_orphans();
    let games = tournament.games();
    let progress = |played: u64| {
        // About twenty lines in total.
        if played == games || played.is_multiple_of(games.div_ceil(20)) {
            print_error(format_args!("{played} of {games} games"));
        }
    };
    match tournament.play(progress) {
        Ok(standings) => print(table(&standings).as_bytes()),
        Err(error) => ExitStatus::Failure.with_error(error),
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
