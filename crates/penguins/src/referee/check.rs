//! Whether what a program left behind is what the rules allow.

use std::fmt;

use crate::board::{Board, Field, Number, Place};
use crate::game::{Action, Game, Phase, Seat};
use crate::state::{State, free_number};

/// What a program can do wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// A penguin went where it could not slide to.
    IllegalSlide,
    /// A penguin was placed on a floe that has not exactly one fish, or where there is none.
    WrongFloe,
    /// More penguins were placed than one.
    SeveralPlacements,
    /// More penguins were placed than a player has.
    TooManyPenguins,
    /// A row of another player was changed, moved, added or removed.
    OthersRow,
    /// A penguin of another player was moved or removed.
    OthersPenguin,
    /// The own row has another id, or that of somebody else.
    WrongId,
    /// The own row has another number.
    WrongNumber,
    /// The own score does not fit what was caught.
    WrongScore,
    /// Something else on the board was changed.
    OtherField,
    /// The board has another size.
    OtherSize,
    /// What was left is no state.
    NoState,
    /// It said that it could do nothing, and it could.
    NothingToDo,
    /// It said that it did something, and did nothing.
    NothingDone,
    /// It said that the state is not valid.
    ExitTwo,
    /// It said that it failed.
    ExitThree,
    /// It ended in a way that means nothing.
    OtherExit,
    /// A signal ended it.
    Crash,
    /// It was not done in time.
    Overrun,
    /// It wrote when it was not its turn.
    LateWrite,
    /// It could not be started.
    NotStarted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalSlide => "illegal slide",
            Self::WrongFloe => "wrong floe",
            Self::SeveralPlacements => "several placements",
            Self::TooManyPenguins => "too many penguins",
            Self::OthersRow => "another's row",
            Self::OthersPenguin => "another's penguin",
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
            Self::LateWrite => "late write",
            Self::NotStarted => "not started",
        })
    }
}

/// A fault, and what exactly was wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Which fault it is.
    pub fault: Fault,
    /// What was wrong; nothing when the fault says it all.
    pub detail: String,
}

impl Wrong {
    /// This fault, because of that.
    pub fn new(fault: Fault, detail: impl fmt::Display) -> Self {
        Self { fault, detail: detail.to_string() }
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Self::new(fault, "")
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// A player whom the referee knows from the row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The id.
    pub id: Vec<u8>,
    /// The number.
    pub number: Number,
    /// How many fish the player has.
    pub score: u64,
}

/// The state of a game as the referee keeps it, whatever programs leave in files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The board.
    pub board: Board,
    /// The players who have begun, in the order in which they did.
    pub rows: Vec<Known>,
}

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The placement or move.
    pub action: Action,
    /// The index of the player's row, which may be a new one.
    pub row: usize,
    /// The id in that row.
    pub id: Vec<u8>,
}

