//! Simulations and their results.

use std::sync::LazyLock;

use constructor::game::{Builder, Residence};
use constructor::simulate::{
    self, Adjustment, Cancellation, GameResult, KeepOptions, MergeError, Merged, Played, Progress, RunInfo, Schedule,
    SeatResult, Simulation, Stats, Unit, Units,
};
use constructor::statistics::wilson_interval;
use numpy::{Element, PyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Settings, coefficient_of, exactly, rates_of, threads_of};
use crate::interrupt::interruptible;
use crate::players::{DeferredError, PlayerContext};

/// The results of a simulation, or of merged units.
#[pyclass(name = "_Results", module = "constructor_game._engine")]
pub struct PyResults {
    simulation: Simulation,
    parts: Vec<Stats>,
    stats: Stats,
    columns: Option<Columns>,
    records: Option<String>,
    missing: Option<String>,
}

/// The results of games as columns, with a row for each seat of each game, as in the CSV file.
#[derive(Default)]
struct Columns {
    game: Vec<u64>,
    seed: Vec<u64>,
    turns: Vec<u32>,
    plies: Vec<u32>,
    seat: Vec<u8>,
    player_number: Vec<u8>,
    won: Vec<bool>,
    points: Vec<u8>,
    residences: [Vec<u8>; Residence::COUNT],
    roads: Vec<u8>,
    /// The columns gained, lost, stolen, robbed, traded and trades, in this sequence.
    units: [Vec<u32>; 6],
    /// The vertices of the first two basements; -1 if there is no such basement.
    sites: [Vec<i8>; 2],
    /// Only if results are adjusted for luck.
    luck: Vec<f64>,
}

impl Columns {
    fn add(&mut self, result: &GameResult) {
        let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
        let medium = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let winner = result.end.winner();
        for builder in Builder::ALL {
            let (seat, player) = (&result.seats[builder.index()], result.seating[builder.index()]);
            self.game.push(result.number);
            self.seed.push(result.seed);
            self.turns.push(medium(result.turns));
            self.plies.push(medium(result.plies));
            self.seat.push(small(builder.index() as u64 + 1));
            self.player_number.push(small(player as u64 + 1));
            self.won.push(winner == Some(builder));
            self.points.push(small(result.end.points(builder).into()));
            for (column, kind) in self.residences.iter_mut().zip(Residence::ALL) {
                column.push(small(result.residences(builder, kind)));
            }
            self.roads.push(small(result.end.roads(builder).len().into()));
            // Only programs that play can fail, and none plays here.
            let SeatResult { gained, lost, stolen, robbed, traded, trades, first_sites, failed: _ } = *seat;
            for (column, units) in self.units.iter_mut().zip([gained, lost, stolen, robbed, traded, trades]) {
                column.push(medium(units));
            }
            for (column, site) in self.sites.iter_mut().zip(first_sites) {
                column.push(site.map_or(-1, |vertex| i8::try_from(vertex.number()).unwrap_or(-1)));
            }
            self.luck.extend(result.luck.map(|luck| simulate::in_wins(luck[builder.index()])));
        }
    }

    /// Returns the columns as arrays, without a copy.
    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        fn set<T: Element>(dict: &Bound<'_, PyDict>, name: &str, column: Vec<T>) -> PyResult<()> {
            dict.set_item(name, PyArray1::from_vec(dict.py(), column))
        }
        let dict = PyDict::new(py);
        let Self { game, seed, turns, plies, seat, player_number, won, points, residences, roads, units, sites, luck } =
            self;
        set(&dict, "game", game)?;
        set(&dict, "seed", seed)?;
        set(&dict, "turns", turns)?;
        set(&dict, "plies", plies)?;
        set(&dict, "seat", seat)?;
        set(&dict, "player_number", player_number)?;
        set(&dict, "won", won)?;
        set(&dict, "points", points)?;
        for (name, column) in ["basements", "houses", "towers"].into_iter().zip(residences) {
            set(&dict, name, column)?;
        }
        set(&dict, "roads", roads)?;
        for (name, column) in ["gained", "lost", "stolen", "robbed", "traded", "trades"].into_iter().zip(units) {
            set(&dict, name, column)?;
        }
        for (name, column) in ["first_site", "second_site"].into_iter().zip(sites) {
            set(&dict, name, column)?;
        }
        if !luck.is_empty() {
            set(&dict, "luck", luck)?;
        }
        Ok(dict)
    }
}

