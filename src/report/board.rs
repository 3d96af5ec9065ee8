//! A board as SVG.

use std::fmt::Write;

use super::style::{COLOURS, escape};
use crate::board::{Edge, Layout, Terrain, Tile, Vertex};
use crate::game::{Builder, Game, Residence};
use crate::text::{Edition, Place, PlaceChoice};

/// The width of a lattice step in pixels: half a side of a tile.
const STEP_X: f64 = 26.0;
/// The height of a lattice step in pixels: half the height of a tile.
const STEP_Y: f64 = 45.0;
/// The margin around the board.
const MARGIN: f64 = 26.0;
/// The number of lattice columns to the left of tile 0, and the total numbers of lattice columns and rows.
const LEFT: f64 = 8.0;
const COLUMNS: f64 = 16.0;
const ROWS: f64 = 10.0;

pub(super) const WIDTH: f64 = COLUMNS * STEP_X + 2.0 * MARGIN;
pub(super) const HEIGHT: f64 = ROWS * STEP_Y + 2.0 * MARGIN;

/// The styles of the classes of a board. The colours that they use are in [`COLOURS`].
pub(super) const STYLE: &str = "\
.board text{font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central;fill:var(--ink)}\
.board .tile{stroke:var(--line);stroke-width:1.5}\
.board .name{font-size:12px;font-weight:600}\
.board .value{font-size:17px;font-weight:700}\
.board .number{font-size:9px}\
.board .hot{fill:var(--hot)}\
.board .site{fill:var(--page);stroke:var(--line)}\
.board .road{stroke-width:9;stroke-linecap:round}\
.board .outline{stroke:var(--ink);stroke-width:12;stroke-linecap:round}\
.board .piece{stroke:var(--ink);stroke-width:1.5}\
.board .letter{font-size:10px;font-weight:700;fill:#000}\
.board .on-0,.board .on-1{fill:var(--on-dark)}\
.board .geese{fill:var(--page);stroke:var(--ink)}\
.board .ring{fill:none;stroke:var(--hot);stroke-width:3}\
.brick{fill:var(--brick)}.energy{fill:var(--energy)}.glass{fill:var(--glass)}.heat{fill:var(--heat)}\
.wifi{fill:var(--wifi)}.park{fill:var(--park)}.empty{fill:var(--page)}";

/// The class of a tile with each resource; it is the same in all editions.
const RESOURCE_CLASSES: [&str; 5] = ["brick", "energy", "glass", "heat", "wifi"];

/// The content of a picture of a board.
#[derive(Clone, Debug, Default)]
pub struct BoardPicture<'p> {
    /// The layout; if it is `None`, tiles show only their numbers.
    pub layout: Option<&'p Layout>,
    /// The game whose buildings and geese are drawn.
    pub game: Option<&'p Game>,
    /// Vertices, each with a share from 0 to 1 and a text. A vertex is shown as a circle; the higher its share, the more opaque the circle.
    pub heat: Vec<(Vertex, f64, String)>,
    /// Vertices, edges and tiles with a ring around them.
    pub rings: Vec<Place>,
}

type Point = (f64, f64);

fn at((x, y): (i8, i8)) -> Point {
    (MARGIN + (f64::from(x) + LEFT) * STEP_X, MARGIN + (f64::from(y) + 1.0) * STEP_Y)
}

fn middle(edge: Edge) -> Point {
    let [from, to] = edge.ends().map(|end| at(end.lattice_point()));
    (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1))
}

/// Returns a board as a complete SVG file, for light and dark pages and for print.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::Game;
/// use constructor::report::board_svg;
/// use constructor::{rng, text::CONSTRUCTOR};
/// let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng::from_seed(1)));
/// let svg = board_svg(&CONSTRUCTOR, &game);
/// assert!(svg.starts_with("<svg ") && svg.contains("BRICK"));
/// ```
#[must_use]
pub fn board_svg(edition: &Edition, game: &Game) -> String {
    let picture = BoardPicture { layout: Some(game.layout()), game: Some(game), ..BoardPicture::default() };
    let background = format!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"var(--page)\"/>");
    let style = format!("<style>{COLOURS}{STYLE}</style>{background}");
    picture.svg(edition, &style, "xmlns=\"http://www.w3.org/2000/svg\"") + "\n"
}

/// Returns the style sheet of [`table_board`].
#[must_use]
pub fn table_style() -> String {
    format!("{COLOURS}{STYLE}")
}

