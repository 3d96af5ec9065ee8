//! The thread of computer players and programs.

use std::sync::mpsc::{self, Sender};

use super::Message;
use crate::app::bots::{Answered, ProcessGroups};
use crate::app::seats::Seats;
use crate::game::{Builder, Game};
use crate::players::{PlayerKind, StopSignal};
use crate::session::Decision;
use crate::tui::{Event, Seat, Told};

/// An order for the thread, in the order in which they are sent.
pub enum Order {
    /// Others play from now on, from this position; the game has printed this text.
    Begin(Box<Seats>, Box<Game>, Vec<u8>),
    /// A decision is made: by one of these players, it is to be answered with this number.
    Decide(u64, Box<Decision>),
    /// An answer was given.
    Tell(Box<Told>),
    /// Somebody else plays a builder.
    Seat(Builder, Seat),
    /// The game ends. Programs are given a moment to exit.
    End(Sender<()>),
}

/// An answer on the screen, as programs and records are told of it.
pub fn answered(told: &Told) -> Answered<'_> {
    Answered {
        decision: &told.decision,
        game: &told.game,
        typed: &told.typed,
        text: &told.text,
        events: &told.events,
        is_refused: told.is_refused,
        has_effect: told.has_effect,
        is_undo: told.is_undo,
        played: told.played,
        faces: told.faces,
    }
}

/// Starts the thread. It sends answers by `send`.
///
/// # Errors
/// When no thread can be spawned.
pub fn start(
    groups: ProcessGroups,
    stop: StopSignal,
    send: impl Fn(Message) + Send + 'static,
) -> std::io::Result<Sender<Order>> {
    let (orders, inbox) = mpsc::channel();
    super::spawn("players", send, move |send| {
        let mut seats: Option<Box<Seats>> = None;
        for order in inbox {
            match (order, &mut seats) {
                (Order::Begin(new, game, text), _) => {
                    let seats = seats.insert(new);
                    if let Err(error) = seats.start_programs(&groups) {
                        send(Message::Event(Event::Written(Err(format!("{error}: a greedy player takes over")))));
                        seats.replace_programs_not_started();
                    }
                    seats.begin(&game, &text);
                }
                (Order::Decide(number, decision), Some(seats)) => {
                    seats.notify_bots(&decision);
                    if seats.is_for_computer(&decision) {
                        stop.reset();
                        let answer = seats.answer(&decision);
                        send(Message::Event(Event::Answer(number, answer)));
                    }
                }
                (Order::Tell(told), Some(seats)) => seats.tell(&answered(&told)),
                (Order::Seat(builder, seat), Some(seats)) => match seat {
                    Seat::Human => seats.seat_human(builder),
                    Seat::Computer(name) => {
                        seats.seat_computer(builder, PlayerKind::by_name(&name).unwrap_or(PlayerKind::Greedy));
                    }
                },
                (Order::End(done), seats) => {
                    if let Some(seats) = seats {
                        seats.end();
                    }
                    *seats = None;
                    let _ = done.send(());
                }
                (_, None) => {}
            }
        }
    })?;
    Ok(orders)
}
