//! What is known of the table over the network at which a game is played.

use crate::analysis::SeatKind;
use crate::game::Builder;
use crate::record::HUMAN;
use crate::table::{Follower, Message, SeatPresence, SeatState};

/// The table over the network at which a game is played.
#[derive(Debug, Default)]
pub struct Remote {
    /// The lines that have come.
    pub follower: Follower,
    /// The builder of this client; `None` if it watches.
    pub you: Option<String>,
    /// The seats, in turn order.
    pub seats: Vec<SeatPresence>,
    /// The number of those who watch.
    pub watchers: usize,
    /// Whether the operator has paused the game.
    pub is_paused: bool,
    /// The number of the last line when a line was sent whose effect has not come.
    pub sent_after: Option<u64>,
    /// The seconds that the last decision began with.
    pub clock: Option<u64>,
    /// Why the connection is lost.
    pub lost: Option<String>,
    /// Whether the connection does not come back.
    pub is_left: bool,
}

impl Remote {
    /// Takes a message before the game is shown. Returns whether the game can be shown.
    ///
    /// # Errors
    /// Why the message cannot follow.
    pub fn take(&mut self, message: Message) -> Result<bool, String> {
        match message {
            Message::Record { n, line, .. } => self.follower.take(n, &line).map(|_| false),
            Message::View { view, clock, .. } => {
                (self.you, self.clock) = (view.you, clock);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Returns the player of a builder.
    #[must_use]
    pub fn player(&self, builder: Builder, colour: &str) -> SeatKind {
        match self.seats.get(builder.index()).map_or(HUMAN, |seat| seat.player.as_str()) {
            HUMAN if self.you.as_deref() == Some(colour) => SeatKind::Human,
            HUMAN => SeatKind::Guest,
            computer => SeatKind::Computer(computer.to_owned()),
        }
    }

    /// Returns who is missing at the table, and what else a player should know, in a few words; empty if there is nothing.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let seat = |seat: &SeatPresence| match seat.state {
            SeatState::Gone => Some(format!("{} is gone", seat.builder)),
            SeatState::Awaited => Some(format!("{} is awaited", seat.builder)),
            SeatState::Here | SeatState::Computer => None,
        };
        let mut notes: Vec<String> = self.seats.iter().filter_map(seat).collect();
        notes.extend(self.clock.map(|seconds| format!("{seconds} s for this decision")));
        notes.extend((self.watchers > 0).then(|| format!("{} watch", self.watchers)));
        notes.extend(self.is_paused.then(|| "paused".to_owned()));
        notes.extend(self.sent_after.map(|_| "sent".to_owned()));
        notes.extend(self.lost.as_ref().map(|reason| format!("connection lost: {reason}")));
        notes
    }

    /// Returns whether somebody plays a builder who is not here: gone, or not come yet.
    #[must_use]
    pub fn is_missing(&self, builder: Builder) -> bool {
        let state = self.seats.get(builder.index()).map(|seat| seat.state);
        matches!(state, Some(SeatState::Gone | SeatState::Awaited))
    }
}
