//! Reading records.

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::FORMAT;
use super::line::{Header, Line};

/// A game of a record: its header and its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// How the game began.
    pub header: Header,
    /// The number of the header's line in the file, from 1.
    pub first_line: usize,
    /// The lines after the header.
    pub lines: Vec<Line>,
}

/// Why a text is not a record of games.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// Reads the games of a record. A last line without a line end is left out: the program was killed while it wrote it. Returns
/// also whether there is one. Whether the rules allow what happened is checked by [`Replay`](super::Replay).
///
/// # Errors
/// The first line that is damaged, and why.
///
/// ```
/// let error = constructor::record::read(b"{\"type\":\"undo\"}\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 1: missing field `turn`");
/// ```
pub fn read(text: &[u8]) -> Result<(Vec<Record>, bool), ReadError> {
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let mut records: Vec<Record> = Vec::new();
    for (number, line) in (1..).zip(text[..end].split_inclusive(|&byte| byte == b'\n')) {
        let error = |reason: String| ReadError { line: number, reason };
        let line = parse(line).map_err(|reason| error(without_place(&reason)))?;
        match (line, records.last_mut()) {
            (Line::Game(header), _) if header.format != FORMAT => {
                return Err(error(format!("format {} is not known, only {FORMAT}", header.format)));
            }
            (Line::Game(header), _) => {
                records.push(Record { header: *header, first_line: number, lines: Vec::new() });
            }
            (line, Some(record)) => record.lines.push(line),
            (_, None) => return Err(error("expected the beginning of a game, \"type\":\"game\"".to_owned())),
        }
    }
    Ok((records, end < text.len()))
}

/// The type of a line.
#[derive(Deserialize)]
#[serde(expecting = "expected an object")]
struct Typed {
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
}

fn parse(line: &[u8]) -> serde_json::Result<Line> {
    match serde_json::from_slice::<Typed>(line)?.kind {
        Some(_) => serde_json::from_slice(line),
        None => serde_json::from_slice(line).map(Line::Action),
    }
}

/// The reason of a JSON error. Its line is always 1, since lines are parsed one by one.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) if error.column() > 0 => format!("{reason} at column {}", error.column()),
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
