//! Charts of a game: the rolls, and the points over time.

use std::cmp::Reverse;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::board::Roll;
use crate::game::Builder;
use crate::text::Edition;
use crate::tui::canvas::{Canvas, cells};
use crate::tui::course::GameCourse;
use crate::tui::theme::{Colours, Theme};

/// The columns from one letter to the next. Builders who share a row take turns at each.
const RUN: usize = 4;

/// The columns of a turn, at most.
const WIDEST_TURN: usize = 4;

/// The columns from one turn that is named to the next, at least.
const LABEL: usize = 8;

/// The columns of the ticks at the left of a chart.
const TICKS: usize = 4;

/// The columns of the shares before the setup, and those with the gap after them.
const SETUP: usize = 3;
const SETUP_WITH_GAP: usize = SETUP + 1;

/// Draws the number of times that each sum was rolled, and the number expected with fair dice.
pub fn draw_histogram(report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let rolled = report.roll_count();
    let rolls = if rolled == 1 { "roll" } else { "rolls" };
    let [bar, mark] = [theme.glyph('\u{2501}', '='), theme.glyph('\u{2503}', '|')];
    canvas.heading(area, 0, &format!("{rolled} {rolls}, {mark} expected"));
    let most = report.rolls.iter().copied().max().unwrap_or(0);
    let expected = |roll: Roll| f64::from(rolled) * roll.probability();
    let scale = f64::from(area.width.saturating_sub(9)) / f64::from(most).max(f64::from(rolled) / 6.0).max(1.0);
    for (y, roll) in (1..).zip(Roll::all()) {
        let count = report.rolls[roll.index()];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the width")]
        let cells = |value: f64| (value * scale).round() as u16;
        canvas.put_in(area, 1, y, &format!("{:>2}", roll.value()), theme.bold());
        canvas.put_in(area, 4, y, &bar.to_string().repeat(cells(f64::from(count)).into()), theme.key());
        let number = format!(" {count}");
        let at = 4 + cells(f64::from(count)).max(cells(expected(roll)) + 1);
        canvas.put_in(area, at, y, &number, theme.text());
        if rolled > 0 && y < area.height {
            canvas.mark(area.x + 4 + cells(expected(roll)), area.y + y, mark, theme.bold());
        }
    }
}

/// Draws the points over time.
pub fn draw_points(edition: &Edition, report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let most = report.points.iter().flatten().copied().max().unwrap_or(1).max(1);
    let values: Vec<_> = report.points.iter().map(|points| points.map(f64::from)).collect();
    let ticks = (0..=most).map(f64::from).collect::<Vec<_>>();
    let turns: Vec<u32> = (report.first_turn..).take(values.len()).collect();
    let rows = area.height.saturating_sub(3);
    // Each point takes equally many rows, if there is one for each.
    let rows = u16::try_from(most)
        .ok()
        .and_then(|most| Some(rows.checked_div(most)? * most))
        .filter(|&even| even > 0)
        .unwrap_or(rows);
    let axis = TurnAxis { turns: &turns, has_setup: false, marked: None, signs: &[] };
    let chart = LineChart { title: "points over time", values: &values, ticks: &ticks, axis };
    chart.draw(edition, Rect { height: rows + 3, ..area }, canvas);
}

/// The turns below a chart.
#[derive(Clone, Copy)]
pub struct TurnAxis<'a> {
    /// The turn of each value.
    pub turns: &'a [u32],
    /// Whether what was before the setup stands at the left of the first turn.
    pub has_setup: bool,
    /// The index of a value that is marked.
    pub marked: Option<usize>,
    /// Signs below values, each after the index of its value. Of several in a column, the last is drawn.
    pub signs: &'a [(usize, &'static str)],
}

