//! The class `VectorEnv`: many games at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use constructor::board::Layout;
use constructor::game::{Action, ActionMask, Builder, Trades};
use constructor::players::{Player, PlayerFactory, StopSignal, next_action};
use constructor::rand::SeedableRng;
use constructor::rand::rngs::Xoshiro256PlusPlus;
use constructor::rng::{self, split_mix64};
use constructor::simulate::{Cancellation, derive_seed, players_seed};
use constructor::text::Edition;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::actions::{builder_of, from_index};
use crate::bits::expand;
use crate::game::{PyGame, edition_named, layout_of, refusal, seed_of, trades_of};
use crate::interrupt::interruptible;
use crate::observation::{self, Observer};
use crate::players::{DeferredError, PlayerContext, limit_of};
use crate::results::threads_of;
use crate::state::State;

/// Every action, by index.
static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| Action::all().collect());

/// The largest number of games at once.
const MAX_SLOTS: usize = 1 << 20;

/// The bits of the environment's seed that are flipped to make the seed of the random actions.
const SAMPLER_SEED: u64 = 0x6a09_e667_f3bc_c908;

/// The kind of rewards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rewards {
    /// At the end: 1 for the winner, -1/3 for the others.
    Win,
    /// A tenth for each point when it is gained.
    Points,
}

/// The settings that all slots share.
struct Config {
    seed: u64,
    slots: u64,
    edition: &'static Edition,
    layout: Option<Layout>,
    trades: Trades,
    max_turns: u64,
    max_steps: u64,
    rewards: Rewards,
    skip_forced: bool,
    /// The players of the builders after the agent's, in turn order.
    opponents: Option<[PlayerFactory; Builder::COUNT - 1]>,
    /// Interrupts opponents that think.
    stop: StopSignal,
    /// The agent's builder; with `None`, it depends on the number of the game.
    seat: Option<Builder>,
}

/// One of the games.
struct Slot {
    state: State,
    /// The number of the game. The first game has the number of the slot; each later game adds the number of slots.
    number: u64,
    /// The number of actions that were played in the game.
    steps: u64,
    observer: Observer,
    /// The mutex is never locked, since a slot belongs to one thread at a time. It only makes the slot `Sync`, which players are not.
    opponents: Option<Mutex<Opponents>>,
}

/// The players of the other builders.
struct Opponents {
    seat: Builder,
    /// The player of each builder. The one for the agent's builder is not used.
    players: [Box<dyn Player>; Builder::COUNT],
    rng: ChaCha8Rng,
    observe: bool,
}

impl Slot {
    /// Makes a slot whose first game is still to [begin](Self::begin).
    fn new(config: &Config, slot: u64) -> Self {
        let state = State::new(config.edition, config.layout.as_ref(), 0, config.trades);
        let observer = Observer::new(&state.game);
        Self { state, number: slot, steps: 0, observer, opponents: None }
    }

    /// Begins the game with this slot's number.
    ///
    /// The seed is that of the game with this number in a simulation.
    fn begin(&mut self, config: &Config) {
        let seed = derive_seed(config.seed, self.number);
        self.steps = 0;
        self.state = State::new(config.edition, config.layout.as_ref(), seed, config.trades);
        self.observer = Observer::new(&self.state.game);
        if let Some([next, across, previous]) = &config.opponents {
            let rotated = Builder::ALL.into_iter().cycle().nth((self.number % 4) as usize);
            let seat = config.seat.or(rotated).unwrap_or(Builder::Blue);
            let players = Builder::ALL.map(|builder| {
                let after = (builder.index() + Builder::COUNT - seat.index()) % Builder::COUNT;
                [next, next, across, previous][after].make()
            });
            let observe = players.iter().any(Player::wants_observations);
            let rng = rng::from_seed(players_seed(seed));
            self.opponents = Some(Mutex::new(Opponents { seat, players, rng, observe }));
        }
        self.advance(config);
    }

