//! The text of a saved game and of a layout.

use thiserror::Error;

use crate::board::{Edge, Ground, Layout, Resource, Roll, Tile, Vertex};
use crate::edition::{EDITIONS, Edition};
use crate::game::{Builder, Clash, Game, Hand, Holding, Position, Residence};
use crate::line::{self, Line, number};

/// The file in which a game is saved when its conversation is cut off.
pub const BACKUP: &str = "backup.sv";

/// The code of a park in a layout; those of the resources are their indices.
const PARK_CODE: usize = Resource::COUNT;

/// The value that a layout gives to a park.
const PARK_VALUE: u8 = 7;

/// What is wrong with the text of a saved game or a layout, and on which line of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct Malformed {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong on a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The line ends too early.
    #[error("{wanted} is missing")]
    Missing {
        /// What should follow.
        wanted: String,
    },
    /// Something else stands there.
    #[error("'{item}' is not {wanted}")]
    Wrong {
        /// What stands there, made fit to be shown on one line.
        item: String,
        /// What should stand there.
        wanted: String,
    },
    /// The line goes on too long.
    #[error("'{item}' is one item too many")]
    Surplus {
        /// What stands there, made fit to be shown on one line.
        item: String,
    },
    /// It is a saved game of another edition.
    #[error("'{item}' marks a saved game of another edition, which is loaded with -edition {edition}")]
    OtherEdition {
        /// What stands there.
        item: String,
        /// The name of that edition.
        edition: &'static str,
    },
    /// Two things stand on one place.
    #[error(transparent)]
    Clash(#[from] Clash),
}

/// The line of a saved game on which a clash shows.
impl From<Clash> for Malformed {
    fn from(clash: Clash) -> Self {
        const FIRST_BUILDER: usize = 2;
        Self { line: FIRST_BUILDER + clash.builder().index(), fault: clash.into() }
    }
}

/// Reads a saved game in the edition's form. Whether two things stand on one place is found when the game is
/// [resumed](Game::resume).
///
/// # Errors
/// The first line that is not as it should be, and why.
///
/// ```
/// use constructor::edition::CONSTRUCTOR;
/// use constructor::save::read_game;
/// let layout = "5 7 ".repeat(19);
/// let text = format!("1\n0 0 0 2 1 r h 7 B\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n{layout}\n-1\n");
/// let position = read_game(&CONSTRUCTOR, text.as_bytes()).unwrap();
/// assert_eq!(position.holdings[0].hand.total(), 3);
///
/// let error = read_game(&CONSTRUCTOR, text.replacen("7 B", "54 B", 1).as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: '54' is not a vertex (0 to 53)");
/// ```
pub fn read_game(edition: &Edition, text: &[u8]) -> Result<Position, Malformed> {
    let mut lines = Lines::new(text);

    let mut items = lines.next();
    let next = items.item("a builder (0 to 3)", Builder::new)?;
    items.end()?;

    let mut holdings: [Holding; Builder::COUNT] = Default::default();
    for holding in &mut holdings {
        *holding = read_holding(edition, lines.next())?;
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

    Ok(Position { next, holdings, layout, geese })
}

/// Reads a layout.
///
/// # Errors
/// The first line that is not as it should be, and why.
pub fn read_layout(text: &[u8]) -> Result<Layout, Malformed> {
    let mut lines = Lines::new(text);
    let layout = read_layout_line(lines.next())?;
    lines.end()?;
    Ok(layout)
}

/// The text of a saved game in the edition's form: seven lines.
#[must_use]
pub fn write_game(edition: &Edition, position: &Position) -> String {
    let mut lines = vec![position.next.index().to_string()];
    lines.extend(position.holdings.iter().map(|holding| write_holding(edition, holding)));
    lines.push(write_layout(&position.layout));
    lines.push(position.geese.map_or("-1".to_owned(), |tile| tile.to_string()));
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// The text of a layout, without a newline.
#[must_use]
pub fn write_layout(layout: &Layout) -> String {
    let pair = |tile| match layout[tile] {
        Ground::Yields(resource, value) => format!("{} {}", resource.index(), value.value()),
        Ground::Park => format!("{PARK_CODE} {PARK_VALUE}"),
    };
    Tile::all().map(pair).collect::<Vec<_>>().join(" ")
}

fn write_holding(edition: &Edition, holding: &Holding) -> String {
    let marks = &edition.marks;
    let mut items: Vec<String> = holding.hand.counts().iter().map(ToString::to_string).collect();
    items.push(marks.saved_roads.to_owned());
    items.extend(holding.roads.iter().map(ToString::to_string));
    items.push(marks.saved_residences.to_owned());
    for &(vertex, kind) in &holding.residences {
        items.push(vertex.to_string());
        items.push(marks.listed[kind.index()].to_owned());
    }
    items.join(" ")
}

fn read_holding(edition: &Edition, mut items: Items<'_>) -> Result<Holding, Malformed> {
    let marks = &edition.marks;
    let most = Hand::MOST;
    let mut counts = [0; Resource::COUNT];
    for (count, resource) in counts.iter_mut().zip(edition.words.resources) {
        *count = items.item(&format!("a count of {resource} (0 to {most})"), |count| {
            u32::try_from(count).ok().filter(|&count| count <= Hand::MOST)
        })?;
    }
    items.mark_of(edition)?;
    let mut roads = Vec::new();
    while !items.skip(marks.saved_residences) {
        let wanted = format!("an edge (0 to 71) or '{}'", marks.saved_residences);
        roads.push(items.item(&wanted, Edge::new)?);
    }
    let mut residences = Vec::new();
    while !items.are_done() {
        let vertex = items.item("a vertex (0 to 53)", Vertex::new)?;
        residences.push((vertex, items.residence(marks.listed)?));
    }
    Ok(Holding { hand: Hand::new(counts), roads, residences })
}

fn read_layout_line(mut items: Items<'_>) -> Result<Layout, Malformed> {
    let mut ground = [Ground::Park; Tile::COUNT];
    for ground in &mut ground {
        let code = items
            .item("a tile's resource (0 to 5)", |code| usize::try_from(code).ok().filter(|&code| code <= PARK_CODE))?;
        *ground = match Resource::ALL.get(code) {
            Some(&resource) => Ground::Yields(resource, items.item("a tile's value (2 to 12)", Roll::new)?),
            None => items.item("a park's value (any number)", |_| Some(Ground::Park))?,
        };
    }
    items.end()?;
    Ok(Layout::new(ground))
}

/// The lines of a text, one after the other.
struct Lines<'t> {
    rest: std::slice::Split<'t, u8, fn(&u8) -> bool>,
    /// The number of the line that was given out last, counted from 1.
    number: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { rest: text.split(|&byte| byte == b'\n'), number: 0 }
    }

    /// The next line; an empty one where the text has ended.
    fn next(&mut self) -> Items<'t> {
        self.number += 1;
        Items::new(self.number, self.rest.next().unwrap_or_default())
    }

    /// Whether nothing but blanks is left.
    fn are_blank(&self) -> bool {
        self.rest.clone().all(|line| Line::of_any_length(line).is_blank())
    }

    /// Checks that nothing but blanks is left.
    fn end(self) -> Result<(), Malformed> {
        let Self { rest, number } = self;
        rest.zip(number + 1..).try_for_each(|(line, number)| Items::new(number, line).end())
    }
}

