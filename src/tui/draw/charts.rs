//! Charts of a game: the rolls, and the points over time.

use ratatui::layout::Rect;

use crate::board::Roll;
use crate::game::Builder;
use crate::text::Edition;
use crate::tui::canvas::{Canvas, cells};
use crate::tui::course::GameCourse;

/// The columns from one letter to the next. Builders who share a row take turns at each.
const RUN: usize = 4;

/// The columns from one turn that is named to the next, at least.
const LABEL: usize = 8;

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
    let turns: Vec<u32> = (0..).take(values.len()).collect();
    let rows = area.height.saturating_sub(3);
    // Each point takes equally many rows, if there is one for each.
    let rows = u16::try_from(most)
        .ok()
        .and_then(|most| Some(rows.checked_div(most)? * most))
        .filter(|&even| even > 0)
        .unwrap_or(rows);
    let chart = LineChart { title: "points over time", values: &values, ticks: &ticks, turns: &turns, marked: None };
    chart.draw(edition, Rect { height: rows + 3, ..area }, canvas);
}

/// A chart of a value of each builder over time.
pub struct LineChart<'a> {
    /// The heading.
    pub title: &'a str,
    /// The values.
    pub values: &'a [[f64; Builder::COUNT]],
    /// The values that are named at the side. The last is the largest that is drawn.
    pub ticks: &'a [f64],
    /// The turn of each value.
    pub turns: &'a [u32],
    /// The index of a value that is marked.
    pub marked: Option<usize>,
}

impl LineChart<'_> {
    /// Draws the lines, with a letter for each builder, and the turns below.
    pub fn draw(&self, edition: &Edition, area: Rect, canvas: &mut Canvas<'_>) {
        let columns = usize::from(area.width.saturating_sub(5)).min(2 * self.values.len());
        self.draw_values(edition, columns, Rect { height: area.height.saturating_sub(1), ..area }, canvas);
        self.draw_turns(columns, area, canvas);
    }

    /// Returns the turn of a column, and the index of the last value up to this turn.
    fn turn_and_index(&self, column: usize, columns: usize) -> (u32, usize) {
        let last = self.turns.last().map_or(0, |&last| last as usize);
        let turn = u32::try_from(column * last / (columns - 1).max(1)).unwrap_or(u32::MAX);
        (turn, self.turns.partition_point(|&other| other <= turn).saturating_sub(1))
    }

    /// Draws the turns in the last row, and a mark below the marked value.
    fn draw_turns(&self, columns: usize, area: Rect, canvas: &mut Canvas<'_>) {
        let (theme, y) = (canvas.theme, area.height.saturating_sub(1));
        let Some(&last) = self.turns.last() else { return };
        canvas.put_in(area, 0, y, "turn", theme.dim());
        let is_wide = |&step: &u32| step as usize * columns >= LABEL * last as usize;
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(is_wide).unwrap_or(1_000);
        let turn = |column: usize| self.turn_and_index(column, columns).0;
        let marked = self
            .marked
            .and_then(|marked| (0..columns).find(|&column| self.turn_and_index(column, columns).1 >= marked));
        for column in 1..columns.saturating_sub(LABEL / 2) {
            let named = turn(column) / step * step;
            // The mark hides no part of a number.
            let is_free = marked.is_none_or(|marked| marked < column || marked > column + LABEL / 2);
            if named > turn(column - 1) && is_free {
                canvas.put_in(area, cells(column + 4), y, &named.to_string(), theme.dim());
            }
        }
        if let Some(column) = marked {
            canvas.put_in(area, cells(column + 4), y, &theme.glyph('\u{25b2}', '^').to_string(), theme.key());
        }
    }

    /// Draws the lines and the ticks.
    fn draw_values(&self, edition: &Edition, columns: usize, area: Rect, canvas: &mut Canvas<'_>) {
        let Self { title, values, ticks, .. } = *self;
        let theme = canvas.theme;
        canvas.heading(area, 0, title);
        let rows = area.height.saturating_sub(1);
        let most = ticks.last().copied().unwrap_or(1.0);
        if rows == 0 {
            return;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the height")]
        let row_of = |value: f64| 1 + ((1.0 - value / most) * f64::from(rows - 1)).round() as u16;
        for &tick in ticks {
            canvas.put_in(area, 0, row_of(tick), &format!("{tick:>3.0}"), theme.dim());
        }
        let rows_at = |column: usize| values[self.turn_and_index(column, columns).1].map(row_of);
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
}