    /// Returns whether the game has ended by the limit of turns or of actions.
    const fn is_truncated(&self, config: &Config) -> bool {
        self.state.turns >= config.max_turns || self.steps >= config.max_steps
    }

    /// Plays an action of the agent, and all actions up to the agent's next decision.
    #[inline]
    fn play(&mut self, action: Action, config: &Config) {
        if let Some(opponents) = opponents_mut(&mut self.opponents) {
            opponents.observe(&self.state);
        }
        self.state.apply_legal(action);
        self.steps += 1;
        if self.opponents.is_some() || config.skip_forced {
            self.advance(config);
        }
    }

    /// Plays the opponents' actions, and forced ones if they are skipped, up to the agent's next decision.
    fn advance(&mut self, config: &Config) {
        while let Some(current) = self.state.game.current_player()
            && !self.is_truncated(config)
        {
            let action = match opponents_mut(&mut self.opponents) {
                Some(opponents) if opponents.seat != current => opponents.next_action(&self.state),
                _ if config.skip_forced => self.state.legal_actions().forced(),
                _ => None,
            };
            let Some(action) = action else { return };
            self.state.apply_legal(action);
            self.steps += 1;
        }
    }

    /// Returns the current player. After the end of the game, returns the builder whose turn would be next.
    #[inline]
    fn acting(&self) -> Builder {
        self.state.game.current_player().unwrap_or_else(|| self.state.game.next_turn())
    }

    /// Returns the builder from whose seat a finished game is observed: the agent's builder or, without opponents, the builder whose turn
    /// would be next.
    fn last_seat(&mut self) -> Builder {
        let acting = self.acting();
        opponents_mut(&mut self.opponents).map_or(acting, |opponents| opponents.seat)
    }
}

/// Returns the opponents of a slot.
fn opponents_mut(opponents: &mut Option<Mutex<Opponents>>) -> Option<&mut Opponents> {
    opponents.as_mut().map(|opponents| opponents.get_mut().unwrap_or_else(PoisonError::into_inner))
}

impl Opponents {
    fn observe(&mut self, state: &State) {
        if self.observe {
            self.players.iter_mut().for_each(|player| player.observe(&state.game));
        }
    }

    fn next_action(&mut self, state: &State) -> Option<Action> {
        self.observe(state);
        next_action(&state.game, state.trades, &mut self.players, &mut self.rng)
    }
}

/// The arrays that a step writes, or the part of them that belongs to some slots.
struct StepBuffers<'a> {
    slots: &'a mut [Slot],
    legal: &'a mut [[u64; ActionMask::WORDS]],
    chosen: &'a [u16],
    observations: Option<&'a mut [u8]>,
    final_observations: Option<&'a mut [u8]>,
    masks: Option<&'a mut [u8]>,
    words: Option<&'a mut [u64]>,
    players: &'a mut [i8],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    winners: &'a mut [i8],
    seeds: &'a mut [u64],
}

fn split_optional<T>(slice: Option<&mut [T]>, at: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
    slice.map(|slice| slice.split_at_mut(at)).unzip()
}

