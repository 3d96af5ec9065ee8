//! Reading the games of a record, one at a time.

use std::path::Path;

use constructor_common::display_path;
use constructor_common::files::Lines;
use constructor_common::frame::Io;

use crate::record::{Reader, Record};

/// The games of a record, read one at a time, so that only one game is in memory.
pub struct Games<'i> {
    io: &'i Io,
    lines: Lines,
    reader: Option<Reader>,
}

impl<'i> Games<'i> {
    /// Opens a record; `-` is standard input.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(io: &'i Io, path: &Path) -> Result<Self, String> {
        Ok(Self { io, lines: io.files.lines(path)?, reader: Some(Reader::default()) })
    }

    /// Reads the next game.
    ///
    /// Prints a message if the last line is incomplete.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged.
    pub fn next_game(&mut self) -> Result<Option<Record>, String> {
        let Some(mut reader) = self.reader.take() else { return Ok(None) };
        let name = self.lines.name().to_owned();
        while let Some(line) = self.lines.next_line()? {
            if let Some(record) = reader.read(line).map_err(|error| format!("{name}: {error}"))? {
                self.reader = Some(reader);
                return Ok(Some(record));
            }
        }
        let (record, is_incomplete) = reader.finish();
        if is_incomplete {
            self.io.voice.say(format_args!("{name}: the last line is incomplete and left out"));
        }
        Ok(record)
    }
}

/// Reads the game with this number, counted from 1. If `number` is `None`, reads the last game.
///
/// # Errors
/// When the record cannot be read, is damaged, or has no such game.
pub fn read_game(io: &Io, path: &Path, number: Option<usize>) -> Result<Record, String> {
    let mut games = Games::open(io, path)?;
    let (mut count, mut last) = (0, None);
    while let Some(record) = games.next_game()? {
        count += 1;
        last = Some(record);
        if number == Some(count) {
            break;
        }
    }
    last.filter(|_| number.is_none_or(|number| number == count)).ok_or_else(|| {
        let (name, has) = (display_path(path), if count == 1 { "1 game".to_owned() } else { format!("{count} games") });
        match number {
            Some(number) => format!("{name}: there is no game {number}; it has {has}"),
            None => format!("{name}: there is no game"),
        }
    })
}
