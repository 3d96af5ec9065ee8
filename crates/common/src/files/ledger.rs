//! The ledger of the files that a process uses, with the role of each file.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use super::links::resolved;
use crate::{display_path, io_error_text};

/// The maximum size of a file that is read as a whole, in bytes, unless another limit is given. Saved games, layouts and boards are much
/// smaller.
pub const MAX_FILE_SIZE: u64 = 1 << 20;

/// The path that stands for standard input or standard output.
pub const STANDARD: &str = "-";

/// A use of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is read.
    Input,
    /// It is written whole, and replaces what is there.
    Replaced,
    /// It grows.
    Appended,
    /// It is a pipe or another stream that is written to.
    Stream,
    /// It is a folder that files are put into.
    Folder,
    /// A game that ends early is saved there.
    Backup,
    /// It is standard output or standard error.
    Standard,
}

impl Role {
    /// Returns whether one file can be used in both ways at once.
    const fn goes_with(self, other: Self) -> bool {
        use Role::{Backup, Input, Replaced, Standard, Stream};
        matches!(
            (self, other),
            (Input | Standard, Input | Backup | Stream | Standard)
                | (Backup, Input | Stream | Standard | Replaced)
                | (Replaced, Backup)
                | (Stream, Input | Backup | Standard)
        )
    }

    const fn done_to_it(self) -> &'static str {
        match self {
            Self::Input => "read; it is not overwritten",
            Self::Replaced => "being written",
            Self::Appended => "being added to",
            Self::Stream | Self::Standard => "being written to",
            Self::Folder => "being filled",
            Self::Backup => "where the game is saved when it ends early",
        }
    }
}

/// The reason why a file cannot be used for something: it is in use for something else.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Conflict {
    /// It is standard output or standard error.
    #[error("{0} goes there already")]
    Standard(&'static str),
    /// It is used under this name, in this way.
    #[error("this is {}, which is {}", .0, .1.done_to_it())]
    Used(String, Role),
    /// It is used under the same name, in this way.
    #[error("it is {}", .0.done_to_it())]
    Same(Role),
}

/// The identity of an existing file: its device and its inode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId(u64, u64);

impl FileId {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self(metadata.dev(), metadata.ino())
    }

    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }
}

/// A use of a file.
#[derive(Debug)]
struct Claim {
    number: u64,
    role: Role,
    name: String,
    /// The path with its links resolved.
    path: PathBuf,
    /// The identity of the file when it was claimed, if it existed.
    id: Option<FileId>,
}

#[derive(Debug, Default)]
pub(super) struct Ledger {
    claims: Vec<Claim>,
    next_number: u64,
    /// The paths of the temporary files, which would be left behind if the process exited now.
    pub(super) temporary: Vec<PathBuf>,
}

/// The files that the process uses. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Files(Arc<Mutex<Ledger>>);

/// A use of a file, which ends when this is dropped.
#[derive(Debug)]
pub struct Claimed {
    files: Files,
    number: u64,
}

impl Drop for Claimed {
    fn drop(&mut self) {
        self.files.lock().claims.retain(|claim| claim.number != self.number);
    }
}

impl Claimed {
    /// Lets the use last as long as the process.
    pub(super) fn forever(self) {
        std::mem::forget(self);
    }
}

impl Files {
    pub(super) fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims the file of standard output.
    pub fn claim_stdout(&self) {
        self.claim_standard(&io::stdout(), "standard output");
    }

    /// Claims the file of standard error.
    pub fn claim_stderr(&self) {
        self.claim_standard(&io::stderr(), "standard error");
    }

    fn claim_standard(&self, stream: &impl AsFd, name: &'static str) {
        let metadata = stream.as_fd().try_clone_to_owned().and_then(|stream| File::from(stream).metadata());
        if let Ok(metadata) = metadata.as_ref().map(FileId::of) {
            let mut ledger = self.lock();
            let number = ledger.next_number;
            ledger.next_number += 1;
            let (name, path) = (name.to_owned(), PathBuf::new());
            ledger.claims.push(Claim { number, role: Role::Standard, name, path, id: Some(metadata) });
        }
    }

