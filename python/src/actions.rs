//! The table of actions: indices, names and parts, and the rules that illegal ones break.

use constructor::batch::observation::{BUILDERS, RESOURCES};
use constructor::game::{Action, IllegalAction};
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::shortened;

/// The version of the table of actions. Indices are never renumbered: a new version only adds actions.
pub const VERSION: u32 = 1;

create_exception!(
    constructor_game,
    IllegalActionError,
    PyValueError,
    "The rules do not allow an action. The game is unchanged.\n\n`action` is its index, `rule` the kind of rule: \
     'phase', 'place', 'resources', 'builder', 'trades' or 'chance', and `slot` its slot in a `VectorEnv`, or None."
);

/// An action of the table: its index, its name and its parts.
#[pyclass(frozen, name = "Action", module = "constructor_game")]
#[derive(Clone, Copy)]
pub struct PyAction(pub Action);

/// Returns the kind of an action.
const fn kind(action: Action) -> &'static str {
    match action {
        Action::Settle(_) => "settle",
        Action::Roll => "roll",
        Action::MoveGeese(_) => "move-geese",
        Action::Rob(_) => "rob",
        Action::BuildRoad(_) => "build-road",
        Action::BuildBasement(_) => "build-basement",
        Action::Improve(_) => "improve",
        Action::Offer { .. } => "offer",
        Action::Accept => "accept",
        Action::Refuse => "refuse",
        Action::EndTurn => "end-turn",
    }
}

/// Returns the name of an action, such as `build-road 38` or `offer red brick wifi`.
pub fn name(action: Action) -> String {
    let kind = kind(action);
    match action {
        Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => format!("{kind} {vertex}"),
        Action::MoveGeese(tile) => format!("{kind} {tile}"),
        Action::Rob(builder) => format!("{kind} {}", BUILDERS[builder.index()]),
        Action::BuildRoad(edge) => format!("{kind} {edge}"),
        Action::Offer { to, give, take } => {
            format!("{kind} {} {} {}", BUILDERS[to.index()], RESOURCES[give.index()], RESOURCES[take.index()])
        }
        Action::Roll | Action::Accept | Action::Refuse | Action::EndTurn => kind.to_owned(),
    }
}

#[pymethods]
impl PyAction {
    #[new]
    fn new(index: &Bound<'_, PyAny>) -> PyResult<Self> {
        action_of(index).map(Self)
    }

    /// Return the kind, such as `build-road`.
    #[getter]
    const fn kind(&self) -> &'static str {
        kind(self.0)
    }

    /// Return the index in `ACTIONS`.
    #[getter]
    fn index(&self) -> u16 {
        self.0.index()
    }

    /// Return the name: the kind and the parts, such as `build-road 38` or `offer red brick wifi`.
    #[getter]
    fn name(&self) -> String {
        name(self.0)
    }

    /// Return the vertex of `settle`, `build-basement` and `improve`.
    #[getter]
    const fn vertex(&self) -> Option<u8> {
        match self.0 {
            Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => Some(vertex.number()),
            _ => None,
        }
    }

    /// Return the edge of `build-road`.
    #[getter]
    const fn edge(&self) -> Option<u8> {
        if let Action::BuildRoad(edge) = self.0 { Some(edge.number()) } else { None }
    }

    /// Return the tile of `move-geese`.
    #[getter]
    const fn tile(&self) -> Option<u8> {
        if let Action::MoveGeese(tile) = self.0 { Some(tile.number()) } else { None }
    }

    /// Return the builder who is robbed, or to whom a trade is offered.
    #[getter]
    const fn builder(&self) -> Option<usize> {
        match self.0 {
            Action::Rob(builder) | Action::Offer { to: builder, .. } => Some(builder.index()),
            _ => None,
        }
    }

    /// Return the resource that an offer gives.
    #[getter]
    const fn give(&self) -> Option<usize> {
        if let Action::Offer { give, .. } = self.0 { Some(give.index()) } else { None }
    }

    /// Return the resource that an offer takes.
    #[getter]
    const fn take(&self) -> Option<usize> {
        if let Action::Offer { take, .. } = self.0 { Some(take.index()) } else { None }
    }

    /// An action equals its index, and has its hash.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<i64>().is_ok_and(|index| index == i64::from(self.0.index()))
    }

    fn __hash__(&self) -> u64 {
        self.0.index().into()
    }

    fn __index__(&self) -> u16 {
        self.0.index()
    }

    fn __int__(&self) -> u16 {
        self.0.index()
    }

    fn __str__(&self) -> String {
        name(self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Action {}: {}>", self.0.index(), name(self.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (u16,)) {
        (py.get_type::<Self>().into_any(), (self.0.index(),))
    }
}

/// Returns the action with the index that a Python object stands for.
#[inline]
pub fn action_of(object: &Bound<'_, PyAny>) -> PyResult<Action> {
    match object.extract::<u16>().map(Action::from_index) {
        Ok(Some(action)) => Ok(action),
        _ => Err(no_action(object)),
    }
}

#[cold]
fn no_action(object: &Bound<'_, PyAny>) -> PyErr {
    match object.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => error,
        _ => out_of_range(&shortened(object), None),
    }
}

/// Returns the exception for an index that no action has; `slot` is its slot in a vectorised environment.
#[cold]
pub fn out_of_range(index: &str, slot: Option<usize>) -> PyErr {
    let place = slot.map_or(String::new(), |slot| format!("slot {slot}: "));
    PyIndexError::new_err(format!("{place}there is no action {index}: indices are 0 to {}", Action::COUNT - 1))
}

/// Returns the name of the kind of rule that an illegal action breaks.
pub const fn rule_name(rule: IllegalAction) -> &'static str {
    match rule {
        IllegalAction::Phase => "phase",
        IllegalAction::Place => "place",
        IllegalAction::Resources => "resources",
        IllegalAction::Builder => "builder",
    }
}

/// Returns the exception for an action that breaks a rule; `slot` is its slot in a vectorised environment.
#[cold]
pub fn refused(action: Action, rule: &'static str, text: &str, slot: Option<usize>) -> PyErr {
    Python::attach(|py| {
        let place = slot.map_or(String::new(), |slot| format!("slot {slot}: "));
        let error = IllegalActionError::new_err(format!("{place}{} (action {}): {text}", name(action), action.index()));
        let value = error.value(py);
        // Attributes of an exception can always be set.
        let _ = value.setattr("action", action.index());
        let _ = value.setattr("rule", rule);
        let _ = value.setattr("slot", slot);
        error
    })
}
