//! The state file: the text of a board and of its players, read with an error that names line and column, and changed in as few
//! bytes as an action needs.

use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;

use crate::board::{Board, Field, LONGEST, MOST_FISH, MOST_PLAYERS, Number, Place};
use crate::game::{Action, Phase, Seat};

/// A player's row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The player's id.
    pub id: Vec<u8>,
    /// The player's number.
    pub number: Number,
    /// How many fish the player has, as decimal digits.
    score: Range<usize>,
}

/// A state as a file has it.
///
/// ```
/// use penguins::board::Place;
/// use penguins::game::Action;
/// use penguins::state::State;
/// let state = State::read(b"1 3\r\n01  20 10\r\nMe 1 4").unwrap();
/// let slide = Action::Slide { from: Place::new(0, 0), to: Place::new(0, 1) };
/// assert_eq!(state.after(slide, b"Me", state.rows()[0].number), b"1 3\r\n00  01 10\r\nMe 1 6");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    text: Vec<u8>,
    board: Board,
    rows: Vec<Row>,
    /// Where each field's two digits begin.
    fields: Vec<usize>,
    /// Behind the last line that is not blank, and behind its end if it has one.
    end: usize,
    /// How lines end.
    line_end: &'static [u8],
}

/// Why text is no state, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {cause}")]
pub struct Invalid {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// What is wrong there.
    pub cause: Cause,
}

/// What can be wrong with a state.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Cause {
    /// There is no text.
    #[error("the file is empty: it should begin with the numbers of rows and columns")]
    Empty,
    /// The board has no size.
    #[error("the first line should be the numbers of rows and columns, each from 1 to {LONGEST}")]
    Size,
    /// There are too few lines.
    #[error("row {0} of the board's {1} is missing")]
    MissingRow(usize, usize),
    /// There are too few fields.
    #[error("this row of the board has {0} fields and should have {1}")]
    ShortRow(usize, usize),
    /// There are too many fields.
    #[error("this row of the board goes on after its {0} fields: '{1}'")]
    LongRow(usize, String),
    /// A field is something else.
    #[error("a field is two digits, fish and player, and not '{0}'")]
    Field(String),
    /// There cannot be so many fish.
    #[error("a field has 0 to {MOST_FISH} fish, and not {0}")]
    Fish(u8),
    /// A player's row has more or less.
    #[error("a player's row is an id, a number and a score: three items, and not {0}")]
    Items(usize),
    /// A player has no number.
    #[error("a player's number is 1 to {MOST_PLAYERS}, and not '{0}'")]
    Number(String),
    /// Two players have one number.
    #[error("number {0} belongs to the player in line {1} already")]
    NumberTwice(Number, usize),
    /// Two players have one id.
    #[error("the id '{0}' belongs to the player in line {1} already")]
    IdTwice(String, usize),
    /// The fish are not counted.
    #[error("a score is a number from 0, and not '{0}'")]
    Score(String),
    /// Nobody is known who has this penguin.
    #[error("a penguin of player {0}, for whom there is no row")]
    Stranger(Number),
}

/// All nine numbers are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("all numbers from 1 to {MOST_PLAYERS} are taken")]
pub struct NoNumber;

/// A piece of a line.
#[derive(Clone, Copy)]
struct Item<'t> {
    text: &'t [u8],
    /// Where it begins in the whole text.
    start: usize,
}

/// A line with its end, if it has one.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t [u8],
    start: usize,
    /// From 1.
    number: usize,
}

/// What can stand between items and behind them, a line's end among it.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'t> Line<'t> {
    /// What stands between blanks.
    fn items(self) -> impl Iterator<Item = Item<'t>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.text[at..].iter().position(|&byte| !is_blank(byte))?;
            let length = self.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
            let item = Item { text: &self.text[at..at + length], start: self.start + at };
            at += length;
            Some(item)
        })
    }

    const fn invalid(self, at: usize, cause: Cause) -> Invalid {
        Invalid { line: self.number, column: at - self.start + 1, cause }
    }

    /// The first place behind all that is in it.
    fn end(self) -> usize {
        self.items().last().map_or(self.start, |item| item.start + item.text.len())
    }
}

