//! Lines split into words, and words read as numbers.

/// The maximum length of a line that is split into words, in bytes without the line end.
pub const MAX_LINE_BYTES: usize = 4096;

/// Returns whether a byte is white space within a line, as defined by C's `isspace`, but without the newline.
const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r')
}

/// An iterator over the words of a line.
///
/// ```
/// use constructor::text::words::Words;
/// let mut words = Words::new(b"roll 5  build-road 60\r\n");
/// assert_eq!(words.next(), Some(b"roll".as_slice()));
/// assert_eq!(words.next(), Some(b"5".as_slice()));
/// assert_eq!(words.by_ref().count(), 2);
/// assert!(words.is_blank());
/// ```
#[derive(Clone, Debug)]
pub struct Words<'l> {
    rest: &'l [u8],
    /// Whether the rest is a single word, because the line is too long to be split.
    too_long: bool,
}

impl<'l> Words<'l> {
    /// Returns the words of a line.
    ///
    /// A newline at the end, and a carriage return before it, are dropped. A line longer than [`MAX_LINE_BYTES`] is a single word.
    #[must_use]
    pub fn new(bytes: &'l [u8]) -> Self {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Self { rest: bytes, too_long: bytes.len() > MAX_LINE_BYTES }
    }

    /// Returns the words of a line of any length.
    #[must_use]
    pub const fn unlimited(bytes: &'l [u8]) -> Self {
        Self { rest: bytes, too_long: false }
    }

    /// Returns the rest of the line.
    #[must_use]
    pub const fn rest(&self) -> &'l [u8] {
        self.rest
    }

    /// Returns whether no words are left.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.clone().next().is_none()
    }

    /// Returns the words of this line that come before `left`, which must be the rest of the same line.
    #[must_use]
    pub fn up_to(&self, left: &Self) -> Self {
        Self { rest: &self.rest[..self.rest.len() - left.rest.len()], ..*self }
    }

    /// Returns the words of this line that come before `left`, with a space between them.
    #[must_use]
    pub fn text_up_to(&self, left: &Self) -> String {
        let words: Vec<_> = self.up_to(left).map(String::from_utf8_lossy).collect();
        words.join(" ")
    }

    /// Takes the next `COUNT` words.
    ///
    /// Returns `None` if there are fewer; these are consumed anyway.
    pub fn next_array<const COUNT: usize>(&mut self) -> Option<[&'l [u8]; COUNT]> {
        let mut words = [[].as_slice(); COUNT];
        for word in &mut words {
            *word = self.next()?;
        }
        Some(words)
    }
}

impl<'l> Iterator for Words<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        if self.too_long {
            self.too_long = false;
            return Some(std::mem::take(&mut self.rest));
        }
        let start = self.rest.iter().position(|&byte| !is_white_space(byte))?;
        let word = &self.rest[start..];
        let end = word.iter().position(|&byte| is_white_space(byte)).unwrap_or(word.len());
        let (word, rest) = word.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

/// Returns the number that a word spells: an optional sign and 1 to 18 decimal digits.
///
/// ```
/// use constructor::text::words::parse_int;
/// assert_eq!(parse_int(b"+07"), Some(7));
/// assert_eq!(parse_int(b"-1"), Some(-1));
/// assert_eq!(parse_int(b"1234567890123456789"), None);
/// assert_eq!(parse_int(b"4th"), None);
/// ```
#[must_use]
pub fn parse_int(word: &[u8]) -> Option<i64> {
    const MAX_DIGITS: usize = 18;
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(sign * digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &[u8]) -> Vec<&[u8]> {
        Words::new(line).collect()
    }

    #[test]
    fn words_are_split_at_any_white_space() {
        assert_eq!(split(b"\t a\x0bb \x0c c\r d\r"), [b"a", b"b", b"c", b"d"]);
        assert_eq!(split(b"a\0b \xff"), [b"a\0b".as_slice(), b"\xff"]);
        assert!(split(b"").is_empty());
        assert!(Words::new(b" \t\r").is_blank());
    }

    #[test]
    fn too_long_line_is_one_word() {
        let fits = "a ".repeat(MAX_LINE_BYTES / 2);
        assert_eq!(split(fits.as_bytes()).len(), MAX_LINE_BYTES / 2);
        assert_eq!(split(format!("{fits}\r\n").as_bytes()).len(), MAX_LINE_BYTES / 2);
        let over = format!("{fits} ");
        assert_eq!(split(over.as_bytes()), [over.as_bytes()]);
        assert_eq!(Words::unlimited(over.as_bytes()).count(), MAX_LINE_BYTES / 2);
        let blank = " ".repeat(MAX_LINE_BYTES + 1);
        assert_eq!(split(blank.as_bytes()), [blank.as_bytes()]);
    }

    #[test]
    fn next_array_consumes_a_short_line() {
        let mut line = Words::new(b"Red HEAT");
        assert_eq!(line.next_array::<3>(), None);
        assert!(line.is_blank());
        let mut line = Words::new(b"Red HEAT WIFI next");
        assert_eq!(line.next_array(), Some([b"Red".as_slice(), b"HEAT", b"WIFI"]));
        assert_eq!(line.next(), Some(b"next".as_slice()));
    }

    #[test]
    fn parse_int_takes_a_sign_and_up_to_18_digits() {
        for (word, expected) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("007", Some(7)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("-999999999999999999", Some(-999_999_999_999_999_999)),
            ("000000000000000000", Some(0)),
            ("0000000000000000000", None),
            ("", None),
            ("+", None),
            ("-", None),
            ("+-1", None),
            ("--1", None),
            ("1.0", None),
            ("0x1", None),
            ("1e1", None),
            ("\u{661}", None),
        ] {
            assert_eq!(parse_int(word.as_bytes()), expected, "{word:?}");
        }
    }
}
