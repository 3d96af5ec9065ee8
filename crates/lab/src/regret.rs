//! Running `regret`: a table of the cost of decisions.

use constructor::lab::{RegretJudge, RegretPart};
use constructor_common::frame::{Failure, Io};

use crate::options::RegretOptions;
use crate::play::player;

/// Measures the regret of players and prints it with its standard error, in wins per game of one builder.
///
/// # Errors
/// When a player cannot be made, or standard output fails.
pub fn regret(io: &Io, options: &RegretOptions) -> Result<u8, Failure> {
    let players = options.players.iter().map(|name| player(io, name, &options.thinking));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let judge = RegretJudge {
        edition: options.common.edition,
        seed: options.common.seed,
        games: options.games,
        spacing: options.spacing,
        playouts: options.judge,
        setup_playouts: options.judge_setup,
        threads: options.common.threads(),
    };
    let regrets = judge.measure(&players);
    let width = options.players.iter().map(String::len).max().unwrap_or(0).max("decisions".len());
    let mut text = format!("{:width$}", "");
    for part in RegretPart::ALL {
        text += &format!("  {:>15}", format!("{part:?}").to_lowercase());
    }
    if let Some(first) = regrets.first() {
        text += &format!("\n{:width$}", "decisions");
        first.positions.iter().for_each(|positions| text += &format!("  {positions:>15}"));
    }
    for (name, regret) in options.players.iter().zip(&regrets) {
        text += &format!("\n{name:width$}");
        for (mean, error) in regret.mean.iter().zip(regret.standard_error) {
            text += &format!("  {mean:>7.4} ({error:.4})");
        }
    }
    io.print(format!("{text}\n").as_bytes())?;
    Ok(0)
}
