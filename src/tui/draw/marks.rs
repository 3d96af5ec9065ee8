//! Marks of places on any drawing of the board: numbers, advised actions, and what the analysis compares.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::game::Action;
use crate::text::Place;
use crate::tui::canvas::Canvas;

/// Writes the number of a place on its label.
pub fn write_number(place: Place, area: Rect, style: Style, canvas: &mut Canvas<'_>) {
    let number = match place {
        Place::Vertex(vertex) => vertex.number().to_string(),
        Place::Edge(edge) => edge.number().to_string(),
        // A number alone would look like a second sum of the dice.
        Place::Tile(tile) => format!("({})", tile.number()),
    };
    canvas.restyle(area, style);
    canvas.put(area.x, area.y, area.width, &format!("{number:^width$}", width = area.width.into()), style);
}

/// Writes a mark beside a label, where it covers no digit.
pub fn mark_beside(label: Rect, mark: char, canvas: &mut Canvas<'_>) {
    let is_free = |x: &u16| canvas.character(*x, label.y).is_none_or(|letter| !letter.is_ascii_digit());
    let beside = [label.x.checked_sub(1), Some(label.right())].into_iter().flatten();
    if let Some(x) = beside.filter(|_| label.width > 0).find(is_free) {
        canvas.overlay(x, label.y, mark, canvas.theme.hint());
    }
}

/// Marks the places of what the analysis shows: where the builder acted, with a star where the better or usual action is, and the places
/// that the reason names.
pub fn mark_decision(
    (played, best): (Action, Option<Action>),
    named: &[Place],
    label: &impl Fn(Place) -> Rect,
    canvas: &mut Canvas<'_>,
) {
    for &place in named {
        write_number(place, label(place), canvas.theme.key(), canvas);
    }
    for (action, style) in [(Some(played), canvas.theme.cursor()), (best, canvas.theme.legal())] {
        if let Some(place) = action.and_then(Place::of) {
            write_number(place, label(place), style, canvas);
        }
    }
    if let Some(area) = best.and_then(Place::of).map(label) {
        mark_beside(area, '*', canvas);
    }
}
