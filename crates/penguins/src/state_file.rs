//! State files: the text of a board and its players. Parse errors name line and column; an action changes as few bytes
//! as possible.

use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;

use crate::board::{Board, Field, MAX_FISH, MAX_PLAYERS, MAX_SIDE, Number, Place};
use crate::game::{Action, Phase, Seat};

/// A player's row: id, number and score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedRow {
    /// The player's id.
    pub id: Vec<u8>,
    /// The player's number.
    pub number: Number,
    /// The byte range of the score's digits.
    score: Range<usize>,
}

/// A parsed state file, with its text.
///
/// ```
/// use penguins::board::Place;
/// use penguins::game::Action;
/// use penguins::state_file::StateFile;
/// let state = StateFile::parse(b"1 3\r\n01  20 10\r\nMe 1 4").unwrap();
/// let slide = Action::Slide { from: Place::new(0, 0), to: Place::new(0, 1) };
/// assert_eq!(state.with_action(slide, b"Me", state.rows()[0].number), b"1 3\r\n00  01 10\r\nMe 1 6");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateFile {
    text: Vec<u8>,
    board: Board,
    rows: Vec<ParsedRow>,
    /// The byte offset of each field's two digits.
    fields: Vec<usize>,
    /// The byte offset after the last line that is not blank, including its line end.
    end: usize,
    /// The line end.
    line_end: &'static [u8],
}

/// An error in the text of a state file, with its position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {cause}")]
pub struct StateError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// The error.
    pub cause: StateErrorKind,
}

/// The kinds of errors in a state file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateErrorKind {
    /// The file is empty.
    #[error("the file is empty: expected the numbers of rows and columns")]
    Empty,
    /// The first line is not a size.
    #[error("expected the numbers of rows and columns, each from 1 to {MAX_SIDE}")]
    Size,
    /// A row of the board is missing.
    #[error("row {0} of {1} of the board is missing")]
    MissingRow(usize, usize),
    /// A row of the board is too short.
    #[error("this row of the board has {0} fields, expected {1}")]
    ShortRow(usize, usize),
    /// A row of the board is too long.
    #[error("unexpected '{1}' after the {0} fields of this row")]
    LongRow(usize, String),
    /// A field is not two digits.
    #[error("expected a field of two digits (fish and player), found '{0}'")]
    Field(String),
    /// There are too many fish on a field.
    #[error("expected 0 to {MAX_FISH} fish, found {0}")]
    Fish(u8),
    /// A player's row does not have three items.
    #[error("expected a player's row of three items (id, number and score), found {0}")]
    Items(usize),
    /// A player's number is not from 1 to 9.
    #[error("expected a player's number from 1 to {MAX_PLAYERS}, found '{0}'")]
    Number(String),
    /// Two players have the same number.
    #[error("number {0} is already taken by the player in line {1}")]
    NumberTwice(Number, usize),
    /// Two players have the same id.
    #[error("the id '{0}' is already taken by the player in line {1}")]
    IdTwice(String, usize),
    /// A score is not a number.
    #[error("expected a score of decimal digits, found '{0}'")]
    Score(String),
    /// A penguin belongs to a player without a row.
    #[error("a penguin of player {0}, who has no row")]
    UnknownOwner(Number),
}

/// All nine numbers are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("all numbers from 1 to {MAX_PLAYERS} are taken")]
pub struct NoFreeNumber;

/// A token of a line.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t [u8],
    /// The byte offset in the whole text.
    start: usize,
}

/// A line, including its line end.
#[derive(Clone, Copy)]
struct StateLine<'t> {
    text: &'t [u8],
    start: usize,
    /// The line number from 1.
    number: usize,
}

