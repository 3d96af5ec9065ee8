//! The thread that analyses a whole game.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use constructor_common::threads::threads_or_cores;
use parking_lot::Mutex;

use super::messages::{LoopMessage, spawn};
use crate::analysis::{Analysis, AnalysisOptions, analyse};
use crate::tui::{ReviewRequest, TuiEvent};

/// The number of playouts of each position and of each considered action, as in `analyse`.
const PLAYOUTS: u32 = 500;

/// The number of analyses that are kept. Each has two positions for every action.
const KEPT: usize = 8;

/// The analyses of this run, so that a game that is opened again is not analysed again.
#[derive(Clone, Default)]
pub struct Reviews {
    /// The latest analyses, the oldest first.
    done: Arc<Mutex<Vec<Arc<Analysis>>>>,
}

impl Reviews {
    /// Returns the analysis that was made for a request before.
    fn find(&self, request: &ReviewRequest) -> Option<Arc<Analysis>> {
        let is_of = |analysis: &&Arc<Analysis>| {
            let moves = analysis.steps.iter().map(|step| &step.played);
            analysis.seats == request.seats && moves.eq(&request.moves)
        };
        self.done.lock().iter().find(is_of).map(Arc::clone)
    }

    /// Starts the analysis of a game. Its progress and its result are sent; if it was made before, only its result.
    ///
    /// # Errors
    /// When no thread can be spawned.
    pub fn start(&self, request: ReviewRequest, send: impl Fn(LoopMessage) + Send + Sync + 'static) -> io::Result<()> {
        if let Some(analysis) = self.find(&request) {
            send(LoopMessage::TuiEvent(TuiEvent::Reviewed(request.version, analysis)));
            return Ok(());
        }
        let reviews = self.clone();
        spawn("review", send, move |send| {
            let ReviewRequest { version, first, moves, seats, trades } = request;
            let threads = threads_or_cores(None);
            let settings = AnalysisOptions { seats, playouts: PLAYOUTS, search: PLAYOUTS, trades, seed: 0, threads };
            let done = AtomicUsize::new(0);
            let analysis = Arc::new(analyse(&first, &moves, &settings, &|| {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                send(LoopMessage::TuiEvent(TuiEvent::ReviewProgress(version, done)));
            }));
            let mut done = reviews.done.lock();
            done.push(Arc::clone(&analysis));
            if done.len() > KEPT {
                done.remove(0);
            }
            drop(done);
            send(LoopMessage::TuiEvent(TuiEvent::Reviewed(version, analysis)));
        })
    }
}
