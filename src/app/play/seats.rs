//! The players of the four builders: people, computer players that type their answers as a person would, and programs.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use constructor_common::voice::Voice;
use constructor_common::{Foreign, io_error_text};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::app::bots::{BotFailure, Judge, MessageSink, ProcessGroups};
use crate::app::options::{BotCommand, PlayerChoice, Players, Protocol};
use crate::game::{Action, AnsweredOffers, Builder, Chance, Game, Offer, Phase, RandomChance, Trades};
use crate::guide::{Advice, estimated_kind};
use crate::players::{Budget, Limit, Player, PlayerKind, choose_legal};
use crate::record::RecordedPlayer;
use crate::rng;
use crate::session::{Decision, DiceKind, Pending};
use crate::statistics::with_thousands_separators;
use crate::text::{Answered, Edition, Output};

/// Returns the players, as a record names them.
///
/// `limit` is the budget of players that think, and the time limit of programs.
#[must_use]
pub fn recorded(edition: &Edition, players: &Players, limit: Limit) -> [RecordedPlayer; Builder::COUNT] {
    Builder::ALL.map(|builder| recorded_player(edition, builder, &players[builder.index()], limit))
}

fn recorded_player(edition: &Edition, builder: Builder, player: &PlayerChoice, limit: Limit) -> RecordedPlayer {
    let limit = Some(limit).filter(|limit| match player {
        PlayerChoice::Human => false,
        PlayerChoice::Computer(kind) => kind.uses_budget(),
        PlayerChoice::Program(_) => matches!(limit, Limit::Time(_)),
    });
    RecordedPlayer::new(edition, builder, &player.name(), limit)
}

/// The receivers of the lines that programs print, and of the game's own messages about players.
#[derive(Clone)]
pub struct Speaker {
    /// Takes the lines that programs write to standard error.
    pub lines: MessageSink,
    /// Takes the messages of the game itself.
    pub says: MessageSink,
}

impl std::fmt::Debug for Speaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Speaker").finish_non_exhaustive()
    }
}

impl Speaker {
    /// Returns a speaker that prints on standard error.
    #[must_use]
    pub fn of(voice: &Voice) -> Self {
        let (lines, says) = (voice.clone(), voice.clone());
        Self { lines: Arc::new(move |line| lines.relay(&line)), says: Arc::new(move |message| says.say(message)) }
    }
}

impl Default for Speaker {
    /// Returns a sink that drops all messages.
    fn default() -> Self {
        let nowhere: MessageSink = Arc::new(|_| {});
        Self { lines: Arc::clone(&nowhere), says: nowhere }
    }
}

/// The controllers of the four builders. Computer players have their own generator, so that a game replayed from its input is the
/// same.
pub struct Seats {
    edition: &'static Edition,
    by_builder: [Seat; Builder::COUNT],
    rng: ChaCha8Rng,
    budget: Budget,
    trades: Trades,
    has_extra_commands: bool,
    /// Whether the name of a builder is shown while its player thinks.
    shows_thinkers: bool,
    speaker: Speaker,
    /// The players, as a record names them.
    players: [RecordedPlayer; Builder::COUNT],
}

impl std::fmt::Debug for Seats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seats").field("edition", &self.edition.name).finish_non_exhaustive()
    }
}

enum Seat {
    Human,
    /// A computer player. The flag is `true` if the player may think for long.
    Computer(Box<dyn Player>, bool),
    /// A program that has not been started.
    NotStarted(BotCommand),
    Program(Box<Judge>),
}

/// A program that cannot be started.
#[derive(Debug, Error)]
#[error("{program}: {}", io_error_text(error))]
pub struct SpawnError {
    program: Foreign,
    error: io::Error,
}

/// The time that programs have to exit when the game has ended.
const TIME_TO_EXIT: Duration = Duration::from_millis(100);

/// The bits of the game's seed that are flipped to make the seed of the players' generator.
const SEATS_SEED_SALT: u64 = 0x2b99_e310_55c7_04ad;