/// Returns a board as SVG for the page of a table: without styles of its own, and with buttons where somebody can act.
#[must_use]
pub fn table_board(edition: &Edition, game: &Game, choices: &[PlaceChoice]) -> String {
    let picture = BoardPicture { layout: Some(game.layout()), game: Some(game), ..BoardPicture::default() };
    // Its letters and numbers say nothing when they are read out.
    let svg = picture.svg(edition, "<g aria-hidden=\"true\">", "xmlns=\"http://www.w3.org/2000/svg\"");
    let svg = svg.replace(" role=\"img\"", " role=\"group\"");
    let mut svg = svg.trim_end_matches("</svg>").to_owned() + "</g>";
    for PlaceChoice { place, kind, line, label } in choices {
        // The target is 24 pixels wide where the board is 300 pixels wide.
        let ((x, y), target, dot) = match *place {
            Place::Vertex(vertex) => (at(vertex.lattice_point()), 20.0, 11.0),
            Place::Edge(edge) => (middle(edge), 20.0, 9.0),
            Place::Tile(tile) => (at(tile.lattice_point()), 40.0, 36.0),
        };
        let _ = write!(
            svg,
            "<g class=\"choice\" role=\"button\" tabindex=\"-1\" data-kind=\"{}\" data-line=\"{}\" aria-label=\"{}\">\
             <circle class=\"target\" cx=\"{x}\" cy=\"{y}\" r=\"{target}\"/><circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"{dot}\"/>",
            escape(kind),
            escape(line),
            escape(label)
        );
        // The other places have their numbers already.
        if let Place::Edge(edge) = place {
            let _ = write!(svg, "<text class=\"number\" x=\"{x}\" y=\"{y}\">{edge}</text>");
        }
        svg += "</g>";
    }
    svg + "</svg>"
}