impl TurnAxis<'_> {
    /// Returns the first turn, and the number of turns after it.
    fn span(&self) -> (u32, usize) {
        let [first, last] = [self.turns.first(), self.turns.last()].map(|turn| turn.copied().unwrap_or_default());
        (first, (last - first) as usize)
    }

    /// Returns the columns at the left of the first turn.
    const fn left(&self) -> usize {
        if self.has_setup { TICKS + SETUP_WITH_GAP } else { TICKS }
    }

    /// Returns the number of columns of a chart in this area, without those at the left.
    fn columns(&self, area: Rect) -> usize {
        usize::from(area.width).saturating_sub(self.left() + 1).min(WIDEST_TURN * (self.span().1 + 1))
    }

    /// Returns the turn of a column, and the index of the last value up to this turn.
    fn turn_and_index(&self, column: usize, columns: usize) -> (u32, usize) {
        let (first, span) = self.span();
        let turn = u32::try_from(first as usize + column * span / (columns - 1).max(1)).unwrap_or(u32::MAX);
        (turn, self.turns.partition_point(|&other| other <= turn).saturating_sub(1))
    }

    /// Returns the columns at which a turn is named, each with the turn.
    fn named(&self, area: Rect) -> Vec<(usize, u32)> {
        let (columns, (_, span)) = (self.columns(area), self.span());
        let is_wide = |&step: &u32| step as usize * columns >= LABEL * span;
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(is_wide).unwrap_or(1_000);
        let turn = |column: usize| self.turn_and_index(column, columns).0;
        let named = (1..columns).map(|column| (column, turn(column) / step * step));
        let fits = |column: usize, named: u32| column + named.to_string().len() <= columns + 1;
        named.filter(|&(column, named)| named > turn(column - 1) && fits(column, named)).collect()
    }

    /// Draws the turns in the last row, and a mark below the marked value.
    fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let (theme, y, columns) = (canvas.theme, area.height.saturating_sub(1), self.columns(area));
        canvas.put_in(area, 0, y, "turn", theme.dim());
        let column_of = |value: usize| (0..columns).find(|&column| self.turn_and_index(column, columns).1 >= value);
        let is_of_setup = |value: usize| self.has_setup && self.turns.get(value) == Some(&0);
        let x_of = |value: usize| match column_of(value)? {
            _ if is_of_setup(value) => Some(TICKS + 1),
            // The word "turn" ends before it.
            column => Some(self.left() + column.max(1)),
        };
        let marked = self.marked.and_then(x_of);
        let all = || self.signs.iter().filter_map(|&(value, sign)| Some((x_of(value)?, sign)));
        // Beside another sign, an exclamation mark would be part of it.
        let is_apart = |x: usize| !all().any(|(at, sign)| sign != "!" && at <= x + 1 && x <= at + sign.len());
        let signs: Vec<(usize, &str)> = all().filter(|&(x, sign)| sign != "!" || is_apart(x)).collect();
        // A sign hides no part of a number.
        let hides = |sign: usize, x: usize| sign + 1 >= x && sign <= x + LABEL / 2;
        let is_free = |x: usize| !signs.iter().map(|(sign, _)| *sign).chain(marked).any(|sign| hides(sign, x));
        let named = self.named(area).into_iter().map(|(column, turn)| (self.left() + column, turn));
        for (x, turn) in named.filter(|&(x, _)| is_free(x)) {
            canvas.put_in(area, cells(x), y, &turn.to_string(), theme.dim());
        }
        let is_marked =
            |&&(x, sign): &&(usize, &str)| marked.is_some_and(|marked| (x..x + sign.len()).contains(&marked));
        for sign in &signs {
            let style = if is_marked(&sign) { theme.cursor() } else { theme.bold() };
            canvas.put_in(area, cells(sign.0), y, sign.1, style);
        }
        if let Some(x) = marked.filter(|_| !signs.iter().any(|sign| is_marked(&sign))) {
            canvas.put_in(area, cells(x), y, &theme.glyph('\u{25b2}', '^').to_string(), theme.key());
        }
    }
}

/// A chart of a value of each builder over time, as lines.
struct LineChart<'a> {
    /// The heading.
    title: &'a str,
    /// The values.
    values: &'a [[f64; Builder::COUNT]],
    /// The values that are named at the side. The last is the largest that is drawn.
    ticks: &'a [f64],
    /// The turns.
    axis: TurnAxis<'a>,
}

impl LineChart<'_> {
    /// Draws the lines, with a letter for each builder, and the turns below.
    fn draw(&self, edition: &Edition, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw_values(
            edition,
            self.axis.columns(area),
            Rect { height: area.height.saturating_sub(1), ..area },
            canvas,
        );
        self.axis.draw(area, canvas);
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
        let rows_at = |column: usize| values[self.axis.turn_and_index(column, columns).1].map(row_of);
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
                    canvas.put_in(area, cells(TICKS + column), row, join, theme.builder(builder));
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
                canvas.put_in(area, cells(TICKS + column), row, &letter.to_string(), theme.builder(shown));
            }
        }
    }
}