impl Seats {
    /// Makes seats for these players.
    ///
    /// `budget` is for each decision of computer players and programs.
    ///
    /// ```
    /// use constructor::app::options::PlayerChoice;
    /// use constructor::app::play::Seats;
    /// use constructor::board::RandomLayout;
    /// use constructor::players::{Budget, PlayerKind};
    /// use constructor::text::CONSTRUCTOR;
    /// let session = CONSTRUCTOR.new_session(Box::new(RandomLayout), 1);
    /// let human = || PlayerChoice::Human;
    /// let players = [PlayerChoice::Computer(PlayerKind::Greedy), human(), human(), human()];
    /// let mut seats = Seats::new(&CONSTRUCTOR, &players, Budget::playouts(1), 1);
    /// let line = seats.answer(&session.decision()).unwrap();
    /// assert!(line.parse::<u8>().unwrap() < 54, "a vertex");
    /// ```
    #[must_use]
    pub fn new(edition: &'static Edition, players: &Players, budget: Budget, seed: u64) -> Self {
        let by_builder = players.each_ref().map(|player| match player {
            PlayerChoice::Human => Seat::Human,
            PlayerChoice::Computer(kind) => Seat::Computer(kind.player(&budget), kind.uses_budget()),
            PlayerChoice::Program(command) => Seat::NotStarted(command.clone()),
        });
        Self {
            edition,
            by_builder,
            rng: rng::from_seed(seed ^ SEATS_SEED_SALT),
            players: recorded(edition, players, budget.limit()),
            budget,
            trades: Trades::On,
            has_extra_commands: false,
            shows_thinkers: false,
            speaker: Speaker::default(),
        }
    }

    /// Makes seats for four people.
    #[must_use]
    pub fn all_human(edition: &'static Edition) -> Self {
        Self::new(edition, &[const { PlayerChoice::Human }; Builder::COUNT], Budget::playouts(1), 0)
    }