impl BoardPicture<'_> {
    /// Returns the picture as an `svg` element, for a page that contains the styles.
    pub(super) fn element(&self, edition: &Edition) -> String {
        self.svg(edition, "", "")
    }

    fn svg(&self, edition: &Edition, begin: &str, attributes: &str) -> String {
        let mut svg = format!(
            "<svg {attributes} class=\"board\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{begin}",
            escape(&self.description(edition))
        );
        Tile::all().for_each(|tile| self.draw_tile(tile, edition, &mut svg));
        Edge::all().for_each(|edge| self.draw_edge(edge, edition, &mut svg));
        Vertex::all().for_each(|vertex| self.draw_vertex(vertex, edition, &mut svg));
        for (vertex, share, text) in &self.heat {
            let (x, y) = at(vertex.lattice_point());
            let _ = write!(
                svg,
                "<circle class=\"heat-site mark\" cx=\"{x}\" cy=\"{y}\" r=\"15\" fill-opacity=\"{share:.3}\">\
                 <title>{}</title></circle><text class=\"number\" x=\"{x}\" y=\"{y}\">{vertex}</text>",
                escape(text)
            );
        }
        for ring in &self.rings {
            let ((x, y), radius) = match *ring {
                Place::Vertex(vertex) => (at(vertex.lattice_point()), 18.0),
                Place::Edge(edge) => (middle(edge), 18.0),
                Place::Tile(tile) => (at(tile.lattice_point()), 40.0),
            };
            let _ = write!(svg, "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
        }
        svg + "</svg>"
    }

    /// Describes the picture, for those who cannot see it.
    fn description(&self, edition: &Edition) -> String {
        match self.game {
            Some(game) => {
                let points =
                    Builder::ALL.map(|builder| format!("{} {}", edition.colour(builder), game.points(builder)));
                format!("Board; {}: {}", edition.strings.points, points.join(", "))
            }
            None => "Board".to_owned(),
        }
    }

    fn draw_tile(&self, tile: Tile, edition: &Edition, svg: &mut String) {
        let (x, y) = at(tile.lattice_point());
        let points = [(-1.0, -1.0), (1.0, -1.0), (2.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (-2.0, 0.0)]
            .map(|(dx, dy)| format!("{},{}", x + dx * STEP_X, y + dy * STEP_Y))
            .join(" ");
        let (class, name, value) = match self.layout.map(|layout| layout[tile]) {
            Some(Terrain::Resource(resource, value)) => {
                (RESOURCE_CLASSES[resource.index()], edition.resource_name(resource), Some(value))
            }
            Some(Terrain::Park) => ("park", edition.strings.park, None),
            None => ("empty", "", None),
        };
        let _ = write!(
            svg,
            "<polygon class=\"tile {class}\" points=\"{points}\"/>\
             <text class=\"number\" x=\"{x}\" y=\"{}\">{tile}</text>\
             <text class=\"name\" x=\"{x}\" y=\"{}\">{}</text>",
            y - 30.0,
            y - 12.0,
            escape(name)
        );
        if let Some(value) = value {
            let pips = self.layout.map_or(0, |layout| layout[tile].pips());
            let hot = if pips == 5 { " hot" } else { "" };
            let _ = write!(
                svg,
                "<text class=\"value{hot}\" x=\"{x}\" y=\"{}\">{}</text><text class=\"name{hot}\" x=\"{x}\" y=\"{}\">{}</text>",
                y + 8.0,
                value.value(),
                y + 23.0,
                "\u{2022}".repeat(pips.into())
            );
        }
        if self.game.and_then(Game::geese) == Some(tile) {
            let _ = write!(
                svg,
                "<rect class=\"geese\" x=\"{}\" y=\"{}\" width=\"60\" height=\"18\" rx=\"9\"/>\
                 <text class=\"name\" x=\"{x}\" y=\"{}\">{}</text>",
                x - 30.0,
                y - 39.0,
                y - 30.0,
                escape(edition.symbols.geese)
            );
        }
    }

    fn draw_edge(&self, edge: Edge, edition: &Edition, svg: &mut String) {
        let owner = self.game.and_then(|game| game.road_owner(edge));
        let Some(owner) = owner else { return };
        let [(x1, y1), (x2, y2)] = edge.ends().map(|end| at(end.lattice_point()));
        // The line does not reach the ends of the edge, where residences are.
        let part = |from: f64, to: f64, share: f64| from + (to - from) * share;
        let line = |class: &str| {
            format!(
                "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                part(x1, x2, 0.28),
                part(y1, y2, 0.28),
                part(x1, x2, 0.72),
                part(y1, y2, 0.72)
            )
        };
        let (x, y) = middle(edge);
        *svg += &line("outline");
        *svg += &line(&format!("road line-{}", owner.index()));
        let _ = write!(
            svg,
            "<text class=\"letter on-{}\" x=\"{x}\" y=\"{y}\">{}<title>{} {edge}: {}</title></text>",
            owner.index(),
            char::from(edition.initial(owner)),
            edition.strings.road,
            edition.colour(owner)
        );
    }

    fn draw_vertex(&self, vertex: Vertex, edition: &Edition, svg: &mut String) {
        let (x, y) = at(vertex.lattice_point());
        let built = self.game.and_then(|game| {
            let owner = game.owner(vertex)?;
            Some((owner, game.residence(vertex)?))
        });
        let Some((owner, kind)) = built else {
            let _ = write!(
                svg,
                "<circle class=\"site\" cx=\"{x}\" cy=\"{y}\" r=\"8\"/><text class=\"number\" x=\"{x}\" y=\"{y}\">{vertex}</text>"
            );
            return;
        };
        // A basement is round, a house has a roof, a tower is tall with battlements.
        let shape: &[Point] = match kind {
            Residence::Basement => &[],
            Residence::House => &[(-13.0, 12.0), (-13.0, -4.0), (0.0, -16.0), (13.0, -4.0), (13.0, 12.0)],
            Residence::Tower => &[
                (-12.0, 14.0),
                (-12.0, -19.0),
                (-5.0, -19.0),
                (-5.0, -13.0),
                (5.0, -13.0),
                (5.0, -19.0),
                (12.0, -19.0),
                (12.0, 14.0),
            ],
        };
        let class = format!("piece fill-{}", owner.index());
        if shape.is_empty() {
            let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"12\"/>");
        } else {
            let points: Vec<_> = shape.iter().map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).collect();
            let _ = write!(svg, "<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "));
        }
        let _ = write!(
            svg,
            "<text class=\"letter on-{}\" x=\"{x}\" y=\"{y}\">{}{}<title>{} {vertex}: {}</title></text>",
            owner.index(),
            char::from(edition.initial(owner)),
            char::from(edition.symbols.residences[kind.index()]),
            edition.strings.residences[kind.index()],
            edition.colour(owner)
        );
    }
}
