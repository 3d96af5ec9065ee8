//! Running a command line.

use std::ffi::OsString;
use std::process::ExitCode;

use constructor_common::frame::{self, Failure, Io};

use super::options::{CliRequest, ParseExit, parse, version};
use super::{archive, bots, join, serve, simulations, text_game};

/// The exit status after a usage error.
const USAGE_ERROR: u8 = 2;

/// Runs the program with these arguments. The first argument is the program's name. Returns the exit status: 0 when a game or its input
/// ended; 1 when a file could not be read or is not valid, or a standard stream failed; 2 after a usage error.
///
/// A signal exits with 128 plus its number. `commit` is what the program was built from, for `constructor version`.
pub fn run(args: impl IntoIterator<Item = OsString>, commit: Option<&str>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let status = bots::lead_if_asked(&args);
    ExitCode::from(status.unwrap_or_else(|| frame::run(env!("CARGO_PKG_NAME"), |io| run_command(io, args, commit))))
}

fn run_command(io: &Io, args: Vec<OsString>, commit: Option<&str>) -> Result<u8, Failure> {
    let program = args.first().cloned();
    let request = match parse(args) {
        Ok(request) => request,
        Err(ParseExit::Info(text)) => return Ok(io.print(text.as_bytes()).map(|()| 0)?),
        Err(ParseExit::UsageError(text)) => {
            io.voice.say_lines(text);
            return Ok(USAGE_ERROR);
        }
    };
    // The plain game may save a game even to the file that standard error goes to, as the course's programs may.
    let is_plain = matches!(&request, CliRequest::Play(game, false) if game.record.is_none() && game.players.is_none());
    if !is_plain {
        io.files.claim_stderr();
    }
    match request {
        CliRequest::Play(options, extras) => text_game::play(io, &options, extras),
        #[cfg(feature = "tui")]
        CliRequest::Tui(options) => super::screen::run(io, *options),
        CliRequest::Serve(options) => serve::serve(io, &options),
        CliRequest::Join(options) => join::join(io, &options),
        CliRequest::Simulate(options) => simulations::simulate(io, &options),
        CliRequest::Tournament(options) => simulations::tournament(io, &options),
        CliRequest::Merge(options) => simulations::merge(io, &options),
        CliRequest::Bench(options) => simulations::bench(io, &options),
        CliRequest::Replay(options) => archive::replay(io, &options),
        CliRequest::Analyse(options) => archive::analyse(io, &options),
        CliRequest::Board(options) => archive::board(io, &options),
        CliRequest::Games(options) => match archive::games(io, &options)? {
            Some(command) => run_command(io, program.into_iter().chain(command).collect(), commit),
            None => Ok(0),
        },
        CliRequest::Version => {
            let commit = commit.filter(|commit| !commit.is_empty()).unwrap_or("unknown");
            let features = if cfg!(feature = "tui") { "cli, serde, tui" } else { "cli, serde" };
            Ok(io.print(format!("{}commit: {commit}\nfeatures: {features}\n", version()).as_bytes()).map(|()| 0)?)
        }
    }
}
