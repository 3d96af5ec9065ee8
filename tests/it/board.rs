//! The topology and the drawings of the board, against the printed boards of the specification.

use constructor::board::{Edge, Tile, Vertex};
use constructor::text::save::read_layout;
use constructor::text::{Dialogue, EDITIONS, Output};

use crate::spec_board::SpecBoard;
use crate::spec_strings::{CONSTRUCTOR, WATAN};

#[test]
fn topology_equals_printed_boards() {
    for strings in [&CONSTRUCTOR, &WATAN] {
        let figure = SpecBoard::read(strings);
        for tile in Tile::all() {
            let number = tile.index();
            assert_eq!(tile.vertices().map(Vertex::index).to_vec(), figure.tile_vertices[number], "{tile:?}");
            assert_eq!(tile.edges().map(Edge::index).to_vec(), figure.tile_edges[number], "{tile:?}");
        }
        for edge in Edge::all() {
            assert_eq!(edge.ends().map(Vertex::index).to_vec(), figure.ends(edge.index()), "{edge:?}");
        }
        for vertex in Vertex::all() {
            let edges: Vec<_> = vertex.edges().iter().map(Edge::index).collect();
            assert_eq!(edges, figure.edges_at(vertex.index()), "{vertex:?}");
            let mut neighbours = figure.neighbours(vertex.index()).to_vec();
            neighbours.sort_unstable();
            assert_eq!(vertex.neighbours().iter().map(Vertex::index).collect::<Vec<_>>(), neighbours, "{vertex:?}");
        }
    }
}

#[test]
fn templates_have_41_lines_without_trailing_blanks() {
    for figure in [CONSTRUCTOR.figure, WATAN.figure] {
        assert_eq!(figure.lines().count(), 41);
        assert!(figure.ends_with("|52|--71--|53|\n"));
        assert!(figure.lines().all(|line| line.trim_end() == line));
    }
}

/// The printed boards show the sample layout, so rendering it must give them.
#[test]
fn render_reproduces_printed_boards() {
    let layout = read_layout(include_bytes!("../../layout.txt")).unwrap();
    for (edition, strings) in EDITIONS.iter().zip([&CONSTRUCTOR, &WATAN]) {
        let mut text = Output::default();
        Dialogue::new(edition, Box::new(layout), 0).begin(&mut text);
        let drawn: String =
            String::from_utf8_lossy(text.bytes()).lines().take(41).map(|line| format!("{line}\n")).collect();
        assert_eq!(drawn.replace("GEESE", "     "), strings.figure);
    }
}
