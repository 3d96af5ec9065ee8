//! Running `tune`: a file of weights that improves from round to round.

use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::{io, mem};

use constructor_common::{atomic_file, display_path, io_error_text, output, signals};
use parking_lot::Mutex;

use super::cli::{TuneOptions, TuneTarget};
use super::{exit_with_error, print_error};
use crate::players::{Network, NetworkKind, Weights};
use crate::simulate::training::{NetworkTraining, SpsaTuning, rounds_of, weights_file};

/// Improves the weights in the file up to the requested round. The file is complete at every moment, so an interrupted run can
/// be continued.
#[must_use]
pub fn run_tuning(options: &TuneOptions) -> ExitCode {
    let done = match options.target {
        TuneTarget::Normal => tune_weights(options, Weights::normal()),
        TuneTarget::Planner => tune_weights(options, Weights::rollout()),
        TuneTarget::Value => train_network(options, NetworkKind::Value),
        TuneTarget::Placement => train_network(options, NetworkKind::Placement),
        TuneTarget::Turn => train_network(options, NetworkKind::Turn),
    };
    done.map_or_else(exit_with_error, |()| ExitCode::SUCCESS)
}

fn tune_weights(options: &TuneOptions, first: Weights) -> Result<(), String> {
    let tuning = SpsaTuning {
        edition: options.edition,
        tunes_rollout: options.target == TuneTarget::Planner,
        seed: options.seed,
        boards: options.boards,
        threads: options.threads,
    };
    let parse = |text: &str| Weights::parse(text).map_err(|error| error.to_string());
    run_rounds(options, first, parse, Weights::write, |number, weights| {
        let round = tuning.round(number, weights);
        let report = round.report(number);
        if round.is_better() {
            *weights = round.weights;
        }
        print(&report)
    })
}

fn train_network(options: &TuneOptions, kind: NetworkKind) -> Result<(), String> {
    let training = NetworkTraining {
        edition: options.edition,
        seed: options.seed,
        games: options.boards,
        threads: options.threads,
    };
    let parse = |text: &str| Network::parse(kind, text).map_err(|error| error.to_string());
    run_rounds(options, training.first(kind), parse, Network::write, |number, network| {
        let round = training.round(number, network);
        let report = round.report(number);
        *network = round.network;
        print(&report)
    })
}

/// Plays the rounds that the file does not have yet, and writes the file after each.
fn run_rounds<T>(
    options: &TuneOptions,
    first: T,
    parse: impl Fn(&str) -> Result<T, String>,
    write: impl Fn(&T) -> String,
    round: impl Fn(u64, &mut T) -> Result<(), String>,
) -> Result<(), String> {
    let writing = exit_between_writes_on_signals();
    let (mut weights, played) = resume_file(&options.weights, parse)?.unwrap_or((first, 0));
    if played >= options.rounds {
        print(&format!("{played} rounds have already been played\n"))?;
    }
    for number in played..options.rounds {
        round(number, &mut weights)?;
        let text = weights_file(number + 1, &write(&weights));
        let guard = writing.lock();
        let written = atomic_file::write(&options.weights, text.as_bytes());
        drop(guard);
        written.map_err(|error| format!("{}: {error}", display_path(&options.weights)))?;
    }
    Ok(())
}

/// Ends the program when a signal arrives, but not while the returned lock is held.
fn exit_between_writes_on_signals() -> Arc<Mutex<()>> {
    let lock = Arc::new(Mutex::new(()));
    let shared = Arc::clone(&lock);
    let waiting = signals::on_termination(move |status| {
        mem::forget(shared.lock());
        process::exit(status.into());
    });
    if let Err(error) = waiting {
        print_error(format_args!("a signal may leave a temporary file: {}", io_error_text(&error)));
    }
    lock
}

/// The weights in the file and the number of rounds played; `None` if there is no file.
fn resume_file<T>(path: &Path, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<(T, u64)>, String> {
    let text = match atomic_file::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| format!("{}: {}", display_path(path), io_error_text(&error)))?,
    };
    let text = String::from_utf8_lossy(&text);
    let weights = parse(&text).map_err(|error| format!("{}: {error}", display_path(path)))?;
    let rounds = rounds_of(&text).map_err(|error| format!("{}: {error}", display_path(path)))?;
    Ok(Some((weights, rounds)))
}

fn print(text: &str) -> Result<(), String> {
    output::print(text.as_bytes())
}
