//! The board as filled hexagons. A cell has two pixels in each of two rows, quarters of a block, so that sides slope evenly.

use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::board::{Edge, EdgeSet, Terrain, Tile, Vertex};
use crate::game::{Builder, Game, Residence};
use crate::text::{Edition, Place};
use crate::tui::canvas::{Canvas, cells};
use crate::tui::theme::Colours;

/// The size of the hexagons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// Half the height of a tile, in cells.
    half: u16,
    /// Half the length of the upper side, in cells.
    side: u16,
    /// Half the width of a tile, in cells.
    width: u16,
}

/// The smallest scale, for 80 columns and 24 rows.
pub const SMALLEST: Scale = Scale { half: 2, side: 2, width: 5 };

/// The scales, the largest first.
pub const SCALES: [Scale; 4] = [
    Scale { half: 5, side: 5, width: 12 },
    Scale { half: 4, side: 4, width: 9 },
    Scale { half: 3, side: 3, width: 7 },
    SMALLEST,
];

impl Scale {
    /// Returns the largest scale at which the board fits into these columns and rows; `None` if none is small enough.
    pub fn fitting(columns: u16, rows: u16) -> Option<Self> {
        SCALES.into_iter().find(|scale| scale.size().0 <= columns && scale.size().1 <= rows)
    }

    /// Returns the columns and rows of the board, in cells.
    pub const fn size(self) -> (u16, u16) {
        (2 * self.middle() + 1, 10 * self.half + 1)
    }

    /// Returns the column of the middle of the board, which has two columns of tiles on each side.
    const fn middle(self) -> u16 {
        2 * (self.side + self.width) + self.width
    }

    /// Returns the column in cells and the row in halves of cells of a point of the lattice of vertices and tiles.
    fn point(self, (x, y): (i8, i8)) -> (u16, u16) {
        let [half, side, width] = [self.half, self.side, self.width].map(i32::from);
        let [x, y] = [x, y].map(i32::from);
        // The middles of the tiles are 3 units apart; in between is a corner of either tile.
        let within = [0, side, width][usize::try_from(x.rem_euclid(3)).unwrap_or(0)];
        let point = [i32::from(self.middle()) + x.div_euclid(3) * (side + width) + within, (y + 1) * 2 * half];
        let [x, y] = point.map(|number| u16::try_from(number).unwrap_or(0));
        (x, y)
    }

    /// Returns the cells in which a place is named or numbered, relative to the board.
    pub fn label(self, place: Place) -> Rect {
        let cells =
            |(x, y): (u16, u16), width: u16| Rect { x: x.saturating_sub(width / 2), y: y / 2, width, height: 1 };
        match place {
            Place::Vertex(vertex) => cells(self.point(vertex.lattice_point()), 2),
            Place::Edge(edge) => {
                let [(x, y), (to_x, to_y)] = edge.ends().map(|end| self.point(end.lattice_point()));
                cells((u16::midpoint(x, to_x) + u16::from(y != to_y), u16::midpoint(y, to_y)), 2)
            }
            Place::Tile(tile) => {
                let (x, y) = self.point(tile.lattice_point());
                // Below the pips, where there is room.
                cells((x, y + if self == SMALLEST { 2 } else { 4 }), 5)
            }
        }
    }
}

/// The content of a pixel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    None,
    Tile(Tile),
    Border,
    Owned(Builder),
}

impl Ink {
    /// Returns a number that is greater for what is drawn over others where a cell cannot show them all.
    const fn layer(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Tile(_) => 1,
            Self::Border => 2,
            Self::Owned(_) => 3,
        }
    }
}

/// The pixels of the board, two in each column and two in each row of cells.
struct Pixels {
    /// The number of pixels in a row.
    width: u16,
    /// The number of rows of pixels above the board, for roofs.
    rows_above: u16,
    ink: Vec<Ink>,
}

impl Pixels {
    fn set(&mut self, (x, y): (u16, u16), ink: Ink) {
        // The rows above the board have wrapped numbers.
        let index = usize::from(y.wrapping_add(self.rows_above)) * usize::from(self.width) + usize::from(x);
        if let Some(pixel) = self.ink.get_mut(index).filter(|_| x < self.width) {
            *pixel = ink;
        }
    }

