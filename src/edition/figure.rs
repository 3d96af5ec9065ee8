//! The drawing of a board as a figure with slots.
//!
//! A figure is a text in which every letter is part of a slot, and everything else stands for itself:
//!
//! | slot | holds |
//! | --- | --- |
//! | `vv` | a vertex: its number, or what stands there |
//! | `ee` | an edge: the same |
//! | `tt` | a tile's number |
//! | `n…n` | the name of what the tile yields, from the left |
//! | `y…y` | the value on which it yields, to the right |
//! | `g…g` | the geese, from the left |
//!
//! Slots of each kind are numbered in reading order, as the board is.

use std::ops::Range;

use crate::board::{Edge, Tile, Vertex};

/// A part of a figure that is filled in.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    start: u16,
    width: u16,
}

impl Slot {
    const NOWHERE: Self = Self { start: 0, width: 0 };

    /// Where in the text it is.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.width) as usize
    }
}

/// A figure and its slots.
///
/// ```
/// use constructor::edition::CONSTRUCTOR;
/// let figure = &CONSTRUCTOR.figure;
/// assert_eq!(figure.text().lines().count(), 41);
/// assert_eq!(figure.vertices[0].range(), 21..23);
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    text: &'static str,
    /// For each vertex.
    pub vertices: [Slot; Vertex::COUNT],
    /// For each edge.
    pub edges: [Slot; Edge::COUNT],
    /// For each tile: its number,
    pub numbers: [Slot; Tile::COUNT],
    /// the name of what it yields,
    pub names: [Slot; Tile::COUNT],
    /// the value on which it does,
    pub values: [Slot; Tile::COUNT],
    /// and the geese.
    pub geese: [Slot; Tile::COUNT],
}

impl Figure {
    /// Finds the slots of a figure. Meant for constants: what is wrong with a figure is then found when the program is
    /// compiled.
    ///
    /// # Panics
    /// When there are too few or too many slots of a kind, a letter that names none, or more than 65,535 bytes.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        assert!(bytes.len() <= u16::MAX as usize, "the figure is too long");
        let mut figure = Self {
            text,
            vertices: [Slot::NOWHERE; Vertex::COUNT],
            edges: [Slot::NOWHERE; Edge::COUNT],
            numbers: [Slot::NOWHERE; Tile::COUNT],
            names: [Slot::NOWHERE; Tile::COUNT],
            values: [Slot::NOWHERE; Tile::COUNT],
            geese: [Slot::NOWHERE; Tile::COUNT],
        };
        let (mut vertex, mut edge, mut number, mut name, mut value, mut goose) = (0, 0, 0, 0, 0, 0);
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let letter = bytes[start];
            at += 1;
            if !letter.is_ascii_alphabetic() {
                continue;
            }
            while at < bytes.len() && bytes[at] == letter {
                at += 1;
            }
            #[expect(clippy::cast_possible_truncation, reason = "the figure's length was checked")]
            let slot = Slot { start: start as u16, width: (at - start) as u16 };
            match letter {
                b'v' => place(&mut figure.vertices, &mut vertex, slot),
                b'e' => place(&mut figure.edges, &mut edge, slot),
                b't' => place(&mut figure.numbers, &mut number, slot),
                b'n' => place(&mut figure.names, &mut name, slot),
                b'y' => place(&mut figure.values, &mut value, slot),
                b'g' => place(&mut figure.geese, &mut goose, slot),
                _ => panic!("a letter in the figure names no slot"),
            }
        }
        assert!(vertex == Vertex::COUNT && edge == Edge::COUNT, "the figure lacks a vertex or an edge");
        assert!(
            number == Tile::COUNT && name == Tile::COUNT && value == Tile::COUNT && goose == Tile::COUNT,
            "the figure lacks a slot of a tile"
        );
        figure
    }

    /// The whole text, slots and all; the lines end in a newline, the last one too.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }
}

const fn place(slots: &mut [Slot], next: &mut usize, slot: Slot) {
    assert!(*next < slots.len(), "the figure has too many slots of a kind");
    slots[*next] = slot;
    *next += 1;
}
