//! Running `calibrate`: a table of estimated win probabilities and actual wins.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use constructor::game::Trades;
use constructor::lab::{Calibration, CalibrationPart};
use constructor::players::{Budget, StopSignal};
use constructor::simulate::Simulation;
use constructor::statistics::{ratio, wilson_interval, with_thousands_separators};
use constructor_common::frame::{Failure, Io};

use crate::options::CalibrateOptions;

/// Plays games and prints how well the estimated win probabilities agree with the winners.
///
/// A terminating signal ends the run early; the table then has the games so far.
///
/// # Errors
/// When standard output fails.
pub fn calibrate(io: &Io, options: &CalibrateOptions) -> Result<u8, Failure> {
    let (stop, status) = (StopSignal::default(), Arc::new(AtomicU8::new(0)));
    let (stop_at_signal, stored, io_at_signal) = (stop.clone(), Arc::clone(&status), io.clone());
    io.on_signal(move |status| {
        if stored.swap(status, Ordering::Relaxed) != 0 {
            io_at_signal.exit(status);
        }
        stop_at_signal.stop();
    });
    let players = options.players.map(|kind| kind.factory(&Budget::playouts(options.playouts)));
    let mut simulation = Simulation::new(options.common.edition, players);
    (simulation.games, simulation.seed) = (options.games, options.common.seed);
    simulation.trades = if options.trades { Trades::On } else { Trades::Off };
    let part = if options.setup { CalibrationPart::Setup } else { CalibrationPart::Turns };
    let calibration = Calibration::play(
        &simulation,
        options.players,
        part,
        options.estimates.unwrap_or(options.playouts),
        options.common.threads(),
        &stop,
    );
    io.print(table(&calibration).as_bytes())?;
    Ok(status.load(Ordering::Relaxed))
}

fn table(calibration: &Calibration) -> String {
    let mut text = format!(
        "{} positions of {} games, {} playouts each\n\nestimate       builders   mean    won  95 % CI\n",
        with_thousands_separators(calibration.positions),
        with_thousands_separators(calibration.games),
        with_thousands_separators(calibration.playouts.into()),
    );
    for (number, tenth) in calibration.tenths.iter().enumerate() {
        let _ = write!(
            text,
            "{:>2} to {:>3} %  {:>11}",
            10 * number,
            10 * (number + 1),
            with_thousands_separators(tenth.estimates)
        );
        if tenth.estimates > 0 {
            let mean = ratio(tenth.sum, tenth.estimates) / 1e4;
            let won = 100.0 * ratio(tenth.won, tenth.estimates);
            let (low, high) = wilson_interval(tenth.won, tenth.estimates);
            let _ = write!(text, " {mean:>5.1}% {won:>5.1}%  {:.1} to {:.1} %", 100.0 * low, 100.0 * high);
        }
        text.push('\n');
    }
    let score = |sum: u64| ratio(sum, calibration.positions.max(1)) / 1e12;
    let _ = writeln!(
        text,
        "\nBrier score {:.4}; {:.4} if everybody played like normal",
        score(calibration.brier),
        score(calibration.plain_brier)
    );
    text
}
