//! Files for results that take long to compute. They are opened before the work begins, so that no work is lost because of a wrong name.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use super::atomic::{AtomicFile, WriteError};
use super::ledger::{Claimed, Conflict, Files, Role, STANDARD, is_same_file};
use super::links::FollowLinks;
use crate::streams::{RetryOnWouldBlock, stdout};
use crate::{display_path, io_error_text};

/// A file that is being written.
#[derive(Debug)]
pub struct ResultFile {
    name: String,
    target: Sink,
    /// The bytes written so far.
    written: u64,
    failure: Option<io::Error>,
    _claim: Option<Claimed>,
}

#[derive(Debug)]
enum Sink {
    /// A regular file, which appears when it is complete.
    Regular(AtomicFile),
    /// Standard output, a pipe or a device.
    Stream { stream: RetryOnWouldBlock, is_stdout: bool },
}

impl Files {
    /// Opens the files for results at these paths: first the streams, since opening a named pipe waits for its reader.
    ///
    /// `-` stands for standard output. So does any path that names the same pipe or device as standard output.
    ///
    /// # Errors
    /// When one cannot be written, or is used already, for example by another of these results.
    pub fn results<const COUNT: usize>(
        &self,
        paths: [Option<&Path>; COUNT],
    ) -> Result<[Option<ResultFile>; COUNT], String> {
        let mut files = [const { None }; COUNT];
        for is_stream in [true, false] {
            for (file, path) in files.iter_mut().zip(paths) {
                if let Some(path) = path.filter(|path| is_stream_path(path) == is_stream) {
                    *file = Some(self.result(path)?);
                }
            }
        }
        Ok(files)
    }

    fn result(&self, path: &Path) -> Result<ResultFile, String> {
        let named = |reason: String| format!("{}: {reason}", display_path(path));
        let unwritten = |error: io::Error| named(WriteError::from(error).to_string());
        let claim = |path: &Path, role| self.claim(path, role).map_err(|conflict| named(of_results(conflict)));
        if !is_stream_path(path) {
            let claimed = claim(path, Role::Replaced)?;
            let file = AtomicFile::create(self, path, FollowLinks::All).map_err(unwritten)?;
            return Ok(ResultFile::new(display_path(path), Sink::Regular(file), Some(claimed)));
        }
        let standard = Path::new("/dev/stdout");
        let is_stdout = path == Path::new(STANDARD) || is_same_file(path, standard);
        let (name, path, stream) = if is_stdout {
            ("standard output".to_owned(), standard, stdout())
        } else {
            (display_path(path), path, OpenOptions::new().write(true).open(path).map(RetryOnWouldBlock))
        };
        let stream = stream.map_err(unwritten)?;
        // Two results can go to a device such as `/dev/null`.
        let is_device = stream.0.metadata().is_ok_and(|metadata| metadata.file_type().is_char_device());
        let claimed = if is_device { None } else { Some(claim(path, Role::Stream)?) };
        Ok(ResultFile::new(name, Sink::Stream { stream, is_stdout }, claimed))
    }
}

/// Returns the reason why a file cannot be used for results.
fn of_results(conflict: Conflict) -> String {
    let same = "two results cannot go to the same file";
    match conflict {
        Conflict::Standard("standard output") => format!("{conflict}; for the results alone, use -"),
        Conflict::Same(Role::Replaced | Role::Stream) => same.to_owned(),
        Conflict::Used(other, Role::Replaced | Role::Stream) => format!("{same}: this is {other}"),
        conflict => conflict.to_string(),
    }
}

impl ResultFile {
    fn new(name: String, target: Sink, claim: Option<Claimed>) -> Self {
        Self { name, target, written: 0, failure: None, _claim: claim }
    }

    /// Returns the name, escaped.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether this is standard output.
    #[must_use]
    pub const fn is_stdout(&self) -> bool {
        matches!(self.target, Sink::Stream { is_stdout: true, .. })
    }

    /// Appends text.
    ///
    /// After a failure, nothing more is written.
    pub fn write(&mut self, text: &str) {
        if self.failure.is_some() {
            return;
        }
        let written = match &mut self.target {
            Sink::Regular(file) => file.write_all(text.as_bytes()),
            Sink::Stream { stream, .. } => stream.write_all(text.as_bytes()),
        };
        match written {
            Ok(()) => self.written += text.len() as u64,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Returns whether the reader of a pipe has closed it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.failure.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Completes the file.
    ///
    /// A regular file that could not be written completely has all texts before the one that failed.
    ///
    /// # Errors
    /// A message, when something was not written. A closed pipe is not an error.
    pub fn finish(self) -> Result<(), String> {
        let is_closed = self.is_closed();
        let committed = match self.target {
            Sink::Regular(file) => {
                if self.failure.is_some() {
                    // The text that failed may have been written in part.
                    let _ = file.cut(self.written);
                }
                // An existing file stays, rather than being replaced by an empty one.
                if self.failure.is_some() && self.written == 0 { Ok(()) } else { file.commit() }
            }
            Sink::Stream { .. } => Ok(()),
        };
        match (self.failure, committed) {
            (Some(failure), Ok(())) if !is_closed => {
                let (name, reason) = (self.name, io_error_text(&failure));
                Err(match self.written {
                    0 => format!("{name}: nothing is written: {reason}"),
                    written => format!("{name}: only the first {written} bytes are written: {reason}"),
                })
            }
            (_, Err(error)) => Err(format!("{}: {error}", self.name)),
            _ => Ok(()),
        }
    }
}

/// Returns whether a path names something other than a regular file.
fn is_stream_path(path: &Path) -> bool {
    path == Path::new(STANDARD) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}
