//! Code that Constructor and Penguins share: reproducible random draws ([`rng`]), statistics of many games ([`statistics`]), text that
//! somebody else wrote ([`Foreign`]) and, with the feature `system`, the parts of the system that every command of a program uses: its
//! [`frame`], [`files`], [`voice`], signals and processes.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod foreign;
pub mod rng;
pub mod statistics;
pub mod threads;

#[cfg(feature = "system")]
pub mod files;
#[cfg(feature = "system")]
pub mod frame;
#[cfg(feature = "system")]
pub mod process;
#[cfg(feature = "system")]
pub mod signals;
#[cfg(feature = "system")]
pub mod streams;
#[cfg(feature = "system")]
pub mod voice;

use std::io;
use std::path::Path;

pub use foreign::{Foreign, escape};

/// Returns the text of an I/O error without the operating system's error number.
///
/// ```
/// use std::io::Error;
/// use constructor_common::io_error_text;
/// assert_eq!(io_error_text(&Error::from_raw_os_error(2)), "No such file or directory");
/// ```
#[must_use]
pub fn io_error_text(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}

/// Returns a path as error messages quote it: on one line, escaped.
///
/// ```
/// use std::path::Path;
/// use constructor_common::display_path;
/// assert_eq!(display_path(Path::new("two\nlines.sv")), "two\\nlines.sv");
/// ```
#[must_use]
pub fn display_path(path: &Path) -> String {
    escape(&path.to_string_lossy())
}
