//! Files for results that take long to compute: opened before the work begins, so that a wrong name costs none of it. Unix only.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use crate::atomic_file::{AtomicFile, FileId, WriteError};
use crate::{display_path, io_error_text};

/// The name that stands for standard output.
const STDOUT: &str = "-";

/// A file that is being written.
#[derive(Debug)]
pub struct ResultFile {
    name: String,
    target: Target,
    /// The bytes written so far.
    written: u64,
    failure: Option<io::Error>,
}

#[derive(Debug)]
enum Target {
    /// A regular file, which appears when it is complete.
    Regular(AtomicFile),
    /// Standard output, a pipe or a device.
    Stream(File),
}

/// Where results go: a file that exists, or the canonical path of one that does not.
#[derive(PartialEq, Eq)]
enum Destination {
    Existing(FileId),
    New(PathBuf),
}

impl ResultFile {
    /// Opens the files at these paths: first the streams, since opening a named pipe waits for its reader, then, after a call of
    /// `before_files`, the regular files. `-`, and any path of the pipe or device that is standard output, is standard output.
    ///
    /// # Errors
    /// When one cannot be written, two are the same, or one is the file to which standard output or standard error goes.
    pub fn open_all<const COUNT: usize>(
        paths: [Option<&Path>; COUNT],
        before_files: impl FnOnce(),
    ) -> Result<[Option<Self>; COUNT], String> {
        let mut destinations = Vec::new();
        let mut open = |path: &Path| {
            let file = Self::open(path).map_err(|error| format!("{}: {}", display_path(path), error))?;
            if let Some(destination) = file.destination() {
                if destinations.contains(&destination) {
                    return Err(format!("{}: two results cannot go to the same file", display_path(path)));
                }
                destinations.push(destination);
            }
            Ok(file)
        };
        let mut files = [const { None }; COUNT];
        let mut open_if = |is_stream: bool| {
            for (file, path) in files.iter_mut().zip(paths) {
                if let Some(path) = path.filter(|path| file.is_none() && is_stream_path(path) == is_stream) {
                    *file = Some(open(path)?);
                }
            }
            Ok::<_, String>(())
        };
        open_if(true)?;
        before_files();
        open_if(false)?;
        Ok(files)
    }

    /// Checks that no output is a file that is also read.
    ///
    /// # Errors
    /// When one is.
    pub fn refuse_inputs<'p>(
        inputs: impl IntoIterator<Item = &'p Path>,
        outputs: &[Option<&Path>],
    ) -> Result<(), String> {
        let inputs: Vec<_> = inputs.into_iter().filter_map(|path| fs::metadata(path).ok()).collect();
        for path in outputs.iter().flatten() {
            let is_input = |input: &Metadata| input.is_file() && crate::atomic_file::is_same_file(path, input);
            if inputs.iter().any(is_input) {
                return Err(format!("{}: this is what is read; it is not overwritten", display_path(path)));
            }
        }
        Ok(())
    }

    fn open(path: &Path) -> Result<Self, String> {
        let stdout = || {
            let stdout = io::stdout().as_fd().try_clone_to_owned().map_err(|error| io_error_text(&error))?;
            Ok::<_, String>(Self::new("standard output".to_owned(), Target::Stream(File::from(stdout))))
        };
        if path == Path::new(STDOUT) {
            return stdout();
        }
        let target = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                if goes_to(stdout_metadata(), &metadata) {
                    return stdout();
                }
                OpenOptions::new().write(true).open(path).map(Target::Stream)
            }
            Ok(metadata) if goes_to(stdout_metadata(), &metadata) => {
                return Err("standard output goes there already; for the results alone, use -".to_owned());
            }
            Ok(metadata) if goes_to(stderr_metadata(), &metadata) => {
                return Err("standard error goes there already".to_owned());
            }
            _ => AtomicFile::create(path).map(Target::Regular),
        };
        target.map(|target| Self::new(display_path(path), target)).map_err(|error| WriteError::from(error).to_string())
    }

    fn new(name: String, target: Target) -> Self {
        Self { name, target, written: 0, failure: None }
    }

    /// Its name, escaped.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether this is standard output.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        let Target::Stream(stream) = &self.target else { return false };
        stream.metadata().is_ok_and(|metadata| goes_to(stdout_metadata(), &metadata))
    }

    /// Where it goes; `None` for devices.
    fn destination(&self) -> Option<Destination> {
        match &self.target {
            Target::Stream(stream) => destination_of(&stream.metadata().ok()?),
            Target::Regular(file) => {
                if let Ok(metadata) = fs::metadata(file.path()) {
                    return destination_of(&metadata);
                }
                Some(Destination::New(fs::canonicalize(file.folder()).ok()?.join(file.path().file_name()?)))
            }
        }
    }

    /// The temporary file that is left if the process exits before [`ResultFile::finish`].
    #[must_use]
    pub fn temporary_path(&self) -> Option<PathBuf> {
        match &self.target {
            Target::Regular(file) => Some(file.temporary_path().to_owned()),
            Target::Stream(_) => None,
        }
    }

    /// Appends text. After a failure, nothing more is written.
    pub fn write(&mut self, text: &str) {
        if self.failure.is_some() {
            return;
        }
        let written = match &mut self.target {
            Target::Regular(file) => file.write_all(text.as_bytes()),
            Target::Stream(stream) => stream.write_all(text.as_bytes()),
        };
        match written {
            Ok(()) => self.written += text.len() as u64,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Whether the reader of a pipe has closed it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.failure.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Completes the file. A regular file that could not be written completely has all texts before the one that failed.
    ///
    /// # Errors
    /// A message, when something was not written. A closed pipe is not an error.
    pub fn finish(self) -> Result<(), String> {
        let is_closed = self.is_closed();
        let committed = match self.target {
            Target::Regular(file) => {
                if self.failure.is_some() {
                    // The text that failed may have been written in part.
                    let _ = file.as_file().set_len(self.written);
                }
                // A file that is there stays, rather than to be replaced by an empty one.
                if self.failure.is_some() && self.written == 0 { Ok(()) } else { file.commit() }
            }
            Target::Stream(_) => Ok(()),
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

/// The destination of a stream or file with this metadata; `None` for devices such as `/dev/null`, which can be written to twice.
fn destination_of(metadata: &Metadata) -> Option<Destination> {
    (!metadata.file_type().is_char_device()).then(|| Destination::Existing(FileId::of(metadata)))
}

/// Whether a path names something else than a regular file.
fn is_stream_path(path: &Path) -> bool {
    path == Path::new(STDOUT) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// Whether a standard stream goes to the file with this metadata.
fn goes_to(stream: Option<Metadata>, file: &Metadata) -> bool {
    stream.is_some_and(|stream| FileId::of(&stream) == FileId::of(file))
}

fn stdout_metadata() -> Option<Metadata> {
    metadata_of(&io::stdout())
}

fn stderr_metadata() -> Option<Metadata> {
    metadata_of(&io::stderr())
}

fn metadata_of(stream: &impl AsFd) -> Option<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}
