//! The messages of a table to its clients: one JSON object a line.

use serde::{Deserialize, Serialize};

use crate::guide::View;

/// A line of a client's stream.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Message {
    /// A line of the record.
    Record {
        /// The number in the file, from 1. A client that comes back names the last number that it has.
        n: u64,
        /// The line. The header lacks the seed, the position of the generator, and the nonce.
        line: serde_json::Value,
        /// The words of the text game that follow an action.
        #[serde(default)]
        said: String,
    },
    /// The position after a line, as this client sees it.
    View {
        /// The number of the line.
        n: u64,
        /// The seconds that are left for this decision, if there is a clock that runs.
        clock: Option<u64>,
        /// The position.
        view: Box<View>,
    },
    /// The people and computer players at the table.
    Presence {
        /// The four seats, in turn order.
        seats: Vec<SeatPresence>,
        /// The number of those who watch.
        watchers: usize,
        /// Whether the operator has paused the game.
        paused: bool,
    },
    /// Something to tell everybody.
    Notice {
        /// A sentence.
        text: String,
    },
    /// The dice of a game that is over.
    Reveal(Reveal),
    /// The last line of a stream that another connection with the same token has replaced. Such a client does not come back by itself.
    Replaced,
}

/// The data by which the dice of a game can be checked: everybody gets the commitment with the header, the rest once the game is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reveal {
    /// The seed of the dice.
    pub seed: String,
    /// The nonce that hides the seed in the commitment, which is the SHA-256 of seed, space and nonce.
    pub nonce: String,
    /// The number of words that the generator had drawn when the game began.
    pub drawn: u64,
}

/// Whether somebody plays a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatPresence {
    /// The colour of the builder.
    pub builder: String,
    /// The player who decides: `human`, or the name of a computer player.
    pub player: String,
    /// The state of the seat.
    pub state: SeatState,
    /// The seconds after which a computer decides for somebody who is gone.
    pub left: Option<u64>,
}

/// The state of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatState {
    /// A person is here.
    Here,
    /// A person is gone.
    Gone,
    /// Nobody has come yet.
    Awaited,
    /// A computer plays.
    Computer,
}

impl SeatPresence {
    /// Returns the seat as a line for the operator, with its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let state = match (self.state, self.left) {
            (SeatState::Here, _) => "here".to_owned(),
            (SeatState::Gone, None | Some(0)) => "gone; a computer decides".to_owned(),
            (SeatState::Gone, Some(left)) => format!("gone; a computer decides in {left} s"),
            (SeatState::Awaited, _) => "has not come yet".to_owned(),
            (SeatState::Computer, _) => format!("{} plays", self.player),
        };
        format!("{:<9}{state}\n", format!("{}:", self.builder))
    }
}

impl Message {
    /// Returns the message as a line with its end.
    ///
    /// Values of this type can always be written.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The answer to a line of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The status of HTTP.
    #[serde(skip)]
    pub status: u16,
    /// The words of the text game, or why the line was not taken.
    pub text: String,
    /// Whether the line was refused.
    pub refused: bool,
    /// The number of the last line of the record.
    pub n: u64,
}
