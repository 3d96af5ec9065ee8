//! The steps of a `VectorEnv`: its arrays, its actions, and the policies that it asks.

use std::sync::{MutexGuard, PoisonError};

use constructor::batch::{Arrays, Batch, WrongAction};
use constructor::game::Action;
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::actions::out_of_range;
use crate::game::refusal;
use crate::interrupt::interruptible;
use crate::recorder::check;
use crate::vector_env::PyVectorEnv;

/// Makes an array of zeros, if it is wanted, by `numpy`, which raises `MemoryError` where there is no memory.
pub fn zeros<T: Element, D: Dimension>(
    py: Python<'_>,
    is_wanted: bool,
    shape: &[usize],
) -> PyResult<Option<Py<PyArray<T, D>>>> {
    if !is_wanted {
        return Ok(None);
    }
    let array = py.import("numpy")?.call_method1("zeros", (shape.to_vec(), T::get_dtype(py)))?;
    Ok(Some(array.cast_into::<PyArray<T, D>>()?.unbind()))
}

/// Borrows an array for writing.
///
/// Fails if it is borrowed elsewhere or read-only.
pub fn writable<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    array: Option<&Py<PyArray<T, D>>>,
) -> PyResult<Option<PyReadwriteArray<'py, T, D>>> {
    let borrow = |array: &Py<PyArray<T, D>>| array.bind(py).try_readwrite();
    let borrowed = array.map(borrow).transpose();
    borrowed.map_err(|error| PyRuntimeError::new_err(format!("an array of the environment: {error}")))
}

/// Returns the entries of a borrowed array; none if it is not wanted.
pub fn entries<'a, T: Element, D: Dimension>(
    array: &'a mut Option<PyReadwriteArray<'_, T, D>>,
) -> PyResult<&'a mut [T]> {
    array.as_mut().map_or(Ok(&mut []), |array| Ok(array.as_slice_mut()?))
}

/// Why a step cannot be prepared.
pub enum Refusal {
    Action(WrongAction),
    Error(PyErr),
}

impl From<WrongAction> for Refusal {
    fn from(wrong: WrongAction) -> Self {
        Self::Action(wrong)
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self::Error(error)
    }
}

