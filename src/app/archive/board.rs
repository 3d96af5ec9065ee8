//! Running `board`.

use constructor_common::frame::{Failure, Io};

use crate::app::options::BoardOptions;
use crate::app::play::open_session;
use crate::report::board_svg;
use crate::text::{Dialogue, Output, TurnCommand};

/// Draws a board as text or as a picture.
///
/// # Errors
/// When a file cannot be read or written.
pub fn board(io: &Io, options: &BoardOptions) -> Result<u8, Failure> {
    let opened = open_session(io, &options.start(), options.edition, options.seed);
    let (_, session) = opened?;
    if let [Some(mut file)] = io.files.results([options.svg.as_deref()])? {
        file.write(&board_svg(options.edition, session.game()));
        file.finish()?;
        return Ok(0);
    }
    let mut out = Output::default();
    Dialogue::of(options.edition, session).write_info(TurnCommand::Board, &mut out);
    io.print(out.bytes())?;
    Ok(0)
}
