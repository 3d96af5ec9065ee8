//! What the two games of this workspace share, since it is the same in both: files read whole and [written whole](store) or
//! not at all, [chance](random) that a seed gives again, and [figures](statistics) of many games.

pub mod random;
pub mod statistics;
pub mod store;

use std::io;

/// Why a file or stream could not be read or written, without the number that the system gives to the reason.
///
/// ```
/// use std::io::Error;
/// use groundwork::reason;
/// assert_eq!(reason(&Error::from_raw_os_error(2)), "No such file or directory");
/// ```
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
