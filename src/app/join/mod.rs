//! Joining a table over the network: as text, with a program, or on the full screen.

mod input;
mod program;
mod text;

#[cfg(feature = "tui")]
use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal};

use constructor_common::frame::{Failure, Io};
use constructor_common::io_error_text;
use constructor_common::streams::stdin;

use self::input::read_line;
use crate::app::options::JoinOptions;
#[cfg(feature = "tui")]
use crate::app::options::{CliRequest, TuiOptions, parse};
use crate::app::remote::Link;

/// Returns the options of the full screen at a table. Nothing is recorded there.
#[cfg(feature = "tui")]
fn screen() -> Result<TuiOptions, String> {
    let line: Vec<OsString> = [env!("CARGO_PKG_NAME"), "tui", "-no-record"].map(Into::into).to_vec();
    match parse(line) {
        Ok(CliRequest::Tui(options)) => Ok(*options),
        // Tests check the definition of the options.
        _ => Err("this program has no full screen".to_owned()),
    }
}

/// Joins the table of the link that is asked for, and plays until the player leaves.
///
/// # Errors
/// When there is no such table, or a stream fails.
pub fn join(io: &Io, options: &JoinOptions) -> Result<u8, Failure> {
    let is_terminal = io::stdin().is_terminal();
    if options.link.is_none() && !is_terminal {
        return Err("standard input is no terminal; join - reads the link from it".to_owned().into());
    }
    let input = stdin().map_err(|error| format!("standard input: {}", io_error_text(&error)))?;
    let mut input = BufReader::new(input);
    if options.link.is_none() {
        io.print(b"Your link: ")?;
    }
    let typed = read_line(&mut input).map_err(|error| format!("standard input: {}", io_error_text(&error)))?;
    if options.link.is_none() {
        // The link is a secret: it does not stay on the screen.
        io.print(b"\x1b[1A\r\x1b[2K")?;
    }
    let link = Link::parse(&typed.unwrap_or_default())?;
    match &options.player {
        Some(command) => program::play(io, link, command, options.budget.limit()),
        #[cfg(feature = "tui")]
        None if !options.text && is_terminal => crate::app::screen::join(io, link, screen()?),
        None => text::play(io, link, input, is_terminal),
    }
}
