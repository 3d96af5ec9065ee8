//! Properties that must hold for any input: one function for each fuzz target. The tests call them with the inputs in `corpus`
//! and with corrupted files.

#![expect(clippy::expect_used, reason = "a violated property panics")]

use penguins::game::{Action, Game, Phase};
use penguins::referee::verify::{RefereeState, known};
use penguins::state_file::StateFile;
use penguins::turn::{TurnResult, take_turn};

/// Checks that any bytes are a state file or an error.
///
/// A state survives being written by the referee, and every first and last legal action turns it into a valid state with exactly that
/// action.
pub fn state(data: &[u8]) {
    let Ok(file) = StateFile::parse(data) else {
        for phase in [Phase::Placement { penguins: 2 }, Phase::Movement] {
            let result = take_turn(data, phase, b"Me", |_| (), |_| None);
            assert!(matches!(result, TurnResult::Invalid(_)), "{result:?}");
        }
        return;
    };
    let state = RefereeState { board: file.board().clone(), rows: known(&file) };
    assert!(state.is(&StateFile::parse(&state.text()).expect("the referee writes valid files")));
    let ids = file.rows().iter().map(|row| row.id.clone()).chain([b"A-new-one".to_vec()]);
    for id in ids {
        for phase in [Phase::Placement { penguins: 2 }, Phase::Movement] {
            for last in [false, true] {
                act(&state, &file, phase, &id, last);
            }
        }
    }
}

/// Lets one player take the first or the last legal action.
fn act(state: &RefereeState, file: &StateFile, phase: Phase, id: &[u8], last: bool) {
    let mut decided: Option<Action> = None;
    let decide = |game: &Game| {
        let actions = game.actions();
        decided = if last { actions.last() } else { actions.first() }.copied();
        decided
    };
    match take_turn(file.text(), phase, id, |_| (), decide) {
        TurnResult::Made(after) => {
            let turn = state.check(&after, file.row(id), Some(id), phase);
            // The referee refuses penguins of players without a row, and scores saturate.
            if file.check_owners().is_ok() && file.rows().iter().all(|row| file.score(row) < u64::MAX - 3) {
                assert_eq!(Some(turn.expect("the turn is legal").action), decided);
            }
            StateFile::parse(&after).expect("the new state is valid");
        }
        TurnResult::NothingToDo => assert_eq!(decided, None),
        TurnResult::Invalid(_) => assert!(file.check_owners().is_err() || file.free_number().is_err()),
        TurnResult::Undecided => panic!("there was a legal action"),
    }
}
