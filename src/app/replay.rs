//! Running `replay`: a record is checked, and printed as the text game would have.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use constructor_common::result_file::ResultFile;
use constructor_common::{atomic_file, display_path, io_error_text, output};

use super::cli::ReplayOptions;
use super::extra_commands::{ExtraCommand, run_extra_command};
use super::seats::Seats;
use super::streams::PROMPT;
use super::terminal::write_saved;
use super::{exit_with_error, print_error};
use crate::record::{self, Answer, Line, Record, Replay, ReplayError};
use crate::text::Output;
use crate::text::words::Words;

/// Replays the record. Exits with 1 if it is damaged or impossible.
#[must_use]
pub fn run_replay(options: &ReplayOptions) -> ExitCode {
    match replay_games(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit_with_error(error),
    }
}

/// Reads the games of a record. Says so if its last line is incomplete.
///
/// # Errors
/// When it cannot be read, is damaged, or has no game.
pub fn read_record(path: &Path) -> Result<Vec<Record>, String> {
    let name = display_path(path);
    let text = if path == Path::new("-") {
        let mut text = Vec::new();
        io::stdin().read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(path)
    };
    let text = text.map_err(|error| format!("{name}: {}", io_error_text(&error)))?;
    let (records, is_incomplete) = record::read(&text).map_err(|error| format!("{name}: {error}"))?;
    if is_incomplete {
        print_error(format_args!("{name}: the last line is incomplete and left out"));
    }
    if records.is_empty() { Err(format!("{name}: there is no game")) } else { Ok(records) }
}

/// The game with this number, from 1, or else the last.
///
/// # Errors
/// When there is no such game.
pub fn choose_game<'r>(records: &'r [Record], number: Option<usize>, path: &Path) -> Result<&'r Record, String> {
    let record = match number {
        Some(number) => records.get(number - 1),
        None => records.last(),
    };
    record.ok_or_else(|| {
        let (name, games) = (display_path(path), records.len());
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        format!("{name}: there is no game {}; it has {games}", number.unwrap_or_default())
    })
}

fn replay_games(options: &ReplayOptions) -> Result<(), String> {
    ResultFile::refuse_inputs([options.record.as_path()], &[options.save.as_deref()])?;
    let records = read_record(&options.record)?;
    let is_single = options.game.is_some() || options.turn.is_some() || options.save.is_some();
    let chosen = if is_single {
        std::slice::from_ref(choose_game(&records, options.game, &options.record)?)
    } else {
        &records[..]
    };
    for record in chosen {
        let mut printer = Printer { out: Output::default(), prints_script: options.script };
        let replayed = replay_game(record, options.turn, &mut printer);
        if options.save.is_none() && !options.quiet {
            output::print(printer.out.bytes())?;
        }
        let replay =
            replayed.map_err(|(line, reason)| format!("{}: line {line}: {reason}", display_path(&options.record)))?;
        if let Some(turn) = options.turn.filter(|&turn| turn > replay.turn()) {
            let last = replay.turn();
            return Err(format!("{}: there is no turn {turn}; the last is {last}", display_path(&options.record)));
        }
        if let Some(path) = &options.save {
            let text = replay.dialogue().saved_game();
            let written = atomic_file::write(path, text.as_bytes());
            written.map_err(|error| format!("{}: {error}", display_path(path)))?;
        }
    }
    if let (true, [record]) = (options.script && !options.quiet && options.save.is_none(), chosen) {
        print_how_to_play(record);
    }
    Ok(())
}

/// Says how the script of a game is played.
fn print_how_to_play(record: &Record) {
    let header = &record.header;
    let (start, note) = match (&header.saved, header.random_layout) {
        (Some(_), _) => ("-load SAVED", ", where SAVED has the member saved of the record's first line"),
        (None, true) => ("-random-board", ""),
        (None, false) => ("-board LAYOUT", ", where LAYOUT has the member layout of the record's first line"),
    };
    let extras = if header.extras { " -extras" } else { "" };
    // There is nowhere to report a failure to.
    let _ = writeln!(
        io::stderr(),
        "play it with: constructor -edition {} -seed {}{extras} {start} < FILE{note}",
        header.edition,
        header.seed
    );
}

