//! The game at a terminal between people and computer players.
#![cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "shows the game on standard output"))]

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use constructor_common::frame::Io;
use constructor_common::{Foreign, display_path, io_error_text};

use super::cli::PlayOptions;
use super::exit::{Ended, ExitStatus};
use super::one_turn::read_state;
use crate::board::{Board, Direction, Field, MAX_PLAYERS, MAX_SIDE, Number, Place, letters};
use crate::game::{Action, Game, Phase, Seat};
use crate::players::PlayerKind;
use crate::referee::verify::{RefereeState, SeatRow};
use crate::tournament::align_columns;

/// The list of commands.
const HELP: &str = "\
A field is named by its row and its column: b7 and 2 7 are the same.
  b7          place a penguin there
  b7 b3       slide the penguin on b7 to b3
  moves [b7]  list the legal actions, of all penguins or of the one on b7
  hint        show the engine's choice
  undo        undo your last placement or move
  board       draw the board again
  save FILE   save the game
  load FILE   load a saved game
  help        list these commands
  quit        end the game
";

/// Draws a board: rows with number and letters, columns with their number, fish as digits, water as `~`, and penguins
/// as the player's number in brackets.
///
/// ```
/// use penguins::board::{Board, Field, Number, Place};
/// let mut board = Board::new(1, 3).unwrap();
/// board.set(Place::new(0, 0), Field::Floe(2));
/// board.set(Place::new(0, 1), Field::Penguin(Number::new(1).unwrap()));
/// assert_eq!(penguins::app::terminal::drawing(&board), "         1   2   3\n  1 a    2  [1]  ~\n");
/// ```
#[must_use]
pub fn drawing(board: &Board) -> String {
    let mut text = "      ".to_owned();
    for column in 1..=board.columns() {
        let _ = write!(text, "{column:>4}");
    }
    text.push('\n');
    let mut line = String::new();
    for place in board.places() {
        if place.column == 0 {
            let _ = write!(line, "{:>3} {:<3}", u16::from(place.row) + 1, letters(place.row));
        }
        let _ = match board.get(place) {
            Field::Water => write!(line, "  ~ "),
            Field::Floe(fish) => write!(line, "  {fish} "),
            Field::Penguin(number) => write!(line, " [{number}]"),
        };
        if usize::from(place.column) + 1 == board.columns() {
            text.push_str(line.trim_end());
            text.push('\n');
            line.clear();
        }
    }
    text
}

/// Parses the names of fields: `b7` and `2 7` are the same.
///
/// # Errors
/// A message about the first word that is not a field.
pub fn places(words: &[&str]) -> Result<Vec<Place>, String> {
    let mut places = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Ok(place) = word.parse() {
            places.push(place);
            continue;
        }
        let number = |word: &str| {
            let number: usize = word.parse().ok().filter(|number| (1..=MAX_SIDE).contains(number))?;
            u8::try_from(number - 1).ok()
        };
        let row = number(word).ok_or_else(|| format!("'{word}' is no field: fields are named like b7, or 2 7"))?;
        let column = words.next().ok_or_else(|| format!("'{word}' is a row: the column is missing, as in {word} 7"))?;
        let column = number(column).ok_or_else(|| format!("'{column}' is no column: a column is a number from 1"))?;
        places.push(Place::new(row, column));
    }
    Ok(places)
}

/// Returns the legal placement or move on these fields.
///
/// # Errors
/// A message that says why there is none.
pub fn action(game: &Game, places: &[Place]) -> Result<Action, String> {
    let action = match (game.phase(), places) {
        (Phase::Placement { .. }, &[to]) => Action::Place(to),
        (Phase::Movement, &[from, to]) => Action::Slide { from, to },
        (Phase::Placement { .. }, _) => return Err("to place a penguin, name one field, such as b7".to_owned()),
        (Phase::Movement, _) => {
            return Err("to move a penguin, name its field and its target, such as b7 b3".to_owned());
        }
    };
    game.check(action).map(|()| action).map_err(|illegal| illegal.to_string())
}

