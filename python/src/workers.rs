//! The threads that share the work of a step.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use constructor::batch::Step;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The number of parts of a step for each thread. A thread that has nothing left to do takes parts of the others.
const PARTS: usize = 4;

/// The number of times that a thread, before it sleeps, checks whether the other threads have finished. This takes some hundred
/// microseconds.
const SPINS: u32 = 10_000;

/// The share of the time that may be lost by trying the other way of doing a step.
const LOSS: u32 = 20;

/// The threads of an environment, in this process: the caller's and helpers.
///
/// On a busy machine, waiting for helpers can take longer than they save. So both ways are measured, and the faster one is taken.
pub struct Workers {
    pub threads: usize,
    helpers: Option<ThreadPool>,
    process: u32,
    /// Moving averages of the time of a step, alone and with helpers.
    times: [Option<Duration>; 2],
    /// When the slower way is tried again.
    trial: Instant,
}

impl Workers {
    /// Starts the helpers.
    pub fn new(threads: usize) -> PyResult<Self> {
        let helpers = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads - 1).build()).transpose();
        let helpers = helpers.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { threads, helpers, process: std::process::id(), times: [None; 2], trial: Instant::now() })
    }

    /// Starts the helpers anew after a fork, which leaves none.
    pub fn check(&mut self) -> PyResult<()> {
        if self.helpers.is_some() && self.process != std::process::id() {
            // The pool of the parent has no threads here, so nothing must wait for them.
            std::mem::forget(self.helpers.take());
            *self = Self::new(self.threads)?;
        }
        Ok(())
    }

    /// Does the work of a step, with helpers if that is faster, or if it `is_slow`.
    pub fn run(&mut self, step: Step<'_>, is_slow: bool) {
        let Some(helpers) = &self.helpers else { return step.run() };
        let [alone, helped] = self.times;
        let (begun, is_faster) = (Instant::now(), is_slow || alone.is_none_or(|alone| helped < Some(alone)));
        let is_trial = !is_slow && helped.is_some() && begun >= self.trial;
        let with_helpers = is_faster != is_trial;
        if with_helpers {
            share(helpers, step, self.threads);
        } else {
            step.run();
        }
        let (spent, time) = (begun.elapsed(), &mut self.times[usize::from(with_helpers)]);
        *time = Some(time.map_or(spent, |time| (3 * time + spent) / 4));
        if is_trial && let [Some(alone), Some(helped)] = self.times {
            self.trial = begun + LOSS * alone.abs_diff(helped).max(spent / LOSS);
        }
    }
}

/// Does the work together with the helpers.
fn share(helpers: &ThreadPool, step: Step<'_>, threads: usize) {
    let mut parts = Vec::new();
    cut(step, PARTS * threads, &mut parts);
    let left = AtomicUsize::new(threads);
    let work = |thread: usize| {
        // Its own parts first: these slots are in its processor's cache.
        let (before, own) = parts.split_at((PARTS * thread).min(parts.len()));
        for part in own.iter().chain(before) {
            let taken = part.lock().unwrap_or_else(PoisonError::into_inner).take();
            taken.into_iter().for_each(Step::run);
        }
        left.fetch_sub(1, Ordering::Release);
    };
    helpers.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, context| work(context.index() + 1));
        work(0);
        // The others end soon, unless their games take long: sleeping and waking up would take longer.
        for _ in 0..SPINS {
            if left.load(Ordering::Acquire) == 0 {
                break;
            }
            std::hint::spin_loop();
        }
    });
}

/// Cuts the work into parts of about equal size.
fn cut<'a>(step: Step<'a>, count: usize, parts: &mut Vec<Mutex<Option<Step<'a>>>>) {
    if count == 1 || step.len() < 2 {
        return parts.push(Mutex::new(Some(step)));
    }
    let (first, second) = step.split();
    cut(first, count / 2, parts);
    cut(second, count - count / 2, parts);
}
