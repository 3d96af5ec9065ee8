//! Lines of standard input.

use std::io::{self, BufRead, BufReader, Read};

use constructor_common::streams::RetryOnWouldBlock;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4_096;

/// Reads a line without its end; `None` at the end of the input.
pub fn read_line(input: &mut BufReader<RetryOnWouldBlock>) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}
