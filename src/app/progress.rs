//! Progress bars on standard error, for work that takes long.

use std::fmt;
use std::io::{self, IsTerminal};

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// A bar of games and their speed, shown before the first game ends.
pub(super) fn games(is_quiet: bool, count: u64) -> ProgressBar {
    bar(is_quiet, count, "{wide_bar} {human_pos} of {human_len} games, {speed}, {eta} left")
}

/// A bar of positions.
pub(super) fn positions(is_quiet: bool, count: u64) -> ProgressBar {
    bar(is_quiet, count, "{wide_bar} {human_pos} of {human_len} positions, {eta} left")
}

fn bar(is_quiet: bool, count: u64, template: &str) -> ProgressBar {
    if is_quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count);
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("speed", write_speed));
    bar.tick();
    bar
}

/// Writes the speed as `14,937 games/s`, below 10 with a decimal.
fn write_speed(state: &ProgressState, out: &mut dyn fmt::Write) {
    let speed = state.per_sec();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
    let rounded = speed.round() as u64;
    let _ =
        if speed < 10.0 { write!(out, "{speed:.1} games/s") } else { write!(out, "{} games/s", HumanCount(rounded)) };
}