/// What the text game printed of a game, with the prompts and the answers of computer players; and the replay of all of it.
///
/// # Errors
/// The number of the first line that is impossible, and why.
pub fn transcript(record: &Record) -> Result<(Vec<u8>, Replay), (usize, ReplayError)> {
    let mut printer = Printer { out: Output::default(), prints_script: false };
    let replay = replay_game(record, None, &mut printer)?;
    Ok((printer.out.bytes().to_vec(), replay))
}

/// What is printed of a game.
struct Printer {
    out: Output,
    /// Whether the input is printed instead of the game.
    prints_script: bool,
}

impl Printer {
    fn begin(&mut self, replay: &mut Replay) {
        if !self.prints_script {
            replay.dialogue_mut().begin(&mut self.out);
            self.out.put(PROMPT);
        }
    }

    /// An answer, of a computer player or not.
    fn answer(&mut self, answer: &Answer, is_of_computer: bool) {
        if self.prints_script {
            self.out.line(&answer.typed);
            return;
        }
        if is_of_computer {
            self.out.line(&answer.typed);
        }
        self.out.put_bytes(&answer.text);
        if !answer.ends {
            self.out.put(PROMPT);
        }
    }
}

/// Replays a game up to its end, or to the end of the turn that is asked for.
///
/// # Errors
/// The number of the first line that is impossible, and why.
fn replay_game(record: &Record, last_turn: Option<u32>, printer: &mut Printer) -> Result<Replay, (usize, ReplayError)> {
    let mut replay = Replay::new(&record.header).map_err(|error| (record.first_line, error))?;
    let mut seats = Seats::all_human(replay.edition()).with_extra_commands();
    printer.begin(&mut replay);
    for (number, line) in (record.first_line + 1..).zip(&record.lines) {
        if last_turn.is_some_and(|turn| matches!(line, Line::Action(action) if action.turn > turn)) {
            break;
        }
        let is_of_computer = replay.is_for_computer();
        let answers = apply(&mut replay, line, record.header.extras, &mut seats);
        for answer in answers.map_err(|error| (number, error))? {
            printer.answer(&answer, is_of_computer);
        }
    }
    Ok(replay)
}

/// Replays a line. The extra commands are executed as in the text game, but for hints, which are left out.
fn apply(replay: &mut Replay, line: &Line, has_extras: bool, seats: &mut Seats) -> Result<Vec<Answer>, ReplayError> {
    let typed = match line {
        Line::Input { turn, builder, text } if has_extras => {
            replay.check_input(*turn, builder.as_deref())?;
            text.as_str()
        }
        Line::Undo { .. } if has_extras => "undo",
        _ => return replay.apply(line),
    };
    let (mut out, mut words) = (Output::default(), Words::new(typed.as_bytes()));
    let file = match run_extra_command(seats, replay.dialogue_mut(), &mut words, &mut out) {
        ExtraCommand::None => {
            let mut answers = replay.apply(line)?;
            if let Some((answer, file)) =
                answers.last_mut().and_then(|answer| answer.saves.clone().map(|file| (answer, file)))
            {
                write_saved(&file, &mut out);
                answer.text.extend_from_slice(out.bytes());
            }
            return Ok(answers);
        }
        ExtraCommand::Save(file) => Some(file.to_vec()),
        ExtraCommand::Done | ExtraCommand::Hint(_) => None,
    };
    if let Some(file) = &file {
        write_saved(file, &mut out);
    }
    Ok(vec![Answer { typed: typed.to_owned(), text: out.bytes().to_vec(), saves: file, ends: false }])
}
