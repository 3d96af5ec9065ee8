//! The game that is played on the screen: every answer is a line that the text game understands, and every earlier position can be shown
//! again.

use crate::game::{Action, AnsweredOffers, Builder, ChanceOutcome, Event, Game, PlacementConflict, Residence, Trades};
use crate::record::{self, Record, RecordLine, ReplayError, Resumed, Step};
use crate::session::{Decision, Pending, SessionStart};
use crate::text::words::Words;
use crate::text::{Answered, Dialogue, Edition, Flow, Output};

/// The setup of the games of a timeline. Together with the typed lines, it determines the games.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The edition.
    pub edition: &'static Edition,
    /// How the first game begins.
    pub start: SessionStart,
    /// The seed of all draws.
    pub seed: u64,
    /// Whether builders can offer trades.
    pub trades: Trades,
}

impl GameSetup {
    fn dialogue(&self) -> Result<Dialogue, PlacementConflict> {
        let session = self.edition.open_session(&self.start, self.seed)?.with_trades(self.trades);
        Ok(Dialogue::of(self.edition, session.with_history()).with_announcements().with_events())
    }
}

/// The game after an action, and the action.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The position.
    pub game: Game,
    /// The builder who decided and the action; `None` at the beginning.
    pub action: Option<(Builder, Action)>,
    /// The events that followed.
    pub events: Vec<Event>,
    /// The faces of the last roll, if the dice were fair.
    pub faces: Option<[u8; 2]>,
    /// The number of rolls so far.
    pub turn: u32,
    /// The seed of the generator and the number of words that were drawn from it. `None` if they are not known, as in some recorded games.
    generator: Option<(u64, u64)>,
    /// The length of the script up to here, in bytes.
    script_length: usize,
}

impl Snapshot {
    /// Makes the snapshot of a dialogue after its last action, or at the beginning of its game. `seed` is that of its generator, if it is known.
    fn of(dialogue: &Dialogue, seed: Option<u64>, turn: u32, script_length: usize) -> Self {
        let session = dialogue.session();
        let last = session.history().last();
        Self {
            game: *session.game(),
            action: last.map(|entry| (entry.builder, entry.action)),
            events: last.map_or(Vec::new(), |entry| entry.events.clone()),
            faces: session.faces(),
            turn,
            generator: seed.map(|seed| (seed, session.drawn())),
            script_length,
        }
    }

    /// Returns the action and its events in the words of the text game; empty at the beginning.
    #[must_use]
    pub fn text(&self, edition: &Edition) -> String {
        let mut out = Output::default();
        if let Some((builder, action)) = self.action {
            // The position is the one after the action.
            let words = match action {
                Action::Improve(vertex) => {
                    let kind = self.game.residence(vertex).map_or(0, Residence::index);
                    format!("{} {vertex}", edition.strings.residences[kind])
                }
                _ => edition.action_words_on(self.game.layout(), action),
            };
            edition.write_log_entry(builder, &words, &self.events, &mut out);
        }
        out.text()
    }

    /// Returns the sum of the dice, if this is a roll.
    #[must_use]
    pub fn roll(&self) -> Option<u8> {
        self.events.iter().find_map(|event| match event {
            Event::Rolled(_, roll) => Some(roll.value()),
            _ => None,
        })
    }
}

/// Something besides the game that an answer asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FollowUp {
    /// Nothing.
    None,
    /// Save the game in this file.
    Save(Vec<u8>),
    /// Leave: the players are done.
    End,
}

/// A series of games, with its script and the snapshots of the current game.
#[derive(Debug)]
pub struct Timeline {
    setting: GameSetup,
    dialogue: Dialogue,
    /// How the current game began.
    start: SessionStart,
    /// The seed of the generator; `None` for a recorded game for which the state of the generator is not known.
    seed: Option<u64>,
    /// The lines that had an effect, each with a newline.
    script: String,
    /// The snapshots of the current game.
    snapshots: Vec<Snapshot>,
    /// The lines that were undone, the latest last.
    undone: Vec<String>,
    /// Increases with every change.
    version: u64,
}

