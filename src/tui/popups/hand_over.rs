//! The choice of the computer player who plays on for a builder.

use ratatui::layout::Rect;

use crate::players::PlayerKind;
use crate::tui::canvas::{Canvas, ClickTarget, cells, centred};
use crate::tui::key::Key;
use crate::tui::types::next_with_letter;

/// The answer of the dialog to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The dialog stays, with this player chosen.
    Choose(PlayerKind),
    /// The chosen player plays on.
    HandOver,
    /// The dialog closes.
    Close,
}

/// Returns the answer to a key while a player is chosen.
#[must_use]
pub fn press(chosen: PlayerKind, key: Key) -> Answer {
    let all = PlayerKind::SHOWN;
    let at = all.iter().position(|&kind| kind == chosen).unwrap_or_default();
    match key {
        Key::Up | Key::Char('k') | Key::BackTab => Answer::Choose(all[at.saturating_sub(1)]),
        Key::Down | Key::Char('j') | Key::Tab => Answer::Choose(all[(at + 1).min(all.len() - 1)]),
        Key::Enter => Answer::HandOver,
        Key::Esc | Key::Char('q' | 'C') => Answer::Close,
        Key::Char(letter) => {
            let next = next_with_letter(&all.map(PlayerKind::name), at, letter);
            Answer::Choose(next.map_or(chosen, |next| all[next]))
        }
        _ => Answer::Choose(chosen),
    }
}

/// Draws the players over the board, for the builder with this name.
pub fn draw(colour: &str, chosen: PlayerKind, above: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let width = PlayerKind::SHOWN.map(|kind| kind.about().len()).into_iter().max().unwrap_or_default();
    let area = centred(above, cells(width + 6), cells(PlayerKind::SHOWN.len() + 2));
    let within = canvas.window(area, &format!("who plays {colour} from now on?"));
    for (index, (kind, y)) in PlayerKind::SHOWN.into_iter().zip(0..within.height).enumerate() {
        let (cursor, style) = if kind == chosen { ("> ", theme.key()) } else { ("  ", theme.text()) };
        canvas.put_parts(within, 1, y, &[(cursor, style), (kind.about(), style)]);
        canvas.hit(Rect { y: within.y + y, height: 1, ..within }, ClickTarget::Item(index));
    }
}
