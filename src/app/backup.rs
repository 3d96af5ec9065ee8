//! The backup of a game that ends before its players end it.

use std::fs::{self, File, TryLockError};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use constructor_common::atomic_file::{self, AtomicFile, FollowLinks, WriteError};
use constructor_common::io_error_text;

use super::cli::{Options, Start};
use crate::session::Pending;
use crate::text::Dialogue;

/// The file of the backup.
pub const BACKUP: &str = "backup.sv";

/// The number of earlier backups that are kept.
const MAX_KEPT: u32 = 9;

/// Where and how the backup is written.
#[derive(Debug)]
pub(super) struct Backup {
    /// The command that continues the game, for a person at a terminal.
    resume_command: Option<String>,
    /// The saved game that was loaded. A backup may replace it.
    loaded: Option<fs::Metadata>,
}

impl Backup {
    /// The backup of a game with these options.
    pub fn new(options: &Options) -> Self {
        let loaded = match &options.start {
            Start::Load(path) => fs::metadata(path).ok(),
            _ => None,
        };
        let resume_command = io::stdin().is_terminal().then(|| options.resume_command.clone());
        Self { resume_command, loaded }
    }

    /// Writes the backup. At a terminal, an earlier one that was not loaded is kept as `backup.1.sv`, and those before it move up
    /// to `backup.9.sv`. A script leaves no other file than the backup, or one of those names where the backup cannot be written.
    ///
    /// Returns what to tell the user, a line each: nothing, if the input is not a terminal and all went well.
    pub fn save(&self, dialogue: &Dialogue) -> Vec<String> {
        self.try_save(dialogue).0
    }

    /// Like [`Backup::save`]. Returns also whether nothing is lost.
    pub fn try_save(&self, dialogue: &Dialogue) -> (Vec<String>, bool) {
        let mut messages = Vec::new();
        let is_interactive = self.resume_command.is_some();
        let is_over = dialogue.session().pending() == Pending::GameOver;
        if is_interactive && is_over {
            // There is nothing to continue.
            return (messages, true);
        }
        let text = dialogue.saved_game();
        // Another game that ends in this directory at the same moment waits, so that neither takes the other's place.
        let _lock = if is_interactive { lock_directory() } else { None };
        let earlier = if is_interactive { self.copy_earlier(text.as_bytes()) } else { Ok(None) };
        let written = atomic_file::write_following(Path::new(BACKUP), text.as_bytes(), FollowLinks::Own);
        let mut file = Some(PathBuf::from(BACKUP));
        if let Err(error) = &written {
            messages.push(format!("{BACKUP}: {error}"));
        }
        if let Err(WriteError::NotWritten(_)) = written {
            // The space may be needed.
            drop(earlier);
            // A new file may be possible where the old one cannot be replaced, as in a directory shared by several users.
            file = save_beside(text.as_bytes()).ok();
        } else {
            match earlier.and_then(|earlier| earlier.map(keep).transpose()) {
                Ok(None) => {}
                Ok(Some(())) => messages.push(format!("the game before it is now {}", kept_name(1).display())),
                Err(error) => {
                    messages.push(format!("{BACKUP}: the earlier backup is not kept: {}", io_error_text(&error)));
                }
            }
        }
        let Some(file) = file else { return (messages, false) };
        let name = file.display();
        match &self.resume_command {
            Some(command) => {
                messages.push(format!("the game is saved in {name}; continue it with: {command} -load {name}"));
            }
            None if file != Path::new(BACKUP) => messages.push(format!("the game is saved in {name}")),
            None => {}
        }
        (messages, true)
    }

    /// A copy of the backup that is there, still under a temporary name; none of the game that was loaded, of one that is the same as
    /// the new one, or of what is no saved game.
    fn copy_earlier(&self, new: &[u8]) -> io::Result<Option<AtomicFile>> {
        let is_loaded = self.loaded.as_ref().is_some_and(|loaded| atomic_file::is_same_file(Path::new(BACKUP), loaded));
        let is_file = fs::symlink_metadata(BACKUP).is_ok_and(|metadata| metadata.is_file());
        if is_loaded || !is_file {
            return Ok(None);
        }
        let earlier = atomic_file::read(Path::new(BACKUP))?;
        if earlier == new {
            return Ok(None);
        }
        let mut copy = AtomicFile::create_following(&kept_name(1), FollowLinks::Own)?;
        copy.write_all(&earlier)?;
        Ok(Some(copy))
    }
}

/// Puts the copy of an earlier backup into place as the latest of those kept.
fn keep(copy: AtomicFile) -> io::Result<()> {
    move_up()?;
    copy.commit().map_err(|error| io::Error::other(error.to_string()))
}

/// Saves a game under the first name of kept backups that is free, or else as the latest of them. Returns the name.
fn save_beside(content: &[u8]) -> io::Result<PathBuf> {
    let free = (1..=MAX_KEPT).map(kept_name).find(|name| !is_there(name));
    let name = free.clone().unwrap_or_else(|| kept_name(1));
    let mut file = AtomicFile::create_following(&name, FollowLinks::Own)?;
    file.write_all(content)?;
    if free.is_none() {
        move_up()?;
    }
    file.commit().map_err(|error| io::Error::other(error.to_string()))?;
    Ok(name)
}

/// Whether there is anything under this name, also a symbolic link to nothing.
fn is_there(name: &Path) -> bool {
    fs::symlink_metadata(name).is_ok()
}

/// Moves the kept backups up by one, up to the first number that is free. The last one is dropped.
fn move_up() -> io::Result<()> {
    let used: Vec<u32> = (1..MAX_KEPT).take_while(|&number| is_there(&kept_name(number))).collect();
    used.into_iter().rev().try_for_each(|number| fs::rename(kept_name(number), kept_name(number + 1)))
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

/// The name of an earlier backup, 1 being the latest.
fn kept_name(number: u32) -> PathBuf {
    format!("backup.{number}.sv").into()
}
