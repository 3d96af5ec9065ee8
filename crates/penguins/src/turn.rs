//! One turn on the text of a state file: parse, decide, write.

use crate::board::Number;
use crate::game::{Action, Game, Phase, Seat};
use crate::state_file::{NoFreeNumber, StateFile};

/// The result of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TurnResult {
    /// The text of the new state.
    Made(Vec<u8>),
    /// The player has no legal action.
    NothingToDo,
    /// The state is invalid, or has no free player number. The text is the error message, with the position of the error if it is known.
    Invalid(String),
    /// `decide` returned no legal action.
    Undecided,
}

/// Makes one placement or move for the player with this id.
///
/// `decide` chooses the action, and is called only if there is a legal one. Warnings about the state go to `warn`.
pub fn take_turn(
    text: &[u8],
    phase: Phase,
    id: &[u8],
    mut warn: impl FnMut(String),
    decide: impl FnOnce(&Game) -> Option<Action>,
) -> TurnResult {
    let read = StateFile::parse(text).and_then(|state| match phase {
        Phase::Movement => state.check_owners().map(|()| state),
        Phase::Placement { .. } => Ok(state),
    });
    let state = match read {
        Ok(state) => state,
        Err(invalid) => return TurnResult::Invalid(format!(":{invalid}")),
    };
    state.warnings(phase).into_iter().for_each(&mut warn);
    let game = match game(&state, phase, id) {
        Ok(Some(game)) => game,
        Ok(None) => return TurnResult::NothingToDo,
        Err(no_number) => return TurnResult::Invalid(format!(": {no_number}")),
    };
    if !game.can_act(game.turn()) {
        return TurnResult::NothingToDo;
    }
    match decide(&game).filter(|&action| game.check(action).is_ok()) {
        Some(action) => TurnResult::Made(state.with_action(action, id, game.number())),
        None => TurnResult::Undecided,
    }
}

/// Makes the game in which it is this player's turn. Returns `None` if the player takes no part in the movement.
fn game(state: &StateFile, phase: Phase, id: &[u8]) -> Result<Option<Game>, NoFreeNumber> {
    let mut seats = state.seats();
    let own = match (state.row(id), phase) {
        (Some(row), _) => row,
        (None, Phase::Movement) => return Ok(None),
        (None, Phase::Placement { .. }) => {
            seats.push(Seat { number: state.free_number()?, score: 0 });
            seats.len() - 1
        }
    };
    // If no other player has a row yet, one opponent is assumed.
    let is_new = |number: &Number| seats.iter().all(|seat| seat.number != *number);
    if let (1, Some(other)) = (seats.len(), Number::all().find(is_new)) {
        seats.push(Seat { number: other, score: 0 });
    }
    Ok(Some(Game::new(state.board().clone(), seats, phase, own)))
}
