//! Symbolic links.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use nix::unistd::geteuid;

/// The symbolic links that are followed when a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowLinks {
    /// All, as is usual.
    All,
    /// Only links that belong to the user and lead to a file of the user, or to no file yet. Any other link is replaced like a file. This
    /// is for files that are written without being asked for: in a shared directory, somebody else may have put a link there.
    OwnedOnly,
}

/// Follows symbolic links and returns the final path, even if no file exists there yet.
pub(super) fn resolve_links(path: &Path, links: FollowLinks) -> io::Result<PathBuf> {
    /// The largest number of links that are followed, as in Linux.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            Ok(_) if links == FollowLinks::OwnedOnly && !is_own(&target) => return Ok(path.to_owned()),
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) if links == FollowLinks::OwnedOnly && target != path && target.exists() && !is_own(&target) => {
                return Ok(path.to_owned());
            }
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns whether the file or symbolic link at the path belongs to the user.
fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.uid() == geteuid().as_raw())
}

/// Returns the path of a file with its links resolved. The file need not exist.
pub(super) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let target = resolve_links(path, FollowLinks::All).unwrap_or_else(|_| path.to_owned());
        let folder = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        target.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
    })
}
