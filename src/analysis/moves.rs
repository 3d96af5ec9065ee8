//! The moves of a recorded game.

use crate::game::{Action, Builder, ChanceOutcome, Game};
use crate::record::{Record, RecordLine, Replay, ReplayError};

/// An action with the positions before and after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The number of rolls so far, including this move.
    pub turn: u32,
    /// The builder who decided.
    pub builder: Builder,
    /// The action.
    pub action: Action,
    /// The outcome of chance.
    pub outcome: ChanceOutcome,
    /// The faces of fair dice.
    pub faces: Option<[u8; 2]>,
    /// The position before.
    pub before: Game,
    /// The position after.
    pub after: Game,
}

impl Move {
    /// Returns whether chance decided a part of the move: the dice, if they were fair, or the stolen unit.
    #[must_use]
    pub const fn is_chance(&self) -> bool {
        match self.action {
            Action::Roll => self.faces.is_some(),
            Action::Rob(_) => true,
            _ => false,
        }
    }

    /// Returns whether the move is a roll, also of loaded dice, or a theft: what is no decision between two positions.
    #[must_use]
    pub const fn is_roll_or_theft(&self) -> bool {
        matches!(self.action, Action::Roll | Action::Rob(_))
    }

    /// Returns whether the move is a roll of 7.
    #[must_use]
    pub fn is_seven(&self) -> bool {
        self.outcome.roll.is_some_and(|roll| roll.value() == 7)
    }

    /// Returns whether the move is a roll with loaded dice, whose sum was chosen.
    #[must_use]
    pub const fn is_loaded(&self) -> bool {
        matches!(self.action, Action::Roll) && self.faces.is_none()
    }
}

/// Returns the first position of a recorded game, its moves, and the replay after the last line. Moves that were taken back are left out.
///
/// # Errors
/// The line number of the first impossible line in the file, and the reason.
pub fn moves(record: &Record) -> Result<(Game, Vec<Move>, Replay), (usize, ReplayError)> {
    let mut replay = Replay::new(&record.header).map_err(|error| (record.first_line, error))?;
    let first = *replay.dialogue().game();
    let mut moves = Vec::new();
    for (number, line) in (record.first_line + 1..).zip(&record.lines) {
        let before = *replay.dialogue().game();
        replay.apply(line).map_err(|error| (number, error))?;
        match line {
            RecordLine::Action(played) => {
                let session = replay.dialogue().session();
                let entry = session.history().last();
                let Some(entry) = entry else { continue };
                moves.push(Move {
                    turn: played.turn,
                    builder: entry.builder,
                    action: entry.action,
                    outcome: ChanceOutcome::of(&entry.events),
                    faces: played.dice,
                    before,
                    after: *session.game(),
                });
            }
            RecordLine::Undo { .. } => drop(moves.pop()),
            RecordLine::Game(_)
            | RecordLine::Seed { .. }
            | RecordLine::Seat { .. }
            | RecordLine::Input { .. }
            | RecordLine::Player(_)
            | RecordLine::Result(_) => {}
        }
    }
    Ok((first, moves, replay))
}
