//! The thread of computer players and programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use super::Seats;
use crate::app::bots::ProcessGroups;
use crate::app::options::PlayerChoice;
use crate::game::{Builder, Game};
use crate::players::{PlayerKind, StopSignal};
use crate::record::RecordedPlayer;
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
    /// The answer to the decision with this number; `None` if a person has to answer. The player is the one who gave it.
    Answer(u64, Option<String>, RecordedPlayer),
    /// A program cannot be started.
    Failed(String),
}

/// Cuts decisions short. A stop holds for the decisions that were requested before it, also for one that has not begun yet.
#[derive(Clone, Debug)]
pub struct DecisionStop {
    signal: StopSignal,
    requested: Arc<AtomicU64>,
    /// The number of decisions that had been requested at the last stop.
    stopped: Arc<AtomicU64>,
}

impl DecisionStop {
    /// Makes a stop of players who share a signal.
    #[must_use]
    pub fn new(signal: StopSignal) -> Self {
        Self { signal, requested: Arc::default(), stopped: Arc::default() }
    }

    /// Counts a decision that is about to be requested.
    pub fn count(&self) {
        self.requested.fetch_add(1, Ordering::SeqCst);
    }

    /// Cuts all decisions short that were requested.
    pub fn stop(&self) {
        self.stopped.store(self.requested.load(Ordering::SeqCst), Ordering::SeqCst);
        self.signal.stop();
    }

    /// Begins the decision with this number. Decisions are counted from 1.
    fn begin(&self, number: u64) {
        self.signal.reset();
        if self.stopped.load(Ordering::SeqCst) >= number {
            self.signal.stop();
        }
    }
}

/// Carries out requests until the channel is closed.
pub fn run_players(orders: Receiver<ThreadRequest>, groups: &ProcessGroups, stop: &DecisionStop, say: impl Fn(Said)) {
    let mut seats: Option<Box<Seats>> = None;
    let mut decisions = 0;
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
                decisions += 1;
                seats.notify_bots(&decision);
                if let Some(builder) = decision.pending.builder().filter(|_| seats.is_for_computer(&decision)) {
                    stop.begin(decisions);
                    let answer = seats.answer(&decision);
                    say(Said::Answer(number, answer, seats.players()[builder.index()].clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_holds_for_a_decision_that_was_requested_and_for_no_later_one() {
        let stop = DecisionStop::new(StopSignal::default());
        stop.count();
        stop.stop();
        stop.begin(1);
        assert!(stop.signal.is_stopped());
        stop.count();
        stop.begin(2);
        assert!(!stop.signal.is_stopped());
    }
}
