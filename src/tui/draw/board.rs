//! The board: the drawing of the text game, with colours, the cursor and the places where the player can act.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::Areas;
use crate::board::{Terrain, Tile};
use crate::game::{Builder, Game};
use crate::guide::place_of;
use crate::text::{BoardTemplate, COMPACT_BOARD, Place, TemplateField, render_on};
use crate::tui::canvas::{Canvas, ClickTarget};
use crate::tui::state::{Overlay, Play};
use crate::tui::targets::all_places;

/// The visible part of a template, and its area on the screen.
struct View {
    area: Rect,
    /// The first column and row of the template that are visible.
    left: u16,
    top: u16,
}

impl View {
    /// Returns the part of the template that fits into the area, around the place `centre` as far as possible.
    fn new(area: Rect, template: &BoardTemplate, centre: Option<Place>) -> Self {
        let (rows, columns) = template.size();
        let (row, column) = centre
            .map_or((u16::try_from(rows / 2).unwrap_or(0), u16::try_from(columns / 2).unwrap_or(0)), |place| {
                template.slot(place).position()
            });
        let first = |at: u16, visible: u16, all: usize| {
            let most = u16::try_from(all).unwrap_or(u16::MAX).saturating_sub(visible);
            at.saturating_sub(visible / 2).min(most)
        };
        Self { area, left: first(column, area.width, columns), top: first(row, area.height, rows) }
    }

    /// Returns the cell of a row and column of the template, if it is visible.
    #[inline(never)]
    fn cell(&self, row: u16, column: u16) -> Option<(u16, u16)> {
        let (x, y) = (column.checked_sub(self.left)?, row.checked_sub(self.top)?);
        (x < self.area.width && y < self.area.height).then_some((self.area.x + x, self.area.y + y))
    }

    /// Returns the visible part of a slot, widened by `wider` cells on both sides.
    #[inline(never)]
    fn rect(&self, slot: TemplateField, wider: u16) -> Rect {
        let (row, column) = slot.position();
        let columns = column.saturating_sub(wider)..column + slot.width() + wider;
        let mut cells = columns.filter_map(|column| self.cell(row, column));
        match cells.next() {
            Some((x, y)) => Rect { x, y, width: 1 + u16::try_from(cells.count()).unwrap_or(0), height: 1 },
            None => Rect::ZERO,
        }
    }
}

/// Draws the board.
pub fn draw(play: &Play, areas: &Areas, canvas: &mut Canvas<'_>) {
    let template = areas.template;
    let latest = play.shown().action.and_then(|(_, action)| place_of(action));
    let centre = play.cursor.filter(|_| play.person_decides()).or(latest);
    let view = View::new(areas.board, template, centre);
    draw_text(play, template, &view, canvas);
    let game = play.shown_game();
    for tile in Tile::all() {
        draw_tile(play, game, template, tile, &view, canvas);
    }
    draw_owners(game, template, &view, canvas);
    draw_targets(play, template, &view, canvas);
    if let Some(place) = latest {
        canvas.style(view.rect(template.slot(place), 0), canvas.theme.latest());
    }
    draw_hints(play, template, &view, canvas);
    for place in all_places() {
        let wider = u16::from(matches!(place, Place::Edge(_)));
        canvas.hit(view.rect(template.slot(place), wider), ClickTarget::Place(place));
    }
}

fn draw_text(play: &Play, template: &BoardTemplate, view: &View, canvas: &mut Canvas<'_>) {
    let text = render_on(template, play.edition(), play.shown_game());
    let style = canvas.theme.dim();
    for (row, line) in (0..).zip(text.lines()) {
        for (column, letter) in (0..).zip(line.chars()) {
            if letter != ' '
                && let Some((x, y)) = view.cell(row, column)
            {
                canvas.mark(x, y, letter, style);
            }
        }
    }
}

fn draw_tile(play: &Play, game: &Game, template: &BoardTemplate, tile: Tile, view: &View, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let index = tile.index();
    let (name, value, geese) = (template.names[index], template.values[index], template.geese[index]);
    for slot in [name, value, geese] {
        canvas.hit(view.rect(slot, 0), ClickTarget::Place(Place::Tile(tile)));
    }
    if let Terrain::Resource(resource, roll) = game.layout()[tile] {
        canvas.restyle(view.rect(name, 0), theme.resource(resource));
        let is_rolled = play.shown().roll() == Some(roll.value());
        let style = if is_rolled { theme.bold().patch(theme.latest()) } else { theme.bold() };
        canvas.restyle(view.rect(value, 0), style);
        // The editions' own templates show no pips.
        if std::ptr::eq(template, &raw const COMPACT_BOARD) && game.geese() != Some(tile) {
            let (row, column) = geese.position();
            for column in column..column + u16::from(game.layout()[tile].pips()) {
                if let Some((x, y)) = view.cell(row, column) {
                    canvas.mark(x, y, theme.pip(), theme.resource(resource));
                }
            }
        }
    }
    if game.geese() == Some(tile) {
        canvas.restyle(view.rect(geese, 0), theme.warning());
    }
}

fn draw_owners(game: &Game, template: &BoardTemplate, view: &View, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    for builder in Builder::ALL {
        for edge in game.roads(builder).iter() {
            canvas.restyle(view.rect(template.edges[edge.index()], 0), theme.builder(builder));
            extend_road(template.edges[edge.index()], theme.builder(builder), view, canvas);
        }
        for vertex in game.residences(builder).iter() {
            canvas.restyle(view.rect(template.vertices[vertex.index()], 0), theme.builder_block(builder));
        }
    }
}

/// Colours the dashes of a horizontal edge.
fn extend_road(slot: TemplateField, style: Style, view: &View, canvas: &mut Canvas<'_>) {
    let (row, column) = slot.position();
    for column in [column.wrapping_sub(2), column.wrapping_sub(1), column + 2, column + 3] {
        if let Some((x, y)) = view.cell(row, column)
            && canvas.character(x, y) == Some('-')
        {
            canvas.mark(x, y, '-', style);
        }
    }
}

fn draw_targets(play: &Play, template: &BoardTemplate, view: &View, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let targets = play.targets();
    for place in targets.iter() {
        let area = view.rect(template.slot(place), 0);
        let owner = match place {
            Place::Vertex(vertex) => play.timeline.game().residence(vertex).is_some(),
            _ => false,
        };
        match targets.affordability(place) {
            // A residence that can be improved keeps its colour.
            Some(true) if owner => canvas.style(area, theme.latest()),
            Some(true) => canvas.restyle(area, theme.legal()),
            _ if owner => {}
            _ => canvas.restyle(area, theme.unaffordable()),
        }
    }
    if let Some(cursor) = play.cursor.filter(|&cursor| targets.affordability(cursor).is_some()) {
        let area = view.rect(template.slot(cursor), 0);
        canvas.restyle(area, theme.cursor());
        if matches!(play.overlay, Overlay::None) {
            canvas.set_cursor(area.x, area.y);
        }
    }
}

/// Marks the best action with a star, and the next two with a plus.
fn draw_hints(play: &Play, template: &BoardTemplate, view: &View, canvas: &mut Canvas<'_>) {
    let style = canvas.theme.hint();
    let places = play.hints.iter().take(3).enumerate();
    for (rank, place) in places.filter_map(|(rank, best)| Some((rank, place_of(best.action)?))) {
        let (row, column) = template.slot(place).position();
        if let Some((x, y)) = column.checked_sub(1).and_then(|column| view.cell(row, column)) {
            canvas.mark(x, y, if rank == 0 { '*' } else { '+' }, style);
        }
    }
}
