//! The class `VectorEnv`: many games at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use constructor::batch::{Arrays, Batch, BatchSnapshot, Opponent, WrongAction, observation};
use constructor::game::{Action, ActionMask, Builder};
use constructor::simulate::Cancellation;
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use numpy::{PyReadwriteArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::actions::out_of_range;
use crate::arguments::{seed_of, several, size};
use crate::env_options::EnvOptions;
use crate::game::{PyGame, refusal};
use crate::interrupt::interruptible;
use crate::recorder::check;
use crate::workers::Workers;

/// The largest number of games at once.
const MAX_SLOTS: usize = 1 << 20;

/// The version of [`PyVectorEnv::state`], its first byte.
const STATE_VERSION: u8 = 1;

/// Many games at once, in `n` slots: a step plays one action in each.
///
/// The arrays are the engine's: every step overwrites them.
///
/// Arguments:
/// - `n`: the number of slots.
/// - `seed`: the seed from which the seeds of all games are derived; `None` draws it.
/// - `edition`, `layout`, `trades`: as for `Game`.
/// - `opponents`: the three players after the agent, whose actions a step plays too: names, `Player`s, or policies. A policy is a function of
///   observations and masks, with a row for each slot where it decides, that returns their actions. Without opponents, actions are given
///   for all four builders, and `players` says who decides in each slot.
/// - `seat`: the agent's builder, 0 to 3; `None` takes one that depends on the number of the game.
/// - `skip_forced`: whether actions without an alternative are played too.
/// - `max_turns`: the number of turns after which a game is truncated; by default 1,000.
/// - `max_steps`: the number of actions, of all players, after which a game is truncated; by default 100,000. With trades, a single turn can
///   have any number.
/// - `rewards`: "win" gives 1 to the winner and -1/3 to the others at the end, "points" a tenth for each point when it is gained.
/// - `observations`, `masks`, `mask_words`, `final_observations`: which arrays are written; by default the first two. With
///   `final_observations="all"`, they are seen from the seats of all four builders.
/// - `paired_boards`: whether four games in a row have the same board and dice, as in a match.
/// - `playouts`: the budget of opponents that are given by name; by default 1,000.
/// - `threads`: the number of threads, which changes no result; `None` takes one for each core.
///
/// Raises `ValueError` if an argument is invalid, and `MemoryError` if there is no memory for so many slots.
#[pyclass(name = "VectorEnv", module = "constructor_game")]
pub struct PyVectorEnv {
    /// A mutex that nobody waits for: it only makes the class `Sync`, which players are not.
    batch: Mutex<Batch>,
    workers: Workers,
    cancellation: Cancellation,
    /// Whether opponents think, so that Ctrl-C has to be looked for.
    is_slow: bool,
    policies: [Option<Py<PyAny>>; Builder::COUNT - 1],
    settings: Py<PyDict>,
    samples: Option<Py<PyArray1<i64>>>,
    /// Return the observations from the seat of the current player, a row for each slot; None if they are not wanted.
    #[pyo3(get)]
    observations: Option<Py<PyArray2<u8>>>,
    /// Return the last observation of each game that ended in the last step, a row for each slot, from the agent's seat; without opponents,
    /// from the seat of the builder whose turn would be next.
    ///
    /// With `final_observations="all"`, a row for each builder of each slot. None if they are not wanted.
    #[pyo3(get)]
    final_observations: Option<Py<PyArrayDyn<u8>>>,
    /// Return the legal actions as bytes of 0 and 1, a row for each slot; None if they are not wanted.
    #[pyo3(get)]
    masks: Option<Py<PyArray2<i8>>>,
    /// Return the legal actions as bits: action `i` is bit `i % 64` of word `i // 64`; None if they are not wanted.
    #[pyo3(get)]
    mask_words: Option<Py<PyArray2<u64>>>,
    /// Return the current player of each slot.
    #[pyo3(get)]
    players: Option<Py<PyArray1<i8>>>,
    /// Return the rewards of the last step: a row for each slot, a column for each builder.
    #[pyo3(get)]
    rewards: Option<Py<PyArray2<f32>>>,
    /// Return, for each slot, whether its game was over after the last step.
    #[pyo3(get)]
    terminated: Option<Py<PyArray1<bool>>>,
    /// Return, for each slot, whether its game reached a limit in the last step.
    #[pyo3(get)]
    truncated: Option<Py<PyArray1<bool>>>,
    /// Return, for each slot, the winner of the game that ended in the last step, or -1.
    #[pyo3(get)]
    winners: Option<Py<PyArray1<i8>>>,
    /// Return the seed of the game in each slot: `Game(seed=...)` is the same game.
    #[pyo3(get)]
    seeds: Option<Py<PyArray1<u64>>>,
}

/// Makes an array of zeros, if it is wanted, by `numpy`, which raises `MemoryError` where there is no memory.
fn zeros<T: Element, D: Dimension>(
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
fn writable<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    array: Option<&Py<PyArray<T, D>>>,
) -> PyResult<Option<PyReadwriteArray<'py, T, D>>> {
    let borrow = |array: &Py<PyArray<T, D>>| array.bind(py).try_readwrite();
    let borrowed = array.map(borrow).transpose();
    borrowed.map_err(|error| PyRuntimeError::new_err(format!("an array of the environment: {error}")))
}