/// The lines of a text.
fn lines(text: &[u8]) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (at, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        lines.push(Line { text: line, start, number: at + 1 });
        start += line.len();
    }
    lines
}

/// As it can be shown on a line: what is no text, or too long, is not shown as it is.
#[must_use]
pub fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let shown: String = String::from_utf8_lossy(text).chars().flat_map(char::escape_debug).collect();
    if shown.chars().count() <= MOST {
        return shown;
    }
    shown.chars().take(MOST).chain("...".chars()).collect()
}

/// The number that digits are; the largest there is for one that is larger.
fn count(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |so_far, digit| {
        digit.is_ascii_digit().then(|| so_far.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    })
}

/// Digits with so much more, however many they are.
fn add(digits: &[u8], more: u8) -> Vec<u8> {
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

impl State {
    /// Reads a state.
    ///
    /// # Errors
    /// When it is not valid: what is wrong first, and where.
    pub fn read(text: &[u8]) -> Result<Self, Invalid> {
        let mut lines = lines(text);
        while lines.pop_if(|line| line.items().next().is_none()).is_some() {}
        let Some((first, others)) = lines.split_first() else {
            return Err(Invalid { line: 1, column: 1, cause: Cause::Empty });
        };
        let mut board = size(*first)?;
        let (rows, columns) = (board.rows(), board.columns());
        let mut fields = Vec::with_capacity(rows * columns);
        let mut places = board.places();
        for row in 0..rows {
            let Some(&line) = others.get(row) else {
                let cause = Cause::MissingRow(row + 1, rows);
                return Err(Invalid { line: lines.len() + 1, column: 1, cause });
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

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The players' rows, in the order of play.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The score in a row; the largest number there is for one that is larger.
    #[must_use]
    pub fn score(&self, row: &Row) -> u64 {
        count(&self.text[row.score.clone()]).unwrap_or(0)
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The players whose rows there are, in the order of play.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        self.rows.iter().map(|row| Seat { number: row.number, score: self.score(row) }).collect()
    }

    /// The row of the player with this id.
    #[must_use]
    pub fn row(&self, id: &[u8]) -> Option<usize> {
        self.rows.iter().position(|row| row.id == id)
    }

    /// The number that a player gets who has no row yet: one more than there are rows, or the lowest that neither a row nor
    /// the board has.
    ///
    /// # Errors
    /// When all are taken.
    pub fn free_number(&self) -> Result<Number, NoNumber> {
        let taken: Vec<Number> = self.rows.iter().map(|row| row.number).collect();
        free_number(&self.board, &taken)
    }

    /// Whether every penguin belongs to somebody.
    ///
    /// # Errors
    /// The first penguin of a player who has no row.
    pub fn explained(&self) -> Result<(), Invalid> {
        for (place, &start) in self.board.places().zip(&self.fields) {
            let Field::Penguin(number) = self.board.get(place) else { continue };
            if self.rows.iter().all(|row| row.number != number) {
                let before = self.text[..start].split(|&byte| byte == b'\n');
                let line_start = before.clone().next_back().map_or(start, |line| start - line.len());
                let column = start - line_start + 1;
                return Err(Invalid { line: before.count(), column, cause: Cause::Stranger(number) });
            }
        }
        Ok(())
    }

    /// What is odd about it, though it can be played on.
    #[must_use]
    pub fn suspicions(&self, phase: Phase) -> Vec<String> {
        let mut found = Vec::new();
        let gone = self.board.places().filter(|&place| !matches!(self.board.get(place), Field::Floe(_))).count();
        let most = gone as u64 * u64::from(MOST_FISH);
        let caught = self.rows.iter().fold(0_u64, |sum, row| sum.saturating_add(self.score(row)));
        if caught > most {
            found.push(format!("{caught} fish are collected, and at most {most} can have left the board"));
        }
        for row in &self.rows {
            if row.id.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
                found.push(format!("the id {} has a quotation mark", shown(&row.id)));
            }
        }
        if let (Phase::Placement { .. }, Err(stranger)) = (phase, self.explained()) {
            found.push(stranger.to_string());
        }
        found
    }

    /// The text after a player's action, which has to be a legal one: only the fields and the score that change are written
    /// anew, and a row for a player who has none is added.
    #[must_use]
    pub fn after(&self, action: Action, id: &[u8], number: Number) -> Vec<u8> {
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
            let sum = add(&self.text[score.clone()], caught);
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

/// The number that the next player gets when these are taken by rows.
pub(crate) fn free_number(board: &Board, taken: &[Number]) -> Result<Number, NoNumber> {
    let is_free = |number: &Number| !taken.contains(number) && board.penguins(*number).next().is_none();
    let next = u8::try_from(taken.len() + 1).ok().and_then(Number::new);
    next.filter(is_free).or_else(|| Number::all().find(is_free)).ok_or(NoNumber)
}

/// The empty board of the size that the first line gives.
fn size(line: Line<'_>) -> Result<Board, Invalid> {
    let numbers: Vec<Option<usize>> =
        line.items().map(|item| count(item.text).and_then(|number| number.try_into().ok())).collect();
    match numbers[..] {
        [Some(rows), Some(columns)] => Board::new(rows, columns),
        _ => None,
    }
    .ok_or_else(|| line.invalid(line.items().next().map_or(line.start, |item| item.start), Cause::Size))
}

/// Where the fields of a row begin, which are put behind those of the rows before too.
fn fields_of(line: Line<'_>, columns: usize, fields: &mut Vec<usize>) -> Result<Vec<usize>, Invalid> {
    let starts: Vec<usize> = line.items().take(columns).map(|item| item.start).collect();
    for item in line.items().take(columns) {
        if item.text.len() != 2 || !item.text.iter().all(u8::is_ascii_digit) {
            return Err(line.invalid(item.start, Cause::Field(shown(item.text))));
        }
    }
    if let Some(item) = line.items().nth(columns) {
        return Err(line.invalid(item.start, Cause::LongRow(columns, shown(item.text))));
    }
    if starts.len() < columns {
        return Err(line.invalid(line.end(), Cause::ShortRow(starts.len(), columns)));
    }
    fields.extend(&starts);
    Ok(starts)
}

/// The field whose two digits begin there.
fn field(line: Line<'_>, start: usize, text: &[u8]) -> Result<Field, Invalid> {
    let (fish, player) = (text[start] - b'0', text[start + 1] - b'0');
    if fish > MOST_FISH {
        return Err(line.invalid(start, Cause::Fish(fish)));
    }
    // A program may leave the fish in the field of its penguin; they are taken.
    Ok(match Number::new(player) {
        Some(player) => Field::Penguin(player),
        None if fish == 0 => Field::Water,
        None => Field::Floe(fish),
    })
}

fn read_rows(lines: &[Line<'_>]) -> Result<Vec<Row>, Invalid> {
    let mut rows: Vec<Row> = Vec::new();
    let mut ids = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    for &line in lines {
        let items: Vec<Item<'_>> = line.items().collect();
        let [id, number, score] = items[..] else {
            let at = items.first().map_or(line.start, |item| item.start);
            return Err(line.invalid(at, Cause::Items(items.len())));
        };
        let player = count(number.text).and_then(|number| u8::try_from(number).ok()).and_then(Number::new);
        let Some(player) = player else {
            return Err(line.invalid(number.start, Cause::Number(shown(number.text))));
        };
        if let Some(before) = ids.insert(id.text, line.number) {
            return Err(line.invalid(id.start, Cause::IdTwice(shown(id.text), before)));
        }
        if let Some(before) = numbers.insert(player, line.number) {
            return Err(line.invalid(number.start, Cause::NumberTwice(player, before)));
        }
        if count(score.text).is_none() {
            return Err(line.invalid(score.start, Cause::Score(shown(score.text))));
        }
        rows.push(Row { id: id.text.to_vec(), number: player, score: score.start..score.start + score.text.len() });
    }
    Ok(rows)
}
