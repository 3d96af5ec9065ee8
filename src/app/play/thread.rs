//! The thread of computer players and programs.

use std::sync::mpsc::{Receiver, Sender};

use super::Seats;
use crate::app::bots::ProcessGroups;
use crate::app::options::PlayerChoice;
use crate::game::{Builder, Game};
use crate::players::{PlayerKind, StopSignal};
use crate::session::Decision;
use crate::text::Answered;

/// A request to the thread. The thread carries out its requests in the sequence in which they are sent.
#[derive(Debug)]
pub enum ThreadRequest {
    /// These players play on from this position. The text is what the game has printed before.
    Begin(Box<Seats>, Box<Game>, Vec<u8>),
    /// A decision is due. If a computer player or a program has to make it, the thread sends the answer with this number.
    Decide(u64, Box<Decision>),
    /// An answer was given.
    Tell(Box<Answered>),
    /// Another player takes over a builder.
    Seat(Builder, PlayerChoice),
    /// The game ends. Programs are given a moment to exit.
    End(Sender<()>),
}

/// A message of the thread.
#[derive(Debug)]
pub enum Said {
    /// The answer to the decision with this number; `None` if a person has to answer.
    Answer(u64, Option<String>),
    /// A program cannot be started.
    Failed(String),
}

/// Carries out requests until the channel is closed.
pub fn run_players(orders: Receiver<ThreadRequest>, groups: &ProcessGroups, stop: &StopSignal, say: impl Fn(Said)) {
    let mut seats: Option<Box<Seats>> = None;
    for order in orders {
        match (order, &mut seats) {
            (ThreadRequest::Begin(new, game, text), _) => {
                let seats = seats.insert(new);
                if let Err(error) = seats.start_programs(groups) {
                    say(Said::Failed(format!("{error}: a greedy player takes over")));
                    seats.replace_programs_not_started();
                }
                seats.begin(&game, &text);
            }
            (ThreadRequest::Decide(number, decision), Some(seats)) => {
                seats.notify_bots(&decision);
                if seats.is_for_computer(&decision) {
                    stop.reset();
                    say(Said::Answer(number, seats.answer(&decision)));
                }
            }
            (ThreadRequest::Tell(answered), Some(seats)) => seats.tell(&answered),
            (ThreadRequest::Seat(builder, player), Some(seats)) => match player {
                PlayerChoice::Computer(kind) => seats.seat_computer(builder, kind),
                PlayerChoice::Program(_) => seats.seat_computer(builder, PlayerKind::Greedy),
                PlayerChoice::Human => seats.seat_human(builder),
            },
            (ThreadRequest::End(done), seats) => {
                if let Some(seats) = seats {
                    seats.end();
                }
                *seats = None;
                let _ = done.send(());
            }
            (_, None) => {}
        }
    }
}
