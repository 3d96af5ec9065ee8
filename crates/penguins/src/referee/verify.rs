//! Verification: finds the legal action that turns one state into another, or the fault that was made.

use std::fmt;

use crate::board::{Board, Field, Number, Place};
use crate::game::{Action, Game, Phase, Seat};
use crate::state_file::{ParsedRow, StateFile, free_number, quoted, write};

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// A penguin moved to a field that it could not slide to.
    IllegalSlide,
    /// A penguin was placed on a field that is not a floe with one fish, or no penguin was placed.
    WrongFloe,
    /// More than one penguin was placed.
    SeveralPlacements,
    /// More penguins were placed than the player has.
    TooManyPenguins,
    /// The row of another player was changed, moved, added or removed.
    ForeignRow,
    /// A penguin of another player was moved or removed.
    ForeignPenguin,
    /// The player's row has a wrong id.
    WrongId,
    /// The player's row has a wrong number.
    WrongNumber,
    /// The player's score is wrong.
    WrongScore,
    /// Another field of the board was changed.
    OtherField,
    /// The size of the board was changed.
    OtherSize,
    /// The state file is invalid or missing.
    NoState,
    /// The program exited with 1 although it had a legal action.
    NothingToDo,
    /// The program exited with 0 without acting.
    NothingDone,
    /// The program exited with 2: invalid state.
    ExitTwo,
    /// The program exited with 3: failure.
    ExitThree,
    /// The program exited with another status.
    OtherExit,
    /// The program was killed by a signal.
    Crash,
    /// The program exceeded the time limit.
    Overrun,
    /// The program changed the directory of another.
    Meddling,
    /// The program stored more than its share of the disk.
    Disk,
    /// The program could not be started.
    NotStarted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalSlide => "illegal slide",
            Self::WrongFloe => "wrong floe",
            Self::SeveralPlacements => "several placements",
            Self::TooManyPenguins => "too many penguins",
            Self::ForeignRow => "another's row",
            Self::ForeignPenguin => "another's penguin",
            Self::WrongId => "wrong id",
            Self::WrongNumber => "wrong number",
            Self::WrongScore => "wrong score",
            Self::OtherField => "another field",
            Self::OtherSize => "another size",
            Self::NoState => "no state",
            Self::NothingToDo => "exit 1 with a move",
            Self::NothingDone => "exit 0 without a move",
            Self::ExitTwo => "exit 2",
            Self::ExitThree => "exit 3",
            Self::OtherExit => "another exit",
            Self::Crash => "crash",
            Self::Overrun => "overrun",
            Self::Meddling => "another's directory",
            Self::Disk => "disk",
            Self::NotStarted => "not started",
        })
    }
}

/// A fault with a detail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The kind of fault.
    pub fault: Fault,
    /// The detail; may be empty.
    pub detail: String,
}

impl Violation {
    /// Makes a fault with a detail.
    pub fn new(fault: Fault, detail: impl fmt::Display) -> Self {
        Self { fault, detail: detail.to_string() }
    }
}

impl From<Fault> for Violation {
    fn from(fault: Fault) -> Self {
        Self::new(fault, "")
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// A player's row as the referee keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatRow {
    /// The id.
    pub id: Vec<u8>,
    /// The number.
    pub number: Number,
    /// The score.
    pub score: u64,
}

/// The referee's own state of a game, which no program can corrupt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefereeState {
    /// The board.
    pub board: Board,
    /// The players in the order in which they placed their first penguin.
    pub rows: Vec<SeatRow>,
}

/// A verified turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedTurn {
    /// The action.
    pub action: Action,
    /// The index of the player's row, which may be new.
    pub row: usize,
    /// The id in that row.
    pub id: Vec<u8>,
}