impl StepBuffers<'_> {
    /// Splits the arrays after the first `count` slots.
    fn split_at(self, count: usize) -> (Self, Self) {
        let (slots, slots_after) = self.slots.split_at_mut(count);
        let (legal, legal_after) = self.legal.split_at_mut(count);
        let (chosen, chosen_after) = self.chosen.split_at(count);
        let (observations, observations_after) = split_optional(self.observations, count * observation::SIZE);
        let (finals, finals_after) = split_optional(self.final_observations, count * observation::SIZE);
        let (masks, masks_after) = split_optional(self.masks, count * Action::COUNT);
        let (words, words_after) = split_optional(self.words, count * ActionMask::WORDS);
        let (players, players_after) = self.players.split_at_mut(count);
        let (rewards, rewards_after) = self.rewards.split_at_mut(count * Builder::COUNT);
        let (terminated, terminated_after) = self.terminated.split_at_mut(count);
        let (truncated, truncated_after) = self.truncated.split_at_mut(count);
        let (winners, winners_after) = self.winners.split_at_mut(count);
        let (seeds, seeds_after) = self.seeds.split_at_mut(count);
        let first = StepBuffers {
            slots,
            legal,
            chosen,
            observations,
            final_observations: finals,
            masks,
            words,
            players,
            rewards,
            terminated,
            truncated,
            winners,
            seeds,
        };
        let rest = StepBuffers {
            slots: slots_after,
            legal: legal_after,
            chosen: chosen_after,
            observations: observations_after,
            final_observations: finals_after,
            masks: masks_after,
            words: words_after,
            players: players_after,
            rewards: rewards_after,
            terminated: terminated_after,
            truncated: truncated_after,
            winners: winners_after,
            seeds: seeds_after,
        };
        (first, rest)
    }

    /// Cuts the slots into at most `parts` parts of about equal size.
    fn parts(self, parts: usize) -> Vec<Self> {
        let size = self.slots.len().div_ceil(parts.max(1)).max(1);
        let (mut all, mut rest) = (Vec::with_capacity(parts), self);
        while rest.slots.len() > size {
            let (first, others) = rest.split_at(size);
            all.push(first);
            rest = others;
        }
        all.push(rest);
        all
    }

    /// Plays the chosen action in every slot, or begins again in all of them.
    fn run(&mut self, config: &Config, begins: bool) {
        self.rewards.fill(0.0);
        for index in 0..self.slots.len() {
            if begins {
                let slot = &mut self.slots[index];
                slot.begin(config);
                (self.terminated[index], self.truncated[index], self.winners[index]) = (false, false, -1);
                self.seeds[index] = slot.state.seed;
            } else {
                self.step(index, config);
            }
            self.write(index);
        }
    }

    #[inline]
    fn step(&mut self, index: usize, config: &Config) {
        let slot = &mut self.slots[index];
        let points = (config.rewards == Rewards::Points).then(|| points(slot));
        slot.play(ACTIONS[usize::from(self.chosen[index])], config);
        let is_over = slot.state.game.current_player().is_none();
        let winner = if is_over { slot.state.game.winner() } else { None };
        let is_truncated = !is_over && slot.is_truncated(config);
        (self.terminated[index], self.truncated[index]) = (is_over, is_truncated);
        if let Some(before) = points {
            let rewards = &mut self.rewards[index * Builder::COUNT..][..Builder::COUNT];
            for ((reward, after), before) in rewards.iter_mut().zip(self::points(slot)).zip(before) {
                *reward = (after - before) / 10.0;
            }
        }
        self.winners[index] = -1;
        if is_over || is_truncated {
            if let (Rewards::Win, Some(winner)) = (config.rewards, winner) {
                let rewards = &mut self.rewards[index * Builder::COUNT..][..Builder::COUNT];
                rewards.fill(-1.0 / 3.0);
                rewards[winner.index()] = 1.0;
            }
            self.winners[index] = winner.map_or(-1, seat_number);
            if let Some(all) = &mut self.final_observations
                && let Some(row) = all.as_chunks_mut().0.get_mut(index)
            {
                let seat = slot.last_seat();
                slot.observer.observe(&slot.state.game, slot.state.board_changes, seat, row);
            }
            slot.number = slot.number.wrapping_add(config.slots);
            slot.begin(config);
            self.seeds[index] = slot.state.seed;
        }
    }

    /// Writes the state of the slot to the arrays.
    #[inline]
    fn write(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let acting = slot.acting();
        let legal = slot.state.legal_actions().mask().words();
        self.legal[index] = legal;
        self.players[index] = seat_number(acting);
        if let Some(all) = &mut self.words
            && let Some(row) = all.as_chunks_mut().0.get_mut(index)
        {
            *row = legal;
        }
        if let Some(all) = &mut self.masks {
            expand(&legal, &mut all[index * Action::COUNT..][..Action::COUNT]);
        }
        if let Some(all) = &mut self.observations
            && let Some(row) = all.as_chunks_mut().0.get_mut(index)
        {
            slot.observer.observe(&slot.state.game, slot.state.board_changes, acting, row);
        }
    }
}

