//! The backup of a game that ends before its players end it.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use constructor_common::atomic_file::{self, FollowLinks, WriteError};
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
        let mut messages = Vec::new();
        let is_over = dialogue.session().pending() == Pending::GameOver;
        if self.resume_command.is_some() && is_over {
            // There is nothing to continue.
            return messages;
        }
        let text = dialogue.saved_game();
        if self.resume_command.is_some() {
            match self.keep_earlier(text.as_bytes()) {
                Ok(false) => {}
                Ok(true) => messages.push(format!("the game before it is now {}", kept_name(1).display())),
                Err(error) => {
                    messages.push(format!("{BACKUP}: the earlier backup is not kept: {}", io_error_text(&error)));
                }
            }
        }
        let written = atomic_file::write_following(Path::new(BACKUP), text.as_bytes(), FollowLinks::Own);
        let mut file = Some(PathBuf::from(BACKUP));
        if let Err(error) = written {
            messages.push(format!("{BACKUP}: {error}"));
            if let WriteError::NotWritten(_) = error {
                // A new file may be possible where the old one cannot be replaced, as in a directory shared by several users.
                file = (1..=MAX_KEPT).map(kept_name).find(|name| create_new(name, text.as_bytes()));
            }
        }
        let Some(file) = file else { return messages };
        let name = file.display();
        match &self.resume_command {
            Some(command) => {
                messages.push(format!("the game is saved in {name}; continue it with: {command} -load {name}"));
            }
            None if file != Path::new(BACKUP) => messages.push(format!("the game is saved in {name}")),
            None => {}
        }
        messages
    }

    /// Keeps the backup that is there, unless it is the game that was loaded, or the same as the new one. Returns whether it did.
    fn keep_earlier(&self, new: &[u8]) -> io::Result<bool> {
        let is_loaded = self.loaded.as_ref().is_some_and(|loaded| atomic_file::is_same_file(Path::new(BACKUP), loaded));
        let is_file = fs::symlink_metadata(BACKUP).is_ok_and(|metadata| metadata.is_file());
        if is_loaded || !is_file || fs::read(BACKUP).is_ok_and(|earlier| earlier == new) {
            return Ok(false);
        }
        let used: Vec<u32> = (1..MAX_KEPT).take_while(|&number| kept_name(number).exists()).collect();
        for number in used.into_iter().rev() {
            fs::rename(kept_name(number), kept_name(number + 1))?;
        }
        // A copy, so that there is a backup at every moment, and since the backup may have to be overwritten in place.
        fs::copy(BACKUP, kept_name(1)).map(|_| true)
    }
}

/// The name of an earlier backup, 1 being the latest.
fn kept_name(number: u32) -> PathBuf {
    format!("backup.{number}.sv").into()
}

/// Writes a file that does not exist yet, and returns whether that worked.
fn create_new(path: &Path, content: &[u8]) -> bool {
    fs::symlink_metadata(path).is_err() && atomic_file::write_following(path, content, FollowLinks::Own).is_ok()
}
