//! Files that grow by whole lines.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::ledger::{Claimed, FileId, Files, Role};
use super::lines::Lines;
use crate::{display_path, io_error_text};

/// A file that grows by whole lines. It is valid up to its last whole line whenever the process is killed. A new file is created when its
/// first line is written, and can only be read by its owner.
#[derive(Debug)]
pub struct AppendedFile {
    name: String,
    path: PathBuf,
    /// The open file; `None` until it exists, and while it cannot be written.
    file: Option<File>,
    /// The length up to the last whole line, in bytes.
    length: u64,
    /// Whether it is a regular file, and not `/dev/null`.
    is_regular: bool,
    /// Whether writing failed.
    has_failed: bool,
    _claim: Claimed,
}

/// A file as it was after its last whole line.
#[derive(Clone, Debug)]
pub struct Trace {
    path: PathBuf,
    identity: FileId,
    length: u64,
}

impl Trace {
    /// Returns whether the path still leads to the same file, with the same length.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|now| FileId::of(&now) == self.identity && now.len() == self.length)
    }
}

impl Files {
    /// Claims a file to append to, and locks it if it is there.
    ///
    /// `in_use` is the error if another process has locked the file.
    ///
    /// # Errors
    /// When it cannot be written, is used already, or is neither a regular file nor `/dev/null`.
    pub fn append(&self, path: &Path, in_use: &str) -> Result<AppendedFile, String> {
        let name = display_path(path);
        let claim = self.claim_named(path, Role::Appended)?;
        let mut opened = AppendedFile {
            name,
            path: path.to_owned(),
            file: None,
            length: 0,
            is_regular: true,
            has_failed: false,
            _claim: claim,
        };
        match opened.open(false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(in_use.to_owned());
            }
            done => done.map_err(|error| opened.named(&error))?,
        }
        Ok(opened)
    }
}

impl AppendedFile {
    fn named(&self, error: &io::Error) -> String {
        format!("{}: {}", self.name, io_error_text(error))
    }

    /// Opens and locks the file. If `create` is `true`, creates the file if it does not exist.
    fn open(&mut self, create: bool) -> io::Result<()> {
        let is_device = fs::metadata(&self.path).is_ok_and(|metadata| metadata.file_type().is_char_device());
        let is_null = is_device && fs::canonicalize(&self.path).is_ok_and(|path| path == Path::new("/dev/null"));
        if !is_null && fs::metadata(&self.path).is_ok_and(|metadata| !metadata.is_file()) {
            // If the reader of a pipe stopped, this process would be blocked.
            return Err(io::Error::other("not a regular file"));
        }
        let file = OpenOptions::new().read(true).append(true).create(create).mode(0o600).open(&self.path)?;
        if !is_null {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                // Some file systems have no locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            self.length = file.metadata()?.len();
        }
        self.is_regular = !is_null;
        self.file = Some(file);
        Ok(())
    }

    /// Returns the name, escaped.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length up to the last whole line, in bytes; 0 for `/dev/null`.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Creates the file if it is not there.
    ///
    /// # Errors
    /// When it cannot be created or locked.
    pub fn create(&mut self) -> Result<(), String> {
        let opened = if self.file.is_some() { Ok(()) } else { self.open(true) };
        opened.map_err(|error| self.named(&error))
    }

    /// Returns the text of the file from this byte on.
    ///
    /// # Errors
    /// When it cannot be read, or is not UTF-8.
    pub fn read_from(&self, start: u64) -> Result<String, String> {
        let mut text = String::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(start))?;
            file.read_to_string(&mut text)
        });
        read.map(|_| text).map_err(|error| self.named(&error))
    }

    /// Returns the lines of the file, from the beginning.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn lines(&self) -> Result<Lines, String> {
        let copy = match &self.file {
            Some(_) if self.is_regular => File::open(&self.path).map_err(|error| self.named(&error))?,
            _ => return Ok(Lines::new(self.name.clone(), io::empty())),
        };
        Ok(Lines::new(self.name.clone(), BufReader::new(copy)))
    }

    /// Shortens the file to `length` bytes, to remove a last line that a killed process left incomplete.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn cut(&mut self, length: u64) -> Result<(), String> {
        if let Some(file) = self.file.as_mut().filter(|_| self.is_regular && length < self.length) {
            file.set_len(length)
                .and_then(|()| file.seek(SeekFrom::End(0)))
                .map_err(|error| format!("{}: {}", self.name, io_error_text(&error)))?;
            self.length = length;
        }
        Ok(())
    }

    /// Appends whole lines.
    ///
    /// After a failure, the lines that were written in part are removed and nothing more is written.
    ///
    /// # Errors
    /// A message, at the first failure.
    pub fn write(&mut self, lines: &str) -> Result<(), String> {
        if self.has_failed || lines.is_empty() {
            return Ok(());
        }
        self.create().inspect_err(|_| self.has_failed = true)?;
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.write_all(lines.as_bytes())) {
            self.has_failed = true;
            if let Some(file) = self.file.take().filter(|_| self.is_regular) {
                // If this fails, the last line may be incomplete; readers allow for that.
                let _ = file.set_len(self.length);
            }
            return Err(self.named(&error));
        }
        self.length += if self.is_regular { lines.len() as u64 } else { 0 };
        if self.trace().is_some_and(|trace| !trace.is_intact()) {
            self.has_failed = true;
            return Err(format!("{}: somebody has removed or changed it", self.name));
        }
        Ok(())
    }

    /// Appends whole lines, and waits until they are on the disk.
    ///
    /// After a failure nothing of them is in the file, and the next call tries to write again.
    ///
    /// # Errors
    /// A message without the name of the file.
    pub fn write_synced(&mut self, lines: &str) -> Result<(), String> {
        self.try_write_synced(lines).map_err(|error| {
            // A part of the lines may be there.
            if let Some(file) = self.file.as_ref().filter(|_| self.is_regular)
                && file.metadata().is_ok_and(|now| now.len() > self.length)
            {
                let _ = file.set_len(self.length);
            }
            io_error_text(&error)
        })
    }

    fn try_write_synced(&mut self, lines: &str) -> io::Result<()> {
        if self.file.is_none() {
            self.open(true)?;
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let now = file.metadata()?;
        if FileId::of(&fs::metadata(&self.path)?) != FileId::of(&now) {
            return Err(io::Error::other("somebody has replaced it"));
        }
        if !self.is_regular {
            return file.write_all(lines.as_bytes());
        }
        if now.len() < self.length {
            return Err(io::Error::other("somebody has shortened it"));
        }
        if now.len() > self.length {
            file.set_len(self.length)?;
        }
        file.write_all(lines.as_bytes())?;
        file.sync_data()?;
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Returns what the file is now, to check later that it still is. Returns `None` for `/dev/null` and before the file exists.
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        let own = self.file.as_ref().filter(|_| self.is_regular)?.metadata().ok()?;
        Some(Trace { path: self.path.clone(), identity: FileId::of(&own), length: self.length })
    }

    /// Returns whether writing has failed.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        self.has_failed
    }
}
