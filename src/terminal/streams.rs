//! Lines are read, and text is shown before more of them are waited for.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::{CutOff, Held};
use crate::dialogue::Text;
use crate::line::{LONGEST, Line};

const PROMPT: &str = "> ";

/// How much is read at a time, and how much text is gathered before it is shown, in bytes.
const CHUNK: usize = 1 << 16;

/// Shows the text when there is a lot of it, and whenever it is told to.
pub(super) struct Writer<W> {
    output: W,
    pub(super) text: Text,
    /// What programs at the table have to be told, if there are any, and how much of the text is in it.
    heard: Option<Vec<u8>>,
    heard_to: usize,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Self {
        Self { output, text: Text::with_capacity(CHUNK + CHUNK / 8), heard: None, heard_to: 0 }
    }

    /// From now on everything is kept that programs have to be told.
    pub(super) fn keep_heard(&mut self) {
        self.heard.get_or_insert_default();
    }

    /// Everything that was printed, with what was typed.
    pub(super) fn heard(&mut self) -> &[u8] {
        self.hear();
        self.heard.as_deref().unwrap_or_default()
    }

    /// Adds the text so far to what is heard.
    pub(super) fn hear(&mut self) {
        if let Some(heard) = &mut self.heard {
            heard.extend_from_slice(&self.text.bytes()[self.heard_to..]);
            self.heard_to = self.text.bytes().len();
        }
    }

    /// Adds words that a person typed, behind what was heard.
    pub(super) fn hear_typed<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) {
        if let Some(heard) = &mut self.heard {
            for (place, word) in words.enumerate() {
                heard.extend_from_slice(if place == 0 { b"" } else { b" " });
                heard.extend_from_slice(word);
            }
            heard.push(b'\n');
        }
    }

    pub(super) fn prompt(&mut self, held: &mut impl Held) -> Result<(), CutOff> {
        self.text.put(PROMPT);
        if self.text.bytes().len() < CHUNK { Ok(()) } else { self.show(held) }
    }

    /// Shows everything; meanwhile what is held is let go of.
    pub(super) fn show(&mut self, held: &mut impl Held) -> Result<(), CutOff> {
        if self.text.bytes().is_empty() {
            return Ok(());
        }
        let shown = held.let_go(|| self.output.write_all(self.text.bytes()).and_then(|()| self.output.flush()));
        self.hear();
        self.text.clear();
        self.heard_to = 0;
        shown.map_err(CutOff::OutputFailed)
    }
}

/// Reads lines, and has the text shown before more input is waited for.
pub(super) struct Reader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the input has ended. At a terminal, asking once more would wait for another end.
    has_ended: bool,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(CHUNK, input), line: Vec::new(), has_ended: false }
    }

    /// The next line; while it is waited for, what is held is let go of. Of a line that is too long only so much is kept
    /// that it can be told.
    pub(super) fn line(&mut self, writer: &mut Writer<impl Write>, held: &mut impl Held) -> Result<Line<'_>, CutOff> {
        // As much as a line of the greatest length has with its end, by which a longer one is longer too.
        const KEPT: usize = LONGEST + "\r\n".len();
        self.line.clear();
        loop {
            if self.input.buffer().is_empty() {
                writer.show(held)?;
                if self.has_ended {
                    return Err(CutOff::InputEnded);
                }
                match held.let_go(|| self.input.fill_buf().map(drop)) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    filled => filled.map_err(CutOff::InputFailed)?,
                }
            }
            let available = self.input.buffer();
            self.has_ended = available.is_empty();
            let end = available.iter().position(|&byte| byte == b'\n').map(|newline| newline + 1);
            let used = end.unwrap_or(available.len());
            let room = KEPT.saturating_sub(self.line.len());
            self.line.extend_from_slice(&available[..used.min(room)]);
            self.input.consume(used);
            if self.line.is_empty() {
                return Err(CutOff::InputEnded);
            }
            if end.is_some() || self.has_ended {
                return Ok(Line::new(&self.line));
            }
        }
    }
}

/// A stream that may have been set not to wait by a program that shares it, and is waited for all the same.
pub(super) struct Patient(pub(super) File);

impl Patient {
    fn keep_trying<T>(&mut self, ready: PollFlags, mut go: impl FnMut(&mut File) -> io::Result<T>) -> io::Result<T> {
        loop {
            match go(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Should this fail, trying again still does the same, only busily.
                    let _ = poll(&mut [PollFd::new(self.0.as_fd(), ready)], PollTimeout::NONE);
                }
                done => return done,
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.keep_trying(PollFlags::POLLIN, |file| file.read(buffer))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.keep_trying(PollFlags::POLLOUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
