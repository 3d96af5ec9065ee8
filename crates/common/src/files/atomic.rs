//! Files that are written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use super::ledger::{Conflict, Files, MAX_FILE_SIZE, Role, read_limited};
use super::links::{FollowLinks, resolve_links};
use crate::{display_path, io_error_text};

/// The reason why a file was not written completely.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file is unchanged.
    #[error("not saved: {}", io_error_text(.0))]
    NotWritten(#[from] io::Error),
    /// The new content is in place, but its directory entry may not be on the disk yet.
    #[error("saved, but a loss of power now could undo it: {}", io_error_text(.0))]
    NotSynced(io::Error),
}

impl Files {
    /// Replaces a file's content atomically.
    ///
    /// ```
    /// use constructor_common::files::{Files, MAX_FILE_SIZE};
    /// let (files, folder) = (Files::default(), tempfile::tempdir().unwrap());
    /// let path = folder.path().join("game.sv");
    /// files.save(&path, b"first").unwrap();
    /// files.save(&path, b"second").unwrap();
    /// assert_eq!(files.input(&path, MAX_FILE_SIZE).unwrap(), b"second");
    /// assert_eq!(folder.path().read_dir().unwrap().count(), 1, "no temporary file is left");
    /// assert!(files.save(&path, b"third").unwrap_err().ends_with("it is read; it is not overwritten"));
    /// ```
    ///
    /// # Errors
    /// When it cannot be written, or is used already.
    pub fn save(&self, path: &Path, content: &[u8]) -> Result<(), String> {
        let name = display_path(path);
        let refused = |conflict| match conflict {
            Conflict::Standard("standard output") => format!("{name}: not saved: this is where the output goes"),
            conflict => format!("{name}: not saved: {conflict}"),
        };
        // A path that is not a regular file is refused for that reason, when it is written.
        let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let claim = if is_special { Ok(None) } else { self.claim(path, Role::Replaced).map(Some) };
        let _claim = claim.map_err(refused)?;
        write(self, path, content, FollowLinks::All).map_err(|error| format!("{name}: {error}"))
    }

    /// Replaces a file's content like [`Files::save`], without waiting for the disk.
    ///
    /// A loss of power can lose the old content and the new.
    ///
    /// # Errors
    /// When it cannot be written, or is used already. The old content is then still there.
    pub fn save_without_sync(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let _claim = self.claim(path, Role::Replaced).map_err(io::Error::other)?;
        write_no_sync(self, path, content)
    }
}

/// Replaces a file's content atomically: writes a temporary file in the same directory, syncs it and renames it over the old one.
///
/// Keeps the permissions of an existing file, and its owner and group as far as the system allows. If the directory does not allow a
/// replacement but the file itself is writable, overwrites it in place. If the process is killed while it overwrites the file, only a part
/// of the new content may be left.
pub(super) fn write(files: &Files, path: &Path, content: &[u8], links: FollowLinks) -> Result<(), WriteError> {
    replace_or_overwrite(files, path, content, links, AtomicFile::commit)
}

/// Writes like [`write()`], without waiting for the disk.
pub(super) fn write_no_sync(files: &Files, path: &Path, content: &[u8]) -> io::Result<()> {
    let rename = |file: AtomicFile| Ok(file.rename_into_place().map(drop)?);
    replace_or_overwrite(files, path, content, FollowLinks::All, rename)
        .map_err(|(WriteError::NotWritten(error) | WriteError::NotSynced(error))| error)
}

fn replace_or_overwrite(
    files: &Files,
    path: &Path,
    content: &[u8],
    links: FollowLinks,
    finish: impl FnOnce(AtomicFile) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let target = Destination::of(path, links)?;
    let replaced = target.create(files).map_err(WriteError::from).and_then(|mut file| {
        file.write_all(content)?;
        finish(file)
    });
    match replaced {
        Err(WriteError::NotWritten(error)) if target.existing.is_some() && is_refused_by_directory(&error) => {
            // The error of the replacement is more helpful to the user than the error of the overwriting.
            overwrite(&target.path, content).map_err(|_| WriteError::NotWritten(error))
        }
        replaced => replaced,
    }
}

/// A file that appears at its path when it is [committed](AtomicFile::commit). If it is dropped before that, no file is left behind.
#[derive(Debug)]
pub struct AtomicFile {
    temporary: Listed,
    folder: PathBuf,
    path: PathBuf,
}

/// A temporary file that the ledger lists, so that it is removed when the process exits in the midst of its work.
#[derive(Debug)]
struct Listed {
    files: Files,
    /// The file, until it is renamed.
    file: Option<NamedTempFile>,
}

