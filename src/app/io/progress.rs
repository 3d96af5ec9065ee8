//! Progress bars, for work that takes long.

use std::fmt;
use std::io;

use console::Term;
use constructor_common::voice::Voice;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use parking_lot::Mutex;

/// Makes a progress bar that counts games and shows their speed. The bar is shown before the first game ends.
pub fn games(voice: &Voice, is_quiet: bool, count: u64) -> ProgressBar {
    bar(voice, is_quiet, count, "{wide_bar} {human_pos} of {human_len} games, {speed}, {left}")
}

/// Makes a progress bar that counts positions.
pub fn positions(voice: &Voice, is_quiet: bool, count: u64) -> ProgressBar {
    bar(voice, is_quiet, count, "{wide_bar} {human_pos} of {human_len} positions, {left}")
}

fn bar(voice: &Voice, is_quiet: bool, count: u64, template: &str) -> ProgressBar {
    if is_quiet || !voice.is_terminal() {
        return ProgressBar::hidden();
    }
    let line = BarLine { voice: voice.clone(), width: Term::stderr().size().1, text: Mutex::default() };
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::term_like(Box::new(line)));
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("speed", write_speed).with_key("left", write_left));
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

/// Writes the estimated time left, once it can be estimated.
fn write_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let _ = if state.pos() == 0 { Ok(()) } else { write!(out, "{:#} left", indicatif::HumanDuration(state.eta())) };
}

/// The line of the terminal in which the voice draws a bar.
#[derive(Debug)]
struct BarLine {
    voice: Voice,
    width: u16,
    /// The text drawn since the last flush.
    text: Mutex<String>,
}

impl TermLike for BarLine {
    fn width(&self) -> u16 {
        self.width
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.text.lock().push_str(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.text.lock().clear();
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        self.voice.show_progress(self.text.lock().trim_end());
        Ok(())
    }
}
