//! How a table begins, and how it goes on from its record.

use super::message::Reveal;
use super::parts::words_after;
use super::seat::Millis;
use crate::game::{Builder, Game};
use crate::players::Limit;
use crate::record::{
    self, Header, Journal, JournalSetup, Record, RecordLine, RecordedPlayer, Resumed, Step, TableFields, sha256,
};
use crate::session::DiceKind;
use crate::text::Dialogue;

/// The field of a header's `table` with the commitment to the dice.
pub const COMMITMENT: &str = "commitment";

/// The field of a header's `table` that hides the seed in the commitment.
pub(super) const NONCE: &str = "nonce";

/// The time that people have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// For each decision; `None` without a clock.
    pub clock: Option<Millis>,
    /// From leaving to the first decision by a computer player.
    pub grace: Millis,
}

/// A line of the record, with the position after it.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    /// The line, without its end.
    pub text: String,
    /// The words of the text game that followed.
    pub said: String,
    /// The position.
    pub game: Game,
    /// The builder whose person comes with this line.
    pub comes: Option<Builder>,
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
    /// The position at the beginning.
    pub begin: Game,
    /// The lines after the header.
    pub lines: Vec<PlayedLine>,
    /// The players who decided last, in turn order.
    pub players: [RecordedPlayer; Builder::COUNT],
    /// The time that people have.
    pub times: Times,
    /// The budget of computer players that think.
    pub limit: Limit,
}

impl TableStart {
    /// Begins a game. Returns also its header as text, to be appended first.
    ///
    /// `dialogue` begins the game of `setup`, with a history and announcements. `nonce` is a secret of 128 bits in hexadecimal digits. The
    /// file has `games` games and `lines` lines.
    ///
    /// # Panics
    /// Never: a header that was written can be read.
    #[must_use]
    pub fn begin(
        mut dialogue: Dialogue,
        setup: JournalSetup,
        nonce: &str,
        (games, lines): (u64, u64),
        players: &[RecordedPlayer; Builder::COUNT],
        (times, limit): (Times, Limit),
    ) -> (Self, String) {
        dialogue.session_mut().set_dice(DiceKind::Fair);
        let mut fields = TableFields::new();
        fields.insert(COMMITMENT.to_owned(), commitment(&setup.seed.to_string(), nonce).into());
        fields.insert(NONCE.to_owned(), nonce.into());
        let mut journal = Journal::new(setup, games, players.clone()).at_table(fields);
        let (begin, drawn) = (*dialogue.game(), dialogue.session().drawn());
        let mut text = String::new();
        journal.begin(&mut text, &begin, drawn, None, players);
        let Ok(RecordLine::Game(header)) = serde_json::from_str(&text) else { unreachable!("it was written here") };
        let (players, first) = (players.clone(), lines + 1);
        let start = Self { dialogue, journal, header: *header, first, begin, lines: Vec::new(), players, times, limit };
        (start, text)
    }

    /// Goes on with the game of a table, which is game `number` of its file.
    ///
    /// # Errors
    /// Why the game cannot go on with the same later dice.
    pub fn resume(record: &Record, number: u64, times: Times, limit: Limit) -> Result<Self, String> {
        if record.header.table.is_none() {
            return Err("its last game is not that of a table".to_owned());
        }
        let (mut begin, mut lines) = (None, Vec::new());
        let resumed = record::resume(record, |replay, step| match step {
            Step::Begin => {
                begin = Some(*replay.dialogue().game());
                lines.clear();
            }
            Step::Line(line, answers) => {
                let edition = replay.edition();
                let comes = if let RecordLine::Seat { builder, .. } = line {
                    edition.parse_builder(builder.as_bytes())
                } else {
                    None
                };
                let text = serde_json::to_string(line).unwrap_or_default();
                let said = answers.last().map_or(String::new(), |answer| words_after(replay.dialogue(), &answer.text));
                lines.push(PlayedLine { text, said, game: *replay.dialogue().game(), comes });
            }
        });
        let (dialogue, resumed): (Dialogue, Resumed) =
            resumed.map_err(|(line, error)| format!("line {line}: {error}"))?;
        let Some(begin) = begin.filter(|_| resumed.is_exact) else {
            return Err("its dice cannot go on as they would have".to_owned());
        };
        Ok(Self {
            dialogue,
            journal: Journal::resumed(&resumed, number),
            header: record.header.clone(),
            first: record.first_line as u64,
            begin,
            lines,
            players: resumed.players,
            times,
            limit,
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

/// Returns the commitment to a seed: the SHA-256 of the seed, a space and the nonce, in hexadecimal digits.
fn commitment(seed: &str, nonce: &str) -> String {
    sha256(format!("{seed} {nonce}").as_bytes())
}

/// Checks the dice of a game that is over: that the seed belongs to the commitment of the header that clients got, and that it draws what
/// the lines say.
///
/// # Errors
/// What is wrong.
pub fn check_dice(record: &Record, reveal: &Reveal) -> Result<(), String> {
    let committed = record.header.table.as_ref().and_then(|fields| fields.get(COMMITMENT)?.as_str());
    if committed != Some(&commitment(&reveal.seed, &reveal.nonce)) {
        return Err("the seed is not the one of the beginning".to_owned());
    }
    let header = Header { seed: reveal.seed.clone(), drawn: Some(reveal.drawn), ..record.header.clone() };
    let record = Record { header, ..record.clone() };
    let resumed = record::resume(&record, |_, _| {}).map_err(|(line, error)| format!("line {line}: {error}"))?.1;
    if resumed.is_exact { Ok(()) } else { Err("the seed does not draw these dice".to_owned()) }
}
