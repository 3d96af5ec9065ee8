//! Files read whole and written atomically. Unix only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use crate::io_error_text;

/// The largest file that [`read`] accepts, in bytes. Saved games, layouts and boards are much smaller.
pub const MAX_FILE_SIZE: u64 = 1 << 20;

/// Why a file was not written completely.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file is unchanged.
    #[error("not saved: {}", io_error_text(.0))]
    NotWritten(#[from] io::Error),
    /// The new content is in place, but its directory entry may not be on the disk yet.
    #[error("saved, but a loss of power now could undo it: {}", io_error_text(.0))]
    NotSynced(io::Error),
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read or is larger than [`MAX_FILE_SIZE`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::other(format!("more than {MAX_FILE_SIZE} bytes, which is too large")));
    }
    Ok(content)
}

/// Replaces a file's content atomically: writes a temporary file in the same directory, syncs it and renames it over the old
/// one. Keeps the permissions of an existing file, and its owner and group as far as the system allows. Follows symbolic
/// links.
///
/// ```
/// use constructor_common::atomic_file;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("game.sv");
/// atomic_file::write(&path, b"first").unwrap();
/// atomic_file::write(&path, b"second").unwrap();
/// assert_eq!(atomic_file::read(&path).unwrap(), b"second");
/// assert_eq!(folder.path().read_dir().unwrap().count(), 1, "no temporary file is left");
/// ```
///
/// # Errors
/// When it cannot be written, or the path is not a regular file.
pub fn write(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)?;
    file.commit()
}

/// Like [`write()`], without waiting for the disk. Readers and a killed writer see either the old or the new content; a loss
/// of power can lose both.
///
/// # Errors
/// When it cannot be written, or the path is not a regular file. The old content is then still there.
pub fn write_no_sync(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)?;
    file.rename_into_place().map(drop)
}

/// A file that appears at its path when it is [committed](AtomicFile::commit). Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct AtomicFile {
    temporary: NamedTempFile,
    folder: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file for a path.
    ///
    /// # Errors
    /// When no file can be created in its directory, or the path exists and is not a writable regular file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = resolve_links(path)?;
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let folder = folder.to_owned();
        let temporary = temp_file_in(&folder)?;
        if let Some(existing) = writable_metadata(&path)? {
            // Only the superuser can change the owner, and only a member of the group can set it. Failing to is no reason not
            // to save.
            let _ = fchown(temporary.as_file(), Some(existing.uid()), Some(existing.gid()))
                .or_else(|_| fchown(temporary.as_file(), None, Some(existing.gid())));
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self { temporary, folder, path })
    }

    /// Syncs the content and renames the file into place.
    ///
    /// # Errors
    /// [`WriteError::NotWritten`] leaves what was at the path untouched.
    pub fn commit(self) -> Result<(), WriteError> {
        self.temporary.as_file().sync_all()?;
        let folder = self.rename_into_place()?;
        match File::open(folder) {
            // A directory can be writable without being readable. Then the system syncs it in its own time.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            opened => opened.and_then(|folder| folder.sync_all()).map_err(WriteError::NotSynced),
        }
    }

    /// Renames the file into place and returns its directory.
    fn rename_into_place(self) -> io::Result<PathBuf> {
        self.temporary.persist(&self.path).map_err(|failure| failure.error)?;
        Ok(self.folder)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// Whether the path names the regular file that `metadata` describes.
#[must_use]
pub fn is_same_file(path: &Path, metadata: &fs::Metadata) -> bool {
    let id = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    metadata.is_file() && fs::metadata(path).is_ok_and(|other| id(&other) == id(metadata))
}

/// A temporary file with the default permissions of new files.
fn temp_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".unfinished-").permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// The metadata of the file at the path, which must be a regular file that could be written in place; `None` if there is none.
fn writable_metadata(path: &Path) -> io::Result<Option<fs::Metadata>> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    OpenOptions::new().write(true).open(path)?;
    Ok(Some(metadata))
}

/// Follows symbolic links, also to a file that does not exist yet.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
