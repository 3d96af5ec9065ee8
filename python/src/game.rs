//! The class `Game`.

use std::hash::{DefaultHasher, Hash, Hasher};

use constructor::batch::observation::{BUILDERS, COMPACT_SIZE, Observer, PHASES, SIZE, phase_number};
use constructor::batch::{Snapshot, State, expand};
use constructor::board::{Resource, Roll, Terrain, Tile};
use constructor::game::{Action, Builder, Hand, ImpossibleChance, Trades};
use constructor::report::board_svg;
use constructor::text::{EDITIONS, render, save};
use numpy::{PyArray1, PyArrayMethods, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use serde::Deserialize;

use crate::actions::{self, action_of};
use crate::arguments::{edition_named, exactly, layout_of, number, resource_of, seat_of, seed_of, trades_of};
use crate::recorder::{GivenChance, Recorder, Refused, apply, check};

/// A game: a position, its generator, and the order of building.
///
/// Arguments:
/// - `edition`: one of `editions()`.
/// - `layout`: the text of a layout, or the path of its file; `None` draws it.
/// - `seed`: 0 to 2^64 - 1, as in the text game; `None` draws it.
/// - `trades`: whether players may offer trades.
/// - `record`: whether actions are kept for `record()`.
///
/// Raises `ValueError` if an argument is invalid, and `OSError` if the file cannot be read.
#[pyclass(name = "Game", module = "constructor_game")]
#[derive(Clone)]
pub struct PyGame {
    pub state: State,
    recorder: Option<Box<Recorder>>,
}

/// The version of [`PyGame::to_bytes`], their first byte.
const BYTES_VERSION: u8 = 2;

/// The version before, in which games had no dice of a match.
const BYTES_WITHOUT_DICE: u8 = 1;

/// The value of a park, as in layout files.
const PARK_VALUE: u8 = 7;

/// Collects the given outcomes of chance from the arguments of `apply`.
fn given_chance(
    roll: Option<&Bound<'_, PyAny>>,
    lost: Option<&Bound<'_, PyAny>>,
    stolen: Option<&Bound<'_, PyAny>>,
) -> PyResult<GivenChance> {
    let sum = |object| number("roll", object, 2..=12).map(|sum| i64::try_from(sum).ok().and_then(Roll::new));
    let roll = roll.map(sum).transpose()?.flatten();
    let units = |object: &Bound<'_, PyAny>| {
        let units = number("lost", object, 0..=u32::MAX.into())?;
        Ok(u32::try_from(units).unwrap_or(u32::MAX))
    };
    let hand = |object: &Bound<'_, PyAny>| exactly("lost: a hand", object, units).map(Hand::new);
    let lost = lost.map(|object| exactly("lost", object, hand)).transpose()?;
    let stolen = stolen.map(resource_of).transpose()?;
    Ok(GivenChance { roll, lost, stolen })
}

/// Returns the exception for a refused action; `slot` is its slot in a vectorised environment.
#[cold]
pub fn refusal(state: &State, action: Action, refused: Refused, slot: Option<usize>) -> PyErr {
    let chance = |text: &str| actions::refused(action, "chance", text, slot);
    match refused {
        Refused::Illegal(reason) | Refused::Impossible(ImpossibleChance::Illegal(reason)) => {
            let text = state.edition.why_not(&state.game, action).unwrap_or_else(|| reason.to_string());
            actions::refused(action, actions::rule_name(reason), &text, slot)
        }
        Refused::NoTrades => actions::refused(action, "trades", "trades are turned off in this game", slot),
        Refused::Impossible(ImpossibleChance::Roll) => chance("'roll' is for rolls, and 'lost' needs one"),
        Refused::Impossible(ImpossibleChance::Lost(builder)) => chance(&format!(
            "on a 7 {} loses half of at least 10 units, rounded down, and otherwise none; 'lost' says otherwise",
            BUILDERS[builder.index()]
        )),
        Refused::Impossible(ImpossibleChance::Stolen) => {
            chance("'stolen' is for robbing, and must be a resource that the victim holds")
        }
    }
}

