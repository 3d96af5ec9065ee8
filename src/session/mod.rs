//! Sessions: series of games, with the dice, the generator and the history. A session takes commands and returns events; it uses no text
//! and no files.

mod build_order;
mod dice;
mod history;
mod start;

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use self::history::History;
use crate::board::{LayoutSource, RandomLayout, Roll, Vertex};
use crate::game::{
    Action, AnsweredOffers, Builder, ChanceOutcome, Event, FixedRoll, Game, IllegalAction, ImpossibleChance, Offer,
    Phase, PlacementConflict, RandomChance, Rules, SavedGame, Trades,
};
use crate::rng;

pub use build_order::BuildOrder;
pub use dice::{Dice, DiceKind, DiceResult};
pub use history::HistoryEntry;
pub use start::SessionStart;

/// A command to a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Plays an action. With loaded dice, [`Action::Roll`] only makes the session wait for the sum: [`Pending::LoadedRoll`].
    Act(Action),
    /// Changes the dice of the builder whose turn starts.
    SetDice(DiceKind),
    /// Chooses the sum that the loaded dice show, and rolls them.
    LoadedRoll(Roll),
    /// Undoes the last building action of this turn. Needs a [history](Session::with_history).
    Undo,
    /// Begins another game, once this one is over.
    NewGame,
}

/// The reason why a session refuses a command. A refused command changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The action is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// The action cannot have the [outcome](Session::force_next_outcome) that was given.
    #[error(transparent)]
    Chance(ImpossibleChance),
    /// The session waits for something else: see [`Session::pending`].
    #[error("the game waits for something else")]
    NotPending,
    /// Trades are turned off.
    #[error("trades are turned off")]
    NoTrades,
    /// There is nothing that can be undone.
    #[error("there is nothing to undo")]
    NothingToUndo,
}

impl From<ImpossibleChance> for Refusal {
    fn from(impossible: ImpossibleChance) -> Self {
        match impossible {
            ImpossibleChance::Illegal(illegal) => Self::Illegal(illegal),
            other => Self::Chance(other),
        }
    }
}

/// The decision or input that a session waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pending {
    /// This builder places a basement of the setup.
    Settle(Builder),
    /// This builder rolls these dice.
    Roll(Builder, DiceKind),
    /// This builder chooses the sum of the loaded dice.
    LoadedRoll(Builder),
    /// This builder moves the geese.
    MoveGeese(Builder),
    /// This builder chooses whom to rob.
    Rob(Builder),
    /// This builder builds, trades or ends the turn.
    Turn(Builder),
    /// The builder who was offered a trade accepts or refuses it.
    Answer(Offer),
    /// The game is over: [`Command::NewGame`] begins another.
    GameOver,
}

impl Pending {
    /// Returns the decision of a phase, where the builders have dice of these kinds.
    #[must_use]
    #[inline]
    pub const fn of(phase: Phase, dice: &[DiceKind; Builder::COUNT]) -> Self {
        match phase {
            Phase::Setup(step) => Self::Settle(Builder::SETUP_ORDER[step as usize]),
            Phase::TurnStart(builder) => Self::Roll(builder, dice[builder.index()]),
            Phase::MoveGeese(builder) => Self::MoveGeese(builder),
            Phase::Rob(builder) => Self::Rob(builder),
            Phase::DuringTurn(builder) => Self::Turn(builder),
            Phase::Offered(offer) => Self::Answer(offer),
            Phase::Over(_) => Self::GameOver,
        }
    }

    /// Returns the builder who decides, unless the game is over.
    #[must_use]
    pub const fn builder(self) -> Option<Builder> {
        match self {
            Self::Settle(builder)
            | Self::Roll(builder, _)
            | Self::LoadedRoll(builder)
            | Self::MoveGeese(builder)
            | Self::Rob(builder)
            | Self::Turn(builder)
            | Self::Answer(Offer { to: builder, .. }) => Some(builder),
            Self::GameOver => None,
        }
    }

    /// Returns a one-word name for the decision or input that the session waits for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Settle(_) => "settle",
            Self::Roll(..) => "roll",
            Self::LoadedRoll(_) => "number",
            Self::MoveGeese(_) => "geese",
            Self::Rob(_) => "rob",
            Self::Turn(_) => "turn",
            Self::Answer(_) => "offer",
            Self::GameOver => "again",
        }
    }
}

/// A copy of what a player needs to decide, independent of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The position.
    pub game: Game,
    /// The input that the session waits for.
    pub pending: Pending,
}

