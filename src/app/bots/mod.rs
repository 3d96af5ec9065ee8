//! Programs that play. Each is a process that is asked by lines of text or of JSON, as `docs/bots.md` describes.

mod json;
mod process;
mod program_player;

use std::time::Duration;

use thiserror::Error;

use self::process::BotProcess;
use crate::game::{Action, Builder, Event, Game, Trades};
use crate::session::{Decision, Pending};
use crate::text::{Dialogue, Edition, Noted};

pub use self::process::{MessageSink, NoReply, ProcessGroups};
pub use self::program_player::{DEFAULT_TIMEOUT, ProgramSetting, Programs};

/// After this many invalid answers in a row, a program is replaced.
const MAX_FAULTS: u32 = 3;

/// The least time for the first answer, which includes the start of the program.
const MIN_FIRST_LIMIT: Duration = Duration::from_secs(2);

/// The commands that a program may give in a turn.
const MAX_COMMANDS: u32 = 100;

/// How a program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// By what the game prints, and lines that begin with `?`.
    Text,
    /// By JSON objects, one a line.
    Json,
}

/// The command that starts a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotCommand {
    /// How it is asked.
    pub protocol: Protocol,
    /// The command as it was given.
    pub text: String,
    program: String,
    arguments: Vec<String>,
}

impl BotCommand {
    /// The command with its protocol, as the command line has it: `exec:COMMAND` or `json:COMMAND`.
    #[must_use]
    pub fn name(&self) -> String {
        let protocol = match self.protocol {
            Protocol::Text => "exec",
            Protocol::Json => "json",
        };
        format!("{protocol}:{}", self.text)
    }

    /// Splits a command into words as a shell does, with quotes and backslashes. `None` if there is no word or a quote is not
    /// closed.
    ///
    /// ```
    /// use constructor::app::bots::{BotCommand, Protocol};
    /// assert!(BotCommand::parse(Protocol::Text, "python3 'my bot.py' -v").is_some());
    /// assert_eq!(BotCommand::parse(Protocol::Text, "python3 'my bot.py"), None);
    /// ```
    #[must_use]
    pub fn parse(protocol: Protocol, text: &str) -> Option<Self> {
        let mut words = shlex::split(text)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty())?;
        Some(Self { protocol, text: text.to_owned(), program, arguments: words.collect() })
    }
}

/// Why a program is replaced.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// It does not reply.
    #[error(transparent)]
    NoReply(#[from] NoReply),
    /// Its answers are invalid.
    #[error("gave {MAX_FAULTS} invalid answers in a row")]
    Invalid,
    /// Its turn does not end.
    #[error("gave {MAX_COMMANDS} commands in a turn")]
    EndlessTurn,
}

/// An accepted or refused answer, as reported to programs.
#[derive(Debug)]
pub struct Answered<'a> {
    /// The decision that was asked for.
    pub decision: &'a Decision,
    /// The game after it.
    pub game: &'a Game,
    /// The words that were used.
    pub typed: &'a str,
    /// What the game printed then.
    pub text: &'a [u8],
    /// What happened.
    pub events: &'a [Event],
    /// Whether it was refused, so that the game asks again.
    pub is_refused: bool,
    /// Whether it changed anything.
    pub has_effect: bool,
    /// Whether it took back what was done before.
    pub is_undo: bool,
    /// The action that it played, if the session has a history.
    pub played: Option<Action>,
    /// The faces of the last roll, if the dice were fair.
    pub faces: Option<[u8; 2]>,
}

impl<'a> Answered<'a> {
    /// An answer that the dialogue took, and the text that it printed then.
    #[must_use]
    pub fn of(noted: &'a Noted<'_>, dialogue: &'a Dialogue, text: &'a [u8]) -> Self {
        Self {
            decision: &noted.decision,
            game: dialogue.game(),
            typed: &noted.typed,
            text,
            events: dialogue.events(),
            is_refused: noted.is_refused,
            has_effect: noted.has_effect,
            is_undo: false,
            played: noted.played,
            faces: dialogue.session().faces(),
        }
    }

    /// Something typed that has no effect on the game.
    #[must_use]
    pub const fn without_effect(decision: &'a Decision, typed: &'a str) -> Self {
        Self {
            decision,
            game: &decision.game,
            typed,
            text: &[],
            events: &[],
            is_refused: false,
            has_effect: false,
            is_undo: false,
            played: None,
            faces: None,
        }
    }
}

