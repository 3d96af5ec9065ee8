//! The thread that analyses a whole game.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use constructor_common::files::Files;
use constructor_common::threads::threads_or_cores;

use super::messages::{LoopMessage, spawn};
use crate::analysis::AnalysisOptions;
use crate::app::play::analyses;
use crate::tui::tutorial;
use crate::tui::{ReviewProgress, ReviewRequest, TuiEvent};

/// The number of playouts of each position and of each considered action, as in `analyse`.
const PLAYOUTS: u32 = 500;

/// The time after which the rest can be estimated.
const TYPICAL: Duration = Duration::from_secs(3);

/// Starts the analysis of a game. Its progress and its result are sent.
///
/// # Errors
/// When no thread can be spawned.
pub fn start(
    request: ReviewRequest,
    files: Files,
    send: impl Fn(LoopMessage) + Send + Sync + 'static,
) -> io::Result<()> {
    spawn("review", send, move |send| {
        let ReviewRequest { version, first, moves, seats, trades, is_kept, is_tutorial } = request;
        let taught_until = is_tutorial.then_some(tutorial::LAST_TURN);
        let threads = threads_or_cores(None);
        let settings =
            AnalysisOptions { seats, playouts: PLAYOUTS, search: PLAYOUTS, taught_until, trades, seed: 0, threads };
        let (done, begun) = (AtomicUsize::new(0), Instant::now());
        let progress = || {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let seconds_left = seconds_left(begun.elapsed(), done, moves.len() + 1);
            send(LoopMessage::TuiEvent(TuiEvent::ReviewProgress(version, ReviewProgress { done, seconds_left })));
        };
        let analysis = analyses::analyse(&files, is_kept, (&first, &moves), &settings, &progress);
        send(LoopMessage::TuiEvent(TuiEvent::Reviewed(version, Arc::new(analysis))));
    })
}

/// Returns how many seconds the rest of the positions takes, if the first ones are typical; `None` until enough are done.
fn seconds_left(elapsed: Duration, done: usize, all: usize) -> Option<u64> {
    let rest = elapsed.as_millis() * all.saturating_sub(done) as u128 / done.max(1) as u128;
    u64::try_from(rest.div_ceil(1_000)).ok().filter(|_| elapsed >= TYPICAL)
}