    /// Claims a file for a use.
    ///
    /// # Errors
    /// When it is used already in a way that conflicts with this use.
    pub fn claim(&self, path: &Path, role: Role) -> Result<Claimed, Conflict> {
        let (name, resolved, id) = (display_path(path), resolved(path), FileId::at(path));
        let mut ledger = self.lock();
        let is_same = |claim: &&Claim| {
            let same_id = id.is_some() && (claim.id == id || FileId::at(&claim.path) == id);
            same_id || claim.role != Role::Standard && claim.path == resolved
        };
        if let Some(other) = ledger.claims.iter().filter(is_same).find(|other| !role.goes_with(other.role)) {
            return Err(match other.role {
                Role::Standard if other.name == "standard output" => Conflict::Standard("standard output"),
                Role::Standard => Conflict::Standard("standard error"),
                role if other.name == name => Conflict::Same(role),
                role => Conflict::Used(other.name.clone(), role),
            });
        }
        let number = ledger.next_number;
        ledger.next_number += 1;
        ledger.claims.push(Claim { number, role, name, path: resolved, id });
        drop(ledger);
        Ok(Claimed { files: self.clone(), number })
    }

    pub(super) fn claim_named(&self, path: &Path, role: Role) -> Result<Claimed, String> {
        self.claim(path, role).map_err(|conflict| format!("{}: {conflict}", display_path(path)))
    }

    /// Ends the use of a file as an input.
    ///
    /// A file that is read for the whole run of a command is not released: it stays an input until the end.
    pub fn release_input(&self, path: &Path) {
        let id = FileId::at(path);
        self.lock().claims.retain(|claim| claim.role != Role::Input || claim.id != id);
    }

    /// Reads a file of at most `max` bytes.
    ///
    /// # Errors
    /// When it cannot be read, is larger, or is written to by this process.
    pub fn read(&self, path: &Path, max: u64) -> io::Result<Vec<u8>> {
        let claim = self.claim(path, Role::Input).map_err(io::Error::other)?;
        let content = read_limited(File::open(path)?, max)?;
        claim.forever();
        Ok(content)
    }

    /// Reads a file of at most `max` bytes.
    ///
    /// # Errors
    /// The error of [`Files::read`], with the file's name.
    pub fn input(&self, path: &Path, max: u64) -> Result<Vec<u8>, String> {
        self.read(path, max).map_err(|error| format!("{}: {}", display_path(path), io_error_text(&error)))
    }

    /// Removes the temporary files, for an exit in the middle of the work.
    ///
    /// After that, no file is created or put into place.
    pub fn abandon(&self) {
        let ledger = self.lock();
        for path in &ledger.temporary {
            let _ = fs::remove_file(path);
        }
        // The ledger stays locked, which stops all other work on files.
        std::mem::forget(ledger);
    }
}

/// Returns whether two paths name the same existing file.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    FileId::at(one).is_some_and(|id| FileId::at(other) == Some(id))
}

/// Returns the first free file name: for `game.sv`, the first of `game.sv`, `game-2.sv`, ... that does not exist.
#[must_use]
pub fn free_name(name: &str) -> String {
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let numbered = (2_u32..).map(|number| format!("{stem}-{number}.{end}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_default()
}

/// Reads a file of at most `max` bytes without a claim. Use it for files that no command names, such as a file that a program keeps in its
/// own directory.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn read_unclaimed(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_limited(File::open(path)?, max)
}

/// Reads at most `max` bytes.
pub(super) fn read_limited(input: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    input.take(max + 1).read_to_end(&mut content)?;
    if content.len() as u64 > max {
        return Err(io::Error::other(format!("more than {max} bytes, which is too large")));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_find_the_same_file_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "x").unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        std::os::unix::fs::symlink("a", at("soft")).unwrap();
        std::os::unix::fs::symlink("new", at("to-new")).unwrap();
        let files = Files::default();
        let read = files.claim(&at("a"), Role::Input).unwrap();
        for name in ["a", "hard", "soft", "./a"] {
            assert!(files.claim(&at(name), Role::Replaced).is_err(), "{name}");
            drop(files.claim(&at(name), Role::Input).unwrap());
        }
        drop(read);
        let written = files.claim(&at("new"), Role::Appended).unwrap();
        assert!(files.claim(&at("to-new"), Role::Input).is_err());
        fs::write(at("new"), "x").unwrap();
        fs::hard_link(at("new"), at("hard-new")).unwrap();
        assert!(files.claim(&at("hard-new"), Role::Replaced).is_err(), "created since it was claimed");
        drop(written);
        drop(files.claim(&at("to-new"), Role::Replaced).unwrap());
    }

    #[test]
    fn uses_go_together_in_both_orders() {
        let all =
            [Role::Input, Role::Replaced, Role::Appended, Role::Stream, Role::Folder, Role::Backup, Role::Standard];
        for (one, other) in all.into_iter().flat_map(|one| all.map(|other| (one, other))) {
            assert_eq!(one.goes_with(other), other.goes_with(one), "{one:?} {other:?}");
        }
    }
}
