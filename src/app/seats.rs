//! The controllers of the builders: people, computer players that type their answers as a person would, and programs.

use std::time::Duration;
use std::{io, mem};

use constructor_common::{escape, io_error_text};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::bot_process::{BotProcess, ProcessGroups};
use super::print_error;
use crate::game::{Builder, Chance, RandomChance, Trades};
use crate::players::{Budget, FlatMonteCarlo, Limit, Player, PlayerFactory, PlayerKind, choose_legal};
use crate::rng;
use crate::session::{Decision, DiceKind, Pending};
use crate::text::{Edition, Output};

/// Who plays a builder.
#[derive(Clone, Default, Debug)]
pub enum Controller {
    /// A person at the terminal.
    #[default]
    Human,
    /// A computer player.
    Computer(PlayerFactory),
    /// The program at this path.
    Program(String),
}

/// The controllers of the four builders. Computer players have their own generator, so that a game replayed from its input is the
/// same.
pub struct Seats {
    edition: &'static Edition,
    by_builder: [Seat; Builder::COUNT],
    rng: ChaCha8Rng,
    budget: Budget,
    has_extra_commands: bool,
}

impl std::fmt::Debug for Seats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seats").field("edition", &self.edition.name).finish_non_exhaustive()
    }
}

enum Seat {
    Human,
    Computer(Box<dyn Player>),
    /// A program that has not been started.
    NotStarted(String),
    Program {
        name: String,
        process: BotProcess,
        /// The decision that it answered last, and how many answers in a row have changed nothing.
        last: Option<Box<Decision>>,
        rejected: u32,
    },
}

/// A program that cannot be started.
#[derive(Debug, Error)]
#[error("{program}: {}", io_error_text(error))]
pub struct SpawnError {
    program: String,
    error: io::Error,
}

/// After this many answers in a row that change nothing, a program is replaced.
const MAX_REJECTED: u32 = 3;

/// The time limit of programs without `-think`.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The players have a generator whose seed differs from the game's in these bits.
const PLAYERS_SEED: u64 = 0x2b99_e310_55c7_04ad;

impl Seats {
    /// Seats for these players. `budget` is for each decision of computer players and programs.
    ///
    /// ```
    /// use constructor::app::seats::{Controller, Seats};
    /// use constructor::board::RandomLayout;
    /// use constructor::players::{Budget, PlayerKind};
    /// use constructor::text::CONSTRUCTOR;
    /// let session = CONSTRUCTOR.new_session(Box::new(RandomLayout), 1);
    /// let budget = Budget::playouts(1);
    /// let greedy = Controller::Computer(PlayerKind::Greedy.factory(&budget));
    /// let players = [greedy, Controller::Human, Controller::Human, Controller::Human];
    /// let mut seats = Seats::new(&CONSTRUCTOR, players, budget, 1);
    /// let line = seats.answer(&session.decision(), b"").unwrap();
    /// assert!(line.parse::<u8>().unwrap() < 54, "a vertex");
    /// ```
    #[must_use]
    pub fn new(edition: &'static Edition, players: [Controller; Builder::COUNT], budget: Budget, seed: u64) -> Self {
        let by_builder = players.map(|controller| match controller {
            Controller::Human => Seat::Human,
            Controller::Computer(factory) => Seat::Computer(factory.make()),
            Controller::Program(name) => Seat::NotStarted(name),
        });
        Self { edition, by_builder, rng: rng::from_seed(seed ^ PLAYERS_SEED), budget, has_extra_commands: false }
    }

    /// Seats for four people.
    #[must_use]
    pub fn all_human(edition: &'static Edition) -> Self {
        Self::new(edition, [const { Controller::Human }; Builder::COUNT], Budget::playouts(1), 0)
    }

