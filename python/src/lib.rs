//! The native part of the Python package `constructor_game`: games, players, simulations and environments of the crate
//! `constructor` as Python classes. The stubs in `constructor_game/_engine.pyi` document them.

mod actions;
mod arguments;
mod env_arrays;
mod env_options;
mod game;
mod interrupt;
mod players;
mod recorder;
mod records;
mod results;
mod vector_env;
mod workers;

use constructor::batch::observation;
use constructor::board::{Edge, Vertex};
use constructor::game::Action;
use constructor::players::PlayerKind;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Adds all classes, constants and functions to the native module.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<actions::PyAction>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<players::PyPlayer>()?;
    module.add_class::<records::PyMove>()?;
    module.add_class::<records::PyRecord>()?;
    module.add_class::<results::PyResults>()?;
    module.add_class::<results::PyUnits>()?;
    module.add_class::<vector_env::PyVectorEnv>()?;
    module.add("IllegalActionError", py.get_type::<actions::IllegalActionError>())?;
    module.add("ACTIONS", PyTuple::new(py, Action::all().map(actions::PyAction).collect::<Vec<_>>())?)?;
    module.add("ACTIONS_VERSION", actions::VERSION)?;
    let (names, max): (Vec<_>, Vec<_>) = observation::entries().into_iter().unzip();
    module.add("OBSERVATION", PyTuple::new(py, names)?)?;
    let (compact, compact_max): (Vec<_>, Vec<_>) = observation::compact_entries().into_iter().unzip();
    module.add("COMPACT_OBSERVATION", PyTuple::new(py, compact)?)?;
    module.add("COMPACT_OBSERVATION_MAX", PyArray1::from_vec(py, compact_max))?;
    module.add("OBSERVATION_VERSION", observation::VERSION)?;
    module.add("OBSERVATION_MAX", PyArray1::from_vec(py, max))?;
    module.add("OBSERVATION_SCALE", PyArray1::from_vec(py, observation::scales()))?;
    module.add("PLAYERS", PyTuple::new(py, PlayerKind::ALL.map(PlayerKind::name))?)?;
    module.add("RESOURCES", PyTuple::new(py, observation::RESOURCES)?)?;
    module.add("BUILDERS", PyTuple::new(py, observation::BUILDERS)?)?;
    module.add("PHASES", PyTuple::new(py, observation::PHASES)?)?;
    let tiles = |vertex: Vertex| vertex.tiles().iter().map(|tile| u16::from(tile.number())).collect::<Vec<_>>();
    let vertex_tiles = Vertex::all().map(|vertex| PyTuple::new(py, tiles(vertex)));
    module.add("VERTEX_TILES", PyTuple::new(py, vertex_tiles.collect::<PyResult<Vec<_>>>()?)?)?;
    let ends = Edge::all().map(|edge| PyTuple::new(py, edge.ends().map(|end| u16::from(end.number()))));
    module.add("EDGE_VERTICES", PyTuple::new(py, ends.collect::<PyResult<Vec<_>>>()?)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(game::editions, module)?)?;
    module.add_function(wrap_pyfunction!(players::player, module)?)?;
    module.add_function(wrap_pyfunction!(records::parse, module)?)?;
    module.add_function(wrap_pyfunction!(results::play_games, module)?)?;
    module.add_function(wrap_pyfunction!(results::job, module)?)?;
    module.add_function(wrap_pyfunction!(results::signature, module)?)?;
    module.add_function(wrap_pyfunction!(results::win_rate, module)?)?;
    module.add_function(wrap_pyfunction!(vector_env::vector_env, module)?)?;
    Ok(())
}