impl Timeline {
    /// Begins a timeline with a new or continued game.
    ///
    /// # Errors
    /// When two roads of a saved game are on one edge, or two residences on one vertex.
    pub fn new(setting: GameSetup) -> Result<Self, PlacementConflict> {
        let dialogue = setting.dialogue()?;
        Ok(Self::at_beginning(setting, dialogue))
    }

    fn at_beginning(setting: GameSetup, dialogue: Dialogue) -> Self {
        let start = match &setting.start {
            SessionStart::RandomBoard => SessionStart::Board(Box::new(*dialogue.game().layout())),
            start => start.clone(),
        };
        let seed = Some(setting.seed);
        let snapshots = vec![Snapshot::of(&dialogue, seed, 0, 0)];
        Self { setting, dialogue, start, seed, script: String::new(), snapshots, undone: Vec::new(), version: 0 }
    }

    /// Begins a timeline at the end of a recorded game, and returns it with the state of that game.
    ///
    /// # Errors
    /// The number of the first line in the file that is impossible, and the reason.
    pub fn of_record(record: &Record) -> Result<(Self, Resumed), (usize, ReplayError)> {
        let at_header = |error| (record.first_line, error);
        let edition = Edition::by_name(&record.header.edition).unwrap_or_else(Edition::standard);
        let start = record.header.start(edition).map_err(|error| at_header(error.into()))?;
        let random = matches!(start, SessionStart::Board(_)) && record.header.random_layout;
        let (mut snapshots, mut script): (Vec<Snapshot>, String) = (Vec::new(), String::new());
        let (dialogue, resumed) = record::resume(record, |replay, step| match step {
            Step::Begin => {
                snapshots = vec![Snapshot::of(replay.dialogue(), None, 0, 0)];
                script.clear();
            }
            Step::Line(RecordLine::Undo { .. }, _) => {
                let length =
                    snapshots.pop().map_or(0, |_| snapshots.last().map_or(0, |snapshot| snapshot.script_length));
                script.truncate(length);
            }
            Step::Line(line, answers) => {
                let has_effect = match line {
                    RecordLine::Action(_) => true,
                    RecordLine::Input { text, .. } => {
                        // With loaded dice, `roll` asks for the sum.
                        ["fair", "load", "roll"].contains(&text.trim().to_ascii_lowercase().as_str())
                    }
                    _ => false,
                };
                for answer in answers.iter().filter(|_| has_effect) {
                    script += &answer.typed;
                    script.push('\n');
                }
                if let RecordLine::Action(_) = line {
                    snapshots.push(Snapshot::of(replay.dialogue(), Some(replay.seed()), replay.turn(), script.len()));
                }
            }
        })?;
        let setting = GameSetup {
            edition,
            start: if random { SessionStart::RandomBoard } else { start.clone() },
            seed: record.header.seed.parse().unwrap_or_default(),
            trades: record.header.trades(),
        };
        if !resumed.is_exact {
            for snapshot in &mut snapshots {
                snapshot.generator = None;
            }
        }
        let seed = resumed.is_exact.then_some(resumed.setup.seed);
        let dialogue = dialogue.with_announcements();
        let timeline = Self { setting, dialogue, start, seed, script, snapshots, undone: Vec::new(), version: 0 };
        Ok((timeline, resumed))
    }

    /// Goes on to the end of a record that begins with what the timeline has.
    ///
    /// # Errors
    /// Why a line of the record is impossible.
    pub fn follow(&mut self, record: &Record) -> Result<(), String> {
        let (timeline, _) = Self::of_record(record).map_err(|(line, error)| format!("line {line}: {error}"))?;
        *self = Self { version: self.version + 1, ..timeline };
        Ok(())
    }

