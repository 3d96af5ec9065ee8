//! The loop of the text game: lines are read, text is shown, games are saved.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use constructor_common::{atomic_file, display_path, escape, io_error_text, output, signals};
use parking_lot::{Mutex, MutexGuard};

use super::backup::Backup;
use super::bots::{Answered, ProcessGroups};
use super::extra_commands::{ExtraCommand, run_extra_command};
use super::recorder::Recorder;
use super::seats::Seats;
use super::streams::{Reader, RetryOnWouldBlock, Writer};
use super::{exit_with_error, print_error};
use crate::session::Decision;
use crate::text::words::Words;
use crate::text::{Dialogue, Flow, Output};

/// Why a loop ended before the players ended it.
#[derive(Debug)]
pub enum LoopEnd {
    /// The input ended.
    InputEnded,
    /// Reading failed.
    InputFailed(io::Error),
    /// Writing failed.
    OutputFailed(io::Error),
}

/// Plays on standard input and output until the players end it. Saves the game if the input
/// ends, a stream fails or a signal arrives before that.
#[must_use]
pub(super) fn play(
    dialogue: Dialogue,
    mut seats: Seats,
    mut recorder: Option<Recorder>,
    is_loaded: bool,
    backup: Backup,
) -> ExitCode {
    let streams = (io::stdin().as_fd().try_clone_to_owned(), io::stdout().as_fd().try_clone_to_owned());
    let (input, output) = match streams {
        (Ok(input), Ok(output)) => (File::from(input), File::from(output)),
        (Err(error), _) | (_, Err(error)) => {
            return exit_with_error(format_args!("no standard input or output: {}", io_error_text(&error)));
        }
    };
    let table = Arc::new(Table { dialogue: Mutex::new(dialogue), backup, has_ended: AtomicBool::new(false) });
    let groups = ProcessGroups::default();
    let (shared, groups_to_kill) = (Arc::clone(&table), groups.clone());
    let waiting = signals::on_termination(move |status| {
        // Held until the exit, so that the game does not go on after it was saved.
        let dialogue = shared.dialogue.lock();
        let messages = shared.end(&dialogue, true);
        output::print_errors_or_give_up(env!("CARGO_PKG_NAME"), &messages);
        let _killed = groups_to_kill.kill_all();
        process::exit(status.into());
    });
    if let Err(error) = waiting {
        print_error(format_args!("the game will not be saved when a signal ends it: {}", io_error_text(&error)));
    }
    if let Err(error) = seats.start_programs(&groups) {
        drop(seats);
        drop(groups.kill_all());
        return exit_with_error(error);
    }
    if output.is_terminal() && env::var_os("TERM").is_some_and(|term| term != "dumb") {
        seats.show_thinkers();
    }
    let transcript = output.metadata().ok();
    let save = |path: &Path, dialogue: &Dialogue| {
        if transcript.as_ref().is_some_and(|transcript| atomic_file::is_same_file(path, transcript)) {
            return Err(format!("{}: not saved: this is where the output goes", display_path(path)));
        }
        let written = atomic_file::write(path, dialogue.saved_game().as_bytes());
        written.map_err(|error| format!("{}: {error}", display_path(path)))
    };
    let mut guard = table.dialogue.lock();
    if let Some(recorder) = &mut recorder {
        let session = guard.session();
        let saved = is_loaded.then(|| session.saved_game());
        recorder.begin(session.game(), saved.as_ref(), seats.players());
    }
    let (input, output) = (RetryOnWouldBlock(input), RetryOnWouldBlock(output));
    let end = run_loop(&mut guard, &mut seats, &mut recorder, input, output, save);
    let messages = table.end(&guard, end.is_err());
    output::print_errors_or_give_up(env!("CARGO_PKG_NAME"), &messages);
    // From here on a signal only ends the program.
    drop(guard);
    seats.end();
    drop(seats);
    drop(groups.kill_all());
    match end {
        Ok(()) | Err(LoopEnd::InputEnded) => ExitCode::SUCCESS,
        Err(LoopEnd::OutputFailed(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(LoopEnd::InputFailed(error)) => exit_with_error(format_args!("standard input: {}", io_error_text(&error))),
        Err(LoopEnd::OutputFailed(error)) => {
            exit_with_error(format_args!("standard output: {}", io_error_text(&error)))
        }
    }
}

/// What the game loop and the signal thread share.
struct Table {
    dialogue: Mutex<Dialogue>,
    backup: Backup,
    /// Whether the game is over or saved.
    has_ended: AtomicBool,
}

impl Table {
    /// Ends the game, once: saves it if `unfinished`. Returns what to tell the user.
    fn end(&self, dialogue: &Dialogue, unfinished: bool) -> Vec<String> {
        let saves = !self.has_ended.swap(true, Ordering::Relaxed) && unfinished;
        if saves { self.backup.save(dialogue) } else { Vec::new() }
    }
}

/// Access to the dialogue that can be released while blocking, so that the signal thread can save it.
pub trait SharedDialogue {
    /// The dialogue.
    fn dialogue(&mut self) -> &mut Dialogue;

    /// Runs something that may block, with the dialogue released.
    fn while_unlocked<T>(&mut self, block: impl FnOnce() -> T) -> T;
}

/// A dialogue that is not shared.
impl SharedDialogue for Dialogue {
    fn dialogue(&mut self) -> &mut Dialogue {
        self
    }

    fn while_unlocked<T>(&mut self, block: impl FnOnce() -> T) -> T {
        block()
    }
}

/// A dialogue that another thread can lock.
impl SharedDialogue for MutexGuard<'_, Dialogue> {
    fn dialogue(&mut self) -> &mut Dialogue {
        self
    }

    fn while_unlocked<T>(&mut self, block: impl FnOnce() -> T) -> T {
        MutexGuard::unlocked(self, block)
    }
}

/// Plays on any streams. Computer players answer for themselves. `save` is called when a player asks to save the game to a file; an
/// error message goes to standard error. With a recorder, the game is recorded. The dialogue is released while the loop waits for input, output or a computer player.
///
/// # Errors
/// Why it ended, unless the players ended it.
///
/// ```
/// use constructor::app::seats::Seats;
/// use constructor::app::terminal::{LoopEnd, run_loop};
/// use constructor::board::RandomLayout;
/// use constructor::text::{CONSTRUCTOR, Dialogue};
/// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
/// let mut output = Vec::new();
/// let seats = &mut Seats::all_human(&CONSTRUCTOR);
/// let end = run_loop(&mut dialogue, seats, &mut None, b"0 4\n".as_slice(), &mut output, |_, _| Ok(()));
/// assert!(matches!(end, Err(LoopEnd::InputEnded)));
/// assert!(output.ends_with(b"Builder Orange, where do you want to build a basement?\n> "));
/// ```
pub fn run_loop(
    shared: &mut impl SharedDialogue,
    seats: &mut Seats,
    recorder: &mut Option<Recorder>,
    input: impl Read,
    output: impl Write,
    mut save: impl FnMut(&Path, &Dialogue) -> Result<(), String>,
) -> Result<(), LoopEnd> {
    let mut reader = Reader::new(input);
    let mut writer = Writer::new(output);
    // The usual case, in which the seats need not be asked at each answer.
    let is_plain = seats.all_human_no_extras() && recorder.is_none();
    shared.dialogue().begin(&mut writer.text);
    seats.begin(shared.dialogue().game(), writer.text.bytes());
    loop {
        writer.prompt(shared)?;
        if !is_plain && play_bots(shared, seats, recorder, &mut writer)? == Flow::End {
            return writer.show(shared);
        }
        let mut words = reader.line(&mut writer, shared)?;
        loop {
            let flow = if is_plain {
                shared.dialogue().answer(&mut words, &mut writer.text)
            } else {
                handle_line(shared, seats, recorder, &mut words, &mut writer)
            };
            match flow {
                Flow::Continue | Flow::Refused => {}
                Flow::Save(file) => {
                    writer.show(shared)?;
                    // Not interrupted by a signal, unlike the message.
                    let saved = save(Path::new(OsStr::from_bytes(file)), shared.dialogue());
                    match saved {
                        Err(message) => shared.while_unlocked(|| print_error(message)),
                        Ok(()) if seats.has_extra_commands() => write_saved(file, &mut writer.text),
                        Ok(()) => {}
                    }
                }
                Flow::End => return writer.show(shared),
            }
            if words.is_blank() {
                break;
            }
            writer.prompt(shared)?;
            // The rest of the line answers the next question that a person is asked.
            if !is_plain && play_bots(shared, seats, recorder, &mut writer)? == Flow::End {
                return writer.show(shared);
            }
        }
    }
}

/// Writes that the game was saved in a file, as with the extra commands.
pub(super) fn write_saved(file: &[u8], out: &mut Output) {
    let name = escape(&String::from_utf8_lossy(file));
    out.put("Saved in ").put(&name).put(".").end();
}

/// Executes an extra command or answers the dialogue.
fn handle_line<'l>(
    shared: &mut impl SharedDialogue,
    seats: &mut Seats,
    recorder: &mut Option<Recorder>,
    words: &mut Words<'l>,
    writer: &mut Writer<impl Write>,
) -> Flow<'l> {
    let (before, start) = (words.clone(), writer.text.bytes().len());
    let dialogue = shared.dialogue();
    let decision = dialogue.session().decision();
    match run_extra_command(seats, dialogue, words, &mut writer.text) {
        ExtraCommand::None => return answer_and_tell(dialogue, seats, recorder, words, &mut writer.text).0,
        ExtraCommand::Done => {
            let game = dialogue.game();
            let typed = &before.text_up_to(words);
            // Of these commands, only `undo` changes the game.
            let is_undo = *game != decision.game;
            let answered = Answered {
                decision: &decision,
                game,
                typed,
                text: &writer.text.bytes()[start..],
                events: &[],
                is_refused: false,
                has_effect: is_undo,
                is_undo,
                played: None,
                faces: None,
            };
            seats.tell(&answered);
            if let Some(recorder) = recorder {
                // Who plays may have changed by it.
                recorder.typed(&answered);
                recorder.players(seats.players());
            }
        }
        ExtraCommand::Save(file) => {
            record_input(recorder, seats, &decision, &before.text_up_to(words));
            return Flow::Save(file);
        }
        ExtraCommand::Hint(asked) => {
            record_input(recorder, seats, &decision, &before.text_up_to(words));
            shared.while_unlocked(|| seats.hint(&asked, &mut writer.text));
        }
    }
    Flow::Continue
}

