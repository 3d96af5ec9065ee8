//! Who sits at the table: persons, and computer players who type their answers as a person would.

use std::time::Duration;
use std::{io, mem};

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::board::Roll;
use crate::complaint::{complain, reason};
use crate::dialogue::{Dialogue, Question, Text};
use crate::dice::DiceKind;
use crate::edition::Edition;
use crate::external::{External, Running};
use crate::game::{Builder, Chance, Drawn, Phase, Trades};
use crate::line::{self, Line};
use crate::players::{Budget, MonteCarlo, Player, PlayerKind, Who, ask};
use crate::random;

/// Who answers for each builder. Computer players have a generator of their own, so that the game draws the same with
/// the same answers, whoever gives them.
pub struct Table {
    edition: &'static Edition,
    seats: [Seat; Builder::COUNT],
    draws: ChaCha8Rng,
    budget: Budget,
    /// Whether the further commands are there.
    has_extras: bool,
}

enum Seat {
    Person,
    Computer(Box<dyn Player>),
    /// A program that has not been started.
    Announced(String),
    Program {
        name: String,
        external: External,
        /// The question that it answered last, and how often in a row its answers have changed nothing.
        last: Option<Box<Question>>,
        wrong: u32,
    },
}

/// Why a table cannot be set.
#[derive(Debug, Error)]
#[error("{program}: {}", reason(why))]
pub struct NoPlayer {
    program: String,
    why: io::Error,
}

/// After so many answers in a row that change nothing, a program plays no more.
const MOST_WRONG: u32 = 3;

/// How long a program may think, when nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came of a word that may be a further command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Followed {
    /// It is none.
    No,
    /// It was one, and has been followed.
    Yes,
    /// A [hint](Table::hint) is wanted on this question.
    Hint(Box<Question>),
}

/// The further commands, as `help` lists them.
const EXTRAS: [&str; 5] = ["computer <level>", "human <colour>", "hint", "undo", "log"];

/// The players' draws come from a seed that differs in these bits from the game's.
const PLAYERS_SEED: u64 = 0x2b99_e310_55c7_04ad;

impl Table {
    /// A table with these players, who may think for so long about a decision.
    ///
    /// ```
    /// use constructor::board::RandomLayout;
    /// use constructor::dialogue::Dialogue;
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::players::{Budget, PlayerKind, Who};
    /// use constructor::table::Table;
    /// let dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 1);
    /// let players = [Who::Computer(PlayerKind::Greedy), Who::Person, Who::Person, Who::Person];
    /// let mut table = Table::new(&CONSTRUCTOR, players, Budget::Playouts(1), 1);
    /// let line = table.answer(&dialogue.question(), b"").unwrap();
    /// assert!(line.parse::<u8>().unwrap() < 54, "the vertex of a basement");
    /// ```
    #[must_use]
    pub fn new(edition: &'static Edition, players: [Who; Builder::COUNT], budget: Budget, seed: u64) -> Self {
        let seats = players.map(|who| match who {
            Who::Person => Seat::Person,
            Who::Computer(kind) => Seat::Computer(kind.player(budget)),
            Who::Program(name) => Seat::Announced(name),
        });
        Self { edition, seats, draws: random::seeded(seed ^ PLAYERS_SEED), budget, has_extras: false }
    }

