//! The settings of environments.

use constructor::batch::observation::{COMPACT_SIZE, SIZE};
use constructor::batch::{BatchOptions, Opponent, Rewards};
use constructor::game::Builder;
use constructor::simulate::Cancellation;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::arguments::{Settings, exactly, seat_of, threads_of};
use crate::players::{DeferredError, PlayerContext, PyPlayer};

/// The arrays that are written.
pub struct Wants {
    /// The number of entries of an observation; 0 if none are wanted.
    pub observation: usize,
    pub masks: bool,
    pub mask_words: bool,
    /// From how many seats the last observations are seen: 0, 1 or 4.
    pub final_seats: usize,
}

/// The settings of a `VectorEnv`.
pub struct EnvOptions {
    pub batch: BatchOptions,
    pub seed: u64,
    pub threads: usize,
    /// Stops opponents that think.
    pub cancellation: Cancellation,
    /// The opponents that are policies.
    pub policies: [Option<Py<PyAny>>; Builder::COUNT - 1],
    pub wants: Wants,
}

impl EnvOptions {
    /// Takes the settings from keyword arguments.
    pub fn new<'py>(py: Python<'py>, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let given = Settings::new(py, given)?;
        let (edition, trades, limit) = (given.edition()?, given.trades()?, given.limit()?);
        let (cancellation, failure) = (Cancellation::default(), DeferredError::default());
        let context = PlayerContext { edition, trades, limit, cancellation: cancellation.clone(), failure };
        let opponents = given.take("opponents")?.map(|all| exactly("opponents", &all, |one| opponent(&context, one)));
        let (opponents, policies) = match opponents.transpose()? {
            Some([(a, one), (b, other), (c, third)]) => (Some([a, b, c]), [one, other, third]),
            None => (None, [None, None, None]),
        };
        let seat = given.take("seat")?.map(|seat| seat_of(&seat)).transpose()?;
        if seat.is_some() && opponents.is_none() {
            return Err(PyValueError::new_err("seat: only with opponents"));
        }
        let final_seats = match given.take("final_observations")? {
            Some(value) if value.is_instance_of::<PyString>() && value.eq("all")? => Builder::COUNT,
            Some(value) if value.is_instance_of::<PyBool>() => usize::from(value.is_truthy()?),
            Some(_) => return Err(PyValueError::new_err("final_observations: expected True, False or 'all'")),
            None => 0,
        };
        let observation = match given.take("observations")? {
            Some(value) if value.is_instance_of::<PyString>() && value.eq("compact")? => COMPACT_SIZE,
            Some(value) if value.is_instance_of::<PyBool>() => usize::from(value.is_truthy()?) * SIZE,
            Some(_) => return Err(PyValueError::new_err("observations: expected True, False or 'compact'")),
            None => SIZE,
        };
        let wants = Wants {
            observation,
            masks: given.flag("masks", true)?,
            mask_words: given.flag("mask_words", false)?,
            final_seats,
        };
        if policies.iter().any(Option::is_some) && !(wants.observation > 0 && wants.masks) {
            return Err(PyValueError::new_err("opponents: a policy needs observations and masks"));
        }
        let batch = BatchOptions {
            layout: given.layout()?,
            trades,
            max_turns: given.number("max_turns", 1..=u64::MAX, 1_000)?,
            max_steps: given.number("max_steps", 1..=u64::MAX, 100_000)?,
            rewards: rewards_named(&given.text("rewards", "win")?)?,
            skip_forced: given.flag("skip_forced", false)?,
            opponents,
            seat,
            paired_boards: given.flag("paired_boards", false)?,
            ..BatchOptions::new(edition)
        };
        let seed = given.seed()?;
        // None is a number here: one for each core.
        let threads = if given.has("threads")? { threads_of(given.take("threads")?.as_ref())?.get() } else { 1 };
        given.finish()?;
        Ok(Self { batch, seed, threads, cancellation, policies, wants })
    }
}

fn rewards_named(name: &str) -> PyResult<Rewards> {
    match name {
        "win" => Ok(Rewards::Win),
        "points" => Ok(Rewards::Points),
        _ => Err(PyValueError::new_err(format!("rewards: expected 'win' or 'points', not '{name}'"))),
    }
}

/// Returns an opponent, and the policy if it is one.
fn opponent(context: &PlayerContext, object: &Bound<'_, PyAny>) -> PyResult<(Opponent, Option<Py<PyAny>>)> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyPlayer>() {
        Ok((Opponent::Player(context.factory(object)?), None))
    } else if object.is_callable() {
        Ok((Opponent::Outside, Some(object.clone().unbind())))
    } else {
        Err(PyTypeError::new_err("opponents: expected names, Players or policies"))
    }
}
