//! A line of text taken apart into words, as the game reads it from a person and from a file.

/// The longest line, in bytes and without its end, that is taken apart into words.
pub const LONGEST: usize = 4096;

/// White space within a line: what C's `isspace` calls so, but for the newline.
const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r')
}

/// A line, of which words are used up one after the other.
///
/// ```
/// use constructor::line::Line;
/// let mut line = Line::new(b"roll 5  build-road 60\r\n");
/// assert_eq!(line.next(), Some(b"roll".as_slice()));
/// assert_eq!(line.next(), Some(b"5".as_slice()));
/// assert_eq!(line.by_ref().count(), 2);
/// assert!(line.is_blank());
/// ```
#[derive(Clone, Debug)]
pub struct Line<'l> {
    rest: &'l [u8],
    /// Whether the rest is one word, whatever it holds.
    whole: bool,
}

impl<'l> Line<'l> {
    /// The line with these bytes; a newline at the end, and then a carriage return before it, are dropped. One that is
    /// longer than [`LONGEST`] is a single word.
    #[must_use]
    pub fn new(bytes: &'l [u8]) -> Self {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Self { rest: bytes, whole: bytes.len() > LONGEST }
    }

    /// The line with these bytes, however long it is.
    #[must_use]
    pub const fn of_any_length(bytes: &'l [u8]) -> Self {
        Self { rest: bytes, whole: false }
    }

    /// Whether no word is left.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.clone().next().is_none()
    }

    /// Uses up so many words, or all that are left when they are fewer.
    pub fn take_words<const COUNT: usize>(&mut self) -> Option<[&'l [u8]; COUNT]> {
        let mut words = [[].as_slice(); COUNT];
        for word in &mut words {
            *word = self.next()?;
        }
        Some(words)
    }
}

impl<'l> Iterator for Line<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        if self.whole {
            self.whole = false;
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

/// The number that a word is: an optional sign and 1 to 18 decimal digits.
///
/// ```
/// use constructor::line::number;
/// assert_eq!(number(b"+07"), Some(7));
/// assert_eq!(number(b"-1"), Some(-1));
/// assert_eq!(number(b"1234567890123456789"), None);
/// assert_eq!(number(b"4th"), None);
/// ```
#[must_use]
pub fn number(word: &[u8]) -> Option<i64> {
    const MOST_DIGITS: usize = 18;
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(sign * digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0')))
}

/// Foreign text as an error shows it: on one line, with nothing in it that would disturb a terminal or hide what is there.
///
/// ```
/// use constructor::line::visible;
/// assert_eq!(visible("it's a\nb\u{202e}"), "it's a\\nb\\u{202e}");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '"' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &[u8]) -> Vec<&[u8]> {
        Line::new(line).collect()
    }

    #[test]
    fn lines_are_split_at_any_white_space() {
        assert_eq!(split(b"\t a\x0bb \x0c c\r d\r"), [b"a", b"b", b"c", b"d"]);
        assert_eq!(split(b"a\0b \xff"), [b"a\0b".as_slice(), b"\xff"]);
        assert!(split(b"").is_empty());
        assert!(Line::new(b" \t\r").is_blank());
    }

    #[test]
    fn a_line_over_the_limit_is_one_word() {
        let fits = "a ".repeat(LONGEST / 2);
        assert_eq!(split(fits.as_bytes()).len(), LONGEST / 2);
        assert_eq!(split(format!("{fits}\r\n").as_bytes()).len(), LONGEST / 2);
        let over = format!("{fits} ");
        assert_eq!(split(over.as_bytes()), [over.as_bytes()]);
        assert_eq!(Line::of_any_length(over.as_bytes()).count(), LONGEST / 2);
        let blank = " ".repeat(LONGEST + 1);
        assert_eq!(split(blank.as_bytes()), [blank.as_bytes()]);
    }

    #[test]
    fn a_short_line_is_used_up_by_a_command_that_takes_more() {
        let mut line = Line::new(b"Red HEAT");
        assert_eq!(line.take_words::<3>(), None);
        assert!(line.is_blank());
        let mut line = Line::new(b"Red HEAT WIFI next");
        assert_eq!(line.take_words(), Some([b"Red".as_slice(), b"HEAT", b"WIFI"]));
        assert_eq!(line.next(), Some(b"next".as_slice()));
    }

    #[test]
    fn foreign_text_is_made_visible() {
        assert_eq!(visible("a \"b\" 'c' caf\u{e9}"), "a \"b\" 'c' caf\u{e9}");
        assert_eq!(visible("\0\t\r\n\x1b[1m\\"), "\\0\\t\\r\\n\\u{1b}[1m\\\\");
    }

    #[test]
    fn numbers_have_a_sign_and_up_to_18_digits() {
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
            assert_eq!(number(word.as_bytes()), expected, "{word:?}");
        }
    }
}
