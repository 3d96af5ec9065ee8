//! The board: the drawing of the text game, with colours, the cursor and the places where the player can act.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::hexes;
use super::layout::{Areas, Figure};
use super::marks;
use crate::board::{Edge, Terrain, Tile};
use crate::game::{Builder, Game};
use crate::text::{BoardTemplate, COMPACT_BOARD, Place, TemplateField, render_on};
use crate::tui::canvas::{Canvas, ClickTarget, cells};
use crate::tui::popups::review;
use crate::tui::state::{Numbers, Overlay, Play};
use crate::tui::targets::{Targets, all_places};

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
        let (row, column) =
            centre.map_or((cells(rows / 2), cells(columns / 2)), |place| template.slot(place).position());
        let first = |at: u16, visible: u16, all: usize| {
            let most = cells(all).saturating_sub(visible);
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
        let mut seen = columns.filter_map(|column| self.cell(row, column));
        match seen.next() {
            Some((x, y)) => Rect { x, y, width: 1 + cells(seen.count()), height: 1 },
            None => Rect::ZERO,
        }
    }
}

/// Draws the board.
pub fn draw(play: &Play, areas: &Areas, canvas: &mut Canvas<'_>) {
    let (latest, targets) = (play.latest_place(), play.targets());
    match areas.figure {
        Figure::Template(template) => {
            let centre = play.selection.cursor.filter(|_| play.person_decides()).or(latest);
            let view = View::new(areas.board, template, centre);
            draw_text(play, template, &view, canvas);
            let game = play.shown_game();
            for tile in Tile::all() {
                draw_tile(play, game, template, tile, &view, canvas);
            }
            draw_owners(game, template, &view, canvas);
            draw_marks(play, latest, &targets, &|place| view.rect(template.slot(place), 0), canvas);
        }
        Figure::Hexagons(scale) => {
            // On the smallest tiles, a number needs room beside the name.
            let reviewed = if scale == hexes::SMALLEST { reviewed_places(play) } else { Vec::new() };
            let is_reviewed = |edge| reviewed.contains(&Place::Edge(edge));
            let has_number = |edge| {
                play.numbers == Numbers::Edges
                    || targets.affordability(Place::Edge(edge)).is_some()
                    || is_reviewed(edge)
            };
            let picture = hexes::Picture {
                game: play.shown_game(),
                edition: play.edition(),
                rolled: play.shown().roll(),
                numbered: Edge::all().filter(|&edge| has_number(edge)).collect(),
            };
            picture.draw(scale, areas.board, canvas);
            let label = |place| hexes::at(areas.board, scale.label(place));
            write_numbers(play, &targets, scale, &label, canvas);
            draw_marks(play, latest, &targets, &label, canvas);
        }
    }
}

/// Returns the places that the analysis marks.
fn reviewed_places(play: &Play) -> Vec<Place> {
    let reviewed = play.reviewed().map(|(step, story)| {
        let (played, best) = review::compared(&story.analysis, step);
        let named = story.words(play.edition(), step).places;
        named.into_iter().chain([Some(played), best].into_iter().flatten().filter_map(Place::of))
    });
    reviewed.into_iter().flatten().collect()
}

/// Returns the places of the actions that advice lists.
fn advised_places(play: &Play) -> impl Iterator<Item = Place> {
    play.listed_hints().into_iter().filter_map(|best| Place::of(best.action))
}

/// Draws what changes from decision to decision: the places to choose from, the last action, the best actions.
fn draw_marks(
    play: &Play,
    latest: Option<Place>,
    targets: &Targets,
    label: &impl Fn(Place) -> Rect,
    canvas: &mut Canvas<'_>,
) {
    draw_targets(play, targets, label, canvas);
    if let Some(place) = latest {
        let mut area = label(place);
        if !matches!(place, Place::Edge(_)) {
            canvas.style(area, canvas.theme.latest());
        } else if let Some(x) = road_cell(area, canvas) {
            // A road is a line: the arrows touch it where it is.
            area = Rect { x, width: 1, ..area };
        }
        let arrows = [(area.x.wrapping_sub(1), '\u{25b8}', '>'), (area.right(), '\u{25c2}', '<')];
        for (x, unicode, ascii) in arrows {
            if canvas.character(x, area.y).is_none_or(|letter| !letter.is_alphanumeric()) {
                canvas.overlay(x, area.y, canvas.theme.glyph(unicode, ascii), canvas.theme.hint());
            }
        }
    }
    draw_hints(play, label, canvas);
    if let Some((step, story)) = play.reviewed() {
        let named = story.words(play.edition(), step).places;
        marks::mark_decision(review::compared(&story.analysis, step), &named, label, canvas);
    }
    // Edges are wider for clicks, but never over a vertex.
    let (edges, others): (Vec<Place>, Vec<Place>) = all_places().partition(|place| matches!(place, Place::Edge(_)));
    for (place, wider) in edges.into_iter().map(|edge| (edge, 1)).chain(others.into_iter().map(|other| (other, 0))) {
        let area = label(place);
        if area.width > 0 {
            let area = Rect { x: area.x.saturating_sub(wider), width: area.width + 2 * wider, ..area };
            canvas.hit(area, ClickTarget::Place(place));
        }
    }
}

