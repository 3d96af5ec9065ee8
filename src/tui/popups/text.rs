//! Text in a window that scrolls.

use ratatui::layout::Rect;

use crate::tui::canvas::{Canvas, cells, centred, wrap};
use crate::tui::key::Key;

/// Returns the index of the first line to show after a key is pressed. Returns `None` if the key does not scroll.
#[must_use]
pub const fn press(top: u16, key: Key, page: u16) -> Option<u16> {
    Some(match key {
        Key::Up | Key::Char('k') => top.saturating_sub(1),
        Key::Down | Key::Char('j') => top.saturating_add(1),
        Key::PageUp => top.saturating_sub(page),
        Key::PageDown | Key::Char(' ') => top.saturating_add(page),
        Key::Home => 0,
        _ => return None,
    })
}

/// Draws text in a window, from its line `top` on.
pub fn draw(title: &str, text: &str, top: u16, above: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = cells(longest + 4).clamp(40.min(above.width), above.width);
    let lines = wrap(text.trim_end(), usize::from(width.saturating_sub(4)));
    let height = cells(lines.len() + 2).min(above.height);
    let within = canvas.window(centred(above, width, height), title);
    let top = canvas.scroll(top, lines.len(), within.height);
    for (y, line) in (0..within.height).zip(lines.iter().skip(top)) {
        canvas.put_in(within, 1, y, line, theme.text());
    }
    if top + usize::from(within.height) < lines.len() {
        canvas.put_more(within);
    }
}
