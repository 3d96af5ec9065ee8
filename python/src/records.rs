//! Records of games.

use constructor::analysis::{Move, moves};
use constructor::batch::State;
use constructor::batch::observation::{PHASES, phase_number};
use constructor::board::{Resource, Roll};
use constructor::game::{Builder, Game, Hand};
use constructor::record;
use constructor::text::Edition;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::trades_of;
use crate::game::PyGame;

/// A recorded game, with every line checked against the rules.
#[pyclass(name = "Record", module = "constructor_game", frozen)]
pub struct PyRecord {
    edition: &'static Edition,
    header: String,
    players: Vec<String>,
    moves: Vec<Move>,
    first: Game,
    last: Game,
    seed: u64,
    trades: bool,
}

/// A move of a recorded game.
#[pyclass(name = "Move", module = "constructor_game", frozen)]
pub struct PyMove(Move);

#[pymethods]
impl PyMove {
    /// Return the number of rolls up to this move, including it; 0 in the setup.
    #[getter]
    const fn turn(&self) -> u32 {
        self.0.turn
    }

    /// Return the builder who decided.
    #[getter]
    const fn builder(&self) -> usize {
        self.0.builder.index()
    }

    /// Return the index of the action.
    #[getter]
    fn action(&self) -> u16 {
        self.0.action.index()
    }

    /// Return the sum of the dice, if the move is a roll.
    #[getter]
    fn roll(&self) -> Option<u8> {
        self.0.outcome.roll.map(Roll::value)
    }

    /// Return the faces of the dice, if they were fair.
    #[getter]
    fn dice(&self) -> Option<[u16; 2]> {
        // Not u8: Python would see bytes.
        self.0.faces.map(|faces| faces.map(u16::from))
    }

    /// Return what each builder lost on a 7, as `Game.apply` takes it.
    #[getter]
    fn lost(&self) -> Option<[[u32; Resource::COUNT]; Builder::COUNT]> {
        let lost = self.0.outcome.lost;
        self.0.outcome.roll.filter(|roll| roll.is_seven()).map(|_| lost.map(Hand::counts))
    }

    /// Return the resource that was stolen.
    #[getter]
    fn stolen(&self) -> Option<usize> {
        self.0.outcome.stolen.map(Resource::index)
    }

    fn __repr__(&self) -> String {
        format!("<Move in turn {}: {}>", self.0.turn, crate::actions::name(self.0.action))
    }
}

#[pymethods]
impl PyRecord {
    /// Return the name of the edition.
    #[getter]
    const fn edition(&self) -> &'static str {
        self.edition.name
    }

    /// Return the seed.
    #[getter]
    const fn seed(&self) -> u64 {
        self.seed
    }

    /// Return the first line of the record, as a dictionary.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.header,))
    }

    /// Return the names of the players at the end, in turn order.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.players.clone()
    }

    /// Return the moves, without those that were undone.
    #[getter]
    fn moves(&self) -> Vec<PyMove> {
        self.moves.iter().map(|one| PyMove(*one)).collect()
    }

    /// Return the winner, if the game is over.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.last.winner().map(Builder::index)
    }

    /// Return the points at the end.
    #[getter]
    fn points(&self) -> [u32; Builder::COUNT] {
        Builder::ALL.map(|builder| self.last.points(builder))
    }

    /// Return the position before each move, and the last position.
    fn games(&self) -> Vec<PyGame> {
        let positions = self.moves.iter().map(|one| one.after);
        let game = |position| PyGame::new_from(State::of_position(&position, self.edition, trades_of(self.trades)));
        std::iter::once(self.first).chain(positions).map(game).collect()
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        let (phase, points) = (PHASES[phase_number(self.last.phase())], self.points());
        format!(
            "<Record {}, seed {}: {} moves, {phase}, points {points:?}>",
            self.edition.name,
            self.seed,
            self.moves.len()
        )
    }
}

/// Reads the games of a record.
#[pyfunction]
#[pyo3(name = "parse_records")]
pub fn parse(text: &[u8]) -> PyResult<Vec<PyRecord>> {
    let (records, _) = record::read(text).map_err(|error| PyValueError::new_err(format!("record: {error}")))?;
    records.iter().map(one).collect()
}

fn one(record: &record::Record) -> PyResult<PyRecord> {
    let replayed = moves(record);
    let (first, moves, replay) =
        replayed.map_err(|(line, error)| PyValueError::new_err(format!("record: line {line}: {error}")))?;
    let header = serde_json::to_string(&record.header).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyRecord {
        edition: replay.edition(),
        header,
        players: replay.players().iter().map(|player| player.player.clone()).collect(),
        first,
        last: *replay.dialogue().game(),
        moves,
        seed: record.header.seed.parse().unwrap_or_default(),
        trades: record.header.trades,
    })
}
