//! The thread that analyses a whole game.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use constructor_common::threads::threads_or_cores;

use super::messages::{LoopMessage, spawn};
use crate::analysis::{AnalysisOptions, analyse};
use crate::tui::{ReviewRequest, TuiEvent};

/// The number of playouts of each position and of the search for each decision, as in `analyse`.
const PLAYOUTS: u32 = 500;

/// Starts the analysis of a game. Its progress and its result are sent.
///
/// # Errors
/// When no thread can be spawned.
pub fn start(request: ReviewRequest, send: impl Fn(LoopMessage) + Send + Sync + 'static) -> io::Result<()> {
    spawn("review", send, move |send| {
        let ReviewRequest { version, first, moves, players, trades } = request;
        // One core is left for the screen.
        let threads = NonZeroUsize::new(threads_or_cores(None).get() - 1).unwrap_or(NonZeroUsize::MIN);
        let settings = AnalysisOptions { players, playouts: PLAYOUTS, search: PLAYOUTS, trades, seed: 0, threads };
        let done = AtomicUsize::new(0);
        let analysis = analyse(&first, &moves, settings, &|| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            send(LoopMessage::TuiEvent(TuiEvent::ReviewProgress(version, done)));
        });
        send(LoopMessage::TuiEvent(TuiEvent::Reviewed(version, Box::new(analysis))));
    })
}