/// Returns the entries of a borrowed array; none if it is not wanted.
fn entries<'a, T: Element, D: Dimension>(array: &'a mut Option<PyReadwriteArray<'_, T, D>>) -> PyResult<&'a mut [T]> {
    array.as_mut().map_or(Ok(&mut []), |array| Ok(array.as_slice_mut()?))
}

impl PyVectorEnv {
    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_policies(&self) -> bool {
        self.policies.iter().any(Option::is_some)
    }

    /// Prepares a step, and runs it. If that fails, nothing is changed.
    fn run(&mut self, py: Python<'_>, prepare: impl FnOnce(&mut Batch) -> Result<(), WrongAction>) -> PyResult<()> {
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
        if let Err(wrong) = prepare(self.batch.get_mut().unwrap_or_else(PoisonError::into_inner)) {
            return Err(self.refusal(&wrong));
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
        done
    }

    /// Prepares a step, runs it, and asks the policies until all slots wait for the agent.
    fn run_to_agent(
        &mut self,
        py: Python<'_>,
        prepare: impl FnOnce(&mut Batch) -> Result<(), WrongAction>,
    ) -> PyResult<()> {
        self.run(py, prepare)?;
        while self.has_policies() {
            let mut asked = false;
            let waiting = self.batch().waiting().to_vec();
            for (number, policy) in (0_i8..).zip(&self.policies) {
                let slots: Vec<usize> = (0..waiting.len()).filter(|&slot| waiting[slot] == number).collect();
                let Some(policy) = policy.as_ref().filter(|_| !slots.is_empty()) else { continue };
                let actions = self.ask(py, policy, &slots, number)?;
                let answered = self.batch().answer(&slots, &actions);
                answered.map_err(|wrong| self.refusal(&wrong))?;
                asked = true;
            }
            if !asked {
                break;
            }
            self.run(py, |_| Ok(()))?;
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
            _ => out_of_range(&action.to_string()),
        }
    }
}

/// Converts the actions of some slots, an integer array of shape (count,), to numbers.
fn integers(name: &str, actions: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
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

#[pymethods]
impl PyVectorEnv {
    #[new]
    #[pyo3(signature = (n, **settings))]
    fn new(py: Python<'_>, n: &Bound<'_, PyAny>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let n = size("n", n, 1..=MAX_SLOTS)?;
        let EnvOptions { batch, seed, threads, cancellation, policies, wants } = EnvOptions::new(py, settings)?;
        let is_slow = batch.opponents.iter().flatten().any(|opponent| match opponent {
            Opponent::Player(factory) => factory.is_slow(),
            Opponent::Outside => false,
        });
        let batch = Batch::new(batch, seed, n).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let finals: &[usize] =
            if wants.final_seats == 1 { &[n, observation::SIZE] } else { &[n, wants.final_seats, observation::SIZE] };
        let mut env = Self {
            batch: Mutex::new(batch),
            workers: Workers::new(threads)?,
            cancellation,
            is_slow,
            policies,
            settings: settings.map_or_else(|| PyDict::new(py), Clone::clone).unbind(),
            samples: zeros(py, true, &[n])?,
            observations: zeros(py, wants.observations, &[n, observation::SIZE])?,
            final_observations: zeros(py, wants.final_seats > 0, finals)?,
            masks: zeros(py, wants.masks, &[n, Action::COUNT])?,
            mask_words: zeros(py, wants.mask_words, &[n, ActionMask::WORDS])?,
            players: zeros(py, true, &[n])?,
            rewards: zeros(py, true, &[n, Builder::COUNT])?,
            terminated: zeros(py, true, &[n])?,
            truncated: zeros(py, true, &[n])?,
            winners: zeros(py, true, &[n])?,
            seeds: zeros(py, true, &[n])?,
        };
        env.run_to_agent(py, |_| Ok(()))?;
        Ok(env)
    }

    /// Begin a game in every slot, or in those that `mask` selects, an array of `bool`.
    ///
    /// With one `seed`, the games are the games of a new environment with this seed. With a list, slot `i` plays the games of
    /// `VectorEnv(1, seed=list[i])`; None in it begins the next game. Without a seed, the next games begin.
    #[pyo3(signature = (seed = None, *, mask = None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let n = self.n();
        if mask.is_none() && seed.is_none_or(|seed| seed.len().is_err()) {
            let seed = seed.map(|seed| seed_of(Some(seed))).transpose()?;
            return self.run_to_agent(py, |batch| {
                batch.begin(seed);
                Ok(())
            });
        }
        let one = |seed: &Bound<'_, PyAny>| if seed.is_none() { Ok(None) } else { seed_of(Some(seed)).map(Some) };
        let seeds = seed.map_or_else(|| Ok(vec![None; n]), |seeds| several("seed", seeds, n, one))?;
        let flag = |flag: &Bound<'_, PyAny>| flag.is_truthy();
        let mask = mask.map_or_else(|| Ok(vec![true; n]), |mask| several("mask", mask, n, flag))?;
        self.run_to_agent(py, |batch| {
            for (slot, (seed, _)) in seeds.into_iter().zip(mask).enumerate().filter(|(_, (_, begins))| *begins) {
                batch.begin_one(slot, seed);
            }
            Ok(())
        })
    }

    /// Play an action in every slot, and write all arrays.
    ///
    /// `actions` are the indices of the actions, an integer array of shape (n,). A game that ends is replaced by a new one: `rewards`, `terminated`,
    /// `truncated` and `winners` are about the old game, the other arrays about the new one. Raises `IllegalActionError` if an action is
    /// illegal; nothing is played then.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.has_policies() && self.batch().waiting().iter().any(|&number| number >= 0) {
            return Err(PyRuntimeError::new_err("a policy failed in the last step: call reset() or set_state()"));
        }
        match actions.extract::<PyReadonlyArray1<'_, i64>>() {
            Ok(actions) if actions.len() == self.n() => {
                self.run_to_agent(py, |batch| batch.choose(actions.as_array().iter().copied()))
            }
            _ => {
                let actions = integers("actions", actions, self.n())?;
                self.run_to_agent(py, |batch| batch.choose(actions))
            }
        }
    }

    /// Return a legal action for each slot, an `int64` array of shape (n,), which the next call overwrites.
    ///
    /// With `logits`, an array of shape (n, 361), draws it by the softmax of the logits of the legal actions, or takes the one with the greatest
    /// logit if `greedy`. Otherwise, all legal actions have the same probability. What is drawn depends on the seed of the environment and
    /// the number of calls. Raises `ValueError` if a legal action's logit is not a number, or none is finite.
    #[pyo3(signature = (logits = None, *, greedy = false))]
    fn sample_actions(
        &mut self,
        py: Python<'_>,
        logits: Option<&Bound<'_, PyAny>>,
        greedy: bool,
    ) -> PyResult<Option<Py<PyArray1<i64>>>> {
        let (n, mut samples) = (self.n(), writable(py, self.samples.as_ref())?);
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(logits) = logits else {
            batch.sample_actions(entries(&mut samples)?);
            return Ok(self.samples.as_ref().map(|samples| samples.clone_ref(py)));
        };
        let array = py.import("numpy")?.call_method1("ascontiguousarray", (logits, "float32"))?;
        let logits = array.extract::<PyReadonlyArray2<'_, f32>>()?;
        if logits.shape() != [n, Action::COUNT] {
            let shape = logits.shape();
            return Err(PyValueError::new_err(format!(
                "logits: expected the shape ({n}, {}), not {shape:?}",
                Action::COUNT
            )));
        }
        batch.sample_by_logits(logits.as_slice()?, greedy, entries(&mut samples)?).map_err(|slot| {
            PyValueError::new_err(format!(
                "logits: slot {slot}: expected a number for every legal action, and a finite one"
            ))
        })?;
        Ok(self.samples.as_ref().map(|samples| samples.clone_ref(py)))
    }

    /// Return a copy of the game in a slot.
    fn game(&self, slot: &Bound<'_, PyAny>) -> PyResult<PyGame> {
        let batch = self.batch();
        let state = batch.state(size("slot", slot, 0..=batch.len() - 1)?);
        state.cloned().map(PyGame::new_from).ok_or_else(|| PyValueError::new_err("slot"))
    }

    /// Put a copy of a game into a slot, and play up to the agent's decision; the opponents begin to watch there.
    ///
    /// The next game of the slot is the one that would have followed. Raises `ValueError` if the game is over, of another edition, or with other
    /// trades.
    fn set_game(&mut self, py: Python<'_>, slot: &Bound<'_, PyAny>, game: &PyGame) -> PyResult<()> {
        let slot = size("slot", slot, 0..=self.n() - 1)?;
        let placed = self.batch().place(slot, &game.state);
        placed.map_err(|error| PyValueError::new_err(format!("game: {error}")))?;
        self.run_to_agent(py, |_| Ok(()))
    }

    /// Return all that `set_state` needs to go on from here, as bytes: games, generators, and what opponents have seen.
    ///
    /// Not kept: what policies remember, the rewards of the last step, and the time of players that think by time.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = postcard::to_extend(&self.batch().snapshot(), vec![STATE_VERSION]);
        Ok(PyBytes::new(py, &bytes.map_err(|error| PyRuntimeError::new_err(error.to_string()))?))
    }

    /// Go on from a `state()` of an environment with the same arguments.
    ///
    /// With opponents, their games are played again, since that alone tells what they have seen. Raises `ValueError` if the state does not fit;
    /// nothing is changed then.
    fn set_state(&mut self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let wrong = |text: &str| PyValueError::new_err(format!("not a state of this environment: {text}"));
        let Some((&STATE_VERSION, bytes)) = state.split_first() else { return Err(wrong("the version is not known")) };
        let snapshot: BatchSnapshot = postcard::from_bytes(bytes).map_err(|error| wrong(&error.to_string()))?;
        self.batch().restore(&snapshot).map_err(|error| wrong(&error))?;
        self.run_to_agent(py, |_| Ok(()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let make = py.import("constructor_game._engine")?.getattr("_vector_env")?;
        Ok((make, (self.n(), self.settings.bind(py).clone(), self.state(py)?)))
    }

    fn __len__(&self) -> usize {
        self.n()
    }

    fn __repr__(&self) -> String {
        let (edition, threads) = (self.batch().options().edition.name, self.workers.threads);
        format!("<VectorEnv {edition}, {} games, {threads} threads>", self.n())
    }

    /// Return the number of slots.
    #[getter]
    fn n(&self) -> usize {
        self.batch().len()
    }

    /// Return the seed from which the seeds of all games are derived.
    #[getter]
    fn seed(&self) -> u64 {
        self.batch().seed()
    }

    /// Return the number of threads.
    #[getter]
    const fn threads(&self) -> usize {
        self.workers.threads
    }
}

type Pickled<'py> = (usize, Bound<'py, PyDict>, Bound<'py, PyBytes>);

/// Makes an environment from what a pickled one has.
#[pyfunction]
#[pyo3(name = "_vector_env")]
pub fn vector_env(
    py: Python<'_>,
    n: &Bound<'_, PyAny>,
    settings: &Bound<'_, PyDict>,
    state: &[u8],
) -> PyResult<PyVectorEnv> {
    let mut env = PyVectorEnv::new(py, n, Some(settings))?;
    env.set_state(py, state)?;
    Ok(env)
}