/// Writes a mask of actions to an array of bytes, or to a new one.
fn write_mask<'py>(py: Python<'py>, words: &[u64], out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let Some(out) = out else {
        let mut bytes = vec![0_i8; Action::COUNT];
        expand(words, bytemuck::cast_slice_mut(&mut bytes));
        return Ok(PyArray1::from_vec(py, bytes).into_any());
    };
    if let Ok(mut array) = out.extract::<PyReadwriteArray1<'_, i8>>() {
        expand(words, bytemuck::cast_slice_mut(sized(array.as_slice_mut()?, Action::COUNT)?));
    } else if let Ok(mut array) = out.extract::<PyReadwriteArray1<'_, u8>>() {
        expand(words, sized(array.as_slice_mut()?, Action::COUNT)?);
    } else if let Ok(mut array) = out.extract::<PyReadwriteArray1<'_, bool>>() {
        let slice = sized(array.as_slice_mut()?, Action::COUNT)?;
        for (index, is_legal) in slice.iter_mut().enumerate() {
            *is_legal = words[index / 64] >> (index % 64) & 1 == 1;
        }
    } else {
        return Err(PyTypeError::new_err("out: expected a writable one-dimensional array of int8, uint8 or bool"));
    }
    Ok(out)
}

fn sized<T>(slice: &mut [T], size: usize) -> PyResult<&mut [T]> {
    if slice.len() == size {
        return Ok(slice);
    }
    Err(PyValueError::new_err(format!("out: expected {size} entries, not {}", slice.len())))
}

/// Reads a value from all of some bytes.
pub fn read_bytes<'a, T: Deserialize<'a>>(data: &'a [u8]) -> Result<T, String> {
    let (value, rest) = postcard::take_from_bytes(data).map_err(|error| error.to_string())?;
    if rest.is_empty() { Ok(value) } else { Err("there are bytes after the end".to_owned()) }
}

impl PyGame {
    /// Wraps a game that is not recorded.
    pub const fn new_from(state: State) -> Self {
        Self { state, recorder: None }
    }

    fn seat(&self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Builder> {
        match seat {
            Some(seat) => seat_of(seat),
            None => Ok(self.state.acting()),
        }
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (*, edition = "constructor", layout = None, seed = None, trades = false, record = false))]
    fn new(
        edition: &str,
        layout: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        trades: bool,
        record: bool,
    ) -> PyResult<Self> {
        let layout = layout_of(layout)?;
        let state = State::new(edition_named(edition)?, layout.as_ref(), seed_of(seed)?, trades_of(trades));
        let recorder = record.then(|| Box::new(Recorder::new(&state, None, layout.is_none())));
        Ok(Self { state, recorder })
    }

    /// Continue a saved game.
    ///
    /// Arguments: `text` is the saved game; the others are those of `Game`. Returns the game. Raises `ValueError`, which names the wrong
    /// line, if `text` is not a valid saved game.
    #[staticmethod]
    #[pyo3(signature = (text, *, edition = "constructor", seed = None, trades = false, record = false))]
    fn from_save(
        text: &str,
        edition: &str,
        seed: Option<&Bound<'_, PyAny>>,
        trades: bool,
        record: bool,
    ) -> PyResult<Self> {
        let edition = edition_named(edition)?;
        let wrong = |error: save::ParseError| PyValueError::new_err(format!("saved game: {error}"));
        let saved = save::read_game(edition, text.as_bytes()).map_err(wrong)?;
        let state = State::from_saved(edition, &saved, seed_of(seed)?, trades_of(trades));
        let state = state.map_err(|conflict| wrong(conflict.into()))?;
        let recorder = record.then(|| Box::new(Recorder::new(&state, Some(&saved), false)));
        Ok(Self { state, recorder })
    }

    /// Return the text of a saved game, as the text game of this edition would save it now.
    fn to_save(&self) -> String {
        save::write_game(self.state.edition, &self.state.saved_game())
    }

