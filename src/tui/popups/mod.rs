//! Dialogs and pages over the board, each in one file: its state, its keys, its picture. A key is answered by a value.

pub mod end;
pub mod games;
pub mod hand_over;
pub mod input;
pub mod leave;
pub mod log;
pub mod review;
pub mod text;
pub mod trade;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, ClickTarget};
use super::key::Key;

/// Draws a button for Enter, and one for Escape.
fn draw_buttons(enter: &str, style: Style, y: u16, within: Rect, canvas: &mut Canvas<'_>) {
    let row = Rect { y: within.y + y, height: 1, ..within };
    let end = canvas.put_in(row, 0, 0, enter, style) - row.x;
    canvas.hit(Rect { width: end, ..row }, ClickTarget::Key(Key::Enter));
    let text = canvas.theme.text();
    let after = canvas.put_in(row, end + 1, 0, "[ Esc ]", text) - row.x;
    canvas.hit(Rect { x: row.x + end + 1, width: after.saturating_sub(end + 1), ..row }, ClickTarget::Key(Key::Esc));
}