/// Returns the column of the only cell of a label that a road crosses, or of the letter of its owner. Returns `None` if it crosses all or
/// none.
fn road_cell(area: Rect, canvas: &Canvas<'_>) -> Option<u16> {
    if canvas.character(area.x, area.y).is_some_and(char::is_alphabetic) {
        return Some(area.x);
    }
    let is_line =
        |&x: &u16| canvas.character(x, area.y).is_some_and(|letter| matches!(letter, '\u{2580}'..='\u{259f}'));
    let mut crossed = (area.left()..area.right()).filter(is_line);
    crossed.next().filter(|_| crossed.next().is_none())
}

/// Writes the numbers of the places that can be chosen or that advice names, or of all places, on the hexagons.
fn write_numbers(
    play: &Play,
    targets: &Targets,
    scale: hexes::Scale,
    label: &impl Fn(Place) -> Rect,
    canvas: &mut Canvas<'_>,
) {
    let game = play.shown_game();
    // On the smallest tiles, a road and its end have no room for two numbers.
    let advised: Vec<Place> = advised_places(play).filter(|_| scale != hexes::SMALLEST).collect();
    let is_advised = |place: &Place| advised.contains(place);
    let is_numbered = |place: &Place| match *place {
        Place::Vertex(vertex) => {
            (play.numbers == Numbers::Vertices || is_advised(place)) && game.residence(vertex).is_none()
        }
        Place::Edge(edge) => (play.numbers == Numbers::Edges || is_advised(place)) && game.road_owner(edge).is_none(),
        Place::Tile(_) => false,
    };
    let all = all_places().filter(is_numbered);
    for place in all.chain(targets.iter()) {
        let style = match place {
            Place::Vertex(vertex) => {
                let owner = game.owner(vertex);
                owner.map_or(canvas.theme.bold(), |owner| canvas.theme.builder_block(owner))
            }
            Place::Edge(_) | Place::Tile(_) => canvas.theme.bold(),
        };
        marks::write_number(place, label(place), style, canvas);
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

/// The number of places above which those that can be chosen are not filled.
const MANY_TARGETS: usize = 20;

fn draw_targets(play: &Play, targets: &Targets, label: &impl Fn(Place) -> Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let legal = if targets.iter().count() > MANY_TARGETS { theme.legal_unfilled() } else { theme.legal() };
    for place in targets.iter() {
        let area = label(place);
        let owner = match place {
            Place::Vertex(vertex) => play.timeline.game().residence(vertex).is_some(),
            _ => false,
        };
        match targets.affordability(place) {
            // A residence that can be improved keeps its colour.
            Some(true) if owner => canvas.style(area, theme.latest()),
            Some(true) => canvas.restyle(area, legal),
            _ if owner => {}
            _ => canvas.restyle(area, theme.unaffordable()),
        }
    }
    if let Some(cursor) = play.selection.cursor.filter(|&cursor| targets.affordability(cursor).is_some()) {
        let area = label(cursor);
        canvas.restyle(area, theme.cursor());
        if matches!(play.overlay, Overlay::None) {
            canvas.set_cursor(area.x, area.y);
        }
    }
}

/// Marks the best action with a star, and the next ones with a plus; without advice, the better place from which a branch begins.
fn draw_hints(play: &Play, label: &impl Fn(Place) -> Rect, canvas: &mut Canvas<'_>) {
    if let Some(better) = play.better_place().filter(|_| play.past.is_none() && play.estimates.hints.is_empty()) {
        marks::mark_beside(label(better), '*', canvas);
    }
    let places = play.listed_hints().into_iter().enumerate();
    for (rank, place) in places.filter_map(|(rank, best)| Some((rank, Place::of(best.action)?))) {
        marks::mark_beside(label(place), if rank == 0 { '*' } else { '+' }, canvas);
    }
}
