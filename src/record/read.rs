//! Reading records.

use constructor_common::Foreign;
use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::json::json_reason;
use super::line::{Header, RecordLine, RecordedPlayer};
use super::write::write_line;
use super::{FORMAT, JOURNAL_FORMAT};

/// A game of a record: its header and its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The header, which describes how the game began.
    pub header: Header,
    /// The number of the header's line in the file, from 1.
    pub first_line: usize,
    /// The lines after the header.
    pub lines: Vec<RecordLine>,
}

impl Record {
    /// Returns the lines after the header, as a file has them.
    #[must_use]
    pub fn lines_as_text(&self) -> String {
        let mut text = String::new();
        self.lines.iter().for_each(|line| write_line(&mut text, line));
        text
    }

    /// Returns the changes of players, each with the number of actions before it that were not taken back.
    pub fn player_changes(&self) -> impl Iterator<Item = (usize, &RecordedPlayer)> {
        let mut actions = 0_usize;
        self.lines.iter().filter_map(move |line| {
            match line {
                RecordLine::Action(_) => actions += 1,
                RecordLine::Undo { .. } => actions = actions.saturating_sub(1),
                RecordLine::Player(player) => return Some((actions, player)),
                _ => {}
            }
            None
        })
    }

    /// Returns all players of the builder with this colour, from the first on, without those during whose time there was no action.
    #[must_use]
    pub fn players_of(&self, colour: &str) -> Vec<&RecordedPlayer> {
        let end = self.lines.iter().rposition(|line| matches!(line, RecordLine::Action(_))).unwrap_or(0);
        let first = self.header.players.iter().filter(|player| player.builder == colour);
        let mut players: Vec<&RecordedPlayer> = first.collect();
        let mut was_idle = false;
        for line in &self.lines[..end] {
            match line {
                RecordLine::Action(_) => was_idle = false,
                RecordLine::Player(player) if player.builder == colour => {
                    if std::mem::replace(&mut was_idle, true) {
                        players.pop();
                    }
                    // A player who returns before the next action never left.
                    players.push(player);
                    players.dedup();
                }
                _ => {}
            }
        }
        players
    }
}

/// The reason why a text is not a record of games, with the line.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The error on this line.
    pub reason: Foreign,
}

/// A reader of records that takes a line at a time and returns a game at a time.
///
/// Blank lines between games and at the end are skipped, and so is a byte order mark.
#[derive(Debug, Default)]
pub struct Reader {
    /// The number of lines read so far.
    number: usize,
    game: Option<Record>,
    /// The number of the first blank line after the last line that is not blank.
    blank: Option<usize>,
    is_incomplete: bool,
}

impl Reader {
    /// Makes a reader that starts after this many lines of a file.
    #[must_use]
    pub fn after(number: usize) -> Self {
        Self { number, ..Self::default() }
    }

    /// Reads the next line, which includes its line end.
    ///
    /// Returns the previous game, complete, when this line is the header of the next one.
    ///
    /// # Errors
    /// The reason why the line is damaged.
    pub fn read(&mut self, line: &[u8]) -> Result<Option<Record>, ReadError> {
        self.number += 1;
        let error = |line: usize, reason: Foreign| ReadError { line, reason };
        // Without a line end, the program was killed while it wrote this line.
        self.is_incomplete = !line.ends_with(b"\n");
        let line = if self.number == 1 { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) } else { line };
        if self.is_incomplete {
            return Ok(None);
        }
        if line.trim_ascii().is_empty() {
            self.blank.get_or_insert(self.number);
            return Ok(None);
        }
        match (parse_line(line).map_err(|reason| error(self.number, reason))?, &mut self.game) {
            (RecordLine::Game(header), _) if header.format != FORMAT && header.format != JOURNAL_FORMAT => {
                let reason = format!("format {} is not known, only {FORMAT} and {JOURNAL_FORMAT}", header.format);
                Err(error(self.number, reason.into()))
            }
            (RecordLine::Game(header), game) => {
                self.blank = None;
                Ok(game.replace(Record { header: *header, first_line: self.number, lines: Vec::new() }))
            }
            (line, Some(game)) => {
                if let Some(blank) = self.blank {
                    return Err(error(blank, "expected a line of the game, not a blank line".into()));
                }
                game.lines.push(line);
                Ok(None)
            }
            (_, None) => Err(error(self.number, "expected the beginning of a game, \"type\":\"game\"".into())),
        }
    }

    /// Returns the last game, and whether an incomplete last line was left out, because the program was killed while it wrote the line.
    #[must_use]
    pub fn finish(self) -> (Option<Record>, bool) {
        (self.game, self.is_incomplete)
    }
}

/// Reads the games of a record.
///
/// A last line without a line end is left out; the second value is `true` if there was such a line. Only [`Replay`](super::Replay) checks
/// the games against the rules.
///
/// # Errors
/// The number of the first damaged line, and the reason.
///
/// ```
/// let error = constructor::record::read(b"{\"type\":\"undo\"}\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected a field `turn`");
/// ```
pub fn read(text: &[u8]) -> Result<(Vec<Record>, bool), ReadError> {
    let (mut reader, mut records) = (Reader::default(), Vec::new());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        records.extend(reader.read(line)?);
    }
    let (last, is_incomplete) = reader.finish();
    records.extend(last);
    Ok((records, is_incomplete))
}

/// The `type` field of a line.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Typed {
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
}

/// Parses one line of a record, without checking it against the rules.
///
/// # Errors
/// The reason why it is no such line.
pub fn parse_line(line: &[u8]) -> Result<RecordLine, Foreign> {
    let parsed = serde_json::from_slice::<Typed>(line).and_then(|typed| match typed.kind {
        Some(_) => serde_json::from_slice(line),
        None => serde_json::from_slice(line).map(RecordLine::Action),
    });
    parsed.map_err(|error| json_reason(&error))
}
