//! What happens to a table, and what it asks for.

use std::sync::Arc;

use super::message::Reply;
use super::seat::{ClientId, Computer};
use crate::game::Builder;
use crate::players::PlayerKind;
use crate::record::RecordedPlayer;
use crate::session::Decision;
use crate::text::Answered;

/// Something that happens to the table.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// A client opens a stream: of a seat, or to watch. It has all lines up to number `after`.
    Joined {
        /// The client.
        client: ClientId,
        /// The seat; `None` if the client watches.
        seat: Option<Builder>,
        /// The number of the last line that it has.
        after: u64,
    },
    /// A stream has ended.
    Gone(ClientId),
    /// A client with the token of a seat sends a line. A blank line only says that the client is still there.
    Line {
        /// The number by which the line is answered.
        request: u64,
        /// The seat.
        seat: Builder,
        /// The number of the last line of the record that the client has, if it says so: then the line is only taken at that position.
        after: Option<u64>,
        /// The line.
        text: &'a [u8],
    },
    /// The answer to the question with this number, and the computer player who gave it.
    Chosen(u64, Option<String>, RecordedPlayer),
    /// The operator gives a seat to a person (`None`) or to a computer player.
    Give(Builder, Option<PlayerKind>),
    /// The operator has made a new link of a seat: the old one is void.
    Revoked(Builder),
    /// The operator pauses the game, or lets it go on.
    Pause,
    /// Everything that was to be appended is on the disk.
    Written,
    /// Nothing more of it is on the disk, for this reason.
    Failed(String),
    /// Time has passed.
    Time,
}

/// Something that has to be done for the table.
#[derive(Clone, Debug)]
pub enum Output {
    /// Append these lines to the record, and sync it.
    Append(String),
    /// Send lines to a client.
    Send(ClientId, Arc<str>),
    /// End a client's stream.
    Close(ClientId),
    /// Answer a request.
    Reply(u64, Reply),
    /// Let a computer player decide.
    Ask(u64, Box<Decision>, Computer),
    /// Report an answer to the programs that play.
    Tell(Box<Answered>),
    /// Show a decision of a person to the computer players.
    Show(Box<Decision>),
    /// Tell the operator.
    Say(String),
}
