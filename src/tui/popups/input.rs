//! A line that is edited.

use unicode_width::UnicodeWidthChar;

use crate::text::words::MAX_LINE_BYTES;
use crate::tui::key::Key;

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

/// The use of a typed line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompt {
    /// A command. The number counts back from the end of the typed lines to the one that is shown; 0 shows none.
    Command(usize),
    /// The file in which to save the game.
    Save,
    /// The file in which to write the session as a script.
    Script,
    /// The turn to look at.
    Turn,
}

/// The answer of a line to a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It stays.
    Stay,
    /// It closes without effect.
    Close,
    /// It closes, and its text is used; the text is not empty.
    Take(String),
}

/// Handles a key. `typed` has the lines that were typed before.
pub fn press(prompt: &mut Prompt, input: &mut TextInput, typed: &[String], key: Key) -> Answer {
    match key {
        Key::Up | Key::Down => {
            if let Prompt::Command(shown) = prompt {
                let (next, line) = previous(typed, *shown, key);
                *shown = next;
                *input = TextInput::new(&line);
            }
        }
        Key::Enter => {
            let line = input.text().trim().to_owned();
            return if line.is_empty() { Answer::Close } else { Answer::Take(line) };
        }
        Key::Esc => return Answer::Close,
        // Longer lines are not split into words.
        Key::Char(_) if input.len() >= MAX_LINE_BYTES => {}
        key => edit(input, key),
    }
    Answer::Stay
}

/// Returns the typed line before the line that is shown, and its number counted from the end. For [`Key::Down`], returns the typed line
/// after the line that is shown.
fn previous(typed: &[String], shown: usize, key: Key) -> (usize, String) {
    let shown = if key == Key::Up { (shown + 1).min(typed.len()) } else { shown.saturating_sub(1) };
    let line = typed.len().checked_sub(shown).and_then(|at| typed.get(at));
    (shown, line.cloned().unwrap_or_default())
}

/// Handles Ctrl and a letter, as shells do.
pub fn press_control(line: &mut TextInput, letter: char) {
    match letter {
        'a' => line.move_by(isize::MIN),
        'e' => line.move_by(isize::MAX),
        'k' => line.delete_after(usize::MAX),
        'u' => line.delete_before(usize::MAX),
        'w' => line.delete_word(),
        _ => {}
    }
}

/// Edits a line by a key.
pub fn edit(line: &mut TextInput, key: Key) {
    match key {
        Key::Char(letter) => line.insert(letter),
        Key::Backspace => line.delete_before(1),
        Key::Delete => line.delete_after(1),
        Key::Left => line.move_by(-1),
        Key::Right => line.move_by(1),
        Key::Home => line.move_by(isize::MIN),
        Key::End => line.move_by(isize::MAX),
        _ => {}
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
