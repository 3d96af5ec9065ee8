//! Replaying records: every line is checked against the rules.

use constructor_common::Foreign;
use thiserror::Error;

use super::line::{Header, PlayedAction, RecordLine, RecordedPlayer, RecordedResult, hand};
use crate::board::Roll;
use crate::game::{Action, Builder, ChanceOutcome, ImpossibleChance, PlacementConflict, Trades};
use crate::session::{Command, DiceKind, Pending, SessionStart};
use crate::text::save::ParseError;
use crate::text::words::Words;
use crate::text::{Dialogue, Edition, Flow, Output, ParseActionError};

/// The reason why a line of a record is impossible.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The edition is not known.
    #[error("edition '{0}' is not known")]
    Edition(Foreign),
    /// The layout or the saved game is not valid.
    #[error("layout or saved game: {0}")]
    SessionStart(#[from] ParseError),
    /// Two roads of the saved game are on one edge, or two residences on one vertex.
    #[error(transparent)]
    Conflict(#[from] PlacementConflict),
    /// The players are not the four builders in turn order.
    #[error("expected a player for each builder, in turn order")]
    Players,
    /// No builder has this colour.
    #[error("'{0}' is not the colour of a builder")]
    Colour(Foreign),
    /// Another builder decides in this position.
    #[error("it is not {0} who decides here, but {1}")]
    Builder(Foreign, Foreign),
    /// The number of the turn is wrong.
    #[error("turn {0} is out of order; it is turn {1}")]
    Turn(u32, u32),
    /// The action does not belong to this phase.
    #[error("'{0}': {1}")]
    Action(Foreign, ParseActionError),
    /// The rules do not allow the action, or the outcome of chance.
    #[error("'{0}': {1}")]
    Impossible(Foreign, ImpossibleChance),
    /// Trades are turned off.
    #[error("'{0}': trades are turned off")]
    NoTrades(Foreign),
    /// The faces do not add up to the roll, fair dice have no faces, or loaded dice have faces.
    #[error(
        "a roll of {kind} dice with the sum {} cannot have {}",
        .roll.map_or("missing".to_owned(), |sum| sum.to_string()),
        .dice.map_or("no faces".to_owned(), |[first, second]| format!("the faces {first} and {second}"))
    )]
    Dice {
        /// The faces.
        dice: Option<[u8; 2]>,
        /// The kind of dice that the builder uses.
        kind: &'static str,
        /// The sum.
        roll: Option<u8>,
    },
    /// The sum of the dice, or the lost or stolen units, are not valid, or an action other than a roll has dice.
    #[error("the units lost or stolen are not valid")]
    ResourceCounts,
    /// The typed text does not play the action.
    #[error("'{0}' does not play this action")]
    Typed(Foreign),
    /// The typed text changes the position, or has more than one line.
    #[error("'{0}' plays an action, so it is not an input")]
    Input(Foreign),
    /// The builder's points differ.
    #[error("the builder has {0} points, not {1}")]
    Points(u32, u32),
    /// The final points differ.
    #[error("the points are {0:?}, not {1:?}")]
    FinalPoints([u32; Builder::COUNT], [u32; Builder::COUNT]),
    /// The winner in the result, or the lack of one, does not fit the position.
    #[error("the game is not won by {0} here")]
    Result(Foreign),
    /// There is nothing that can be taken back.
    #[error("there is nothing to take back")]
    Undo,
    /// The game is over already.
    #[error("the game is over")]
    Over,
    /// The seed of a generator is not a number.
    #[error("expected a whole number from 0 to 18446744073709551615 as a seed, not '{0}'")]
    Seed(Foreign),
    /// The generator draws another outcome than the record says.
    #[error("the generator draws something else")]
    Differs,
}

/// A text that was typed in a recorded game, with its effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedLine {
    /// The typed text.
    pub typed: String,
    /// The text that the text game prints in response.
    pub text: Vec<u8>,
    /// The name of the file in which the game was to be saved.
    pub saves: Option<Vec<u8>>,
    /// Whether the players were done with this game: they ended the program, or another game begins.
    pub ends: bool,
}

