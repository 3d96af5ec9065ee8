//! The text that the text game printed during a recorded game.

use crate::app::play::Seats;
use crate::app::text_game::{PROMPT, Then, run_extra_command, write_saved};
use crate::record::{Record, RecordLine, Replay, ReplayError, ReplayedLine};
use crate::text::Output;
use crate::text::words::Words;

/// Returns two values: the text that the text game printed during a game, including prompts and the answers of computer players; and the
/// replay of the whole game.
///
/// # Errors
/// The number of the first line that is impossible, and why.
pub fn transcript(record: &Record) -> Result<(Vec<u8>, Replay), (usize, ReplayError)> {
    let mut printer = Printer::new(false, false);
    let replay = printer.replay(record, None)?;
    Ok((printer.out.bytes().to_vec(), replay))
}

/// The transcript of a game.
pub struct Printer {
    pub out: Output,
    /// Whether the input is printed instead of the game.
    prints_script: bool,
    /// Whether the answers of people are printed, too.
    prints_typed: bool,
}

impl Printer {
    /// Makes a printer of games, or of the input that plays them.
    pub fn new(prints_script: bool, prints_typed: bool) -> Self {
        Self { out: Output::default(), prints_script, prints_typed }
    }

    fn begin(&mut self, replay: &mut Replay) {
        if !self.prints_script {
            replay.dialogue_mut().begin(&mut self.out);
            self.out.put(PROMPT);
        }
    }

    /// Replays a game up to its end, or to the end of the turn that is asked for.
    ///
    /// # Errors
    /// The number of the first line that is impossible, and why.
    pub fn replay(&mut self, record: &Record, last_turn: Option<u32>) -> Result<Replay, (usize, ReplayError)> {
        let mut replay = Replay::new(&record.header).map_err(|error| (record.first_line, error))?;
        let mut seats = Seats::all_human(replay.edition()).with_extra_commands(false);
        self.begin(&mut replay);
        for (number, line) in (record.first_line + 1..).zip(&record.lines) {
            if last_turn.is_some_and(|turn| matches!(line, RecordLine::Action(action) if action.turn > turn)) {
                break;
            }
            let is_of_computer = replay.is_for_computer();
            let answers = apply(&mut replay, line, record.header.extras, &mut seats);
            for answer in answers.map_err(|error| (number, error))? {
                self.answer(&answer, is_of_computer);
            }
        }
        Ok(replay)
    }

    /// Prints an answer. `is_of_computer` says whether a computer player gave it.
    fn answer(&mut self, answer: &ReplayedLine, is_of_computer: bool) {
        if self.prints_script {
            self.out.line(&answer.typed);
            return;
        }
        if is_of_computer || self.prints_typed {
            self.out.line(&answer.typed);
        }
        self.out.put_bytes(&answer.text);
        if !answer.ends {
            self.out.put(PROMPT);
        }
    }
}

/// Replays a line.
///
/// The extra commands are executed as in the text game, except for hints, which are left out.
fn apply(
    replay: &mut Replay,
    line: &RecordLine,
    has_extras: bool,
    seats: &mut Seats,
) -> Result<Vec<ReplayedLine>, ReplayError> {
    let typed = match line {
        RecordLine::Input { turn, builder, text } if has_extras => {
            replay.check_input(*turn, builder.as_deref())?;
            text.as_str()
        }
        RecordLine::Undo { .. } if has_extras => "undo",
        _ => return replay.apply(line),
    };
    let (mut out, mut words) = (Output::default(), Words::new(typed.as_bytes()));
    let file = match run_extra_command(seats, replay.dialogue_mut(), &mut words, &mut out) {
        None => {
            let mut answers = replay.apply(line)?;
            if let Some((answer, file)) =
                answers.last_mut().and_then(|answer| answer.saves.clone().map(|file| (answer, file)))
            {
                write_saved(&file, &mut out);
                answer.text.extend_from_slice(out.bytes());
            }
            return Ok(answers);
        }
        Some(Then::Save(file)) => Some(file.to_vec()),
        Some(_) => None,
    };
    if let Some(file) = &file {
        write_saved(file, &mut out);
    }
    Ok(vec![ReplayedLine { typed: typed.to_owned(), text: out.bytes().to_vec(), saves: file, ends: false }])
}
