//! The thread that analyses a whole game.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use constructor_common::files::Files;
use constructor_common::threads::threads_or_cores;
use parking_lot::Mutex;

use super::messages::{LoopMessage, spawn};
use crate::analysis::{AnalysisOptions, Chances, stored_name};
use crate::app::play::analyses;
use crate::tui::tutorial;
use crate::tui::{ReviewProgress, ReviewRequest, TuiEvent};

/// The number of playouts of each position and of each considered action, as in `analyse`.
const PLAYOUTS: u32 = 500;

/// The time after which the rest can be estimated.
const TYPICAL: Duration = Duration::from_secs(3);

/// The analyses that are being made, each with the name under which it would be stored, and with the version of the timeline that waits for
/// it; `None` once it is done.
#[derive(Default)]
pub struct Reviews {
    running: Vec<(String, Arc<Mutex<Option<u64>>>)>,
    /// Whether the player was asked whether they may be stopped.
    is_asked: bool,
}

impl Reviews {
    /// Starts the analysis of a game, or joins the one that is being made.
    ///
    /// Sends the progress and the result to the last request for it.
    ///
    /// # Errors
    /// When no thread can be spawned.
    pub fn start(
        &mut self,
        request: ReviewRequest,
        files: Files,
        send: impl Fn(LoopMessage) + Send + Sync + 'static,
    ) -> io::Result<()> {
        let ReviewRequest { version, first, moves, seats, trades, origin_end, is_kept, is_tutorial } = request;
        let taught_until = is_tutorial.then_some(tutorial::LAST_TURN);
        let threads = threads_or_cores(None);
        let settings = AnalysisOptions {
            seats,
            playouts: PLAYOUTS,
            search: PLAYOUTS,
            origin_end,
            taught_until,
            trades,
            seed: 0,
            threads,
        };
        let name = stored_name(&first, &moves, &settings);
        self.running.retain(|(_, waiting)| waiting.lock().is_some());
        for (_, waiting) in self.running.iter().filter(|(other, _)| *other == name) {
            if let Some(waiting) = &mut *waiting.lock() {
                *waiting = version;
                return Ok(());
            }
        }
        let waiting = Arc::new(Mutex::new(Some(version)));
        self.running.push((name, Arc::clone(&waiting)));
        let spawned = spawn("review", send, move |send| {
            let (all, begun) = (Mutex::new(vec![None; moves.len() + 1]), Instant::now());
            let progress = |number: usize, chances: &Chances| {
                let mut all = all.lock();
                all[number] = Some(*chances);
                let done = all.iter().flatten().count();
                let seconds_left = seconds_left(begun.elapsed(), done, all.len());
                let chances = all.iter().map_while(|chances| *chances).collect();
                let version = waiting.lock().unwrap_or(version);
                let progress = ReviewProgress { done, seconds_left, chances };
                send(LoopMessage::TuiEvent(TuiEvent::ReviewProgress(version, progress)));
            };
            let analysis = analyses::analyse(&files, is_kept, (&first, &moves), &settings, &progress);
            let version = waiting.lock().take().unwrap_or(version);
            send(LoopMessage::TuiEvent(TuiEvent::Reviewed(version, Arc::new(analysis))));
        });
        self.is_asked = false;
        spawned.inspect_err(|_| drop(self.running.pop()))
    }

    /// Returns whether the player has to confirm that the program ends, since an analysis is being made. Asks once for each analysis.
    pub fn needs_confirmation(&mut self) -> bool {
        let is_running = self.running.iter().any(|(_, waiting)| waiting.lock().is_some());
        is_running && !std::mem::replace(&mut self.is_asked, true)
    }
}

/// Returns how many seconds the rest of the positions takes, if the first ones are typical; `None` until enough are done.
fn seconds_left(elapsed: Duration, done: usize, all: usize) -> Option<u64> {
    let rest = elapsed.as_millis() * all.saturating_sub(done) as u128 / done.max(1) as u128;
    u64::try_from(rest.div_ceil(1_000)).ok().filter(|_| elapsed >= TYPICAL)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::analysis::{SeatHistory, SeatKind};
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{Builder, Game, Rules, Trades};
    use crate::rng;

    /// A running analysis answers the last request for it.
    #[test]
    fn analysis_goes_on_for_whoever_asks_again() {
        const PATIENCE: Duration = Duration::from_mins(1);
        let first = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(1)));
        let seats = SeatHistory::new([(); Builder::COUNT].map(|()| SeatKind::Human));
        let (results, inbox) = mpsc::channel();
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        // Nothing is sent before the gate opens, so that the second request comes while the analysis is made.
        let send = move |message| {
            let _ = gate.lock().recv_timeout(PATIENCE);
            let _ = results.send(message);
        };
        let request = |version| ReviewRequest {
            version,
            first,
            moves: Vec::new(),
            trades: Trades::On,
            seats: seats.clone(),
            origin_end: String::new(),
            is_kept: false,
            is_tutorial: false,
        };
        let mut reviews = Reviews::default();
        reviews.start(request(1), Files::default(), send).unwrap();
        reviews.start(request(2), Files::default(), |_| panic!("a second analysis")).unwrap();
        drop(open);
        let versions: Vec<u64> = std::iter::from_fn(|| inbox.recv_timeout(PATIENCE).ok())
            .filter_map(|message| match message {
                LoopMessage::TuiEvent(TuiEvent::Reviewed(version, _)) => Some(version),
                _ => None,
            })
            .collect();
        assert_eq!(versions, [2]);
    }
}
