//! Dialogs and pages that lie over the board.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::Areas;
use super::{end, panels};
use crate::game::DISCARD_LIMIT;
use crate::game::WINNING_POINTS;
use crate::guide::EXTRA_COMMANDS;
use crate::text::Output;
use crate::tui::bindings::{bindings, with_article};
use crate::tui::canvas::{Canvas, ClickTarget, centred, wrap};
use crate::tui::key::{Key, key_name};
use crate::tui::popups::review;
use crate::tui::state::{Overlay, Play, Preferences};
use crate::tui::trade::TradeForm;

/// Draws the overlay, if there is one.
pub fn draw(play: &Play, preferences: Preferences, areas: &Areas, canvas: &mut Canvas<'_>) {
    let screen = canvas.area();
    let above = Rect { height: screen.height - areas.bottom.height, ..screen };
    match &play.overlay {
        Overlay::None | Overlay::TextInput(..) => {}
        Overlay::Help(top) => draw_help(play, preferences, *top, above, canvas),
        Overlay::Rules(top) => draw_text("costs and rules", &rules(play), *top, above, canvas),
        Overlay::Text(title, text, top) => draw_text(title, text, *top, above, canvas),
        Overlay::Log(view) => {
            let within = canvas.window(above, "log");
            panels::draw_log(play, *view, within, canvas);
        }
        Overlay::Trade(form) => draw_trade(play, form, beside(areas, above), canvas),
        Overlay::Leave => draw_leave(play, beside(areas, above), canvas),
        Overlay::Review(chosen) => {
            let positions = play.timeline.snapshots().len();
            review::draw(&play.review, play.edition(), positions, *chosen, above, canvas);
        }
        Overlay::End(part) => end::draw(play, *part, above, canvas),
    }
}

/// Returns the area for a dialog: beside the board if there is room, otherwise over it.
fn beside(areas: &Areas, above: Rect) -> Rect {
    if areas.is_small() {
        return above;
    }
    let x = areas.builders.x;
    Rect { x, width: above.right() - x, ..above }
}

fn draw_help(play: &Play, preferences: Preferences, top: u16, above: Rect, canvas: &mut Canvas<'_>) {
    const COLUMN: u16 = 38;
    const KEYS: u16 = 12;
    let theme = canvas.theme;
    let bindings = bindings(play, preferences);
    let rows: Vec<(String, &str)> = bindings
        .iter()
        .map(|binding| {
            let keys: Vec<String> = binding.keys.iter().map(|&key| key_name(key)).collect();
            (keys.join(" "), binding.about.as_str())
        })
        .collect();
    let names = EXTRA_COMMANDS.map(|command| command.name());
    let usage =
        format!("Ctrl-C leaves, Ctrl-Z suspends, Ctrl-L redraws, Ctrl-R redoes. After : also {}.", names.join(" "));
    let columns = usize::from((above.width.saturating_sub(2) / COLUMN).clamp(1, 3));
    let width = (COLUMN * cells(columns) + 2).min(above.width);
    let usage = wrap(&usage, usize::from(width.saturating_sub(2)));
    let per_column = rows.len().div_ceil(columns);
    let height = cells(per_column + usage.len() + 2).min(above.height);
    let within = canvas.window(centred(above, width, height), "keys of this moment");
    let top = canvas.scroll(top, per_column + usage.len(), within.height);
    for (number, (keys, about)) in rows.iter().enumerate() {
        let Some(y) = (number % per_column).checked_sub(top).map(cells) else { continue };
        let column =
            Rect { x: within.x + COLUMN * cells(number / per_column), width: COLUMN.min(within.width), ..within };
        canvas.put_in(column, 0, y, keys, theme.key());
        if y < within.height {
            canvas.put(column.x + KEYS, within.y + y, column.width.saturating_sub(KEYS + 1), about, theme.text());
        }
    }
    for (number, line) in usage.iter().enumerate() {
        if let Some(y) = (per_column + number).checked_sub(top) {
            canvas.put_in(within, 0, cells(y), line, theme.dim());
        }
    }
}

