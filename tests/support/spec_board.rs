//! The printed boards of the specification, parsed by position: what is drawn next to what.

use std::collections::HashMap;

use super::reference_program::State;
use super::spec_strings::SpecStrings;

/// The position of a number: its row, and the column of its last digit.
type Spot = (usize, usize);

#[derive(Clone)]
pub struct SpecBoard {
    strings: &'static SpecStrings,
    vertices: Vec<Spot>,
    edges: Vec<Spot>,
    tiles: Vec<Spot>,
    pub edge_ends: Vec<Vec<usize>>,
    pub tile_vertices: Vec<Vec<usize>>,
    pub tile_edges: Vec<Vec<usize>>,
    vertex_edges: Vec<Vec<usize>>,
    vertex_neighbours: Vec<Vec<usize>>,
}

impl SpecBoard {
    /// Finds every number in the printed board and classifies it by its surroundings.
    pub fn read(strings: &'static SpecStrings) -> Self {
        let rows: Vec<Vec<char>> = strings.figure.lines().map(|line| line.chars().collect()).collect();
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
            let between = |border: char| at(row, column + 1) == border && at(row, column - 2) == border;
            let stroke_is_near = (column.saturating_sub(2)..=column + 2)
                .any(|near| ['|', '/', '\\'].contains(&at(row - row.min(1), near)));
            if between('|') {
                vertices.insert(number, (row, column));
            } else if between('-') || (row % 4 == 2 && stroke_is_near) {
                edges.insert(number, (row, column));
            } else if row % 4 == 2 {
                // Every fourth row has the numbers of tiles; the rows of vertices have their values.
                tiles.insert(number, (row, column));
            }
        }
        let in_order = |places: &HashMap<usize, Spot>, count: usize| -> Vec<Spot> {
            assert_eq!(places.len(), count);
            (0..count).map(|number| places[&number]).collect()
        };
        let (vertices, edges, tiles) = (in_order(&vertices, 54), in_order(&edges, 72), in_order(&tiles, 19));

        // The nearest place on a row: in any direction, to the left, or to the right.
        let nearest = |places: &[Spot], row: usize, column: usize| {
            let on_row = (0..places.len()).filter(|&place| places[place].0 == row);
            on_row.min_by_key(|&place| places[place].1.abs_diff(column)).unwrap()
        };
        let left = |places: &[Spot], row: usize, column: usize| {
            let on_row = (0..places.len()).filter(|&place| places[place].0 == row && places[place].1 < column);
            on_row.max_by_key(|&place| places[place].1).unwrap()
        };
        let right = |places: &[Spot], row: usize, column: usize| {
            let on_row = (0..places.len()).filter(|&place| places[place].0 == row && places[place].1 > column);
            on_row.min_by_key(|&place| places[place].1).unwrap()
        };

        let edge_ends: Vec<Vec<usize>> = edges
            .iter()
            .map(|&(row, column)| {
                if at(row, column + 1) == '-' {
                    vec![left(&vertices, row, column), right(&vertices, row, column)]
                } else {
                    vec![nearest(&vertices, row - 2, column), nearest(&vertices, row + 2, column)]
                }
            })
            .collect();
        let tile_vertices = tiles
            .iter()
            .map(|&(row, column)| {
                let pair = |row| [left(&vertices, row, column), right(&vertices, row, column)];
                [pair(row - 2), pair(row + 2), pair(row + 6)].concat()
            })
            .collect();
        let tile_edges = tiles
            .iter()
            .map(|&(row, column)| {
                let pair = |row| vec![left(&edges, row, column), right(&edges, row, column)];
                let one = |row| vec![nearest(&edges, row, column)];
                [one(row - 2), pair(row), pair(row + 4), one(row + 6)].concat()
            })
            .collect();
        let vertex_edges: Vec<Vec<usize>> =
            (0..54).map(|vertex| (0..72).filter(|&edge| edge_ends[edge].contains(&vertex)).collect()).collect();
        let vertex_neighbours = (0..54)
            .map(|vertex| {
                let ends = vertex_edges[vertex].iter().flat_map(|&edge| &edge_ends[edge]);
                ends.copied().filter(|&end| end != vertex).collect()
            })
            .collect();
        Self { strings, vertices, edges, tiles, edge_ends, tile_vertices, tile_edges, vertex_edges, vertex_neighbours }
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

    /// The board with this layout and everything built on it.
    pub fn draw(&self, state: &State) -> String {
        let strings = self.strings;
        let mut rows: Vec<Vec<char>> = strings.figure.lines().map(|line| line.chars().collect()).collect();
        let figure = rows.clone();
        let mut put = |(row, start): Spot, text: &str| {
            for (place, character) in text.chars().enumerate() {
                rows[row][start + place] = character;
            }
        };
        for (tile, &(row, column)) in self.tiles.iter().enumerate() {
            let (kind, value) = state.tiles[tile];
            let border = (0..column).rev().find(|&border| "|/".contains(figure[row + 1][border])).unwrap();
            let start = border + strings.name_offset;
            put((row + 1, start), &format!("{:longest$}", strings.kinds[kind], longest = longest_name(strings)));
            let left_vertex = self.vertices[self.tile_vertices[tile][2]].1;
            let digits = if kind == 5 { String::new() } else { value.to_string() };
            let value = format!("{digits:>width$}{:gap$}", "", width = strings.value_width, gap = strings.value_gap);
            put((row + 2, left_vertex + 2), &value);
            if usize::try_from(state.geese) == Ok(tile) {
                put((row + 3, start), "GEESE");
            }
        }
        let initial = |builder: usize| ["B", "R", "O", "Y"][builder];
        for (&vertex, &(builder, level)) in &state.homes {
            let (row, column) = self.vertices[vertex];
            put((row, column - 1), &format!("{}{}", initial(builder), strings.drawn[level - 1]));
        }
        for (&edge, &builder) in &state.roads {
            let (row, column) = self.edges[edge];
            put((row, column - 1), &format!("{}{}", initial(builder), strings.road));
        }
        rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}

fn longest_name(strings: &SpecStrings) -> usize {
    strings.kinds.iter().map(|name| name.len()).max().unwrap_or_default()
}
