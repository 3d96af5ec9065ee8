//! What must hold whatever comes: one function for each fuzz target. The tests call the same functions with the inputs in
//! `corpus`, and with damaged files.

#![expect(clippy::expect_used, reason = "a property that does not hold is a panic")]

use penguins::game::{Action, Game, Phase};
use penguins::referee::check::{Truth, known};
use penguins::state::State;
use penguins::turn::{Answer, answer};

/// A text is a state or it is not. If it is, it is the same state when the referee writes it, and after any placement and
/// any move it is a state again, with that placement or move in it and nothing else.
pub fn state(data: &[u8]) {
    let Ok(state) = State::read(data) else {
        for phase in [Phase::Placement { penguins: 2 }, Phase::Movement] {
            let bad = answer(data, phase, b"Me", |_| (), |_| None);
            assert!(matches!(bad, Answer::Bad(_)), "{bad:?}");
        }
        return;
    };
    let truth = Truth { board: state.board().clone(), rows: known(&state) };
    assert!(truth.is(&State::read(&truth.text()).expect("what the referee writes can be read")));
    let ids = state.rows().iter().map(|row| row.id.clone()).chain([b"A-new-one".to_vec()]);
    for id in ids {
        for phase in [Phase::Placement { penguins: 2 }, Phase::Movement] {
            for last in [false, true] {
                act(&truth, &state, phase, &id, last);
            }
        }
    }
}

/// One player does the first or the last thing that there is.
fn act(truth: &Truth, state: &State, phase: Phase, id: &[u8], last: bool) {
    let mut decided: Option<Action> = None;
    let decide = |game: &Game| {
        let actions = game.actions();
        decided = if last { actions.last() } else { actions.first() }.copied();
        decided
    };
    match answer(state.text(), phase, id, |_| (), decide) {
        Answer::Made(after) => {
            let done = truth.check(&after, state.row(id), Some(id), phase);
            // The referee knows nobody without a row, whose penguins may be there all the same.
            if state.explained().is_ok() && state.rows().iter().all(|row| state.score(row) < u64::MAX - 3) {
                assert_eq!(Some(done.expect("it is by the rules").action), decided);
            }
            State::read(&after).expect("it is a state again");
        }
        Answer::NothingToDo => assert_eq!(decided, None),
        Answer::Bad(_) => assert!(state.explained().is_err() || state.free_number().is_err()),
        Answer::Undecided => panic!("there was something to decide"),
    }
}
