//! The loop of the text game.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use constructor_common::voice::Voice;

use super::extra_commands::Then;
use super::extra_commands::write_saved;
use super::game::{self, SharedGame};
use super::streams::{LoopEnd, Reader, TextWriter};
use crate::app::play::{JournalFile, Seats};
use crate::game::Phase;
use crate::session::Pending;
use crate::text::words::Words;
use crate::text::{Answered, Flow};

/// The number of turns after which a game without people is ended, since it may never end by itself. By default, a simulation plays as
/// many.
const MAX_TURNS_OF_COMPUTERS: u32 = 10_000;

/// A text game on any streams. Computer players answer for themselves.
pub struct TextGame<'g, R, W, S> {
    game: &'g SharedGame,
    seats: &'g mut Seats,
    journal: Option<&'g mut JournalFile>,
    reader: Reader<R>,
    writer: TextWriter<W>,
    /// Saves the game in a file.
    save: S,
    voice: Voice,
    /// The function to call once, after the first answer.
    begins: Option<Box<dyn FnOnce() + 'g>>,
    /// The number of turns of the current game.
    turns: u32,
}

impl<R, W, S> std::fmt::Debug for TextGame<'_, R, W, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextGame").field("game", self.game).finish_non_exhaustive()
    }
}

impl<'g, R, W, S> TextGame<'g, R, W, S>
where
    R: Read,
    W: Write,
    S: FnMut(&Path, &str) -> Result<(), String>,
{
    /// Prepares a game on these streams.
    ///
    /// `save` is called with a path and the content when a player asks to save the game; its error message goes to `voice`.
    ///
    /// ```
    /// use constructor::app::play::Seats;
    /// use constructor::app::text_game::{LoopEnd, SharedGame, TextGame};
    /// use constructor::board::RandomLayout;
    /// use constructor::text::{CONSTRUCTOR, Dialogue};
    /// use constructor_common::voice::Voice;
    /// let game = SharedGame::new(Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0));
    /// let (mut seats, mut output) = (Seats::all_human(&CONSTRUCTOR), Vec::new());
    /// let game = TextGame::new(&game, &mut seats, b"0 4\n".as_slice(), &mut output, |_, _| Ok(()), Voice::new("game"));
    /// assert!(matches!(game.run(), Err(LoopEnd::InputEnded)));
    /// assert!(output.ends_with(b"Builder Orange, where do you want to build a basement?\n> "));
    /// ```
    pub fn new(game: &'g SharedGame, seats: &'g mut Seats, input: R, output: W, save: S, voice: Voice) -> Self {
        let (reader, writer) = (Reader::new(input), TextWriter::new(output));
        Self { game, seats, journal: None, reader, writer, save, voice, begins: None, turns: 0 }
    }

    /// Returns the same game. If `journal` is given, the game is recorded in it.
    #[must_use]
    pub fn with_journal(mut self, journal: Option<&'g mut JournalFile>) -> Self {
        self.journal = journal;
        self
    }

    /// Returns the same game, changed to call `begins` once, after the first answer.
    #[must_use]
    pub fn after_first_answer(mut self, begins: impl FnOnce() + 'g) -> Self {
        self.begins = Some(Box::new(begins));
        self
    }

    /// Plays until the players end it.
    ///
    /// # Errors
    /// The reason why the loop ended before the players ended it.
    pub fn run(mut self) -> Result<(), LoopEnd> {
        // In the usual case, with people only and no journal, the seats need not be asked at each answer.
        let is_plain = self.seats.all_human_no_extras() && self.journal.is_none();
        let mut dialogue = self.game.lock();
        dialogue.begin(&mut self.writer.text);
        let game = *dialogue.game();
        drop(dialogue);
        self.seats.begin(&game, self.writer.text.bytes());
        self.prompt()?;
        while if is_plain { self.answer_lines()? } else { self.answer_line()? } {}
        self.writer.show()
    }

    fn prompt(&mut self) -> Result<(), LoopEnd> {
        if self.writer.prompt() { self.writer.show() } else { Ok(()) }
    }

    /// Lets people answer with all lines that have been read, under one lock.
    ///
    /// Returns whether the game goes on.
    fn answer_lines(&mut self) -> Result<bool, LoopEnd> {
        let Self { game, reader, writer, save, voice, begins, .. } = self;
        let (mut guard, mut is_first) = (None, true);
        loop {
            let words = if is_first { Some(reader.line(writer)?) } else { reader.buffered_line() };
            let Some(mut words) = words else { return Ok(true) };
            is_first = false;
            loop {
                let mut dialogue = guard.take().unwrap_or_else(|| game.lock());
                match dialogue.answer(&mut words, &mut writer.text) {
                    Flow::Continue | Flow::Refused => {}
                    Flow::Save(file) => {
                        let content = dialogue.saved_game();
                        drop(dialogue);
                        writer.show()?;
                        if let Err(message) = save(Path::new(OsStr::from_bytes(file)), &content) {
                            voice.say(message);
                            voice.settle();
                        }
                        dialogue = game.lock();
                    }
                    Flow::End => return Ok(false),
                }
                if writer.prompt() || begins.is_some() {
                    drop(dialogue);
                    begins.take().into_iter().for_each(|begins| begins());
                    if writer.is_full() {
                        writer.show()?;
                    }
                } else {
                    guard = Some(dialogue);
                }
                if words.is_blank() {
                    break;
                }
            }
        }
    }

    /// Lets computer players answer, and then a person with the next line.
    ///
    /// Returns whether the game goes on.
    fn answer_line(&mut self) -> Result<bool, LoopEnd> {
        if !self.answer_for_computers()? {
            return Ok(false);
        }
        let line = self.reader.line(&mut self.writer)?;
        // The line is copied, since computer players may answer between its words.
        let line = line.rest().to_vec();
        let mut words = Words::new(&line);
        loop {
            let (answered, then) = game::answer(self.game, &mut words, self.seats);
            let shows_saved = self.seats.has_extra_commands();
            self.tell(&answered, matches!(then, Then::Done));
            match then {
                Then::Go | Then::Done => {}
                Then::Save(file) => {
                    self.writer.show()?;
                    let content = self.game.lock().saved_game();
                    match (self.save)(Path::new(OsStr::from_bytes(file)), &content) {
                        Err(message) => {
                            self.voice.say(message);
                            self.voice.settle();
                        }
                        Ok(()) if shows_saved => write_saved(file, &mut self.writer.text),
                        Ok(()) => {}
                    }
                }
                Then::Hint(decision, answered) => self.seats.hint(&decision, &answered, &mut self.writer.text),
                Then::End => return Ok(false),
            }
            if let Some(begins) = self.begins.take() {
                begins();
            }
            self.prompt()?;
            if words.is_blank() {
                return Ok(true);
            }
            // The rest of the line answers the next question that a person is asked.
            if !self.answer_for_computers()? {
                return Ok(false);
            }
        }
    }

    /// Records an answer, reports it to the programs, and writes the text that the game prints in response.
    fn tell(&mut self, answered: &Answered, is_command: bool) {
        if let Some(journal) = &mut self.journal {
            journal.append(answered, is_command, self.seats.players());
            if let Some(failure) = journal.take_failure() {
                self.voice.say(failure);
            }
        }
        self.seats.tell(answered);
        self.writer.text.put_bytes(&answered.text);
        let rolls = matches!(answered.decision.pending, Pending::Roll(..) | Pending::LoadedRoll(_));
        if rolls && !matches!(answered.game.phase(), Phase::TurnStart(_)) {
            self.turns += 1;
        } else if answered.decision.pending == Pending::GameOver {
            self.turns = 0;
        }
    }

    /// Lets computer players answer until a person has to, and shows their answers as if they were typed.
    ///
    /// Returns whether the game goes on.
    fn answer_for_computers(&mut self) -> Result<bool, LoopEnd> {
        loop {
            let decision = self.game.lock().session().decision();
            self.seats.notify_bots(&decision);
            if !self.seats.is_for_computer(&decision) {
                return Ok(true);
            }
            if self.turns >= MAX_TURNS_OF_COMPUTERS && self.seats.all_computers() {
                self.writer.show()?;
                return Err(LoopEnd::Endless);
            }
            let thinker = self.seats.thinker(&decision);
            match thinker {
                Some(colour) => self.writer.begin_wait(colour)?,
                None => self.writer.show()?,
            }
            let answer = self.seats.answer(&decision);
            if thinker.is_some() {
                self.writer.end_wait();
            }
            let Some(answer) = answer else { return Ok(true) };
            let (answered, is_end) = game::answer_line(self.game, &answer);
            // Only the words that were used are shown, so that the shown text plays the same game.
            self.writer.text.put(&answered.typed).end();
            self.tell(&answered, false);
            if is_end {
                return Ok(false);
            }
            self.prompt()?;
        }
    }
}
