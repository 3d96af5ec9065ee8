//! Running `board`.

use std::process::ExitCode;

use constructor_common::output;
use constructor_common::result_file::ResultFile;

use super::cli::{BoardOptions, Start};
use super::exit_with_error;
use super::open_game::open_session;
use crate::report::board_svg;
use crate::text::{Dialogue, Output, TurnCommand};

/// Draws a board as text or as a picture.
#[must_use]
pub fn run_board(options: BoardOptions) -> ExitCode {
    match draw(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit_with_error(error),
    }
}

fn draw(options: BoardOptions) -> Result<(), String> {
    let input = match &options.start {
        Start::Load(path) | Start::Board(path) => Some(path.as_path()),
        Start::RandomBoard | Start::Default => None,
    };
    ResultFile::refuse_inputs(input, &[options.svg.as_deref()])?;
    let (_, session) = open_session(options.start, options.edition, options.seed).map_err(|error| error.to_string())?;
    if options.svg.is_some() {
        let [file] = ResultFile::open_all([options.svg.as_deref()], || {})?;
        let Some(mut file) = file else { return Ok(()) };
        file.write(&board_svg(options.edition, session.game()));
        return file.finish();
    }
    let mut out = Output::default();
    Dialogue::of(options.edition, session).write_info(TurnCommand::Board, &mut out);
    output::print(out.bytes())
}
