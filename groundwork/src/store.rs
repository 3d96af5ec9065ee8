//! Files, read whole and written whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use crate::reason;

/// The largest file that is read, in bytes; every saved game and layout is much smaller.
pub const LARGEST: u64 = 1 << 20;

/// Why a file was not written as it should be.
#[derive(Debug, Error)]
pub enum Unwritten {
    /// Nothing was written. What stood in the file is still there.
    #[error("not saved: {}", reason(.0))]
    Untouched(#[from] io::Error),
    /// The file is written, but its folder may not be on the disk yet.
    #[error("saved, but a loss of power now could undo it: {}", reason(.0))]
    Unsettled(io::Error),
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read, or is larger than [`LARGEST`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("more than {LARGEST} bytes, which is too large")));
    }
    Ok(content)
}

/// Writes a file whole, or leaves what stood in it untouched: the content goes into a new file beside it, which takes
/// its place once all of it is on the disk. The permissions of a file that is there already are kept, its owner and its
/// group if the system allows that; a symbolic link is followed.
///
/// ```
/// use groundwork::store;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("game.sv");
/// store::write(&path, b"first").unwrap();
/// store::write(&path, b"second").unwrap();
/// assert_eq!(store::read(&path).unwrap(), b"second");
/// assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing else is left");
/// ```
///
/// # Errors
/// When it cannot be written, or is something else than a file.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Unwritten> {
    let mut file = NewFile::create(path)?;
    file.write_all(content)?;
    file.finish()
}

/// Writes a file as [`write()`] does, but does not wait for the disk: whoever reads it finds the old content or the new, and a
/// program that is killed leaves one of them, but a loss of power can lose both.
///
/// # Errors
/// When it cannot be written, or is something else than a file. What stood in it is then still there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content)?;
    file.take_its_place().map(drop)
}

/// A file in the making, which takes its place when it is [finished](NewFile::finish) and leaves nothing behind when it is
/// dropped before.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    folder: PathBuf,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file that is to be at the path.
    ///
    /// # Errors
    /// When there cannot be a file, or something else than a file is there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = followed(path)?;
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let folder = folder.to_owned();
        let temporary = new_beside(&folder)?;
        if let Some(existing) = existing(&path)? {
            // Only the superuser can give a file to another owner, and to a group who is in it. Whoever else may save here
            // should still save.
            let _ = fchown(temporary.as_file(), Some(existing.uid()), Some(existing.gid()))
                .or_else(|_| fchown(temporary.as_file(), None, Some(existing.gid())));
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self { temporary, folder, path })
    }

    /// Puts the file in its place, once all of it is on the disk.
    ///
    /// # Errors
    /// When that cannot be done. What stood there before is then untouched, if the error does not say otherwise.
    pub fn finish(self) -> Result<(), Unwritten> {
        self.temporary.as_file().sync_all()?;
        let folder = self.take_its_place()?;
        match File::open(folder) {
            // Files can be made in a folder that cannot be read; the system then writes it to the disk in its own time.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            opened => opened.and_then(|folder| folder.sync_all()).map_err(Unwritten::Unsettled),
        }
    }

    /// Puts it in its place as far as it is, and says in which folder that is.
    fn take_its_place(self) -> io::Result<PathBuf> {
        self.temporary.persist(&self.path).map_err(|failure| failure.error)?;
        Ok(self.folder)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// A new file, with the permissions that new files have.
fn new_beside(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".unfinished-").permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// What is known of the file, if it is there and could be written in place.
fn existing(path: &Path) -> io::Result<Option<fs::Metadata>> {
    let known = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        known => known?,
    };
    if known.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !known.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    OpenOptions::new().write(true).open(path)?;
    Ok(Some(known))
}

/// The path behind symbolic links, which may point to a file that is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..=MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
