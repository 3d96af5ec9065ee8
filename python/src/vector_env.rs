//! The class `VectorEnv`: many games at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use constructor::batch::{Arrays, Batch, BatchSnapshot, Opponent, WrongAction, observation};
use constructor::game::{Action, ActionMask, Builder};
use constructor::simulate::Cancellation;
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::actions::out_of_range;
use crate::arguments::{seed_of, several, size};
use crate::env_arrays::{entries, integers, writable, zeros};
use crate::env_options::EnvOptions;
use crate::game::{PyGame, read_bytes, refusal};
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
///   `observations="compact"`, all observations have the entries of `COMPACT_OBSERVATION`. With `final_observations="all"`, they are seen
///   from the seats of all four builders.
/// - `paired_boards`: whether four games in a row have the same board and dice, as in a match.
/// - `playouts`, `think_ms`: the budget of opponents that are given by name; by default 1,000 playouts.
/// - `threads`: the number of threads, which changes no result; `None` takes one for each core.
///
/// Raises `ValueError` if an argument is invalid, and `MemoryError` if there is not enough memory.
#[pyclass(name = "VectorEnv", module = "constructor_game")]
pub struct PyVectorEnv {
    /// A mutex that nobody waits for: it only makes the class `Sync`, which players are not.
    batch: Mutex<Batch>,
    workers: Workers,
    cancellation: Cancellation,
    /// Whether a step has failed in the middle, so that the games cannot go on.
    has_failed: bool,
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
    /// Return the seed of the game in each slot: `Game(seed=...)` is the same game, unless `paired_boards`.
    #[pyo3(get)]
    seeds: Option<Py<PyArray1<u64>>>,
}