    fn fill(&mut self, scale: Scale, tile: Tile) {
        let (x, y) = scale.point(tile.lattice_point());
        let height = 2 * scale.half;
        for off in 0..=height {
            let wider = 2 * (scale.width - scale.side) * (height - off) / height;
            for column in 2 * (x - scale.side) - wider..=2 * (x + scale.side) + 1 + wider {
                self.set((column, y - off), Ink::Tile(tile));
                self.set((column, y + off), Ink::Tile(tile));
            }
        }
    }

    /// Draws a line between the ends of an edge. Roads are thicker where hexagons are large.
    fn line(&mut self, scale: Scale, edge: Edge, ink: Ink) {
        let ends = edge.ends().map(|end| scale.point(end.lattice_point()));
        let [(x, y), (to_x, to_y)] = ends.map(|(x, y)| (2 * x, y));
        let steps = x.abs_diff(to_x).max(y.abs_diff(to_y)).max(1);
        let between = |from: u16, to: u16, step: u16| (from * (steps - step) + to * step + steps / 2) / steps;
        let (is_thick, is_slanted) = (ink != Ink::Border && scale.half > 3, y != to_y);
        for step in 0..=steps {
            let (x, y) = (between(x, to_x, step), between(y, to_y, step));
            // As wide as a cell, or two.
            for off in 0..if is_thick && is_slanted { 4 } else { 2 } {
                self.set((x + off, y), ink);
                if is_thick && !is_slanted {
                    self.set((x + off, y + 1), ink);
                }
            }
        }
    }

    /// Draws a residence: a basement is flat, a house has a roof, a tower has battlements.
    fn residence(&mut self, scale: Scale, vertex: Vertex, kind: Residence, ink: Ink) {
        let small: &[&str] = match kind {
            Residence::Basement => &["##", "##"],
            Residence::House => &["##", "##", "##"],
            Residence::Tower => &["##", "##", "##", "##", "##"],
        };
        let large: &[&str] = match kind {
            Residence::Basement => &["####", "####"],
            Residence::House => &[" ## ", "####", "####", "####"],
            Residence::Tower => &["# # #", "#####", " ### ", " ### ", "#####", "#####"],
        };
        let rows = if scale.half > 2 { large } else { small };
        let (x, y) = scale.point(vertex.lattice_point());
        for (up, row) in (0..).zip(rows.iter().rev()) {
            for (right, _) in (0..).zip(row.chars()).filter(|(_, pixel)| *pixel == '#') {
                let left = x.wrapping_sub(cells(row.len() / 2)).wrapping_add(right).wrapping_mul(2);
                for column in [left, left.wrapping_add(1)] {
                    self.set((column, (y + 1).wrapping_sub(up)), ink);
                }
            }
        }
    }
}

/// A position, and how it is drawn.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The position.
    pub game: &'a Game,
    /// The edition.
    pub edition: &'static Edition,
    /// The sum of the dice, whose tiles are marked.
    pub rolled: Option<u8>,
    /// The edges on which numbers are written.
    pub numbered: EdgeSet,
}

