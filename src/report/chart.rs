//! Charts as SVG.

use std::fmt::Write;

use super::style::escape;

const WIDTH: f64 = 760.0;

/// A row of a chart: a value with its interval.
pub(super) struct IntervalRow {
    pub label: String,
    /// The number of the row's colour, 0 to 3.
    pub colour: usize,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Returns the smallest step of 1, 2 or 5 times a power of ten that divides the range from 0 to `max` into at most eight parts.
fn tick_step(max: f64) -> f64 {
    const MOST_TICKS: f64 = 8.0;
    let mut power = 1e-6;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if max / (power * factor) <= MOST_TICKS {
                return power * factor;
            }
        }
        power *= 10.0;
    }
}

/// Returns the round numbers from 0 to `max` at which an axis has ticks.
fn ticks(max: f64) -> impl Iterator<Item = f64> {
    let step = tick_step(max);
    (0..=8).map(move |number| f64::from(number) * step).take_while(move |&tick| tick <= max * 1.0001)
}

fn begin(height: f64, about: &str) -> String {
    format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">", escape(about))
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
    let _ = write!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escape(text)
    );
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = write!(svg, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
}

/// Draws shares as points with their 95 % intervals, and a dashed line at `even`.
pub(super) fn intervals(about: &str, rows: &[IntervalRow], even: f64) -> String {
    const LEFT: f64 = 190.0;
    const RIGHT: f64 = 170.0;
    const ROW: f64 = 26.0;
    let max = rows.iter().map(|row| row.high).fold(even * 1.2, f64::max).min(1.0);
    let x = |share: f64| LEFT + (WIDTH - LEFT - RIGHT) * share / max;
    #[expect(clippy::cast_precision_loss, reason = "a few rows")]
    let bottom = 8.0 + ROW * rows.len() as f64;
    let mut svg = begin(bottom + 24.0, about);
    for tick in ticks(100.0 * max) {
        line(&mut svg, "grid", (x(tick / 100.0), 4.0), (x(tick / 100.0), bottom));
        text(&mut svg, x(tick / 100.0), bottom + 16.0, "middle", "soft", &format!("{tick} %"));
    }
    line(&mut svg, "baseline", (x(even), 4.0), (x(even), bottom));
    for (number, row) in (0_u32..).zip(rows) {
        let y = 8.0 + ROW * (f64::from(number) + 0.5);
        text(&mut svg, LEFT - 10.0, y + 4.0, "end", "", &row.label);
        line(&mut svg, &format!("interval pl-{}", row.colour), (x(row.low), y), (x(row.high), y));
        let percent = [row.value, row.low, row.high].map(|share| format!("{:.1}", 100.0 * share));
        let said = format!("{} % ({} to {} %)", percent[0], percent[1], percent[2]);
        let _ = write!(
            svg,
            "<circle class=\"mark pf-{}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{}: {said}</title></circle>",
            row.colour,
            x(row.value),
            escape(&row.label)
        );
        text(&mut svg, WIDTH - RIGHT + 14.0, y + 4.0, "start", "soft", &said);
    }
    svg + "</svg>"
}

/// A column of a chart.
pub(super) struct Column {
    pub label: String,
    pub value: f64,
    /// The expected value, drawn as a line across.
    pub expected: Option<f64>,
    pub title: String,
}

/// Draws columns side by side.
///
/// `unit` is written after the numbers of the vertical axis.
pub(super) fn columns(about: &str, all: &[Column], x_label: &str, unit: &str) -> String {
    const LEFT: f64 = 60.0;
    const HEIGHT: f64 = 220.0;
    const TOP: f64 = 10.0;
    let max = all.iter().map(|column| column.value.max(column.expected.unwrap_or(0.0))).fold(0.0, f64::max);
    let max = if max > 0.0 { max * 1.05 } else { 1.0 };
    let y = |value: f64| TOP + HEIGHT * (1.0 - value / max);
    let mut svg = begin(HEIGHT + 60.0, about);
    for tick in ticks(max) {
        line(&mut svg, "grid", (LEFT, y(tick)), (WIDTH, y(tick)));
        text(&mut svg, LEFT - 8.0, y(tick) + 4.0, "end", "soft", &format!("{}{unit}", rounded(tick)));
    }
    #[expect(clippy::cast_precision_loss, reason = "some dozens of columns")]
    let step = (WIDTH - LEFT) / all.len().max(1) as f64;
    // There is not enough room for every label.
    let each = if step < 34.0 { 4 } else { 1 };
    for (number, column) in (0_u32..).zip(all) {
        let left = LEFT + step * f64::from(number);
        let _ = write!(
            svg,
            "<rect class=\"mark pf-0\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            left + 0.1 * step,
            y(column.value),
            0.8 * step,
            y(0.0) - y(column.value),
            escape(&column.title)
        );
        if let Some(expected) = column.expected {
            line(&mut svg, "expected", (left + 0.02 * step, y(expected)), (left + 0.98 * step, y(expected)));
        }
        if number % each == 0 {
            text(&mut svg, left + 0.5 * step, TOP + HEIGHT + 18.0, "middle", "soft", &column.label);
        }
    }
    line(&mut svg, "axis", (LEFT, y(0.0)), (WIDTH, y(0.0)));
    text(&mut svg, f64::midpoint(LEFT, WIDTH), TOP + HEIGHT + 40.0, "middle", "", x_label);
    svg + "</svg>"
}