    /// Starts the programs. Block the signals that the game waits for before that: the threads of the programs would receive
    /// them.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub fn start_programs(&mut self, groups: &ProcessGroups) -> Result<(), SpawnError> {
        for (seat, colour) in self.by_builder.iter_mut().zip(self.edition.strings.colours) {
            let Seat::NotStarted(name) = seat else { continue };
            let process = BotProcess::spawn((*name).as_ref(), colour, groups)
                .map_err(|error| SpawnError { program: escape(name), error })?;
            *seat = Seat::Program { name: mem::take(name), process, last: None, rejected: 0 };
        }
        Ok(())
    }

    /// The same seats with the extra commands.
    #[must_use]
    pub fn with_extra_commands(mut self) -> Self {
        self.has_extra_commands = true;
        self
    }

    pub(super) const fn has_extra_commands(&self) -> bool {
        self.has_extra_commands
    }

    pub(super) const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Gives a builder to a computer player.
    pub(super) fn seat_computer(&mut self, builder: Builder, kind: PlayerKind) {
        self.by_builder[builder.index()] = Seat::Computer(kind.player(&self.budget));
    }

    /// Gives a builder to a person.
    pub(super) fn seat_human(&mut self, builder: Builder) {
        self.by_builder[builder.index()] = Seat::Human;
    }

    /// Writes the three best actions and the win rate after each. This can take long.
    pub fn hint(&mut self, decision: &Decision, out: &mut Output) {
        let actions = decision.game.legal_actions(Trades::On);
        let rates = FlatMonteCarlo::new(self.budget.clone()).win_rates(&decision.game, &actions, &mut self.rng);
        for (action, win_rate) in rates.into_iter().take(3) {
            out.put(&format!("{}: {:.0} %", self.edition.action_text(action), 100.0 * win_rate)).end();
        }
    }

    /// Whether there are only people and no extra commands. That does not change during a game.
    #[must_use]
    pub fn all_human_no_extras(&self) -> bool {
        !self.has_extra_commands && self.by_builder.iter().all(|seat| matches!(seat, Seat::Human))
    }

    /// Whether there is a program, which needs a transcript of the game.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.by_builder.iter().any(|seat| matches!(seat, Seat::Program { .. }))
    }

    /// Shows the computer players the position before a decision of any player.
    pub fn notify_bots(&mut self, decision: &Decision) {
        for seat in &mut self.by_builder {
            if let Seat::Computer(player) = seat {
                player.observe(&decision.game);
            }
        }
    }

    /// Whether a computer player makes the decision. If a seat has a person, a person decides about another game.
    #[must_use]
    pub fn is_for_computer(&self, decision: &Decision) -> bool {
        let is_computer = |seat: &Seat| !matches!(seat, Seat::Human);
        match decision.pending.builder() {
            Some(builder) => is_computer(&self.by_builder[builder.index()]),
            None => self.by_builder.iter().all(is_computer),
        }
    }

    /// The line that a computer player or a program types; `None` if a person decides. `transcript` is the game so far with all
    /// answers.
    pub fn answer(&mut self, decision: &Decision, transcript: &[u8]) -> Option<String> {
        if !self.is_for_computer(decision) {
            return None;
        }
        let Some(builder) = decision.pending.builder() else { return Some("no".to_owned()) };
        if let Some(line) = self.program_answer(builder, decision, transcript) {
            return Some(line);
        }
        let Seat::Computer(player) = &mut self.by_builder[builder.index()] else { return None };
        match decision.pending {
            // Somebody else chose loaded dice: roll fairly all the same.
            Pending::LoadedRoll(_) => return Some(RandomChance(&mut self.rng).roll().value().to_string()),
            Pending::Roll(_, DiceKind::Loaded) => return Some("fair".to_owned()),
            Pending::Roll(_, DiceKind::Fair) => player.begin_turn(),
            _ => {}
        }
        choose_legal(&decision.game, Trades::On, player, &mut self.rng).map(|action| self.edition.action_text(action))
    }

    /// The line that a program types, if the decision is up to one. A program that does not answer is replaced by an easy
    /// player.
    fn program_answer(&mut self, builder: Builder, decision: &Decision, transcript: &[u8]) -> Option<String> {
        let Seat::Program { name, process, last, rejected } = &mut self.by_builder[builder.index()] else {
            return None;
        };
        let limit = match self.budget.limit() {
            Limit::Time(limit) => limit,
            Limit::Playouts(_) => DEFAULT_TIMEOUT,
        };
        *rejected = if last.as_deref() == Some(decision) { *rejected + 1 } else { 0 };
        *last = Some(Box::new(*decision));
        let answer = if *rejected < MAX_REJECTED {
            process.answer(transcript, limit).map_err(|no_reply| no_reply.to_string())
        } else {
            Err(format!("gave {MAX_REJECTED} answers in a row that changed nothing"))
        };
        match answer {
            Ok(line) => Some(line),
            Err(reason) => {
                let colour = self.edition.colour(builder);
                print_error(format_args!("{}, who plays {colour}, {reason}: an easy player goes on", escape(name)));
                self.seat_computer(builder, PlayerKind::Greedy);
                None
            }
        }
    }
}
