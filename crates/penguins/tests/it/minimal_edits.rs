//! Minimal edits: an action changes exactly the bytes that it must.

use std::fmt::Write;

use penguins::board::{Board, Field, Number, Place};
use penguins::game::{Action, Game, Phase};
use penguins::state_file::StateFile;
use penguins::turn::{TurnResult, take_turn};
use proptest::prelude::*;

/// At least `least` blanks of any kind.
fn blanks(least: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec![' ', ' ', ' ', '\t']), least..4).prop_map(String::from_iter)
}

/// The text of a state in any style, with players A, B and C, of whom some have begun.
fn texts() -> impl Strategy<Value = String> {
    let fields = prop::collection::vec((0..4_u8, prop::sample::select(vec![0, 0, 0, 1, 2, 3_u8])), 1..40);
    let style = (prop::bool::ANY, prop::bool::ANY, 0..3_usize);
    (fields, 1..6_usize, 0..4_u8, style, prop::collection::vec((blanks(1), blanks(0)), 60..61), 0..1000_u64).prop_map(
        |(fields, columns, players, (is_crlf, has_last, blank_lines), blanks, score)| {
            let end = if is_crlf { "\r\n" } else { "\n" };
            let rows = fields.len().div_ceil(columns);
            let mut blanks = blanks.iter().cycle();
            let mut next = || blanks.next().unwrap();
            let mut text = format!("{rows}{}{columns}{}{end}", next().0, next().1);
            for row in 0..rows {
                for column in 0..columns {
                    let (fish, player) = fields.get(row * columns + column).copied().unwrap_or((0, 0));
                    let player = if player <= players { player } else { 0 };
                    let behind = if column + 1 < columns { &next().0 } else { &next().1 };
                    write!(text, "{fish}{player}{behind}").unwrap();
                }
                text.push_str(end);
            }
            for (number, id) in (1..=players).zip(["A", "B", "C"]) {
                write!(text, "{id}{}{number}{}{score}{}{end}", next().0, next().0, next().1).unwrap();
            }
            if has_last {
                text.extend(std::iter::repeat_n(end, blank_lines));
            } else {
                text.truncate(text.len() - end.len());
            }
            text
        },
    )
}

/// An independent implementation of edits, on words and the blanks between them.
fn edited(text: &str, board: &Board, action: Action, (id, number): (&str, Number), fish: u8) -> String {
    // Alternating pieces of blanks and words.
    let mut pieces: Vec<String> = Vec::new();
    for letter in text.chars() {
        match pieces.last_mut() {
            Some(last) if last.ends_with(char::is_whitespace) == letter.is_whitespace() => last.push(letter),
            _ => pieces.push(letter.to_string()),
        }
    }
    let is_word = |piece: &String| !piece.starts_with(char::is_whitespace);
    let words: Vec<usize> = (0..pieces.len()).filter(|&at| is_word(&pieces[at])).collect();
    let field = |place: Place| words[2 + board.index(place)];
    if let Action::Slide { from, .. } = action {
        "00".clone_into(&mut pieces[field(from)]);
    }
    pieces[field(action.target())] = format!("0{number}");
    let behind = 2 + board.rows() * board.columns();
    if let Some(row) = (behind..words.len()).step_by(3).find(|&at| pieces[words[at]] == id) {
        let score: u64 = pieces[words[row + 2]].parse().unwrap();
        pieces[words[row + 2]] = (score + u64::from(fish)).to_string();
        return pieces.concat();
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let last = words[words.len() - 1];
    let (before, after) = (pieces[..=last].concat(), pieces[last + 1..].concat());
    let line_end = after.find('\n').map_or(after.len(), |at| at + 1);
    let missing = if after.contains('\n') { "" } else { end };
    format!("{before}{}{missing}{id} {number} {fish}{end}{}", &after[..line_end], &after[line_end..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn actions_change_only_the_necessary_bytes(
        text in texts(),
        id in prop::sample::select(vec!["A", "B", "C", "D"]),
        is_movement in prop::bool::ANY,
        chosen in any::<prop::sample::Index>(),
    ) {
        let phase = if is_movement { Phase::Movement } else { Phase::Placement { penguins: 4 } };
        let mut decided = None;
        let decide = |game: &Game| {
            let action = *chosen.get(&game.actions());
            decided = Some((action, game.number(), game.board().clone()));
            Some(action)
        };
        match take_turn(text.as_bytes(), phase, id.as_bytes(), |_| (), decide) {
            TurnResult::Made(after) => {
                let (action, number, board) = decided.unwrap();
                let fish = match board.get(action.target()) {
                    Field::Floe(fish) => fish,
                    Field::Water | Field::Penguin(_) => 0,
                };
                prop_assert_eq!(String::from_utf8(after.clone()).unwrap(), edited(&text, &board, action, (id, number), fish));
                // The new text is the state after the same action by the rules.
                let state = StateFile::parse(&after).unwrap();
                let before = StateFile::parse(text.as_bytes()).unwrap();
                let turn = before.row(id.as_bytes());
                prop_assert_eq!(state.rows().len(), before.rows().len() + usize::from(turn.is_none()));
                let own = &state.rows()[turn.unwrap_or(before.rows().len())];
                let had = turn.map_or(0, |row| before.score(&before.rows()[row]));
                prop_assert_eq!((own.number, state.score(own)), (number, had + u64::from(fish)));
            }
            TurnResult::NothingToDo => prop_assert!(decided.is_none()),
            TurnResult::Invalid(what) => prop_assert!(false, "{}", what),
            TurnResult::Undecided => prop_assert!(false),
        }
    }
}
