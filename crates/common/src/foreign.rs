//! Text that somebody else wrote, such as a file, a program or a command line.

use std::fmt;

/// Text that somebody else wrote. It is shown on one line, with control and invisible characters escaped, so that it can neither control a
/// terminal nor look like a separate line.
///
/// ```
/// use constructor_common::Foreign;
/// let text = Foreign::from("it's \x1b[31mred\n");
/// assert_eq!(text.to_string(), "it's \\u{1b}[31mred\\n");
/// assert_eq!(Foreign::from("<a & b>").html(), "&lt;a &amp; b&gt;");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Foreign(String);

impl<T: Into<String>> From<T> for Foreign {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.0))
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Foreign {
    /// Returns the text as it is, to be compared or written to a file.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Returns the text escaped for HTML and XML, also within quotes.
    #[must_use]
    pub fn html(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for c in self.0.chars() {
            match c {
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                '"' => text.push_str("&quot;"),
                // XML cannot contain these control characters.
                c if c.is_control() && c != '\n' && c != '\t' => text.push('\u{fffd}'),
                c => text.push(c),
            }
        }
        text
    }
}

/// Returns foreign text on one line, with control and invisible characters escaped.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_keeps_quotes_and_letters() {
        assert_eq!(escape("a \"b\" 'c' caf\u{e9}"), "a \"b\" 'c' caf\u{e9}");
        assert_eq!(escape("\0\t\r\n\x1b[1m\\"), "\\0\\t\\r\\n\\u{1b}[1m\\\\");
    }
}
