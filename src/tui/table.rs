//! The game that is played on the screen: every answer is a line that the text game understands, and everything that happened
//! can be looked at again.

use crate::game::{Action, Builder, ChanceOutcome, Event, Game, PlacementConflict, Trades};
use crate::record::{Line, Record, RecordedPlayer, Replay, ReplayError};
use crate::session::{Command, Decision, Opening, Pending};
use crate::text::words::Words;
use crate::text::{Dialogue, Edition, Flow, Output};

/// How the games on a table begin. It determines them, together with the lines that are typed.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The edition.
    pub edition: &'static Edition,
    /// How the first game begins.
    pub opening: Opening,
    /// The seed of all draws.
    pub seed: u64,
    /// Whether builders can offer trades.
    pub trades: Trades,
}

impl Setting {
    fn dialogue(&self) -> Result<Dialogue, PlacementConflict> {
        let session = self.edition.open_session(&self.opening, self.seed)?.with_trades(self.trades);
        Ok(Dialogue::of(self.edition, session.with_history()).with_announcements().with_events())
    }
}

/// The game after an action, and the action.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The position.
    pub game: Game,
    /// Who decided and what; `None` at the beginning.
    pub action: Option<(Builder, Action)>,
    /// What happened then.
    pub events: Vec<Event>,
    /// The faces of the last roll, if the dice were fair.
    pub faces: Option<[u8; 2]>,
    /// The number of rolls so far.
    pub turn: u32,
    /// The length of the script up to here, in bytes.
    script_length: usize,
}

impl Moment {
    /// The action and what came of it, in the words of the text game; empty at the beginning.
    #[must_use]
    pub fn text(&self, edition: &Edition) -> String {
        let mut out = Output::default();
        if let Some((builder, action)) = self.action {
            edition.write_log_entry(builder, action, &self.events, &mut out);
        }
        out.text()
    }

    /// The sum of the dice, if this is a roll.
    #[must_use]
    pub fn roll(&self) -> Option<u8> {
        self.events.iter().find_map(|event| match event {
            Event::Rolled(_, roll) => Some(roll.value()),
            _ => None,
        })
    }
}

/// An answer, for programs that play.
#[derive(Clone, Debug)]
pub struct Told {
    /// The decision that was asked for.
    pub decision: Decision,
    /// The game after it.
    pub game: Game,
    /// The words that were used.
    pub typed: String,
    /// What the text game prints then.
    pub text: Vec<u8>,
    /// What happened.
    pub events: Vec<Event>,
    /// Whether it was refused.
    pub is_refused: bool,
    /// Whether it changed anything.
    pub has_effect: bool,
    /// Whether it took back what was done before.
    pub is_undo: bool,
    /// The action that it played.
    pub played: Option<Action>,
    /// The faces of the last roll, if the dice were fair.
    pub faces: Option<[u8; 2]>,
}

/// What an answer asks for besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Nothing.
    None,
    /// To save the game in this file.
    Save(Vec<u8>),
    /// To end.
    End,
}

/// A series of games with its script and its past.
#[derive(Debug)]
pub struct Table {
    setting: Setting,
    dialogue: Dialogue,
    /// The lines that had an effect, each with a newline.
    script: String,
    /// The moments of the current game.
    moments: Vec<Moment>,
    /// The lines that were undone, the latest last.
    undone: Vec<String>,
    /// Increases with every change.
    version: u64,
    /// Whether this is a recorded game: what chance decided is not that of the seed.
    is_recorded: bool,
}

impl Table {
    /// A table with a new or continued game.
    ///
    /// # Errors
    /// When two roads of a saved game are on one edge, or two residences on one vertex.
    pub fn new(setting: Setting) -> Result<Self, PlacementConflict> {
        let dialogue = setting.dialogue()?;
        let moments = vec![Self::first_moment(&dialogue, 0)];
        let script = String::new();
        Ok(Self { setting, dialogue, script, moments, undone: Vec::new(), version: 0, is_recorded: false })
    }

