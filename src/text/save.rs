//! The text formats of saved games and layouts.

use thiserror::Error;

use super::edition::{EDITIONS, Edition};
use super::words::{Words, parse_int};
use crate::board::{Edge, Layout, Resource, Roll, Terrain, Tile, Vertex};
use crate::game::{Builder, Game, Hand, PlacementConflict, Residence, SavedBuilder, SavedGame};

/// The file in which a game is saved if it ends before its players end it.
pub const BACKUP: &str = "backup.sv";

/// The code of a park in a layout. The codes of resources are their indices.
const PARK_CODE: usize = Resource::COUNT;

/// The value of a park in a layout.
const PARK_VALUE: u8 = 7;

/// The reason why a text is not a saved game or a layout, with the line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The error on this line.
    pub kind: ParseErrorKind,
}

/// The error on a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseErrorKind {
    /// The line ends too early.
    #[error("{expected} is missing")]
    Missing {
        /// A description of the expected item.
        expected: String,
    },
    /// An item is invalid.
    #[error("'{item}' is not {expected}")]
    Wrong {
        /// The item, escaped and cut.
        item: String,
        /// A description of the expected item.
        expected: String,
    },
    /// There is an item after the expected end of the line or of the text.
    #[error("'{item}' is one item too many")]
    TrailingItem {
        /// The item, escaped and cut.
        item: String,
    },
    /// The text is a saved game of another edition.
    #[error("'{item}' marks a saved game of another edition, which is loaded with -edition {edition}")]
    OtherEdition {
        /// The item.
        item: String,
        /// The name of the other edition.
        edition: &'static str,
    },
    /// Two roads are on one edge, or two residences on one vertex.
    #[error(transparent)]
    Conflict(#[from] PlacementConflict),
}

/// Makes the error for the line of the builder who owns the second road or residence.
impl From<PlacementConflict> for ParseError {
    fn from(conflict: PlacementConflict) -> Self {
        const FIRST_BUILDER_LINE: usize = 2;
        Self { line: FIRST_BUILDER_LINE + conflict.builder().index(), kind: conflict.into() }
    }
}

/// Reads a saved game of any edition.
///
/// Returns the first edition that can read the text, and the saved game.
///
/// # Errors
/// If no edition can read the text: the error of the first edition.
pub fn read_any(text: &[u8]) -> Result<(&'static Edition, SavedGame), ParseError> {
    let read = |edition| read_game(edition, text).map(|saved| (edition, saved));
    EDITIONS.iter().find_map(|edition| read(edition).ok()).map_or_else(|| read(&EDITIONS[0]), Ok)
}

/// Reads a saved game in an edition's format.
///
/// Two roads on one edge, or two residences on one vertex, are only detected by [`Game::from_saved`].
///
/// # Errors
/// The first line that is not as expected, and why.
///
/// ```
/// use constructor::text::CONSTRUCTOR;
/// use constructor::text::save::read_game;
/// let layout = "5 7 ".repeat(19);
/// let text = format!("1\n0 0 0 2 1 r h 7 B\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n{layout}\n-1\n");
/// let saved = read_game(&CONSTRUCTOR, text.as_bytes()).unwrap();
/// assert_eq!(saved.builders[0].hand.total(), 3);
///
/// let error = read_game(&CONSTRUCTOR, text.replacen("7 B", "54 B", 1).as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: '54' is not a vertex (0 to 53)");
/// ```
pub fn read_game(edition: &Edition, text: &[u8]) -> Result<SavedGame, ParseError> {
    let mut lines = Lines::new(text);

    let mut items = lines.next();
    let next_turn = items.item("a builder (0 to 3)", Builder::new)?;
    items.end()?;

    let mut builders: [SavedBuilder; Builder::COUNT] = Default::default();
    for saved in &mut builders {
        *saved = read_builder(edition, lines.next())?;
    }
    let layout = read_layout_line(lines.next())?;

    let geese = if lines.are_blank() {
        Game::first_geese(edition.rules, &layout)
    } else {
        let mut items = lines.next();
        let geese = items.item("the tile of the geese (0 to 18, or -1)", |tile| match tile {
            -1 => Some(None),
            tile => Tile::new(tile).map(Some),
        })?;
        items.end()?;
        geese
    };
    lines.end()?;

    Ok(SavedGame { next_turn, builders, layout, geese })
}

