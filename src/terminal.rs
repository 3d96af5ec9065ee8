//! Where the conversation meets the outside: lines are read, text is shown, games are saved.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use crate::dialogue::{Dialogue, Flow, Text};
use crate::line::{LONGEST, Line};
use crate::save::BACKUP;
use crate::start::shown;
use crate::store;

const PROMPT: &str = "> ";

/// How much is read at a time, and how much text is gathered before it is shown.
const CHUNK: usize = 1 << 16;

/// What cut a conversation off before the players ended it.
#[derive(Debug)]
pub enum CutOff {
    /// There is no more input.
    InputEnded,
    /// Input cannot be read.
    InputFailed(io::Error),
    /// Text cannot be shown.
    OutputFailed(io::Error),
}

/// Holds the conversation on standard input and standard output to its end, and saves the game when it is cut off.
#[must_use]
pub fn play(mut dialogue: Dialogue) -> ExitCode {
    let streams = (io::stdin().as_fd().try_clone_to_owned(), io::stdout().as_fd().try_clone_to_owned());
    let (input, output) = match streams {
        (Ok(input), Ok(output)) => (File::from(input), File::from(output)),
        (Err(error), _) | (_, Err(error)) => {
            complain(format_args!("no standard input or output: {}", store::reason(&error)));
            return ExitCode::FAILURE;
        }
    };
    let Err(cut_off) = converse(&mut dialogue, input, output, save) else { return ExitCode::SUCCESS };
    save(Path::new(BACKUP), &dialogue);
    match cut_off {
        CutOff::InputEnded => ExitCode::SUCCESS,
        CutOff::OutputFailed(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        CutOff::InputFailed(error) => {
            complain(format_args!("standard input: {}", store::reason(&error)));
            ExitCode::FAILURE
        }
        CutOff::OutputFailed(error) => {
            complain(format_args!("standard output: {}", store::reason(&error)));
            ExitCode::FAILURE
        }
    }
}

fn save(path: &Path, dialogue: &Dialogue) {
    if let Err(error) = store::write(path, dialogue.saved_game().as_bytes()) {
        complain(format_args!("{}: not saved: {}", shown(path), store::reason(&error)));
    }
}

/// Holds the conversation on any streams. `save` is asked to save the game to a file whenever a player wishes it.
///
/// # Errors
/// What cut the conversation off, unless the players ended it.
///
/// ```
/// use constructor::board::RandomLayout;
/// use constructor::dialogue::Dialogue;
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::terminal::{CutOff, converse};
/// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
/// let mut output = Vec::new();
/// let end = converse(&mut dialogue, b"0 4\n".as_slice(), &mut output, |_, _| {});
/// assert!(matches!(end, Err(CutOff::InputEnded)));
/// assert!(output.ends_with(b"Builder Orange, where do you want to build a basement?\n> "));
/// ```
pub fn converse(
    dialogue: &mut Dialogue,
    input: impl Read,
    output: impl Write,
    mut save: impl FnMut(&Path, &Dialogue),
) -> Result<(), CutOff> {
    let mut reader = Reader::new(input);
    let mut writer = Writer::new(output);
    dialogue.begin(&mut writer.text);
    loop {
        writer.prompt()?;
        let mut line = reader.line(&mut writer)?;
        loop {
            match dialogue.answer(&mut line, &mut writer.text) {
                Flow::Continue => {}
                Flow::Save(file) => {
                    writer.show()?;
                    save(Path::new(OsStr::from_bytes(file)), dialogue);
                }
                Flow::End => return writer.show(),
            }
            if line.is_blank() {
                break;
            }
            writer.prompt()?;
        }
    }
}

/// Shows the text when there is a lot of it, and whenever it is told to.
struct Writer<W> {
    output: W,
    text: Text,
}

impl<W: Write> Writer<W> {
    fn new(output: W) -> Self {
        Self { output, text: Text::with_capacity(CHUNK + CHUNK / 8) }
    }

    fn prompt(&mut self) -> Result<(), CutOff> {
        self.text.put(PROMPT);
        if self.text.bytes().len() < CHUNK { Ok(()) } else { self.show() }
    }

    fn show(&mut self) -> Result<(), CutOff> {
        let shown = self.output.write_all(self.text.bytes()).and_then(|()| self.output.flush());
        self.text.clear();
        shown.map_err(CutOff::OutputFailed)
    }
}

/// Reads lines, and has the text shown before more input is waited for.
struct Reader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Reader<R> {
    fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(CHUNK, input), line: Vec::new() }
    }

    /// The next line. Of one that is too long only so much is kept that it can be told.
    fn line(&mut self, writer: &mut Writer<impl Write>) -> Result<Line<'_>, CutOff> {
        const KEPT: usize = LONGEST + "\r\n".len() + 1;
        self.line.clear();
        loop {
            if self.input.buffer().is_empty() {
                writer.show()?;
            }
            let available = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available.map_err(CutOff::InputFailed)?,
            };
            let end = available.iter().position(|&byte| byte == b'\n').map(|newline| newline + 1);
            let used = end.unwrap_or(available.len());
            let room = KEPT.saturating_sub(self.line.len());
            self.line.extend_from_slice(&available[..used.min(room)]);
            self.input.consume(used);
            if self.line.is_empty() {
                return Err(CutOff::InputEnded);
            }
            if end.is_some() || used == 0 {
                return Ok(Line::new(&self.line));
            }
        }
    }
}

/// Says on standard error, on a line of its own, what went wrong.
pub(crate) fn complain(what: fmt::Arguments<'_>) {
    // There is nobody left to tell when this cannot be shown.
    let _ = writeln!(io::stderr(), "{}: {what}", env!("CARGO_PKG_NAME"));
}
