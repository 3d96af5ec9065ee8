//! The figure of the board, read as a person reads it: what is drawn beside what.

use std::collections::HashMap;

use constructor::board::{Edge, Tile, Vertex};

use crate::model::State;

const FIGURE: &str = include_str!("../figures/constructor-board.txt");

/// Where a number stands: its row, and the column of its last digit.
type Spot = (usize, usize);

#[derive(Clone)]
pub struct Figure {
    vertices: Vec<Spot>,
    edges: Vec<Spot>,
    tiles: Vec<Spot>,
    edge_ends: Vec<Vec<usize>>,
    tile_vertices: Vec<Vec<usize>>,
    tile_edges: Vec<Vec<usize>>,
    vertex_edges: Vec<Vec<usize>>,
    vertex_neighbours: Vec<Vec<usize>>,
}

impl Figure {
    /// Finds every number in the figure and tells from what surrounds it what it is.
    pub fn read() -> Self {
        let rows: Vec<Vec<char>> = FIGURE.lines().map(|line| line.chars().collect()).collect();
        let at = |row: usize, column: usize| rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(' ');

        let mut numbers: Vec<(usize, Spot)> = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.iter().enumerate() {
                if character.is_ascii_digit() && !at(row, column + 1).is_ascii_digit() {
                    let tens = line[column - 1].to_digit(10).unwrap_or(0);
                    let number = 10 * tens + character.to_digit(10).unwrap();
                    numbers.push((usize::try_from(number).unwrap(), (row, column)));
                }
            }
        }
        let (mut vertices, mut edges, mut tiles) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (number, (row, column)) in numbers {
            let bars = at(row, column + 1) == '|' && at(row, column - 2) == '|';
            let dashes = at(row, column + 1) == '-' && at(row, column - 2) == '-';
            let bars_above_and_below = at(row - row.min(1), column) == '|' && at(row + 1, column) == '|';
            if bars {
                vertices.insert(number, (row, column));
            } else if dashes || bars_above_and_below {
                edges.insert(number, (row, column));
            } else if row % 4 == 2 {
                // The rows of the upper vertical edges hold the numbers of tiles too; other numbers are values.
                tiles.insert(number, (row, column));
            }
        }
        let in_order = |places: &HashMap<usize, Spot>, count: usize| -> Vec<Spot> {
            assert_eq!(places.len(), count);
            (0..count).map(|number| places[&number]).collect()
        };
        let (vertices, edges, tiles) = (in_order(&vertices, 54), in_order(&edges, 72), in_order(&tiles, 19));

        let find = |places: &[Spot], spot: Spot| places.iter().position(|&place| place == spot).unwrap();
        let edge_ends: Vec<Vec<usize>> = edges
            .iter()
            .map(|&(row, column)| {
                if at(row, column + 1) == '-' {
                    vec![find(&vertices, (row, column - 5)), find(&vertices, (row, column + 5))]
                } else {
                    vec![find(&vertices, (row - 2, column)), find(&vertices, (row + 2, column))]
                }
            })
            .collect();
        let around = |places: &[Spot], offsets: [(isize, isize); 6]| -> Vec<Vec<usize>> {
            tiles
                .iter()
                .map(|&(row, column)| {
                    offsets
                        .iter()
                        .map(|&(down, right)| {
                            let spot =
                                (row.checked_add_signed(down).unwrap(), column.checked_add_signed(right).unwrap());
                            find(places, spot)
                        })
                        .collect()
                })
                .collect()
        };
        let tile_vertices = around(&vertices, [(-2, -5), (-2, 5), (2, -5), (2, 5), (6, -5), (6, 5)]);
        let tile_edges = around(&edges, [(-2, 0), (0, -5), (0, 5), (4, -5), (4, 5), (6, 0)]);
        let vertex_edges: Vec<Vec<usize>> =
            (0..54).map(|vertex| (0..72).filter(|&edge| edge_ends[edge].contains(&vertex)).collect()).collect();
        let vertex_neighbours = (0..54)
            .map(|vertex| {
                let ends = vertex_edges[vertex].iter().flat_map(|&edge| &edge_ends[edge]);
                ends.copied().filter(|&end| end != vertex).collect()
            })
            .collect();
        Self { vertices, edges, tiles, edge_ends, tile_vertices, tile_edges, vertex_edges, vertex_neighbours }
    }

    pub fn ends(&self, edge: usize) -> &[usize] {
        &self.edge_ends[edge]
    }

    pub fn edges_at(&self, vertex: usize) -> &[usize] {
        &self.vertex_edges[vertex]
    }

    pub fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.vertex_neighbours[vertex]
    }

    pub fn vertices_of(&self, tile: usize) -> &[usize] {
        &self.tile_vertices[tile]
    }

    /// The figure with another layout in it, and what stands on it.
    pub fn draw(&self, state: &State) -> String {
        const NAMES: [&str; 6] = ["BRICK ", "ENERGY", "GLASS ", "HEAT  ", "WIFI  ", "PARK  "];
        let mut rows: Vec<Vec<char>> = FIGURE.lines().map(|line| line.chars().collect()).collect();
        let mut put = |(row, column): Spot, right: isize, text: &str| {
            let start = column.checked_add_signed(right).unwrap();
            for (place, character) in text.chars().enumerate() {
                rows[row][start + place] = character;
            }
        };
        for (tile, &(row, column)) in self.tiles.iter().enumerate() {
            // The left bar is 5 columns to the left of where the tile's number ends.
            let (kind, value) = state.tiles[tile];
            put((row + 1, column), -2, NAMES[kind]);
            let value = if kind == 5 { " ".repeat(6) } else { format!("{value:4}  ") };
            put((row + 2, column), -3, &value);
            if usize::try_from(state.geese) == Ok(tile) {
                put((row + 3, column), -2, "GEESE");
            }
        }
        let initial = |builder: usize| ["B", "R", "O", "Y"][builder];
        for (&vertex, &(builder, letter)) in &state.homes {
            put(self.vertices[vertex], -1, &format!("{}{letter}", initial(builder)));
        }
        for (&edge, &builder) in &state.roads {
            put(self.edges[edge], -1, &format!("{}R", initial(builder)));
        }
        rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}

#[test]
fn the_tables_of_the_program_are_those_of_the_figure() {
    let figure = Figure::read();
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

#[test]
fn the_figure_is_41_lines_without_trailing_blanks() {
    assert_eq!(FIGURE.lines().count(), 41);
    assert!(FIGURE.ends_with("|52|--71--|53|\n"));
    assert!(FIGURE.lines().all(|line| line.trim_end() == line));
}