    /// Returns whether the seed of the generator that draws later dice is known.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.seed.is_some()
    }

    /// Draws later dice from a new generator with this seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.dialogue.session_mut().set_generator(seed, 0);
        if let Some(snapshot) = self.snapshots.last_mut() {
            snapshot.generator = Some((seed, 0));
        }
    }

    /// Returns how the games begin.
    #[must_use]
    pub const fn setting(&self) -> &GameSetup {
        &self.setting
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.setting.edition
    }

    /// Returns the dialogue.
    #[must_use]
    pub const fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// Returns the position.
    #[must_use]
    pub const fn game(&self) -> &Game {
        self.dialogue.game()
    }

    /// Returns the decision or input that the game waits for.
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.dialogue.session().pending()
    }

    /// Returns a number that increases with every change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Counts versions from this number on.
    pub const fn number_from(&mut self, first: u64) {
        self.version = first;
    }

    /// Returns the snapshots of the current game, from its beginning to now; never empty.
    #[must_use]
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    /// Returns the offers that were answered in the turn of a snapshot, up to it.
    #[must_use]
    pub fn answered_offers(&self, shown: usize) -> AnsweredOffers {
        let snapshots = self.snapshots[..=shown].iter();
        AnsweredOffers::of(snapshots.filter_map(|snapshot| snapshot.action).map(|(_, action)| action))
    }

    /// Returns whether there is something to undo: whether the last action built something.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        let last = self.dialogue.session().history().last().map(|entry| entry.action);
        matches!(last, Some(Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_)))
    }

    /// Returns whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Returns the current question of the text game; empty when it waits for a roll or for commands.
    #[must_use]
    pub fn question(&self) -> String {
        let mut out = Output::default();
        self.dialogue.ask(&mut out);
        out.text().trim_end().to_owned()
    }

    /// Returns what the text game prints before its first question.
    #[must_use]
    pub fn introduction(&mut self) -> Vec<u8> {
        let mut out = Output::default();
        self.dialogue.begin(&mut out);
        out.bytes().to_vec()
    }

    /// Returns the lines that play the text game up to now.
    #[must_use]
    pub fn script(&self) -> &str {
        &self.script
    }

    /// Answers the current question with as many of the words as the question needs.
    pub fn answer(&mut self, words: &mut Words<'_>) -> (Answered, FollowUp) {
        let (answered, flow) = self.dialogue.answer_in_full(words);
        let request = match flow {
            Flow::Continue | Flow::Refused => FollowUp::None,
            Flow::Save(file) => FollowUp::Save(file.to_vec()),
            Flow::End => FollowUp::End,
        };
        if answered.has_effect {
            self.undone.clear();
            self.script += &answered.typed;
            self.script.push('\n');
            self.note(&answered.decision);
        }
        (answered, request)
    }

    /// Adds a snapshot of the state after an answer to this decision.
    fn note(&mut self, decision: &Decision) {
        self.version += 1;
        let script_length = self.script.len();
        if decision.pending == Pending::GameOver {
            self.snapshots = vec![Snapshot::of(&self.dialogue, self.seed, 0, script_length)];
            self.start = SessionStart::Board(Box::new(*self.dialogue.game().layout()));
            return;
        }
        // The choice of other dice is not an action.
        let (Some(entry), false) = (self.dialogue.session().history().last(), self.dialogue.events().is_empty()) else {
            return;
        };
        let is_roll = u32::from(entry.action == Action::Roll);
        let turn = self.snapshots.last().map_or(0, |snapshot| snapshot.turn) + is_roll;
        self.snapshots.push(Snapshot::of(&self.dialogue, self.seed, turn, script_length));
    }

    /// Undoes the last building action of this turn. Returns `None` if there is no such action.
    pub fn undo(&mut self) -> Option<Answered> {
        let answered = self.dialogue.undo()?;
        self.version += 1;
        self.snapshots.pop();
        let line = self.script.lines().next_back()?.to_owned();
        self.script.truncate(self.script.len() - line.len() - 1);
        self.undone.push(line);
        Some(answered)
    }

    /// Redoes the action that was undone last. Returns `None` if nothing can be redone.
    pub fn redo(&mut self) -> Option<Answered> {
        let line = self.undone.pop()?;
        let rest = std::mem::take(&mut self.undone);
        let (answered, _) = self.answer(&mut Words::new(line.as_bytes()));
        self.undone = rest;
        Some(answered)
    }

    /// Continues the current game from the snapshot with this index.
    ///
    /// Later snapshots are dropped. The generator continues from its state at that snapshot, so the same dice are rolled again.
    pub fn branch_from(&mut self, index: usize) {
        let Some(snapshot) = self.snapshots.get(index) else { return };
        let (length, generator) = (snapshot.script_length, snapshot.generator);
        let first = self.snapshots[0].script_length;
        // The same session was opened before, so this succeeds.
        let opened = GameSetup { start: self.start.clone(), ..self.setting.clone() };
        let Ok(dialogue) = opened.dialogue() else { return };
        let draws_layouts = self.setting.start == SessionStart::RandomBoard;
        let (seed, drawn) = generator.unwrap_or((self.setting.seed, 0));
        let (later, version) = (self.script.split_off(first), self.version);
        let before = std::mem::take(&mut self.snapshots);
        self.dialogue = dialogue.with_generator(seed, drawn, draws_layouts);
        self.seed = generator.map(|(seed, _)| seed);
        self.snapshots =
            vec![Snapshot { generator: before[0].generator, ..Snapshot::of(&self.dialogue, None, 0, first) }];
        self.undone.clear();
        for line in later[..length - first].lines() {
            // The outcomes of chance are given, so nothing is drawn.
            if let Some(snapshot) = before.get(self.snapshots.len()) {
                let faces = snapshot.faces.unwrap_or([1; 2]);
                self.dialogue.session_mut().force_next_outcome(ChanceOutcome::of(&snapshot.events), faces);
            }
            self.answer(&mut Words::new(line.as_bytes()));
            let count = self.snapshots.len();
            if let (Some(now), Some(then)) = (self.snapshots.last_mut(), before.get(count - 1)) {
                now.generator = then.generator;
            }
        }
        self.version = version + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::CONSTRUCTOR;

    fn timeline() -> Timeline {
        let setting =
            GameSetup { edition: &CONSTRUCTOR, start: SessionStart::RandomBoard, seed: 4, trades: Trades::On };
        Timeline::new(setting).unwrap()
    }

    fn type_lines(timeline: &mut Timeline, text: &str) {
        let mut words = Words::new(text.as_bytes());
        while !words.is_blank() {
            timeline.answer(&mut words);
        }
    }

    #[test]
    fn going_on_from_a_moment_replays_the_script_up_to_it() {
        let mut timeline = timeline();
        type_lines(&mut timeline, "0 4 10 17 20 30 40 52 fair roll");
        let index = timeline.snapshots().len() - 1;
        let (then, script) = (*timeline.game(), timeline.script().to_owned());
        type_lines(&mut timeline, "next fair roll");
        let later = *timeline.game();
        timeline.branch_from(index);
        assert_eq!((timeline.game(), timeline.script()), (&then, script.as_str()));
        type_lines(&mut timeline, "next fair roll");
        assert_eq!(*timeline.game(), later, "the same dice roll on");
    }

    #[test]
    fn script_has_what_had_an_effect() {
        let mut timeline = timeline();
        type_lines(&mut timeline, "0 1 99 4 10 17 20 30 40 52 load fair fair roll");
        assert_eq!(timeline.script(), "0\n4\n10\n17\n20\n30\n40\n52\nfair\nroll\n");
    }
}