/// Converts a number of cells to `u16`.
fn cells(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// Returns the costs, the legend of the board, and the rules that are easily forgotten.
fn rules(play: &Play) -> String {
    let edition = play.edition();
    let strings = &edition.strings;
    let mut out = Output::default();
    out.line("Costs:");
    edition.write_costs(&mut out);
    out.line("");
    out.line("On the board:");
    edition.write_legend(&mut out);
    let (geese, [basement, house, tower]) = (strings.geese, strings.residences.map(with_article));
    let capital = |text: &str| text.replacen('a', "A", 1);
    let text = format!(
        "\n{basement} gives 1 unit and 1 point, {house} 2, {tower} 3. {WINNING_POINTS} points win at once.\n\
         {basement} needs one of your {road}s beside it, and no neighbour. {a_road} continues yours.\n\
         On a 7, whoever holds {DISCARD_LIMIT} units or more loses half of them, and the roller moves the {geese} and \
         steals a unit from somebody there. A tile with {geese} produces nothing.\n\
         A trade is one unit for one, with another {player}.",
        basement = capital(&basement),
        road = strings.road,
        a_road = capital(&with_article(strings.road)),
        player = strings.player,
    );
    out.line(&text);
    out.text()
}

/// Draws text in a window, from its line `top` on.
fn draw_text(title: &str, text: &str, top: u16, above: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = u16::try_from(longest + 2).unwrap_or(u16::MAX).clamp(40.min(above.width), above.width);
    let lines = wrap(text.trim_end(), usize::from(width.saturating_sub(2)));
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(above.height);
    let within = canvas.window(centred(above, width, height), title);
    let top = canvas.scroll(top, lines.len(), within.height);
    for (y, line) in (0..within.height).zip(lines.iter().skip(top)) {
        canvas.put_in(within, 0, y, line, theme.text());
    }
}

fn draw_trade(play: &Play, form: &TradeForm, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let Some(builder) = play.decider() else { return };
    // The window is at the bottom, so that most builders stay in sight.
    let height = 11.min(area.height);
    let area = Rect { y: area.bottom() - height, height, ..area };
    let within = canvas.window(Rect { width: 36.min(area.width), ..area }, "trade one for one");
    let mut y = 0;
    for (row, title) in TradeForm::TITLES.into_iter().enumerate() {
        let style = if form.row == row { theme.key() } else { theme.dim() };
        canvas.put_in(within, 0, y, &format!("{title}:"), style);
        let mut x = 6;
        let cells = form.options(row, play.edition(), play.timeline.game(), builder);
        for (number, option) in cells.iter().enumerate() {
            let count = option.count.map_or(String::new(), |count| format!(" {count}"));
            let text = format!("{}{count}", option.name);
            let width = u16::try_from(text.len()).unwrap_or(0);
            if x > 6 && x + width > within.width {
                (x, y) = (6, y + 1);
            }
            let style = match (form.chosen[row] == Some(number), option.count) {
                (true, _) => theme.cursor(),
                (false, Some(0)) => theme.unaffordable(),
                _ => theme.text(),
            };
            canvas.put_in(within, x, y, &text, style);
            if x < within.width && y < within.height {
                // The letter that chooses it.
                let at = option.name.to_lowercase().find(option.key).and_then(|at| u16::try_from(at).ok());
                let letter = Rect { x: within.x + x + at.unwrap_or(0), y: within.y + y, width: 1, height: 1 };
                canvas.style(letter, theme.key());
                canvas
                    .hit(Rect { x: within.x + x, y: within.y + y, width, height: 1 }, ClickTarget::Field(row, number));
            }
            x += width + 1;
        }
        y += 1;
    }
    if y < within.height {
        let style = if form.offer(builder).is_some() { theme.legal() } else { theme.dim() };
        draw_buttons("[ Enter: offer ]", style, y, within, canvas);
    }
}

fn draw_leave(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let within = canvas.window(centred(area, 26, 6), "leave?");
    let text = if play.is_over() {
        "The game is over."
    } else if play.unsaved == Some(play.timeline.version()) {
        "It cannot be saved in backup.sv: leaving loses it."
    } else {
        "The game is saved in backup.sv."
    };
    let lines = wrap(text, within.width.into());
    for (y, line) in (0..).zip(&lines) {
        canvas.put_in(within, 0, y, line, theme.text());
    }
    let y = u16::try_from(lines.len()).unwrap_or(0);
    if y < within.height {
        draw_buttons("[ Enter: leave ]", theme.legal(), y, within, canvas);
    }
}

/// Draws a button for Enter, and one for Escape.
fn draw_buttons(enter: &str, style: Style, y: u16, within: Rect, canvas: &mut Canvas<'_>) {
    let row = Rect { y: within.y + y, height: 1, ..within };
    let end = canvas.put_in(row, 0, 0, enter, style) - row.x;
    canvas.hit(Rect { width: end, ..row }, ClickTarget::Key(Key::Enter));
    let text = canvas.theme.text();
    let after = canvas.put_in(row, end + 1, 0, "[ Esc ]", text) - row.x;
    canvas.hit(Rect { x: row.x + end + 1, width: after.saturating_sub(end + 1), ..row }, ClickTarget::Key(Key::Esc));
}
