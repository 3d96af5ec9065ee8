//! Folders that results are put into.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ledger::{Claimed, Files, Role};
use crate::{display_path, io_error_text};

/// A folder for new files. Each file is created when its first text is written. No existing file is overwritten.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// The file that is being written, and its name.
    file: Option<(String, File)>,
    _claim: Claimed,
}

impl Files {
    /// Claims a folder, makes it if needed, and checks that `first` can be created in it.
    ///
    /// # Errors
    /// When the folder is used already or cannot be made, or `first` cannot be created or exists already.
    pub fn folder(&self, path: &Path, first: &str) -> Result<ResultFolder, String> {
        let named = |error| format!("{}: {}", display_path(path), io_error_text(&error));
        let claim = self.claim_named(path, Role::Folder)?;
        if fs::symlink_metadata(path).is_ok() && fs::metadata(path).is_err() {
            return Err(format!("{}: a symbolic link to nothing", display_path(path)));
        }
        fs::create_dir_all(path).map_err(named)?;
        tempfile::tempfile_in(path).map_err(named)?;
        let folder = ResultFolder { path: path.to_owned(), file: None, _claim: claim };
        match fs::symlink_metadata(path.join(first)) {
            Ok(_) => Err(folder.named(first, &io::ErrorKind::AlreadyExists.into())),
            Err(_) => Ok(folder),
        }
    }
}

impl ResultFolder {
    fn named(&self, file: &str, error: &io::Error) -> String {
        let name = display_path(&self.path.join(file));
        match error.kind() {
            io::ErrorKind::AlreadyExists => format!("{name}: it is there already; it is not overwritten"),
            _ => format!("{name}: {}", io_error_text(error)),
        }
    }

    /// Appends text to the file of this name, and creates it unless the previous text went to the same file.
    ///
    /// # Errors
    /// When a file to be created exists already, or the file cannot be created or written.
    pub fn write(&mut self, name: &str, text: &str) -> Result<(), String> {
        let file = match self.file.take().filter(|(current, _)| current == name) {
            Some((_, file)) => Ok(file),
            None => OpenOptions::new().write(true).create_new(true).open(self.path.join(name)),
        };
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
        self.file = Some((name.to_owned(), written.map_err(|error| self.named(name, &error))?));
        Ok(())
    }
}