/// Lists the legal actions, of all penguins or of one.
fn possible(game: &Game, of: Option<Place>) -> String {
    let mut lines = String::new();
    if let Phase::Placement { .. } = game.phase() {
        let places: Vec<String> = game.actions().iter().map(|action| action.target().to_string()).collect();
        return format!("{}\n", places.join(" "));
    }
    for from in game.board().penguins(game.number()).filter(|&from| of.is_none_or(|of| of == from)) {
        let targets: Vec<String> = Direction::ALL
            .into_iter()
            .flat_map(|way| game.board().slide(from, way))
            .map(|place| place.to_string())
            .collect();
        let targets = if targets.is_empty() { "nowhere".to_owned() } else { targets.join(" ") };
        let _ = writeln!(lines, "{from} to {targets}");
    }
    if lines.is_empty() { "none of your penguins is there\n".to_owned() } else { lines }
}

/// Describes an action.
fn told(who: &str, action: Action, fish: u8) -> String {
    match action {
        Action::Place(to) => format!("{who} places a penguin on {to}: {fish} fish.\n"),
        Action::Slide { from, to } => format!("{who} slides from {from} to {to}: {fish} fish.\n"),
    }
}

fn typed(action: Action) -> String {
    match action {
        Action::Place(to) => to.to_string(),
        Action::Slide { from, to } => format!("{from} {to}"),
    }
}

/// A player at the terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Person {
    /// The id, without blanks.
    id: String,
    /// The computer player; `None` for a person.
    kind: Option<PlayerKind>,
}

impl Person {
    fn new(at: usize, kind: Option<PlayerKind>) -> Self {
        Self { id: format!("{}-{}", kind.map_or("human", PlayerKind::name), at + 1), kind }
    }

    /// Returns the player for an id in a saved game. Returns `None` if the id does not have the form of the ids that [`Person::new`] makes.
    fn named(id: &[u8]) -> Option<Self> {
        let id = str::from_utf8(id).ok()?;
        let (kind, _) = id.rsplit_once('-')?;
        let kind = if kind == "human" { None } else { Some(PlayerKind::by_name(kind)?) };
        Some(Self { id: id.to_owned(), kind })
    }
}

/// A game at the terminal: lines in, text out. Touches files only to save and load.
struct Session {
    io: Io,
    game: Game,
    people: Vec<Person>,
    penguins: usize,
    time: Duration,
    /// The positions before each decision of a person, for undo.
    past: Vec<Game>,
    /// For each seat, whether it was announced that the player cannot move.
    blocked: Vec<bool>,
}

/// Whether the game continues or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    End,
}

impl Session {
    fn new(io: &Io, board: Board, play: &PlayOptions) -> Self {
        let people: Vec<Person> = play.players.iter().enumerate().map(|(at, &kind)| Person::new(at, kind)).collect();
        let seats = Seat::first(people.len());
        let phase = Phase::Placement { penguins: play.penguins };
        let blocked = vec![false; people.len()];
        let (penguins, time) = (play.penguins, play.time);
        let (io, game) = (io.clone(), Game::new(board, seats, phase, 0));
        Self { io, game, people, penguins, time, past: Vec::new(), blocked }
    }

    /// Plays until a person has to decide or the game ends.
    fn go_on(&mut self, text: &mut String) -> Flow {
        loop {
            if self.game.is_over() {
                if matches!(self.game.phase(), Phase::Movement) {
                    self.tell_the_end(text);
                    return Flow::End;
                }
                text.push_str("All penguins are placed. They begin to move.\n");
                self.game.begin_movement();
                self.blocked.fill(false);
            }
            let turn = self.game.turn();
            if !self.game.can_act(turn) {
                let all_placed = matches!(self.game.phase(), Phase::Placement { .. });
                if !std::mem::replace(&mut self.blocked[turn], true) && !all_placed {
                    let _ = writeln!(text, "{} cannot move any more and is skipped.", self.people[turn].id);
                }
                self.game.pass();
                continue;
            }
            let Some(kind) = self.people[turn].kind else { return Flow::On };
            let decided = kind.player(turn as u64).decide(&self.game, Instant::now() + self.time);
            match decided.map(|action| self.act(action, text)) {
                Some(Ok(())) => {}
                _ => self.game.pass(),
            }
        }
    }

