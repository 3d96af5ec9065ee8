//! Files read whole and written atomically. Unix only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::unistd::geteuid;
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

/// The symbolic links that are followed when a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowLinks {
    /// All, as is usual.
    All,
    /// Only the user's own, to files of the user or to none yet. Another link is replaced like a file. For files that are written
    /// without being asked for: in a shared directory, somebody else may have put a link there.
    Own,
}

/// Replaces a file's content atomically: writes a temporary file in the same directory, syncs it and renames it over the old
/// one. Keeps the permissions of an existing file, and its owner and group as far as the system allows. Follows symbolic
/// links. Where the directory does not allow that but the file itself is writable, overwrites it in place: then being killed can
/// leave a part of the new content.
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
    write_following(path, content, FollowLinks::All)
}

/// Like [`write()`], following these links.
///
/// # Errors
/// When it cannot be written, or the path is not a regular file.
pub fn write_following(path: &Path, content: &[u8], links: FollowLinks) -> Result<(), WriteError> {
    replace_or_overwrite(path, content, links, AtomicFile::commit)
}

/// Like [`write()`], without waiting for the disk. Readers and a killed writer see either the old or the new content; a loss
/// of power can lose both.
///
/// # Errors
/// When it cannot be written, or the path is not a regular file. The old content is then still there.
pub fn write_no_sync(path: &Path, content: &[u8]) -> io::Result<()> {
    let rename = |file: AtomicFile| Ok(file.rename_into_place().map(drop)?);
    replace_or_overwrite(path, content, FollowLinks::All, rename)
        .map_err(|(WriteError::NotWritten(error) | WriteError::NotSynced(error))| error)
}

fn replace_or_overwrite(
    path: &Path,
    content: &[u8],
    links: FollowLinks,
    finish: impl FnOnce(AtomicFile) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let target = Target::of(path, links)?;
    let replaced = target.create().map_err(WriteError::from).and_then(|mut file| {
        file.write_all(content)?;
        finish(file)
    });
    match replaced {
        Err(WriteError::NotWritten(error)) if target.existing.is_some() && is_refused_by_directory(&error) => {
            // The reason why the file cannot be replaced says more than why it cannot be overwritten.
            overwrite(&target.path, content).map_err(|_| WriteError::NotWritten(error))
        }
        replaced => replaced,
    }
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
        Self::create_following(path, FollowLinks::All)
    }

    /// Like [`AtomicFile::create`], following these links.
    ///
    /// # Errors
    /// As for [`AtomicFile::create`].
    pub fn create_following(path: &Path, links: FollowLinks) -> io::Result<Self> {
        Target::of(path, links)?.create()
    }

    /// The temporary file.
    #[must_use]
    pub fn as_file(&self) -> &File {
        self.temporary.as_file()
    }

    /// The path at which the file will appear, with symbolic links resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory of that path.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the temporary file, which is left if the process exits now.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
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

/// What identifies an existing file: its device and its inode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileId(u64, u64);

impl FileId {
    /// The file with this metadata.
    #[must_use]
    pub fn of(metadata: &fs::Metadata) -> Self {
        Self(metadata.dev(), metadata.ino())
    }
}

/// Whether the path names the regular file that `metadata` describes.
#[must_use]
pub fn is_same_file(path: &Path, metadata: &fs::Metadata) -> bool {
    metadata.is_file() && fs::metadata(path).is_ok_and(|other| FileId::of(&other) == FileId::of(metadata))
}

/// Where a file is to be written.
struct Target {
    path: PathBuf,
    /// The file that is there, which is regular and writable.
    existing: Option<fs::Metadata>,
}

impl Target {
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
    fn create(&self) -> io::Result<AtomicFile> {
        let folder = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let temporary = temp_file_in(folder).map_err(|error| match error.kind() {
            // As in /proc.
            io::ErrorKind::NotFound if self.existing.is_some() => io::Error::other("no file can be created beside it"),
            _ => error,
        })?;
        if let Some(existing) = &self.existing {
            // Only the superuser can change the owner, and only a member of the group can set it. Failing to is no reason not
            // to save.
            let _ = fchown(temporary.as_file(), Some(existing.uid()), Some(existing.gid()))
                .or_else(|_| fchown(temporary.as_file(), None, Some(existing.gid())));
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(AtomicFile { temporary, folder: folder.to_owned(), path: self.path.clone() })
    }
}

/// A temporary file with the default permissions of new files.
fn temp_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".unfinished-").permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// The metadata of the file at the path, which must be a regular file that could be written in place; `None` if there is none,
/// or a symbolic link that is to be replaced.
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

/// Whether a file could not be replaced since its directory does not allow new files, or no other file in its place: it is
/// read-only, sticky, or the file is a mount point.
fn is_refused_by_directory(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// Overwrites a file in place. If that fails, restores the old content as far as possible.
fn overwrite(path: &Path, content: &[u8]) -> io::Result<()> {
    let old = read(path);
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

/// Follows symbolic links, also to a file that does not exist yet.
fn resolve_links(path: &Path, links: FollowLinks) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            Ok(_) if links == FollowLinks::Own && !is_own(&target) => return Ok(path.to_owned()),
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) if links == FollowLinks::Own && target != path && target.exists() && !is_own(&target) => {
                return Ok(path.to_owned());
            }
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether the file or symbolic link at the path belongs to the user.
fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.uid() == geteuid().as_raw())
}
