//! The page that shows how a game went.

use ratatui::layout::Rect;

use super::charts;
use crate::game::Builder;
use crate::tui::answers::units_or_nothing;
use crate::tui::canvas::Canvas;
use crate::tui::course::GameCourse;
use crate::tui::state::Play;

/// Returns whether all parts of the page fit on a screen of this size.
#[must_use]
pub const fn shows_all(screen: Rect) -> bool {
    screen.width >= 102 && screen.height >= 39
}

/// Draws the page: all of its parts if they fit, else the one with this number.
pub fn draw(play: &Play, part: usize, above: Rect, canvas: &mut Canvas<'_>) {
    let report = GameCourse::new(&play.timeline.snapshots()[..=play.shown_index()]);
    let edition = play.edition();
    let winner = play.timeline.game().winner();
    let title = winner
        .map_or("the end".to_owned(), |winner| format!("{} {} wins", edition.strings.title, edition.colour(winner)));
    let within = canvas.window(above, &title);
    if shows_all(canvas.area()) {
        let left = Rect { width: within.width / 2 - 1, ..within };
        let right = Rect { x: within.x + left.width + 2, width: within.width - left.width - 2, ..within };
        draw_standing(play, Rect { height: 12, ..left }, canvas);
        draw_balances(play, &report, Rect { y: left.y + 12, height: left.height - 12, ..left }, canvas);
        charts::draw_points(play, &report, Rect { height: 18, ..right }, canvas);
        charts::draw_histogram(play, Rect { y: right.y + 19, height: 12, ..right }, canvas);
        return;
    }
    match part {
        0 => draw_standing(play, within, canvas),
        1 => charts::draw_points(play, &report, within, canvas),
        2 => draw_balances(play, &report, within, canvas),
        _ => charts::draw_histogram(play, within, canvas),
    }
}

/// Draws the builders, the best first.
fn draw_standing(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let game = play.timeline.game();
    canvas.heading(area, 0, &format!("after {} turns", play.timeline.snapshots().last().map_or(0, |last| last.turn)));
    let mut builders = Builder::ALL;
    builders.sort_by_key(|&builder| std::cmp::Reverse(game.points(builder)));
    for (y, builder) in (1..).step_by(2).zip(builders) {
        let colour = format!(" {:<7}", play.edition().colour(builder));
        let points = format!(" {:>2} {}", game.points(builder), play.edition().strings.points);
        canvas.put_parts(area, 0, y, &[(&colour, theme.builder_block(builder)), (&points, theme.bold())]);
        let holds = format!("holds {}", units_or_nothing(play.edition(), game.hand(builder)));
        canvas.put_in(area, 9, y + 1, &holds, theme.dim());
    }
}

/// Draws what each builder gained and lost.
fn draw_balances(play: &Play, report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    canvas.heading(area, 0, "units gained and lost");
    for (column, builder) in (0..).zip(Builder::ALL) {
        canvas.put_in(area, 17 + 8 * column, 1, play.edition().colour(builder), theme.builder(builder));
    }
    let balances = &report.balances;
    let rows: [(&str, [u32; 4]); 6] = [
        ("rolls", balances.map(|balance| balance.rolled)),
        ("stolen", balances.map(|balance| balance.stolen)),
        ("lost to thieves", balances.map(|balance| balance.robbed)),
        ("lost on 7s", balances.map(|balance| balance.discarded)),
        ("blocked", balances.map(|balance| balance.blocked)),
        ("trades", balances.map(|balance| balance.trades)),
    ];
    let most = rows.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(1).max(1);
    for (row, (name, counts)) in (0..).zip(rows) {
        let y = 2 + 2 * row;
        canvas.put_in(area, 1, y, name, theme.text());
        for (column, (builder, count)) in (0..).zip(Builder::ALL.into_iter().zip(counts)) {
            canvas.put_in(area, 17 + 8 * column, y, &format!("{count:>4}"), theme.bold());
            let bar: String = std::iter::repeat_n(theme.full(), (count * 7 / most) as usize).collect();
            canvas.put_in(area, 17 + 8 * column, y + 1, &bar, theme.builder(builder));
        }
    }
}
