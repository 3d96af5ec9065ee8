//! The template of a printed board: where each tile, vertex and edge is drawn.
//!
//! A template is a text in which every letter belongs to a slot, and every other character stands for itself:
//!
//! | slot | content |
//! | --- | --- |
//! | `vv` | a vertex: its number, or its residence |
//! | `ee` | an edge: its number, or its road |
//! | `tt` | a tile's number |
//! | `n…n` | the name of a tile's resource, left-aligned or [centred](BoardTemplate::with_centred_names) |
//! | `y…y` | a tile's value, right-aligned |
//! | `g…g` | the geese, left-aligned |
//!
//! Slots of one kind are numbered in reading order.

use std::ops::Range;

use crate::board::{Edge, Tile, Vertex};
use crate::game::Action;

/// A slot: a part of the board that is filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemplateField {
    start: u16,
    row: u16,
    column: u16,
    width: u16,
}

impl TemplateField {
    const UNSET: Self = Self { start: 0, row: 0, column: 0, width: 0 };

    /// Returns the range of bytes in the template's text.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.width) as usize
    }

    /// Returns the row and the column of the slot's first character, from 0.
    #[must_use]
    pub const fn position(self) -> (u16, u16) {
        (self.row, self.column)
    }

    /// Returns the width in characters.
    #[must_use]
    pub const fn width(self) -> u16 {
        self.width
    }
}

/// A tile, a vertex or an edge, as a place on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A tile.
    Tile(Tile),
    /// A vertex.
    Vertex(Vertex),
    /// An edge.
    Edge(Edge),
}

impl Place {
    /// Returns the place at which an action acts; `None` if it has none.
    #[must_use]
    pub const fn of(action: Action) -> Option<Self> {
        match action {
            Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => {
                Some(Self::Vertex(vertex))
            }
            Action::BuildRoad(edge) => Some(Self::Edge(edge)),
            Action::MoveGeese(tile) => Some(Self::Tile(tile)),
            _ => None,
        }
    }
}

/// A place at which somebody can act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceChoice {
    /// The place.
    pub place: Place,
    /// The kind of action, in a word of the edition. Choices of one kind are far enough apart to be pointed at.
    pub kind: &'static str,
    /// The line to type.
    pub line: String,
    /// The name for those who cannot see the board, with what is there.
    pub label: String,
}

/// A board of half the height, 21 rows and 54 columns, for screens of 80x24. Every place and value is on it.
pub static COMPACT_BOARD: BoardTemplate = BoardTemplate::new(include_str!("compact.txt")).with_centred_names();

/// A template and its slots: the geometry of an edition's board.
///
/// ```
/// use constructor::text::CONSTRUCTOR;
/// let template = &CONSTRUCTOR.template;
/// assert_eq!(template.size(), (41, 54));
/// assert_eq!(template.vertices[0].position(), (0, 21));
/// ```
#[derive(Clone, Debug)]
pub struct BoardTemplate {
    text: &'static str,
    /// Whether names are centred in their slots.
    centres_names: bool,
    /// The slots of the vertices.
    pub vertices: [TemplateField; Vertex::COUNT],
    /// The slots of the edges.
    pub edges: [TemplateField; Edge::COUNT],
    /// The slots of the tiles' numbers.
    pub numbers: [TemplateField; Tile::COUNT],
    /// The slots of the tiles' resources.
    pub names: [TemplateField; Tile::COUNT],
    /// The slots of the tiles' values.
    pub values: [TemplateField; Tile::COUNT],
    /// The slots of the geese.
    pub geese: [TemplateField; Tile::COUNT],
}

impl BoardTemplate {
    /// Finds the slots of a template.
    ///
    /// Use it in constants, so that a faulty template does not compile.
    ///
    /// # Panics
    /// When there are too few or too many slots of a kind, when a letter names no kind of slot, or when there are more than 65,535 bytes.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        assert!(bytes.len() <= u16::MAX as usize, "the template is too long");
        let mut template = Self {
            text,
            centres_names: false,
            vertices: [TemplateField::UNSET; Vertex::COUNT],
            edges: [TemplateField::UNSET; Edge::COUNT],
            numbers: [TemplateField::UNSET; Tile::COUNT],
            names: [TemplateField::UNSET; Tile::COUNT],
            values: [TemplateField::UNSET; Tile::COUNT],
            geese: [TemplateField::UNSET; Tile::COUNT],
        };
        let (mut vertex, mut edge, mut number, mut name, mut value, mut geese) = (0, 0, 0, 0, 0, 0);
        let (mut at, mut row, mut line_start) = (0, 0, 0);
        while at < bytes.len() {
            let start = at;
            let letter = bytes[start];
            at += 1;
            if letter == b'\n' {
                row += 1;
                line_start = at;
            }
            if !letter.is_ascii_alphabetic() {
                continue;
            }
            while at < bytes.len() && bytes[at] == letter {
                at += 1;
            }
            #[expect(clippy::cast_possible_truncation, reason = "the length was checked")]
            let slot = TemplateField {
                start: start as u16,
                row,
                column: (start - line_start) as u16,
                width: (at - start) as u16,
            };
            match letter {
                b'v' => push(&mut template.vertices, &mut vertex, slot),
                b'e' => push(&mut template.edges, &mut edge, slot),
                b't' => push(&mut template.numbers, &mut number, slot),
                b'n' => push(&mut template.names, &mut name, slot),
                b'y' => push(&mut template.values, &mut value, slot),
                b'g' => push(&mut template.geese, &mut geese, slot),
                _ => panic!("a letter of the template names no kind of slot"),
            }
        }
        assert!(vertex == Vertex::COUNT && edge == Edge::COUNT, "the template lacks a vertex or an edge");
        assert!(
            number == Tile::COUNT && name == Tile::COUNT && value == Tile::COUNT && geese == Tile::COUNT,
            "the template lacks a slot of a tile"
        );
        template
    }

    /// Returns the same template with names centred in their slots.
    #[must_use]
    pub const fn with_centred_names(self) -> Self {
        Self { centres_names: true, ..self }
    }

    /// Returns the range of bytes into which the name of a tile's resource is written, from the left.
    pub(in crate::text) const fn name_range(&self, tile: Tile, name: &str) -> Range<usize> {
        let slot = self.names[tile.index()];
        let width = slot.width as usize;
        let skipped = if self.centres_names { width.saturating_sub(name.len()) / 2 } else { 0 };
        let start = slot.start as usize;
        start + skipped..start + width
    }

    /// Returns the text of the template with its slots.
    ///
    /// Every line ends with a newline.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.text.lines().count(), self.text.lines().map(str::len).max().unwrap_or(0))
    }

    /// Returns the slot in which a place's number is drawn.
    #[must_use]
    pub const fn slot(&self, place: Place) -> TemplateField {
        match place {
            Place::Tile(tile) => self.numbers[tile.index()],
            Place::Vertex(vertex) => self.vertices[vertex.index()],
            Place::Edge(edge) => self.edges[edge.index()],
        }
    }
}

const fn push(slots: &mut [TemplateField], next: &mut usize, slot: TemplateField) {
    assert!(*next < slots.len(), "the template has too many slots of a kind");
    slots[*next] = slot;
    *next += 1;
}
