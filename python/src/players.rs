//! Computer players, and Python functions as players.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use constructor::batch::State;
use constructor::game::{Action, Builder, ChanceOutcome, Game, LegalActions, Phase, Trades};
use constructor::guide::TableChances;
use constructor::players::{Budget, Limit, Player, PlayerFactory, PlayerKind, StopSignal, TriedAction, choose_legal};
use constructor::rand::Rng;
use constructor::rng;
use constructor::simulate::Cancellation;
use constructor::text::Edition;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand_chacha::ChaCha8Rng;

use crate::actions::action_of;
use crate::arguments::{PLAYOUTS, exactly, kind_named, limit_of, playouts_of, seed_of};
use crate::game::{PyGame, refusal};
use crate::interrupt::interruptible;
use crate::recorder::check;

/// A computer player. It remembers the positions it has seen in a game, so use a new player for each game.
///
/// Arguments:
/// - `name`: one of `PLAYERS`.
/// - `playouts`: the budget of hard and expert players for each decision; by default 1,000.
/// - `think_ms`: milliseconds for each decision instead.
/// - `seed`: the seed of the player's own generator; `None` draws it.
///
/// A player can be called as a function of a game. Raises `ValueError` if an argument is invalid.
#[pyclass(name = "Player", module = "constructor_game", frozen)]
pub struct PyPlayer {
    pub kind: PlayerKind,
    pub limit: Limit,
    seed: u64,
    stop: StopSignal,
    inner: Mutex<Inner>,
}

