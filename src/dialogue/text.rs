//! The text that the dialogue is written into.

use std::ops::Range;

/// What has been said and not yet been shown.
///
/// ```
/// use constructor::dialogue::Text;
/// let mut text = Text::default();
/// text.put("Blue has ").number(12).put(" brick").end();
/// assert_eq!(text.bytes(), b"Blue has 12 brick\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
}

impl Text {
    /// An empty text that can grow to so many bytes without moving.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    /// Adds words as they are.
    pub fn put(&mut self, words: &str) -> &mut Self {
        self.bytes.extend_from_slice(words.as_bytes());
        self
    }

    /// Adds a number in decimal digits.
    pub fn number(&mut self, number: u32) -> &mut Self {
        self.put(itoa::Buffer::new().format(number))
    }

    /// Ends the line.
    pub fn end(&mut self) {
        self.bytes.push(b'\n');
    }

    /// Adds a line as it is.
    pub fn line(&mut self, words: &str) {
        self.put(words).end();
    }

    /// Adds bytes as they are, and lends them out to be written over in places.
    pub(super) fn stamp(&mut self, bytes: &[u8]) -> &mut [u8] {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        &mut self.bytes[start..]
    }

    /// All of it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets all of it, and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Writes into a slot from the left; the rest of the slot is left as it is.
pub(super) fn write_left(canvas: &mut [u8], slot: Range<usize>, words: &[u8]) {
    for (place, &byte) in canvas[slot].iter_mut().zip(words) {
        *place = byte;
    }
}

/// Writes into a slot so that it ends where the slot ends; the rest of the slot is left as it is.
pub(super) fn write_right(canvas: &mut [u8], slot: Range<usize>, words: &[u8]) {
    for (place, &byte) in canvas[slot].iter_mut().rev().zip(words.iter().rev()) {
        *place = byte;
    }
}
