//! The game as a conversation: a line goes in, text comes out. No file and no terminal is touched.

mod drawing;
mod past;
mod record;
mod telling;
mod text;

use rand_chacha::ChaCha8Rng;

use self::drawing::Canvas;
use self::past::Past;
use self::record::Record;
use self::telling::{ASK_PLAY_AGAIN, ASK_ROLL, CANNOT_BUILD, INVALID_COMMAND, INVALID_ROLL, INVALID_TILE, NOT_ENOUGH};
use crate::board::{Edge, LayoutSource, Resource, Roll, Tile, Vertex};
use crate::dice::{DiceKind, Thrown};
use crate::edition::{Edition, Verb};
use crate::game::{Action, Builder, Clash, Drawn, Foretold, Game, Illegal, Phase, Position};
use crate::line::{Line, number};
use crate::random;
use crate::save;

pub use text::Text;

/// What is to be done after an answer, besides showing the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow<'l> {
    /// Ask for the next one.
    Continue,
    /// Write [`Dialogue::saved_game`] to the file with this name, and ask for the next one.
    Save(&'l [u8]),
    /// The game is over; ask nothing more.
    End,
}

/// The question that is open, with all that somebody has to know who answers it without reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The game, whose phase is what is asked.
    pub game: Game,
    /// The dice of the builder who is asked; of no one, when the game is over.
    pub dice: DiceKind,
    /// Whether loaded dice wait to be told what they show.
    pub asks_roll: bool,
}

/// A conversation about one game after another.
///
/// ```
/// use constructor::board::RandomLayout;
/// use constructor::dialogue::{Dialogue, Flow, Text};
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::line::Line;
///
/// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
/// let mut text = Text::default();
/// dialogue.begin(&mut text);
/// assert!(text.bytes().ends_with(b"Builder Blue, where do you want to build a basement?\n"));
///
/// text.clear();
/// assert_eq!(dialogue.answer(&mut Line::new(b"seven"), &mut text), Flow::Continue);
/// assert!(text.bytes().starts_with(b"You cannot build here.\n"));
/// ```
pub struct Dialogue {
    edition: &'static Edition,
    source: Box<dyn LayoutSource>,
    random: ChaCha8Rng,
    game: Game,
    record: Record,
    canvas: Canvas,
    dice: [DiceKind; Builder::COUNT],
    /// Whether loaded dice have been rolled and the builder has not yet said what they show.
    asked_roll: bool,
    /// What was done, if that is kept.
    past: Option<Past>,
}

impl Dialogue {
    /// A conversation that begins with a new game. Every draw comes from one generator with this seed.
    #[must_use]
    pub fn new(edition: &'static Edition, source: Box<dyn LayoutSource>, seed: u64) -> Self {
        let mut random = random::seeded(seed);
        let layout = source.layout(&mut random);
        Self::with(edition, source, random, &Game::new(edition.rules, layout), Record::default())
    }

    /// A conversation that begins with a saved game. Its layout is used again in the games after it.
    ///
    /// # Errors
    /// When two things stand on one place.
    pub fn resume(edition: &'static Edition, position: &Position, seed: u64) -> Result<Self, Clash> {
        let game = Game::resume(edition.rules, position)?;
        let source = Box::new(position.layout);
        Ok(Self::with(edition, source, random::seeded(seed), &game, Record::of(position)))
    }

    fn with(
        edition: &'static Edition,
        source: Box<dyn LayoutSource>,
        random: ChaCha8Rng,
        game: &Game,
        record: Record,
    ) -> Self {
        let canvas = Canvas::new(edition, game.layout());
        let dice = [edition.first_dice; Builder::COUNT];
        Self { edition, source, random, game: *game, record, canvas, dice, asked_roll: false, past: None }
    }

    /// The game as it is now.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// From now on what is done is kept, so that it can be told and taken back.
    #[must_use]
    pub fn with_past(mut self) -> Self {
        self.past = Some(Past::default());
        self
    }

    /// What was done in this game since it was loaded or begun, if that is kept.
    #[must_use]
    pub fn done(&self) -> &[(Builder, Action)] {
        self.past.as_ref().map_or(&[], Past::done)
    }

    /// Takes back what was built last, and returns whether there was something that could be taken back: in this turn, and
    /// nothing else was done since.
    ///
    /// ```
    /// use constructor::board::RandomLayout;
    /// use constructor::dialogue::{Dialogue, Text};
    /// use constructor::edition::CONSTRUCTOR;
    /// let mut dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0).with_past();
    /// assert!(!dialogue.take_back());
    /// ```
    pub fn take_back(&mut self) -> bool {
        let before = self.past.as_mut().and_then(Past::take_back);
        let could = before.is_some();
        if let Some((game, record)) = before {
            self.game = game;
            self.record = record;
        }
        could
    }

    /// The question that is open.
    #[must_use]
    pub fn question(&self) -> Question {
        let dice = self.game.to_act().map_or(self.edition.first_dice, |builder| self.dice[builder.index()]);
        Question { game: self.game, dice, asks_roll: self.asked_roll }
    }

