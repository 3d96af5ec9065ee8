//! A line that is edited.

use unicode_width::UnicodeWidthChar;

/// A line with a cursor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextInput {
    text: Vec<char>,
    /// The number of characters before the cursor.
    cursor: usize,
    /// Whether the text is a proposal: the first character that is typed replaces it.
    is_proposed: bool,
}

impl TextInput {
    /// Makes a line with this text, and the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text: Vec<char> = text.chars().collect();
        Self { cursor: text.len(), text, is_proposed: false }
    }

    /// Makes a line with a proposed text, which the first typed character replaces.
    #[must_use]
    pub fn proposed(text: &str) -> Self {
        Self { is_proposed: true, ..Self::new(text) }
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Returns the number of characters.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether there is no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the text, without the first characters if the cursor would not fit into `width` cells, and the column of the cursor.
    #[must_use]
    pub fn visible(&self, width: usize) -> (String, usize) {
        let cells = |letters: &[char]| letters.iter().filter_map(|letter| letter.width()).sum::<usize>();
        let before = &self.text[..self.cursor];
        let first = (0..self.cursor).find(|&first| cells(&before[first..]) < width).unwrap_or(self.cursor);
        (self.text[first..].iter().collect(), cells(&before[first..]))
    }

    /// Inserts a character at the cursor.
    pub fn insert(&mut self, letter: char) {
        if std::mem::take(&mut self.is_proposed) {
            self.delete_before(usize::MAX);
        }
        self.text.insert(self.cursor, letter);
        self.cursor += 1;
    }

    /// Moves the cursor by a number of characters, to the left if negative.
    pub fn move_by(&mut self, by: isize) {
        self.is_proposed = false;
        self.cursor = self.cursor.saturating_add_signed(by).min(self.text.len());
    }

    /// Deletes the characters between the cursor and this many characters before it.
    pub fn delete_before(&mut self, count: usize) {
        self.is_proposed = false;
        let start = self.cursor.saturating_sub(count);
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    /// Deletes up to this many characters after the cursor.
    pub fn delete_after(&mut self, count: usize) {
        let end = self.cursor.saturating_add(count).min(self.text.len());
        self.text.drain(self.cursor..end);
    }

    /// Deletes the word before the cursor, and blanks after it.
    pub fn delete_word(&mut self) {
        let before = || self.text[..self.cursor].iter().rev();
        let blanks = before().take_while(|letter| **letter == ' ').count();
        let word = before().skip(blanks).take_while(|letter| **letter != ' ').count();
        self.delete_before(blanks + word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_edited_at_the_cursor() {
        let mut line = TextInput::new("saves  my game");
        line.delete_word();
        assert_eq!(line.text(), "saves  my ");
        line.delete_word();
        line.insert('\u{fc}');
        line.move_by(-2);
        line.delete_after(1);
        line.insert('_');
        assert_eq!((line.text().as_str(), line.len()), ("saves _\u{fc}", 8));
        line.move_by(isize::MIN);
        line.delete_before(5);
        line.delete_after(usize::MAX);
        assert!(line.is_empty());
    }

    #[test]
    fn proposal_is_replaced_or_edited() {
        let mut line = TextInput::proposed("session.txt");
        line.insert('a');
        line.insert('b');
        assert_eq!(line.text(), "ab");
        let mut line = TextInput::proposed("session.txt");
        line.delete_before(4);
        line.insert('s');
        assert_eq!(line.text(), "sessions");
    }

    #[test]
    fn end_of_a_long_line_is_visible() {
        let mut line = TextInput::new("abcdef");
        assert_eq!(line.visible(4), ("def".to_owned(), 3));
        line.move_by(-6);
        assert_eq!(line.visible(4), ("abcdef".to_owned(), 0));
        assert_eq!(TextInput::new("日本語").visible(5), ("本語".to_owned(), 4));
        assert_eq!(TextInput::default().visible(0), (String::new(), 0));
    }
}
