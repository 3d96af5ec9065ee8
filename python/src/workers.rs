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

/// The time for which the faster way of doing steps is taken, and for which the other one is tried in between.
const FASTER: Duration = Duration::from_millis(200);
const TRIAL: Duration = Duration::from_millis(20);

/// The threads of an environment, in this process: the caller's and helpers.
///
/// On a busy machine, waiting for helpers can take longer than they save. So both ways are measured, and the faster one is taken.
pub struct Workers {
    pub threads: usize,
    helpers: Option<ThreadPool>,
    process: u32,
    /// Whether the helpers are asked now, and whether that is a trial.
    with_helpers: bool,
    is_trial: bool,
    /// The time and the number of steps since this was decided, and those of the first half, in which sleeping processors wake up.
    all: (Duration, u32),
    first_half: Option<(Duration, u32)>,
    /// The seconds of a step, alone and with helpers, as they were measured last.
    seconds: [Option<f64>; 2],
}

impl Workers {
    /// Starts the helpers.
    pub fn new(threads: usize) -> PyResult<Self> {
        let helpers = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads - 1).build()).transpose();
        let helpers = helpers.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self {
            threads,
            helpers,
            process: std::process::id(),
            with_helpers: true,
            is_trial: true,
            all: (Duration::ZERO, 0),
            first_half: None,
            seconds: [None; 2],
        })
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
        if is_slow {
            return share(helpers, step, self.threads);
        }
        let begun = Instant::now();
        if self.with_helpers {
            share(helpers, step, self.threads);
        } else {
            step.run();
        }
        self.all = (self.all.0 + begun.elapsed(), self.all.1 + 1);
        let length = if self.is_trial { TRIAL } else { FASTER };
        match self.first_half {
            None if self.all.0 >= length / 2 => self.first_half = Some(self.all),
            Some((time, steps)) if self.all.0 >= length => {
                self.decide(self.all.0.saturating_sub(time).as_secs_f64() / f64::from(self.all.1 - steps));
            }
            _ => {}
        }
    }

    /// Decides whether the next steps are done with helpers, after the last steps took `seconds` each.
    ///
    /// After the faster way, the other one is tried; after the trial, the faster one is taken.
    fn decide(&mut self, seconds: f64) {
        self.seconds[usize::from(self.with_helpers)] = Some(seconds);
        self.with_helpers = match self.seconds {
            [Some(alone), Some(helped)] if self.is_trial => helped < alone,
            _ => !self.with_helpers,
        };
        self.is_trial = !self.is_trial || self.seconds.contains(&None);
        (self.all, self.first_half) = ((Duration::ZERO, 0), None);
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
    if count == 1 || step.slots() < 2 {
        return parts.push(Mutex::new(Some(step)));
    }
    let (first, second) = step.split();
    cut(first, count / 2, parts);
    cut(second, count - count / 2, parts);
}