    /// The text of a saved game, as it is now.
    #[must_use]
    pub fn saved_game(&self) -> String {
        save::write_game(self.edition, &self.record.position(&self.game))
    }

    /// Says what comes before the first answer.
    pub fn begin(&mut self, out: &mut Text) {
        self.introduce(None, out);
    }

    /// Takes as many words from the line as one answer or command needs, and says what comes of it. A blank line is
    /// no answer, and nothing is said to it.
    pub fn answer<'l>(&mut self, line: &mut Line<'l>, out: &mut Text) -> Flow<'l> {
        let Some(word) = line.next() else { return Flow::Continue };
        match self.game.phase() {
            Phase::Setup(_) => {
                let action = number(word).and_then(Vertex::new).map(Action::Settle);
                self.attempt(action, |_, out| out.line(CANNOT_BUILD), out);
            }
            Phase::TurnStart(_) if self.asked_roll => self.hear_roll(word, out),
            Phase::TurnStart(builder) => self.prepare_roll(builder, word, out),
            Phase::MoveGeese(_) => {
                let action = number(word).and_then(Tile::new).map(Action::MoveGeese);
                self.attempt(action, |_, out| out.line(INVALID_TILE), out);
            }
            Phase::Rob(_) => {
                let action = self.edition.builder(word).map(Action::Rob);
                self.attempt(action, Edition::tell_invalid_victim, out);
            }
            Phase::DuringTurn(builder) => return self.command(builder, word, line, out),
            Phase::Offered(_) => match yes_or_no(word) {
                Some(true) => {
                    if self.act(Action::Accept, out) == Err(Illegal::Resources) {
                        out.line(NOT_ENOUGH);
                        self.attempt(Some(Action::Refuse), |_, _| {}, out);
                    }
                }
                answer => {
                    let action = answer.map(|_| Action::Refuse);
                    self.attempt(action, |_, out| out.line(INVALID_COMMAND), out);
                }
            },
            Phase::Over(_) => match yes_or_no(word) {
                Some(true) => self.play_again(out),
                Some(false) => return Flow::End,
                None => {
                    out.line(INVALID_COMMAND);
                    self.ask(out);
                }
            },
        }
        Flow::Continue
    }

    /// The beginning of a turn: a choice of dice, or the roll.
    fn prepare_roll(&mut self, builder: Builder, word: &[u8], out: &mut Text) {
        if is(word, "load") {
            self.dice[builder.index()] = DiceKind::Loaded;
        } else if is(word, "fair") {
            self.dice[builder.index()] = DiceKind::Fair;
        } else if is(word, "roll") {
            match self.dice[builder.index()].dice().throw(&mut self.random) {
                Thrown::Shows(roll) => self.roll(roll, out),
                Thrown::Asks => {
                    self.asked_roll = true;
                    self.ask(out);
                }
            }
        } else {
            out.line(INVALID_COMMAND);
        }
    }

    /// What the loaded dice show.
    fn hear_roll(&mut self, word: &[u8], out: &mut Text) {
        if let Some(roll) = number(word).and_then(Roll::new) {
            self.asked_roll = false;
            self.roll(roll, out);
        } else {
            out.line(INVALID_ROLL);
            self.ask(out);
        }
    }

    fn roll(&mut self, roll: Roll, out: &mut Text) {
        let rolled = self.act_on(Some(roll), Action::Roll, out);
        debug_assert_eq!(rolled, Ok(()), "it is the beginning of a turn");
    }

    /// A command of a turn.
    fn command<'l>(&mut self, builder: Builder, word: &[u8], line: &mut Line<'l>, out: &mut Text) -> Flow<'l> {
        let Some(command) = self.edition.commands.iter().find(|command| is(word, command.name())) else {
            out.line(INVALID_COMMAND);
            return Flow::Continue;
        };
        match command.verb {
            Verb::Board => self.canvas.draw(self.edition, &self.game, out),
            Verb::Status => {
                for builder in Builder::ALL {
                    self.edition.tell_status(&self.game, builder, out);
                }
            }
            Verb::Residences => {
                self.edition.tell_residences(&self.game, builder, self.record.residences(builder), out);
            }
            Verb::BuildRoad => self.build(line, |place| Edge::new(place).map(Action::BuildRoad), out),
            Verb::BuildBasement => self.build(line, |place| Vertex::new(place).map(Action::BuildBasement), out),
            Verb::Improve => self.build(line, |place| Vertex::new(place).map(Action::Improve), out),
            Verb::Trade => self.trade(line, out),
            Verb::Next => self.attempt(Some(Action::EndTurn), |_, _| {}, out),
            Verb::Save => match line.next() {
                Some(file) => return Flow::Save(file),
                None => out.line(INVALID_COMMAND),
            },
            Verb::Help => self.edition.tell_commands(out),
        }
        Flow::Continue
    }

    /// A command that takes the number of a place and builds there.
    fn build(&mut self, line: &mut Line<'_>, action: impl Fn(i64) -> Option<Action>, out: &mut Text) {
        match line.next().and_then(number) {
            None => out.line(INVALID_COMMAND),
            Some(place) => match action(place).ok_or(Illegal::Place).and_then(|action| self.act(action, out)) {
                Ok(()) => {}
                Err(Illegal::Resources) => out.line(NOT_ENOUGH),
                Err(Illegal::Place | Illegal::Phase | Illegal::Builder) => out.line(CANNOT_BUILD),
            },
        }
    }

    fn trade(&mut self, line: &mut Line<'_>, out: &mut Text) {
        let offer = line.take_words().and_then(|[to, give, take]| {
            Some(Action::Offer {
                to: self.edition.builder(to)?,
                give: self.resource(give)?,
                take: self.resource(take)?,
            })
        });
        match offer.ok_or(Illegal::Builder).and_then(|offer| self.act(offer, out)) {
            Ok(()) => {}
            Err(Illegal::Resources) => out.line(NOT_ENOUGH),
            Err(Illegal::Place | Illegal::Phase | Illegal::Builder) => out.line(INVALID_COMMAND),
        }
    }

    fn play_again(&mut self, out: &mut Text) {
        let layout = self.source.layout(&mut self.random);
        self.game = Game::new(self.edition.rules, layout);
        self.record = Record::default();
        self.canvas = Canvas::new(self.edition, &layout);
        self.dice = [self.edition.first_dice; Builder::COUNT];
        self.past = self.past.take().map(|_| Past::default());
        self.begin(out);
    }

    /// Answers the open question with an action; when there is none or the rules do not allow it, says why and asks
    /// again.
    fn attempt(&mut self, action: Option<Action>, refuse: impl Fn(&Edition, &mut Text), out: &mut Text) {
        if action.is_none_or(|action| self.act(action, out).is_err()) {
            refuse(self.edition, out);
            self.ask(out);
        }
    }

    /// Does the action and says what comes of it.
    fn act(&mut self, action: Action, out: &mut Text) -> Result<(), Illegal> {
        self.act_on(None, action, out)
    }

    /// The same, with dice that show what is known already.
    fn act_on(&mut self, roll: Option<Roll>, action: Action, out: &mut Text) -> Result<(), Illegal> {
        let before = self.game.phase();
        let kept = self.past.as_ref().map(|_| (self.game, self.record.clone()));
        let Self { edition, game, record, random, .. } = self;
        let mut chance = Foretold { roll, rest: Drawn(random) };
        game.apply(action, &mut chance, |event| {
            record.note(event);
            edition.tell_event(event, out);
        })?;
        if let (Some(past), Some((game, record))) = (&mut self.past, kept)
            && let Some(builder) = game.to_act()
        {
            past.note(builder, action, &game, record);
        }
        self.introduce(Some(before), out);
        Ok(())
    }

    /// When the phase is another than it was, says what comes at its beginning.
    fn introduce(&self, before: Option<Phase>, out: &mut Text) {
        let phase = self.game.phase();
        if before == Some(phase) {
            return;
        }
        match phase {
            Phase::Setup(_) if before.is_none() => self.canvas.draw(self.edition, &self.game, out),
            Phase::TurnStart(builder) => {
                if self.edition.board_at_each_turn || matches!(before, Some(Phase::Setup(_))) {
                    self.canvas.draw(self.edition, &self.game, out);
                }
                self.edition.tell_turn(&self.game, builder, out);
            }
            Phase::Rob(robber) => self.edition.tell_victims(&self.game, robber, out),
            Phase::Offered(offer) => self.edition.tell_offer(offer, out),
            Phase::Setup(_) | Phase::MoveGeese(_) | Phase::DuringTurn(_) | Phase::Over(_) => {}
        }
        self.ask(out);
    }

    /// The last line of the question that is open, if one is.
    fn ask(&self, out: &mut Text) {
        match self.game.phase() {
            Phase::Setup(_) => self.edition.ask_settle(self.game.next_to_begin(), out),
            Phase::TurnStart(_) if self.asked_roll => out.line(ASK_ROLL),
            Phase::TurnStart(_) | Phase::DuringTurn(_) => {}
            Phase::MoveGeese(_) => self.edition.ask_tile(out),
            Phase::Rob(_) => self.edition.ask_victim(out),
            Phase::Offered(offer) => self.edition.ask_offer(offer, out),
            Phase::Over(_) => out.line(ASK_PLAY_AGAIN),
        }
    }

    fn resource(&self, word: &[u8]) -> Option<Resource> {
        Resource::ALL.into_iter().find(|resource| is(word, self.edition.words.resources[resource.index()]))
    }
}

/// Whether what was typed is this keyword, capitals or not.
fn is(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

fn yes_or_no(word: &[u8]) -> Option<bool> {
    if is(word, "yes") {
        Some(true)
    } else if is(word, "no") {
        Some(false)
    } else {
        None
    }
}
