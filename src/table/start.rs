//! How a table begins, and how it goes on from its record.

use super::message::Reveal;
use super::parts::{TableLine, words_after};
use super::seat::Millis;
use crate::game::Builder;
use crate::record::{
    self, Header, Journal, JournalSetup, Record, RecordLine, RecordedPlayer, Resumed, Step, TableFields, sha256,
};
use crate::session::Session;
use crate::text::Dialogue;

/// The field of a header's `table` with the commitment to the dice.
const COMMITMENT: &str = "commitment";

/// The field of a header's `table` that hides the seed in the commitment.
const NONCE: &str = "nonce";

/// The time that people have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// For each decision; `None` without a clock.
    pub clock: Option<Millis>,
    /// From leaving to the first decision by a computer player.
    pub grace: Millis,
}

/// A table before its first client.
#[derive(Debug)]
pub struct TableStart {
    /// The game, with a history.
    pub dialogue: Dialogue,
    /// The journal of the game.
    pub journal: Journal,
    /// The header, with the seed.
    pub header: Header,
    /// The number of the header in the file, from 1.
    pub first: u64,
    /// The lines of the game, from its header.
    pub lines: Vec<TableLine>,
    /// Whether the person of each builder has come.
    pub has_come: [bool; Builder::COUNT],
    /// The players who decided last, in turn order.
    pub players: [RecordedPlayer; Builder::COUNT],
    /// The time that people have.
    pub times: Times,
}

impl TableStart {
    /// Begins a game. Returns also its header as text, to be appended first.
    ///
    /// `session` begins the game of `setup`. `nonce` is a secret of 128 bits in hexadecimal digits. The file has `games` games and `lines` lines.
    ///
    /// # Errors
    /// When the game cannot be resumed from its header.
    pub fn begin(
        session: &Session,
        setup: JournalSetup,
        nonce: &str,
        (games, lines): (u64, u64),
        players: &[RecordedPlayer; Builder::COUNT],
        times: Times,
    ) -> Result<(Self, String), String> {
        let mut fields = TableFields::new();
        fields.insert(COMMITMENT.to_owned(), commitment(&setup.seed.to_string(), nonce).into());
        fields.insert(NONCE.to_owned(), nonce.into());
        let mut text = String::new();
        let mut journal = Journal::new(setup, games, players.clone()).at_table(fields);
        journal.begin(&mut text, session.game(), session.drawn(), None, players);
        let Ok(RecordLine::Game(header)) = serde_json::from_str(&text) else {
            return Err("its header cannot be read".to_owned());
        };
        let first_line = usize::try_from(lines + 1).map_err(|error| error.to_string())?;
        let record = Record { header: *header, first_line, lines: Vec::new() };
        Ok((Self::resume(&record, games + 1, times)?, text))
    }

    /// Goes on with the game of a table, which is game `number` of its file.
    ///
    /// # Errors
    /// Why the game cannot go on with the same later dice.
    pub fn resume(record: &Record, number: u64, times: Times) -> Result<Self, String> {
        if record.header.table.is_none() {
            return Err("its last game is not that of a table".to_owned());
        }
        let (mut lines, mut has_come) = (Vec::new(), [false; Builder::COUNT]);
        let resumed = record::resume(record, |replay, step| match step {
            Step::Begin => lines = vec![TableLine::new(&hidden(&record.header), "", replay.dialogue().game())],
            Step::Line(line, answers) => {
                if let RecordLine::Seat { builder, .. } = line
                    && let Some(builder) = replay.edition().parse_builder(builder.as_bytes())
                {
                    has_come[builder.index()] = true;
                }
                let said = answers.last().map_or(String::new(), |answer| words_after(replay.dialogue(), &answer.text));
                // Actions have no type, as in the file.
                let text = match line {
                    RecordLine::Action(action) => serde_json::to_string(action),
                    line => serde_json::to_string(line),
                };
                lines.push(TableLine::new(&text.unwrap_or_default(), &said, replay.dialogue().game()));
            }
        });
        let (dialogue, resumed): (Dialogue, Resumed) =
            resumed.map_err(|(line, error)| format!("line {line}: {error}"))?;
        if !resumed.is_exact {
            return Err("its dice cannot go on as they would have".to_owned());
        }
        Ok(Self {
            dialogue,
            journal: Journal::resumed(&resumed, number),
            header: record.header.clone(),
            first: record.first_line as u64,
            lines,
            has_come,
            players: resumed.players,
            times,
        })
    }

    /// Returns the players that the table began with, in turn order.
    #[must_use]
    pub fn original(&self) -> [RecordedPlayer; Builder::COUNT] {
        // A replay has checked that there are four.
        self.header.players.clone().try_into().unwrap_or_else(|_| self.players.clone())
    }

    /// Returns what is told of the dice once the game is over.
    pub(super) fn reveal(&self) -> Reveal {
        let nonce = self.header.table.as_ref().and_then(|fields| fields.get(NONCE)?.as_str());
        Reveal {
            seed: self.header.seed.clone(),
            nonce: nonce.unwrap_or_default().to_owned(),
            drawn: self.header.drawn.unwrap_or_default(),
        }
    }
}

/// Returns the header as clients get it: without what draws the dice.
fn hidden(header: &Header) -> String {
    let mut header = Header { seed: "hidden".to_owned(), drawn: None, ..header.clone() };
    if let Some(table) = &mut header.table {
        table.remove(NONCE);
    }
    serde_json::to_string(&RecordLine::Game(Box::new(header))).unwrap_or_default()
}

/// Returns the commitment to a seed: the SHA-256 of the seed, a space and the nonce, in hexadecimal digits.
fn commitment(seed: &str, nonce: &str) -> String {
    sha256(format!("{seed} {nonce}").as_bytes())
}

/// Checks the dice of a game that is over: that the seed belongs to the commitment of the header that clients got, and that it draws what
/// the lines say.
///
/// # Errors
/// What is wrong.
pub(super) fn check_dice(record: &Record, reveal: &Reveal) -> Result<(), String> {
    let committed = record.header.table.as_ref().and_then(|fields| fields.get(COMMITMENT)?.as_str());
    if committed != Some(&commitment(&reveal.seed, &reveal.nonce)) {
        return Err("the seed is not the one of the beginning".to_owned());
    }
    let header = Header { seed: reveal.seed.clone(), drawn: Some(reveal.drawn), ..record.header.clone() };
    let record = Record { header, ..record.clone() };
    let resumed = record::resume(&record, |_, _| {}).map_err(|(line, error)| format!("line {line}: {error}"))?.1;
    if resumed.is_exact { Ok(()) } else { Err("the seed does not draw these dice".to_owned()) }
}
