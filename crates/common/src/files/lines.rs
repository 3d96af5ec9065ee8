//! Files that are read line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::ledger::{Files, Role, STANDARD};
use crate::{display_path, io_error_text};

/// The longest line that is read, in bytes with its line end.
pub const MAX_LINE: usize = 1 << 20;

/// A file or standard input that is read line by line, in little memory however long it is.
pub struct Lines {
    name: String,
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: usize,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Files {
    /// Opens a file to be read line by line; `-` is standard input.
    ///
    /// # Errors
    /// When it cannot be opened, or is written to by this process.
    pub fn lines(&self, path: &Path) -> Result<Lines, String> {
        let name = display_path(path);
        if path == Path::new(STANDARD) {
            return Ok(Lines::new(name, BufReader::new(io::stdin())));
        }
        let claim = self.claim_named(path, Role::Input)?;
        let file = File::open(path).map_err(|error| format!("{name}: {}", io_error_text(&error)))?;
        claim.forever();
        Ok(Lines::new(name, BufReader::new(file)))
    }
}

impl Lines {
    pub(super) fn new(name: String, reader: impl BufRead + Send + 'static) -> Self {
        Self { name, reader: Box::new(reader), line: Vec::new(), number: 0 }
    }

    /// Returns the name of the file, escaped.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next line with its line end, which the last line may lack.
    ///
    /// Returns `None` at the end of the file.
    ///
    /// # Errors
    /// When it cannot be read, or is longer than [`MAX_LINE`].
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, String> {
        self.line.clear();
        self.number += 1;
        let read = self.reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut self.line);
        match read {
            Err(error) => Err(format!("{}: {}", self.name, io_error_text(&error))),
            Ok(0) => Ok(None),
            Ok(length) if length > MAX_LINE => {
                Err(format!("{}: line {}: more than {MAX_LINE} bytes, which is too long", self.name, self.number))
            }
            Ok(_) => Ok(Some(&self.line)),
        }
    }
}
