//! The backup of a game that ends before the players end it.

use std::path::Path;

use constructor_common::files::Backup;
use constructor_common::frame::Io;

use crate::app::options::{GameOptions, GameSource};
use crate::session::Pending;
use crate::text::Dialogue;
use crate::text::save::BACKUP;

/// How and where a game that ends early is saved.
#[derive(Debug)]
pub struct GameBackup {
    backup: Backup,
    /// The command that continues the game; `None` unless a person plays at a terminal.
    resume_command: Option<String>,
}

impl GameBackup {
    /// Makes the backup of a game with these options.
    ///
    /// For a person at a terminal, earlier backups are kept.
    ///
    /// # Errors
    /// When the file is used in a way that a backup would damage.
    pub fn new(io: &Io, options: &GameOptions, is_interactive: bool) -> Result<Self, String> {
        let loaded = match options.start() {
            GameSource::Load(path) => Some(path),
            _ => None,
        };
        let backup = io.files.backup(BACKUP, is_interactive, loaded.as_deref())?;
        Ok(Self { backup, resume_command: is_interactive.then(|| options.resume_command.clone()) })
    }

    /// Saves the game.
    ///
    /// A script leaves only one file: the backup or, if that cannot be written, a file with one of the names of earlier backups.
    /// `is_recorded` says whether the record of the game can be continued.
    ///
    /// Returns the messages for the user, one line each, and `true` if nothing of the game is lost. There are no messages if the input is
    /// not a terminal and all went well.
    #[must_use]
    pub fn save(&self, dialogue: &Dialogue, is_recorded: bool) -> (Vec<String>, bool) {
        if self.resume_command.is_some() && dialogue.session().pending() == Pending::GameOver {
            // A finished game cannot be continued, so it is not saved.
            return (Vec::new(), true);
        }
        let text = dialogue.saved_game();
        let report = self.backup.write(text.as_bytes());
        let mut messages = report.messages;
        match (&report.file, &self.resume_command) {
            (Some(file), Some(command)) => {
                let load = if is_recorded { String::new() } else { format!(" -load {}", file.display()) };
                messages.push(format!("the game is saved in {}; continue it with: {command}{load}", file.display()));
            }
            (Some(file), None) if file != Path::new(BACKUP) => {
                messages.push(format!("the game is saved in {}", file.display()));
            }
            (None, Some(_)) => messages.push(format!("the game is saved nowhere; these lines are its file:\n{text}")),
            _ => {}
        }
        let is_saved = report.file.is_some() || is_recorded;
        (messages, is_saved)
    }
}
