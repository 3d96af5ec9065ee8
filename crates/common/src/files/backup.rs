//! The backup of a game that ends before its players end it, and the earlier backups that are kept beside it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::atomic::{self, AtomicFile, WriteError};
use super::ledger::{Claimed, FileId, Files, MAX_FILE_SIZE, Role, read_limited};
use super::links::FollowLinks;
use crate::io_error_text;

/// The number of earlier backups that are kept.
const MAX_BACKUPS: u32 = 9;

/// A file `NAME.END` in the current directory. Earlier backups are kept as `NAME.1.END` to `NAME.9.END`; number 1 is the latest.
#[derive(Debug)]
pub struct Backup {
    files: Files,
    name: &'static str,
    /// Whether earlier backups are kept.
    keeps_earlier: bool,
    /// The file that the game was loaded from. A backup may replace it.
    loaded: Option<FileId>,
    _claim: Claimed,
}

/// The outcome of a backup.
#[derive(Debug)]
pub struct BackupReport {
    /// The messages about it, one line each.
    pub messages: Vec<String>,
    /// The file that it was written to, if any could be.
    pub file: Option<PathBuf>,
}

impl Files {
    /// Claims the backup of this name.
    ///
    /// # Errors
    /// When the file is used in a way that a backup would damage.
    pub fn backup(&self, name: &'static str, keeps_earlier: bool, loaded: Option<&Path>) -> Result<Backup, String> {
        let claim = self.claim_named(Path::new(name), Role::Backup)?;
        let loaded = loaded.and_then(FileId::at);
        Ok(Backup { files: self.clone(), name, keeps_earlier, loaded, _claim: claim })
    }
}

impl Backup {
    /// Writes the backup.
    ///
    /// If the file of the backup cannot be written, writes to one of the names of earlier backups instead.
    #[must_use]
    pub fn write(&self, content: &[u8]) -> BackupReport {
        let mut messages = Vec::new();
        // Another game that ends in this directory at the same moment waits, so that neither takes the other's place.
        let _lock = if self.keeps_earlier { lock_directory() } else { None };
        let earlier = if self.keeps_earlier { self.copy_earlier(content) } else { Ok(None) };
        let written = atomic::write(&self.files, Path::new(self.name), content, FollowLinks::OwnedOnly);
        let mut file = Some(PathBuf::from(self.name));
        if let Err(error) = &written {
            messages.push(format!("{}: {error}", self.name));
        }
        if let Err(WriteError::NotWritten(_)) = written {
            // The copy is deleted, since the disk space that it takes may be needed.
            drop(earlier);
            // A new file may be possible where the old one cannot be replaced, as in a directory shared by several users.
            file = self.write_beside(content).ok();
        } else {
            match earlier.and_then(|earlier| earlier.map(|copy| self.keep(copy)).transpose()) {
                Ok(None) => {}
                Ok(Some(())) => messages.push(format!("the game before it is now {}", self.kept(1).display())),
                Err(error) => {
                    messages.push(format!("{}: the earlier backup is not kept: {}", self.name, io_error_text(&error)));
                }
            }
        }
        BackupReport { messages, file }
    }

    /// Makes a copy of the existing backup under a temporary name. Returns `None` if the existing backup is the game that was loaded, is
    /// the same as the new one, or is not a regular file.
    fn copy_earlier(&self, new: &[u8]) -> io::Result<Option<AtomicFile>> {
        let name = Path::new(self.name);
        let is_loaded = self.loaded.is_some() && self.loaded == FileId::at(name);
        if is_loaded || !fs::symlink_metadata(name).is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        let earlier = read_limited(File::open(name)?, MAX_FILE_SIZE)?;
        if earlier == new {
            return Ok(None);
        }
        let mut copy = AtomicFile::create(&self.files, &self.kept(1), FollowLinks::OwnedOnly)?;
        copy.write_all(&earlier)?;
        Ok(Some(copy))
    }

    /// Puts the copy of the previous backup into place as the latest of the earlier backups.
    fn keep(&self, copy: AtomicFile) -> io::Result<()> {
        self.rotate()?;
        copy.commit().map_err(|error| io::Error::other(error.to_string()))
    }

    /// Saves under the first free name of an earlier backup. If no name is free, moves the earlier backups on by one and saves as the
    /// latest of them.
    ///
    /// Returns the name of the written file.
    fn write_beside(&self, content: &[u8]) -> io::Result<PathBuf> {
        let free = (1..=MAX_BACKUPS).map(|number| self.kept(number)).find(|name| !is_there(name));
        let name = free.clone().unwrap_or_else(|| self.kept(1));
        let mut file = AtomicFile::create(&self.files, &name, FollowLinks::OwnedOnly)?;
        file.write_all(content)?;
        if free.is_none() {
            self.rotate()?;
        }
        file.commit().map_err(|error| io::Error::other(error.to_string()))?;
        Ok(name)
    }

    /// Renames each kept backup to the next number, up to the first number that is free.
    ///
    /// If no number is free, the oldest backup is dropped.
    fn rotate(&self) -> io::Result<()> {
        let used: Vec<u32> = (1..MAX_BACKUPS).take_while(|&number| is_there(&self.kept(number))).collect();
        used.into_iter().rev().try_for_each(|number| fs::rename(self.kept(number), self.kept(number + 1)))
    }

    /// Returns the name of an earlier backup, 1 being the latest.
    fn kept(&self, number: u32) -> PathBuf {
        let (stem, end) = self.name.rsplit_once('.').unwrap_or((self.name, ""));
        format!("{stem}.{number}.{end}").into()
    }
}

/// Returns whether there is anything under this name, including a symbolic link to nothing.
fn is_there(name: &Path) -> bool {
    fs::symlink_metadata(name).is_ok()
}

/// Locks the current directory against other games, if that is possible within a second.
fn lock_directory() -> Option<File> {
    const ATTEMPTS: u32 = 200;
    let directory = File::open(".").ok()?;
    for _ in 0..ATTEMPTS {
        match directory.try_lock() {
            Ok(()) => return Some(directory),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}
