//! Shared by Constructor and Penguins: reproducible random draws ([`rng`]), statistics of many games ([`statistics`]),
//! escaped text ([`escape`]) and, with the feature `system`, files, processes and messages.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod rng;
pub mod statistics;
pub mod threads;

#[cfg(feature = "system")]
pub mod atomic_file;
#[cfg(feature = "system")]
pub mod output;
#[cfg(feature = "system")]
pub mod process;
#[cfg(feature = "system")]
pub mod result_file;
#[cfg(feature = "system")]
pub mod signals;

use std::io;
use std::path::Path;

/// The text of an I/O error without the operating system's error number.
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

/// Foreign text on one line, with control and invisible characters escaped, as error messages quote it.
///
/// ```
/// use constructor_common::escape;
/// assert_eq!(escape("it's a\nb\u{202e}"), "it's a\\nb\\u{202e}");
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '"' => escaped.push(c),
            _ => escaped.extend(c.escape_debug()),
        }
    }
    escaped
}

/// A path as error messages quote it: on one line, escaped.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_keeps_quotes_and_letters() {
        assert_eq!(escape("a \"b\" 'c' caf\u{e9}"), "a \"b\" 'c' caf\u{e9}");
        assert_eq!(escape("\0\t\r\n\x1b[1m\\"), "\\0\\t\\r\\n\\u{1b}[1m\\\\");
    }
}
