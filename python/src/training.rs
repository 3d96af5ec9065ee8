//! Rounds of training whose games are played elsewhere.

use std::num::NonZeroUsize;
use std::ops::Range;

use constructor::players::{Network, NetworkKind, Weights};
use constructor::simulate::training::{NetworkTraining, Sample, SpsaTuning, Trial, rounds_of, weights_file};
use constructor::text::Edition;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use serde::{Deserialize, Serialize};

use crate::game::edition_named;
use crate::results::threads_of;

/// A part of the games of a round.
#[derive(Serialize, Deserialize)]
enum Task {
    /// The wins of weights on these boards.
    Trial { edition: String, tunes_rollout: bool, weights: String, seed: u64, boards: Range<u64> },
    /// The samples of these games of a round, with the network of the round before.
    Samples { kind: NetworkKind, network: String, edition: String, seed: u64, round: u64, games: Range<u64> },
}

fn wrong(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn edition(name: &str) -> PyResult<&'static Edition> {
    edition_named(name)
}

fn spsa(edition: &'static Edition, tunes_rollout: bool, seed: u64, boards: u64) -> SpsaTuning {
    SpsaTuning { edition, tunes_rollout, seed, boards, threads: NonZeroUsize::MIN }
}

/// Plays a task on one thread. The result depends only on the task.
#[pyfunction]
#[pyo3(name = "_play_task")]
pub fn play_task<'py>(py: Python<'py>, task: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let task: Task = postcard::from_bytes(task).map_err(wrong)?;
    let result = match task {
        Task::Trial { edition: name, tunes_rollout, weights, seed, boards } => {
            let tuning = spsa(edition(&name)?, tunes_rollout, 0, 0);
            let trial = Trial { weights: Weights::parse(&weights).map_err(wrong)?, seed, boards };
            postcard::to_stdvec(&py.detach(|| tuning.wins_of(&trial)))
        }
        Task::Samples { kind, network, edition: name, seed, round, games } => {
            let edition = edition(&name)?;
            let network = Network::parse(kind, &network).map_err(wrong)?;
            let training = NetworkTraining { edition, seed, games: 0, threads: NonZeroUsize::MIN };
            postcard::to_stdvec(&py.detach(|| training.samples(&network, round, games)))
        }
    };
    Ok(PyBytes::new(py, &result.map_err(wrong)?))
}

/// The part `part` of `parts` of a range.
fn share(range: &Range<u64>, part: u64, parts: u64) -> Range<u64> {
    let count = range.end - range.start;
    range.start + count * part / parts..range.start + count * (part + 1) / parts
}

/// Calls `play` with tasks, and returns the results.
fn play_all<T: for<'de> Deserialize<'de>>(play: &Bound<'_, PyAny>, tasks: &[Task]) -> PyResult<Vec<T>> {
    let py = play.py();
    let tasks = tasks.iter().map(|task| postcard::to_stdvec(task).map(|bytes| PyBytes::new(py, &bytes)).map_err(wrong));
    let tasks = PyList::new(py, tasks.collect::<PyResult<Vec<_>>>()?)?;
    let results = play.call1((&tasks,))?.try_iter()?;
    let results = results.map(|result| postcard::from_bytes(result?.extract()?).map_err(wrong));
    let results: Vec<T> = results.collect::<PyResult<_>>()?;
    if results.len() == tasks.len() { Ok(results) } else { Err(wrong("play: expected a result for each task")) }
}

/// Plays a round: `what` is `normal`, `planner`, `value`, `placement` or `turn`, `file` a file of weights, or nothing for the first one. `play`
/// gets a list of tasks and returns the result of [`play_task`] for each, in order; a large part is split into `parts` of them.
/// Returns the next file, and a line about the round. The same as a round of `tune`.
#[pyfunction]
#[pyo3(name = "_train_round", signature = (what, file, *, edition, seed, boards, parts, play))]
pub fn train_round(
    what: &str,
    file: Option<&str>,
    edition: &str,
    seed: u64,
    boards: u64,
    parts: u64,
    play: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let name = edition.to_owned();
    let (edition, parts) = (edition_named(edition)?, parts.max(1));
    let round = file.map_or(Ok(0), rounds_of).map_err(wrong)?;
    let (text, report) = match what {
        "normal" | "planner" => {
            let tunes_rollout = what == "planner";
            let first = || if tunes_rollout { Weights::rollout() } else { Weights::normal() };
            let weights = file.map_or_else(|| Ok(first()), Weights::parse).map_err(wrong)?;
            let tuning = spsa(edition, tunes_rollout, seed, boards);
            let played = tuning.round_with(round, &weights, |trials| {
                // Few trials are split, so that there are enough tasks.
                let split = parts.div_ceil(trials.len() as u64);
                let tasks_of = |trial: &Trial| -> Vec<Task> {
                    let weights = trial.weights.write();
                    let task = |part| Task::Trial {
                        edition: name.clone(),
                        tunes_rollout,
                        weights: weights.clone(),
                        seed: trial.seed,
                        boards: share(&trial.boards, part, split),
                    };
                    (0..split).map(task).collect()
                };
                let tasks: Vec<Task> = trials.iter().flat_map(tasks_of).collect();
                let wins: Vec<u64> = play_all(play, &tasks)?;
                let split = usize::try_from(split).unwrap_or(1);
                Ok::<_, PyErr>(wins.chunks(split).map(|parts| parts.iter().sum()).collect())
            })?;
            let report = played.report(round);
            (if played.is_better() { played.weights } else { weights }.write(), report)
        }
        "value" | "placement" | "turn" => {
            let kind = match what {
                "value" => NetworkKind::Value,
                "placement" => NetworkKind::Placement,
                _ => NetworkKind::Turn,
            };
            let training = NetworkTraining { edition, seed, games: boards, threads: threads_of(None)? };
            let parse = |text| Network::parse(kind, text);
            let network = file.map_or_else(|| Ok(training.first(kind)), parse).map_err(wrong)?;
            let played = training.round_with(round, &network, |games| {
                let task = |part| Task::Samples {
                    kind,
                    network: network.write(),
                    edition: name.clone(),
                    seed,
                    round,
                    games: share(&games, part, parts),
                };
                let tasks: Vec<Task> = (0..parts).map(task).collect();
                let samples: Vec<Vec<Sample>> = play_all(play, &tasks)?;
                Ok::<_, PyErr>(samples.into_iter().flatten().collect())
            })?;
            let report = played.report(round);
            (played.network.write(), report)
        }
        _ => {
            let expected = "normal, planner, value, placement or turn";
            return Err(PyValueError::new_err(format!("what: expected {expected}, not '{what}'")));
        }
    };
    Ok((weights_file(round + 1, &text), report))
}

/// The number of rounds that a file of weights has.
#[pyfunction]
#[pyo3(name = "_rounds_of")]
pub fn rounds(file: &str) -> PyResult<u64> {
    rounds_of(file).map_err(wrong)
}
