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

/// The player of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// A person, or a computer player while the person is gone.
    Person,
    /// A computer player or a program.
    Computer(Computer),
}

/// A player who needs no connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computer {
    /// The computer player or program that the table began with.
    Original,
    /// A computer player of this kind.
    Kind(PlayerKind),
}

/// A seat.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub occupant: Occupant,
    /// The client with the seat's token.
    pub client: Option<ClientId>,
    /// The time of the client's last word.
    pub last_word: Millis,
    /// Whether a person has ever come.
    pub has_come: bool,
    /// The time until a computer decides for a person who is gone.
    pub grace_left: Millis,
    /// The time at which lines would be allowed at full rate again, in milliseconds times the rate.
    busy_until: u64,
    /// Whether a computer player decides for its person since the person's last decision.
    pub is_played: bool,
    /// The number of actions at the builder's last action but a roll.
    pub seen: usize,
}

impl Seat {
    pub(super) const fn new(occupant: Occupant, grace: Millis) -> Self {
        Self {
            occupant,
            client: None,
            last_word: 0,
            has_come: false,
            grace_left: grace,
            busy_until: 0,
            is_played: false,
            seen: 0,
        }
    }

    /// Returns whether a person plays the seat and is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.state() == SeatState::Gone
    }

    pub(super) fn state(&self) -> SeatState {
        match (self.occupant, self.client) {
            (Occupant::Computer(_), _) => SeatState::Computer,
            (Occupant::Person, Some(_)) => SeatState::Here,
            (Occupant::Person, None) if self.has_come => SeatState::Gone,
            (Occupant::Person, None) => SeatState::Awaited,
        }
    }

    /// Returns the seat as everybody sees it. `original` is the player that the table began with.
    pub(super) fn presence(&self, builder: &str, original: &str) -> SeatPresence {
        let player = match self.occupant {
            Occupant::Person => HUMAN,
            Occupant::Computer(Computer::Original) => original,
            Occupant::Computer(Computer::Kind(kind)) => kind.name(),
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
