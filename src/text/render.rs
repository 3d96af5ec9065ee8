//! The drawing of the board.

use std::fmt;

use super::edition::{BoardTemplate, Edition};
use super::output::{Output, write_left, write_right};
use crate::board::{Edge, Layout, Terrain, Tile, Vertex};
use crate::game::{Builder, Game};

/// Returns the board of a game as an edition prints it: 41 lines.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules};
/// use constructor::rng;
/// use constructor::text::{WATAN, render};
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
/// assert_eq!(render(&WATAN, &game).lines().count(), 41);
/// assert!(game.to_string().starts_with("                    | 0|-- 0--| 1|\n"));
/// ```
#[must_use]
pub fn render(edition: &Edition, game: &Game) -> String {
    render_on(&edition.template, edition, game)
}

/// Returns the board of a game on any template, in the words of an edition.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules};
/// use constructor::rng;
/// use constructor::text::{COMPACT_BOARD, WATAN, render_on};
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
/// assert_eq!(render_on(&COMPACT_BOARD, &WATAN, &game).lines().count(), 21);
/// ```
#[must_use]
pub fn render_on(template: &BoardTemplate, edition: &Edition, game: &Game) -> String {
    let mut out = Output::default();
    BoardView::new(template, edition, game.layout()).draw(template, edition, game, &mut out);
    out.text()
}

/// Displays the board as the default edition prints it.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(Edition::standard(), self))
    }
}

/// A board with a layout filled in, onto which a game's roads, residences and geese are drawn.
#[derive(Clone, Debug)]
pub(super) struct BoardView {
    empty_board: Vec<u8>,
}

impl BoardView {
    pub(super) fn new(template: &BoardTemplate, edition: &Edition, layout: &Layout) -> Self {
        let mut board = template.text().as_bytes().to_vec();
        board.iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|slot| *slot = b' ');

        let number = |board: &mut Vec<u8>, range, number: u8| {
            write_right(board, range, itoa::Buffer::new().format(number).as_bytes());
        };
        for vertex in Vertex::all() {
            number(&mut board, template.vertices[vertex.index()].range(), vertex.number());
        }
        for edge in Edge::all() {
            number(&mut board, template.edges[edge.index()].range(), edge.number());
        }
        for tile in Tile::all() {
            number(&mut board, template.numbers[tile.index()].range(), tile.number());
            let name = match layout[tile] {
                Terrain::Park => edition.strings.park,
                Terrain::Resource(resource, value) => {
                    number(&mut board, template.values[tile.index()].range(), value.value());
                    edition.strings.resources[resource.index()]
                }
            };
            write_left(&mut board, template.name_range(tile, name), name.as_bytes());
        }
        Self { empty_board: board }
    }

    /// Draws a game onto the template for which the view was made.
    pub(super) fn draw(&self, template: &BoardTemplate, edition: &Edition, game: &Game, out: &mut Output) {
        let symbols = &edition.symbols;
        let board = out.append(&self.empty_board);
        for builder in Builder::ALL {
            let initial = edition.initial(builder);
            for edge in game.roads(builder).iter() {
                write_left(board, template.edges[edge.index()].range(), &[initial, symbols.road]);
            }
            for vertex in game.residences(builder).iter() {
                if let Some(kind) = game.residence(vertex) {
                    let symbol = symbols.residences[kind.index()];
                    write_left(board, template.vertices[vertex.index()].range(), &[initial, symbol]);
                }
            }
        }
        if let Some(tile) = game.geese() {
            write_left(board, template.geese[tile.index()].range(), symbols.geese.as_bytes());
        }
    }
}
