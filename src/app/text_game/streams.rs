//! Buffered input and output of the text game: text is shown before the reader blocks.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::text::Output;
use crate::text::words::{MAX_LINE_BYTES, Words};

/// Why a loop ended before the players ended it.
#[derive(Debug)]
pub enum LoopEnd {
    /// The input ended.
    InputEnded,
    /// Only computers play, and the game has had too many turns.
    Endless,
    /// Reading failed.
    InputFailed(io::Error),
    /// Writing failed.
    OutputFailed(io::Error),
}

/// The prompt before each answer.
pub const PROMPT: &str = "> ";

/// Moves the cursor of a terminal to the start of its line, and erases the line.
const ERASE_LINE: &str = "\r\x1b[K";

/// The size of reads, and of the text that is gathered before it is written, in bytes.
const CHUNK: usize = 1 << 16;

/// Gathers text, and writes it when a full chunk has been gathered or the text has to be seen.
pub struct TextWriter<W> {
    output: W,
    pub text: Output,
}

impl<W: Write> TextWriter<W> {
    pub fn new(output: W) -> Self {
        Self { output, text: Output::with_capacity(CHUNK + CHUNK / 8) }
    }

    /// Adds a prompt.
    ///
    /// Returns whether there is a chunk to show.
    pub fn prompt(&mut self) -> bool {
        self.text.put(PROMPT);
        self.is_full()
    }

    /// Returns whether there is a chunk to show.
    pub fn is_full(&self) -> bool {
        self.text.bytes().len() >= CHUNK
    }

    /// Shows the colour of the thinking player after the prompt, until [`TextWriter::end_wait`] is called.
    ///
    /// Only for terminals.
    pub fn begin_wait(&mut self, colour: &str) -> Result<(), LoopEnd> {
        self.text.put(colour).put(" is thinking ...");
        self.show()
    }

    /// Writes the prompt over the text of [`TextWriter::begin_wait`].
    pub fn end_wait(&mut self) {
        self.text.put(ERASE_LINE).put(PROMPT);
    }

    /// Writes all text.
    pub fn show(&mut self) -> Result<(), LoopEnd> {
        if self.text.bytes().is_empty() {
            return Ok(());
        }
        let written = self.output.write_all(self.text.bytes()).and_then(|()| self.output.flush());
        self.text.clear();
        written.map_err(LoopEnd::OutputFailed)
    }
}

/// Reads lines, and shows the text before it blocks.
pub struct Reader<R> {
    input: BufReader<R>,
    /// The bytes at the beginning of the buffer that were returned as a line.
    used: usize,
    /// A line that is not in the buffer as a whole.
    line: Vec<u8>,
    /// Whether the input has ended. At a terminal, another read would wait for a second end.
    has_ended: bool,
}

impl<R: Read> Reader<R> {
    pub fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(CHUNK, input), used: 0, line: Vec::new(), has_ended: false }
    }

    /// Returns the words of the next line, if all of it has been read.
    pub fn buffered_line(&mut self) -> Option<Words<'_>> {
        self.input.consume(std::mem::take(&mut self.used));
        let available = self.input.buffer();
        let end = available.iter().position(|&byte| byte == b'\n')?;
        self.used = end + 1;
        Some(Words::new(&available[..=end]))
    }

    /// Returns the words of the next line.
    ///
    /// An over-long line is cut just past the limit, so that it is still recognised as too long.
    pub fn line(&mut self, writer: &mut TextWriter<impl Write>) -> Result<Words<'_>, LoopEnd> {
        // The length of the longest line with its line end. A longer line is still too long when it is cut to this.
        const MAX_HELD: usize = MAX_LINE_BYTES + "\r\n".len();
        self.input.consume(std::mem::take(&mut self.used));
        self.line.clear();
        loop {
            if self.input.buffer().is_empty() {
                writer.show()?;
                if self.has_ended {
                    return Err(LoopEnd::InputEnded);
                }
                match self.input.fill_buf().map(drop) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    filled => filled.map_err(LoopEnd::InputFailed)?,
                }
            }
            let available = self.input.buffer();
            self.has_ended = available.is_empty();
            let end = available.iter().position(|&byte| byte == b'\n').map(|newline| newline + 1);
            let used = end.unwrap_or(available.len());
            let room = MAX_HELD.saturating_sub(self.line.len());
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