    /// Starts the programs.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub fn start_programs(&mut self, groups: &ProcessGroups) -> Result<(), SpawnError> {
        for (seat, builder) in self.by_builder.iter_mut().zip(Builder::ALL) {
            let Seat::NotStarted(command) = seat else { continue };
            let judge = Judge::start(command.clone(), self.edition, builder, groups, &self.speaker.lines);
            let program = Foreign::from(command.text.as_str());
            *seat = Seat::Program(Box::new(judge.map_err(|error| SpawnError { program, error })?));
        }
        Ok(())
    }

    /// Puts greedy players in the place of the programs that could not be started.
    pub(in crate::app) fn replace_programs_not_started(&mut self) {
        for builder in Builder::ALL {
            if let Seat::NotStarted(_) = self.by_builder[builder.index()] {
                self.seat_computer(builder, PlayerKind::Greedy);
            }
        }
    }

    /// Returns the same seats with the extra commands.
    ///
    /// If `shows_thinkers` is `true`, the name of a builder is shown while its player thinks; this needs a terminal whose lines can be
    /// overwritten.
    #[must_use]
    pub const fn with_extra_commands(mut self, shows_thinkers: bool) -> Self {
        self.has_extra_commands = true;
        self.shows_thinkers = shows_thinkers;
        self
    }

    /// Returns the same seats with this setting for the trades of computer players and programs.
    #[must_use]
    pub fn with_trades(mut self, trades: Trades) -> Self {
        self.trades = trades;
        self
    }

    /// Returns the same seats with this speaker for messages about players.
    #[must_use]
    pub fn with_speaker(mut self, speaker: Speaker) -> Self {
        self.speaker = speaker;
        self
    }

    pub(in crate::app) const fn has_extra_commands(&self) -> bool {
        self.has_extra_commands
    }

    pub(in crate::app) const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Gives a builder to a computer player.
    pub(in crate::app) fn seat_computer(&mut self, builder: Builder, kind: PlayerKind) {
        let player = PlayerChoice::Computer(kind);
        self.players[builder.index()] = recorded_player(self.edition, builder, &player, self.budget.limit());
        self.by_builder[builder.index()] = Seat::Computer(kind.player(&self.budget), kind.uses_budget());
    }

    /// Gives a builder to a player of any kind.
    pub fn seat_player(&mut self, builder: Builder, player: Box<dyn Player>) {
        self.by_builder[builder.index()] = Seat::Computer(player, false);
    }

    /// Gives a builder to a person.
    pub(in crate::app) fn seat_human(&mut self, builder: Builder) {
        let human = recorded_player(self.edition, builder, &PlayerChoice::Human, self.budget.limit());
        self.players[builder.index()] = human;
        self.by_builder[builder.index()] = Seat::Human;
    }

    /// Returns the players, in turn order, as a record names them.
    #[must_use]
    pub const fn players(&self) -> &[RecordedPlayer; Builder::COUNT] {
        &self.players
    }

    /// Writes the three best actions and the chance of winning after each. Offers that were refused in the turn are left out.
    ///
    /// This can take long.
    pub fn hint(&self, decision: &Decision, answered: &AnsweredOffers, out: &mut Output) {
        let kinds = self.players.each_ref().map(|player| estimated_kind(player.computer()));
        let mut advice = Advice::new(&decision.game, kinds, self.trades, answered);
        let begin = Instant::now();
        let goes_on = |playouts: u32| match self.budget.limit() {
            Limit::Playouts(limit) => playouts < limit,
            Limit::Time(time) => playouts == 0 || begin.elapsed() < time,
        };
        while goes_on(advice.playouts()) && !self.budget.is_stopped() {
            advice.add_playout_of_each();
        }
        let effort = format!("{} playouts of each", with_thousands_separators(advice.playouts().into()));
        let best: Vec<_> = advice.best().iter().map(|best| (best.action, best.chance, best.error)).collect();
        self.edition.write_hint(&best, &effort, advice.shows_chances(), out);
    }

    /// Returns whether there are only people and no extra commands.
    ///
    /// That does not change during a game.
    #[must_use]
    pub fn all_human_no_extras(&self) -> bool {
        !self.has_extra_commands && self.by_builder.iter().all(|seat| matches!(seat, Seat::Human))
    }

    fn programs(&mut self) -> impl Iterator<Item = &mut Judge> {
        self.by_builder
            .iter_mut()
            .filter_map(|seat| if let Seat::Program(judge) = seat { Some(&mut **judge) } else { None })
    }

    /// Reports the start or the resumption of a game to the programs.
    ///
    /// `text` is what the game prints before its first question.
    pub fn begin(&mut self, game: &Game, text: &[u8]) {
        for judge in self.programs() {
            judge.begin(game, text);
        }
    }

    /// Tells the computer player whose turn it is which offers it made in this turn: those that were refused, and one that waits for an answer.
    pub fn resume_turn(&mut self, game: &Game, refused: &[Action]) {
        let (builder, waiting) = match game.phase() {
            Phase::DuringTurn(builder) => (builder, None),
            Phase::Offered(Offer { from, to, give, take }) => (from, Some(Action::Offer { to, give, take })),
            _ => return,
        };
        if let Seat::Computer(player, _) = &mut self.by_builder[builder.index()] {
            let offered: Vec<Action> = refused.iter().copied().chain(waiting).collect();
            player.resume_turn(builder, &offered);
        }
    }

    /// Closes the programs' input at the end of the game, and gives them a moment to exit.
    pub fn end(&mut self) {
        self.programs().for_each(Judge::close);
        let deadline = Instant::now() + TIME_TO_EXIT;
        while Instant::now() < deadline && !self.programs().all(|judge| judge.has_exited()) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Reports an answer to the programs.
    pub fn tell(&mut self, answered: &Answered) {
        for judge in self.programs() {
            judge.tell(answered);
        }
    }

    /// Shows the computer players the position before a decision of any player.
    pub fn notify_bots(&mut self, decision: &Decision) {
        for seat in &mut self.by_builder {
            if let Seat::Computer(player, _) = seat {
                player.observe(&decision.game);
            }
        }
    }

    /// Returns whether a computer player or a program makes the decision.
    ///
    /// Whether to play another game is decided by a person, if any seat has one.
    #[must_use]
    pub fn is_for_computer(&self, decision: &Decision) -> bool {
        let is_computer = |seat: &Seat| !matches!(seat, Seat::Human);
        match decision.pending.builder() {
            Some(builder) => is_computer(&self.by_builder[builder.index()]),
            None => self.by_builder.iter().all(is_computer),
        }
    }

    /// Returns the colour to show while its computer player or program thinks about the decision. Returns `None` if nothing is to be shown.
    pub(in crate::app) fn thinker(&self, decision: &Decision) -> Option<&'static str> {
        let builder = decision.pending.builder().filter(|_| self.shows_thinkers)?;
        let is_slow = matches!(self.by_builder[builder.index()], Seat::Computer(_, true) | Seat::Program(_));
        is_slow.then(|| self.edition.colour(builder))
    }

    /// Returns the line that a computer player or a program types. Returns `None` if a person decides.
    ///
    /// The line is empty if a program's line is not printable.
    pub fn answer(&mut self, decision: &Decision) -> Option<String> {
        if !self.is_for_computer(decision) {
            return None;
        }
        let Some(builder) = decision.pending.builder() else { return Some("no".to_owned()) };
        if let Some(line) = self.program_answer(builder, decision) {
            return Some(line);
        }
        if let Some(line) = self.roll_fairly(decision.pending) {
            return Some(line);
        }
        let Seat::Computer(player, _) = &mut self.by_builder[builder.index()] else { return None };
        if let Pending::Roll(..) = decision.pending {
            player.begin_turn();
        }
        let action = choose_legal(&decision.game, self.trades, player, &mut self.rng);
        action.map(|action| self.edition.action_text(action))
    }

    /// Asks a program for its line, if a program has to decide.
    ///
    /// A program that fails is replaced.
    fn program_answer(&mut self, builder: Builder, decision: &Decision) -> Option<String> {
        let Seat::Program(judge) = &self.by_builder[builder.index()] else { return None };
        if judge.command().protocol == Protocol::Json {
            if let Some(line) = self.roll_fairly(decision.pending) {
                return Some(line);
            }
            if let Some(action) = decision.game.legal_actions(self.trades).forced() {
                return Some(self.edition.action_text(action));
            }
        }
        let Seat::Program(judge) = &mut self.by_builder[builder.index()] else { return None };
        match judge.ask(decision, self.trades, self.budget.limit()) {
            Ok(line) => Some(line),
            Err(failure) => {
                self.replace_program(builder, &failure);
                None
            }
        }
    }

    /// Returns the line by which a computer player rolls fairly: `fair` if the builder's dice are loaded, or a fairly drawn sum if the sum
    /// is asked for. Returns `None` otherwise.
    fn roll_fairly(&mut self, pending: Pending) -> Option<String> {
        match pending {
            Pending::LoadedRoll(_) => Some(RandomChance(&mut self.rng).roll().value().to_string()),
            Pending::Roll(_, DiceKind::Loaded) => Some("fair".to_owned()),
            _ => None,
        }
    }

    /// Replaces a program by a greedy player, and says so.
    fn replace_program(&mut self, builder: Builder, failure: &BotFailure) {
        let Seat::Program(judge) = &self.by_builder[builder.index()] else { return };
        let (name, colour) = (Foreign::from(judge.command().text.as_str()), self.edition.colour(builder));
        (self.speaker.says)(format!("{name}, which plays {colour}, {failure}: a greedy player takes over"));
        self.seat_computer(builder, PlayerKind::Greedy);
    }

    /// Returns whether all seats have computer players or programs.
    #[must_use]
    pub fn all_computers(&self) -> bool {
        !self.by_builder.iter().any(|seat| matches!(seat, Seat::Human))
    }
}
