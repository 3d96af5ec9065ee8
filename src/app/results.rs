//! The files for the results of a simulation. They are opened before the first game, so that a wrong name costs no games.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use constructor_common::atomic_file::{AtomicFile, WriteError};
use constructor_common::{display_path, io_error_text};

/// The name that stands for standard output.
const STDOUT: &str = "-";

/// A file that is being written.
#[derive(Debug)]
pub(super) struct ResultFile {
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

/// What identifies a file, whether it exists or not.
#[derive(PartialEq, Eq)]
enum FileId {
    /// Device and inode.
    Existing(u64, u64),
    /// The canonical path.
    New(PathBuf),
}

impl ResultFile {
    /// Opens the files at these paths, in their order. `-`, and any path of the pipe or device that is standard output, is standard
    /// output.
    ///
    /// # Errors
    /// When one cannot be written, two are the same, or one is the file to which standard output or standard error goes.
    pub fn open_all<const COUNT: usize>(paths: [Option<&Path>; COUNT]) -> Result<[Option<Self>; COUNT], String> {
        let mut ids = Vec::new();
        let mut open = |path: &Path| {
            let file = Self::open(path).map_err(|error| format!("{}: {}", display_path(path), error))?;
            let id =
                if file.is_stdout() { stdout_metadata().map(|metadata| existing_id(&metadata)) } else { id_of(path) };
            if let Some(id) = id {
                if ids.contains(&id) {
                    return Err(format!("{}: two results cannot go to the same file", display_path(path)));
                }
                ids.push(id);
            }
            Ok(file)
        };
        let mut files = [const { None }; COUNT];
        for (file, path) in files.iter_mut().zip(paths) {
            *file = path.map(&mut open).transpose()?;
        }
        Ok(files)
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
                if stdout_metadata().is_some_and(|other| existing_id(&other) == existing_id(&metadata)) {
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

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        let Target::Stream(stream) = &self.target else { return false };
        stream
            .metadata()
            .ok()
            .zip(stdout_metadata())
            .is_some_and(|(one, other)| existing_id(&one) == existing_id(&other))
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

    /// Whether nobody reads what is written.
    pub fn is_closed(&self) -> bool {
        self.failure.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Completes the file. A regular file that could not be written completely has all texts before the one that failed.
    ///
    /// # Errors
    /// A message, when something was not written. That nobody reads it is not an error.
    pub fn finish(self) -> Result<(), String> {
        let is_closed = self.is_closed();
        let committed = match self.target {
            Target::Regular(file) => {
                if self.failure.is_some() {
                    // The text that failed may have been written in part.
                    let _ = file.as_file().set_len(self.written);
                }
                file.commit()
            }
            Target::Stream(_) => Ok(()),
        };
        match (self.failure, committed) {
            (Some(failure), Ok(())) if !is_closed => {
                let (name, written, reason) = (self.name, self.written, io_error_text(&failure));
                Err(format!("{name}: only the first {written} bytes are written: {reason}"))
            }
            (_, Err(error)) => Err(format!("{}: {error}", self.name)),
            _ => Ok(()),
        }
    }
}

fn existing_id(metadata: &Metadata) -> FileId {
    FileId::Existing(metadata.dev(), metadata.ino())
}

/// What identifies the file at a path; `None` for devices such as `/dev/null`, which can be written to twice.
fn id_of(path: &Path) -> Option<FileId> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.file_type().is_char_device() => None,
        Ok(metadata) => Some(existing_id(&metadata)),
        Err(_) => {
            let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            Some(FileId::New(fs::canonicalize(parent).ok()?.join(path.file_name()?)))
        }
    }
}

fn goes_to(stream: Option<Metadata>, file: &Metadata) -> bool {
    stream.is_some_and(|stream| existing_id(&stream) == existing_id(file))
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
