//! Weights that are tuned, as their user sees it: a file that grows better.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::print;
use crate::cli::TuneOptions;
use crate::complaint::{failure, reason, shown};
use crate::players::Weights;
use crate::simulate::Tuning;
use crate::store;

/// How a line begins that says how many rounds there were.
const ROUNDS: &str = "# rounds:";

/// Tunes the weights in the file up to the round that is asked for. The file is whole at every moment: should this be
/// stopped, it goes on from there.
#[must_use]
pub fn run_tuning(options: &TuneOptions) -> ExitCode {
    tune(options).map_or_else(failure, |()| ExitCode::SUCCESS)
}

fn tune(options: &TuneOptions) -> Result<(), String> {
    let (mut weights, first) = begun(&options.weights)?;
    let tuning =
        Tuning { edition: options.edition, seed: options.seed, boards: options.boards, threads: options.threads };
    if first >= options.rounds {
        print(&format!("{first} rounds were played already\n"))?;
    }
    for number in first..options.rounds {
        let round = tuning.round(number, &weights);
        if round.is_better() {
            print(&format!(
                "round {}: {} instead of {} of {} games\n",
                number + 1,
                round.wins,
                round.wins_before,
                round.games
            ))?;
            weights = round.changed;
        }
        let text = format!("{ROUNDS} {}\n{}", number + 1, weights.write());
        let written = store::write(&options.weights, text.as_bytes());
        written.map_err(|unwritten| format!("{}: {unwritten}", shown(&options.weights)))?;
    }
    Ok(())
}

/// The weights in the file, and how many rounds there were; where there is no file, those of the program.
fn begun(path: &Path) -> Result<(Weights, u64), String> {
    let text = match store::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Weights::tuned(), 0)),
        read => read.map_err(|error| format!("{}: {}", shown(path), reason(&error)))?,
    };
    let text = String::from_utf8_lossy(&text);
    let weights = Weights::read(&text).map_err(|no_weights| format!("{}: {no_weights}", shown(path)))?;
    let rounds = text.lines().enumerate().find_map(|(number, line)| Some((number + 1, line.strip_prefix(ROUNDS)?)));
    let Some((number, rounds)) = rounds else { return Ok((weights, 0)) };
    let rounds = rounds.trim().parse();
    let rounds = rounds.map_err(|_| format!("{}: line {number}: wanted is '{ROUNDS}' and a number", shown(path)))?;
    Ok((weights, rounds))
}
