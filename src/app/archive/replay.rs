//! Running `replay`: checks a record, and prints the text that the text game printed.

use constructor_common::display_path;
use constructor_common::frame::{Failure, Io};

use super::read::{Games, read_game};
use super::transcript::Printer;
use crate::app::options::ReplayOptions;
use crate::record::{Recipe, Record, recipe};

/// Replays the record.
///
/// # Errors
/// When it is damaged or impossible, or a file cannot be written.
pub fn replay(io: &Io, options: &ReplayOptions) -> Result<u8, Failure> {
    let is_single = options.game.is_some() || options.turn.is_some() || options.save.is_some();
    // The games of one session can be played by one command; no command plays a record of several sessions.
    let mut first = None;
    let mut is_one_session = true;
    if is_single {
        let record = read_game(io, &options.record, options.game)?;
        replay_game(io, options, &record)?;
        first = Some(record.header);
    } else {
        let mut games = Games::open(io, &options.record)?;
        let mut count = 0;
        while let Some(record) = games.next_game()? {
            replay_game(io, options, &record)?;
            is_one_session &= count == 0 || record.header.follows == Some(count);
            first.get_or_insert(record.header);
            count += 1;
        }
    }
    let Some(first) = first else {
        return Err(format!("{}: there is no game", display_path(&options.record)).into());
    };
    if options.script && !options.quiet && options.save.is_none() && is_one_session {
        let Recipe { command, note } = recipe(&first, &options.program);
        io.voice.say_lines(format!("play it with: {command} < FILE{note}\n"));
    }
    Ok(0)
}

fn replay_game(io: &Io, options: &ReplayOptions, record: &Record) -> Result<(), String> {
    let name = display_path(&options.record);
    let mut printer = Printer::new(options.script, options.typed);
    let replayed = printer.replay(record, options.turn);
    if options.save.is_none() && !options.quiet {
        io.print(printer.out.bytes())?;
        // A question without an answer ends within a line.
        if options.typed && !printer.out.bytes().ends_with(b"\n") {
            io.print(b"\n")?;
        }
    }
    let replay = replayed.map_err(|(line, reason)| format!("{name}: line {line}: {reason}"))?;
    if let Some(turn) = options.turn.filter(|&turn| turn > replay.turn()) {
        return Err(format!("{name}: there is no turn {turn}; the last is {}", replay.turn()));
    }
    match &options.save {
        Some(path) => io.files.save(path, replay.dialogue().saved_game().as_bytes()),
        None => Ok(()),
    }
}
