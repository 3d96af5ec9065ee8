//! The thread that analyses a whole game.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use constructor_common::files::Files;
use constructor_common::threads::threads_or_cores;

use super::messages::{LoopMessage, spawn};
use crate::analysis::AnalysisOptions;
use crate::app::play::analyses;
use crate::tui::{ReviewRequest, TuiEvent};

/// The number of playouts of each position and of each considered action, as in `analyse`.
const PLAYOUTS: u32 = 500;

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
        let ReviewRequest { version, first, moves, seats, trades, is_kept } = request;
        let threads = threads_or_cores(None);
        let settings = AnalysisOptions { seats, playouts: PLAYOUTS, search: PLAYOUTS, trades, seed: 0, threads };
        let done = AtomicUsize::new(0);
        let progress = || {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            send(LoopMessage::TuiEvent(TuiEvent::ReviewProgress(version, done)));
        };
        let analysis = analyses::analyse(is_kept.then_some(&files), &first, &moves, &settings, &progress);
        send(LoopMessage::TuiEvent(TuiEvent::Reviewed(version, Arc::new(analysis))));
    })
}