    /// A table with a recorded game, and who played it.
    ///
    /// # Errors
    /// The number of the first line in the file that is impossible, and why.
    pub fn of_record(record: &Record) -> Result<(Self, [RecordedPlayer; Builder::COUNT]), (usize, ReplayError)> {
        let at_header = |error| (record.first_line, error);
        let mut replay = Replay::new(&record.header).map_err(at_header)?;
        let edition = replay.edition();
        let setting = Setting {
            edition,
            opening: record.header.opening(edition).map_err(|error| at_header(error.into()))?,
            seed: record.header.seed.parse().unwrap_or_default(),
            trades: record.header.trades(),
        };
        let mut table = Self::new(setting).map_err(|error| at_header(error.into()))?;
        table.is_recorded = true;
        for (number, line) in (record.first_line + 1..).zip(&record.lines) {
            let answers = replay.apply(line).map_err(|error| (number, error))?;
            match line {
                Line::Undo { .. } => drop(table.undo()),
                Line::Action(played) => {
                    let events = replay.dialogue().session().history().last().map(|entry| &entry.events[..]);
                    table.give_chance(events.unwrap_or_default(), played.dice);
                    for answer in answers {
                        table.answer(&mut Words::new(answer.typed.as_bytes()));
                    }
                }
                Line::Input { text, .. } if table.pending() != Pending::GameOver => {
                    drop(table.answer(&mut Words::new(text.as_bytes())));
                }
                Line::Game(_) | Line::Input { .. } | Line::Player(_) | Line::Result(_) => {}
            }
        }
        Ok((table, replay.players().clone()))
    }

    /// Gives what chance decides in the next action.
    fn give_chance(&mut self, events: &[Event], faces: Option<[u8; 2]>) {
        self.dialogue.session_mut().give_chance(ChanceOutcome::of(events), faces.unwrap_or([1; 2]));
    }

    fn first_moment(dialogue: &Dialogue, script_length: usize) -> Moment {
        Moment { game: *dialogue.game(), action: None, events: Vec::new(), faces: None, turn: 0, script_length }
    }

