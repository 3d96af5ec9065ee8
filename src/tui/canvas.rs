//! The surface that is drawn on: cells, and the areas that can be clicked.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Widget};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::key::Key;
use super::theme::Theme;
use crate::text::Place;

/// The frame of a window where only ASCII characters are used.
const ASCII_FRAME: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// The number of cells up to which a text that is cut off has no ellipsis.
const SHORTEST_CUT: u16 = 4;

/// The target of a click on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClickTarget {
    /// A click has the effect of this key.
    Key(Key),
    /// A place on the board.
    Place(Place),
    /// The item with this number, of the list that is shown.
    Item(usize),
    /// The option with this number in a row of a dialog: row and option.
    Field(usize, usize),
}

/// A buffer that is drawn on, with the areas that can be clicked.
pub struct Canvas<'b> {
    buffer: &'b mut Buffer,
    hits: Vec<(Rect, ClickTarget)>,
    cursor: Option<Position>,
    last_top: u16,
    /// The theme.
    pub theme: Theme,
}

impl<'b> Canvas<'b> {
    /// Makes a canvas on a buffer.
    pub const fn new(buffer: &'b mut Buffer, theme: Theme) -> Self {
        Self { buffer, hits: Vec::new(), cursor: None, last_top: 0, theme }
    }

    /// Returns the whole area.
    #[must_use]
    pub const fn area(&self) -> Rect {
        self.buffer.area
    }

    /// Returns the position at which the terminal's cursor is shown; `None` if it is hidden.
    #[must_use]
    pub const fn cursor(&self) -> Option<Position> {
        self.cursor
    }

    /// Returns the index of the first line that is shown when the text in a window is scrolled to its end.
    #[must_use]
    pub const fn last_top(&self) -> u16 {
        self.last_top
    }

    /// Takes note of the lines of a text in a window of this height, and returns the first of them to show.
    pub fn scroll(&mut self, top: u16, lines: usize, height: u16) -> usize {
        self.last_top = u16::try_from(lines.saturating_sub(height.into())).unwrap_or(u16::MAX);
        top.min(self.last_top).into()
    }

    /// Shows the terminal's cursor here, if it is on the screen.
    pub const fn set_cursor(&mut self, x: u16, y: u16) {
        let position = Position { x, y };
        if self.buffer.area.contains(position) {
            self.cursor = Some(position);
        }
    }

    /// Writes text from a cell on, cut off at `width` cells or the end of the area. Where only ASCII characters are used, others are
    /// replaced.
    ///
    /// Text that is cut off ends with an ellipsis. Returns the column after it.
    #[inline(never)]
    pub fn put(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        if y >= self.area().bottom() || x >= self.area().right() || text.is_empty() {
            return x;
        }
        let ascii: String;
        let text = if self.theme.is_ascii && !text.is_ascii() {
            ascii = text.chars().map(to_ascii).collect();
            &ascii
        } else {
            text
        };
        let (end, _) = self.buffer.set_stringn(x, y, text, width.into(), style);
        let is_cut = text.trim_end().width() > usize::from(width.min(self.area().right() - x));
        if is_cut && end > x + SHORTEST_CUT {
            self.mark(end - 1, y, self.theme.ellipsis(), style);
        }
        end
    }

    /// Writes text within an area, from its column `x` and row `y` on.
    #[inline(never)]
    pub fn put_in(&mut self, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
        if x >= area.width || y >= area.height {
            return area.x + x;
        }
        self.put(area.x + x, area.y + y, area.width - x, text, style)
    }

    /// Writes a line of several parts within an area, each part in its own style.
    #[inline(never)]
    pub fn put_parts(&mut self, area: Rect, x: u16, y: u16, parts: &[(&str, Style)]) -> u16 {
        let mut at = area.x + x;
        for (text, style) in parts {
            at = self.put_in(area, at - area.x, y, text, *style);
        }
        at
    }

    /// Writes keys, each with what it does, within an area, from its column `x` and row `y` on.
    pub fn put_keys(&mut self, area: Rect, x: u16, y: u16, keys: &[(&str, &str)]) {
        let (of_key, of_name) = (self.theme.key(), self.theme.text());
        let mut at = x;
        for (key, name) in keys {
            at = self.put_parts(area, at, y, &[(key, of_key), (" ", of_name), (name, of_name)]) - area.x + 2;
        }
    }