impl RefereeState {
    /// Returns the text of the state file.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        write(&self.board, self.rows.iter().map(|row| (row.id.as_slice(), row.number, row.score)))
    }

    /// Returns the game in which it is the turn of the player with this row, or of a new player if `row` is `None`. Returns `None` if no
    /// number is free for a new player.
    #[must_use]
    pub fn game(&self, row: Option<usize>, phase: Phase) -> Option<Game> {
        let mut seats: Vec<Seat> =
            self.rows.iter().map(|known| Seat { number: known.number, score: known.score }).collect();
        if row.is_none() {
            seats.push(Seat { number: self.next_number()?, score: 0 });
        }
        let turn = row.unwrap_or(self.rows.len());
        Some(Game::new(self.board.clone(), seats, phase, turn))
    }

    /// Returns the number that the next new player must take.
    fn next_number(&self) -> Option<Number> {
        let taken: Vec<Number> = self.rows.iter().map(|known| known.number).collect();
        free_number(&self.board, &taken).ok()
    }

    /// Applies a verified turn.
    pub fn accept(&mut self, done: &VerifiedTurn, phase: Phase) {
        let row = (done.row < self.rows.len()).then_some(done.row);
        let Some(mut game) = self.game(row, phase) else { return };
        let number = game.number();
        let Ok(fish) = game.act(done.action) else { return };
        if row.is_none() {
            self.rows.push(SeatRow { id: done.id.clone(), number, score: 0 });
        }
        let score = &mut self.rows[done.row].score;
        *score = score.saturating_add(fish.into());
        self.board = game.board().clone();
    }

    /// Returns whether a state file describes this state.
    #[must_use]
    pub fn is(&self, state: &StateFile) -> bool {
        *state.board() == self.board && known(state) == self.rows
    }

    /// Verifies the state that a player left.
    ///
    /// `row` is the index of the player's row and `id` the player's id, if they are known.
    ///
    /// # Errors
    /// The fault.
    pub fn check(
        &self,
        after: &[u8],
        row: Option<usize>,
        id: Option<&[u8]>,
        phase: Phase,
    ) -> Result<VerifiedTurn, Violation> {
        let after = StateFile::parse(after).map_err(|invalid| Violation::new(Fault::NoState, invalid))?;
        let (old, new) = (&self.board, after.board());
        if (old.rows(), old.columns()) != (new.rows(), new.columns()) {
            let detail = format!("{} x {} and not {} x {}", new.rows(), new.columns(), old.rows(), old.columns());
            return Err(Violation::new(Fault::OtherSize, detail));
        }
        let game = self.game(row, phase).ok_or(Fault::WrongNumber)?;
        let changed: Vec<Place> = old.places().filter(|&place| old.get(place) != new.get(place)).collect();
        let rows = known(&after);
        if changed.is_empty() && rows == self.rows {
            return Err(Fault::NothingDone.into());
        }
        let own = self.check_rows(&rows, row, id, game.number())?;
        let action = action(&game, new, &changed)?;
        let caught = match old.get(action.target()) {
            Field::Floe(fish) => u64::from(fish),
            Field::Water | Field::Penguin(_) => 0,
        };
        let due = self.rows.get(own).map_or(0, |known| known.score).saturating_add(caught);
        if rows[own].score != due {
            return Err(Violation::new(Fault::WrongScore, format!("{} and not {due}", rows[own].score)));
        }
        Ok(VerifiedTurn { action, row: own, id: rows[own].id.clone() })
    }

    /// Checks the rows and returns the index of the player's own row.
    fn check_rows(
        &self,
        rows: &[SeatRow],
        row: Option<usize>,
        id: Option<&[u8]>,
        number: Number,
    ) -> Result<usize, Violation> {
        let own = row.unwrap_or(self.rows.len());
        let expected = self.rows.len().max(own + 1);
        if rows.len() != expected {
            return Err(Violation::new(Fault::ForeignRow, format!("{} rows and not {expected}", rows.len())));
        }
        for (at, (old, new)) in self.rows.iter().zip(rows).enumerate() {
            if at != own && old != new {
                return Err(Violation::new(Fault::ForeignRow, quoted(&old.id)));
            }
        }
        let expected = row.map(|row| self.rows[row].id.as_slice()).or(id);
        let is_others = self.rows.iter().enumerate().any(|(at, known)| at != own && known.id == rows[own].id);
        if is_others || expected.is_some_and(|id| id != rows[own].id) {
            return Err(Violation::new(Fault::WrongId, quoted(&rows[own].id)));
        }
        if rows[own].number != number {
            return Err(Violation::new(Fault::WrongNumber, format!("{} and not {number}", rows[own].number)));
        }
        Ok(own)
    }
}

/// Returns the rows of a state file.
#[must_use]
pub fn known(state: &StateFile) -> Vec<SeatRow> {
    let known = |row: &ParsedRow| SeatRow { id: row.id.clone(), number: row.number, score: state.score(row) };
    state.rows().iter().map(known).collect()
}

/// Returns the legal action that changes these fields.
fn action(game: &Game, new: &Board, changed: &[Place]) -> Result<Action, Violation> {
    let (old, own) = (game.board(), Field::Penguin(game.number()));
    let is_others = |field: Field| matches!(field, Field::Penguin(_)) && field != own;
    if let Some(place) = changed.iter().find(|&&place| is_others(old.get(place)) || is_others(new.get(place))) {
        return Err(Violation::new(Fault::ForeignPenguin, place));
    }
    let came: Vec<Place> = changed.iter().copied().filter(|&place| new.get(place) == own).collect();
    let left: Vec<Place> = changed.iter().copied().filter(|&place| old.get(place) == own).collect();
    if let Some(place) = changed.iter().find(|place| !came.contains(place) && !left.contains(place)) {
        return Err(Violation::new(Fault::OtherField, place));
    }
    match (game.phase(), &came[..], &left[..]) {
        (Phase::Placement { .. }, &[to], []) => {
            let action = Action::Place(to);
            game.check(action).map(|()| action).map_err(|illegal| match illegal {
                crate::game::Illegal::AllPlaced => Violation::new(Fault::TooManyPenguins, illegal),
                _ => Violation::new(Fault::WrongFloe, illegal),
            })
        }
        (Phase::Placement { .. }, [_, _, ..], []) => {
            Err(Violation::new(Fault::SeveralPlacements, format!("{} penguins", came.len())))
        }
        (Phase::Movement, &[to], &[from]) => {
            if new.get(from) != Field::Water {
                return Err(Violation::new(Fault::OtherField, format!("{from} is no water")));
            }
            let action = Action::Slide { from, to };
            let illegal = |illegal| Violation::new(Fault::IllegalSlide, format!("{from} to {to}: {illegal}"));
            game.check(action).map(|()| action).map_err(illegal)
        }
        (Phase::Placement { .. }, ..) => Err(Violation::new(Fault::WrongFloe, "no penguin was placed")),
        (Phase::Movement, ..) => {
            Err(Violation::new(Fault::IllegalSlide, format!("{} penguins left and {} came", left.len(), came.len())))
        }
    }
}
