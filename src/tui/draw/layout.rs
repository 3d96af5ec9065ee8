//! The division of the screen into parts.

use crate::tui::canvas::{below, cells};
use ratatui::layout::Rect;

use super::hexes::{SCALES, SMALLEST, Scale};
use crate::text::{BoardTemplate, COMPACT_BOARD};
use crate::tui::answers::answers;
use crate::tui::state::Play;
use crate::tui::theme::Theme;

/// The least width of the panel of builders.
const PANEL_WIDTH: u16 = 26;

/// The least width of the panel of builders beside larger hexagons.
const WIDE_PANEL: u16 = 40;

/// The least width at which the log gets a column of its own, beside panels that are wide enough for the names of all resources.
const LOG_WIDTH: u16 = 40;

/// The number of lines below the board: the prompt, the keys, the state.
const BOTTOM_ROWS: u16 = 3;

/// The height from which on the prompt can have two lines.
const TALL: u16 = 40;

/// Returns whether nothing can be shown on a screen of this size.
pub fn is_too_small(area: Rect) -> bool {
    area.width < 20 || area.height < 6
}

/// How the board is drawn.
#[derive(Clone, Copy)]
pub enum Figure {
    /// As in the text game.
    Template(&'static BoardTemplate),
    /// As filled hexagons.
    Hexagons(Scale),
}

/// The parts of the screen.
pub struct Areas {
    /// How the board is drawn.
    pub figure: Figure,
    /// The board; smaller than the template where it does not fit.
    pub board: Rect,
    /// The builders, with chances and dice; empty on small screens.
    pub builders: Rect,
    /// The log, and the answers to a question.
    pub log: Rect,
    /// The builders and a person's hand in two lines, on small screens.
    pub summary: Rect,
    /// The prompt, the keys, the state.
    pub bottom: Rect,
}

impl Areas {
    /// Returns the parts of a screen.
    pub fn new(area: Rect, play: &Play, theme: Theme) -> Self {
        let fitting = |above: Rect| {
            SCALES.into_iter().find(|scale| {
                let (width, height) = scale.size();
                let panel = if *scale == SMALLEST { PANEL_WIDTH } else { WIDE_PANEL };
                width + panel <= above.width && height <= above.height
            })
        };
        // The board needs its rows more than the prompt a second one.
        let rows = [BOTTOM_ROWS + 1, BOTTOM_ROWS].map(|rows| split_bottom(area, rows));
        let has_room = area.height >= TALL && fitting(rows[0][1]) == fitting(rows[1][1]);
        let [bottom, above] = if has_room { rows[0] } else { rows[1] };
        let fitting = fitting(above);
        if let Some(scale) = fitting.filter(|_| theme.has_hexagons()) {
            return Self::beside(above, bottom, Figure::Hexagons(scale));
        }
        let figure = &play.edition().template;
        let fits = |template: &BoardTemplate| {
            let (width, height) = size(template);
            width + PANEL_WIDTH <= above.width && height <= above.height
        };
        if fits(figure) {
            Self::beside(above, bottom, Figure::Template(figure))
        } else if fits(&COMPACT_BOARD) {
            Self::beside(above, bottom, Figure::Template(&COMPACT_BOARD))
        } else {
            Self::small(above, bottom, play)
        }
    }

    /// Returns the parts with the board on the left and everything else on its right.
    fn beside(above: Rect, bottom: Rect, figure: Figure) -> Self {
        let (width, height) = match figure {
            Figure::Template(template) => size(template),
            Figure::Hexagons(scale) => scale.size(),
        };
        let (gap, margin) = match figure {
            // Larger boards keep away from the panel, and both from the edges.
            Figure::Hexagons(scale) if scale != SMALLEST => {
                let spare = above.width.saturating_sub(width + WIDE_PANEL);
                (spare.clamp(1, 3), u16::from(spare >= 5))
            }
            _ => (u16::from(above.width > width + PANEL_WIDTH), 0),
        };
        let board = Rect { x: above.x + margin, y: above.y + (above.height - height) / 2, width, height };
        let rest = Rect { x: board.right() + gap, width: above.width - width - gap - 2 * margin, ..above };
        let is_wide = rest.width >= WIDE_PANEL + 2 + LOG_WIDTH;
        let builders_width =
            if is_wide { WIDE_PANEL + (rest.width - WIDE_PANEL - LOG_WIDTH - 2).min(12) } else { rest.width };
        let builders = Rect { width: builders_width, ..rest };
        let log = if is_wide {
            Rect { x: rest.x + builders_width + 2, width: rest.width - builders_width - 2, ..rest }
        } else {
            Rect { width: 0, ..rest }
        };
        Self { figure, board, builders, log, summary: Rect::ZERO, bottom }
    }

    /// Returns the parts of a small screen: the board as far as it fits, and below it the builders and the log or the legal actions.
    fn small(above: Rect, bottom: Rect, play: &Play) -> Self {
        let (_, height) = size(&COMPACT_BOARD);
        let wanted = if answers(play).is_empty() { 4 } else { 5 };
        let list = wanted.min(above.height.saturating_sub(4) / 2);
        let lines = if above.height > 5 { 2 } else { 1 };
        let rows = above.height.saturating_sub(list + lines).min(height);
        let board = Rect { height: rows, ..above };
        let summary = Rect { y: above.y + rows, height: lines.min(above.height - rows), ..above };
        let log = below(above, rows + summary.height);
        Self { figure: Figure::Template(&COMPACT_BOARD), board, builders: Rect::ZERO, log, summary, bottom }
    }

    /// Returns whether the screen is too small for the builders beside the board.
    pub fn is_small(&self) -> bool {
        self.builders.is_empty()
    }
}

/// Returns the width and the height of a template.
fn size(template: &BoardTemplate) -> (u16, u16) {
    let (rows, columns) = template.size();
    (cells(columns), cells(rows))
}

/// Returns the lowest rows of an area, and those above.
fn split_bottom(area: Rect, rows: u16) -> [Rect; 2] {
    let rows = rows.min(area.height);
    [Rect { y: area.bottom() - rows, height: rows, ..area }, Rect { height: area.height - rows, ..area }]
}