/// A recorded game that is replayed.
#[derive(Debug)]
pub struct Replay {
    edition: &'static Edition,
    dialogue: Dialogue,
    players: [RecordedPlayer; Builder::COUNT],
    turn: u32,
    /// Whether no line may follow: another game begins, or a simulation ended this one at its limit of turns.
    is_ended: bool,
    /// Whether the outcomes of chance are drawn from the session's generator and compared with the lines, instead of being taken from the
    /// lines.
    draws: bool,
    /// The seed of the generator.
    seed: u64,
}

impl Replay {
    /// Begins the replay of a game.
    ///
    /// # Errors
    /// Why the game cannot begin as the header says.
    pub fn new(header: &Header) -> Result<Self, ReplayError> {
        let edition =
            Edition::by_name(&header.edition).ok_or_else(|| ReplayError::Edition(header.edition.clone().into()))?;
        let start = header.start(edition)?;
        let seed = header.seed.parse().unwrap_or_default();
        let draws_layouts = header.random_layout && matches!(start, SessionStart::Board(_));
        let session = edition.open_session(&start, seed)?.with_trades(header.trades()).with_history();
        let session = session.with_generator(seed, header.drawn.unwrap_or_default(), draws_layouts);
        let players: [RecordedPlayer; Builder::COUNT] =
            header.players.clone().try_into().map_err(|_| ReplayError::Players)?;
        if Builder::ALL.iter().zip(&players).any(|(&builder, player)| player.builder != edition.colour(builder)) {
            return Err(ReplayError::Players);
        }
        let mut dialogue = Dialogue::of(edition, session).with_events();
        if header.table.is_some() {
            // The dice of a table are always fair.
            dialogue.session_mut().set_dice(DiceKind::Fair);
        }
        let dialogue = if header.extras { dialogue.with_announcements() } else { dialogue };
        Ok(Self { edition, dialogue, players, turn: 0, is_ended: false, draws: false, seed })
    }

    /// From now on, draws the outcomes of chance as the program did that wrote the record, instead of taking them from the lines.
    ///
    /// A line with another outcome is then [refused](ReplayError::Differs).
    pub(super) const fn draw(&mut self) {
        self.draws = true;
    }

