//! The game as a dialogue: it takes a line and returns text.

use super::edition::Edition;
use super::messages::{
    ASK_PLAY_AGAIN, ASK_ROLL, CANNOT_BUILD, INVALID_COMMAND, INVALID_ROLL, INVALID_TILE, NO_TRADES, NOT_ENOUGH,
};
use super::notation::{ParseActionError, TurnCommand, is, yes_or_no};
use super::output::Output;
use super::render::BoardView;
use super::save;
use super::words::{Words, parse_int};
use crate::board::{LayoutSource, Roll};
use crate::game::{Action, Builder, Event, Game, IllegalAction, Phase, PlacementConflict, SavedGame};
use crate::session::{Command, DiceKind, Pending, Refusal, Session};

/// The next step after an answer, in addition to showing the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow<'l> {
    /// Ask for the next answer.
    Continue,
    /// The answer was refused: ask for it again.
    Refused,
    /// Write [`Dialogue::saved_game`] to the file with this name, and ask for the next answer.
    Save(&'l [u8]),
    /// The players are done.
    End,
}

/// A [`Session`] that is played by typed answers. The course specifies the text to the byte.
///
/// ```
/// use constructor::board::RandomLayout;
/// use constructor::text::words::Words;
/// use constructor::text::{CONSTRUCTOR, Dialogue, Flow, Output};
///
/// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
/// let mut output = Output::default();
/// dialogue.begin(&mut output);
/// assert!(output.bytes().ends_with(b"Builder Blue, where do you want to build a basement?\n"));
///
/// output.clear();
/// assert_eq!(dialogue.answer(&mut Words::new(b"seven"), &mut output), Flow::Refused);
/// assert!(output.bytes().starts_with(b"You cannot build here.\n"));
/// ```
#[derive(Debug)]
pub struct Dialogue {
    edition: &'static Edition,
    session: Session,
    board: BoardView,
    /// The events of the last answer; `None` if they are not recorded.
    events: Option<Vec<Event>>,
    /// Whether the dialogue prints rolls, trades and the result, which the course's dialogue leaves out.
    announces: bool,
}

impl Dialogue {
    /// Makes a dialogue that begins with a new game.
    ///
    /// All draws come from one generator with this seed.
    #[must_use]
    pub fn new(edition: &'static Edition, source: Box<dyn LayoutSource>, seed: u64) -> Self {
        Self::of(edition, edition.new_session(source, seed))
    }