/// Collects rows and records of the games, and reports progress to a function.
struct Collector<'p> {
    columns: Option<Columns>,
    records: Option<String>,
    progress: Option<&'p Py<PyAny>>,
    cancellation: Cancellation,
    failure: DeferredError,
}

impl Progress for Collector<'_> {
    fn played(&mut self, games: u64) {
        let Some(progress) = self.progress else { return };
        if let Err(error) = Python::attach(|py| progress.call1(py, (games,)).map(drop)) {
            self.failure.set(error);
            self.cancellation.stop.stop();
        }
    }

    fn games(&mut self, played: Played) {
        if let Some(records) = &mut self.records {
            records.push_str(&played.records);
        }
        if let Some(columns) = &mut self.columns {
            played.results.iter().for_each(|result| columns.add(result));
        }
    }
}

/// Returns the schedule with this name.
fn schedule_named(name: &str) -> PyResult<Schedule> {
    Schedule::by_name(name).ok_or_else(|| {
        let names = Schedule::ALL.map(Schedule::name).join(", ");
        PyValueError::new_err(format!("there is no schedule '{name}': {names}"))
    })
}

/// Makes a simulation from its arguments.
fn simulation_of(
    arguments: &Bound<'_, PyDict>,
    cancellation: &Cancellation,
    failure: &DeferredError,
) -> PyResult<Simulation> {
    let settings = Settings::new(arguments.py(), Some(arguments))?;
    let (edition, trades, limit) = (settings.edition()?, settings.trades()?, settings.limit()?);
    let (cancellation, failure) = (cancellation.clone(), failure.clone());
    let context = PlayerContext { edition, trades, limit, cancellation, failure };
    let Some(players) = settings.take("players")? else { return Err(PyTypeError::new_err("players: missing")) };
    let mut simulation = Simulation::new(edition, exactly("players", &players, |player| context.factory(player))?);
    if let Some(layout) = settings.layout()? {
        simulation.source = Box::new(layout);
    }
    simulation.schedule = schedule_named(&settings.text("schedule", Schedule::Rotated.name())?)?;
    (simulation.trades, simulation.seed) = (trades, settings.number("seed", 0..=u64::MAX, 0)?);
    simulation.max_turns = settings.number("max_turns", 1..=u64::MAX, simulation.max_turns)?;
    let board = simulation.schedule.games_per_board();
    let games = |name, default| match settings.number(name, 0..=u64::MAX, default)? {
        number if number.is_multiple_of(board) => Ok(number),
        number => {
            Err(PyValueError::new_err(format!("{name}: {number} is not a multiple of {board}, the games of a board")))
        }
    };
    (simulation.first, simulation.games) = (games("first", 0)?, games("games", simulation.games)?);
    if simulation.first.checked_add(simulation.games).is_none() {
        return Err(PyValueError::new_err("first and games: too large"));
    }
    simulation.sprt = settings.take("sprt")?.map(|rates| rates_of(&rates)).transpose()?;
    let coefficient = settings.take("adjust")?.map(|coefficient| coefficient_of(&coefficient)).transpose()?;
    simulation.adjustment = coefficient.map(Adjustment::new);
    settings.finish()?;
    Ok(simulation)
}