/// Returns whether a byte separates tokens.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'t> StateLine<'t> {
    /// Returns the tokens of the line.
    fn items(self) -> impl Iterator<Item = Token<'t>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.text[at..].iter().position(|&byte| !is_blank(byte))?;
            let length = self.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
            let item = Token { text: &self.text[at..at + length], start: self.start + at };
            at += length;
            Some(item)
        })
    }

    const fn invalid(self, at: usize, cause: StateErrorKind) -> StateError {
        StateError { line: self.number, column: at - self.start + 1, cause }
    }

    /// Returns the byte offset after the last token.
    fn end(self) -> usize {
        self.items().last().map_or(self.start, |item| item.start + item.text.len())
    }
}

/// Splits a text into lines.
fn lines(text: &[u8]) -> Vec<StateLine<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (at, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        lines.push(StateLine { text: line, start, number: at + 1 });
        start += line.len();
    }
    lines
}

/// Quotes text for an error message: on one line, escaped, at most 40 characters.
#[must_use]
pub fn quoted(text: &[u8]) -> String {
    const MOST: usize = 40;
    let shown: String = String::from_utf8_lossy(text).chars().flat_map(char::escape_debug).collect();
    if shown.chars().count() <= MOST {
        return shown;
    }
    shown.chars().take(MOST).chain("...".chars()).collect()
}

/// Parses decimal digits; numbers that are too large saturate. Returns `None` if there are other bytes.
fn parse_saturating(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |so_far, digit| {
        digit.is_ascii_digit().then(|| so_far.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    })
}

/// Adds a small number to decimal digits of any length.
fn add_to_digits(digits: &[u8], more: u8) -> Vec<u8> {
    let significant = digits.iter().position(|&digit| digit != b'0').map_or(&[][..], |at| &digits[at..]);
    let mut sum = Vec::with_capacity(digits.len() + 1);
    let mut carry = more;
    for digit in significant.iter().rev() {
        let here = digit - b'0' + carry;
        sum.push(b'0' + here % 10);
        carry = here / 10;
    }
    if carry > 0 || sum.is_empty() {
        sum.push(b'0' + carry);
    }
    sum.reverse();
    sum
}

impl StateFile {
    /// Parses a state file.
    ///
    /// # Errors
    /// The first error.
    pub fn parse(text: &[u8]) -> Result<Self, StateError> {
        let mut lines = lines(text);
        while lines.pop_if(|line| line.items().next().is_none()).is_some() {}
        let Some((first, others)) = lines.split_first() else {
            return Err(StateError { line: 1, column: 1, cause: StateErrorKind::Empty });
        };
        let mut board = size(*first)?;
        let (rows, columns) = (board.rows(), board.columns());
        let mut fields = Vec::with_capacity(rows * columns);
        let mut places = board.places();
        for row in 0..rows {
            let Some(&line) = others.get(row) else {
                let cause = StateErrorKind::MissingRow(row + 1, rows);
                return Err(StateError { line: lines.len() + 1, column: 1, cause });
            };
            for (place, start) in places.by_ref().take(columns).zip(fields_of(line, columns, &mut fields)?) {
                board.set(place, field(line, start, text)?);
            }
        }
        let players = read_rows(&others[rows..])?;
        let last = lines[lines.len() - 1];
        let end = last.start + last.text.len();
        let line_end: &[u8] = match text[..end].iter().rposition(|&byte| byte == b'\n') {
            Some(at) if at > 0 && text[at - 1] == b'\r' => b"\r\n",
            _ => b"\n",
        };
        Ok(Self { text: text.to_vec(), board, rows: players, fields, end, line_end })
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the players' rows in order of play.
    #[must_use]
    pub fn rows(&self) -> &[ParsedRow] {
        &self.rows
    }

    /// Returns the score of a row, saturating.
    #[must_use]
    pub fn score(&self, row: &ParsedRow) -> u64 {
        parse_saturating(&self.text[row.score.clone()]).unwrap_or(0)
    }

    /// Returns the text that was parsed.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the players in order of play.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        self.rows.iter().map(|row| Seat { number: row.number, score: self.score(row) }).collect()
    }

    /// Returns the index of the row of the player with this id.
    #[must_use]
    pub fn row(&self, id: &[u8]) -> Option<usize> {
        self.rows.iter().position(|row| row.id == id)
    }