    /// Begins a dialogue with a saved game.
    ///
    /// Later games use the layout of the saved game again.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn resume(edition: &'static Edition, saved: &SavedGame, seed: u64) -> Result<Self, PlacementConflict> {
        Ok(Self::of(edition, edition.resume_session(saved, seed)?))
    }

    /// Makes a dialogue that plays a session in the words of an edition.
    #[must_use]
    pub fn of(edition: &'static Edition, session: Session) -> Self {
        let board = BoardView::new(&edition.template, edition, session.game().layout());
        Self { edition, session, board, events: None, announces: false }
    }

    /// Returns the dialogue, changed to record the events of each answer for [`Dialogue::events`].
    #[must_use]
    pub fn with_events(self) -> Self {
        Self { events: Some(Vec::new()), ..self }
    }

    /// Returns the dialogue, changed to print rolls, trades and the result too.
    #[must_use]
    pub fn with_announcements(self) -> Self {
        Self { announces: true, ..self }
    }

    /// Returns the dialogue, changed to keep a history in its session and to record events. A record of the game needs both.
    #[must_use]
    pub fn with_history(self) -> Self {
        Self { session: self.session.with_history(), ..self }.with_events()
    }

    /// Returns the dialogue, changed so that its session [draws from this generator](Session::with_generator).
    #[must_use]
    pub fn with_generator(self, seed: u64, position: u64, draws_layouts: bool) -> Self {
        Self { session: self.session.with_generator(seed, position, draws_layouts), ..self }
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the events of the last answer. The list is empty unless events are [recorded](Self::with_events).
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.as_deref().unwrap_or_default()
    }

    /// Returns the session.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the session, to submit commands without text.
    pub const fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Returns the position.
    #[must_use]
    pub const fn game(&self) -> &Game {
        self.session.game()
    }

    /// Returns the present game as the text of a saved game.
    #[must_use]
    pub fn saved_game(&self) -> String {
        save::write_game(self.edition, &self.session.saved_game())
    }

    /// Writes the text before the first answer.
    pub fn begin(&mut self, out: &mut Output) {
        self.introduce(None, out);
    }

    /// Takes as many words as one answer or command needs and writes the response.
    ///
    /// A blank line has no response.
    pub fn answer<'l>(&mut self, words: &mut Words<'l>, out: &mut Output) -> Flow<'l> {
        if let Some(events) = &mut self.events {
            events.clear();
        }
        let Some(word) = words.next() else { return Flow::Continue };
        match self.session.pending() {
            Pending::Settle(_) => self.answer_or_ask_again(word, |_, out| out.line(CANNOT_BUILD), out),
            Pending::Roll(..) => self.start_turn(word, out),
            Pending::LoadedRoll(_) => match parse_int(word).and_then(Roll::new) {
                Some(roll) => self.expect_done(Command::LoadedRoll(roll), out),
                None => self.refuse(|_, out| out.line(INVALID_ROLL), None, out),
            },
            Pending::MoveGeese(_) => self.answer_or_ask_again(word, |_, out| out.line(INVALID_TILE), out),
            Pending::Rob(_) => self.answer_or_ask_again(word, Edition::write_invalid_victim, out),
            Pending::Turn(builder) => self.command(builder, word, words, out),
            Pending::Answer(_) => self.answer_offer(word, out),
            Pending::GameOver => match yes_or_no(word) {
                Some(true) => self.play_again(out),
                Some(false) => Flow::End,
                None => self.refuse(|_, out| out.line(INVALID_COMMAND), None, out),
            },
        }
    }

    /// Handles the start of a turn: a choice of dice, or the roll.
    fn start_turn(&mut self, word: &[u8], out: &mut Output) -> Flow<'static> {
        if is(word, "load") {
            self.expect_done(Command::SetDice(DiceKind::Loaded), out)
        } else if is(word, "fair") {
            self.expect_done(Command::SetDice(DiceKind::Fair), out)
        } else if is(word, "roll") {
            let flow = self.expect_done(Command::Act(Action::Roll), out);
            if let Pending::LoadedRoll(_) = self.session.pending() {
                self.ask(out);
            }
            flow
        } else {
            out.line(INVALID_COMMAND);
            self.explain(None, out);
            Flow::Refused
        }
    }

    fn command<'l>(&mut self, builder: Builder, word: &[u8], words: &mut Words<'l>, out: &mut Output) -> Flow<'l> {
        let game = self.session.game();
        match self.edition.parse_command(word, words) {
            Ok(TurnCommand::Residences) => {
                self.edition.write_residences(game, builder, self.session.residences(builder), out);
            }
            Ok(TurnCommand::Save(file)) => return Flow::Save(file),
            Ok(TurnCommand::Act(action)) => {
                if let Err(refusal) = self.submit(Command::Act(action), out) {
                    out.line(refusal_message(action, refusal));
                    if refusal != Refusal::NoTrades {
                        self.explain(Some(action), out);
                    }
                    return Flow::Refused;
                }
            }
            Ok(info) => self.write_info(info, out),
            Err(error) => {
                out.line(if error == ParseActionError::NoSuchPlace { CANNOT_BUILD } else { INVALID_COMMAND });
                if self.announces {
                    out.line(&self.edition.mistake(error, word));
                }
                return Flow::Refused;
            }
        }
        Flow::Continue
    }

    /// Writes the board, the status of all players, or the commands of a turn.
    pub fn write_info(&self, what: TurnCommand<'_>, out: &mut Output) {
        let game = self.session.game();
        match what {
            TurnCommand::Board => self.draw_board(out),
            TurnCommand::Status => {
                for builder in Builder::ALL {
                    self.edition.write_status(game, builder, out);
                }
            }
            TurnCommand::Help => self.edition.write_commands(out),
            TurnCommand::Act(_) | TurnCommand::Residences | TurnCommand::Save(_) => {}
        }
    }

    fn draw_board(&self, out: &mut Output) {
        self.board.draw(&self.edition.template, self.edition, self.session.game(), out);
    }

    /// Writes the commands or answers that can be typed now.
    pub fn write_help(&self, out: &mut Output) {
        match self.session.pending() {
            Pending::Turn(_) => self.edition.write_commands(out),
            pending => self.edition.write_answers(self.session.game(), pending, out),
        }
    }

    fn answer_offer(&mut self, word: &[u8], out: &mut Output) -> Flow<'static> {
        let accepts = yes_or_no(word) == Some(true);
        let too_poor = Err(Refusal::Illegal(IllegalAction::Resources));
        if accepts && self.submit(Command::Act(Action::Accept), out) == too_poor {
            out.line(NOT_ENOUGH);
            self.explain(Some(Action::Accept), out);
            self.expect_done(Command::Act(Action::Refuse), out)
        } else if accepts {
            Flow::Continue
        } else {
            self.answer_or_ask_again(word, |_, out| out.line(INVALID_COMMAND), out)
        }
    }

    fn play_again(&mut self, out: &mut Output) -> Flow<'static> {
        if self.session.submit_with(Command::NewGame, |_| {}).is_ok() {
            self.board = BoardView::new(&self.edition.template, self.edition, self.session.game().layout());
            self.begin(out);
        }
        Flow::Continue
    }

    /// Plays the action that the word means.
    ///
    /// If the word is not an action, or the action is illegal, writes the refusal and asks again.
    fn answer_or_ask_again(
        &mut self,
        word: &[u8],
        refuse: impl Fn(&Edition, &mut Output),
        out: &mut Output,
    ) -> Flow<'static> {
        let action = self.edition.parse_answer(word, self.session.game().phase()).ok();
        match action {
            Some(action) if self.submit(Command::Act(action), out).is_ok() => Flow::Continue,
            _ => self.refuse(refuse, action, out),
        }
    }

    /// Writes a refusal, of an action if the answer was one, and asks again.
    fn refuse(
        &self,
        refuse: impl Fn(&Edition, &mut Output),
        action: Option<Action>,
        out: &mut Output,
    ) -> Flow<'static> {
        refuse(self.edition, out);
        self.explain(action, out);
        self.ask(out);
        Flow::Refused
    }

    /// Writes why an action was refused, or what can be typed instead of an answer that is no action. The course's dialogue does neither.
    fn explain(&self, action: Option<Action>, out: &mut Output) {
        if !self.announces {
            return;
        }
        match action {
            Some(action) => {
                if let Some(reason) = self.edition.why_not(self.session.game(), action) {
                    out.line(&reason);
                }
            }
            None => self.edition.write_answers(self.session.game(), self.session.pending(), out),
        }
    }

    /// Submits a command that cannot be refused in this phase.
    fn expect_done(&mut self, command: Command, out: &mut Output) -> Flow<'static> {
        let done = self.submit(command, out);
        debug_assert_eq!(done, Ok(()), "{command:?}");
        Flow::Continue
    }

    /// Submits a command, and writes its events and the text that introduces the next phase.
    fn submit(&mut self, command: Command, out: &mut Output) -> Result<(), Refusal> {
        let before = self.session.game().phase();
        let Self { edition, session, events, announces, .. } = self;
        session.submit_with(command, |event| {
            if *announces {
                edition.write_announcement(event, out);
            }
            edition.write_event(event, out);
            if let Some(events) = events {
                events.push(event);
            }
        })?;
        self.introduce(Some(before), out);
        Ok(())
    }

    /// Writes the text at the beginning of a phase, if the phase has changed.
    fn introduce(&self, before: Option<Phase>, out: &mut Output) {
        let game = self.session.game();
        let phase = game.phase();
        if before == Some(phase) {
            return;
        }
        match phase {
            Phase::Setup(_) if before.is_none() => self.draw_board(out),
            Phase::TurnStart(builder) => {
                if self.edition.board_at_each_turn || matches!(before, Some(Phase::Setup(_))) {
                    self.draw_board(out);
                }
                self.edition.write_turn(game, builder, out);
            }
            Phase::Rob(robber) => self.edition.write_victims(game, robber, out),
            Phase::Offered(offer) => self.edition.write_offer(offer, out),
            Phase::Over(_) if self.announces => {
                if let Some(winner) = game.winner() {
                    self.edition.write_result(game, winner, out);
                }
            }
            Phase::Setup(_) | Phase::MoveGeese(_) | Phase::DuringTurn(_) | Phase::Over(_) => {}
        }
        self.ask(out);
    }

    /// Writes the last line of the pending question, if it has one.
    pub fn ask(&self, out: &mut Output) {
        match self.session.pending() {
            Pending::Settle(builder) => self.edition.write_settle_question(builder, out),
            Pending::LoadedRoll(_) => out.line(ASK_ROLL),
            Pending::Roll(..) | Pending::Turn(_) => {}
            Pending::MoveGeese(_) => self.edition.write_tile_question(out),
            Pending::Rob(_) => self.edition.write_victim_question(out),
            Pending::Answer(offer) => self.edition.write_offer_question(offer, out),
            Pending::GameOver => out.line(ASK_PLAY_AGAIN),
        }
    }
}

/// Returns the message for a refused action of a turn.
const fn refusal_message(action: Action, refusal: Refusal) -> &'static str {
    match (action, refusal) {
        (_, Refusal::NoTrades) => NO_TRADES,
        (_, Refusal::Illegal(IllegalAction::Resources)) => NOT_ENOUGH,
        (Action::Offer { .. }, _) => INVALID_COMMAND,
        _ => CANNOT_BUILD,
    }
}