impl PyVectorEnv {
    /// Returns the batch, for which nobody ever waits.
    pub fn batch(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if a step has failed in the middle.
    pub fn check_whole(&self) -> PyResult<()> {
        if self.has_failed {
            return Err(PyRuntimeError::new_err("the last step failed in the middle: call reset() or set_state()"));
        }
        Ok(())
    }

    /// Prepares a step, and runs it. If it cannot be prepared, nothing is changed.
    fn run(&mut self, py: Python<'_>, prepare: impl FnOnce(&mut Batch) -> Result<(), Refusal>) -> PyResult<()> {
        self.workers.check()?;
        let mut observations = writable(py, self.observations.as_ref())?;
        let mut finals = writable(py, self.final_observations.as_ref())?;
        let (mut masks, mut words) = (writable(py, self.masks.as_ref())?, writable(py, self.mask_words.as_ref())?);
        let (mut players, mut rewards) = (writable(py, self.players.as_ref())?, writable(py, self.rewards.as_ref())?);
        let (mut terminated, mut truncated) =
            (writable(py, self.terminated.as_ref())?, writable(py, self.truncated.as_ref())?);
        let (mut winners, mut seeds) = (writable(py, self.winners.as_ref())?, writable(py, self.seeds.as_ref())?);
        let arrays = Arrays {
            observations: entries(&mut observations)?,
            final_observations: entries(&mut finals)?,
            masks: bytemuck::cast_slice_mut(entries(&mut masks)?),
            mask_words: entries(&mut words)?,
            players: entries(&mut players)?,
            rewards: entries(&mut rewards)?,
            terminated: entries(&mut terminated)?,
            truncated: entries(&mut truncated)?,
            winners: entries(&mut winners)?,
            seeds: entries(&mut seeds)?,
        };
        match prepare(self.batch.get_mut().unwrap_or_else(PoisonError::into_inner)) {
            Ok(()) => self.has_failed = false,
            Err(Refusal::Error(error)) => return Err(error),
            Err(Refusal::Action(wrong)) => return Err(self.refusal(&wrong)),
        }
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let resized = |name| PyRuntimeError::new_err(format!("the array {name} of the environment was resized"));
        let (step, workers) = (batch.step(arrays).map_err(resized)?, &mut self.workers);
        if !self.is_slow {
            py.detach(|| workers.run(step, false));
            return Ok(());
        }
        let done = interruptible(py, &self.cancellation.stop, || workers.run(step, true));
        self.cancellation.stop.reset();
        // The players that were interrupted have played something.
        self.has_failed = done.is_err();
        done
    }

    /// Prepares a step, runs it, and asks the policies until all slots wait for the agent.
    ///
    /// After a step that has failed in the middle, only one that `begins` all games anew is possible.
    pub fn run_to_agent(
        &mut self,
        py: Python<'_>,
        begins: bool,
        prepare: impl FnOnce(&mut Batch) -> Result<(), Refusal>,
    ) -> PyResult<()> {
        if !begins {
            self.check_whole()?;
        }
        self.run(py, prepare)?;
        while self.policies.iter().any(Option::is_some) && self.batch().waiting().iter().any(|&number| number >= 0) {
            let asked = self.ask_policies(py);
            self.has_failed = asked.is_err();
            asked?;
            self.run(py, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Asks each policy once for its actions in all slots that wait for it.
    fn ask_policies(&self, py: Python<'_>) -> PyResult<()> {
        let waiting = self.batch().waiting().to_vec();
        for (number, policy) in (0_i8..).zip(&self.policies) {
            let slots: Vec<usize> = (0..waiting.len()).filter(|&slot| waiting[slot] == number).collect();
            let Some(policy) = policy.as_ref().filter(|_| !slots.is_empty()) else { continue };
            let actions = self.ask(py, policy, &slots, number)?;
            let answered = self.batch().answer(&slots, &actions);
            answered.map_err(|wrong| self.refusal(&wrong))?;
        }
        Ok(())
    }

    /// Asks a policy for its actions in some slots.
    fn ask(&self, py: Python<'_>, policy: &Py<PyAny>, slots: &[usize], number: i8) -> PyResult<Vec<i64>> {
        let rows = |array: Option<Py<PyAny>>| array.map(|array| array.bind(py).get_item(slots)).transpose();
        let observations = rows(self.observations.as_ref().map(|array| array.clone_ref(py).into_any()))?;
        let masks = rows(self.masks.as_ref().map(|array| array.clone_ref(py).into_any()))?;
        let name = format!("opponents[{number}]");
        integers(&name, &policy.bind(py).call1((observations, masks))?, slots.len())
    }

    /// Returns the exception for an action that cannot be played.
    #[cold]
    fn refusal(&self, &WrongAction { slot, action }: &WrongAction) -> PyErr {
        let index = u16::try_from(action).ok().and_then(Action::from_index);
        let batch = self.batch();
        match (index, batch.state(slot)) {
            (Some(action), Some(state)) => match check(state, action) {
                Err(refused) => refusal(state, action, refused, Some(slot)),
                Ok(()) => PyRuntimeError::new_err("the environment must be reset"),
            },
            _ => out_of_range(&action.to_string(), Some(slot)),
        }
    }
}

/// Converts the actions of some slots, an integer array of shape (count,), to numbers.
pub fn integers(name: &str, actions: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
    let numpy = actions.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (actions,))?;
    let dtype = array.getattr("dtype")?;
    let (kind, bytes): (String, usize) = (dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?);
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") || shape.len() != 1 {
        return Err(PyTypeError::new_err(format!("{name}: expected a one-dimensional array of integers")));
    }
    if shape[0] != count {
        return Err(PyValueError::new_err(format!("{name}: expected {count}, not {}", shape[0])));
    }
    // What does not fit must not become negative.
    if kind == "u" && bytes == size_of::<u64>() {
        array = numpy.call_method1("minimum", (array, i64::MAX))?;
    }
    let array = array.call_method1("astype", ("int64",))?.extract::<PyReadonlyArray1<'_, i64>>()?;
    Ok(array.as_array().to_vec())
}