    /// How the games begin.
    #[must_use]
    pub const fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The edition.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.setting.edition
    }

    /// The dialogue.
    #[must_use]
    pub const fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// The position.
    #[must_use]
    pub const fn game(&self) -> &Game {
        self.dialogue.game()
    }

    /// What the game waits for.
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.dialogue.session().pending()
    }

    /// A number that increases with every change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The moments of the current game, from its beginning to now; never empty.
    #[must_use]
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// Whether there is something to undo: building, after which nothing else was done.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        let last = self.dialogue.session().history().last().map(|entry| entry.action);
        matches!(last, Some(Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_)))
    }

    /// Whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The last question of the text game: empty when it waits for a roll or for commands.
    #[must_use]
    pub fn question(&self) -> String {
        let mut out = Output::default();
        self.dialogue.ask(&mut out);
        out.text().trim_end().to_owned()
    }

    /// What the text game prints before its first question.
    #[must_use]
    pub fn introduction(&mut self) -> Vec<u8> {
        let mut out = Output::default();
        self.dialogue.begin(&mut out);
        out.bytes().to_vec()
    }

    /// The lines that play the text game up to now.
    #[must_use]
    pub fn script(&self) -> &str {
        &self.script
    }

    /// Takes as many words as one answer needs, and answers.
    pub fn answer(&mut self, words: &mut Words<'_>) -> (Told, Request) {
        let mut out = Output::default();
        let noted = self.dialogue.answer_noted(words, &mut out);
        let request = match noted.flow {
            Flow::Continue | Flow::Refused => Request::None,
            Flow::Save(file) => Request::Save(file.to_vec()),
            Flow::End => Request::End,
        };
        if noted.has_effect {
            self.undone.clear();
            self.script += &noted.typed;
            self.script.push('\n');
            self.note(&noted.decision);
        }
        let told = Told {
            decision: noted.decision,
            game: *self.game(),
            typed: noted.typed,
            text: out.bytes().to_vec(),
            events: self.dialogue.events().to_vec(),
            is_refused: noted.is_refused,
            has_effect: noted.has_effect,
            is_undo: false,
            played: noted.played,
            faces: self.dialogue.session().faces(),
        };
        (told, request)
    }

    /// Notes the state after an answer to this decision.
    fn note(&mut self, decision: &Decision) {
        self.version += 1;
        let script_length = self.script.len();
        if decision.pending == Pending::GameOver {
            self.moments = vec![Self::first_moment(&self.dialogue, script_length)];
            return;
        }
        let session = self.dialogue.session();
        // Choosing other dice is no action.
        let (Some(entry), false) = (session.history().last(), self.dialogue.events().is_empty()) else { return };
        let is_roll = u32::from(entry.action == Action::Roll);
        let turn = self.moments.last().map_or(0, |moment| moment.turn) + is_roll;
        self.moments.push(Moment {
            game: *session.game(),
            action: Some((entry.builder, entry.action)),
            events: entry.events.clone(),
            faces: session.faces(),
            turn,
            script_length,
        });
    }

    /// Undoes the last building action of this turn; `None` if there is none.
    pub fn undo(&mut self) -> Option<Told> {
        let decision = self.dialogue.session().decision();
        self.dialogue.session_mut().submit(Command::Undo).ok()?;
        self.version += 1;
        self.moments.pop();
        let line = self.script.lines().next_back()?.to_owned();
        self.script.truncate(self.script.len() - line.len() - 1);
        self.undone.push(line);
        Some(Told {
            decision,
            game: *self.game(),
            typed: "undo".to_owned(),
            text: Vec::new(),
            events: Vec::new(),
            is_refused: false,
            has_effect: true,
            is_undo: true,
            played: None,
            faces: None,
        })
    }

    /// Does again what was undone last; `None` if there is nothing.
    pub fn redo(&mut self) -> Option<Told> {
        let line = self.undone.pop()?;
        let rest = std::mem::take(&mut self.undone);
        let (told, _) = self.answer(&mut Words::new(line.as_bytes()));
        self.undone = rest;
        Some(told)
    }

    /// Goes on from a moment of the current game, by its index. What came later is forgotten; the dice of the same seed roll on. After
    /// a recorded game, the dice of the seed begin anew.
    pub fn go_on_from(&mut self, index: usize) {
        let Some(length) = self.moments.get(index).map(|moment| moment.script_length) else { return };
        // It opened before.
        let Ok(dialogue) = self.setting.dialogue() else { return };
        let mut script = std::mem::take(&mut self.script);
        script.truncate(length);
        let (version, before) = (self.version, std::mem::take(&mut self.moments));
        *self = Self {
            moments: vec![Self::first_moment(&dialogue, 0)],
            setting: self.setting.clone(),
            dialogue,
            script: String::new(),
            undone: Vec::new(),
            version: 0,
            is_recorded: self.is_recorded,
        };
        for line in script.lines() {
            if let Some(moment) = before.get(self.moments.len()).filter(|_| self.is_recorded) {
                self.give_chance(&moment.events, moment.faces);
            }
            self.answer(&mut Words::new(line.as_bytes()));
        }
        self.version = version + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::CONSTRUCTOR;

    fn table() -> Table {
        let setting = Setting { edition: &CONSTRUCTOR, opening: Opening::RandomBoard, seed: 4, trades: Trades::On };
        Table::new(setting).unwrap()
    }

    fn type_lines(table: &mut Table, text: &str) {
        let mut words = Words::new(text.as_bytes());
        while !words.is_blank() {
            table.answer(&mut words);
        }
    }

    #[test]
    fn going_on_from_a_moment_replays_the_script_up_to_it() {
        let mut table = table();
        type_lines(&mut table, "0 4 10 17 20 30 40 52 fair roll");
        let index = table.moments().len() - 1;
        let (then, script) = (*table.game(), table.script().to_owned());
        type_lines(&mut table, "next fair roll");
        let later = *table.game();
        table.go_on_from(index);
        assert_eq!((table.game(), table.script()), (&then, script.as_str()));
        type_lines(&mut table, "next fair roll");
        assert_eq!(*table.game(), later, "the same dice roll on");
    }

    #[test]
    fn script_has_what_had_an_effect() {
        let mut table = table();
        type_lines(&mut table, "0 1 99 4 10 17 20 30 40 52 load fair fair roll");
        assert_eq!(table.script(), "0\n4\n10\n17\n20\n30\n40\n52\nfair\nroll\n");
    }
}
