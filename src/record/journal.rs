//! Journals: records from which games can be branched, or resumed with the same later dice.

use std::borrow::Cow;

use constructor_common::Foreign;

use super::JOURNAL_FORMAT;
use super::line::{Branch, Header, RecordLine, RecordedPlayer, TableFields};
use super::read::{Record, parse_line};
use super::replay::{Replay, ReplayError, ReplayedLine};
use super::write::{RecordWriter, write_line};
use crate::game::{Action, Builder, ChanceOutcome, Game, SavedGame, Trades};
use crate::session::Pending;
use crate::text::words::MAX_LINE_BYTES;
use crate::text::{Answered, Dialogue, Edition};

/// The number of lines after which the next action states the number of drawn words, as a check.
const LINES_BETWEEN_CHECKS: u64 = 64;

/// The settings that all games of a session have in common.
#[derive(Clone, Copy, Debug)]
pub struct JournalSetup {
    /// The edition.
    pub edition: &'static Edition,
    /// The seed.
    pub seed: u64,
    /// Whether builders can offer trades.
    pub trades: Trades,
    /// Whether the extra commands are available.
    pub extras: bool,
    /// Whether layouts are random.
    pub random_layout: bool,
}

/// The writer of the lines of a session, one game after another.
#[derive(Debug)]
pub struct Journal {
    setup: JournalSetup,
    writer: RecordWriter,
    players: [RecordedPlayer; Builder::COUNT],
    /// The number of the current game in its file, from 1. Before the session's first game, the number of games in the file.
    game: u64,
    /// Whether this session plays the game with that number.
    has_begun: bool,
    /// The number of lines of the game after its header.
    lines: u64,
    /// The lines after each action that was not taken back.
    actions: Vec<u64>,
    /// The number of lines up to the last check.
    checked: u64,
    /// The description of the table in the headers of games over the network.
    table: Option<TableFields>,
    /// The time in the headers of games that begin and in the results of those that end, in seconds since 1970.
    time: Option<u64>,
}

impl Journal {
    /// Makes a journal for a file that has this many games.
    #[must_use]
    pub fn new(setup: JournalSetup, games: u64, players: [RecordedPlayer; Builder::COUNT]) -> Self {
        let writer = RecordWriter::new(setup.edition);
        Self {
            setup,
            writer,
            players,
            game: games,
            has_begun: false,
            lines: 0,
            actions: Vec::new(),
            checked: 0,
            table: None,
            time: None,
        }
    }

    /// Sets the time at which later games begin or end, in seconds since 1970.
    pub const fn set_time(&mut self, time: Option<u64>) {
        self.time = time;
    }

    /// Makes a journal that continues a resumed game. `game` is the number of the game in its file, from 1; it is the last game there.
    #[must_use]
    pub fn resumed(resumed: &Resumed, game: u64) -> Self {
        let mut journal = Self::new(resumed.setup, game, resumed.players.clone());
        journal.writer.resume(resumed.turn);
        (journal.has_begun, journal.lines, journal.checked) = (true, resumed.lines, resumed.checked);
        journal.actions.clone_from(&resumed.actions);
        journal
    }

    /// Returns the same journal. Its games are played over the network, at the table that `fields` describe.
    #[must_use]
    pub fn at_table(mut self, fields: TableFields) -> Self {
        self.table = Some(fields);
        self
    }

    /// Returns the number of the game in its file, from 1.
    #[must_use]
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// Begins a game of the session. If `saved` is given, the game begins from that saved game.
    ///
    /// `drawn` is the number of words that the generator has drawn, including those for the layout.
    pub fn begin(
        &mut self,
        out: &mut String,
        game: &Game,
        drawn: u64,
        saved: Option<&SavedGame>,
        players: &[RecordedPlayer; Builder::COUNT],
    ) {
        let JournalSetup { edition, seed, trades, extras, random_layout } = self.setup;
        let mut header = Header::new(edition, seed, game.layout(), saved, trades);
        (header.format, header.extras, header.random_layout) = (JOURNAL_FORMAT, extras, random_layout);
        header.players = players.to_vec();
        (header.drawn, header.begun) = (Some(drawn), self.time);
        header.table.clone_from(&self.table);
        header.follows = self.has_begun.then_some(self.game);
        self.players.clone_from(players);
        (self.game, self.has_begun) = (self.game + 1, true);
        (self.lines, self.checked) = (0, 0);
        self.actions.clear();
        self.writer.begin(out, &header);
    }