/// A program that plays a builder.
#[derive(Debug)]
pub struct Bot {
    command: BotCommand,
    edition: &'static Edition,
    builder: Builder,
    process: BotProcess,
    /// The number of invalid answers since the last valid one.
    faults: u32,
    /// The number of commands in this turn.
    commands: u32,
    /// The number of questions.
    questions: u64,
}

impl Bot {
    /// Starts a program, with the colour as its last argument. What it writes to standard error goes to `messages`, if given.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(
        command: BotCommand,
        edition: &'static Edition,
        builder: Builder,
        groups: &ProcessGroups,
        messages: Option<&MessageSink>,
    ) -> std::io::Result<Self> {
        let arguments: Vec<&str> =
            command.arguments.iter().map(String::as_str).chain([edition.colour(builder)]).collect();
        let process = BotProcess::spawn(&command.program, &arguments, groups, messages)?;
        Ok(Self { command, edition, builder, process, faults: 0, commands: 0, questions: 0 })
    }

    /// The command as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.command.text
    }

    /// How it is asked.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.command.protocol
    }

    /// Closes the program's input at the end of the game.
    pub fn close(&mut self) {
        self.process.close();
    }

    /// Whether the program has exited.
    #[must_use]
    pub fn has_exited(&self) -> bool {
        self.process.has_exited()
    }

    /// Tells the program of a new game. `text` is what the game prints before its first question.
    pub fn begin(&self, game: &Game, text: &[u8]) {
        self.process.send(match self.protocol() {
            Protocol::Text => text.to_vec(),
            Protocol::Json => json::start(self.edition, self.builder, game),
        });
    }

    /// Tells the program of an answer: of those that had an effect, and of its own.
    pub fn tell(&mut self, answered: &Answered<'_>) {
        let pending = answered.decision.pending;
        let is_own = pending.builder() == Some(self.builder);
        if is_own {
            self.faults = if answered.is_refused { self.faults + 1 } else { 0 };
            self.commands += u32::from(matches!(pending, Pending::Turn(_) | Pending::Roll(..)));
        } else if matches!(pending, Pending::Roll(..)) {
            // Another's turn.
            self.commands = 0;
        }
        match self.protocol() {
            Protocol::Text if is_own || answered.has_effect => {
                self.process.send([b"> ", answered.typed.as_bytes(), b"\n", answered.text].concat());
            }
            Protocol::Json if answered.is_undo || pending == Pending::GameOver && answered.has_effect => {
                self.begin(answered.game, answered.text);
            }
            Protocol::Json if answered.has_effect => self.process.send(json::events(answered)),
            _ => {}
        }
    }

    /// Asks the program to decide, and returns the line that it types; an empty one if it is not printable.
    ///
    /// # Errors
    /// Why it has to be replaced.
    pub fn ask(&mut self, decision: &Decision, trades: Trades, limit: Duration) -> Result<String, Failure> {
        if self.faults >= MAX_FAULTS {
            return Err(Failure::Invalid);
        }
        if self.commands >= MAX_COMMANDS {
            return Err(Failure::EndlessTurn);
        }
        self.questions += 1;
        // Starting an interpreter takes longer than a quick answer.
        let limit = if self.questions == 1 { limit.max(MIN_FIRST_LIMIT) } else { limit };
        match self.protocol() {
            Protocol::Text => {
                let question = format!("? {} {}\n", self.edition.colour(self.builder), question_name(decision.pending));
                Ok(self.process.ask(question.into_bytes(), limit)?.unwrap_or_default())
            }
            Protocol::Json => self.ask_json(decision, trades, limit),
        }
    }

    fn ask_json(&mut self, decision: &Decision, trades: Trades, limit: Duration) -> Result<String, Failure> {
        let question = json::Question { edition: self.edition, decision, trades, number: self.questions, limit };
        let mut message = question.message();
        for _ in 0..MAX_FAULTS {
            let reply = self.process.ask(message, limit)?;
            match question.parse(reply.as_deref()) {
                Ok(action) => return Ok(self.edition.action_text(action)),
                Err(reason) => message = [json::refusal(&reason), question.message()].concat(),
            }
        }
        Err(Failure::Invalid)
    }
}

/// What a program is asked for, in one word.
const fn question_name(pending: Pending) -> &'static str {
    match pending {
        Pending::Settle(_) => "settle",
        Pending::Roll(..) => "roll",
        Pending::LoadedRoll(_) => "number",
        Pending::MoveGeese(_) => "geese",
        Pending::Rob(_) => "rob",
        Pending::Turn(_) => "turn",
        Pending::Answer(_) => "offer",
        Pending::GameOver => "again",
    }
}
