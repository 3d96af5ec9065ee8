//! Where the conversation meets the outside: lines are read, text is shown, games are saved.

mod simulation;
mod streams;
mod tuning;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

pub use self::simulation::run_simulation;
use self::streams::{Patient, Reader, Writer};
pub use self::tuning::run_tuning;
use crate::complaint::{complain, failure, reason, shown};
use crate::dialogue::{Dialogue, Flow};
use crate::external::Running;
use crate::line::Line;
use crate::save::BACKUP;
use crate::signals;
use crate::store;
use crate::table::{Followed, Table};

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

/// Holds the conversation on standard input and standard output to its end, and saves the game when it is cut off, be it
/// by a signal.
#[must_use]
pub fn play(dialogue: Dialogue, mut table: Table) -> ExitCode {
    let streams = (io::stdin().as_fd().try_clone_to_owned(), io::stdout().as_fd().try_clone_to_owned());
    let (input, output) = match streams {
        (Ok(input), Ok(output)) => (File::from(input), File::from(output)),
        (Err(error), _) | (_, Err(error)) => {
            return failure(format_args!("no standard input or output: {}", reason(&error)));
        }
    };
    let dialogue = Arc::new(Mutex::new(dialogue));
    let shared = Arc::clone(&dialogue);
    let running = Running::default();
    let programs = running.clone();
    let watched = signals::watch(move |status| {
        let dialogue = shared.lock();
        save(Path::new(BACKUP), &dialogue);
        let _ended = programs.end_all();
        process::exit(status.into());
    });
    if let Err(error) = watched {
        complain(format_args!("the game will not be saved when a signal ends it: {}", reason(&error)));
    }
    if let Err(no_player) = table.start_programs(&running) {
        return failure(no_player);
    }
    let transcript = output.metadata().ok();
    let save_as_asked = |path: &Path, dialogue: &Dialogue| match &transcript {
        Some(transcript) if is_at(path, transcript) => {
            complain(format_args!("{}: not saved: this is where the output goes", shown(path)));
        }
        _ => save(path, dialogue),
    };
    let mut held = dialogue.lock();
    let end = converse(&mut held, &mut table, Patient(input), Patient(output), save_as_asked);
    if end.is_err() {
        save(Path::new(BACKUP), &held);
    }
    // No signal saves again what has been saved, or is over, while the program ends.
    std::mem::forget(held);
    match end {
        Ok(()) | Err(CutOff::InputEnded) => ExitCode::SUCCESS,
        Err(CutOff::OutputFailed(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CutOff::InputFailed(error)) => failure(format_args!("standard input: {}", reason(&error))),
        Err(CutOff::OutputFailed(error)) => failure(format_args!("standard output: {}", reason(&error))),
    }
}

fn save(path: &Path, dialogue: &Dialogue) {
    if let Err(unwritten) = store::write(path, dialogue.saved_game().as_bytes()) {
        complain(format_args!("{}: {unwritten}", shown(path)));
    }
}

/// Whether the path leads to the regular file of which this is known.
fn is_at(path: &Path, known: &fs::Metadata) -> bool {
    known.is_file() && fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (known.dev(), known.ino()))
}

/// A dialogue in our hands, that may be let go of for others while a person is waited for.
pub trait Held {
    /// The dialogue.
    fn dialogue(&mut self) -> &mut Dialogue;

    /// Does what may take long, and holds the dialogue again when that is done.
    fn let_go<T>(&mut self, wait: impl FnOnce() -> T) -> T;
}

/// A dialogue that nobody else wants.
impl Held for Dialogue {
    fn dialogue(&mut self) -> &mut Dialogue {
        self
    }

    fn let_go<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        wait()
    }
}

/// A dialogue that another thread may take hold of.
impl Held for MutexGuard<'_, Dialogue> {
    fn dialogue(&mut self) -> &mut Dialogue {
        self
    }

    fn let_go<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        MutexGuard::unlocked(self, wait)
    }
}