    /// Begins a new game that branches off after the first `actions` actions of the current game, or at its end if it has fewer. `games` is
    /// the number of games that the file already has.
    ///
    /// `header` and `text` are the header of the current game and its other lines. The new game begins with those that come before the
    /// branch.
    pub fn branch(&mut self, out: &mut String, header: &Header, text: &str, actions: usize, turn: u32, games: u64) {
        let lines = match self.actions.get(actions.wrapping_sub(1)) {
            Some(&lines) => lines,
            None if actions == 0 => 0,
            None => self.lines,
        };
        self.actions.truncate(actions);
        let branch = Some(Branch { game: self.game, lines });
        // The game before a game of another file is not here either.
        let follows = header.follows.filter(|_| self.game > 0);
        self.writer.begin(out, &Header { branch, follows, begun: self.time, format: JOURNAL_FORMAT, ..header.clone() });
        self.writer.resume(turn);
        (self.game, self.lines, self.checked) = (games + 1, lines, lines);
        let mut change = |player: RecordedPlayer| {
            if let Some(known) = self.players.iter_mut().find(|known| known.builder == player.builder) {
                *known = player;
            }
        };
        header.players.iter().cloned().for_each(&mut change);
        for line in text.split_inclusive('\n').take(usize::try_from(lines).unwrap_or(usize::MAX)) {
            out.push_str(line);
            if let Ok(RecordLine::Player(player)) = parse_line(line.as_bytes()) {
                change(player);
            }
        }
    }

    /// Adds a line that says that the session's generator now has this seed.
    pub fn seed(&mut self, out: &mut String, seed: u64) {
        self.setup.seed = seed;
        self.lines += 1;
        write_line(out, &RecordLine::Seed { turn: self.writer.turn, seed: seed.to_string() });
    }

    /// Adds a line that says that a person has come to the table.
    pub fn seat(&mut self, out: &mut String, builder: Builder) {
        self.lines += 1;
        let builder = self.setup.edition.colour(builder).to_owned();
        write_line(out, &RecordLine::Seat { turn: self.writer.turn, builder });
    }

    /// Adds an answer, and the players that have changed: before it, or after it if it is an extra command, which may have changed them.
    /// If the answer asks for the next game, adds the beginning of that game, which names its players.
    pub fn append(
        &mut self,
        out: &mut String,
        answered: &Answered,
        is_command: bool,
        players: &[RecordedPlayer; Builder::COUNT],
    ) {
        let begins_next = answered.decision.pending == Pending::GameOver && answered.has_effect && !answered.is_undo;
        if !is_command && !begins_next {
            self.change_players(out, players);
        }
        self.answer(out, answered);
        if begins_next {
            self.begin(out, &answered.game, answered.drawn, None, players);
        } else {
            self.change_players(out, players);
        }
    }

    fn answer(&mut self, out: &mut String, answered: &Answered) {
        self.lines += 1;
        let game = &answered.game;
        if answered.is_undo {
            self.actions.pop();
            if let Some(builder) = game.current_player() {
                let builder = self.setup.edition.colour(builder).to_owned();
                write_line(out, &RecordLine::Undo { turn: self.writer.turn, builder });
            }
            return;
        }
        let (Some(action), Some(builder)) = (answered.played, answered.decision.pending.builder()) else {
            self.writer.input(out, answered.decision.pending.builder(), &printable(&answered.typed));
            return;
        };
        let outcome = ChanceOutcome::of(&answered.events);
        let usual = match (answered.decision.pending, outcome.roll) {
            (Pending::LoadedRoll(_), Some(roll)) => roll.value().to_string(),
            _ => self.setup.edition.action_text(action),
        };
        let typed = Some(answered.typed.as_str()).filter(|&typed| typed != usual);
        let faces = answered.faces.filter(|_| action == Action::Roll);
        let is_check = self.lines - self.checked >= LINES_BETWEEN_CHECKS;
        let drawn = is_check.then_some(answered.drawn);
        self.writer.typed_action(out, builder, action, typed, &outcome, faces, game, drawn);
        self.actions.push(self.lines);
        if is_check {
            self.checked = self.lines;
        }
        if game.winner().is_some() {
            self.lines += 1;
            self.writer.result(out, game, self.time);
        }
    }

    /// Adds a line for each player that has changed.
    pub fn change_players(&mut self, out: &mut String, players: &[RecordedPlayer; Builder::COUNT]) {
        for (known, player) in self.players.iter_mut().zip(players).filter(|(known, player)| *known != *player) {
            known.clone_from(player);
            self.lines += 1;
            write_line(out, &RecordLine::Player(player.clone()));
        }
    }
}

/// Returns the typed text in a form that is refused in the same way when it is typed again: without bytes that are not UTF-8, and cut if it
/// is too long for a line.
fn printable(typed: &str) -> Cow<'_, str> {
    if typed.len() > MAX_LINE_BYTES {
        let ascii = typed.chars().map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' });
        // The text is padded, so that it is still too long.
        Cow::Owned(ascii.chain(std::iter::repeat('?')).take(MAX_LINE_BYTES + 1).collect())
    } else if typed.contains(char::REPLACEMENT_CHARACTER) {
        Cow::Owned(typed.replace(char::REPLACEMENT_CHARACTER, "?"))
    } else {
        Cow::Borrowed(typed)
    }
}

