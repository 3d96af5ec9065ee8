//! The page that shows how a game went.

use ratatui::layout::Rect;

use crate::board::EdgeSet;
use crate::game::{Builder, Game};
use crate::text::Edition;
use crate::tui::answers::units_or_nothing;
use crate::tui::canvas::{Canvas, below, cells, centred};
use crate::tui::course::GameCourse;
use crate::tui::draw::charts;
use crate::tui::draw::hexes::{Picture, Scale};
use crate::tui::key::Key;
use crate::tui::state::Play;

/// Returns whether all parts of the page fit on a screen of this size.
#[must_use]
pub const fn shows_all(screen: Rect) -> bool {
    screen.width >= 102 && screen.height >= 39
}

/// The number of parts of the page.
const PARTS: usize = 3;

/// The answer of the page to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This part is shown.
    Part(usize),
    /// The page closes.
    Close,
    /// The player is asked whether to leave.
    Leave,
    /// The page closes if the key does something in the game, and the key does it.
    Pass,
}

/// Returns the answer to a key while a part is shown.
#[must_use]
pub const fn press(part: usize, key: Key) -> Answer {
    match key {
        Key::Left | Key::Up | Key::PageUp | Key::BackTab => Answer::Part((part + PARTS - 1) % PARTS),
        Key::Right | Key::Down | Key::PageDown | Key::Tab => Answer::Part((part + 1) % PARTS),
        Key::Enter | Key::Esc => Answer::Close,
        Key::Char('q') => Answer::Leave,
        _ => Answer::Pass,
    }
}

/// Draws the page of a game up to the snapshot that is shown: all of its parts if they fit, else the one with this number.
pub fn draw(play: &Play, part: usize, above: Rect, canvas: &mut Canvas<'_>) {
    let (snapshots, edition) = (&play.timeline.snapshots()[..=play.shown_index()], play.edition());
    let report = GameCourse::new(snapshots);
    let last = play.shown();
    let within = canvas.window(above, "the end");
    if let Some(winner) = last.game.winner() {
        let name = format!("{} {}", edition.strings.title, edition.colour(winner));
        let title =
            if play.only_person() == Some(winner) { format!(" {name}: you win! ") } else { format!(" {name} wins ") };
        canvas.put_in(above, 2, 0, &title, canvas.theme.builder_block(winner));
    }
    if shows_all(canvas.area()) {
        let left = Rect { width: within.width / 2 - 1, ..within };
        let right = Rect { x: within.x + left.width + 2, width: within.width - left.width - 2, ..within };
        let standing = Rect { height: STANDING, ..left };
        draw_standing(play, standing, canvas);
        draw_board(play, Rect { y: standing.bottom(), height: left.height - standing.height, ..left }, canvas);
        let histogram = Rect { y: right.bottom() - 12, height: 12, ..right };
        charts::draw_histogram(&report, histogram, canvas);
        // The chart of points needs a row for each, and two more rows than that.
        let rows = if right.height > 45 { BARS } else { FIGURES };
        let balances = Rect { y: histogram.y - rows, height: rows, ..right };
        draw_balances(edition, &report, balances, canvas);
        charts::draw_points(edition, &report, Rect { height: balances.y - right.y, ..right }, canvas);
        return;
    }
    // Where the figures have no room below the standing, they stand below the chart.
    let rest = below(within, STANDING);
    let is_short = rest.height < FIGURES;
    match part {
        0 => {
            draw_standing(play, within, canvas);
            if !is_short {
                draw_balances(edition, &report, rest, canvas);
            }
        }
        1 if is_short => {
            let figures = below(within, within.height.saturating_sub(FIGURES));
            charts::draw_points(edition, &report, Rect { height: figures.y - within.y, ..within }, canvas);
            draw_balances(edition, &report, figures, canvas);
        }
        1 => charts::draw_points(edition, &report, within, canvas),
        _ => charts::draw_histogram(&report, within, canvas),
    }
}

/// Draws the board in the middle of an area, if it fits there.
fn draw_board(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let scale = Scale::fitting(area.width, area.height).filter(|_| canvas.theme.has_hexagons());
    if let Some(scale) = scale {
        let (width, height) = scale.size();
        let picture =
            Picture { game: play.shown_game(), edition: play.edition(), rolled: None, numbered: EdgeSet::EMPTY };
        picture.draw(scale, centred(area, width, height), canvas);
    }
}

/// The number of rows of the standing, with an empty one.
const STANDING: u16 = 10;

/// Draws the builders, the best first.
fn draw_standing(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let (theme, edition, last) = (canvas.theme, play.edition(), play.shown());
    let game: &Game = &last.game;
    canvas.heading(area, 0, &format!("after {} turns", last.turn));
    let mut builders = Builder::ALL;
    builders.sort_by_key(|&builder| std::cmp::Reverse(game.points(builder)));
    let holds = |builder| format!("holds {}", units_or_nothing(edition, game.hand(builder)));
    // A large hand needs the columns before it, too.
    let longest = builders.map(|builder| holds(builder).chars().count()).into_iter().max().unwrap_or_default();
    let x = area.width.saturating_sub(cells(longest)).clamp(1, 9);
    for (y, builder) in (1..).step_by(2).zip(builders) {
        let colour = format!(" {:<7}", edition.colour(builder));
        let points = format!(" {:>2} {}", game.points(builder), edition.strings.points);
        let players = format!("  {}", play.seats.names(builder));
        let parts = [(&*colour, theme.builder_block(builder)), (&points, theme.bold()), (&players, theme.dim())];
        canvas.put_parts(area, 0, y, &parts);
        canvas.put_in(area, x, y + 1, &holds(builder), theme.dim());
    }
}

/// The number of rows of the figures of what each builder gained and lost.
const FIGURES: u16 = 8;

/// The number of rows of these figures with a bar below each.
const BARS: u16 = 15;

/// Draws what each builder gained and lost, with bars if there is room, all in one scale.
fn draw_balances(edition: &Edition, report: &GameCourse, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    canvas.heading(area, 0, "units gained and lost, and trades");
    let width = (area.width.saturating_sub(17) / 4).max(8);
    for (column, builder) in (0..).zip(Builder::ALL) {
        let name = format!("{:>6}", edition.colour(builder));
        canvas.put_in(area, 17 + width * column, 1, &name, theme.builder(builder));
    }
    let balances = &report.balances;
    let blocked = format!("blocked by {}", edition.strings.geese);
    let rows: [(&str, [u32; 4]); 6] = [
        ("gained by rolls", balances.map(|balance| balance.rolled)),
        ("gained by thefts", balances.map(|balance| balance.stolen)),
        ("lost by thefts", balances.map(|balance| balance.robbed)),
        ("lost on 7s", balances.map(|balance| balance.discarded)),
        (&blocked, balances.map(|balance| balance.blocked)),
        ("trades", balances.map(|balance| balance.trades)),
    ];
    let has_bars = area.height >= BARS;
    let most = rows.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(1).max(1);
    for (row, (name, counts)) in (0..).zip(rows) {
        let y = 2 + row * if has_bars { 2 } else { 1 };
        canvas.put_in(area, 1, y, name, theme.text());
        for (column, (builder, count)) in (0..).zip(Builder::ALL.into_iter().zip(counts)) {
            canvas.put_in(area, 17 + width * column, y, &format!("{count:>6}"), theme.bold());
            let length = if has_bars { (count * u32::from(width - 1)).div_ceil(most) } else { 0 };
            let bar: String = std::iter::repeat_n(theme.full(), length as usize).collect();
            canvas.put_in(area, 17 + width * column, y + 1, &bar, theme.builder(builder));
        }
    }
}
