//! The judge of a program that plays: asks the program, checks its answers, and counts its faults.

use std::io;
use std::time::Duration;

use constructor_common::Foreign;
use constructor_common::process::become_subreaper;
use thiserror::Error;

use super::json::{self, Question};
use super::process::{BotProcess, MessageSink, NoReply, ProcessGroups};
use crate::app::options::{BotCommand, Protocol};
use crate::game::{Builder, Game, Trades};
use crate::players::Limit;
use crate::session::{Decision, Pending};
use crate::text::{Answered, Edition};

/// The time limit of programs without `-think`.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The minimum time limit for the first answer, which includes the start of the program.
const MIN_FIRST_LIMIT: Duration = Duration::from_secs(2);

/// The number of invalid answers in a row after which a program is replaced.
const MAX_FAULTS: u32 = 3;

/// The maximum number of commands that a program may give in a turn.
const MAX_COMMANDS: u32 = 100;

/// The maximum number of characters of a bad answer that are quoted.
const MAX_QUOTED: usize = 80;

/// Why a program is replaced.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BotFailure {
    /// It cannot be started.
    #[error("cannot be started: {0}")]
    NotStarted(Foreign),
    /// It does not reply.
    #[error(transparent)]
    NoReply(#[from] NoReply),
    /// It gave too many invalid answers in a row.
    #[error("gave {MAX_FAULTS} invalid answers in a row, the last '{answer}': {reason}")]
    Invalid {
        /// The last one.
        answer: Foreign,
        /// Why it is invalid.
        reason: Foreign,
    },
    /// It gave too many commands in a turn.
    #[error("gave {MAX_COMMANDS} commands in a turn")]
    EndlessTurn,
}

/// A program that plays a builder, and what it did so far.
#[derive(Debug)]
pub struct Judge {
    command: BotCommand,
    edition: &'static Edition,
    builder: Builder,
    process: BotProcess,
    /// The last invalid answer, and why it is invalid.
    last_bad: (Foreign, Foreign),
    /// The number of invalid answers since the last valid one.
    faults: u32,
    /// The number of commands in this turn.
    commands: u32,
    /// The number of questions.
    questions: u64,
    has_answered: bool,
}

impl Judge {
    /// Starts a program, with the colour as its last argument.
    ///
    /// The lines that the program writes to standard error go to `messages`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(
        command: BotCommand,
        edition: &'static Edition,
        builder: Builder,
        groups: &ProcessGroups,
        messages: &MessageSink,
    ) -> io::Result<Self> {
        become_subreaper();
        let arguments: Vec<&str> =
            command.arguments.iter().map(String::as_str).chain([edition.colour(builder)]).collect();
        let process = BotProcess::spawn(&command.program, &arguments, groups, messages)?;
        let last_bad = ("".into(), "".into());
        let (faults, commands, questions, has_answered) = (0, 0, 0, false);
        Ok(Self { command, edition, builder, process, last_bad, faults, commands, questions, has_answered })
    }

    /// Returns the command that started the program.
    #[must_use]
    pub const fn command(&self) -> &BotCommand {
        &self.command
    }

    /// Returns whether the program has given a valid answer.
    #[must_use]
    pub const fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// Closes the program's input at the end of the game.
    pub fn close(&mut self) {
        self.process.close();
    }

    /// Returns whether the program has exited.
    #[must_use]
    pub fn has_exited(&self) -> bool {
        self.process.has_exited()
    }

    /// Tells the program of a new game.
    ///
    /// `text` is what the game prints before its first question.
    pub fn begin(&self, game: &Game, text: &[u8]) {
        self.process.send(match self.command.protocol {
            Protocol::Text => text.to_vec(),
            Protocol::Json => json::start(self.edition, self.builder, game),
        });
    }

    /// Reports an answer to the program if the answer had an effect. With the text protocol, also reports the program's own answers that
    /// had no effect.
    pub fn tell(&mut self, answered: &Answered) {
        let pending = answered.decision.pending;
        let is_own = pending.builder() == Some(self.builder);
        if is_own {
            let reason = String::from_utf8_lossy(&answered.text);
            if answered.is_refused {
                let unprintable = "it is blank, too long, or not printable ASCII";
                self.note_bad(&answered.typed, reason.lines().next().unwrap_or(unprintable));
            } else {
                self.note_good();
            }
            self.commands += u32::from(matches!(pending, Pending::Turn(_) | Pending::Roll(..)));
        } else if matches!(pending, Pending::Roll(..)) {
            // This is another builder's turn.
            self.commands = 0;
        }
        match self.command.protocol {
            Protocol::Text if is_own || answered.has_effect => {
                self.process.send([b"> ", answered.typed.as_bytes(), b"\n", &answered.text].concat());
            }
            Protocol::Json if answered.is_undo || pending == Pending::GameOver && answered.has_effect => {
                self.begin(&answered.game, &answered.text);
            }
            Protocol::Json if answered.has_effect => self.process.send(json::events(answered)),
            _ => {}
        }
    }

    fn note_bad(&mut self, answer: &str, reason: &str) {
        self.faults += 1;
        let answer: String = answer.chars().take(MAX_QUOTED).collect();
        self.last_bad = (answer.into(), reason.trim_end_matches('.').into());
    }

    const fn note_good(&mut self) {
        self.faults = 0;
        self.has_answered = true;
    }

    fn invalid(&self) -> BotFailure {
        let (answer, reason) = self.last_bad.clone();
        BotFailure::Invalid { answer, reason }
    }

    /// Asks the program to decide, and returns the line that it types. The line is empty if it is not printable.
    ///
    /// # Errors
    /// The reason why the program has to be replaced.
    pub fn ask(&mut self, decision: &Decision, trades: Trades, limit: Limit) -> Result<String, BotFailure> {
        if self.faults >= MAX_FAULTS {
            return Err(self.invalid());
        }
        if self.commands >= MAX_COMMANDS {
            return Err(BotFailure::EndlessTurn);
        }
        self.questions += 1;
        let limit = match limit {
            Limit::Time(limit) => limit,
            Limit::Playouts(_) => DEFAULT_TIMEOUT,
        };
        // Starting an interpreter takes longer than a quick answer.
        let limit = if self.questions == 1 { limit.max(MIN_FIRST_LIMIT) } else { limit };
        if self.command.protocol == Protocol::Text {
            let (colour, name) = (self.edition.colour(self.builder), decision.pending.name());
            return Ok(self.process.ask(format!("? {colour} {name}\n").into_bytes(), limit)?.unwrap_or_default());
        }
        let question = Question { edition: self.edition, decision, trades, number: self.questions, limit };
        let mut message = question.message();
        loop {
            let reply = self.process.ask(message, limit)?;
            match question.parse(reply.as_deref()) {
                Ok(action) => {
                    self.note_good();
                    return Ok(self.edition.action_text(action));
                }
                Err(reason) => {
                    self.note_bad(reply.as_deref().unwrap_or_default(), &reason);
                    if self.faults >= MAX_FAULTS {
                        return Err(self.invalid());
                    }
                    message = [json::refusal(&reason), question.message()].concat();
                }
            }
        }
    }
}