/// The items on a line, one after the other.
struct Items<'t> {
    line: usize,
    words: Line<'t>,
}

impl<'t> Items<'t> {
    const fn new(line: usize, text: &'t [u8]) -> Self {
        Self { line, words: Line::of_any_length(text) }
    }

    /// The next item, which `read` makes something of.
    fn word<T>(&mut self, wanted: &str, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, Malformed> {
        let line = self.line;
        let wanted = || wanted.to_owned();
        let word = self.words.next().ok_or_else(|| Malformed { line, fault: Fault::Missing { wanted: wanted() } })?;
        read(word).ok_or_else(|| Malformed { line, fault: Fault::Wrong { item: shown(word), wanted: wanted() } })
    }

    /// The next item, a number that `read` makes something of.
    fn item<T>(&mut self, wanted: &str, read: impl FnOnce(i64) -> Option<T>) -> Result<T, Malformed> {
        self.word(wanted, |word| number(word).and_then(read))
    }

    /// The next item, which can be nothing but what stands before the roads in this edition.
    fn mark_of(&mut self, edition: &Edition) -> Result<(), Malformed> {
        let mark = edition.marks.saved_roads;
        let next = self.words.clone().next();
        if let Some(other) = EDITIONS.iter().find(|other| next == Some(other.marks.saved_roads.as_bytes()))
            && other.marks.saved_roads != mark
        {
            let item = other.marks.saved_roads.to_owned();
            return Err(Malformed { line: self.line, fault: Fault::OtherEdition { item, edition: other.name } });
        }
        self.word(&format!("the mark '{mark}'"), |word| (word == mark.as_bytes()).then_some(()))
    }

    /// Uses up the next item if it is this mark.
    fn skip(&mut self, mark: &str) -> bool {
        let mut ahead = self.words.clone();
        let skipped = ahead.next() == Some(mark.as_bytes());
        if skipped {
            self.words = ahead;
        }
        skipped
    }

    /// The next item, one of the marks of the three kinds of residence.
    fn residence(&mut self, marks: [&str; Residence::COUNT]) -> Result<Residence, Malformed> {
        let [basement, house, tower] = marks;
        self.word(&format!("a residence ({basement}, {house} or {tower})"), |word| {
            Residence::ALL.into_iter().find(|kind| word == marks[kind.index()].as_bytes())
        })
    }

    fn are_done(&self) -> bool {
        self.words.is_blank()
    }

    /// Checks that nothing is left.
    fn end(mut self) -> Result<(), Malformed> {
        match self.words.next() {
            Some(word) => Err(Malformed { line: self.line, fault: Fault::Surplus { item: shown(word) } }),
            None => Ok(()),
        }
    }
}

/// An item as an error shows it: its beginning, with nothing in it that would disturb a terminal.
fn shown(item: &[u8]) -> String {
    const MOST: usize = 40;
    let item = String::from_utf8_lossy(item);
    let beginning: String = item.chars().take(MOST).collect();
    let more = if item.chars().nth(MOST).is_some() { "…" } else { "" };
    line::visible(&beginning) + more
}
