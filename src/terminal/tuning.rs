//! Weights that are tuned, as their user sees it: a file that grows better.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::print;
use crate::cli::{TuneOptions, Tuned};
use crate::complaint::{failure, reason, shown};
use crate::players::{Network, Weights};
use crate::simulate::{Learning, Tuning};
use crate::store;

/// How a line begins that says how many rounds there were.
const ROUNDS: &str = "# rounds:";

/// Tunes the weights in the file up to the round that is asked for. The file is whole at every moment: should this be
/// stopped, it goes on from there.
#[must_use]
pub fn run_tuning(options: &TuneOptions) -> ExitCode {
    let done = match options.what {
        Tuned::Normal => tune_weights(options, Weights::tuned()),
        Tuned::Planner => tune_weights(options, Weights::planner()),
        Tuned::Value => learn(options),
    };
    done.map_or_else(failure, |()| ExitCode::SUCCESS)
}

fn tune_weights(options: &TuneOptions, first: Weights) -> Result<(), String> {
    let tuning = Tuning {
        edition: options.edition,
        plans: options.what == Tuned::Planner,
        seed: options.seed,
        boards: options.boards,
        threads: options.threads,
    };
    let read = |text: &str| Weights::read(text).map_err(|no_weights| no_weights.to_string());
    improve(options, first, read, Weights::write, |number, weights| {
        let round = tuning.round(number, weights);
        if !round.is_better() {
            return Ok(());
        }
        *weights = round.changed;
        let (wins, before) = (round.wins, round.wins_before);
        print(&format!("round {}: {wins} instead of {before} of {} games\n", number + 1, round.games))
    })
}

fn learn(options: &TuneOptions) -> Result<(), String> {
    let learning =
        Learning { edition: options.edition, seed: options.seed, games: options.boards, threads: options.threads };
    let read = |text: &str| Network::read(text).map_err(|no_network| no_network.to_string());
    improve(options, learning.first(), read, Network::write, |number, network| {
        let learned = learning.round(number, network);
        *network = learned.network;
        let (positions, cost) = (learned.positions, learned.cost);
        print(&format!("round {}: {positions} positions, which cost {cost:.4} each\n", number + 1))
    })
}

/// Plays the rounds that the file has not seen, and writes what came of each.
fn improve<T>(
    options: &TuneOptions,
    first: T,
    read: impl Fn(&str) -> Result<T, String>,
    write: impl Fn(&T) -> String,
    round: impl Fn(u64, &mut T) -> Result<(), String>,
) -> Result<(), String> {
    let (mut tuned, begun) = begun(&options.weights, read)?.unwrap_or((first, 0));
    if begun >= options.rounds {
        print(&format!("{begun} rounds were played already\n"))?;
    }
    for number in begun..options.rounds {
        round(number, &mut tuned)?;
        let text = format!("{ROUNDS} {}\n{}", number + 1, write(&tuned));
        let written = store::write(&options.weights, text.as_bytes());
        written.map_err(|unwritten| format!("{}: {unwritten}", shown(&options.weights)))?;
    }
    Ok(())
}

/// What is in the file, and how many rounds there were; nothing where there is no file.
fn begun<T>(path: &Path, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<(T, u64)>, String> {
    let text = match store::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("{}: {}", shown(path), reason(&error)))?,
    };
    let text = String::from_utf8_lossy(&text);
    let tuned = read(&text).map_err(|why| format!("{}: {why}", shown(path)))?;
    let rounds = text.lines().enumerate().find_map(|(number, line)| Some((number + 1, line.strip_prefix(ROUNDS)?)));
    let Some((number, rounds)) = rounds else { return Ok(Some((tuned, 0))) };
    let rounds = rounds.trim().parse();
    let rounds = rounds.map_err(|_| format!("{}: line {number}: wanted is '{ROUNDS}' and a number", shown(path)))?;
    Ok(Some((tuned, rounds)))
}