fn points(slot: &Slot) -> [f32; Builder::COUNT] {
    Builder::ALL.map(|builder| f32::from(u8::try_from(slot.state.game.points(builder)).unwrap_or(u8::MAX)))
}

#[expect(clippy::cast_possible_truncation, reason = "below 4")]
const fn seat_number(builder: Builder) -> i8 {
    builder.index() as i8
}

/// The number of parts into which the share of a thread is cut. Other threads take parts when they have nothing left to do.
const PARTS_OF_A_SHARE: usize = 4;

/// The number of times that a thread, before it sleeps, checks whether the other threads have finished. This takes some hundred
/// microseconds.
const SPINS: u32 = 10_000;

/// The parts of the share of a thread.
type Share<'a> = Mutex<std::vec::IntoIter<StepBuffers<'a>>>;

/// Returns the next part of a share that no thread has taken.
fn next_part<'a>(share: &Share<'a>) -> Option<StepBuffers<'a>> {
    share.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Starts the threads besides the caller's.
fn new_pool(threads: usize) -> PyResult<Option<ThreadPool>> {
    let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads - 1).build()).transpose();
    pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Returns a generator for the random actions of each slot.
fn samplers(config: &Config) -> Vec<Xoshiro256PlusPlus> {
    let seed = |slot| split_mix64(config.seed ^ SAMPLER_SEED, slot);
    (0..config.slots).map(|slot| Xoshiro256PlusPlus::seed_from_u64(seed(slot))).collect()
}

/// Many games at once, in `n` slots: a step plays one action in each.
///
/// The arrays are the engine's: every step overwrites them.
///
/// Arguments:
/// - `n`: the number of slots.
/// - `seed`: the seed from which the seeds of all games are derived; `None` draws it.
/// - `edition`, `layout`, `trades`: as for `Game`.
/// - `opponents`: the three players after the agent, names or `Player`s, whose actions a step plays too. Without them, actions are given for all
///   four builders, and `players` says who decides in each slot.
/// - `seat`: the agent's builder, 0 to 3; `None` takes one that depends on the number of the game.
/// - `skip_forced`: whether actions without an alternative are played too.
/// - `max_turns`: the number of turns after which a game is truncated.
/// - `max_steps`: the number of actions, of all players, after which a game is truncated. With trades, a single turn can have any number.
/// - `rewards`: "win" gives 1 to the winner and -1/3 to the others at the end, "points" a tenth for each point when it is gained.
/// - `observations`, `masks`, `mask_words`, `final_observations`: which arrays are written.
/// - `playouts`: the budget of opponents that are given by name; by default 1,000.
/// - `threads`: the number of threads, which changes no result; `None` takes one for each core.
///
/// Raises `ValueError` if an argument is invalid.
#[pyclass(name = "VectorEnv", module = "constructor_game")]
pub struct PyVectorEnv {
    config: Config,
    slots: Vec<Slot>,
    samplers: Vec<Xoshiro256PlusPlus>,
    legal: Vec<[u64; ActionMask::WORDS]>,
    chosen: Vec<u16>,
    threads: usize,
    /// The other threads, in this process.
    pool: Option<ThreadPool>,
    process: u32,
    observations: Option<Py<PyArray2<u8>>>,
    final_observations: Option<Py<PyArray2<u8>>>,
    masks: Option<Py<PyArray2<i8>>>,
    words: Option<Py<PyArray2<u64>>>,
    players: Py<PyArray1<i8>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    winners: Py<PyArray1<i8>>,
    seeds: Py<PyArray1<u64>>,
    samples: Py<PyArray1<i64>>,
}

/// Returns a new array whose memory is Rust's.
fn array1<T: Element + Clone + Default>(py: Python<'_>, count: usize) -> Py<PyArray1<T>> {
    PyArray1::from_vec(py, vec![T::default(); count]).unbind()
}