    fn act(&mut self, action: Action, text: &mut String) -> Result<(), String> {
        let who = &self.people[self.game.turn()].id;
        let fish = self.game.act(action).map_err(|illegal| illegal.to_string())?;
        text.push_str(&told(who, action, fish));
        Ok(())
    }

    fn prompt(&self) -> String {
        let seat = self.game.seats()[self.game.turn()];
        let what = match self.game.phase() {
            Phase::Placement { .. } => "place a penguin",
            Phase::Movement => "move a penguin",
        };
        let who = &self.people[self.game.turn()].id;
        format!("{who}, player {}, {} fish, {what}> ", seat.number, seat.score)
    }

    /// Executes a line.
    fn answer(&mut self, line: &str, text: &mut String) -> Flow {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["quit" | "exit"] => return Flow::End,
            ["help" | "?"] => text.push_str(HELP),
            ["board"] => text.push_str(&drawing(self.game.board())),
            ["moves"] => text.push_str(&possible(&self.game, None)),
            ["moves", ref of @ ..] => match places(of).as_deref() {
                Ok(&[of]) => text.push_str(&possible(&self.game, Some(of))),
                Ok(_) => text.push_str("name one of your penguins, such as moves b7\n"),
                Err(what) => {
                    let _ = writeln!(text, "{what}");
                }
            },
            ["hint"] => {
                if let Some(action) = PlayerKind::Engine.player(0).decide(&self.game, Instant::now() + self.time) {
                    let _ = writeln!(text, "hint: {}", typed(action));
                }
            }
            ["undo"] => match self.past.pop() {
                Some(game) => {
                    self.game = game;
                    self.blocked.fill(false);
                }
                None => text.push_str("there is nothing to undo\n"),
            },
            ["save", file] => {
                let _ = match self.io.files.save(Path::new(file), &self.saved()) {
                    Ok(()) => writeln!(text, "saved in {}", Foreign::from(file)),
                    Err(unwritten) => writeln!(text, "{unwritten}"),
                };
            }
            ["load", file] => {
                if let Err(what) = self.load(Path::new(file)) {
                    let _ = writeln!(text, "{what}");
                }
            }
            ["save" | "load", ..] => text.push_str("name one file, such as save game.txt\n"),
            _ => {
                let before = self.game.clone();
                let done = places(&words).and_then(|places| action(&self.game, &places));
                match done.and_then(|action| self.act(action, text)) {
                    Ok(()) => self.past.push(before),
                    Err(what) => {
                        let _ = writeln!(text, "{what}");
                    }
                }
            }
        }
        Flow::On
    }

    /// Returns the state file of the game.
    ///
    /// If all players have begun, the row of the player to act comes first.
    fn saved(&self) -> Vec<u8> {
        let has_begun = |seat: &Seat| seat.score > 0 || self.game.board().penguins(seat.number).next().is_some();
        let mut rows: Vec<SeatRow> = Vec::new();
        for (seat, person) in self.game.seats().iter().zip(&self.people).filter(|(seat, _)| has_begun(seat)) {
            rows.push(SeatRow { id: person.id.clone().into_bytes(), number: seat.number, score: seat.score });
        }
        if rows.len() == self.people.len() {
            rows.rotate_left(self.game.turn());
        }
        RefereeState { board: self.game.board().clone(), rows }.text()
    }

    /// Loads a state file.
    ///
    /// The first player who has not begun is to act, or the first player if all have begun.
    fn load(&mut self, path: &Path) -> Result<(), String> {
        let state = read_state(&self.io, path)?;
        // The player may save the game to the same file.
        self.io.files.release_input(path);
        state.check_owners().map_err(|invalid| format!("{}:{invalid}", display_path(path)))?;
        let mut seats = state.seats();
        let started = seats.len();
        let mut people: Vec<Person> = Vec::new();
        for (at, row) in state.rows().iter().enumerate() {
            let other = Person {
                id: crate::state_file::quoted(&row.id),
                kind: self.people.get(at).and_then(|person| person.kind),
            };
            people.push(Person::named(&row.id).unwrap_or(other));
        }
        for at in started..self.people.len().min(MAX_PLAYERS) {
            let number = Number::all().find(|number| seats.iter().all(|seat| seat.number != *number));
            seats.extend(number.map(|number| Seat { number, score: 0 }));
            people.push(self.people[at].clone());
        }
        let turn = if started < seats.len() { started } else { 0 };
        let phase = Phase::Placement { penguins: self.penguins };
        self.game = Game::new(state.board().clone(), seats, phase, turn);
        if self.game.is_over() {
            self.game = Game::new(state.board().clone(), self.game.seats().to_vec(), Phase::Movement, turn);
        }
        self.blocked = vec![false; people.len()];
        self.people = people;
        self.past.clear();
        Ok(())
    }

    fn tell_the_end(&self, text: &mut String) {
        text.push_str(&drawing(self.game.board()));
        text.push_str("Nobody can move any more.\n");
        let mut order: Vec<usize> = (0..self.people.len()).collect();
        order.sort_by_key(|&seat| std::cmp::Reverse(self.game.seats()[seat].score));
        let row = |seat: usize| [self.people[seat].id.clone(), format!("{} fish", self.game.seats()[seat].score)];
        text.push_str(&align_columns(&order.into_iter().map(row).collect::<Vec<_>>()));
    }
}