/// Records something that was typed and has no effect on the game.
fn record_input(recorder: &mut Option<Recorder>, seats: &Seats, decision: &Decision, typed: &str) {
    if let Some(recorder) = recorder {
        recorder.answered(&Answered::without_effect(decision, typed), seats.players());
    }
}

/// Answers the dialogue, records that, and reports it to the programs. Returns also the words that were used.
fn answer_and_tell<'l>(
    dialogue: &mut Dialogue,
    seats: &mut Seats,
    recorder: &mut Option<Recorder>,
    words: &mut Words<'l>,
    out: &mut Output,
) -> (Flow<'l>, String) {
    let start = out.bytes().len();
    let noted = dialogue.answer_noted(words, out);
    let answered = Answered::of(&noted, dialogue, &out.bytes()[start..]);
    if let Some(recorder) = recorder {
        recorder.answered(&answered, seats.players());
    }
    seats.tell(&answered);
    (noted.flow, noted.typed)
}

/// Lets computer players answer until a person has to, and shows their answers as if they were typed.
fn play_bots(
    shared: &mut impl SharedDialogue,
    seats: &mut Seats,
    recorder: &mut Option<Recorder>,
    writer: &mut Writer<impl Write>,
) -> Result<Flow<'static>, LoopEnd> {
    loop {
        let decision = shared.dialogue().session().decision();
        seats.notify_bots(&decision);
        if !seats.is_for_computer(&decision) {
            return Ok(Flow::Continue);
        }
        let thinker = seats.thinker(&decision);
        match thinker {
            Some(colour) => writer.begin_wait(colour, shared)?,
            None => writer.show(shared)?,
        }
        let answer = shared.while_unlocked(|| seats.answer(&decision));
        if thinker.is_some() {
            writer.end_wait();
        }
        let Some(answer) = answer else { return Ok(Flow::Continue) };
        let (mut words, mut text) = (Words::new(answer.as_bytes()), Output::default());
        let (flow, typed) = answer_and_tell(shared.dialogue(), seats, recorder, &mut words, &mut text);
        // What was not used is not shown, so that what is shown plays the same game.
        writer.text.put(&typed).end();
        writer.text.put_bytes(text.bytes());
        if flow == Flow::End {
            return Ok(Flow::End);
        }
        writer.prompt(shared)?;
    }
}