fn array2<T: Element + Clone + Default>(py: Python<'_>, rows: usize, columns: usize) -> PyResult<Py<PyArray2<T>>> {
    Ok(PyArray1::from_vec(py, vec![T::default(); rows * columns]).reshape([rows, columns])?.unbind())
}

type Writable<'py, T, D> = PyReadwriteArray<'py, T, D>;

/// Borrows an array for writing.
///
/// Fails if the array is borrowed elsewhere or read-only.
fn writable<'py, T: Element, D: numpy::ndarray::Dimension>(
    py: Python<'py>,
    array: &Py<numpy::PyArray<T, D>>,
) -> PyResult<Writable<'py, T, D>> {
    array
        .bind(py)
        .try_readwrite()
        .map_err(|error| PyRuntimeError::new_err(format!("an array of the environment: {error}")))
}

fn optional<'py, T: Element, D: numpy::ndarray::Dimension>(
    py: Python<'py>,
    array: Option<&Py<numpy::PyArray<T, D>>>,
) -> PyResult<Option<Writable<'py, T, D>>> {
    array.map(|array| writable(py, array)).transpose()
}

fn slice<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a mut Writable<'_, T, D>,
    size: usize,
) -> PyResult<&'a mut [T]> {
    let slice = array.as_slice_mut()?;
    if slice.len() == size {
        Ok(slice)
    } else {
        Err(PyRuntimeError::new_err("an array of the environment was resized"))
    }
}

