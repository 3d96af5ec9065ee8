//! Arguments from Python: each is checked, and what is said about it names it.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::thread;
use std::time::Duration;

use constructor::batch::observation::RESOURCES;
use constructor::board::{Layout, Resource};
use constructor::game::{Builder, Trades};
use constructor::players::{Limit, PlayerKind, UnknownPlayer};
use constructor::rng;
use constructor::text::{EDITIONS, Edition, save};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

/// The default number of playouts for each decision of players that think, as on the command line.
pub const PLAYOUTS: u32 = 1_000;

/// The keyword arguments of a call. Each is taken by its name; at the end, none may be left.
pub struct Settings<'py>(Bound<'py, PyDict>);

impl<'py> Settings<'py> {
    /// Takes over a copy of the arguments.
    pub fn new(py: Python<'py>, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        given.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy).map(Self)
    }

    /// Takes an argument; `None` if it is missing or `None`.
    pub fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.get_item(name)?;
        if value.is_some() {
            self.0.del_item(name)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    }

    /// Takes an argument that is true or false.
    pub fn flag(&self, name: &str, default: bool) -> PyResult<bool> {
        self.take(name)?.map_or(Ok(default), |value| value.extract().map_err(|error| named(value.py(), name, &error)))
    }

    /// Takes a text.
    pub fn text(&self, name: &str, default: &str) -> PyResult<String> {
        let extract = |value: Bound<'py, PyAny>| value.extract().map_err(|error| named(value.py(), name, &error));
        self.take(name)?.map_or_else(|| Ok(default.to_owned()), extract)
    }

    /// Takes a whole number.
    pub fn number(&self, name: &str, range: RangeInclusive<u64>, default: u64) -> PyResult<u64> {
        self.take(name)?.map_or(Ok(default), |value| number(name, &value, range))
    }

    /// Takes the name of an edition.
    pub fn edition(&self) -> PyResult<&'static Edition> {
        edition_named(&self.text("edition", "constructor")?)
    }

    /// Takes a layout.
    pub fn layout(&self) -> PyResult<Option<Layout>> {
        layout_of(self.take("layout")?.as_ref())
    }

    /// Takes whether players may offer trades.
    pub fn trades(&self) -> PyResult<Trades> {
        self.flag("trades", false).map(trades_of)
    }

    /// Takes a seed.
    pub fn seed(&self) -> PyResult<u64> {
        seed_of(self.take("seed")?.as_ref())
    }

    /// Takes the budget of players.
    pub fn limit(&self) -> PyResult<Limit> {
        limit_of(self.take("playouts")?.as_ref(), self.take("think_ms")?.as_ref())
    }

    /// Returns whether an argument is there, even if it is `None`.
    pub fn has(&self, name: &str) -> PyResult<bool> {
        self.0.contains(name)
    }

    /// Fails if there is an argument that nobody took.
    pub fn finish(self) -> PyResult<()> {
        match self.0.keys().iter().next() {
            None => Ok(()),
            Some(name) => Err(PyTypeError::new_err(format!("there is no argument '{name}'"))),
        }
    }
}

/// Returns the same kind of exception with the name of the argument before its text.
fn named(py: Python<'_>, name: &str, error: &PyErr) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("{name}: {}", error.value(py)))
}

/// Returns a whole number of a range.
pub fn number(name: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let found = value.extract::<u64>();
    match found {
        Ok(found) if range.contains(&found) => Ok(found),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(named(value.py(), name, &error)),
        _ => Err(PyValueError::new_err(format!(
            "{name}: expected a number from {} to {}, not {}",
            range.start(),
            range.end(),
            shortened(value)
        ))),
    }
}

/// Returns a whole number of a range that fits into a size.
pub fn size(name: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<usize>) -> PyResult<usize> {
    let found = number(name, value, *range.start() as u64..=*range.end() as u64)?;
    usize::try_from(found).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

/// Returns a number as text, without the digits of a long one.
pub fn shortened(value: &Bound<'_, PyAny>) -> String {
    const LONG: usize = 30;
    let text = if value.is_instance_of::<PyInt>() { value.str() } else { value.repr() };
    let text = text.map_or_else(|_| "a number of thousands of digits".to_owned(), |text| text.to_string());
    if text.len() > LONG { "a very large number".to_owned() } else { text }
}

/// Collects exactly `N` items of an iterable.
pub fn exactly<const N: usize, T>(
    name: &str,
    items: &Bound<'_, PyAny>,
    each: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<[T; N]> {
    let wrong_number = |_| PyValueError::new_err(format!("{name}: expected {N}"));
    several(name, items, N, each)?.try_into().map_err(wrong_number)
}

/// Collects this many items of an iterable.
///
/// Asks for at most one more, so that an endless iterable is refused, too.
pub fn several<T>(
    name: &str,
    items: &Bound<'_, PyAny>,
    count: usize,
    each: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    if items.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{name}: expected a list of {count}, not a text")));
    }
    let mut found = Vec::with_capacity(count);
    for item in items.try_iter().map_err(|error| named(items.py(), name, &error))? {
        if found.len() == count {
            return Err(PyValueError::new_err(format!("{name}: expected {count}, not more")));
        }
        found.push(each(&item?)?);
    }
    if found.len() < count {
        return Err(PyValueError::new_err(format!("{name}: expected {count}, not {}", found.len())));
    }
    Ok(found)
}

/// Returns the edition with this name.
pub fn edition_named(name: &str) -> PyResult<&'static Edition> {
    Edition::by_name(name).ok_or_else(|| {
        let names: Vec<_> = EDITIONS.iter().map(|edition| edition.name).collect();
        PyValueError::new_err(format!("there is no edition '{name}': {}", names.join(", ")))
    })
}