struct Inner {
    player: Box<dyn Player>,
    rng: ChaCha8Rng,
    evaluations: u64,
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (name, *, playouts = None, think_ms = None, seed = None))]
    fn new(
        name: &str,
        playouts: Option<&Bound<'_, PyAny>>,
        think_ms: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (kind, limit, seed) = (kind_named(name)?, limit_of(playouts, think_ms)?, seed_of(seed)?);
        let budget = Budget::new(limit);
        let stop = budget.stop_signal();
        let inner = Mutex::new(Inner { player: kind.player(&budget), rng: rng::from_seed(seed), evaluations: 0 });
        Ok(Self { kind, limit, seed, stop, inner })
    }

    /// Return the name of the player's kind.
    #[getter]
    const fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Return the playouts for each decision; `None` for a player that thinks by time.
    #[getter]
    fn playouts(&self) -> Option<u32> {
        self.limit.playouts()
    }

    /// Return the milliseconds for each decision; `None` unless the player thinks by time.
    #[getter]
    fn think_ms(&self) -> Option<u64> {
        self.limit.milliseconds()
    }

    /// Return the seed of the player's generator.
    #[getter]
    const fn seed(&self) -> u64 {
        self.seed
    }

    /// Choose an action as `choose` does, so that a player can be given wherever a function can.
    fn __call__(&self, py: Python<'_>, game: &PyGame) -> PyResult<u16> {
        self.choose(py, game)
    }

    /// Choose a legal action, and return its index.
    ///
    /// The game is unchanged. Raises `ValueError` if the game is over.
    fn choose(&self, py: Python<'_>, game: &PyGame) -> PyResult<u16> {
        self.chosen(py, game).map(|(action, _)| action)
    }

    /// Choose a legal action as `choose` does, and return it with what the search has tried.
    ///
    /// Returns a dictionary: `action` is the choice, `actions` the indices of the candidates, `visits` how often each was tried, `values` their
    /// estimated chances to win, and `prior` the action that the player would choose without a search. The arrays are empty where nothing was
    /// searched: for players that do not search, decisions with one legal action, and trades that are offered to an expert.
    fn search<'py>(&self, py: Python<'py>, game: &PyGame) -> PyResult<Bound<'py, PyDict>> {
        let (chosen, tried) = self.chosen(py, game)?;
        let found = PyDict::new(py);
        found.set_item("action", chosen)?;
        found.set_item("prior", tried.first().map_or(chosen, |first| first.action.index()))?;
        found.set_item("actions", PyArray1::from_iter(py, tried.iter().map(|one| i64::from(one.action.index()))))?;
        found.set_item("visits", PyArray1::from_iter(py, tried.iter().map(|one| i64::from(one.trials))))?;
        found.set_item("values", PyArray1::from_iter(py, tried.iter().map(|one| one.value)))?;
        Ok(found)
    }

    /// Show the player a position before any player decides. An expert learns from this how the other players play.
    fn observe(&self, py: Python<'_>, game: &PyGame) {
        let position = game.state.game;
        // Another thread may search with this player for long.
        py.detach(|| self.inner().player.observe(&position));
    }

    /// Estimate the chance of each builder to win, by playouts.
    ///
    /// `playouts` is the number of playouts, by default the player's own budget. `players` names the four players who sit there, as
    /// `simulate` does; `None` in it is a player of whom nothing is known, who is taken for one somewhat weaker than `hard`. Without `players`, four normal
    /// players sit there. Returns four chances as a `float64` array, which add up to at most 1, since a playout may end without a winner.
    #[pyo3(signature = (game, *, playouts = None, players = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        game: &PyGame,
        playouts: Option<&Bound<'py, PyAny>>,
        players: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (position, trades) = (game.state.game, game.state.trades);
        if let Some(winner) = position.winner() {
            let chances = Builder::ALL.map(|builder| if builder == winner { 1.0 } else { 0.0 });
            return Ok(PyArray1::from_slice(py, &chances));
        }
        let own = self.limit.playouts().unwrap_or(PLAYOUTS);
        let playouts = playouts.map_or(Ok(own), playouts_of)?;
        let kind = |name: &Bound<'_, PyAny>| name.extract::<Option<String>>()?.as_deref().map(kind_named).transpose();
        let kinds = players.map(|names| exactly("players", names, kind)).transpose()?;
        let kinds = kinds.unwrap_or([Some(PlayerKind::Normal); Builder::COUNT]);
        let seed = py.detach(|| {
            let mut inner = self.inner();
            inner.evaluations += 1;
            rng::split_mix64(self.seed, inner.evaluations)
        });
        let evaluate = || {
            let mut chances = TableChances::new(position, kinds, trades, seed);
            while chances.playouts() < playouts && !self.stop.is_stopped() {
                chances.add_playouts((playouts - chances.playouts()).min(16));
            }
            chances.estimate().unwrap_or_default()
        };
        Ok(PyArray1::from_slice(py, &self.interruptible(py, evaluate)?))
    }

    fn __repr__(&self) -> String {
        let budget = match (self.kind.uses_budget(), self.playouts(), self.think_ms()) {
            (true, Some(playouts), _) => format!(", playouts={playouts}"),
            (true, _, Some(milliseconds)) => format!(", think_ms={milliseconds}"),
            _ => String::new(),
        };
        format!("Player('{}'{budget}, seed={})", self.kind.name(), self.seed)
    }

    /// Return what pickle needs to make a new player with the same arguments. What the player has seen of a game is not kept.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PlayerArguments)> {
        let make = py.import("constructor_game._engine")?.getattr("_player")?;
        Ok((make, (self.kind.name(), self.playouts(), self.think_ms(), self.seed)))
    }
}

type PlayerArguments = (&'static str, Option<u32>, Option<u64>, u64);

/// Makes a player from the arguments that a pickled [`PyPlayer`] has.
#[pyfunction]
#[pyo3(name = "_player")]
pub fn player(
    name: &str,
    playouts: Option<&Bound<'_, PyAny>>,
    think_ms: Option<&Bound<'_, PyAny>>,
    seed: &Bound<'_, PyAny>,
) -> PyResult<PyPlayer> {
    PyPlayer::new(name, playouts, think_ms, Some(seed))
}

impl PyPlayer {
    /// Returns the player.
    ///
    /// A panic while it was locked would have been reported already.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the player choose an action. Returns its index, and what a search has tried.
    fn chosen(&self, py: Python<'_>, game: &PyGame) -> PyResult<(u16, Vec<TriedAction>)> {
        let (position, trades) = (game.state.game, game.state.trades);
        let choose = move || {
            let mut inner = self.inner();
            let Inner { player, rng, .. } = &mut *inner;
            player.observe(&position);
            if matches!(position.phase(), Phase::TurnStart(_)) {
                player.begin_turn();
                return (Some(Action::Roll), Vec::new());
            }
            if let Some(forced) = position.legal_actions(trades).forced() {
                return (Some(forced), Vec::new());
            }
            let chosen = choose_legal(&position, trades, player, rng);
            (chosen, player.tried_actions().to_vec())
        };
        let (chosen, tried) = if self.kind.uses_budget() || self.kind == PlayerKind::Classic {
            self.interruptible(py, choose)?
        } else {
            choose()
        };
        let chosen = chosen.ok_or_else(|| PyValueError::new_err("the game is over"))?;
        Ok((chosen.index(), tried))
    }

    fn interruptible<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let result = interruptible(py, &self.stop, work);
        self.stop.reset();
        result
    }
}

