//! The program: everything that touches files, streams, signals, processes and the command line.

mod analyse;
mod backup;
mod board;
pub mod bots;
mod calibrate;
pub mod cli;
mod extra_commands;
mod merge;
pub mod open_game;
mod progress;
pub mod recorder;
pub mod replay;
#[cfg(feature = "tui")]
pub mod screen;
pub mod seats;
mod simulate;
mod streams;
pub mod terminal;
mod tournament;
mod tune;

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use constructor_common::{io_error_text, output, signals};

use self::backup::Backup;
use self::cli::{Request, Start, Stop};
use self::recorder::{CommonHeader, Recorder};
use self::seats::Seats;

pub use self::backup::BACKUP;

/// The exit status after a usage error.
const USAGE_ERROR: u8 = 2;

/// Runs the program with these arguments, the program's name first, and returns its exit status: 0 when a game or its input
/// ended, 1 when a file could not be read or is not valid or a standard stream failed, 2 for a usage error. A signal exits with
/// 128 plus its number.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    // If this fails, a file that exceeds the limit ends the program, as usual.
    let _ = signals::catch_file_size_signal();
    match cli::parse(args) {
        Ok(Request::Play(options)) => play(&options),
        #[cfg(feature = "tui")]
        Ok(Request::Tui(options)) => screen::run(*options),
        Ok(Request::Simulate(options)) => open_game::open_simulation(&options)
            .map_or_else(exit_with_error, |simulation| simulate::run_simulation(&simulation, &options)),
        Ok(Request::Tournament(options)) => tournament::run_tournament(&options),
        Ok(Request::Analyse(options)) => analyse::run_analysis(&options),
        Ok(Request::Board(options)) => board::run_board(options),
        Ok(Request::Merge(options)) => merge::run_merge(&options),
        Ok(Request::Bench { only_signature }) => merge::run_bench(only_signature),
        Ok(Request::Replay(options)) => replay::run_replay(&options),
        Ok(Request::Calibrate(options)) => calibrate::run_calibration(&options),
        Ok(Request::Tune(options)) => tune::run_tuning(&options),
        Err(Stop::Info(text)) => output::print(text.as_bytes()).map_or_else(exit_with_error, |()| ExitCode::SUCCESS),
        Err(Stop::UsageError(text)) => {
            // There is nowhere to report a failure to.
            let _ = io::stderr().write_all(text.as_bytes());
            ExitCode::from(USAGE_ERROR)
        }
    }
}

fn play(options: &cli::Options) -> ExitCode {
    let seed = match options.seed {
        Some(seed) => seed,
        None => match draw_seed() {
            Ok(seed) => {
                // So that the game can be played again.
                print_error(format_args!("using -seed {seed}"));
                seed
            }
            Err(error) => return exit_with_error(error),
        },
    };
    let seats =
        Seats::new(options.edition, options.players.clone(), options.budget.clone(), seed).with_trades(options.trades);
    let seats = if options.extras { seats.with_extra_commands() } else { seats };
    let backup = Backup::new(options);
    let dialogue = match open_game::open_dialogue(options, seed) {
        Ok(dialogue) => dialogue,
        Err(error) => return exit_with_error(error),
    };
    let mut recorder = match options.record.as_deref().map(|path| Recorder::open(path, print_error)).transpose() {
        Ok(recorder) => recorder,
        Err(error) => return exit_with_error(error),
    };
    if let Some(recorder) = &mut recorder {
        recorder.set_header(CommonHeader::of(options, seed));
    }
    let is_loaded = matches!(options.start, Start::Load(_));
    terminal::play(dialogue, seats, recorder, is_loaded, backup)
}

/// Draws a seed from the system's generator.
fn draw_seed() -> Result<u64, String> {
    let mut bytes = [0; 8];
    let read = File::open("/dev/urandom").and_then(|mut random| random.read_exact(&mut bytes));
    read.map_err(|error| format!("no random seed: {}", io_error_text(&error)))?;
    Ok(u64::from_le_bytes(bytes))
}

/// Prints a message on standard error, after the program's name.
fn print_error(message: impl fmt::Display) {
    output::print_error(env!("CARGO_PKG_NAME"), message);
}

/// Prints a message on standard error and returns the exit status of a failure.
fn exit_with_error(message: impl fmt::Display) -> ExitCode {
    print_error(message);
    ExitCode::FAILURE
}