/// A line of a chart.
pub(super) struct Series {
    pub name: String,
    /// The class that gives the line its colour: the class of a player (`pl-0`) or of a builder (`line-0`).
    pub class: String,
    pub points: Vec<(f64, f64)>,
}

/// A mark on a line.
pub(super) struct LineMark {
    pub label: String,
    pub title: String,
    pub at: (f64, f64),
}

/// Draws lines over a common horizontal axis.
///
/// The horizontal axis ends at `max_x`, and the vertical axis at `max_y`; `unit` is written after the numbers of the vertical axis.
pub(super) fn lines(
    about: &str,
    series: &[Series],
    marks: &[LineMark],
    (max_x, x_label): (f64, &str),
    (max_y, unit): (f64, &str),
) -> String {
    const LEFT: f64 = 60.0;
    const RIGHT: f64 = 150.0;
    const HEIGHT: f64 = 280.0;
    const TOP: f64 = 12.0;
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / max_x.max(1.0);
    let y = |value: f64| TOP + HEIGHT * (1.0 - value / max_y);
    let mut svg = begin(HEIGHT + 62.0, about);
    for tick in ticks(max_y) {
        line(&mut svg, "grid", (LEFT, y(tick)), (x(max_x), y(tick)));
        text(&mut svg, LEFT - 8.0, y(tick) + 4.0, "end", "soft", &format!("{}{unit}", rounded(tick)));
    }
    for tick in ticks(max_x.max(1.0)) {
        text(&mut svg, x(tick), TOP + HEIGHT + 18.0, "middle", "soft", &rounded(tick));
    }
    line(&mut svg, "axis", (LEFT, y(0.0)), (x(max_x), y(0.0)));
    for one in series {
        let points: Vec<_> = one.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let _ = write!(
            svg,
            "<polyline class=\"line mark {}\" points=\"{}\"><title>{}</title></polyline>",
            one.class,
            points.join(" "),
            escape(&one.name)
        );
    }
    // The names at the ends of the lines are moved apart, so that they do not overlap.
    let mut ends: Vec<_> = series.iter().filter_map(|one| Some((y(one.points.last()?.1), one))).collect();
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut last = f64::NEG_INFINITY;
    for (end, one) in ends {
        last = end.max(last + 16.0);
        line(&mut svg, &format!("line {}", one.class), (x(max_x) + 6.0, last), (x(max_x) + 22.0, last));
        text(&mut svg, x(max_x) + 28.0, last + 4.0, "start", "", &one.name);
    }
    for mark in marks {
        let (cx, cy) = (x(mark.at.0), y(mark.at.1));
        let _ = write!(
            svg,
            "<circle class=\"turning\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"9\"><title>{}</title></circle>",
            escape(&mark.title)
        );
        text(&mut svg, cx, cy + 4.0, "middle", "", &mark.label);
    }
    text(&mut svg, f64::midpoint(LEFT, x(max_x)), TOP + HEIGHT + 40.0, "middle", "", x_label);
    svg + "</svg>"
}

/// A bar: its label, the number of its colour, and its value.
pub(super) type Bar = (String, usize, f64);

/// Draws numbers as horizontal bars, in groups with a heading.
pub(super) fn bars(about: &str, groups: &[(String, Vec<Bar>)]) -> String {
    const LEFT: f64 = 190.0;
    const RIGHT: f64 = 80.0;
    const ROW: f64 = 20.0;
    let all = || groups.iter().flat_map(|(_, bars)| bars);
    let max = all().map(|bar| bar.2).fold(0.0, f64::max);
    let max = if max > 0.0 { max } else { 1.0 };
    #[expect(clippy::cast_precision_loss, reason = "some dozens of bars")]
    let height = 10.0 + ROW * (all().count() as f64 + 1.4 * groups.len() as f64);
    let mut svg = begin(height, about);
    let mut y = 4.0;
    for (heading, bars) in groups {
        y += 1.1 * ROW;
        text(&mut svg, LEFT, y - 5.0, "start", "", heading);
        for (label, colour, value) in bars {
            let width = (WIDTH - LEFT - RIGHT) * value / max;
            text(&mut svg, LEFT - 10.0, y + 14.0, "end", "soft", label);
            let _ = write!(
                svg,
                "<rect class=\"mark pf-{colour}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\">\
                 <title>{}: {value:.2}</title></rect>",
                y + 3.0,
                ROW - 6.0,
                escape(label)
            );
            text(&mut svg, LEFT + width + 8.0, y + 14.0, "start", "soft", &format!("{value:.2}"));
            y += ROW;
        }
        y += 0.3 * ROW;
    }
    svg + "</svg>"
}

/// Returns a number of an axis with at most three decimals, without trailing zeros.
fn rounded(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        for (max, expected) in [
            (10.0, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0][..]),
            (7.3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
            (0.5, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        ] {
            let found: Vec<f64> = ticks(max).collect();
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?}");
        }
        assert_eq!([0.0, 0.25, 100.0].map(rounded), ["0", "0.25", "100"]);
    }
}
