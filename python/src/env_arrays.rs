//! The arrays of environments.

use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Makes an array of zeros, if it is wanted, by `numpy`, which raises `MemoryError` where there is no memory.
pub fn zeros<T: Element, D: Dimension>(
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
pub fn writable<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    array: Option<&Py<PyArray<T, D>>>,
) -> PyResult<Option<PyReadwriteArray<'py, T, D>>> {
    let borrow = |array: &Py<PyArray<T, D>>| array.bind(py).try_readwrite();
    let borrowed = array.map(borrow).transpose();
    borrowed.map_err(|error| PyRuntimeError::new_err(format!("an array of the environment: {error}")))
}

/// Returns the entries of a borrowed array; none if it is not wanted.
pub fn entries<'a, T: Element, D: Dimension>(
    array: &'a mut Option<PyReadwriteArray<'_, T, D>>,
) -> PyResult<&'a mut [T]> {
    array.as_mut().map_or(Ok(&mut []), |array| Ok(array.as_slice_mut()?))
}

/// Converts the actions of some slots, an integer array of shape (count,), to numbers.
pub fn integers(name: &str, actions: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
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
