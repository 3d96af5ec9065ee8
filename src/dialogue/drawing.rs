//! The drawing of the board.

use super::text::{Text, write_left, write_right};
use crate::board::{Edge, Ground, Layout, Tile, Vertex};
use crate::edition::Edition;
use crate::game::{Builder, Game};

/// The edition's figure with one layout and all numbers filled in, on which a game's roads, residences and geese are
/// then written.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    empty_board: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(edition: &Edition, layout: &Layout) -> Self {
        let figure = &edition.figure;
        let mut board = figure.text().as_bytes().to_vec();
        board.iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|slot| *slot = b' ');

        let number = |board: &mut Vec<u8>, slot, number: u8| {
            write_right(board, slot, itoa::Buffer::new().format(number).as_bytes());
        };
        for vertex in Vertex::all() {
            number(&mut board, figure.vertices[vertex.index()].range(), vertex.number());
        }
        for edge in Edge::all() {
            number(&mut board, figure.edges[edge.index()].range(), edge.number());
        }
        for tile in Tile::all() {
            number(&mut board, figure.numbers[tile.index()].range(), tile.number());
            let name = match layout[tile] {
                Ground::Park => edition.words.park,
                Ground::Yields(resource, value) => {
                    number(&mut board, figure.values[tile.index()].range(), value.value());
                    edition.words.resources[resource.index()]
                }
            };
            write_left(&mut board, figure.names[tile.index()].range(), name.as_bytes());
        }
        Self { empty_board: board }
    }

    pub(super) fn draw(&self, edition: &Edition, game: &Game, out: &mut Text) {
        let (figure, marks) = (&edition.figure, &edition.marks);
        let board = out.stamp(&self.empty_board);
        for builder in Builder::ALL {
            let initial = edition.initial(builder);
            for edge in game.roads(builder).iter() {
                write_left(board, figure.edges[edge.index()].range(), &[initial, marks.road]);
            }
            for vertex in game.residences(builder).iter() {
                if let Some(kind) = game.residence(vertex) {
                    let mark = marks.residences[kind.index()];
                    write_left(board, figure.vertices[vertex.index()].range(), &[initial, mark]);
                }
            }
        }
        if let Some(tile) = game.geese() {
            write_left(board, figure.geese[tile.index()].range(), marks.geese.as_bytes());
        }
    }
}
