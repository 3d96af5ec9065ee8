//! Charts of a game: the rolls, and the points over time.

use ratatui::layout::Rect;

use crate::board::Roll;
use crate::game::Builder;
use crate::text::Edition;
use crate::tui::canvas::{Canvas, cells};
use crate::tui::course::GameCourse;

/// The columns from one letter to the next. Builders who share a row take turns at each.
const RUN: usize = 4;

/// Draws the number of times that each sum was rolled, and the number expected with fair dice.
pub fn draw_histogram(report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let rolled = report.roll_count();
    let rolls = if rolled == 1 { "roll" } else { "rolls" };
    canvas.heading(area, 0, &format!("{rolled} {rolls}, | expected"));
    let most = report.rolls.iter().copied().max().unwrap_or(0);
    let expected = |roll: Roll| f64::from(rolled) * roll.probability();
    let scale = f64::from(area.width.saturating_sub(9)) / f64::from(most).max(f64::from(rolled) / 6.0).max(1.0);
    for (y, roll) in (1..).zip(Roll::all()) {
        let count = report.rolls[roll.index()];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the width")]
        let cells = |value: f64| (value * scale).round() as u16;
        canvas.put_in(area, 1, y, &format!("{:>2}", roll.value()), theme.bold());
        let bar: String = std::iter::repeat_n(theme.full(), cells(f64::from(count)).into()).collect();
        canvas.put_in(area, 4, y, &bar, theme.key());
        let number = format!(" {count}");
        let at = 4 + cells(f64::from(count)).max(cells(expected(roll)) + 1);
        canvas.put_in(area, at, y, &number, theme.text());
        if rolled > 0 && y < area.height {
            canvas.mark(area.x + 4 + cells(expected(roll)), area.y + y, '|', theme.bold());
        }
    }
}

/// Draws the points over time.
pub fn draw_points(edition: &Edition, report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let most = report.points.iter().flatten().copied().max().unwrap_or(1).max(1);
    let values: Vec<_> = report.points.iter().map(|points| points.map(f64::from)).collect();
    let ticks = (0..=most).map(f64::from).collect::<Vec<_>>();
    let rows = area.height.saturating_sub(3);
    // Each point takes equally many rows, if there is one for each.
    let rows = u16::try_from(most)
        .ok()
        .and_then(|most| Some(rows.checked_div(most)? * most))
        .filter(|&even| even > 0)
        .unwrap_or(rows);
    draw_lines(edition, "points over time", &values, &ticks, Rect { height: rows + 2, ..area }, canvas);
    let text = format!("turn 0 to {}", report.points.len().saturating_sub(1));
    canvas.put_in(area, 4, rows + 2, &text, canvas.theme.dim());
}

/// Draws a value of each builder over time, with a letter for each. The last of the `ticks` is the largest value.
pub fn draw_lines(
    edition: &Edition,
    title: &str,
    values: &[[f64; Builder::COUNT]],
    ticks: &[f64],
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let theme = canvas.theme;
    canvas.heading(area, 0, title);
    let (rows, columns) = (area.height.saturating_sub(1), usize::from(area.width.saturating_sub(5)));
    let columns = columns.min(2 * values.len());
    let most = ticks.last().copied().unwrap_or(1.0);
    if rows == 0 {
        return;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the height")]
    let row_of = |value: f64| 1 + ((1.0 - value / most) * f64::from(rows - 1)).round() as u16;
    for &tick in ticks {
        canvas.put_in(area, 0, row_of(tick), &format!("{tick:>3.0}"), theme.dim());
    }
    // The first column has the first value, and the last column the last.
    let rows_at = |column: usize| values[column * (values.len() - 1) / (columns - 1).max(1)].map(row_of);
    for column in 0..columns {
        let (rows, before) = (rows_at(column), rows_at(column.saturating_sub(1)));
        for builder in Builder::ALL.into_iter().filter(|_| theme.has_hexagons()) {
            let (from, to) = (before[builder.index()], rows[builder.index()]);
            // Rows count downwards.
            let corners = if to < from { ["\u{256f}", "\u{256d}"] } else { ["\u{256e}", "\u{2570}"] };
            for row in from.min(to)..=from.max(to) {
                let join = match row {
                    _ if from == to => break,
                    row if row == from => corners[0],
                    row if row == to => corners[1],
                    _ => "\u{2502}",
                };
                canvas.put_in(area, cells(column + 4), row, join, theme.builder(builder));
            }
        }
        for builder in Builder::ALL {
            let row = rows[builder.index()];
            // Builders who share a row take turns.
            let same: Vec<Builder> = Builder::ALL.into_iter().filter(|other| rows[other.index()] == row).collect();
            let shown = same[column / RUN % same.len()];
            let is_line = theme.has_hexagons() && column % RUN != 0;
            if is_line && before[shown.index()] != row {
                continue;
            }
            let letter = if is_line { theme.line() } else { edition.initial(shown).into() };
            canvas.put_in(area, cells(column + 4), row, &letter.to_string(), theme.builder(shown));
        }
    }
}