/// Holds the conversation on any streams, and has the computer players at the table answer for themselves. `save` is
/// asked to save the game to a file whenever a player wishes it. While input, output or a computer player is waited for,
/// the dialogue is let go of.
///
/// # Errors
/// What cut the conversation off, unless the players ended it.
///
/// ```
/// use constructor::board::RandomLayout;
/// use constructor::dialogue::Dialogue;
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::table::Table;
/// use constructor::terminal::{CutOff, converse};
/// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
/// let mut output = Vec::new();
/// let persons = &mut Table::of_persons(&CONSTRUCTOR);
/// let end = converse(&mut dialogue, persons, b"0 4\n".as_slice(), &mut output, |_, _| {});
/// assert!(matches!(end, Err(CutOff::InputEnded)));
/// assert!(output.ends_with(b"Builder Orange, where do you want to build a basement?\n> "));
/// ```
pub fn converse(
    held: &mut impl Held,
    table: &mut Table,
    input: impl Read,
    output: impl Write,
    mut save: impl FnMut(&Path, &Dialogue),
) -> Result<(), CutOff> {
    let mut reader = Reader::new(input);
    let mut writer = Writer::new(output);
    if table.has_programs() {
        writer.keep_heard();
    }
    // Most games are, and then nothing has to be asked of the table for each answer.
    let is_plain = table.is_plain();
    held.dialogue().begin(&mut writer.text);
    loop {
        writer.prompt(held)?;
        if !is_plain && hear_computers(held, table, &mut writer)? == Flow::End {
            return writer.show(held);
        }
        let mut line = reader.line(&mut writer, held)?;
        loop {
            let flow = if is_plain {
                held.dialogue().answer(&mut line, &mut writer.text)
            } else {
                hear_person(held, table, &mut line, &mut writer)
            };
            match flow {
                Flow::Continue => {}
                Flow::Save(file) => {
                    writer.show(held)?;
                    save(Path::new(OsStr::from_bytes(file)), held.dialogue());
                }
                Flow::End => return writer.show(held),
            }
            if line.is_blank() {
                break;
            }
            writer.prompt(held)?;
            // What else was typed is for the next question that a person is asked.
            if !is_plain && hear_computers(held, table, &mut writer)? == Flow::End {
                return writer.show(held);
            }
        }
    }
}

/// Has the table follow a further command, or the dialogue take an answer, and keeps what was typed for programs.
fn hear_person<'l>(
    held: &mut impl Held,
    table: &mut Table,
    line: &mut Line<'l>,
    writer: &mut Writer<impl Write>,
) -> Flow<'l> {
    let before = line.clone();
    writer.hear();
    let dialogue = held.dialogue();
    let flow = match table.follow(dialogue, line, &mut writer.text) {
        Followed::No => dialogue.answer(line, &mut writer.text),
        Followed::Yes => Flow::Continue,
        Followed::Hint(question) => {
            held.let_go(|| table.hint(&question, &mut writer.text));
            Flow::Continue
        }
    };
    let used = before.clone().count() - line.clone().count();
    writer.hear_typed(before.take(used));
    flow
}

/// Has the computer players answer until a person is asked, and shows their answers as if they were typed.
fn hear_computers(
    held: &mut impl Held,
    table: &mut Table,
    writer: &mut Writer<impl Write>,
) -> Result<Flow<'static>, CutOff> {
    loop {
        let question = held.dialogue().question();
        table.show(&question);
        if !table.is_for_computer(&question) {
            return Ok(Flow::Continue);
        }
        writer.show(held)?;
        let heard = writer.heard();
        let Some(answer) = held.let_go(|| table.answer(&question, heard)) else { return Ok(Flow::Continue) };
        writer.text.put(&answer).end();
        if held.dialogue().answer(&mut Line::new(answer.as_bytes()), &mut writer.text) == Flow::End {
            return Ok(Flow::End);
        }
        writer.prompt(held)?;
    }
}

/// Prints the text; that nobody reads it is no failure.
pub(crate) fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {}", reason(&error))),
        _ => Ok(()),
    }
}