/// Reads a layout.
///
/// # Errors
/// The first line that is not as expected, and why.
pub fn read_layout(text: &[u8]) -> Result<Layout, ParseError> {
    let mut lines = Lines::new(text);
    let layout = read_layout_line(lines.next())?;
    lines.end()?;
    Ok(layout)
}

/// Returns the text of a saved game in an edition's format: seven lines.
#[must_use]
pub fn write_game(edition: &Edition, saved: &SavedGame) -> String {
    let mut lines = vec![saved.next_turn.index().to_string()];
    lines.extend(saved.builders.iter().map(|own| write_builder(edition, own)));
    lines.push(write_layout(&saved.layout));
    lines.push(saved.geese.map_or("-1".to_owned(), |tile| tile.to_string()));
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// Returns the text of a layout, without a newline.
#[must_use]
pub fn write_layout(layout: &Layout) -> String {
    let pair = |tile| match layout[tile] {
        Terrain::Resource(resource, value) => format!("{} {}", resource.index(), value.value()),
        Terrain::Park => format!("{PARK_CODE} {PARK_VALUE}"),
    };
    Tile::all().map(pair).collect::<Vec<_>>().join(" ")
}

fn write_builder(edition: &Edition, own: &SavedBuilder) -> String {
    let symbols = &edition.symbols;
    let mut items: Vec<String> = own.hand.counts().iter().map(ToString::to_string).collect();
    items.push(symbols.saved_roads.to_owned());
    items.extend(own.roads.iter().map(ToString::to_string));
    items.push(symbols.saved_residences.to_owned());
    for &(vertex, kind) in &own.residences {
        items.push(vertex.to_string());
        items.push(symbols.letters[kind.index()].to_owned());
    }
    items.join(" ")
}

fn read_builder(edition: &Edition, mut items: Fields<'_>) -> Result<SavedBuilder, ParseError> {
    let symbols = &edition.symbols;
    let max = Hand::MAX;
    let mut counts = [0; Resource::COUNT];
    for (count, resource) in counts.iter_mut().zip(edition.strings.resources) {
        *count = items.item(&format!("a count of {resource} (0 to {max})"), |count| {
            u32::try_from(count).ok().filter(|&count| count <= Hand::MAX)
        })?;
    }
    items.expect_roads_mark(edition)?;
    let mut roads = Vec::new();
    while !items.skip(symbols.saved_residences) {
        let expected = format!("an edge (0 to 71) or '{}'", symbols.saved_residences);
        roads.push(items.item(&expected, Edge::new)?);
    }
    let mut residences = Vec::new();
    while !items.is_done() {
        let vertex = items.item("a vertex (0 to 53)", Vertex::new)?;
        residences.push((vertex, items.residence(symbols.letters)?));
    }
    Ok(SavedBuilder { hand: Hand::new(counts), roads, residences })
}

fn read_layout_line(mut items: Fields<'_>) -> Result<Layout, ParseError> {
    let mut terrain = [Terrain::Park; Tile::COUNT];
    for terrain in &mut terrain {
        let code = items
            .item("a tile's resource (0 to 5)", |code| usize::try_from(code).ok().filter(|&code| code <= PARK_CODE))?;
        *terrain = match Resource::ALL.get(code) {
            Some(&resource) => Terrain::Resource(resource, items.item("a tile's value (2 to 12)", Roll::new)?),
            None => items.item("a park's value (any number)", |_| Some(Terrain::Park))?,
        };
    }
    items.end()?;
    Ok(Layout::new(terrain))
}

/// The lines of a text.
struct Lines<'t> {
    rest: std::slice::Split<'t, u8, fn(&u8) -> bool>,
    /// The number of the last line that was returned, from 1.
    number: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { rest: text.split(|&byte| byte == b'\n'), number: 0 }
    }

    /// Reads the next line; after the end of the text, an empty line.
    fn next(&mut self) -> Fields<'t> {
        self.number += 1;
        Fields::new(self.number, self.rest.next().unwrap_or_default())
    }

    /// Returns whether only blank lines are left.
    fn are_blank(&self) -> bool {
        self.rest.clone().all(|line| Words::unlimited(line).is_blank())
    }

    /// Checks that only blank lines are left.
    fn end(self) -> Result<(), ParseError> {
        let Self { rest, number } = self;
        rest.zip(number + 1..).try_for_each(|(line, number)| Fields::new(number, line).end())
    }
}

