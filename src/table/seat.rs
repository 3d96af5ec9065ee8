//! A seat of a table: who plays it, who is there, and how much time is left.

use super::message::{SeatPresence, SeatState};
use crate::players::PlayerKind;
use crate::record::HUMAN;

/// Milliseconds since a moment that the caller chooses.
pub type Millis = u64;

/// The number of lines that a seat may send at once, and in each second.
const LINES_PER_SECOND: u64 = 20;

/// A client, by a number that the caller chooses.
pub type ClientId = u64;

/// A player who needs no connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computer {
    /// The computer player or program that the table began with.
    Original,
    /// A computer player of this kind.
    Kind(PlayerKind),
}

/// A seat.
#[derive(Clone, Default, Debug)]
pub(super) struct Seat {
    /// The computer player that plays it; `None` if a person does, or a computer while the person is gone.
    pub computer: Option<Computer>,
    /// The client with the seat's token.
    pub client: Option<ClientId>,
    /// The time of the client's last word.
    pub last_word: Millis,
    /// Whether a person has ever come.
    pub has_come: bool,
    /// The time until a computer decides for a person who is gone.
    pub grace_left: Millis,
    /// The time at which lines would be allowed at full rate again, in milliseconds times the rate.
    pub busy_until: u64,
    /// Whether a computer player decides for its person since the person's last decision.
    pub is_played: bool,
    /// The number of actions at the builder's last action but a roll.
    pub seen: usize,
}

impl Seat {
    /// Returns whether a person plays the seat and is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.state() == SeatState::Gone
    }

    pub(super) fn state(&self) -> SeatState {
        match (self.computer, self.client) {
            (Some(_), _) => SeatState::Computer,
            (None, Some(_)) => SeatState::Here,
            (None, None) if self.has_come => SeatState::Gone,
            (None, None) => SeatState::Awaited,
        }
    }

    /// Returns the seat as everybody sees it. `original` is the player that the table began with.
    pub(super) fn presence(&self, builder: &str, original: &str) -> SeatPresence {
        let player = match self.computer {
            None => HUMAN,
            Some(Computer::Original) => original,
            Some(Computer::Kind(kind)) => kind.name(),
        };
        SeatPresence {
            builder: builder.to_owned(),
            player: player.to_owned(),
            state: self.state(),
            left: self.is_gone().then(|| self.grace_left.div_ceil(1_000)),
        }
    }

    /// Counts a line. Returns whether the seat may send it now.
    pub(super) fn may_send(&mut self, now: Millis) -> bool {
        let now = now * LINES_PER_SECOND;
        let busy = self.busy_until.max(now) + 1000;
        let may = busy <= now + 1000 * LINES_PER_SECOND;
        if may {
            self.busy_until = busy;
        }
        may
    }
}
