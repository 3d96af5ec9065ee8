//! The thread that estimates chances and hints. A new request replaces the previous request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::messages::{LoopMessage, spawn};
use crate::guide::{ADVICE_PLAYOUTS, Advice, TableChances};
use crate::players::StopSignal;
use crate::tui::{EstimateRequest, TuiEvent, WinEstimate};

/// The number of playouts after which the chances are good enough: their standard error is then at most 0.5 %.
const CHANCE_PLAYOUTS: u32 = 10_000;

/// The number of playouts between two readings of the clock while chances are estimated.
const SLICE: u32 = 5;

/// The minimum time between two estimates that are shown.
const INTERVAL: Duration = Duration::from_millis(100);

/// The sender of orders to the thread.
#[derive(Clone, Default)]
pub struct AnalysisWorker(Arc<Queue>);

#[derive(Default)]
struct Queue {
    next: Mutex<Option<EstimateRequest>>,
    arrived: Condvar,
    /// Interrupts the analysis.
    stop: StopSignal,
}

impl AnalysisWorker {
    /// Starts the thread.
    ///
    /// It sends its results by `send`.
    ///
    /// # Errors
    /// When no thread can be spawned.
    pub fn start(send: impl Fn(LoopMessage) + Send + 'static) -> std::io::Result<Self> {
        let analyst = Self::default();
        let orders = Arc::clone(&analyst.0);
        spawn("analysis", send, move |send| {
            loop {
                let analysis = orders.wait();
                orders.analyse(&analysis, send);
            }
        })?;
        Ok(analyst)
    }

    /// Requests an analysis, which replaces the previous analysis.
    pub fn submit(&self, analysis: EstimateRequest) {
        let mut next = self.0.next.lock();
        *next = Some(analysis);
        self.0.stop.stop();
        self.0.arrived.notify_one();
    }
}

impl Queue {
    fn wait(&self) -> EstimateRequest {
        let mut next = self.next.lock();
        loop {
            if let Some(analysis) = next.take() {
                self.stop.reset();
                return analysis;
            }
            self.arrived.wait(&mut next);
        }
    }

    fn analyse(&self, analysis: &EstimateRequest, send: &impl Fn(LoopMessage)) {
        let (number, trades) = (analysis.number, analysis.trades);
        let mut chances = TableChances::new(*analysis.game, analysis.players, trades, number);
        let mut hints = analysis.hints.then(|| Advice::new(&analysis.game, trades, &analysis.refused));
        let mut shown = Instant::now();
        while !self.stop.is_stopped() {
            let has_chances = !analysis.chances || chances.playouts() >= CHANCE_PLAYOUTS;
            if !has_chances {
                chances.add_playouts(SLICE);
            }
            let has_hints = hints.as_ref().is_none_or(|hints| hints.playouts() >= ADVICE_PLAYOUTS);
            if let Some(hints) = hints.as_mut().filter(|_| !has_hints) {
                hints.add_playout_of_each();
            }
            if !(has_chances && has_hints) && shown.elapsed() < INTERVAL {
                continue;
            }
            shown = Instant::now();
            if let Some(by_builder) = chances.estimate() {
                let chances = WinEstimate { by_builder, playouts: chances.playouts() };
                send(LoopMessage::TuiEvent(TuiEvent::WinEstimate(number, chances)));
            }
            if let Some(hints) = &hints {
                send(LoopMessage::TuiEvent(TuiEvent::Hints(number, hints.best())));
            }
            if has_chances && has_hints {
                return;
            }
        }
    }
}