impl Picture<'_> {
    /// Draws the tiles, the borders and what is built, with the upper left corner at `area`.
    pub fn draw(self, scale: Scale, area: Rect, canvas: &mut Canvas<'_>) {
        let Self { game, edition, .. } = self;
        let (width, height) = scale.size();
        let rows_above = 2 * (area.y - canvas.area().y).min(2);
        let count = 2 * usize::from(width) * usize::from(2 * height + rows_above);
        let mut pixels = Pixels { width: 2 * width, rows_above, ink: vec![Ink::None; count] };
        Tile::all().for_each(|tile| pixels.fill(scale, tile));
        Edge::all().for_each(|edge| pixels.line(scale, edge, Ink::Border));
        for builder in Builder::ALL {
            game.roads(builder).iter().for_each(|edge| pixels.line(scale, edge, Ink::Owned(builder)));
        }
        for builder in Builder::ALL {
            for vertex in game.residences(builder).iter() {
                if let Some(kind) = game.residence(vertex) {
                    pixels.residence(scale, vertex, kind, Ink::Owned(builder));
                }
            }
        }
        draw_pixels(&pixels, game, area, canvas);
        for tile in Tile::all() {
            self.draw_tile(scale, area, tile, canvas);
        }
        // Among numbers, and where colours may look alike, roads have the letter of their owner, if there is room.
        let has_letters = !self.numbered.is_empty() || canvas.theme.colours == Colours::Ansi;
        for builder in Builder::ALL.into_iter().filter(|_| has_letters && scale != SMALLEST) {
            let initial = char::from(edition.initial(builder)).to_string();
            for edge in game.roads(builder).iter() {
                let label = at(area, scale.label(Place::Edge(edge)));
                canvas.put(label.x, label.y, 1, &initial, canvas.theme.builder_block(builder));
            }
        }
        for builder in Builder::ALL {
            for vertex in game.residences(builder).iter() {
                let kind = game.residence(vertex).unwrap_or(Residence::Basement);
                let letters = [edition.initial(builder), edition.symbols.residences[kind.index()]];
                let text: String = letters.map(char::from).iter().collect();
                let label = at(area, scale.label(Place::Vertex(vertex)));
                canvas.put(label.x, label.y, 2, &text, canvas.theme.builder_block(builder));
            }
        }
    }

    /// Writes the name, the value and the pips of a tile, or the geese.
    fn draw_tile(self, scale: Scale, area: Rect, tile: Tile, canvas: &mut Canvas<'_>) {
        let (theme, game) = (canvas.theme, self.game);
        let (x, y) = scale.point(tile.lattice_point());
        let (x, y) = (area.x + x, area.y + y / 2);
        let terrain = game.layout()[tile];
        // What stands behind the text stays: a tile or a tower.
        let ground = Style { bg: None, ..theme.on_tile(terrain) };
        let name = self.edition.terrain_name(terrain);
        let name = name.split(' ').next().unwrap_or_default();
        // On the smallest tiles, numbers of edges stand beside the name, with a space or a mark between.
        let (mut from, mut to) = (x - 3, x + 4);
        let numbered = tile.edges().into_iter().filter(|&edge| scale == SMALLEST && self.numbered.contains(edge));
        for label in numbered.map(|edge| at(area, scale.label(Place::Edge(edge)))).filter(|label| label.y == y - 1) {
            (from, to) = if label.x < x { (label.right() + 1, to) } else { (from, label.x - 1) };
        }
        let (is_free, room) = (to - from == 7, usize::from(to - from));
        let is_cut = !is_free && name.chars().count() > room;
        let name: String = name.chars().take(if is_cut { 3 } else { usize::MAX }).collect();
        let length = cells(name.chars().count());
        let middle = x - length / 2;
        let start = if is_free { middle } else { middle.clamp(from, to - length) };
        canvas.put(start, y - 1, length, &name, ground);
        let mut centred = |row: u16, text: &str, style: Style| {
            let length = cells(text.chars().count());
            canvas.put(x - length / 2, row, length, text, style);
        };
        if let Terrain::Resource(_, roll) = terrain {
            let is_rolled = self.rolled == Some(roll.value());
            let style = match terrain.pips() {
                5 => Style { bg: None, ..theme.hot(terrain) },
                _ => ground.patch(theme.bold()),
            };
            let text = if is_rolled { format!("\u{25b8}{}\u{25c2}", roll.value()) } else { roll.value().to_string() };
            centred(y, &text, style);
            // With spaces between them, any number of pips is centred. Without, numbers of edges have room beside them.
            let is_narrow = scale == SMALLEST || tile.edges().into_iter().any(|edge| self.numbered.contains(edge));
            let space = if is_narrow { "" } else { " " };
            let pips = vec![theme.pip().to_string(); terrain.pips().into()].join(space);
            centred(y + 1, &pips, ground);
        }
        if game.geese() == Some(tile) {
            let label = at(area, scale.label(Place::Tile(tile)));
            canvas.put(label.x, label.y, label.width, "GEESE", theme.geese());
        }
    }
}

