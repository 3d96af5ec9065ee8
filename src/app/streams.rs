//! Buffered input and output of the text game: text is shown before the reader blocks.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::terminal::{LoopEnd, SharedDialogue};
use crate::text::Output;
use crate::text::words::{MAX_LINE_BYTES, Words};

pub(super) const PROMPT: &str = "> ";

/// Moves the cursor of a terminal to the start of its line, and erases the line.
pub(super) const ERASE_LINE: &str = "\r\x1b[K";

/// The size of reads, and of the text that is gathered before it is written, in bytes.
const CHUNK: usize = 1 << 16;

/// Gathers text, and writes it when there is a chunk of it or it has to be seen.
pub(super) struct Writer<W> {
    output: W,
    pub(super) text: Output,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Self {
        Self { output, text: Output::with_capacity(CHUNK + CHUNK / 8) }
    }

    /// Adds a prompt, and writes the text if there is a chunk of it.
    pub(super) fn prompt(&mut self, shared: &mut impl SharedDialogue) -> Result<(), LoopEnd> {
        self.text.put(PROMPT);
        if self.text.bytes().len() < CHUNK { Ok(()) } else { self.show(shared) }
    }

    /// Shows after the prompt who is thinking, until [`Writer::end_wait`]. Only for terminals.
    pub(super) fn begin_wait(&mut self, colour: &str, shared: &mut impl SharedDialogue) -> Result<(), LoopEnd> {
        self.text.put(colour).put(" is thinking ...");
        self.show(shared)
    }

    /// Writes the prompt over the text of [`Writer::begin_wait`].
    pub(super) fn end_wait(&mut self) {
        self.text.put(ERASE_LINE).put(PROMPT);
    }

    /// Writes all text, with the dialogue released.
    pub(super) fn show(&mut self, shared: &mut impl SharedDialogue) -> Result<(), LoopEnd> {
        if self.text.bytes().is_empty() {
            return Ok(());
        }
        let written =
            shared.while_unlocked(|| self.output.write_all(self.text.bytes()).and_then(|()| self.output.flush()));
        self.text.clear();
        written.map_err(LoopEnd::OutputFailed)
    }
}

/// Reads lines, and writes the text before it blocks.
pub(super) struct Reader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the input has ended. At a terminal, another read would wait for a second end.
    has_ended: bool,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(CHUNK, input), line: Vec::new(), has_ended: false }
    }

    /// The words of the next line. The dialogue is released while this blocks. An over-long line is cut just past the limit, so
    /// that it is still recognised as too long.
    pub(super) fn line(
        &mut self,
        writer: &mut Writer<impl Write>,
        shared: &mut impl SharedDialogue,
    ) -> Result<Words<'_>, LoopEnd> {
        // The longest line with its line end. A longer line is still too long when it is cut to this.
        const MAX_KEPT: usize = MAX_LINE_BYTES + "\r\n".len();
        self.line.clear();
        loop {
            if self.input.buffer().is_empty() {
                writer.show(shared)?;
                if self.has_ended {
                    return Err(LoopEnd::InputEnded);
                }
                match shared.while_unlocked(|| self.input.fill_buf().map(drop)) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    filled => filled.map_err(LoopEnd::InputFailed)?,
                }
            }
            let available = self.input.buffer();
            self.has_ended = available.is_empty();
            let end = available.iter().position(|&byte| byte == b'\n').map(|newline| newline + 1);
            let used = end.unwrap_or(available.len());
            let room = MAX_KEPT.saturating_sub(self.line.len());
            self.line.extend_from_slice(&available[..used.min(room)]);
            self.input.consume(used);
            if self.line.is_empty() {
                return Err(LoopEnd::InputEnded);
            }
            if end.is_some() || self.has_ended {
                return Ok(Words::new(&self.line));
            }
        }
    }
}

/// Retries on `EAGAIN`: another process that shares stdin or stdout may have made it non-blocking.
pub(super) struct RetryOnWouldBlock(pub(super) File);

impl RetryOnWouldBlock {
    fn retry<T>(&mut self, ready: PollFlags, mut operation: impl FnMut(&mut File) -> io::Result<T>) -> io::Result<T> {
        loop {
            match operation(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // If this fails, the loop still works, by busy waiting.
                    let _ = poll(&mut [PollFd::new(self.0.as_fd(), ready)], PollTimeout::NONE);
                }
                done => return done,
            }
        }
    }
}

impl Read for RetryOnWouldBlock {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.retry(PollFlags::POLLIN, |file| file.read(buffer))
    }
}

impl Write for RetryOnWouldBlock {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(PollFlags::POLLOUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