/// The place where the Python functions that a simulation calls report their exceptions. The first exception ends the simulation.
#[derive(Clone, Default)]
pub struct DeferredError(Arc<Mutex<Option<PyErr>>>);

impl DeferredError {
    /// Takes the exception, if there is one.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Reports an exception, unless there was one before.
    pub fn set(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// The settings that players of a list share.
#[derive(Clone)]
pub struct PlayerContext {
    pub edition: &'static Edition,
    pub trades: Trades,
    /// The budget of players that are given by name.
    pub limit: Limit,
    pub cancellation: Cancellation,
    pub failure: DeferredError,
}

impl PlayerContext {
    /// Makes the factory of a player: a name, a [`PyPlayer`] (its seed is not used), or a function of a game that returns an action.
    pub fn factory(&self, object: &Bound<'_, PyAny>) -> PyResult<PlayerFactory> {
        let budget = |limit| Budget::new(limit).with_stop_signal(self.cancellation.stop.clone());
        if let Ok(name) = object.extract::<String>() {
            return Ok(kind_named(&name)?.factory(&budget(self.limit)));
        }
        if let Ok(player) = object.cast::<PyPlayer>() {
            let player = player.get();
            return Ok(player.kind.factory(&budget(player.limit)));
        }
        if !object.is_callable() {
            let kind = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!("players: expected a name, a Player or a function, not {kind}")));
        }
        let name = object.getattr("__name__").and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| "function".to_owned());
        let (function, table) = (Arc::new(object.clone().unbind()), self.clone());
        let make = move || -> Box<dyn Player> {
            Box::new(FunctionPlayer { function: Arc::clone(&function), table: table.clone(), turns: 0 })
        };
        Ok(PlayerFactory::new(&name, make).slow())
    }
}

/// A Python function that plays.
struct FunctionPlayer {
    function: Arc<Py<PyAny>>,
    table: PlayerContext,
    /// The number of turns that have ended.
    turns: u64,
}

impl FunctionPlayer {
    fn ask(&self, game: &Game) -> PyResult<Action> {
        Python::attach(|py| {
            let mut state = State::of_position(game, self.table.edition, self.table.trades);
            state.turns = self.turns;
            let chosen = self.function.bind(py).call1((PyGame::new_from(state.clone()),))?;
            let action = action_of(&chosen)?;
            check(&state, action).map_err(|refused| refusal(&state, action, refused, None))?;
            Ok(action)
        })
    }
}

impl Player for FunctionPlayer {
    fn choose(&mut self, game: &Game, _actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        if self.table.cancellation.stop.is_stopped() {
            // The game is dropped.
            return None;
        }
        match self.ask(game) {
            Ok(action) => Some(action),
            Err(error) => {
                self.table.failure.set(error);
                self.table.cancellation.stop.stop();
                self.table.cancellation.drop_games.stop();
                None
            }
        }
    }

    fn wants_observations(&self) -> bool {
        false
    }

    fn begin_game(&mut self, _game: &Game, _builder: Builder) {
        self.turns = 0;
    }

    fn follow(&mut self, _builder: Builder, action: Action, _outcome: &ChanceOutcome, _after: &Game) {
        self.turns += u64::from(action == Action::EndTurn);
    }

    fn wants_actions(&self) -> bool {
        true
    }
}
