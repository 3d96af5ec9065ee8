//! The question whether to leave.

use ratatui::layout::Rect;

use super::draw_buttons;
use crate::tui::canvas::{Canvas, cells, centred, wrap};
use crate::tui::key::Key;

/// Returns whether a key leaves.
#[must_use]
pub const fn leaves(key: Key) -> bool {
    matches!(key, Key::Enter | Key::Char('y' | 'q'))
}

/// Returns whether a key closes the question.
///
/// Other keys do nothing, so that text that is typed there does not reach the game.
#[must_use]
pub const fn stays(key: Key) -> bool {
    matches!(key, Key::Esc | Key::Char('n'))
}

/// Draws the question with what becomes of the game.
pub fn draw(about: &str, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let lines = cells(wrap(about, 24).len());
    let within = canvas.window(centred(area, 26, lines + 3), "leave?");
    let y = canvas.put_wrapped(within, 0, 0, about, theme.text());
    if y < within.height {
        draw_buttons("[ Enter: leave ]", theme.legal(), y, within, canvas);
    }
}