    /// Returns the number for a new player: one more than the number of rows if that number is free, and otherwise the lowest free number.
    /// A number is free if it is neither in a row nor on the board.
    ///
    /// # Errors
    /// When all nine numbers are taken.
    pub fn free_number(&self) -> Result<Number, NoFreeNumber> {
        let taken: Vec<Number> = self.rows.iter().map(|row| row.number).collect();
        free_number(&self.board, &taken)
    }

    /// Checks that every penguin belongs to a player with a row.
    ///
    /// # Errors
    /// The first penguin whose player has no row.
    pub fn check_owners(&self) -> Result<(), StateError> {
        for (place, &start) in self.board.places().zip(&self.fields) {
            let Field::Penguin(number) = self.board.get(place) else { continue };
            if self.rows.iter().all(|row| row.number != number) {
                let before = self.text[..start].split(|&byte| byte == b'\n');
                let line_start = before.clone().next_back().map_or(start, |line| start - line.len());
                let column = start - line_start + 1;
                return Err(StateError { line: before.count(), column, cause: StateErrorKind::UnknownOwner(number) });
            }
        }
        Ok(())
    }

    /// Returns warnings about a state that is suspicious but can be played.
    #[must_use]
    pub fn warnings(&self, phase: Phase) -> Vec<String> {
        let mut found = Vec::new();
        let gone = self.board.places().filter(|&place| !matches!(self.board.get(place), Field::Floe(_))).count();
        let most = gone as u64 * u64::from(MAX_FISH);
        let caught = self.rows.iter().fold(0_u64, |sum, row| sum.saturating_add(self.score(row)));
        if caught > most {
            found.push(format!("{caught} fish are collected, but at most {most} can have left the board"));
        }
        for row in &self.rows {
            if row.id.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
                found.push(format!("the id {} has a quotation mark", quoted(&row.id)));
            }
        }
        if let (Phase::Placement { .. }, Err(stranger)) = (phase, self.check_owners()) {
            found.push(stranger.to_string());
        }
        found
    }

    /// Returns the text after a legal action.
    ///
    /// Only the changed fields and the score are overwritten; a player without a row gets a new row.
    #[must_use]
    pub fn with_action(&self, action: Action, id: &[u8], number: Number) -> Vec<u8> {
        let to = action.target();
        let caught = match self.board.get(to) {
            Field::Floe(fish) => fish,
            Field::Water | Field::Penguin(_) => 0,
        };
        let mut text = self.text.clone();
        if let Action::Slide { from, .. } = action {
            self.write_field(&mut text, from, [b'0', b'0']);
        }
        self.write_field(&mut text, to, [b'0', b'0' + number.get()]);
        if let Some(row) = self.row(id) {
            let score = self.rows[row].score.clone();
            let sum = add_to_digits(&self.text[score.clone()], caught);
            text.splice(score, sum);
        } else {
            let ended = text[..self.end].ends_with(b"\n");
            let row = [
                if ended { b"" } else { self.line_end },
                id,
                &[b' ', b'0' + number.get(), b' ', b'0' + caught],
                self.line_end,
            ];
            text.splice(self.end..self.end, row.concat());
        }
        text
    }

    fn write_field(&self, text: &mut [u8], place: Place, digits: [u8; 2]) {
        let start = self.fields[self.board.index(place)];
        text[start..start + 2].copy_from_slice(&digits);
    }
}

/// Writes a state file: the board, and for each player id, number and score.
#[must_use]
pub fn write<'r>(board: &Board, rows: impl IntoIterator<Item = (&'r [u8], Number, u64)>) -> Vec<u8> {
    let mut text = format!("{} {}\n", board.rows(), board.columns()).into_bytes();
    for place in board.places() {
        text.extend(match board.get(place) {
            Field::Water => [b'0', b'0'],
            Field::Floe(fish) => [b'0' + fish, b'0'],
            Field::Penguin(number) => [b'0', b'0' + number.get()],
        });
        text.push(if usize::from(place.column) + 1 == board.columns() { b'\n' } else { b' ' });
    }
    for (id, number, score) in rows {
        text.extend(id);
        text.extend(format!(" {number} {score}\n").into_bytes());
    }
    text
}

