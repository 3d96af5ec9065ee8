//! The files of a process and their uses. The uses are recorded so that no file is overwritten while it is still read or written. Unix
//! only.
//!
//! Every file is claimed with a [`Role`] before it is opened. A claim is refused while it conflicts with another use of the same file,
//! under any name or link.

mod append;
mod atomic;
mod backup;
mod folder;
mod kept;
mod ledger;
mod lines;
mod links;
mod result;

pub use self::append::{AppendedFile, Trace};
pub use self::atomic::{AtomicFile, WriteError};
pub use self::backup::{Backup, BackupReport};
pub use self::folder::ResultFolder;
pub use self::kept::{KeptFolder, lock_file};
pub use self::ledger::{
    Claimed, Conflict, Files, MAX_FILE_SIZE, Role, STANDARD, free_name, is_same_file, read_unclaimed,
};
pub use self::lines::{Lines, MAX_LINE};
pub use self::links::FollowLinks;
pub use self::result::ResultFile;
