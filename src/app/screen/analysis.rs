//! The thread that estimates chances and hints. A new request replaces the previous request.

use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use super::messages::{LoopMessage, spawn};
use crate::guide::{ADVICE_PLAYOUTS, Advice, TableChances};
use crate::tui::{EstimateRequest, TuiEvent, WinEstimate};

/// The number of playouts after which the chances are good enough: their standard error is then at most 0.5 %.
const CHANCE_PLAYOUTS: u32 = 10_000;

/// The number of playouts from which on the chances are shown after a newer request has come; their standard error is then at most 5 %.
const LEAST_PLAYOUTS: u32 = 100;

/// The number of playouts between two readings of the clock while chances are estimated.
const SLICE: u32 = 5;

/// The minimum time between two estimates that are shown.
const INTERVAL: Duration = Duration::from_millis(100);

/// Starts the thread. It sends its results by `send`.
///
/// # Errors
/// When no thread can be spawned.
pub fn start(send: impl Fn(LoopMessage) + Send + 'static) -> std::io::Result<Sender<EstimateRequest>> {
    let (requests, inbox) = mpsc::channel();
    spawn("analysis", send, move |send| {
        let mut next = None;
        while let Some(request) = next.take().or_else(|| inbox.recv().ok()) {
            next = analyse(&request, &inbox, send);
        }
    })?;
    Ok(requests)
}

/// Estimates until it is good enough, or until a newer request comes, which is returned.
fn analyse(
    analysis: &EstimateRequest,
    inbox: &Receiver<EstimateRequest>,
    send: &impl Fn(LoopMessage),
) -> Option<EstimateRequest> {
    let (number, trades) = (analysis.number, analysis.trades);
    let chances = TableChances::new(*analysis.game, analysis.players, trades, number);
    let mut chances = chances.with_answered(&analysis.answered);
    let mut hints = analysis.hints.then(|| Advice::new(&analysis.game, analysis.players, trades, &analysis.answered));
    let mut shown = Instant::now();
    let send_chances = |chances: &TableChances| {
        if let Some(by_builder) = chances.estimate() {
            let estimate = WinEstimate { by_builder, playouts: chances.playouts() };
            send(LoopMessage::TuiEvent(TuiEvent::WinEstimate(number, estimate)));
        }
    };
    loop {
        if let Some(newer) = inbox.try_iter().last() {
            // Where positions follow one another fast, none has time for more.
            if analysis.chances && chances.playouts() >= LEAST_PLAYOUTS {
                send_chances(&chances);
            }
            return Some(newer);
        }
        let has_chances = !analysis.chances || chances.playouts() >= CHANCE_PLAYOUTS;
        if !has_chances {
            chances.add_playouts(SLICE);
        }
        if let Some(advice) = &mut hints {
            advice.add_playout_of_best(ADVICE_PLAYOUTS);
            // Advice is not shown while it changes.
            if advice.playouts() >= ADVICE_PLAYOUTS {
                send(LoopMessage::TuiEvent(TuiEvent::Hints(number, advice.ranked())));
                hints = None;
            }
        }
        let is_done = has_chances && hints.is_none();
        if !is_done && shown.elapsed() < INTERVAL {
            continue;
        }
        shown = Instant::now();
        if let Some(advice) = &hints {
            let percent = 100 * advice.playouts() / ADVICE_PLAYOUTS;
            send(LoopMessage::TuiEvent(TuiEvent::HintsProgress(number, percent)));
        }
        send_chances(&chances);
        if is_done {
            return None;
        }
    }
}
