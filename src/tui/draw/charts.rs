//! Charts of a game: the rolls, and the points over time.

use ratatui::layout::Rect;

use crate::board::Roll;
use crate::game::Builder;
use crate::text::Edition;
use crate::tui::canvas::Canvas;
use crate::tui::course::GameCourse;

/// Draws the number of times that each sum was rolled, and the number expected with fair dice.
pub fn draw_histogram(report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let rolled = report.roll_count();
    canvas.heading(area, 0, &format!("{rolled} rolls, | expected"));
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

/// Draws the points over time, with a letter for each builder.
pub fn draw_points(edition: &Edition, report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    canvas.heading(area, 0, "points over time");
    let most = report.points.iter().flatten().copied().max().unwrap_or(1).max(1);
    let (rows, columns) = (u32::from(area.height.saturating_sub(2)), usize::from(area.width.saturating_sub(5)));
    if rows == 0 || columns == 0 {
        return;
    }
    let row_of = |points: u32| 1 + rows.saturating_sub(1) - points.min(most) * rows.saturating_sub(1) / most;
    for points in 0..=most {
        let y = u16::try_from(row_of(points)).unwrap_or(0);
        canvas.put_in(area, 0, y, &format!("{points:>2}"), theme.dim());
    }
    let turns = report.points.len();
    for column in 0..columns.min(turns.max(1) * 2) {
        let turn = column * turns / columns.min(turns.max(1) * 2);
        let Some(points) = report.points.get(turn) else { continue };
        for builder in Builder::ALL {
            let y = u16::try_from(row_of(points[builder.index()])).unwrap_or(0);
            let x = u16::try_from(column + 3).unwrap_or(u16::MAX);
            // Builders who share a cell take turns from column to column.
            let same = Builder::ALL.into_iter().filter(|other| points[other.index()] == points[builder.index()]);
            let same: Vec<Builder> = same.collect();
            let shown = same[column % same.len()];
            let initial = char::from(edition.initial(shown)).to_string();
            canvas.put_in(area, x, y, &initial, theme.builder(shown));
        }
    }
    let y = u16::try_from(rows + 1).unwrap_or(0);
    canvas.put_in(area, 3, y, &format!("turn 0 to {}", turns.saturating_sub(1)), theme.dim());
}
