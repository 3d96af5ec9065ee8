//! Running `tune`: a file of weights that improves from round to round.

use std::io;
use std::path::Path;

use constructor::lab::{NetworkKind, NetworkTraining, SpsaTuning, rounds_of, weights_file};
use constructor::players::{Network, Weights};
use constructor_common::files::MAX_FILE_SIZE;
use constructor_common::frame::{Failure, Io};
use constructor_common::{display_path, io_error_text};

use crate::options::{TuneOptions, TuneTarget};

/// Improves the weights in the file up to the requested round.
///
/// The file is complete at any time, so an interrupted run can be continued.
///
/// # Errors
/// When the file cannot be read or written, or contains weights of another kind.
pub fn tune(io: &Io, options: &TuneOptions) -> Result<u8, Failure> {
    match options.what {
        TuneTarget::Normal => tune_weights(io, options, Weights::normal()),
        TuneTarget::Rollout => tune_weights(io, options, Weights::rollout()),
        TuneTarget::Value => train_network(io, options, NetworkKind::Value),
        TuneTarget::Placement => train_network(io, options, NetworkKind::Placement),
        TuneTarget::Turn => train_network(io, options, NetworkKind::Turn),
    }?;
    Ok(0)
}

fn tune_weights(io: &Io, options: &TuneOptions, first: Weights) -> Result<(), String> {
    let tuning = SpsaTuning {
        edition: options.common.edition,
        tunes_rollout: options.what == TuneTarget::Rollout,
        seed: options.common.seed,
        boards: options.boards,
        threads: options.common.threads(),
    };
    let parse = |text: &str| Weights::parse(text).map_err(|error| error.to_string());
    run_rounds(io, options, first, parse, Weights::write, |number, weights| {
        let round = tuning.round(number, weights);
        let report = round.report(number);
        if round.is_better() {
            *weights = round.weights;
        }
        io.print(report.as_bytes())
    })
}

fn train_network(io: &Io, options: &TuneOptions, kind: NetworkKind) -> Result<(), String> {
    let training = NetworkTraining {
        edition: options.common.edition,
        seed: options.common.seed,
        games: options.boards,
        threads: options.common.threads(),
    };
    let parse = |text: &str| Network::parse(kind.spec(), text).map_err(|error| error.to_string());
    run_rounds(io, options, training.first(kind), parse, Network::write, |number, network| {
        let round = training.round(number, network);
        let report = round.report(number);
        *network = round.network;
        io.print(report.as_bytes())
    })
}

/// Plays the rounds that the file does not have yet, and writes the file after each.
fn run_rounds<T>(
    io: &Io,
    options: &TuneOptions,
    first: T,
    parse: impl Fn(&str) -> Result<T, String>,
    write: impl Fn(&T) -> String,
    round: impl Fn(u64, &mut T) -> Result<(), String>,
) -> Result<(), String> {
    let (mut weights, played) = resume_file(io, &options.weights, &parse)?.unwrap_or((first, 0));
    if played >= options.rounds {
        io.print(format!("{played} rounds have already been played\n").as_bytes())?;
    }
    for number in played..options.rounds {
        round(number, &mut weights)?;
        let text = write(&weights);
        // Weights that are not finite could not be read again.
        if let Err(error) = parse(&text) {
            return Err(format!(
                "round {}: the weights are not finite numbers ({error}); nothing is written",
                number + 1
            ));
        }
        io.files.save(&options.weights, weights_file(number + 1, &text).as_bytes())?;
    }
    Ok(())
}

/// Reads the weights in the file and the number of rounds played; `None` if there is no file.
fn resume_file<T>(io: &Io, path: &Path, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<(T, u64)>, String> {
    let named = |error: String| format!("{}: {error}", display_path(path));
    let text = match io.files.read(path, MAX_FILE_SIZE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| named(io_error_text(&error)))?,
    };
    io.files.release_input(path);
    let text = String::from_utf8_lossy(&text);
    let weights = parse(&text).map_err(named)?;
    let rounds = rounds_of(&text).map_err(named)?;
    Ok(Some((weights, rounds)))
}
