//! The file of a journal, to which a line is added with every answer.

use std::path::Path;
use std::time::SystemTime;

use constructor_common::display_path;
use constructor_common::files::{AppendedFile, Trace};
use constructor_common::frame::Io;

use super::kept;
use crate::game::{Builder, Game, SavedGame};
use crate::record::{Header, Journal, JournalSetup, Reader, Record, RecordLine, RecordedPlayer, Resumed};

/// The players, in turn order.
type Recorded = [RecordedPlayer; Builder::COUNT];

/// Appends the games of a session to a file. Each answer is written at once, so that after a crash the file is valid up to its last whole
/// line.
#[derive(Debug)]
pub struct JournalFile {
    file: AppendedFile,
    /// The number of games in it.
    games: u64,
    /// The offset at which the current game begins, in bytes.
    game_start: u64,
    journal: Option<Journal>,
    /// The turn of a finished game that is looked at, until something is added: then a branch of it begins.
    looked_at: Option<u32>,
    /// The header and the other lines of the game that is looked at, if another run has it in a file of its own.
    copied: Option<(Box<Header>, String)>,
    /// The error, until it is printed.
    failure: Option<String>,
    /// Whether headers have the time at which their game began. Otherwise the same game always has the same record.
    has_times: bool,
}

/// A game that a file already had when it was opened.
#[derive(Debug)]
pub struct FoundGame {
    /// The game.
    pub record: Record,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The offset at which the game begins, in bytes.
    start: u64,
}

impl JournalFile {
    /// Opens a file.
    ///
    /// Returns the journal and the game with this number, counted from 1. If `game` is `None`, returns the last game instead, or `None` if
    /// the file has no game.
    ///
    /// # Errors
    /// When the file cannot be opened, holds something other than a record, or has no such game.
    pub fn open(io: &Io, path: &Path, game: Option<usize>) -> Result<(Self, Option<FoundGame>), String> {
        // The list does not name the files of kept games.
        let in_use = if kept::is_kept(path) {
            "this game, or a branch kept with it, is open in another window".to_owned()
        } else {
            format!("{}: another game is being recorded there", display_path(path))
        };
        let mut file = io.files.append(path, &in_use)?;
        let (mut lines, name) = (file.lines()?, file.name().to_owned());
        let broken = |reason: &str| format!("{name}: not a record of games: {reason}; nothing is added to it");
        let (mut length, mut number, mut games) = (0, 0_usize, 0);
        // For the game that is looked for (or else the last game): its text, the number of its first line, and the offset of that line.
        let (mut text, mut first_line, mut start) = (Vec::new(), 0, 0);
        while let Some(line) = lines.next_line()? {
            number += 1;
            if !line.ends_with(b"\n") {
                break;
            }
            if number == 1 || is_header(line) {
                games += 1;
                if game.is_none_or(|game| games <= game as u64) {
                    text.clear();
                    (first_line, start) = (number, length);
                }
            }
            if game.is_none_or(|game| games == game as u64) {
                text.extend_from_slice(line);
            }
            length += line.len() as u64;
        }
        if let Some(game) = game.filter(|&game| game as u64 > games) {
            return Err(format!("{name}: there is no game {game}; it has {games}"));
        }
        let mut found = None;
        if number > 0 {
            let mut reader = Reader::after(first_line.saturating_sub(1));
            for line in text.split_inclusive(|&byte| byte == b'\n') {
                reader.read(line).map_err(|error| broken(&error.to_string()))?;
            }
            let number = game.map_or(games, |game| game as u64);
            found = reader.finish().0.map(|record| FoundGame { record, number, start });
            if found.is_none() {
                return Err(broken("its first line is incomplete"));
            }
        }
        // After a crash, the last line may be incomplete.
        file.cut(length)?;
        let has_times = found.as_ref().is_some_and(|found: &FoundGame| found.record.header.begun.is_some());
        Ok((
            Self {
                file,
                games,
                game_start: length,
                journal: None,
                looked_at: None,
                copied: None,
                failure: None,
                has_times,
            },
            found,
        ))
    }

    /// Returns the same file. Its headers have the time at which their game began.
    #[must_use]
    pub const fn with_times(mut self) -> Self {
        self.has_times = true;
        self
    }

    /// Returns the file, and the number of games in it.
    #[must_use]
    pub fn into_file(self) -> (AppendedFile, u64) {
        (self.file, self.games)
    }