    /// Writes text in as many rows as it needs within an area, from its column `x` and row `y` on, and as far from its right edge as `x`.
    ///
    /// Text that has no room ends with an ellipsis. Returns the row after it, at most that after the area.
    pub fn put_wrapped(&mut self, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
        let lines = wrap(text, area.width.saturating_sub(2 * x).into());
        let after = y.saturating_add(cells(lines.len()));
        for (y, line) in (y..area.height).zip(&lines) {
            let end = self.put_in(area, x, y, line, style);
            if y + 1 == area.height && after > area.height {
                // A full line gives its last cell to it.
                let end = end.min(area.right().saturating_sub(1));
                self.mark(end, area.y + y, self.theme.ellipsis(), style);
            }
        }
        after.min(area.height)
    }

    /// Writes into the frame below an area that there is more.
    pub fn put_more(&mut self, within: Rect) {
        let frame = Rect { y: within.bottom(), height: 1, ..within };
        self.put_in(frame, 1, 0, " Down: more ", self.theme.key());
    }

    /// Adds a style to the cells of an area.
    #[inline(never)]
    pub fn style(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area, style);
    }

    /// Returns the character of a cell.
    #[must_use]
    pub fn character(&self, x: u16, y: u16) -> Option<char> {
        self.buffer.cell((x, y)).and_then(|cell| cell.symbol().chars().next())
    }

    /// Replaces the character of a cell and adds a style.
    #[inline(never)]
    pub fn mark(&mut self, x: u16, y: u16, character: char, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.set_char(character).set_style(style);
        }
    }

    /// Replaces the character of a cell, and its style but for the background.
    #[inline(never)]
    pub fn overlay(&mut self, x: u16, y: u16, character: char, style: Style) {
        self.mark(x, y, character, Style::new().remove_modifier(Modifier::all()).patch(style));
    }

    /// Replaces the style of an area.
    #[inline(never)]
    pub fn restyle(&mut self, area: Rect, style: Style) {
        self.style(area, Style::reset().patch(style));
    }

    /// Empties an area, and removes the click targets that overlap it.
    #[inline(never)]
    pub fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.hits.retain(|(hit, _)| hit.intersection(area).is_empty());
        if self.cursor.is_some_and(|cursor| area.contains(cursor)) {
            self.cursor = None;
        }
    }

    /// Draws an empty area with a frame and a title.
    ///
    /// Returns the area within the frame.
    #[inline(never)]
    pub fn window(&mut self, area: Rect, title: &str) -> Rect {
        let area = area.intersection(self.buffer.area);
        self.clear(area);
        let theme = self.theme;
        let set = if theme.is_ascii { ASCII_FRAME } else { border::PLAIN };
        let block = Block::bordered().border_set(set).border_style(theme.dim());
        let within = block.inner(area);
        block.render(area, self.buffer);
        self.put_in(area, 2, 0, &format!(" {title} "), theme.bold());
        within
    }

    /// Draws a line with a title, as the head of a panel.
    #[inline(never)]
    pub fn heading(&mut self, area: Rect, y: u16, title: &str) {
        let (line, dim, bold) = (self.theme.line(), self.theme.dim(), self.theme.bold());
        self.put_in(area, 0, y, &line.to_string().repeat(area.width.into()), dim);
        self.put_in(area, 1, y, &format!(" {title} "), bold);
    }

    /// Makes an area clickable.
    #[inline(never)]
    pub fn hit(&mut self, area: Rect, hit: ClickTarget) {
        let area = area.intersection(self.buffer.area);
        if !area.is_empty() {
            self.hits.push((area, hit));
        }
    }

    /// Returns the topmost target of a click on a cell.
    #[must_use]
    pub fn hit_at(&self, x: u16, y: u16) -> Option<ClickTarget> {
        self.hits.iter().rev().find(|(area, _)| area.contains(Position { x, y })).map(|&(_, hit)| hit)
    }
}