/// A series of games at one table: the current game with its dice, its generator and, if wanted, its history.
///
/// ```
/// use constructor::board::{RandomLayout, Vertex};
/// use constructor::game::{Action, Builder, Event, Residence, Rules};
/// use constructor::session::{Command, DiceKind, Pending, Session};
///
/// let mut session = Session::new(Rules::default(), DiceKind::Fair, Box::new(RandomLayout), 2021);
/// let vertex = Vertex::new(7).unwrap();
/// let events = session.submit(Command::Act(Action::Settle(vertex))).unwrap();
/// assert_eq!(events, [Event::ResidenceBuilt(Builder::Blue, vertex, Residence::Basement)]);
/// assert_eq!(session.pending(), Pending::Settle(Builder::Red));
/// ```
pub struct Session {
    rules: Rules,
    first_dice: DiceKind,
    source: Box<dyn LayoutSource>,
    rng: ChaCha8Rng,
    game: Game,
    build_order: BuildOrder,
    dice: [DiceKind; Builder::COUNT],
    /// Whether loaded dice were rolled and the builder has not chosen the sum yet.
    awaits_roll: bool,
    /// The faces of the last roll, if the dice were fair.
    faces: Option<[u8; 2]>,
    /// The outcome of chance in the next action and the faces of fair dice. `None` if they are to be drawn.
    given: Option<(ChanceOutcome, [u8; 2])>,
    trades: Trades,
    history: Option<History>,
}

impl Session {
    /// Makes a session that begins with a new game.
    ///
    /// All draws come from one generator with this seed.
    #[must_use]
    pub fn new(rules: Rules, first_dice: DiceKind, source: Box<dyn LayoutSource>, seed: u64) -> Self {
        let mut rng = rng::from_seed(seed);
        let layout = source.layout(&mut rng);
        Self::with(first_dice, source, rng, &Game::new(rules, layout), BuildOrder::default())
    }