/// Parses a layout from its text, or from the file that a path names; `None` for a random one.
pub fn layout_of(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Layout>> {
    let Some(object) = object else { return Ok(None) };
    let read = |text: &[u8], name: &str| {
        save::read_layout(text).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
    };
    if let Ok(text) = object.extract::<String>() {
        return read(text.as_bytes(), "layout").map(Some);
    }
    if !object.hasattr("__fspath__")? {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("layout: expected None, a text or a path, not {kind}")));
    }
    let path: std::path::PathBuf = object.extract()?;
    let text = std::fs::read(&path).map_err(|error| {
        let code = error.raw_os_error().unwrap_or(0);
        PyOSError::new_err((code, error.to_string(), path.display().to_string()))
    })?;
    read(&text, &path.display().to_string()).map(Some)
}

/// Converts a Python flag to the engine's setting for trades.
pub const fn trades_of(trades: bool) -> Trades {
    if trades { Trades::On } else { Trades::Off }
}

/// Returns the given seed, or a random seed if it is `None`.
pub fn seed_of(seed: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    seed.map_or_else(|| Ok(rng::random_seed()), |seed| number("seed", seed, 0..=u64::MAX))
}

/// Returns the budget of a player.
pub fn limit_of(playouts: Option<&Bound<'_, PyAny>>, think_ms: Option<&Bound<'_, PyAny>>) -> PyResult<Limit> {
    match (playouts, think_ms) {
        (Some(_), Some(_)) => Err(PyValueError::new_err("give playouts or think_ms, not both")),
        (Some(playouts), None) => playouts_of(playouts).map(Limit::Playouts),
        (None, None) => Ok(Limit::Playouts(PLAYOUTS)),
        (None, Some(think_ms)) => {
            let most = u64::from(u32::MAX);
            number("think_ms", think_ms, 1..=most).map(|milliseconds| Limit::Time(Duration::from_millis(milliseconds)))
        }
    }
}

/// Returns a number of playouts.
pub fn playouts_of(playouts: &Bound<'_, PyAny>) -> PyResult<u32> {
    let number = number("playouts", playouts, 1..=u32::MAX.into())?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Returns the number of threads; by default, the number of cores.
pub fn threads_of(threads: Option<&Bound<'_, PyAny>>) -> PyResult<NonZeroUsize> {
    const MAX: usize = 1024;
    let Some(threads) = threads else { return Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)) };
    size("threads", threads, 1..=MAX).map(|threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

/// Returns the two win rates of a sequential test.
pub fn rates_of(rates: &Bound<'_, PyAny>) -> PyResult<[f64; 2]> {
    let [low, high] = exactly("sprt", rates, |rate| rate.extract().map_err(|error| named(rate.py(), "sprt", &error)))?;
    if 0.0 <= low && low < high && high <= 1.0 {
        Ok([low, high])
    } else {
        Err(PyValueError::new_err("sprt: expected two win rates from 0 to 1 in ascending order"))
    }
}

/// Returns the coefficient by which results are adjusted for luck.
pub fn coefficient_of(coefficient: &Bound<'_, PyAny>) -> PyResult<f64> {
    let found: f64 = coefficient.extract().map_err(|error| named(coefficient.py(), "adjust", &error))?;
    if (0.0..=1.0).contains(&found) {
        return Ok(found);
    }
    Err(PyValueError::new_err(format!("adjust: expected a number from 0 to 1, not {}", shortened(coefficient))))
}

/// Returns the kind of player with this name.
pub fn kind_named(name: &str) -> PyResult<PlayerKind> {
    PlayerKind::named(name).map_err(|_: UnknownPlayer| {
        let names = PlayerKind::SHOWN.map(PlayerKind::name).join(", ");
        PyValueError::new_err(format!("there is no player '{name}': {names}"))
    })
}

/// Returns the builder of a seat.
pub fn seat_of(number: &Bound<'_, PyAny>) -> PyResult<Builder> {
    size("seat", number, 0..=Builder::COUNT - 1).map(|number| Builder::ALL[number])
}

/// Returns a resource by number or name.
pub fn resource_of(object: &Bound<'_, PyAny>) -> PyResult<Resource> {
    if let Ok(name) = object.extract::<String>() {
        let number = RESOURCES.iter().position(|resource| resource.eq_ignore_ascii_case(&name));
        return number
            .map(|number| Resource::ALL[number])
            .ok_or_else(|| PyValueError::new_err(format!("'{name}' is not a resource: {}", RESOURCES.join(", "))));
    }
    size("resource", object, 0..=Resource::COUNT - 1).map(|number| Resource::ALL[number])
}
