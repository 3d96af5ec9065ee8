//! The log of the game's actions and events, in the words of the text game.

use ratatui::layout::Rect;

use crate::game::{Action, Builder};
use crate::text::Edition;
use crate::tui::canvas::{Canvas, cells, wrap};
use crate::tui::key::Key;
use crate::tui::timeline::Snapshot;

/// A part of the log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LogView {
    /// The number of snapshots up to the last one that is shown; with `None`, the view follows the game.
    pub until: Option<usize>,
    /// The builder whose actions are shown; with `None`, the actions of all builders are shown.
    pub only: Option<Builder>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// The builder who acted; `None` for messages.
    pub builder: Option<Builder>,
    /// The turn.
    pub turn: u32,
    /// Whether the turn begins with it.
    pub begins: bool,
    /// The text of the event.
    pub text: String,
}

impl LogView {
    /// Returns the last `count` entries of the part, the latest last.
    ///
    /// The last of the `snapshots` is the snapshot that is shown. Each note has the index of the snapshot after which it came.
    #[must_use]
    pub fn lines(
        self,
        snapshots: &[Snapshot],
        notes: &[(usize, String)],
        edition: &Edition,
        count: usize,
    ) -> Vec<LogLine> {
        let end = self.until.unwrap_or(usize::MAX).min(snapshots.len());
        let mut lines = Vec::new();
        for index in (0..end).rev() {
            if lines.len() >= count {
                break;
            }
            lines.extend(self.lines_of(index, snapshots, notes, edition).into_iter().rev());
        }
        lines.truncate(count);
        lines.reverse();
        lines
    }

    /// Returns the entries of the snapshot at an index that are in the part: its action, and the notes after it.
    fn lines_of(
        self,
        index: usize,
        snapshots: &[Snapshot],
        notes: &[(usize, String)],
        edition: &Edition,
    ) -> Vec<LogLine> {
        let snapshot = &snapshots[index];
        let turn = snapshot.turn;
        let is_told = |builder| self.only.is_none_or(|only| only == builder || is_trade_with(only, snapshots, index));
        let begins = index > 0 && snapshots[index - 1].turn < turn;
        let action = snapshot.action.filter(|&(builder, _)| is_told(builder));
        let action =
            action.map(|(builder, _)| LogLine { builder: Some(builder), turn, begins, text: snapshot.text(edition) });
        let notes = notes.iter().filter(|(after, _)| *after == index);
        let notes = notes.map(|(_, text)| LogLine { builder: None, turn, begins: false, text: text.clone() });
        action.into_iter().chain(notes).collect()
    }

    /// Scrolls by `by` snapshots, up if `by` is negative, within the first `snapshots` snapshots.
    ///
    /// At the end, the view follows the game again.
    pub fn scroll(&mut self, snapshots: usize, by: isize) {
        // The first snapshot is the beginning, which has no text.
        let until = self.until.unwrap_or(snapshots).min(snapshots).saturating_add_signed(by).max(2);
        self.until = (until < snapshots).then_some(until);
    }

    /// Shows only the actions of the next builder. After the last builder, shows the actions of all builders.
    pub fn filter_next(&mut self) {
        self.only = next_filter(self.only);
    }
}

/// Returns whether a snapshot is an offer to a builder, or the answer to one of its offers.
fn is_trade_with(builder: Builder, snapshots: &[Snapshot], index: usize) -> bool {
    match (snapshots[index].action, index.checked_sub(1).and_then(|before| snapshots[before].action)) {
        (Some((_, Action::Offer { to, .. })), _) => to == builder,
        (Some((_, Action::Accept | Action::Refuse)), Some((from, _))) => from == builder,
        _ => false,
    }
}

/// Returns the builder that is shown alone after this one; `None` stands for all, who follow the last.
#[must_use]
pub const fn next_filter(only: Option<Builder>) -> Option<Builder> {
    match only {
        None => Some(Builder::Blue),
        Some(Builder::Yellow) => None,
        Some(builder) => Some(builder.next()),
    }
}

/// The log of the snapshots up to the one that is shown, on a page of this many columns and rows.
#[derive(Clone, Copy, Debug)]
pub struct LogPage<'a> {
    /// The snapshots.
    snapshots: &'a [Snapshot],
    /// The notes, each after the index of the snapshot after which it came.
    notes: &'a [(usize, String)],
    /// The edition.
    edition: &'a Edition,
    /// The number of columns, and of rows.
    size: (u16, u16),
}