/// A chart of the shares of all builders in a whole over time, as areas that lie one on another.
pub struct ShareChart<'a> {
    /// The heading, and a shorter one.
    pub title: [&'a str; 2],
    /// The shares, which add up to 1; those of the last values may be missing.
    pub shares: &'a [[f64; Builder::COUNT]],
    /// The shares before the setup, if the axis has it.
    pub before: [f64; Builder::COUNT],
    /// The builder whose area begins at the bottom, where it can be measured.
    pub lowest: Builder,
    /// The turns.
    pub axis: TurnAxis<'a>,
}

/// The parts of a row that a character can fill from below.
const EIGHTHS: u16 = 8;

/// The columns from one letter in an area to the next.
const LETTER: usize = 40;

impl ShareChart<'_> {
    /// Draws the heading, and at its end, if there is room, the builders in the colours of their areas, from the lowest to the highest.
    fn draw_heading(&self, edition: &Edition, order: &[Builder], area: Rect, canvas: &mut Canvas<'_>) {
        let theme = canvas.theme;
        let names: Vec<String> = order.iter().map(|builder| format!(" {} ", edition.colour(*builder))).collect();
        let width = cells(names.iter().map(String::len).sum());
        let [long, short] = self.title;
        let fits = |&(title, width): &(&str, u16)| title.len() + usize::from(width) + 5 <= area.width.into();
        let all = [(long, width), (short, width), (long, 0)];
        let (title, width) = all.into_iter().find(fits).unwrap_or((short, 0));
        canvas.heading(area, 0, title);
        let mut x = area.width.saturating_sub(width + 1);
        for (builder, name) in order.iter().zip(&names).filter(|_| width > 0) {
            let style = Style { bg: theme.builder_area(*builder), ..theme.builder_block(*builder) };
            x = canvas.put_in(area, x, 0, name, style) - area.x;
        }
    }

    /// Draws the areas, each with the letter of its builder, with percentages at the side and the turns below.
    pub fn draw(&self, edition: &Edition, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = canvas.theme;
        let order: Vec<Builder> = std::iter::once(self.lowest).chain(self.lowest.others()).collect();
        self.draw_heading(edition, &order, area, canvas);
        let Some(rows) = area.height.checked_sub(2).filter(|&rows| rows > 0) else { return };
        for tick in [0, 25, 50, 75, 100] {
            canvas.put_in(area, 0, 1 + ((100 - tick) * (rows - 1) + 50) / 100, &format!("{tick:>3}"), theme.dim());
        }
        let columns = self.axis.columns(area);
        let setup = if self.axis.has_setup { SETUP } else { 0 };
        let setup = (0..setup).map(|column| (TICKS + column, None, &self.before));
        let turns = (0..columns).map_while(|column| {
            let shares = self.shares.get(self.axis.turn_and_index(column, columns).1)?;
            Some((self.axis.left() + column, Some(column), shares))
        });
        for (x, column, shares) in setup.chain(turns) {
            let (mut sum, mut below) = (0.0, 0_u16);
            // The upper end of each area, in eighths of a row from the bottom.
            let ends: Vec<u16> = order
                .iter()
                .map(|builder| {
                    sum += shares[builder.index()];
                    share_height(sum, rows, theme)
                })
                .collect();
            let x = cells(x);
            for row in 0..rows {
                let from = EIGHTHS * row;
                let at = |height: u16| ends.iter().position(|&end| end > height).unwrap_or(order.len() - 1);
                // A cell has two colours: of who has most of it, then of who has no other cell, or else the next most.
                let within = |which: usize| {
                    let begin = if which == 0 { 0 } else { ends[which - 1] };
                    let part = ends[which].min(from + EIGHTHS).saturating_sub(begin.max(from));
                    let is_whole = part > 0 && part == ends[which] - begin;
                    (is_whole, part)
                };
                let mut two: Vec<usize> = (at(from)..order.len()).filter(|&which| within(which).1 > 0).collect();
                two.sort_by_key(|&which| Reverse(within(which).1));
                two.get_mut(1..).into_iter().for_each(|rest| rest.sort_by_key(|&which| Reverse(within(which))));
                two.truncate(2);
                let lower = two.iter().copied().min().unwrap_or_else(|| at(from));
                let upper = two.iter().copied().max().unwrap_or(lower);
                let part = if lower == upper { 0 } else { ends[lower] - from };
                put_share_cell(edition, [order[lower], order[upper]], part, (area, x, rows - row), canvas);
            }
            for (builder, end) in order.iter().zip(ends) {
                let (first, past) = (below.div_ceil(EIGHTHS), end / EIGHTHS);
                let middle = u16::midpoint(first, past.saturating_sub(1));
                if column.is_some_and(|column| column % LETTER == LETTER / 2) && first < past && theme.has_hexagons() {
                    let style = Style { bg: theme.builder_area(*builder), ..theme.builder_block(*builder) };
                    canvas.put_in(area, x, rows - middle, &char::from(edition.initial(*builder)).to_string(), style);
                }
                below = end;
            }
        }
        self.axis.draw(area, canvas);
    }
}