    /// Makes a session that begins with a saved game.
    ///
    /// Later games use the layout of the saved game again.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn resume(rules: Rules, first_dice: DiceKind, saved: &SavedGame, seed: u64) -> Result<Self, PlacementConflict> {
        let game = Game::from_saved(rules, saved)?;
        let source = Box::new(saved.layout);
        Ok(Self::with(first_dice, source, rng::from_seed(seed), &game, BuildOrder::from_saved(saved)))
    }

    fn with(
        first_dice: DiceKind,
        source: Box<dyn LayoutSource>,
        rng: ChaCha8Rng,
        game: &Game,
        build_order: BuildOrder,
    ) -> Self {
        let dice = [first_dice; Builder::COUNT];
        let rules = game.rules();
        Self {
            rules,
            first_dice,
            source,
            rng,
            game: *game,
            build_order,
            dice,
            awaits_roll: false,
            faces: None,
            given: None,
            trades: Trades::On,
            history: None,
        }
    }

    /// Returns the same session, with offers of trades turned on or off.
    #[must_use]
    pub fn with_trades(mut self, trades: Trades) -> Self {
        self.trades = trades;
        self
    }

    /// Returns the same session with a history, for [`Session::history`] and [`Command::Undo`].
    ///
    /// Memory then grows with the game.
    #[must_use]
    pub fn with_history(mut self) -> Self {
        self.history = Some(History::default());
        self
    }

    /// Returns the same session, changed to draw from the generator with this seed, starting after its first `position` words. If
    /// `draws_layouts` is `true`, later games have random layouts.
    #[must_use]
    pub fn with_generator(mut self, seed: u64, position: u64, draws_layouts: bool) -> Self {
        self.set_generator(seed, position);
        if draws_layouts {
            self.source = Box::new(RandomLayout);
        }
        self
    }

    /// Makes the session draw from the generator with this seed from now on, after its first `position` words.
    pub fn set_generator(&mut self, seed: u64, position: u64) {
        self.rng = rng::from_seed_at(seed, position);
    }

    /// Returns the number of words that were drawn from the generator: the `position` for [`Session::set_generator`].
    #[must_use]
    pub fn drawn(&self) -> u64 {
        rng::position(&self.rng)
    }

    /// Sets the outcome of chance in the next action that is accepted. This outcome is then not drawn.
    ///
    /// `faces` are the faces of fair dice; they are ignored unless the action is a roll of fair dice.
    pub const fn force_next_outcome(&mut self, outcome: ChanceOutcome, faces: [u8; 2]) {
        self.given = Some((outcome, faces));
    }

    /// Returns whether builders can offer trades.
    #[must_use]
    pub const fn trades(&self) -> Trades {
        self.trades
    }

    /// Returns the position.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the decision or input that the session waits for.
    #[must_use]
    pub const fn pending(&self) -> Pending {
        match self.game.phase() {
            Phase::TurnStart(builder) if self.awaits_roll => Pending::LoadedRoll(builder),
            phase => Pending::of(phase, &self.dice),
        }
    }

    /// Returns the decision that the session waits for, with a copy of the position.
    #[must_use]
    pub const fn decision(&self) -> Decision {
        Decision { game: self.game, pending: self.pending() }
    }

    /// Returns the faces of the last roll, each 1 to 6. Returns `None` if the dice were loaded or have not been rolled.
    #[must_use]
    pub const fn faces(&self) -> Option<[u8; 2]> {
        self.faces
    }

    /// Returns the actions of this game since it was started or loaded, without undone ones; empty without a
    /// [history](Session::with_history).
    #[must_use]
    pub fn history(&self) -> &[HistoryEntry] {
        self.history.as_ref().map_or(&[], History::entries)
    }

    /// Gives all builders dice of this kind.
    pub const fn set_dice(&mut self, kind: DiceKind) {
        self.dice = [kind; Builder::COUNT];
    }

    /// Returns the kind of dice of each builder.
    #[must_use]
    pub const fn dice(&self) -> [DiceKind; Builder::COUNT] {
        self.dice
    }

    /// Returns the offers that were answered in this turn. There are none without a history.
    #[must_use]
    pub fn answered_offers(&self) -> AnsweredOffers {
        AnsweredOffers::of(self.history().iter().map(|entry| entry.action))
    }

    /// Returns the builder's residences in the order in which they were first built.
    #[must_use]
    pub fn residences(&self, builder: Builder) -> &[Vertex] {
        self.build_order.residences(builder)
    }

    /// Returns the present game as the content of a saved game.
    #[must_use]
    pub fn saved_game(&self) -> SavedGame {
        self.build_order.saved_game(&self.game)
    }

    /// Executes a command and returns the events in order.
    ///
    /// # Errors
    /// Why the command is refused. Nothing has changed then.
    pub fn submit(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        let mut events = Vec::new();
        self.submit_with(command, |event| events.push(event))?;
        Ok(events)
    }

    /// Executes a command and reports each event as it happens.
    ///
    /// Faster than [`Session::submit`], as it allocates nothing.
    ///
    /// # Errors
    /// Why the command is refused. Nothing has changed then, and nothing was reported.
    pub fn submit_with(&mut self, command: Command, report: impl FnMut(Event)) -> Result<(), Refusal> {
        match command {
            Command::Act(Action::Roll) => self.roll_dice(report),
            Command::Act(Action::Offer { .. }) if self.trades == Trades::Off => Err(Refusal::NoTrades),
            Command::Act(action) => self.act(action, None, report),
            Command::SetDice(kind) => match self.pending() {
                Pending::Roll(builder, _) => {
                    self.dice[builder.index()] = kind;
                    Ok(())
                }
                _ => Err(Refusal::NotPending),
            },
            Command::LoadedRoll(roll) if self.awaits_roll => {
                self.act(Action::Roll, Some(roll), report)?;
                self.awaits_roll = false;
                Ok(())
            }
            Command::LoadedRoll(_) => Err(Refusal::NotPending),
            Command::Undo => self.undo(),
            Command::NewGame => self.new_game(),
        }
    }

    fn roll_dice(&mut self, report: impl FnMut(Event)) -> Result<(), Refusal> {
        let Pending::Roll(_, kind) = self.pending() else { return Err(IllegalAction::Phase.into()) };
        let result = match (kind, self.given) {
            (DiceKind::Fair, Some((_, faces))) if faces.iter().all(|face| (1..=6).contains(face)) => {
                DiceResult::Rolled(faces)
            }
            // Refused before anything is drawn.
            (DiceKind::Fair, Some(_)) => return Err(ImpossibleChance::Roll.into()),
            _ => kind.dice().roll(&mut self.rng),
        };
        match result {
            DiceResult::Rolled(faces) => {
                self.act(Action::Roll, Some(Roll::of_faces(faces)), report)?;
                self.faces = Some(faces);
                Ok(())
            }
            DiceResult::NeedsInput => {
                self.awaits_roll = true;
                self.faces = None;
                Ok(())
            }
        }
    }

    /// Plays an action; if it is a roll, the sum of the dice is `roll`.
    fn act(&mut self, action: Action, roll: Option<Roll>, mut report: impl FnMut(Event)) -> Result<(), Refusal> {
        let before = self.history.as_ref().map(|_| (self.game, self.build_order.clone()));
        let Self { game, build_order, rng, .. } = self;
        let mut events = Vec::new();
        let report = |event| {
            build_order.update(event);
            if before.is_some() {
                events.push(event);
            }
            report(event);
        };
        match self.given {
            Some((outcome, _)) if roll.is_some() && roll != outcome.roll => return Err(ImpossibleChance::Roll.into()),
            Some((outcome, _)) => game.apply_with_outcome(action, &outcome, report)?,
            None => game.apply(action, &mut FixedRoll { roll, rest: RandomChance(rng) }, report)?,
        }
        self.given = None;
        if let (Some(history), Some(before)) = (&mut self.history, before)
            && let Some(builder) = before.0.current_player()
        {
            history.push(HistoryEntry { builder, action, events }, before);
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        let before = self.history.as_mut().and_then(History::undo).ok_or(Refusal::NothingToUndo)?;
        (self.game, self.build_order) = before;
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Refusal> {
        if self.pending() != Pending::GameOver {
            return Err(Refusal::NotPending);
        }
        let layout = self.source.layout(&mut self.rng);
        self.game = Game::new(self.rules, layout);
        self.build_order = BuildOrder::default();
        self.dice = [self.first_dice; Builder::COUNT];
        self.faces = None;
        self.history = self.history.take().map(|_| History::default());
        Ok(())
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (game, dice) = (&self.game, &self.dice);
        f.debug_struct("Session")
            .field("game", game)
            .field("dice", dice)
            .field("pending", &self.pending())
            .finish_non_exhaustive()
    }
}
