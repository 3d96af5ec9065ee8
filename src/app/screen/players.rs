//! The thread of computer players and programs.

use std::io;
use std::sync::mpsc::Receiver;

use super::messages::{LoopMessage, spawn};
use crate::app::bots::ProcessGroups;
use crate::app::play::{DecisionStop, Said, ThreadRequest, run_players};
use crate::tui::TuiEvent;

/// Starts the thread.
///
/// # Errors
/// When no thread can be spawned.
pub fn start(
    orders: Receiver<ThreadRequest>,
    groups: &ProcessGroups,
    stop: &DecisionStop,
    send: impl Fn(LoopMessage) + Send + 'static,
) -> io::Result<()> {
    let (groups, stop) = (groups.clone(), stop.clone());
    spawn("players", send, move |send| {
        run_players(orders, &groups, &stop, |said| {
            send(LoopMessage::TuiEvent(match said {
                Said::Answer(number, answer, _) => TuiEvent::Answer(number, answer),
                Said::Failed(error) => TuiEvent::Written(Err(error)),
            }));
        });
    })
}