/// The state of a recorded game that is resumed.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The settings that all games of its session have in common. The seed is the present seed of the generator.
    pub setup: JournalSetup,
    /// The players, in turn order.
    pub players: [RecordedPlayer; Builder::COUNT],
    /// The number of rolls so far.
    pub turn: u32,
    /// Whether the game cannot be continued: it is over, or a simulation ended it at its limit of turns.
    pub is_over: bool,
    /// Whether later dice will be the same as if the game had not been interrupted. Otherwise, the generator needs a new seed.
    pub is_exact: bool,
    /// The number of lines after the header.
    lines: u64,
    /// The number of lines up to the last line that states the number of drawn words.
    checked: u64,
    /// The lines after each action that was not taken back.
    actions: Vec<u64>,
}

/// A step of a game that is resumed: its beginning, or a line with the answers that were typed.
#[derive(Debug)]
pub enum Step<'r> {
    /// The game begins. Steps seen before must be forgotten.
    Begin,
    /// This line was replayed, with these answers.
    Line(&'r RecordLine, &'r [ReplayedLine]),
}

/// Opens a recorded game at its end.
///
/// The generator is set to its state at the beginning of the game, and all outcomes of chance are drawn again, so that the generator ends
/// in the same state as in the recorded game. If a drawn outcome differs from the record, or the record does not give the state of the
/// generator, the outcomes of chance are taken from the lines instead.
///
/// # Errors
/// The number of the first line in the file that is impossible, and why.
pub fn resume(
    record: &Record,
    mut see: impl FnMut(&Replay, Step<'_>),
) -> Result<(Dialogue, Resumed), (usize, ReplayError)> {
    let last_seed = record.lines.iter().rposition(|line| matches!(line, RecordLine::Seed { .. }));
    // The number of lines before the first line whose outcome of chance is drawn.
    let begin = record.header.drawn.map(|_| 0);
    let starts = [begin, last_seed.map(|line| line + 1)];
    let mut result = Err((record.first_line, ReplayError::Differs));
    for start in starts.into_iter().flatten().map(Some).chain([None]) {
        result = resume_drawing_from(record, start, &mut see);
        if !matches!(result, Err((_, ReplayError::Differs))) {
            break;
        }
    }
    result
}

fn resume_drawing_from(
    record: &Record,
    start: Option<usize>,
    see: &mut impl FnMut(&Replay, Step<'_>),
) -> Result<(Dialogue, Resumed), (usize, ReplayError)> {
    let header = &record.header;
    let mut replay = Replay::new(header).map_err(|error| (record.first_line, error))?;
    let (mut lines, mut checked, mut actions) = (0, 0, Vec::new());
    see(&replay, Step::Begin);
    for (index, line) in record.lines.iter().enumerate() {
        if start.is_some_and(|start| start <= index) {
            replay.draw();
        }
        let answers = replay.apply(line).map_err(|error| (record.first_line + 1 + index, error))?;
        // The answer that begins another game belongs to that one: a branch leaves it out.
        lines += u64::from(!(replay.is_ended() && matches!(line, RecordLine::Input { .. })));
        match line {
            RecordLine::Action(action) => {
                actions.push(lines);
                checked = if action.drawn.is_some() { lines } else { checked };
            }
            RecordLine::Undo { .. } => drop(actions.pop()),
            _ => {}
        }
        see(&replay, Step::Line(line, &answers));
    }
    let setup = JournalSetup {
        edition: replay.edition(),
        seed: replay.seed(),
        trades: header.trades(),
        extras: header.extras,
        random_layout: header.random_layout,
    };
    let (turn, is_over, players) = (replay.turn(), replay.is_over(), replay.players().clone());
    let resumed = Resumed { setup, players, turn, is_over, is_exact: start.is_some(), lines, checked, actions };
    Ok((replay.into_dialogue(), resumed))
}

/// Instructions to play a recorded game again with its input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The command.
    pub command: String,
    /// A note on the files and dice, to be appended to other text.
    pub note: String,
}

/// Returns the instructions to play a recorded game again with the program of this name.
///
/// In the command, the file with the layout is called `LAYOUT`, and the file with the saved game `SAVED`.
#[must_use]
pub fn recipe(header: &Header, program: &str) -> Recipe {
    let (start, note) = match (&header.saved, header.random_layout) {
        (Some(_), _) => (" -load SAVED", ", where SAVED has the member saved of the record's first line"),
        (None, true) => (" -random-board", ""),
        (None, false) => (" -board LAYOUT", ", where LAYOUT has the member layout of the record's first line"),
    };
    let trades = if header.trades { "" } else { " -trades off" };
    let extras = if header.extras { " -extras" } else { "" };
    let (edition, seed) = (Foreign::from(header.edition.as_str()), Foreign::from(header.seed.as_str()));
    let later = header.follows.map_or(String::new(), |game| format!("; its dice come after those of game {game}"));
    Recipe {
        command: format!("{program} -edition {edition} -seed {seed}{trades}{extras}{start}"),
        note: format!("{note}{later}"),
    }
}
