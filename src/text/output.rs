//! The buffer that a dialogue writes to.

use std::ops::Range;

/// Text that has been written and not yet shown.
///
/// ```
/// use constructor::text::Output;
/// let mut output = Output::default();
/// output.put("Blue has ").number(12).put(" brick").end();
/// assert_eq!(output.bytes(), b"Blue has 12 brick\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Output {
    bytes: Vec<u8>,
}

impl Output {
    /// Makes an empty buffer that holds `bytes` bytes without reallocating.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    /// Appends text.
    pub fn put(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Appends a number in decimal digits.
    pub fn number(&mut self, number: u32) -> &mut Self {
        self.put(itoa::Buffer::new().format(number))
    }

    /// Appends text that may not be UTF-8.
    pub fn put_bytes(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
    }

    /// Ends the line.
    pub fn end(&mut self) {
        self.bytes.push(b'\n');
    }

    /// Appends a whole line.
    pub fn line(&mut self, text: &str) {
        self.put(text).end();
    }

    /// Appends bytes and returns them for overwriting.
    pub(super) fn append(&mut self, bytes: &[u8]) -> &mut [u8] {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        &mut self.bytes[start..]
    }

    /// Returns the whole text.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the whole text as a string; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Empties the buffer and keeps its capacity.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Overwrites a range with the text, starting at the left end; the rest of the range stays as it is.
pub(super) fn write_left(buffer: &mut [u8], range: Range<usize>, text: &[u8]) {
    for (target, &byte) in buffer[range].iter_mut().zip(text) {
        *target = byte;
    }
}

/// Overwrites a range so that the text ends at its right end.
pub(super) fn write_right(buffer: &mut [u8], range: Range<usize>, text: &[u8]) {
    for (target, &byte) in buffer[range].iter_mut().rev().zip(text.iter().rev()) {
        *target = byte;
    }
}