/// The items of a line.
struct Fields<'t> {
    line: usize,
    words: Words<'t>,
}

impl<'t> Fields<'t> {
    const fn new(line: usize, text: &'t [u8]) -> Self {
        Self { line, words: Words::unlimited(text) }
    }

    /// Reads the next item and converts it with `read`.
    fn word<T>(&mut self, expected: &str, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, ParseError> {
        let line = self.line;
        let expected = || expected.to_owned();
        let word = self
            .words
            .next()
            .ok_or_else(|| ParseError { line, kind: ParseErrorKind::Missing { expected: expected() } })?;
        read(word).ok_or_else(|| ParseError {
            line,
            kind: ParseErrorKind::Wrong { item: quoted(word), expected: expected() },
        })
    }

    /// Reads the next item, which must be a number, and converts it with `read`.
    fn item<T>(&mut self, expected: &str, read: impl FnOnce(i64) -> Option<T>) -> Result<T, ParseError> {
        self.word(expected, |word| parse_int(word).and_then(read))
    }

    /// Takes the mark before the roads. The mark must be the one of this edition.
    fn expect_roads_mark(&mut self, edition: &Edition) -> Result<(), ParseError> {
        let mark = edition.symbols.saved_roads;
        let next = self.words.clone().next();
        if let Some(other) = EDITIONS.iter().find(|other| next == Some(other.symbols.saved_roads.as_bytes()))
            && other.symbols.saved_roads != mark
        {
            let item = other.symbols.saved_roads.to_owned();
            return Err(ParseError {
                line: self.line,
                kind: ParseErrorKind::OtherEdition { item, edition: other.name },
            });
        }
        self.word(&format!("the mark '{mark}'"), |word| (word == mark.as_bytes()).then_some(()))
    }

    /// Takes the next item if it is this mark.
    fn skip(&mut self, mark: &str) -> bool {
        let mut ahead = self.words.clone();
        let skipped = ahead.next() == Some(mark.as_bytes());
        if skipped {
            self.words = ahead;
        }
        skipped
    }

    /// Reads the next item, which must be a kind of residence.
    fn residence(&mut self, marks: [&str; Residence::COUNT]) -> Result<Residence, ParseError> {
        let [basement, house, tower] = marks;
        self.word(&format!("a residence ({basement}, {house} or {tower})"), |word| {
            Residence::ALL.into_iter().find(|kind| word == marks[kind.index()].as_bytes())
        })
    }

    fn is_done(&self) -> bool {
        self.words.is_blank()
    }

    /// Checks that no items are left.
    fn end(mut self) -> Result<(), ParseError> {
        match self.words.next() {
            Some(word) => {
                Err(ParseError { line: self.line, kind: ParseErrorKind::TrailingItem { item: quoted(word) } })
            }
            None => Ok(()),
        }
    }
}

/// Returns an item as errors quote it: escaped, and cut after 40 characters.
fn quoted(item: &[u8]) -> String {
    const MAX: usize = 40;
    let item = String::from_utf8_lossy(item);
    let beginning: String = item.chars().take(MAX).collect();
    let more = if item.chars().nth(MAX).is_some() { "…" } else { "" };
    constructor_common::escape(&beginning) + more
}
