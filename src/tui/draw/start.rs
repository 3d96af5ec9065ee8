//! The first page.

use ratatui::layout::Rect;

use super::hexes::{Picture, Scale};
use crate::board::{EdgeSet, LayoutSource, RandomLayout};
use crate::game::Game;
use crate::rng;
use crate::tui::canvas::{Canvas, ClickTarget, cells, centred, wrap};
use crate::tui::popups::{games, text};
use crate::tui::start_page::{Row, StartPage};

/// The columns of the page, and those that it has at least if a larger board then fits beside it.
const WIDTHS: [u16; 2] = [games::LEAST, 60];

/// The columns between the page and the board beside it, with those that are left free at the right: letters may stand over its border.
const GAP: u16 = 3;
const MARGIN: u16 = 1;

/// The columns of the page beside the text of a row, and beside one that can be changed.
const BESIDE_TEXT: u16 = 14;
const BESIDE_VALUE: u16 = 17;

/// The seed of the sample board.
const SAMPLE_SEED: u64 = 20;

/// Draws the page, and a board beside it where there is room.
pub fn draw(page: &StartPage, canvas: &mut Canvas<'_>) {
    let area = draw_board(page, canvas);
    if page.shows_keys {
        text::draw("keys", page.keys(), 0, area, canvas);
    } else if page.shows_kept {
        games::draw(&page.kept, page.error.as_deref(), area, canvas);
    } else {
        draw_rows(page, area, canvas);
    }
}

/// Draws the rows of the page.
fn draw_rows(page: &StartPage, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let rows = page.rows();
    let height = cells(rows.len()) + 6 + u16::from(page.keeps.is_some());
    let name = if area.height >= height { "Constructor, a game of builders" } else { "" };
    let within = canvas.window(centred(area, WIDTHS[0], height), name);
    let first = page.row.saturating_sub(usize::from(within.height.saturating_sub(4)));
    let top = u16::from(within.height > height - 3);
    for (y, (number, &row)) in (top..).zip(rows.iter().enumerate().skip(first)) {
        let (title, value) = page.text(row);
        let is_chosen = number == page.row;
        let style = if is_chosen { theme.cursor() } else { theme.text() };
        let title_style = match row {
            Row::Player(builder) if !is_chosen => theme.builder(builder),
            _ => style,
        };
        // What is too long is cut, but not the sign that there are other values.
        let cut = |beside: u16| {
            let most = usize::from(within.width.saturating_sub(beside));
            if value.chars().count() > most {
                value.chars().take(most.saturating_sub(3)).collect::<String>() + "..."
            } else {
                value.clone()
            }
        };
        let text = match row {
            Row::Begin => String::new(),
            Row::Continue | Row::Tutorial | Row::Resume | Row::Games => format!(" {}", cut(BESIDE_TEXT)),
            Row::Board if page.has_only_random_boards() => format!(" {}", cut(BESIDE_TEXT)),
            _ => format!(" < {} >", cut(BESIDE_VALUE)),
        };
        canvas.put_in(within, 2, y, &format!("{title:<10}"), title_style);
        canvas.put_in(within, 12, y, &text, if is_chosen { theme.bold() } else { theme.text() });
        if y < within.height {
            canvas.hit(Rect { y: within.y + y, height: 1, ..within }, ClickTarget::Item(number));
        }
    }
    let lowest = within.height.saturating_sub(2);
    // A short message leaves the keys where they are.
    let (below, style) = match &page.error {
        Some(error) if wrap(error, within.width.saturating_sub(2).into()).len() > 1 => {
            canvas.put_wrapped(within, 1, lowest, error, theme.warning());
            return;
        }
        Some(error) => (error.clone(), theme.warning()),
        None => (page.help(), theme.dim()),
    };
    let keys = [("Up Down", "choose"), ("Left Right", "change"), ("q", "leave"), ("?", "keys")];
    canvas.put_keys(within, 1, lowest, &keys);
    canvas.put_in(within, 1, lowest + 1, &below, style);
    if let Some(folder) = &page.keeps {
        let text = format!("Kept in {folder} (off: -no-record)");
        canvas.put_in(within, 1, lowest - 1, &text, theme.dim());
    }
}

/// Draws the board beside the page: the position of the kept game that is chosen, else a sample.
///
/// Returns the area that is left for the page.
fn draw_board(page: &StartPage, canvas: &mut Canvas<'_>) -> Rect {
    let area = canvas.area();
    let fitting = |width: u16| Scale::fitting(area.width.saturating_sub(width + GAP + MARGIN), area.height);
    let [wide, narrow] = WIDTHS;
    // The list needs its columns more than a larger board.
    let page_width = if page.shows_kept || fitting(narrow) == fitting(wide) { wide } else { narrow };
    let Some(scale) = fitting(page_width).filter(|_| canvas.theme.has_hexagons()) else { return area };
    let (width, height) = scale.size();
    let room = area.width.saturating_sub(GAP + width + MARGIN);
    let page_width = if page.shows_kept { room.clamp(page_width, page.kept.full_width()) } else { page_width };
    let within = centred(area, page_width + GAP + width + MARGIN, area.height);
    let board = centred(Rect { x: within.x + page_width + GAP, width, ..within }, width, height);
    let sample = || {
        let layout = RandomLayout.layout(&mut rng::from_seed(SAMPLE_SEED));
        (Game::new(page.edition().rules, layout), page.edition(), "a sample: every random board is another")
    };
    let caption = |game: &Game| if game.winner().is_some() { "how the game ended" } else { "the game as it stands" };
    let kept = page.preview.position.as_ref();
    let kept = kept.map(|(game, edition)| (**game, *edition, caption(game)));
    let (game, edition, caption) = kept.unwrap_or_else(sample);
    Picture { game: &game, edition, rolled: None, numbered: EdgeSet::EMPTY }.draw(scale, board, canvas);
    let below = Rect { y: board.bottom(), height: 1.min(area.bottom() - board.bottom()), ..board };
    let text = centred(below, cells(caption.len()), 1);
    canvas.put_in(text, 0, 0, caption, canvas.theme.dim());
    Rect { width: page_width, ..within }
}