/// Returns the height of a share in eighths of a row. Where the terminal may not have characters for eighths, it is a whole number of
/// halves or rows.
fn share_height(share: f64, rows: u16, theme: Theme) -> u16 {
    let step = match theme.colours {
        _ if !theme.has_hexagons() => EIGHTHS,
        Colours::Ansi => EIGHTHS / 2,
        _ => 1,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the height")]
    let steps = (share * f64::from(rows * EIGHTHS / step)).round() as u16;
    steps * step
}

/// Draws a cell: the lower builder's part of it, in eighths, below the upper builder's.
fn put_share_cell(
    edition: &Edition,
    [lower, upper]: [Builder; 2],
    part: u16,
    (area, x, y): (Rect, u16, u16),
    canvas: &mut Canvas<'_>,
) {
    let theme = canvas.theme;
    if !theme.has_hexagons() {
        canvas.put_in(area, x, y, &char::from(edition.initial(upper)).to_string(), theme.builder(upper));
        return;
    }
    let character = char::from_u32(0x2580 + u32::from(part)).filter(|_| part > 0).unwrap_or(' ');
    let style = Style { fg: theme.builder_area(lower), bg: theme.builder_area(upper), ..Style::new() };
    canvas.put_in(area, x, y, &character.to_string(), style);
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::text::CONSTRUCTOR;

    /// Returns the rows of a chart of shares that Red loses to Orange over four turns, without the heading and the turns.
    fn share_rows(theme: Theme) -> Vec<String> {
        let shares = [[0.1, 0.5, 0.4, 0.0], [0.1, 0.5, 0.4, 0.0], [0.1, 0.3, 0.6, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let area = Rect::new(0, 0, 9, 6);
        let mut buffer = Buffer::empty(area);
        let axis = TurnAxis { turns: &[0, 1, 2, 3], has_setup: false, marked: None, signs: &[] };
        let chart = ShareChart { title: [""; 2], shares: &shares, before: shares[0], lowest: Builder::Red, axis };
        chart.draw(&CONSTRUCTOR, area, &mut Canvas::new(&mut buffer, theme));
        let row = |y: u16| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (1..area.height - 1).map(row).collect()
    }

    #[test]
    fn shares_lie_one_on_another_with_the_chosen_builder_at_the_bottom() {
        let letters = Theme { colours: Colours::None, is_light: false, is_ascii: true };
        assert_eq!(share_rows(letters), ["100 OOOO ", " 75 OOOO ", " 50 RRBO ", "  0 RRRO "]);
        let eighths = Theme { colours: Colours::True, is_light: false, is_ascii: false };
        // Of four rows, Red has 2, then 1.2, and Blue has 0.4 on it: the row of all three shows Blue and Orange.
        assert_eq!(share_rows(eighths), ["100      ", " 75 \u{2583}\u{2583}   ", " 50   \u{2585}  ", "  0      "]);
        let halves = Theme { colours: Colours::Ansi, ..eighths };
        assert_eq!(share_rows(halves), ["100      ", " 75 \u{2584}\u{2584}   ", " 50   \u{2584}  ", "  0      "]);
    }
}
