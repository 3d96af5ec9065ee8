//! The lines of a record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::FORMAT;
use crate::board::{Layout, Resource};
use crate::game::{Builder, Hand, SavedGame, Trades};
use crate::players::Limit;
use crate::session::SessionStart;
use crate::text::Edition;
use crate::text::save::{self, ParseError};

/// One line of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RecordLine {
    /// A game begins.
    Game(Box<Header>),
    /// A builder plays an action. Only this kind of line may lack its `type`: most lines are actions, and they are shorter without it.
    Action(Box<PlayedAction>),
    /// A text is typed that is not an action, such as a choice of dice, a request for the board, or an answer that the game refuses.
    Input {
        /// The number of rolls so far.
        turn: u32,
        /// The builder who was asked; `None` once the game is over.
        builder: Option<String>,
        /// The typed text.
        text: String,
    },
    /// The last action is taken back.
    Undo {
        /// The number of rolls so far.
        turn: u32,
        /// The builder whose action it was.
        builder: String,
    },
    /// A builder is played by another player from now on.
    Player(RecordedPlayer),
    /// The game is over.
    Result(RecordedResult),
    /// A new seed: later draws come from a generator with this seed. In format 2 only.
    Seed {
        /// The number of rolls so far.
        turn: u32,
        /// The seed, as a string.
        seed: String,
    },
    /// A person joined or left the table. In format 2 only.
    Seat {
        /// The number of rolls so far.
        turn: u32,
        /// The builder who sits there.
        builder: String,
    },
}

/// The fields that describe a table over the network.
pub type TableFields = serde_json::Map<String, serde_json::Value>;

/// The first line of a game, which describes how the game began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format: [`FORMAT`], or [`JOURNAL_FORMAT`](super::JOURNAL_FORMAT).
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The name of the edition.
    pub edition: String,
    /// The seed of the game, as a string: JSON numbers are not exact beyond 2⁵³.
    pub seed: String,
    /// The number of the game in its simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The layout of the board, in the format of a layout file.
    pub layout: String,
    /// Whether the layout was drawn.
    pub random_layout: bool,
    /// The saved game from which the game began; `None` if it began with the setup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    /// Whether builders could offer trades.
    pub trades: bool,
    /// Whether the text game had its extra commands.
    pub extras: bool,
    /// The players.
    pub players: Vec<RecordedPlayer>,
    /// The number of words that the generator of the seed had drawn when the game began, including those for its layout. In format 2 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<u64>,
    /// The number, in the file, of the game before this one in the same session, from 1. In format 2 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<u64>,
    /// The point where this game branched off from another game of the file. In format 2 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
    /// The time at which the game began, in seconds since 1970, if the full screen keeps it. In format 2 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<u64>,
    /// The description of a table over the network. In format 2 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFields>,
}

/// The point where a game branched off from another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// The number of the other game in the file, from 1; 0 if it is in another file, or was removed.
    pub game: u64,
    /// The number of lines after the header that this game takes over from the other game.
    pub lines: u64,
}

/// The player of a builder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlayer {
    /// The colour of the builder.
    pub builder: String,
    /// The name of the player: `human`, the name of a computer player, or the command of a program.
    pub player: String,
    /// The number of playouts for each decision, for players with such a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u32>,
    /// The milliseconds for each decision, for players with a time limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think_ms: Option<u64>,
}

/// The player name that stands for a person in a record.
pub const HUMAN: &str = "human";

/// Returns the names of the players of a builder, in their order, each once: `human+greedy`.
#[must_use]
pub fn joined_names<'n>(players: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in players {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join("+")
}

/// The numbers of units of resources, by the name of the resource.
pub type ResourceCounts = BTreeMap<String, u32>;

/// An action, with the outcome of chance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedAction {
    /// The number of rolls so far, including this action; 0 in the setup.
    pub turn: u32,
    /// The colour of the builder who decided.
    pub builder: String,
    /// The action as it is typed.
    pub action: String,
    /// The typed text, if it differs from `action`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<String>,
    /// For a roll, the sum of the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<u8>,
    /// The faces of the dice. A roll without faces was made with loaded dice, whose sum was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u8; 2]>,
    /// The units that builders lost on a 7, by colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<BTreeMap<String, ResourceCounts>>,
    /// The unit that was stolen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen: Option<String>,
    /// The builder's points after the action.
    pub points: u32,
    /// The number of words that the generator has drawn up to the end of the action; only some lines state it, as a check. In format 2
    /// only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<u64>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedResult {
    /// The number of rolls.
    pub turn: u32,
    /// The colour of the winner; `None` if a simulation ended the game at its limit of turns.
    pub winner: Option<String>,
    /// The points of all builders, in turn order.
    pub points: [u32; Builder::COUNT],
    /// The time at which the game ended, in seconds since 1970; only games that the full screen keeps have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
}

impl RecordedPlayer {
    /// Makes a player by name.
    ///
    /// `limit` is the budget for each decision, if the player has one.
    #[must_use]
    pub fn new(edition: &Edition, builder: Builder, name: &str, limit: Option<Limit>) -> Self {
        let (playouts, think_ms) = (limit.and_then(Limit::playouts), limit.and_then(Limit::milliseconds));
        Self { builder: edition.colour(builder).to_owned(), player: name.to_owned(), playouts, think_ms }
    }

    /// Returns whether this is a person.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.player == HUMAN
    }

    /// Returns the name of the computer player or program; `None` for a person.
    #[must_use]
    pub fn computer(&self) -> Option<&str> {
        Some(&*self.player).filter(|_| !self.is_human())
    }
}

impl Header {
    /// Makes the header of a game with this layout that begins with a saved game, or else with the setup.
    #[must_use]
    pub fn new(edition: &Edition, seed: u64, layout: &Layout, saved: Option<&SavedGame>, trades: Trades) -> Self {
        Self {
            format: FORMAT,
            program: crate::PROGRAM.to_owned(),
            edition: edition.name.to_owned(),
            seed: seed.to_string(),
            game: None,
            layout: save::write_layout(layout).trim_end().to_owned(),
            random_layout: false,
            saved: saved.map(|saved| save::write_game(edition, saved)),
            trades: trades == Trades::On,
            extras: false,
            players: Builder::ALL.map(|builder| RecordedPlayer::new(edition, builder, HUMAN, None)).to_vec(),
            drawn: None,
            follows: None,
            branch: None,
            begun: None,
            table: None,
        }
    }

    /// Returns the start of the game: its saved game, or its board.
    ///
    /// # Errors
    /// When the layout or the saved game is not valid.
    pub fn start(&self, edition: &Edition) -> Result<SessionStart, ParseError> {
        Ok(match &self.saved {
            Some(saved) => SessionStart::Saved(Box::new(save::read_game(edition, saved.as_bytes())?)),
            None => SessionStart::Board(Box::new(save::read_layout(self.layout.as_bytes())?)),
        })
    }

    /// Returns whether builders could offer trades.
    #[must_use]
    pub const fn trades(&self) -> Trades {
        if self.trades { Trades::On } else { Trades::Off }
    }
}

/// Converts units by name to a hand; `None` if a name or a number is not valid.
pub(super) fn hand(edition: &Edition, units: &ResourceCounts) -> Option<Hand> {
    let mut counts = [0; Resource::COUNT];
    for (name, &count) in units {
        counts[edition.parse_resource(name.as_bytes())?.index()] = Some(count).filter(|&count| count <= Hand::MAX)?;
    }
    Some(Hand::new(counts))
}