/// Returns the number for a new player. `taken` contains the numbers that rows have already.
pub(crate) fn free_number(board: &Board, taken: &[Number]) -> Result<Number, NoFreeNumber> {
    let is_free = |number: &Number| !taken.contains(number) && board.penguins(*number).next().is_none();
    let next = u8::try_from(taken.len() + 1).ok().and_then(Number::new);
    next.filter(is_free).or_else(|| Number::all().find(is_free)).ok_or(NoFreeNumber)
}

/// Parses a board of water, of the size in the first line.
fn size(line: StateLine<'_>) -> Result<Board, StateError> {
    let numbers: Vec<Option<usize>> =
        line.items().map(|item| parse_saturating(item.text).and_then(|number| number.try_into().ok())).collect();
    match numbers[..] {
        [Some(rows), Some(columns)] => Board::new(rows, columns),
        _ => None,
    }
    .ok_or_else(|| line.invalid(line.items().next().map_or(line.start, |item| item.start), StateErrorKind::Size))
}

/// Finds the byte offsets of the fields of a row, appends them to `fields`, and returns them.
fn fields_of(line: StateLine<'_>, columns: usize, fields: &mut Vec<usize>) -> Result<Vec<usize>, StateError> {
    let starts: Vec<usize> = line.items().take(columns).map(|item| item.start).collect();
    for item in line.items().take(columns) {
        if item.text.len() != 2 || !item.text.iter().all(u8::is_ascii_digit) {
            return Err(line.invalid(item.start, StateErrorKind::Field(quoted(item.text))));
        }
    }
    if let Some(item) = line.items().nth(columns) {
        return Err(line.invalid(item.start, StateErrorKind::LongRow(columns, quoted(item.text))));
    }
    if starts.len() < columns {
        return Err(line.invalid(line.end(), StateErrorKind::ShortRow(starts.len(), columns)));
    }
    fields.extend(&starts);
    Ok(starts)
}

/// Parses the field at a byte offset.
fn field(line: StateLine<'_>, start: usize, text: &[u8]) -> Result<Field, StateError> {
    let (fish, player) = (text[start] - b'0', text[start + 1] - b'0');
    if fish > MAX_FISH {
        return Err(line.invalid(start, StateErrorKind::Fish(fish)));
    }
    // Some programs leave the fish digit on a penguin's field. These fish have been taken already.
    Ok(match Number::new(player) {
        Some(player) => Field::Penguin(player),
        None if fish == 0 => Field::Water,
        None => Field::Floe(fish),
    })
}

fn read_rows(lines: &[StateLine<'_>]) -> Result<Vec<ParsedRow>, StateError> {
    let mut rows: Vec<ParsedRow> = Vec::new();
    let mut ids = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    for &line in lines {
        let items: Vec<Token<'_>> = line.items().collect();
        let [id, number, score] = items[..] else {
            let at = items.first().map_or(line.start, |item| item.start);
            return Err(line.invalid(at, StateErrorKind::Items(items.len())));
        };
        let player = parse_saturating(number.text).and_then(|number| u8::try_from(number).ok()).and_then(Number::new);
        let Some(player) = player else {
            return Err(line.invalid(number.start, StateErrorKind::Number(quoted(number.text))));
        };
        if let Some(before) = ids.insert(id.text, line.number) {
            return Err(line.invalid(id.start, StateErrorKind::IdTwice(quoted(id.text), before)));
        }
        if let Some(before) = numbers.insert(player, line.number) {
            return Err(line.invalid(number.start, StateErrorKind::NumberTwice(player, before)));
        }
        if parse_saturating(score.text).is_none() {
            return Err(line.invalid(score.start, StateErrorKind::Score(quoted(score.text))));
        }
        rows.push(ParsedRow {
            id: id.text.to_vec(),
            number: player,
            score: score.start..score.start + score.text.len(),
        });
    }
    Ok(rows)
}
