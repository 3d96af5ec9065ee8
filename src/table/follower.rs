//! A client's copy of a game at a table, from the lines that it gets.

use super::message::Reveal;
use super::start::check_dice;
use crate::record::{self, Record, RecordLine, Replay};
use crate::text::Answered;

/// The game of a table, as far as its lines have come.
#[derive(Debug, Default)]
pub struct Follower {
    game: Option<(Record, Replay)>,
    number: u64,
}

impl Follower {
    /// Returns the number of the last line; 0 before the first.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the game after the last line.
    #[must_use]
    pub fn replay(&self) -> Option<&Replay> {
        self.game.as_ref().map(|(_, replay)| replay)
    }

    /// Returns the lines of the game.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        self.game.as_ref().map(|(record, _)| record)
    }

    /// Takes the line with this number. A header begins the game anew.
    ///
    /// Returns the answer that was given, if the line has one.
    ///
    /// # Errors
    /// Why the line cannot follow.
    pub fn take(&mut self, number: u64, line: &serde_json::Value) -> Result<Option<Answered>, String> {
        let line = record::parse_line(line.to_string().as_bytes()).map_err(|reason| reason.to_string())?;
        let (record, replay) = match (line, &mut self.game) {
            (RecordLine::Game(header), game) => {
                let replay = Replay::new(&header).map_err(|error| error.to_string())?;
                let first_line = usize::try_from(number).unwrap_or_default();
                *game = Some((Record { header: *header, first_line, lines: Vec::new() }, replay));
                self.number = number;
                return Ok(None);
            }
            (_, Some(_)) if number != self.number + 1 => {
                return Err(format!("line {number} follows line {}", self.number));
            }
            (line, Some((record, replay))) => {
                record.lines.push(line);
                (record, replay)
            }
            (_, None) => return Err("the beginning of the game is missing".to_owned()),
        };
        let decision = replay.dialogue().session().decision();
        let Some(line) = record.lines.last() else { return Ok(None) };
        let answers = replay.apply(line).map_err(|error| error.to_string())?;
        self.number = number;
        let dialogue = replay.dialogue();
        Ok(answers.into_iter().next_back().map(|answer| {
            let events = dialogue.events().to_vec();
            Answered { events, ..dialogue.answered(decision, answer.typed, answer.text) }
        }))
    }

    /// Checks the dice of the game, which is over.
    ///
    /// # Errors
    /// How they differ from what the table was committed to.
    pub fn check_dice(&self, reveal: &Reveal) -> Result<(), String> {
        self.record().map_or(Ok(()), |record| check_dice(record, reveal))
    }
}