/// Why a step cannot be prepared.
enum Refusal {
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
    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if a step has failed in the middle.
    fn check_whole(&self) -> PyResult<()> {
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
    fn run_to_agent(
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

    /// Makes an environment whose games have not begun.
    fn make(py: Python<'_>, n: &Bound<'_, PyAny>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let n = size("n", n, 1..=MAX_SLOTS)?;
        let EnvOptions { batch, seed, threads, cancellation, policies, wants } = EnvOptions::new(py, settings)?;
        let is_slow = batch.opponents.iter().flatten().any(|opponent| match opponent {
            Opponent::Player(factory) => factory.is_slow(),
            Opponent::Outside => false,
        });
        let batch = Batch::new(batch, seed, n).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let width = wants.observation;
        let final_width = if width == 0 { observation::SIZE } else { width };
        let finals: &[usize] =
            if wants.final_seats == 1 { &[n, final_width] } else { &[n, wants.final_seats, final_width] };
        Ok(Self {
            batch: Mutex::new(batch),
            workers: Workers::new(threads)?,
            cancellation,
            has_failed: false,
            is_slow,
            policies,
            settings: settings.map_or_else(|| PyDict::new(py), Clone::clone).unbind(),
            samples: zeros(py, true, &[n])?,
            observations: zeros(py, width > 0, &[n, width])?,
            final_observations: zeros(py, wants.final_seats > 0, finals)?,
            masks: zeros(py, wants.masks, &[n, Action::COUNT])?,
            mask_words: zeros(py, wants.mask_words, &[n, ActionMask::WORDS])?,
            players: zeros(py, true, &[n])?,
            rewards: zeros(py, true, &[n, Builder::COUNT])?,
            terminated: zeros(py, true, &[n])?,
            truncated: zeros(py, true, &[n])?,
            winners: zeros(py, true, &[n])?,
            seeds: zeros(py, true, &[n])?,
        })
    }
}

#[pymethods]
impl PyVectorEnv {
    #[new]
    #[pyo3(signature = (n, **settings))]
    fn new(py: Python<'_>, n: &Bound<'_, PyAny>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut env = Self::make(py, n, settings)?;
        env.run_to_agent(py, true, |_| Ok(()))?;
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
            return self.run_to_agent(py, true, |batch| {
                batch.begin(seed);
                Ok(())
            });
        }
        let one = |seed: &Bound<'_, PyAny>| if seed.is_none() { Ok(None) } else { seed_of(Some(seed)).map(Some) };
        let seeds = seed.map_or_else(|| Ok(vec![None; n]), |seeds| several("seed", seeds, n, one))?;
        let flag = |flag: &Bound<'_, PyAny>| {
            flag.extract().map_err(|_| PyTypeError::new_err(format!("mask: expected {n} values of bool")))
        };
        let mask = mask.map_or_else(|| Ok(vec![true; n]), |mask| several("mask", mask, n, flag))?;
        self.run_to_agent(py, false, |batch| {
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
        match actions.extract::<PyReadonlyArray1<'_, i64>>() {
            Ok(actions) if actions.len() == self.n() => {
                self.run_to_agent(py, false, |batch| Ok(batch.choose(actions.as_array().iter().copied())?))
            }
            _ => {
                let actions = integers("actions", actions, self.n())?;
                self.run_to_agent(py, false, |batch| Ok(batch.choose(actions)?))
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
            if greedy {
                return Err(PyValueError::new_err("greedy: only with logits"));
            }
            batch.sample_actions(entries(&mut samples)?);
            return Ok(self.samples.as_ref().map(|samples| samples.clone_ref(py)));
        };
        let array = py.import("numpy")?.call_method1("ascontiguousarray", (logits, "float32"))?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if shape != [n, Action::COUNT] {
            let wrong = format!("logits: expected the shape ({n}, {}), not {shape:?}", Action::COUNT);
            return Err(PyValueError::new_err(wrong));
        }
        let logits = array.extract::<PyReadonlyArray2<'_, f32>>()?;
        batch.sample_by_logits(logits.as_slice()?, greedy, entries(&mut samples)?).map_err(|slot| {
            PyValueError::new_err(format!(
                "logits: slot {slot}: expected a number for every legal action, and a finite one"
            ))
        })?;
        Ok(self.samples.as_ref().map(|samples| samples.clone_ref(py)))
    }

    /// Return a copy of the game in a slot.
    fn game(&self, slot: &Bound<'_, PyAny>) -> PyResult<PyGame> {
        let slot = size("slot", slot, 0..=self.n() - 1)?;
        let state = self.batch().state(slot).cloned();
        state.map(PyGame::new_from).ok_or_else(|| PyValueError::new_err("slot"))
    }

    /// Put a copy of a game into a slot, and play up to the agent's decision; the opponents begin to watch there.
    ///
    /// The next game of the slot is the one that would have followed. Raises `ValueError` if the game is over, of another edition, or with other
    /// trades.
    fn set_game(&mut self, py: Python<'_>, slot: &Bound<'_, PyAny>, game: &PyGame) -> PyResult<()> {
        let slot = size("slot", slot, 0..=self.n() - 1)?;
        self.run_to_agent(py, false, |batch| {
            let placed = batch.place(slot, &game.state);
            Ok(placed.map_err(|error| PyValueError::new_err(format!("game: {error}")))?)
        })
    }

    /// Return all that `set_state` needs to go on from here, as bytes: games, generators, and what opponents have seen.
    ///
    /// Not kept: what policies remember, the rewards of the last step, and the time of players that think by time.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.check_whole()?;
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
        let snapshot: BatchSnapshot = read_bytes(bytes).map_err(|error| wrong(&error))?;
        let (stop, is_slow) = (self.cancellation.stop.clone(), self.is_slow);
        self.run_to_agent(py, true, |batch| {
            let restored = if is_slow {
                // The games of players that think are played again.
                let restored = interruptible(py, &stop, || batch.restore(&snapshot));
                stop.reset();
                restored?
            } else {
                batch.restore(&snapshot)
            };
            Ok(restored.map_err(|error| wrong(&error))?)
        })
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
        self.batch().slots()
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
    let mut env = PyVectorEnv::make(py, n, Some(settings))?;
    env.set_state(py, state)?;
    Ok(env)
}