impl Listed {
    fn create(files: &Files, folder: &Path) -> io::Result<Self> {
        // The ledger is locked meanwhile, so that no exit misses the file.
        let mut ledger = files.lock();
        let file = temp_file_in(folder)?;
        ledger.temporary.push(file.path().to_owned());
        drop(ledger);
        Ok(Self { files: files.clone(), file: Some(file) })
    }

    fn file(&self) -> io::Result<&File> {
        self.file.as_ref().map(NamedTempFile::as_file).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Renames the file, while no exit can take place.
    fn rename(mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let mut ledger = self.files.lock();
        ledger.temporary.retain(|other| other != file.path());
        file.persist(path).map(drop).map_err(|failure| failure.error)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut ledger = self.files.lock();
            ledger.temporary.retain(|other| other != file.path());
            drop(file);
        }
    }
}

impl AtomicFile {
    /// Creates the temporary file for a path.
    ///
    /// # Errors
    /// When no file can be created in its directory, or the path exists and is not a writable regular file.
    pub fn create(files: &Files, path: &Path, links: FollowLinks) -> io::Result<Self> {
        Destination::of(path, links)?.create(files)
    }

    /// Shortens the file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn cut(&self, length: u64) -> io::Result<()> {
        self.temporary.file()?.set_len(length)
    }

    /// Syncs the content and renames the file into place.
    ///
    /// # Errors
    /// [`WriteError::NotWritten`] leaves what was at the path untouched.
    pub fn commit(self) -> Result<(), WriteError> {
        self.temporary.file()?.sync_all()?;
        let folder = self.rename_into_place()?;
        match File::open(folder) {
            // A directory can be writable without being readable. Then the system syncs it in its own time.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            opened => opened.and_then(|folder| folder.sync_all()).map_err(WriteError::NotSynced),
        }
    }

    /// Renames the file into place and returns its directory.
    fn rename_into_place(self) -> io::Result<PathBuf> {
        self.temporary.rename(&self.path)?;
        Ok(self.folder)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a file is to be written.
struct Destination {
    path: PathBuf,
    /// The metadata of the existing file, if there is one. It is regular and writable.
    existing: Option<fs::Metadata>,
}

impl Destination {
    fn of(path: &Path, links: FollowLinks) -> io::Result<Self> {
        // The links of `/dev/stdout` and the like cannot be resolved by name.
        if links == FollowLinks::All
            && let Ok(metadata) = fs::metadata(path)
        {
            check_is_file(&metadata)?;
        }
        let path = resolve_links(path, links)?;
        let existing = writable_metadata(&path)?;
        Ok(Self { path, existing })
    }

    /// Creates the temporary file.
    fn create(&self, files: &Files) -> io::Result<AtomicFile> {
        let folder = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let temporary = Listed::create(files, folder).map_err(|error| match error.kind() {
            // As in /proc.
            io::ErrorKind::NotFound if self.existing.is_some() => io::Error::other("no file can be created beside it"),
            _ => error,
        })?;
        if let Some(existing) = &self.existing {
            // Only the superuser can change the owner, and only a member of the group can set it. A failure does not prevent saving.
            let file = temporary.file()?;
            let _ = fchown(file, Some(existing.uid()), Some(existing.gid()))
                .or_else(|_| fchown(file, None, Some(existing.gid())));
            file.set_permissions(existing.permissions())?;
        }
        Ok(AtomicFile { temporary, folder: folder.to_owned(), path: self.path.clone() })
    }
}

/// Creates a temporary file with the default permissions of new files.
fn temp_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".unfinished-").permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// Returns the metadata of the file at the path, which must be a regular file that could be written in place; `None` if there is none, or a
/// symbolic link that is to be replaced.
fn writable_metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if metadata.is_symlink() {
        return Ok(None);
    }
    check_is_file(&metadata)?;
    OpenOptions::new().write(true).open(path)?;
    Ok(Some(metadata))
}

fn check_is_file(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other("not a regular file")) }
}

/// Returns whether a file could not be replaced because its directory does not allow new files or another file in its place: the directory
/// is read-only or sticky, or the file is a mount point.
fn is_refused_by_directory(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// Overwrites a file in place.
///
/// If that fails, restores the old content as far as possible.
fn overwrite(path: &Path, content: &[u8]) -> io::Result<()> {
    let old = File::open(path).and_then(|file| read_limited(file, MAX_FILE_SIZE));
    let file = OpenOptions::new().write(true).custom_flags(OFlag::O_NOFOLLOW.bits()).open(path)?;
    let replace_with = |content: &[u8]| {
        file.write_all_at(content, 0)?;
        file.set_len(content.len() as u64)?;
        file.sync_all()
    };
    replace_with(content).inspect_err(|_| {
        if let Ok(old) = old {
            let _ = replace_with(&old);
        }
    })
}