/// Prints text and flushes it.
fn show(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Reads a line; `None` at the end of the input.
fn read_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let count = io::stdin().lock().read_until(b'\n', &mut line)?;
    Ok((count > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// Plays a game on this board, until the game or the input ends.
///
/// # Errors
/// When a standard stream fails.
pub fn play(io: &Io, board: Board, play: &PlayOptions) -> Ended {
    match talk(&mut Session::new(io, board, play)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(ExitStatus::Failure.failure(io_error_text(&error)))
        }
        _ => Ok(ExitStatus::Success),
    }
}

fn talk(session: &mut Session) -> io::Result<()> {
    let mut text = "Type help for a list of commands.\n".to_owned();
    let mut drawn: Option<Board> = None;
    loop {
        if session.go_on(&mut text) == Flow::End {
            return show(&text);
        }
        if drawn.as_ref() != Some(session.game.board()) {
            drawn = Some(session.game.board().clone());
            text.push_str(&drawing(session.game.board()));
        }
        text.push_str(&session.prompt());
        show(&text)?;
        text.clear();
        let Some(line) = read_line()? else { return show("\n") };
        if session.answer(&line, &mut text) == Flow::End {
            return show(&text);
        }
    }
}

/// Asks a person for an action; `None` when the input ends.
#[must_use]
pub fn ask(game: &Game) -> Option<Action> {
    let mut text = drawing(game.board());
    loop {
        let what = match game.phase() {
            Phase::Placement { .. } => "place a penguin",
            Phase::Movement => "move a penguin",
        };
        let _ = write!(text, "player {}, {what}> ", game.number());
        show(&text).ok()?;
        text.clear();
        let line = read_line().ok()??;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["quit"] => return None,
            ["moves"] => text.push_str(&possible(game, None)),
            _ => match places(&words).and_then(|places| action(game, &places)) {
                Ok(action) => return Some(action),
                Err(what) => {
                    let _ = writeln!(text, "{what}");
                }
            },
        }
    }
}
