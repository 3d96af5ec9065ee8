//! Drawing of each page, from the state alone.
//!
//! Functions that are called in many places are not inlined: a few frames a second need small code rather than fast code.

mod board;
pub mod charts;
mod dialogs;
pub mod hexes;
mod layout;
pub mod marks;
mod panels;
mod prompt;
mod start;

use ratatui::Frame;

use super::canvas::Canvas;
use super::state::{Page, State};

/// Draws the screen.
pub fn draw(state: &State, frame: &mut Frame<'_>) {
    let mut canvas = Canvas::new(frame.buffer_mut(), state.theme);
    draw_on(state, &mut canvas);
    if let Some(cursor) = canvas.cursor() {
        frame.set_cursor_position(cursor);
    }
}

/// Draws the screen on a canvas.
pub(super) fn draw_on(state: &State, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    if layout::is_too_small(area) {
        canvas.put_in(area, 0, 0, "Too small. Ctrl-C leaves.", state.theme.warning());
        return;
    }
    match &state.page {
        Page::Start(page) => start::draw(page, canvas),
        Page::Play(play) => {
            let areas = layout::Areas::new(area, play, state.theme);
            board::draw(play, &areas, canvas);
            panels::draw(play, state.preferences, &areas, canvas);
            dialogs::draw(&play.overlay, play, state.preferences, &areas, canvas);
            prompt::draw(play, state.preferences, &areas, canvas);
        }
    }
}
