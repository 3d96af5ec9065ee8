//! The log of the game's actions and events, in the words of the text game.

use super::timeline::Snapshot;
use crate::game::Builder;
use crate::text::Edition;

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
                && self.only.is_none_or(|only| only == builder)
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
        self.only = match self.only {
            None => Some(Builder::Blue),
            Some(Builder::Yellow) => None,
            Some(builder) => Some(builder.next()),
        };
    }
}
