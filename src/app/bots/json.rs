//! The messages of the JSON protocol. `docs/bots.schema.json` describes them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answers::check;
use crate::game::{Action, Builder, Event, Game, Trades};
use crate::record::json_reason;
use crate::session::Decision;
use crate::text::{Answered, Edition};

/// The version of the protocol. It is increased when programs for the previous version may fail.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum BotMessage<'m> {
    Start {
        protocol: u32,
        program: &'m str,
        edition: &'m str,
        you: Builder,
        /// The names of the builders in actions, in turn order; they depend on the edition.
        colours: [&'m str; Builder::COUNT],
        state: &'m Game,
    },
    Events {
        by: Option<Builder>,
        action: &'m str,
        events: &'m [Event],
        points: [u32; Builder::COUNT],
    },
    Choose {
        id: u64,
        you: Option<Builder>,
        what: &'m str,
        state: &'m Game,
        points: [u32; Builder::COUNT],
        actions: Vec<LegalAction>,
        time_ms: u64,
    },
    Refused {
        reason: &'m str,
    },
}

#[derive(Serialize)]
struct LegalAction {
    index: u16,
    text: String,
}

/// A program's answer: an action by its index or by its text.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Reply {
    id: Option<u64>,
    index: Option<u64>,
    text: Option<String>,
}

impl BotMessage<'_> {
    /// Returns the message as a line.
    ///
    /// The line is empty if the message cannot be serialised, which is not known to happen.
    fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

fn points(game: &Game) -> [u32; Builder::COUNT] {
    Builder::ALL.map(|builder| game.points(builder))
}

/// Returns the message at the start of a game.
pub(super) fn start(edition: &Edition, you: Builder, game: &Game) -> Vec<u8> {
    let program = crate::PROGRAM;
    let colours = edition.strings.colours;
    BotMessage::Start { protocol: VERSION, program, edition: edition.name, you, colours, state: game }.line()
}

/// Returns the message about something that a builder did.
pub(super) fn events(answered: &Answered) -> Vec<u8> {
    let by = answered.decision.pending.builder();
    BotMessage::Events { by, action: &answered.typed, events: &answered.events, points: points(&answered.game) }.line()
}

/// Returns the message after an invalid answer.
///
/// The question is asked again after it.
pub(super) fn refusal(reason: &str) -> Vec<u8> {
    BotMessage::Refused { reason }.line()
}

/// A question to a program.
pub(super) struct Question<'q> {
    pub edition: &'static Edition,
    pub decision: &'q Decision,
    /// Whether offers are listed.
    pub trades: Trades,
    /// The number of the question, from 1.
    pub number: u64,
    pub limit: Duration,
}

impl Question<'_> {
    pub fn message(&self) -> Vec<u8> {
        let game = &self.decision.game;
        let legal = |action: Action| LegalAction { index: action.index(), text: self.edition.action_text(action) };
        BotMessage::Choose {
            id: self.number,
            you: self.decision.pending.builder(),
            what: self.decision.pending.name(),
            state: game,
            points: points(game),
            actions: game.legal_actions(self.trades).iter().map(legal).collect(),
            time_ms: u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX),
        }
        .line()
    }

    /// Returns the action that a reply chooses.
    ///
    /// # Errors
    /// The reason why the reply does not choose a legal action.
    pub fn parse(&self, reply: Option<&str>) -> Result<Action, String> {
        let reply = reply.ok_or("the answer is too long or not printable ASCII")?;
        let answer: Reply = serde_json::from_str(reply).map_err(|error| json_reason(&error).to_string())?;
        if answer.id.is_some_and(|id| id != self.number) {
            return Err(format!("the answer is not to question {}", self.number));
        }
        let game = &self.decision.game;
        let action = match (answer.index, &answer.text) {
            (Some(index), None) => {
                let action = u16::try_from(index).ok().and_then(Action::from_index);
                action.ok_or_else(|| format!("there is no action {index}"))?
            }
            (None, Some(text)) => self.edition.parse_action(text, game.phase()).map_err(|error| error.to_string())?,
            _ => return Err("expected either index or text".to_owned()),
        };
        check(self.edition, game, action, self.trades).map(|()| action)
    }
}