impl Truth {
    /// The state as every program is given it.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut text = format!("{} {}\n", self.board.rows(), self.board.columns()).into_bytes();
        for place in self.board.places() {
            text.extend(match self.board.get(place) {
                Field::Water => [b'0', b'0'],
                Field::Floe(fish) => [b'0' + fish, b'0'],
                Field::Penguin(number) => [b'0', b'0' + number.get()],
            });
            text.push(if usize::from(place.column) + 1 == self.board.columns() { b'\n' } else { b' ' });
        }
        for row in &self.rows {
            text.extend(&row.id);
            text.extend(format!(" {} {}\n", row.number, row.score).into_bytes());
        }
        text
    }

    /// The game with this player on turn; nobody is, when the player has no row and no number is left for one.
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

    /// The number that the next new player has to take.
    fn next_number(&self) -> Option<Number> {
        let taken: Vec<Number> = self.rows.iter().map(|known| known.number).collect();
        free_number(&self.board, &taken).ok()
    }

    /// Does what was found to be right.
    pub fn accept(&mut self, done: &Done, phase: Phase) {
        let row = (done.row < self.rows.len()).then_some(done.row);
        let Some(mut game) = self.game(row, phase) else { return };
        let number = game.number();
        let Ok(fish) = game.act(done.action) else { return };
        if row.is_none() {
            self.rows.push(Known { id: done.id.clone(), number, score: 0 });
        }
        let score = &mut self.rows[done.row].score;
        *score = score.saturating_add(fish.into());
        self.board = game.board().clone();
    }

    /// Whether it is this state, in whatever way it is written.
    #[must_use]
    pub fn is(&self, state: &State) -> bool {
        *state.board() == self.board && known(state) == self.rows
    }

    /// What the player with this row, or with this id if it is known, did to the state.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, after: &[u8], row: Option<usize>, id: Option<&[u8]>, phase: Phase) -> Result<Done, Wrong> {
        let after = State::read(after).map_err(|invalid| Wrong::new(Fault::NoState, invalid))?;
        let (old, new) = (&self.board, after.board());
        if (old.rows(), old.columns()) != (new.rows(), new.columns()) {
            let detail = format!("{} x {} and not {} x {}", new.rows(), new.columns(), old.rows(), old.columns());
            return Err(Wrong::new(Fault::OtherSize, detail));
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
            return Err(Wrong::new(Fault::WrongScore, format!("{} and not {due}", rows[own].score)));
        }
        Ok(Done { action, row: own, id: rows[own].id.clone() })
    }

    /// The index of the player's own row, if the others' are as they were.
    fn check_rows(
        &self,
        rows: &[Known],
        row: Option<usize>,
        id: Option<&[u8]>,
        number: Number,
    ) -> Result<usize, Wrong> {
        let own = row.unwrap_or(self.rows.len());
        let expected = self.rows.len().max(own + 1);
        if rows.len() != expected {
            return Err(Wrong::new(Fault::OthersRow, format!("{} rows and not {expected}", rows.len())));
        }
        for (at, (old, new)) in self.rows.iter().zip(rows).enumerate() {
            if at != own && old != new {
                return Err(Wrong::new(Fault::OthersRow, crate::state::shown(&old.id)));
            }
        }
        let expected = row.map(|row| self.rows[row].id.as_slice()).or(id);
        let is_others = self.rows.iter().enumerate().any(|(at, known)| at != own && known.id == rows[own].id);
        if is_others || expected.is_some_and(|id| id != rows[own].id) {
            return Err(Wrong::new(Fault::WrongId, crate::state::shown(&rows[own].id)));
        }
        if rows[own].number != number {
            return Err(Wrong::new(Fault::WrongNumber, format!("{} and not {number}", rows[own].number)));
        }
        Ok(own)
    }
}

/// What the rows of a state say.
#[must_use]
pub fn known(state: &State) -> Vec<Known> {
    let known = |row: &crate::state::Row| Known { id: row.id.clone(), number: row.number, score: state.score(row) };
    state.rows().iter().map(known).collect()
}

/// The one legal placement or move that changes these fields.
fn action(game: &Game, new: &Board, changed: &[Place]) -> Result<Action, Wrong> {
    let (old, own) = (game.board(), Field::Penguin(game.number()));
    let is_others = |field: Field| matches!(field, Field::Penguin(_)) && field != own;
    if let Some(place) = changed.iter().find(|&&place| is_others(old.get(place)) || is_others(new.get(place))) {
        return Err(Wrong::new(Fault::OthersPenguin, place));
    }
    let came: Vec<Place> = changed.iter().copied().filter(|&place| new.get(place) == own).collect();
    let left: Vec<Place> = changed.iter().copied().filter(|&place| old.get(place) == own).collect();
    if let Some(place) = changed.iter().find(|place| !came.contains(place) && !left.contains(place)) {
        return Err(Wrong::new(Fault::OtherField, place));
    }
    match (game.phase(), &came[..], &left[..]) {
        (Phase::Placement { .. }, &[to], []) => {
            let action = Action::Place(to);
            game.check(action).map(|()| action).map_err(|illegal| match illegal {
                crate::game::Illegal::AllPlaced => Wrong::new(Fault::TooManyPenguins, illegal),
                _ => Wrong::new(Fault::WrongFloe, illegal),
            })
        }
        (Phase::Placement { .. }, [_, _, ..], []) => {
            Err(Wrong::new(Fault::SeveralPlacements, format!("{} penguins", came.len())))
        }
        (Phase::Movement, &[to], &[from]) => {
            if new.get(from) != Field::Water {
                return Err(Wrong::new(Fault::OtherField, format!("{from} is no water")));
            }
            let action = Action::Slide { from, to };
            let illegal = |illegal| Wrong::new(Fault::IllegalSlide, format!("{from} to {to}: {illegal}"));
            game.check(action).map(|()| action).map_err(illegal)
        }
        (Phase::Placement { .. }, ..) => Err(Wrong::new(Fault::WrongFloe, "no penguin was placed")),
        (Phase::Movement, ..) => {
            Err(Wrong::new(Fault::IllegalSlide, format!("{} penguins left and {} came", left.len(), came.len())))
        }
    }
}