/// Plays the games of a simulation.
///
/// With a sequential test, stops once the test is decided, unless `all_games` is `true`. The program's commands `simulate` and `match` do
/// the same.
#[pyfunction]
#[pyo3(name = "_simulate", signature = (setup, *, threads, rows, records, all_games, progress))]
pub fn play_games(
    py: Python<'_>,
    setup: &Bound<'_, PyDict>,
    threads: Option<&Bound<'_, PyAny>>,
    rows: bool,
    records: bool,
    all_games: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyResults> {
    let (cancellation, failure, threads) = (Cancellation::default(), DeferredError::default(), threads_of(threads)?);
    let simulation = simulation_of(setup, &cancellation, &failure)?;
    let mut collector = Collector {
        columns: rows.then(Columns::default),
        records: records.then(String::new),
        progress: progress.as_ref(),
        cancellation: cancellation.clone(),
        failure: failure.clone(),
    };
    let outputs = KeepOptions { rows: false, records, results: rows };
    let played = interruptible(py, &cancellation.stop, || {
        let parts =
            simulate::run_with_sequential_test(&simulation, all_games, threads, &cancellation, outputs, &mut collector);
        let mut stats = Stats::default();
        for part in &parts {
            stats.merge(part);
        }
        (parts, stats)
    });
    let (parts, stats) = match failure.take() {
        Some(error) => return Err(error),
        None => played?,
    };
    let Collector { columns, records, .. } = collector;
    Ok(PyResults { simulation, parts, stats, columns, records, missing: None })
}

/// Returns the 95 % interval of a win rate, as the table of a match has it, and the win rate that a sequential test accepts.
#[pyfunction]
#[pyo3(name = "_win_rate")]
pub fn win_rate(
    boards_by_wins: [u64; Builder::COUNT + 1],
    rates: Option<&Bound<'_, PyAny>>,
) -> PyResult<(f64, f64, Option<f64>)> {
    let rates = rates.map(rates_of).transpose()?;
    let wins = (0..).zip(boards_by_wins).map(|(wins, boards): (u64, u64)| wins * boards).sum();
    let games = 4 * boards_by_wins.iter().sum::<u64>();
    let (low, high) = wilson_interval(wins, games);
    Ok((low, high, rates.and_then(|rates| simulate::sequential_test(&boards_by_wins, rates))))
}

/// Returns the JSON of the job that a simulation plays.
#[pyfunction]
#[pyo3(name = "_job")]
pub fn job(setup: &Bound<'_, PyDict>) -> PyResult<String> {
    let simulation = simulation_of(setup, &Cancellation::default(), &DeferredError::default())?;
    serde_json::to_string(&simulate::Job::new(&simulation)).map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl PyResults {
    #[getter]
    const fn games(&self) -> u64 {
        self.stats.games
    }

    #[getter]
    fn player_names(&self) -> Vec<String> {
        self.simulation.players.iter().map(|player| player.name().to_owned()).collect()
    }

    #[getter]
    const fn builder_names(&self) -> [&'static str; Builder::COUNT] {
        self.simulation.edition.strings.colours
    }

    #[getter]
    fn missing(&self) -> Option<String> {
        self.missing.clone()
    }

    /// Return the win rate that a sequential test accepts, if the test is decided.
    #[getter]
    fn accepted(&self) -> Option<f64> {
        self.simulation.verdict(&self.stats)
    }

    fn table(&self) -> String {
        simulate::table(&self.simulation, &self.stats)
    }

    fn json(&self, command: String, duration: f64) -> PyResult<String> {
        let run = RunInfo { command, duration_s: duration, faults: Vec::new() };
        simulate::json(&self.simulation, &self.stats, &run).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Return the columns at the first call; later calls return `None`.
    fn take_columns<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.columns.take().map(|columns| columns.into_dict(py)).transpose()
    }

    fn records(&self) -> Option<&str> {
        self.records.as_deref()
    }

    fn unit(&self) -> PyResult<String> {
        if self.parts.is_empty() && self.stats.games > 0 {
            return Err(PyValueError::new_err("merged units are no unit: keep the units"));
        }
        if self.stats.games < self.simulation.games {
            return Err(PyValueError::new_err("not all games were played"));
        }
        Unit::new(&self.simulation, &self.parts).write().map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// A collection of units, to be merged.
#[pyclass(name = "_Units", module = "constructor_game._engine")]
pub struct PyUnits(Units);

#[pymethods]
impl PyUnits {
    #[new]
    fn new() -> Self {
        Self(Units::new(SIGNATURE.clone()))
    }

    /// Read a unit and add it.
    fn read(&mut self, name: &str, text: &str) -> PyResult<()> {
        self.0.read(name, text).map_err(failed)
    }

    /// Return the first game and the number of games of each unit.
    fn ranges(&self) -> Vec<(u64, u64)> {
        self.0.ranges().collect()
    }

    fn merge(&self) -> PyResult<PyResults> {
        let Merged { simulation, stats, missing } = self.0.merge().map_err(failed)?;
        Ok(PyResults { simulation, parts: Vec::new(), stats, columns: None, records: None, missing })
    }
}

fn failed(error: MergeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The signature of the engine. Its computation takes a fifth of a second.
static SIGNATURE: LazyLock<String> = LazyLock::new(simulate::signature);

/// Returns the signature of the engine.
#[pyfunction]
pub fn signature(py: Python<'_>) -> String {
    py.detach(|| SIGNATURE.clone())
}