    /// Returns the name of the file, escaped.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file.name()
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns what the file is now, as [`AppendedFile::trace`].
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        self.file.trace()
    }

    /// Returns whether the games are still recorded. Recording stops when a write fails.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.journal.is_some() && !self.file.has_failed()
    }

    /// Returns the error of the last write that failed, once.
    pub fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    fn write(&mut self, add: impl FnOnce(&mut Journal, &mut String)) {
        let Some(journal) = &mut self.journal else { return };
        let mut text = String::new();
        if self.has_times {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            journal.set_time(now.ok().map(|now| now.as_secs()));
        }
        add(journal, &mut text);
        if let Err(error) = self.file.write(&text) {
            self.failure = Some(format!("{error}; the record ends here"));
        }
    }

    /// Begins the first game of a session. If `saved` is given, the game begins from that saved game.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn begin(
        &mut self,
        setup: JournalSetup,
        game: &Game,
        drawn: u64,
        saved: Option<&SavedGame>,
        players: &Recorded,
    ) -> Result<(), String> {
        self.file.create()?;
        self.journal = Some(Journal::new(setup, self.games, players.clone()));
        self.game_start = self.file.length();
        self.write(|journal, out| journal.begin(out, game, drawn, saved, players));
        self.games += 1;
        Ok(())
    }

    /// Continues a game of the file. The last game is continued in place; any other game is continued, from its next line on, as a new
    /// branch at the end of the file.
    pub fn resume(&mut self, found: &FoundGame, resumed: &Resumed) {
        self.journal = Some(Journal::resumed(resumed, found.number));
        self.game_start = found.start;
        self.looked_at = (found.number < self.games).then_some(resumed.turn);
    }

    /// Looks at a finished game of a file that another run uses. What is played on from it is a game of this file.
    pub fn look_at(&mut self, record: &Record, resumed: &Resumed) {
        self.journal = Some(Journal::resumed(resumed, 0));
        self.looked_at = Some(resumed.turn);
        self.copied = Some((Box::new(record.header.clone()), record.lines_as_text()));
    }

    /// Begins a branch of the game that was looked at, if it is not the last one of the file.
    fn begin_branch(&mut self) {
        if let Some(turn) = self.looked_at.take() {
            self.branch(usize::MAX, turn);
        }
    }

    /// Records that later dice are drawn from a generator with this seed.
    pub fn seed(&mut self, seed: u64) {
        self.begin_branch();
        self.write(|journal, out| journal.seed(out, seed));
    }

    /// Adds an answer, or an extra command, which may have changed the players.
    pub fn append(&mut self, answered: &crate::text::Answered, is_command: bool, players: &Recorded) {
        self.begin_branch();
        let (game, start) = (self.journal.as_ref().map(Journal::game), self.file.length());
        self.write(|journal, out| journal.append(out, answered, is_command, players));
        if self.journal.as_ref().map(Journal::game) != game {
            (self.games, self.game_start) = (self.games + 1, start);
        }
    }

    /// Adds the players that have changed; those of a game that is only looked at come with its next answer.
    pub fn change_players(&mut self, players: &Recorded) {
        if self.looked_at.is_none() {
            self.write(|journal, out| journal.change_players(out, players));
        }
    }

    /// Begins a new game that branches off from the current game after its first `actions` actions, in turn number `turn`. The new game
    /// begins with the lines of these actions.
    pub fn branch(&mut self, actions: usize, turn: u32) {
        self.looked_at = None;
        let copied = self.copied.take().map(|copied| self.file.create().map(|()| copied));
        let parsed = copied.unwrap_or_else(|| {
            let text = self.file.read_from(self.game_start)?;
            let (header, rest) = text.split_once('\n').unwrap_or((&text, ""));
            match serde_json::from_str(header) {
                Ok(RecordLine::Game(header)) => Ok((header, rest.to_owned())),
                _ => Err(format!("{}: the game's beginning is not there any more", self.file.name())),
            }
        });
        let (header, rest): (Box<Header>, String) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                self.failure = Some(format!("{error}; the record ends here"));
                self.journal = None;
                return;
            }
        };
        let (games, start) = (self.games, self.file.length());
        self.write(|journal, out| {
            journal.branch(out, &header, &rest, actions, turn, games);
        });
        (self.games, self.game_start) = (games + 1, start);
    }
}

/// Returns whether a line is the first of a game.
fn is_header(line: &[u8]) -> bool {
    // This rules out most lines without parsing them.
    let may_be = str::from_utf8(line).is_ok_and(|line| line.contains("\"type\"") && line.contains("\"game\""));
    may_be && matches!(serde_json::from_slice(line), Ok(RecordLine::Game(_)))
}
