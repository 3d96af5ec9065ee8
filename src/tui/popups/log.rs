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
        for (index, snapshot) in snapshots[..end].iter().enumerate().rev() {
            if lines.len() >= count {
                break;
            }
            let notes = notes.iter().rev().filter(|(after, _)| *after == index);
            lines.extend(notes.map(|(_, text)| LogLine { builder: None, turn: snapshot.turn, text: text.clone() }));
            if let Some((builder, _)) = snapshot.action
                && self.only.is_none_or(|only| only == builder || is_trade_with(only, snapshots, index))
            {
                let text = snapshot.text(edition);
                lines.push(LogLine { builder: Some(builder), turn: snapshot.turn, text });
            }
        }
        lines.truncate(count);
        lines.reverse();
        lines
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

/// Handles a key of the page with the log of the first `snapshots` snapshots; returns whether the page stays.
pub fn press(view: &mut LogView, key: Key, snapshots: usize, page: u16) -> bool {
    match key {
        Key::Up | Key::Char('k') => view.scroll(snapshots, -1),
        Key::Down | Key::Char('j') => view.scroll(snapshots, 1),
        Key::PageUp => view.scroll(snapshots, -isize::from(page.cast_signed())),
        Key::PageDown => view.scroll(snapshots, isize::from(page.cast_signed())),
        Key::Home => view.scroll(snapshots, isize::MIN),
        Key::End => view.until = None,
        Key::Char('F' | 'f') | Key::Tab => view.filter_next(),
        _ => return false,
    }
    // The first page is full.
    view.until = view.until.map(|until| until.max(page.into())).filter(|&until| until < snapshots);
    true
}

/// Returns the title of a part of the log.
pub fn title(view: LogView, edition: &Edition) -> String {
    let only = view.only.map_or(String::new(), |builder| format!(" of {}", edition.colour(builder)));
    format!("log{only}{}", if view.until.is_some() { ", scrolled" } else { "" })
}

/// The width from which on the log names each turn where it begins.
const WIDE: usize = 44;

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
    let width = usize::from(area.width);
    // Where the first of the lines is within its turn is not known.
    let mut last_turn = lines.first().map_or(0, |line| line.turn);
    // The first part of each line has the name of the turn that begins there, or an empty one.
    let mut wrapped: Vec<(&LogLine, Option<String>, String)> = Vec::new();
    for line in &lines {
        let begins = std::mem::replace(&mut last_turn, line.turn) < line.turn && width >= WIDE;
        let turn = if begins { format!(" turn {}", line.turn) } else { String::new() };
        let parts = wrap(&line.text, width.saturating_sub(2 + turn.len()));
        let mut turn = Some(turn);
        wrapped.extend(parts.into_iter().map(|part| (line, turn.take(), part)));
    }
    // The first line begins an entry.
    let first = wrapped.len().saturating_sub(rows);
    let first = (first..wrapped.len()).find(|&line| wrapped[line].1.is_some()).unwrap_or(first);
    for (y, (line, turn, text)) in (0..).zip(&wrapped[first..]) {
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