    /// Returns the seed of the generator.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Lets the session draw from a generator with this seed from now on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.dialogue.session_mut().set_generator(seed, 0);
    }

    /// Returns whether no line may follow.
    #[must_use]
    pub(super) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Returns whether the game cannot be continued: it is over, or a simulation ended it at its limit of turns.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_ended || matches!(self.dialogue.session().pending(), Pending::GameOver)
    }

    /// Returns the dialogue after the last line, to continue the game.
    #[must_use]
    pub fn into_dialogue(self) -> Dialogue {
        self.dialogue
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the dialogue in its state after the last line.
    #[must_use]
    pub const fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// Returns the dialogue, for changes that have no effect on the game.
    pub const fn dialogue_mut(&mut self) -> &mut Dialogue {
        &mut self.dialogue
    }

    /// Returns the present players, in turn order.
    #[must_use]
    pub const fn players(&self) -> &[RecordedPlayer; Builder::COUNT] {
        &self.players
    }

    /// Returns whether the next answer comes from a computer player or a program.
    #[must_use]
    pub fn is_for_computer(&self) -> bool {
        match self.dialogue.session().pending().builder() {
            Some(builder) => !self.players[builder.index()].is_human(),
            None => !self.players.iter().any(RecordedPlayer::is_human),
        }
    }

    /// Returns the number of rolls so far.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns the builder who decides now.
    fn builder(&self) -> Option<Builder> {
        self.dialogue.session().pending().builder()
    }

    /// Replays a line.
    ///
    /// Returns the answers that were typed. The list is empty for lines without typed text.
    ///
    /// # Errors
    /// Why the line is impossible. The replay cannot be continued after an error.
    pub fn apply(&mut self, line: &RecordLine) -> Result<Vec<ReplayedLine>, ReplayError> {
        if self.is_ended {
            return Err(ReplayError::Over);
        }
        match line {
            RecordLine::Game(_) => Err(ReplayError::Over),
            RecordLine::Action(action) => self.apply_action(action),
            RecordLine::Input { turn, builder, text } => {
                self.check_input(*turn, builder.as_deref())?;
                let is_over = self.dialogue.session().pending() == Pending::GameOver;
                if is_over && text.trim().eq_ignore_ascii_case("yes") {
                    // Another game begins, with the next header.
                    self.is_ended = true;
                    return Ok(vec![ReplayedLine { typed: text.clone(), text: Vec::new(), saves: None, ends: true }]);
                }
                if text.contains(['\n', '\r']) {
                    return Err(ReplayError::Input(text.clone().into()));
                }
                let before = *self.dialogue.game();
                let answer = self.answer(text);
                if *self.dialogue.game() == before {
                    Ok(vec![answer])
                } else {
                    Err(ReplayError::Input(text.clone().into()))
                }
            }
            RecordLine::Undo { turn, builder } => {
                self.check_turn(*turn)?;
                self.dialogue.session_mut().submit(Command::Undo).map_err(|_| ReplayError::Undo)?;
                self.check_builder(builder)?;
                Ok(vec![ReplayedLine { typed: "undo".to_owned(), text: Vec::new(), saves: None, ends: false }])
            }
            RecordLine::Player(player) => {
                let builder = self.parse_builder_or_list(&player.builder)?;
                self.players[builder.index()] = player.clone();
                Ok(Vec::new())
            }
            RecordLine::Result(result) => self.check_result(result).map(|()| Vec::new()),
            RecordLine::Seed { turn, seed } => {
                self.check_turn(*turn)?;
                self.set_seed(seed.parse().map_err(|_| ReplayError::Seed(seed.clone().into()))?);
                Ok(Vec::new())
            }
            RecordLine::Seat { turn, builder } => {
                self.check_turn(*turn)?;
                self.parse_builder_or_list(builder).map(|_| Vec::new())
            }
        }
    }

    /// Types an answer.
    fn answer(&mut self, typed: &str) -> ReplayedLine {
        let mut out = Output::default();
        let flow = self.dialogue.answer(&mut Words::new(typed.as_bytes()), &mut out);
        let saves = if let Flow::Save(file) = flow { Some(file.to_vec()) } else { None };
        ReplayedLine { typed: typed.to_owned(), text: out.bytes().to_vec(), saves, ends: flow == Flow::End }
    }

    fn parse_builder_or_list(&self, colour: &str) -> Result<Builder, ReplayError> {
        let named =
            self.edition.parse_builder(colour.as_bytes()).filter(|&builder| self.edition.colour(builder) == colour);
        named.ok_or_else(|| ReplayError::Colour(colour.into()))
    }

    /// Checks that this builder decides.
    fn check_builder(&self, colour: &str) -> Result<Builder, ReplayError> {
        let builder = self.parse_builder_or_list(colour)?;
        match self.builder() {
            Some(deciding) if deciding == builder => Ok(builder),
            Some(other) => Err(ReplayError::Builder(colour.into(), self.edition.colour(other).into())),
            None => Err(ReplayError::Over),
        }
    }

    const fn check_turn(&self, turn: u32) -> Result<(), ReplayError> {
        if turn == self.turn { Ok(()) } else { Err(ReplayError::Turn(turn, self.turn)) }
    }

    /// Checks that the builder who typed something was asked, and that the turn is right.
    ///
    /// # Errors
    /// When another builder was asked, or the number of the turn differs.
    pub fn check_input(&self, turn: u32, builder: Option<&str>) -> Result<(), ReplayError> {
        self.check_turn(turn)?;
        match (builder, self.builder()) {
            (Some(colour), _) => self.check_builder(colour).map(drop),
            (None, None) => Ok(()),
            (None, Some(other)) => Err(ReplayError::Builder("nobody".into(), self.edition.colour(other).into())),
        }
    }

    fn allows_offers(&self) -> bool {
        self.dialogue.session().trades() == Trades::On
    }

    fn apply_action(&mut self, played: &PlayedAction) -> Result<Vec<ReplayedLine>, ReplayError> {
        let builder = self.check_builder(&played.builder)?;
        let text = || Foreign::from(played.action.clone());
        let game = *self.dialogue.game();
        let parsed = self.edition.parse_action(&played.action, game.phase());
        let action = parsed.map_err(|error| ReplayError::Action(text(), error))?;
        let turn = self.turn + u32::from(action == Action::Roll);
        if played.turn != turn {
            return Err(ReplayError::Turn(played.turn, turn));
        }
        if let (Action::Offer { .. }, false) = (action, self.allows_offers()) {
            return Err(ReplayError::NoTrades(text()));
        }
        let outcome = self.outcome(played)?;
        let mut after = game;
        after.apply_with_outcome(action, &outcome, |_| {}).map_err(|error| ReplayError::Impossible(text(), error))?;
        let points = after.points(builder);
        if points != played.points {
            return Err(ReplayError::Points(points, played.points));
        }
        let answers = self.answers(builder, action, played)?;
        if !self.draws {
            self.dialogue.session_mut().force_next_outcome(outcome, played.dice.unwrap_or([1, 1]));
        }
        let answers: Vec<_> = answers.iter().map(|answer| self.answer(answer)).collect();
        let session = self.dialogue.session();
        let is_drawn = |drawn| drawn == session.drawn();
        let has_faces = played.dice.is_none() || played.dice == session.faces();
        if self.draws && (*session.game() != after || !has_faces || !played.drawn.is_none_or(is_drawn)) {
            return Err(ReplayError::Differs);
        }
        if *session.game() != after {
            let typed: Vec<_> = answers.into_iter().map(|answer| answer.typed).collect();
            return Err(ReplayError::Typed(typed.join(" ").into()));
        }
        self.turn = turn;
        Ok(answers)
    }

    /// Returns the outcome of chance that the line states.
    fn outcome(&self, played: &PlayedAction) -> Result<ChanceOutcome, ReplayError> {
        let mut outcome = ChanceOutcome {
            roll: match played.roll {
                Some(sum) => Some(Roll::new(sum.into()).ok_or(ReplayError::ResourceCounts)?),
                None => None,
            },
            ..ChanceOutcome::default()
        };
        for (colour, units) in played.lost.iter().flatten() {
            let builder = self.parse_builder_or_list(colour)?;
            outcome.lost[builder.index()] = hand(self.edition, units).ok_or(ReplayError::ResourceCounts)?;
        }
        if let Some(name) = &played.stolen {
            outcome.stolen = Some(self.edition.parse_resource(name.as_bytes()).ok_or(ReplayError::ResourceCounts)?);
        }
        Ok(outcome)
    }

    /// Returns the answers that were typed to play the action.
    fn answers(&self, builder: Builder, action: Action, played: &PlayedAction) -> Result<Vec<String>, ReplayError> {
        let typed = played.typed.clone();
        if action != Action::Roll {
            return if played.dice.is_none() {
                Ok(vec![typed.unwrap_or_else(|| played.action.clone())])
            } else {
                Err(ReplayError::ResourceCounts)
            };
        }
        let pending = self.dialogue.session().pending();
        let (kind, fits) = match (pending, played.dice) {
            (Pending::Roll(_, DiceKind::Fair), Some(faces)) => {
                ("fair", faces.iter().all(|face| (1..=6).contains(face)) && Some(faces.iter().sum()) == played.roll)
            }
            (Pending::Roll(_, DiceKind::Fair), None) => ("fair", false),
            (_, dice) => ("loaded", dice.is_none()),
        };
        debug_assert_eq!(pending.builder(), Some(builder));
        if !fits {
            return Err(ReplayError::Dice { dice: played.dice, kind, roll: played.roll });
        }
        let sum = || typed.clone().unwrap_or_else(|| played.roll.map_or(String::new(), |roll| roll.to_string()));
        Ok(match pending {
            Pending::LoadedRoll(_) => vec![sum()],
            Pending::Roll(_, DiceKind::Loaded) => vec!["roll".to_owned(), sum()],
            _ => vec![typed.unwrap_or_else(|| "roll".to_owned())],
        })
    }

    fn check_result(&mut self, result: &RecordedResult) -> Result<(), ReplayError> {
        self.check_turn(result.turn)?;
        let game = self.dialogue.game();
        let points = Builder::ALL.map(|builder| game.points(builder));
        if points != result.points {
            return Err(ReplayError::FinalPoints(points, result.points));
        }
        let winner = game.winner().map(|winner| self.edition.colour(winner));
        if winner != result.winner.as_deref() {
            return Err(ReplayError::Result(result.winner.as_deref().unwrap_or("nobody").into()));
        }
        self.is_ended = winner.is_none();
        Ok(())
    }
}