    /// Starts the programs. Signals that the game waits for have to be held back before, since the threads that talk to
    /// the programs would take them.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub fn start_programs(&mut self, running: &Running) -> Result<(), NoPlayer> {
        for (seat, colour) in self.seats.iter_mut().zip(self.edition.words.colours) {
            let Seat::Announced(name) = seat else { continue };
            let external = External::start((*name).as_ref(), colour, running)
                .map_err(|why| NoPlayer { program: line::visible(name), why })?;
            *seat = Seat::Program { name: mem::take(name), external, last: None, wrong: 0 };
        }
        Ok(())
    }

    /// A table at which only persons sit.
    #[must_use]
    pub fn of_persons(edition: &'static Edition) -> Self {
        let seats = [const { Seat::Person }; Builder::COUNT];
        Self { edition, seats, draws: random::seeded(0), budget: Budget::Playouts(1), has_extras: false }
    }

    /// The same table with further commands, at the beginning of a turn and during it.
    #[must_use]
    pub fn with_extras(mut self) -> Self {
        self.has_extras = true;
        self
    }

    /// Follows the next word of the line if it is a further command.
    pub fn follow(&mut self, dialogue: &mut Dialogue, line: &mut Line<'_>, out: &mut Text) -> Followed {
        if !self.has_extras {
            return Followed::No;
        }
        let question = dialogue.question();
        let builder = match question.game.phase() {
            Phase::TurnStart(builder) if !question.asks_roll => builder,
            Phase::DuringTurn(builder) => builder,
            _ => return Followed::No,
        };
        let mut rest = line.clone();
        let word = rest.next().unwrap_or_default().to_ascii_lowercase();
        match word.as_slice() {
            b"computer" => match rest.next().and_then(kind_named) {
                Some(kind) => self.seats[builder.index()] = Seat::Computer(kind.player(self.budget)),
                None => out.line("A computer player is easy, normal, hard, expert, classic or random."),
            },
            b"human" => match rest.next().and_then(|word| self.edition.builder(word)) {
                Some(other) => self.seats[other.index()] = Seat::Person,
                None => out.put("A colour is ").put(&self.edition.words.colours.join(", ")).put(".").end(),
            },
            b"hint" => {
                *line = rest;
                return Followed::Hint(Box::new(question));
            }
            b"undo" => {
                if !dialogue.take_back() {
                    out.line("There is nothing to take back.");
                }
            }
            b"log" => {
                for &(builder, action) in dialogue.done() {
                    out.put(self.edition.colour(builder)).put(": ");
                    out.put(&self.edition.typed(action)).end();
                }
            }
            b"help" => {
                if question.game.phase() == Phase::DuringTurn(builder) {
                    dialogue.answer(&mut Line::new(b"help"), out);
                }
                for usage in EXTRAS {
                    out.line(usage);
                }
            }
            _ => return Followed::No,
        }
        *line = rest;
        Followed::Yes
    }

    /// Tells the three best actions with the chance to win after each. This may take long.
    pub fn hint(&mut self, question: &Question, out: &mut Text) {
        let actions = question.game.actions(Trades::On);
        let rated = MonteCarlo::new(self.budget).rate(&question.game, &actions, &mut self.draws);
        for (action, chance) in rated.into_iter().take(3) {
            out.put(&format!("{}: {:.0} %", self.edition.typed(action), 100.0 * chance)).end();
        }
    }

    /// Whether only persons sit here and there are no further commands: then that stays so.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.has_extras && self.seats.iter().all(|seat| matches!(seat, Seat::Person))
    }

    /// Whether anybody is a program, who has to be told what the game prints.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Program { .. }))
    }

    /// Shows the computer players what is decided now, whoever is asked.
    pub fn show(&mut self, question: &Question) {
        for seat in &mut self.seats {
            if let Seat::Computer(player) = seat {
                player.see(&question.game);
            }
        }
    }

    /// Whether the question is not one for a person. Whether to play again is one for a person, if there is any.
    #[must_use]
    pub fn is_for_computer(&self, question: &Question) -> bool {
        let is_computer = |seat: &Seat| !matches!(seat, Seat::Person);
        match question.game.to_act() {
            Some(builder) => is_computer(&self.seats[builder.index()]),
            None => self.seats.iter().all(is_computer),
        }
    }

    /// The line that a computer player types; `None` when a person is asked. `heard` is what the game has printed, with all
    /// answers.
    pub fn answer(&mut self, question: &Question, heard: &[u8]) -> Option<String> {
        if !self.is_for_computer(question) {
            return None;
        }
        let game = &question.game;
        let Some(builder) = game.to_act() else { return Some("no".to_owned()) };
        if let Some(line) = self.answer_of_program(builder, question, heard) {
            return Some(line);
        }
        let Seat::Computer(player) = &mut self.seats[builder.index()] else { return None };
        if game.phase() == Phase::TurnStart(builder) {
            if question.asks_roll {
                // The dice were loaded by somebody else; let them fall all the same.
                let roll: Roll = Drawn(&mut self.draws).roll();
                return Some(roll.value().to_string());
            }
            if question.dice != DiceKind::Fair {
                return Some("fair".to_owned());
            }
            player.begin_turn();
        }
        ask(game, Trades::On, player, &mut self.draws).map(|action| self.edition.typed(action))
    }

    /// The line that a program types, if one is asked and answers. If it does not, an easy player takes its place.
    fn answer_of_program(&mut self, builder: Builder, question: &Question, heard: &[u8]) -> Option<String> {
        let Seat::Program { name, external, last, wrong } = &mut self.seats[builder.index()] else { return None };
        let limit = match self.budget {
            Budget::Time { limit, .. } => limit,
            Budget::Playouts(_) => PATIENCE,
        };
        *wrong = if last.as_deref() == Some(question) { *wrong + 1 } else { 0 };
        *last = Some(Box::new(*question));
        let answer = if *wrong < MOST_WRONG {
            external.answer(heard, limit).map_err(|silent| silent.to_string())
        } else {
            Err(format!("gave {MOST_WRONG} answers in a row that changed nothing"))
        };
        match answer {
            Ok(line) => Some(line),
            Err(why) => {
                let colour = self.edition.colour(builder);
                complain(format_args!("{}, who plays {colour}, {why}: an easy player goes on", line::visible(name)));
                self.seats[builder.index()] = Seat::Computer(PlayerKind::Greedy.player(self.budget));
                None
            }
        }
    }
}

fn kind_named(word: &[u8]) -> Option<PlayerKind> {
    let name = word.to_ascii_lowercase();
    std::str::from_utf8(&name).ok().and_then(PlayerKind::named)
}