impl PyVectorEnv {
    /// Plays the chosen actions, or begins a game in every slot.
    fn run(&mut self, py: Python<'_>, begins: bool) -> PyResult<()> {
        let n = self.slots.len();
        if self.pool.is_some() && self.process != std::process::id() {
            // After a fork there are no threads: the pool would wait for them for ever, also when it is dropped.
            std::mem::forget(self.pool.take());
            (self.pool, self.process) = (new_pool(self.threads)?, std::process::id());
        }
        let mut observations = optional(py, self.observations.as_ref())?;
        let mut finals = optional(py, self.final_observations.as_ref())?;
        let mut masks = optional(py, self.masks.as_ref())?;
        let mut words = optional(py, self.words.as_ref())?;
        let (mut players, mut rewards) = (writable(py, &self.players)?, writable(py, &self.rewards)?);
        let (mut terminated, mut truncated) = (writable(py, &self.terminated)?, writable(py, &self.truncated)?);
        let (mut winners, mut seeds) = (writable(py, &self.winners)?, writable(py, &self.seeds)?);
        let rows = StepBuffers {
            slots: &mut self.slots,
            legal: &mut self.legal,
            chosen: &self.chosen,
            observations: observations.as_mut().map(|array| slice(array, n * observation::SIZE)).transpose()?,
            final_observations: finals.as_mut().map(|array| slice(array, n * observation::SIZE)).transpose()?,
            masks: match &mut masks {
                Some(array) => Some(bytemuck::cast_slice_mut(slice(array, n * Action::COUNT)?)),
                None => None,
            },
            words: words.as_mut().map(|array| slice(array, n * ActionMask::WORDS)).transpose()?,
            players: slice(&mut players, n)?,
            rewards: slice(&mut rewards, n * Builder::COUNT)?,
            terminated: slice(&mut terminated, n)?,
            truncated: slice(&mut truncated, n)?,
            winners: slice(&mut winners, n)?,
            seeds: slice(&mut seeds, n)?,
        };
        let (config, pool, threads) = (&self.config, &self.pool, self.threads);
        let is_slow = config.opponents.iter().flatten().any(PlayerFactory::is_slow);
        let work = move || {
            let mut rows = rows;
            match pool {
                Some(pool) => {
                    let shares = rows.parts(threads);
                    let shares: Vec<Share<'_>> =
                        shares.into_iter().map(|share| Mutex::new(share.parts(PARTS_OF_A_SHARE).into_iter())).collect();
                    let left = AtomicUsize::new(threads);
                    let work = |thread: usize| {
                        // Its own share first: these slots are in its processor's cache.
                        let (before, own) = shares.split_at(thread.min(shares.len()));
                        for share in own.iter().chain(before) {
                            while let Some(mut part) = next_part(share) {
                                part.run(config, begins);
                            }
                        }
                        left.fetch_sub(1, Ordering::Release);
                    };
                    pool.in_place_scope(|scope| {
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
                None => rows.run(config, begins),
            }
        };
        if !is_slow {
            py.detach(work);
            return Ok(());
        }
        let done = interruptible(py, &config.stop, work);
        config.stop.reset();
        done
    }

    /// Checks that all arrays can be written, so that nothing is changed if they cannot.
    fn check_arrays(&self, py: Python<'_>) -> PyResult<()> {
        optional(py, self.observations.as_ref())?;
        optional(py, self.final_observations.as_ref())?;
        optional(py, self.masks.as_ref())?;
        optional(py, self.words.as_ref())?;
        writable(py, &self.rewards)?;
        writable(py, &self.seeds)?;
        [&self.players, &self.winners].into_iter().try_for_each(|array| writable(py, array).map(drop))?;
        [&self.terminated, &self.truncated].into_iter().try_for_each(|array| writable(py, array).map(drop))?;
        Ok(())
    }

    /// Checks the actions and keeps them.
    fn choose<T: Element + Copy + Into<i64>>(&mut self, actions: &PyReadonlyArray1<'_, T>) -> PyResult<()> {
        let count = actions.len();
        if count != self.slots.len() {
            return Err(PyValueError::new_err(format!("actions: expected {}, not {count}", self.slots.len())));
        }
        for (slot, (&action, (legal, chosen))) in
            actions.as_array().iter().zip(self.legal.iter().zip(&mut self.chosen)).enumerate()
        {
            let action: i64 = action.into();
            let index = usize::try_from(action).unwrap_or(usize::MAX);
            if index >= Action::COUNT || legal[index / 64] >> (index % 64) & 1 == 0 {
                return Err(self.refusal(slot, action));
            }
            #[expect(clippy::cast_possible_truncation, reason = "below 361")]
            let index = index as u16;
            *chosen = index;
        }
        Ok(())
    }

    /// Returns the exception for an action that is illegal in a slot.
    #[cold]
    fn refusal(&self, slot: usize, action: i64) -> PyErr {
        let action = match from_index(action) {
            Ok(action) => action,
            Err(error) => return error,
        };
        let state = &self.slots[slot].state;
        match state.check(action) {
            Err(refused) => refusal(state, action, refused, Some(slot)),
            Ok(()) => PyRuntimeError::new_err("the environment must be reset"),
        }
    }
}

#[pymethods]
impl PyVectorEnv {
    #[new]
    #[pyo3(signature = (
        n, *, seed = None, threads = 1, edition = "constructor", layout = None, trades = false, max_turns = 1_000,
        max_steps = 100_000, rewards = "win", opponents = None, seat = None, playouts = None, skip_forced = false,
        observations = true,
        masks = true, mask_words = false, final_observations = false
    ))]
    #[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        n: usize,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        edition: &str,
        layout: Option<&Bound<'_, PyAny>>,
        trades: bool,
        max_turns: u64,
        max_steps: u64,
        rewards: &str,
        opponents: Option<Vec<Bound<'_, PyAny>>>,
        seat: Option<usize>,
        playouts: Option<u32>,
        skip_forced: bool,
        observations: bool,
        masks: bool,
        mask_words: bool,
        final_observations: bool,
    ) -> PyResult<Self> {
        if n == 0 || n > MAX_SLOTS {
            return Err(PyValueError::new_err(format!("n: expected a number from 1 to {MAX_SLOTS}")));
        }
        if max_turns == 0 {
            return Err(PyValueError::new_err("max_turns: expected at least 1"));
        }
        if max_steps == 0 {
            return Err(PyValueError::new_err("max_steps: expected at least 1"));
        }
        let edition = edition_named(edition)?;
        let trades = trades_of(trades);
        let rewards = match rewards {
            "win" => Rewards::Win,
            "points" => Rewards::Points,
            _ => return Err(PyValueError::new_err(format!("rewards: expected 'win' or 'points', not '{rewards}'"))),
        };
        let cancellation = Cancellation::default();
        let opponents = match opponents {
            None if seat.is_some() => return Err(PyValueError::new_err("seat: only with opponents")),
            None => None,
            Some(list) => {
                let limit = limit_of(playouts, None)?;
                let failure = DeferredError::default();
                let table = PlayerContext { edition, trades, limit, cancellation: cancellation.clone(), failure };
                let builtin = |object: &Bound<'_, PyAny>| {
                    let factory = table.factory(object)?;
                    let is_own = object.is_instance_of::<pyo3::types::PyString>()
                        || object.is_instance_of::<crate::players::PyPlayer>();
                    if is_own { Ok(factory) } else { Err(PyTypeError::new_err("opponents: expected names or Players")) }
                };
                let made = list.iter().map(builtin).collect::<PyResult<Vec<_>>>()?;
                Some(made.try_into().map_err(|_| PyValueError::new_err("opponents: expected three"))?)
            }
        };
        let threads = threads_of(threads)?.get();
        let config = Config {
            seed: seed_of(seed)?,
            slots: n as u64,
            edition,
            layout: layout_of(layout)?,
            trades,
            max_turns,
            max_steps,
            rewards,
            skip_forced,
            opponents,
            stop: cancellation.stop,
            seat: seat.map(builder_of).transpose()?,
        };
        let slots = (0..n as u64).map(|slot| Slot::new(&config, slot)).collect();
        let samplers = samplers(&config);
        let mut env = Self {
            config,
            slots,
            samplers,
            legal: vec![[0; ActionMask::WORDS]; n],
            chosen: vec![0; n],
            threads,
            pool: new_pool(threads)?,
            process: std::process::id(),
            observations: observations.then(|| array2(py, n, observation::SIZE)).transpose()?,
            final_observations: final_observations.then(|| array2(py, n, observation::SIZE)).transpose()?,
            masks: masks.then(|| array2(py, n, Action::COUNT)).transpose()?,
            words: mask_words.then(|| array2(py, n, ActionMask::WORDS)).transpose()?,
            players: array1(py, n),
            rewards: array2(py, n, Builder::COUNT)?,
            terminated: array1(py, n),
            truncated: array1(py, n),
            winners: array1(py, n),
            seeds: array1(py, n),
            samples: array1(py, n),
        };
        env.run(py, true)?;
        Ok(env)
    }

    /// Begin a game in every slot.
    ///
    /// With `seed`, the games are the games of a new environment with this seed. Without it, the next games begin.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed.map(|seed| seed_of(Some(seed))).transpose()?;
        self.check_arrays(py)?;
        if let Some(seed) = seed {
            self.config.seed = seed;
            let slots = (0..self.config.slots).map(|slot| Slot::new(&self.config, slot));
            self.slots = slots.collect();
            self.samplers = samplers(&self.config);
        } else {
            let slots = self.config.slots;
            self.slots.iter_mut().for_each(|slot| slot.number = slot.number.wrapping_add(slots));
        }
        self.run(py, true)
    }

    /// Play an action in every slot, and write all arrays.
    ///
    /// `actions` are the indices of the actions, an integer array of shape (n,). A game that ends is replaced by a new one: `rewards`, `terminated`,
    /// `truncated` and `winners` are about the old game, the other arrays about the new one. Raises `IllegalActionError` if an action is
    /// illegal; nothing is played then.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i64>>() {
            self.choose(&actions)?;
        } else if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i32>>() {
            self.choose(&actions)?;
        } else if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, u16>>() {
            self.choose(&actions)?;
        } else {
            let numpy = py.import("numpy")?;
            let array = numpy.call_method1("asarray", (actions,))?;
            let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
            let shape: Vec<usize> = array.getattr("shape")?.extract()?;
            if !matches!(kind.as_str(), "i" | "u") || shape.len() != 1 {
                return Err(PyTypeError::new_err("actions: expected a one-dimensional array of integers"));
            }
            let array = array.call_method1("astype", ("int64",))?;
            self.choose(&array.extract::<PyReadonlyArray1<'_, i64>>()?)?;
        }
        self.run(py, false)
    }

    /// Return a random legal action for each slot, an `int64` array of shape (n,), drawn from the slot's own generator.
    fn sample_actions(&mut self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let mut samples = writable(py, &self.samples)?;
        let samples_slice = slice(&mut samples, self.slots.len())?;
        for ((sample, sampler), legal) in samples_slice.iter_mut().zip(&mut self.samplers).zip(&self.legal) {
            let count = legal.iter().map(|word| word.count_ones()).sum();
            let mut left = if count > 1 { rng::below(sampler, count) } else { 0 };
            for (number, &word) in (0..).zip(legal) {
                if left < word.count_ones() {
                    let mut rest = word;
                    for _ in 0..left {
                        rest &= rest - 1;
                    }
                    *sample = 64 * number + i64::from(rest.trailing_zeros());
                    break;
                }
                left -= word.count_ones();
            }
        }
        drop(samples);
        Ok(self.samples.clone_ref(py))
    }

    /// Return a copy of the game in a slot.
    fn game(&self, slot: usize) -> PyResult<PyGame> {
        let slot = self.slots.get(slot);
        let slot = slot.ok_or_else(|| PyIndexError::new_err(format!("slots are 0 to {}", self.slots.len() - 1)))?;
        Ok(PyGame::new_from(slot.state.clone()))
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    fn __repr__(&self) -> String {
        format!("<VectorEnv {}, {} games, {} threads>", self.config.edition.name, self.slots.len(), self.threads)
    }

    /// Return the number of slots.
    #[getter]
    const fn n(&self) -> usize {
        self.slots.len()
    }

    /// Return the seed from which the seeds of all games are derived.
    #[getter]
    const fn seed(&self) -> u64 {
        self.config.seed
    }

    /// Return the number of threads.
    #[getter]
    const fn threads(&self) -> usize {
        self.threads
    }

    /// Return the observations from the seat of the current player, a row for each slot; None if they are not wanted.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Option<Py<PyArray2<u8>>> {
        self.observations.as_ref().map(|array| array.clone_ref(py))
    }

    /// Return the last observation of each game that ended in the last step, a row for each slot, from the agent's seat; without opponents,
    /// from the seat of the builder whose turn would be next.
    ///
    /// None if they are not wanted.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Option<Py<PyArray2<u8>>> {
        self.final_observations.as_ref().map(|array| array.clone_ref(py))
    }

    /// Return the legal actions as bytes of 0 and 1, a row for each slot; None if they are not wanted.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Option<Py<PyArray2<i8>>> {
        self.masks.as_ref().map(|array| array.clone_ref(py))
    }

    /// Return the legal actions as bits: action `i` is bit `i % 64` of word `i // 64`; None if they are not wanted.
    #[getter]
    fn mask_words(&self, py: Python<'_>) -> Option<Py<PyArray2<u64>>> {
        self.words.as_ref().map(|array| array.clone_ref(py))
    }

    /// Return the current player of each slot.
    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.players.clone_ref(py)
    }

    /// Return the rewards of the last step: a row for each slot, a column for each builder.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rewards.clone_ref(py)
    }

    /// Return, for each slot, whether its game was over after the last step.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Return, for each slot, whether its game reached the limit of turns in the last step.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// Return, for each slot, the winner of the game that ended in the last step, or -1.
    #[getter]
    fn winners(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.winners.clone_ref(py)
    }

    /// Return the seed of the game in each slot: `Game(seed=...)` is the same game.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        self.seeds.clone_ref(py)
    }
}