    /// Return the game that `to_bytes` wrote.
    ///
    /// Raises `ValueError` if `data` is not such a game.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        let wrong = |text: &str| PyValueError::new_err(format!("not a game as bytes: {text}"));
        let snapshot: Snapshot = match data.split_first() {
            Some((&BYTES_VERSION, data)) => read_bytes(data),
            Some((&BYTES_WITHOUT_DICE, data)) => read_bytes(&[data, &[0]].concat()),
            _ => Err("the version is not known".to_owned()),
        }
        .map_err(|error| wrong(&error))?;
        snapshot.state().map(Self::new_from).map_err(|error| wrong(&error))
    }

    /// Return the game as some 200 bytes, with its generator.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = postcard::to_extend(&self.state.snapshot(), vec![BYTES_VERSION]);
        Ok(PyBytes::new(py, &bytes.map_err(|error| PyValueError::new_err(error.to_string()))?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        if self.recorder.is_some() {
            return Err(PyTypeError::new_err("a game that is recorded cannot be pickled; keep its record() instead"));
        }
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (self.to_bytes(py)?,)))
    }

    /// Return a copy, with its generator and its record.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        let (own, other) = (&self.state, &other.borrow().state);
        own.game == other.game && own.edition.name == other.edition.name && own.trades == other.trades
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.game.hash64().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        render(self.state.edition, &self.state.game).trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let State { game, seed, edition, .. } = &self.state;
        let (phase, points) = (PHASES[phase_number(game.phase())], self.points());
        let player = game.current_player().map_or("nobody", |builder| BUILDERS[builder.index()]);
        format!("<Game {}, seed {seed}: {phase}, {player} to act, points {points:?}>", edition.name)
    }

    /// Return the board as a picture.
    fn svg(&self) -> String {
        board_svg(self.state.edition, &self.state.game)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Return the name of the edition.
    #[getter]
    const fn edition(&self) -> &'static str {
        self.state.edition.name
    }

    /// Return the seed.
    #[getter]
    const fn seed(&self) -> u64 {
        self.state.seed
    }

    /// Return whether players may offer trades.
    #[getter]
    fn trades(&self) -> bool {
        self.state.trades == Trades::On
    }

    /// Return the number of turns that have ended.
    #[getter]
    const fn turns(&self) -> u64 {
        self.state.turns
    }

    /// Return the current player; None once the game is over.
    #[getter]
    fn player(&self) -> Option<usize> {
        self.state.game.current_player().map(Builder::index)
    }

    /// Return the phase: one of `PHASES`.
    #[getter]
    const fn phase(&self) -> &'static str {
        PHASES[phase_number(self.state.game.phase())]
    }

    /// Return whether the game is over.
    #[getter]
    fn done(&self) -> bool {
        self.state.game.current_player().is_none()
    }

    /// Return the winner, if the game is over.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.state.game.winner().map(Builder::index)
    }

    /// Return the points of each builder.
    #[getter]
    fn points(&self) -> [u32; Builder::COUNT] {
        Builder::ALL.map(|builder| self.state.game.points(builder))
    }

    /// Return the units of each resource that each builder holds.
    #[getter]
    fn hands(&self) -> [[u32; Resource::COUNT]; Builder::COUNT] {
        Builder::ALL.map(|builder| self.state.game.hand(builder).counts())
    }

    /// Return the tile with the geese; None if they are off the board.
    #[getter]
    fn geese(&self) -> Option<u8> {
        self.state.game.geese().map(Tile::number)
    }

    /// Return the layout, in the format of a layout file.
    #[getter]
    fn layout(&self) -> String {
        save::write_layout(self.state.game.layout()).trim_end().to_owned()
    }

    /// Return the resource and the value of each tile; None and 7 for a park.
    #[getter]
    fn tiles(&self) -> [(Option<usize>, u8); Tile::COUNT] {
        let mut tiles = [(None, PARK_VALUE); Tile::COUNT];
        for (entry, tile) in tiles.iter_mut().zip(Tile::all()) {
            if let Terrain::Resource(resource, value) = self.state.game.layout()[tile] {
                *entry = (Some(resource.index()), value.value());
            }
        }
        tiles
    }

    /// Return the edges with roads of each builder.
    #[getter]
    fn roads(&self) -> [Vec<u16>; Builder::COUNT] {
        // Not u8: Python would see bytes.
        Builder::ALL.map(|builder| self.state.game.roads(builder).iter().map(|edge| edge.number().into()).collect())
    }

    /// Return the vertices with residences of each builder, and the kinds: `basement`, `house`, `tower`.
    #[getter]
    fn residences(&self) -> [Vec<(u8, &'static str)>; Builder::COUNT] {
        const KINDS: [&str; 3] = ["basement", "house", "tower"];
        let game = &self.state.game;
        let kind = |vertex| game.residence(vertex).map_or("", |kind| KINDS[kind.index()]);
        Builder::ALL
            .map(|builder| game.residences(builder).iter().map(|vertex| (vertex.number(), kind(vertex))).collect())
    }

    /// Return the edition's names of the builders.
    #[getter]
    const fn builder_names(&self) -> [&'static str; Builder::COUNT] {
        self.state.edition.strings.colours
    }

    /// Return the edition's names of the resources.
    #[getter]
    const fn resource_names(&self) -> [&'static str; Resource::COUNT] {
        self.state.edition.strings.resources
    }

    /// Return the indices of the legal actions; none once the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut actions: Vec<u16> = self.state.legal_actions().iter().map(Action::index).collect();
        actions.sort_unstable();
        PyList::new(py, actions)
    }

    /// Return an array with 1 for each legal action and 0 for the others: `out` if it is given, of `int8`, `uint8` or `bool`.
    #[pyo3(signature = (out = None))]
    fn legal_mask<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        write_mask(py, &self.state.legal_actions().mask().words(), out)
    }

    /// Return whether an action is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(check(&self.state, action_of(action)?).is_ok())
    }

    /// Play an action.
    ///
    /// Arguments:
    /// - `action`: an `Action` or an index, 0 to 360.
    /// - `roll`: the sum of the dice, 2 to 12.
    /// - `lost`: the units lost on a 7, four rows of five counts.
    /// - `stolen`: the stolen resource, its number or name.
    ///
    /// Outcomes of chance that are not given are drawn. Raises `IllegalActionError`, with its `rule`, if the rules do not allow the action or
    /// the outcome; the game is then unchanged.
    #[pyo3(signature = (action, *, roll = None, lost = None, stolen = None))]
    fn apply(
        &mut self,
        action: &Bound<'_, PyAny>,
        roll: Option<&Bound<'_, PyAny>>,
        lost: Option<&Bound<'_, PyAny>>,
        stolen: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let action = action_of(action)?;
        let given = given_chance(roll, lost, stolen)?;
        apply(&mut self.state, self.recorder.as_deref_mut(), action, given)
            .map_err(|refused| refusal(&self.state, action, refused, None))
    }

    /// Return all positions that may follow an action, with their probabilities.
    ///
    /// `action` is an `Action` or an index. Returns pairs of a game, with a copy of the generator, and a probability; the probabilities add up to
    /// 1. Raises `IllegalActionError` if the action is illegal.
    fn outcomes(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<(Self, f64)>> {
        let action = action_of(action)?;
        let refused = |refused| refusal(&self.state, action, refused, None);
        check(&self.state, action).map_err(refused)?;
        let outcomes = self.state.game.outcomes(action);
        let outcomes = outcomes.map_err(|error| refused(Refused::Illegal(error)))?;
        let after = |(game, probability)| {
            let mut state = self.state.clone();
            state.update_after(action, &game);
            // A record could not contain the new position.
            (Self::new_from(state), probability)
        };
        Ok(outcomes.map(after).collect())
    }

    /// Return the observation from a builder's seat.
    ///
    /// Arguments: `seat`, 0 to 3, by default the current player; `out`, the `uint8` array to write and return, of one entry for each name in
    /// `OBSERVATION`, or in `COMPACT_OBSERVATION` if it is `compact`.
    #[pyo3(signature = (seat = None, out = None, *, compact = false))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<&Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyArray1<u8>>>,
        compact: bool,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let (game, size) = (&self.state.game, if compact { COMPACT_SIZE } else { SIZE });
        let (seat, mut observer) = (self.seat(seat)?, Observer::new(game));
        let out = out.unwrap_or_else(|| PyArray1::from_vec(py, vec![0; size]));
        let mut array = out.try_readwrite().map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
        let slice = sized(array.as_slice_mut()?, size)?;
        observer.write(game, 0, seat, slice);
        drop(array);
        Ok(out)
    }

    /// Return an action as it is typed in the text game.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.state.edition.action_text(action_of(action)?))
    }

    /// Return the action that this text stands for in the current phase.
    ///
    /// Raises `ValueError` if there is none.
    fn parse(&self, text: &str) -> PyResult<u16> {
        let parsed = self.state.edition.parse_action(text, self.state.game.phase());
        parsed.map(Action::index).map_err(|error| PyValueError::new_err(format!("'{text}': {error}")))
    }

    /// Return the record so far, as JSON Lines.
    ///
    /// `players` are the names of the players. Raises `ValueError` unless the game was made with `record=True`.
    #[pyo3(signature = (players = None))]
    fn record(&self, players: Option<[String; Builder::COUNT]>) -> PyResult<String> {
        let Some(recorder) = &self.recorder else {
            return Err(PyValueError::new_err("this game is not recorded: begin it with record=True"));
        };
        Ok(recorder.text(self.state.edition, &self.state.game, players.as_ref()))
    }
}

/// Returns the names of the editions.
#[pyfunction]
pub fn editions() -> Vec<&'static str> {
    EDITIONS.iter().map(|edition| edition.name).collect()
}