/// Moves an area that is relative to another.
pub const fn at(area: Rect, within: Rect) -> Rect {
    Rect { x: area.x + within.x, y: area.y + within.y, ..within }
}

fn draw_pixels(pixels: &Pixels, game: &Game, area: Rect, canvas: &mut Canvas<'_>) {
    let (theme, width) = (canvas.theme, usize::from(pixels.width));
    // Finding the nearest colour of a palette takes long.
    let tiles: Vec<Option<Color>> = Tile::all().map(|tile| theme.tile(game.layout()[tile])).collect();
    let (border, builders) = (theme.border(), Builder::ALL.map(|builder| theme.builder(builder).fg));
    let colour = |ink: Ink| match ink {
        Ink::None => None,
        Ink::Tile(tile) => tiles[tile.index()],
        Ink::Border => border,
        Ink::Owned(builder) => builders[builder.index()],
    };
    for (y, rows) in (area.y - pixels.rows_above / 2..).zip(pixels.ink.chunks(2 * width)) {
        let (upper, lower) = rows.split_at(width);
        for (x, (upper, lower)) in (area.x..).zip(upper.chunks(2).zip(lower.chunks(2))) {
            let quarters = [upper[0], upper[1], lower[0], lower[1]];
            if quarters == [quarters[0]; 4] {
                if let Some(only) = colour(quarters[0]) {
                    canvas.mark(x, y, ' ', Style::new().bg(only));
                }
                continue;
            }
            // A cell has two colours: the one that is drawn over the others, and the most frequent of the others.
            let top = quarters.into_iter().max_by_key(|ink| ink.layer()).unwrap_or(Ink::None);
            let count = |ink: &Ink| quarters.iter().filter(|other| *other == ink).count();
            let below = quarters.into_iter().filter(|ink| colour(*ink) != colour(top)).max_by_key(count);
            let [top_colour, below_colour] = [Some(top), below].map(|ink| ink.and_then(colour));
            let of_top = (0..4).filter(|&bit| colour(quarters[bit]) == top_colour).map(|bit| 1 << bit).sum::<usize>();
            let (letter, style) = match (top_colour, below_colour) {
                (None, None) => continue,
                (Some(only), _) if below.is_none() => (' ', Style::new().bg(only)),
                (Some(top), Some(below)) => (QUARTERS[of_top], Style::new().fg(top).bg(below)),
                (Some(top), None) => (QUARTERS[of_top], Style::new().fg(top)),
                (None, Some(below)) => (QUARTERS[15 - of_top], Style::new().fg(below)),
            };
            canvas.mark(x, y, letter, style);
        }
    }
}

/// The characters that fill quarters of a cell: upper left is 1, upper right 2, lower left 4, lower right 8.
const QUARTERS: [char; 16] = [
    ' ', '\u{2598}', '\u{259d}', '\u{2580}', '\u{2596}', '\u{258c}', '\u{259e}', '\u{259b}', '\u{2597}', '\u{259a}',
    '\u{2590}', '\u{259c}', '\u{2584}', '\u{2599}', '\u{259f}', '\u{2588}',
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A residence at the upper end of the board has as many pixels as one in the middle, if there are two rows of cells above.
    #[test]
    fn roofs_at_the_upper_end_are_whole() {
        for (scale, kind) in SCALES.into_iter().flat_map(|scale| Residence::ALL.map(|kind| (scale, kind))) {
            let count = |vertex: i64| {
                let (width, height) = scale.size();
                let count = 2 * usize::from(width) * usize::from(2 * height + 4);
                let mut pixels = Pixels { width: 2 * width, rows_above: 4, ink: vec![Ink::None; count] };
                let ink = Ink::Owned(Builder::Blue);
                pixels.residence(scale, Vertex::new(vertex).unwrap(), kind, ink);
                pixels.ink.into_iter().filter(|other| *other == ink).count()
            };
            assert_eq!([count(0), count(1)], [count(20); 2], "{scale:?} {kind:?}");
        }
    }
}