/// Returns an area without its first `rows` rows.
#[must_use]
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// Returns an area of this size, centred in `area` and limited to it.
#[must_use]
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Returns a character for one that the terminal may not have.
const fn to_ascii(letter: char) -> char {
    match letter {
        letter if letter.is_ascii() => letter,
        '\u{b1}' => '~',
        _ => '?',
    }
}

/// Returns the number of characters of the sign of a list before a text, such as "- ", "* " or "1. ", or of two blanks; 0 if there is none.
#[must_use]
pub fn list_sign(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match &text[digits..] {
        rest if digits == 0 && ["- ", "* ", "+ ", "> ", "  "].iter().any(|sign| rest.starts_with(sign)) => 2,
        rest if digits > 0 && rest.starts_with(". ") => digits + 2,
        _ => 0,
    }
}

/// Breaks text into lines of at most `width` cells, between words where possible, and never before a percent sign.
///
/// The lines of an entry of a list do not go below its sign.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        if paragraph.width() <= width {
            lines.push(paragraph.replace('\u{a0}', " "));
            continue;
        }
        let (sign, entry) = paragraph.split_at(list_sign(paragraph));
        if !sign.is_empty() && 2 * sign.len() < width {
            let rest = wrap(entry, width - sign.len()).into_iter().zip(0_usize..);
            let gap = " ".repeat(sign.len());
            lines.extend(rest.map(|(line, row)| format!("{}{line}", if row == 0 { sign } else { &gap })));
            continue;
        }
        let mut line = String::new();
        let mut length = 0;
        for word in paragraph.replace(" %", "\u{a0}%").split(' ') {
            let word_length = word.width();
            if length > 0 && length + 1 + word_length > width {
                lines.push(std::mem::take(&mut line));
                length = 0;
            }
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            for letter in word.chars() {
                let cells = letter.width().unwrap_or_default();
                if length + cells > width && length > 0 {
                    lines.push(std::mem::take(&mut line));
                    length = 0;
                }
                line.push(if letter == '\u{a0}' { ' ' } else { letter });
                length += cells;
            }
        }
        lines.push(line);
    }
    lines
}

/// Converts a number of cells to `u16`.
pub fn cells(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Colours;

    #[test]
    fn only_ascii_characters_are_written_where_there_are_no_others() {
        let area = Rect::new(0, 0, 12, 1);
        for (is_ascii, written) in [(true, "5 ~2 % J?rg "), (false, "5 \u{b1}2 % J\u{f6}rg ")] {
            let mut buffer = Buffer::empty(area);
            let theme = Theme { colours: Colours::None, is_light: false, is_ascii };
            Canvas::new(&mut buffer, theme).put(0, 0, 12, "5 \u{b1}2 % J\u{f6}rg", Style::new());
            let text: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
            assert_eq!(text, written);
        }
    }

    #[test]
    fn text_without_room_ends_with_an_ellipsis_in_its_area() {
        let area = Rect::new(0, 0, 7, 1);
        for (text, written) in
            [("one two three", "one tw\u{2026}"), ("one three", "one\u{2026}   "), ("one two", "one two")]
        {
            let mut buffer = Buffer::empty(Rect { width: 9, ..area });
            let theme = Theme { colours: Colours::None, is_light: false, is_ascii: false };
            Canvas::new(&mut buffer, theme).put_wrapped(area, 0, 0, text, Style::new());
            let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
            assert_eq!(shown, format!("{written}  "));
        }
    }

    #[test]
    fn wrap_breaks_between_words_and_within_long_ones() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("one\n\ntwo", 9), ["one", "", "two"]);
        assert_eq!(wrap("ab", 0), ["a", "b"]);
        assert_eq!(wrap("from 20 % on", 8), ["from", "20 % on"]);
        assert_eq!(wrap("(turn\u{a0}2)", 9), ["(turn 2)"]);
        assert_eq!(wrap("- one two\n2. six ten\n- ab cd", 7), ["- one", "  two", "2. six", "   ten", "- ab cd"]);
        assert_eq!(wrap("- one", 4), ["-", "one"]);
        assert_eq!(wrap("日本語 ab", 5), ["日本", "語 ab"]);
    }
}