impl<'a> LogPage<'a> {
    /// Makes the page for a screen of this many columns and rows, without the frame and the lines below it.
    #[must_use]
    pub const fn on_screen(
        snapshots: &'a [Snapshot],
        notes: &'a [(usize, String)],
        edition: &'a Edition,
        (columns, rows): (u16, u16),
    ) -> Self {
        // A page without rows still shows one entry.
        Self { snapshots, notes, edition, size: (columns.saturating_sub(2), rows.saturating_sub(6)) }
    }

    /// Returns the number of rows that a snapshot takes.
    fn rows_of(&self, view: LogView, index: usize) -> usize {
        let lines = view.lines_of(index, self.snapshots, self.notes, self.edition);
        // Each may have the name of its turn.
        lines.iter().map(|line| wrapped(line, self.size.0.into(), true).1.len()).sum()
    }

    /// Returns how many of some snapshots, one after another, fit on the page; at least one that has a row.
    fn fitting(&self, view: LogView, snapshots: impl Iterator<Item = usize>) -> usize {
        let (mut rows, mut count) = (0, 0);
        for index in snapshots {
            let more = self.rows_of(view, index);
            if rows > 0 && rows + more > self.size.1.into() {
                break;
            }
            (rows, count) = (rows + more, count + 1);
        }
        count
    }
}

/// Handles a key of the page; returns whether the page stays.
pub fn press(view: &mut LogView, key: Key, page: &LogPage<'_>) -> bool {
    let count = page.snapshots.len();
    let until = view.until.unwrap_or(count).min(count);
    let has_rows = |&index: &usize| page.rows_of(*view, index) > 0;
    let next = match key {
        Key::Up | Key::Char('k') => (0..until).rev().find(has_rows).unwrap_or(0),
        Key::Down | Key::Char('j') => (until..count).find(has_rows).map_or(count, |index| index + 1),
        // The entries of a page are those before the ones of the next page.
        Key::PageUp => until - page.fitting(*view, (0..until).rev()),
        Key::PageDown => until + page.fitting(*view, until..count),
        Key::Home => 0,
        Key::End => count,
        Key::Char('F' | 'f') | Key::Tab => {
            view.filter_next();
            until
        }
        _ => return false,
    };
    // The first page is full.
    let until = next.max(page.fitting(*view, 0..count));
    view.until = Some(until).filter(|&until| until < count);
    true
}

/// Returns the title of a part of the log.
pub fn title(view: LogView, edition: &Edition) -> String {
    let only = view.only.map_or(String::new(), |builder| format!(" of {}", edition.colour(builder)));
    format!("log{only}{}", if view.until.is_some() { ", scrolled" } else { "" })
}

/// The width from which on the log names each turn where it begins.
const WIDE: usize = 44;

/// Returns the name of the turn, if it begins with a line, and the rows of the line.
fn wrapped(line: &LogLine, width: usize, begins: bool) -> (String, Vec<String>) {
    let turn = if begins && width >= WIDE { format!(" turn {}", line.turn) } else { String::new() };
    let rows = wrap(&line.text, width.saturating_sub(2 + turn.len()));
    (turn, rows)
}

/// Draws the end of a part of the log.
pub fn draw(
    view: LogView,
    snapshots: &[Snapshot],
    notes: &[(usize, String)],
    edition: &Edition,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let rows = usize::from(area.height);
    let lines = view.lines(snapshots, notes, edition, rows);
    // The first part of each line has the name of the turn that begins there, or an empty one.
    let mut all: Vec<(&LogLine, Option<String>, String)> = Vec::new();
    let mut last_turn = lines.first().map_or(0, |line| line.turn);
    for line in &lines {
        // Where the actions of others are left out, a turn may begin with a later one.
        let begins = std::mem::replace(&mut last_turn, line.turn) < line.turn || line.begins;
        let (turn, parts) = wrapped(line, area.width.into(), begins);
        let mut turn = Some(turn);
        all.extend(parts.into_iter().map(|part| (line, turn.take(), part)));
    }
    // The first line begins an entry.
    let first = all.len().saturating_sub(rows);
    let first = (first..all.len()).find(|&line| all[line].1.is_some()).unwrap_or(first);
    for (y, (line, turn, text)) in (0..).zip(&all[first..]) {
        let theme = canvas.theme;
        if let Some(turn) = turn {
            canvas.put_in(area, area.width.saturating_sub(cells(turn.len())), y, turn, theme.dim());
        }
        let colour = line.builder.map_or("", |builder| edition.colour(builder));
        let style = line.builder.map_or(theme.warning(), |builder| theme.builder(builder));
        match text.strip_prefix(colour).filter(|_| turn.is_some()) {
            Some(rest) => {
                canvas.put_parts(area, 0, y, &[(colour, style), (rest, theme.text())]);
            }
            None => {
                canvas.put_in(area, 2, y, text, theme.text());
            }
        }
    }
}
