//! The history of a game, for undo and for logs.

use super::build_order::BuildOrder;
use crate::game::{Action, Builder, Event, Game};

/// An action that was played, and the events that it caused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    /// The builder who decided.
    pub builder: Builder,
    /// The action.
    pub action: Action,
    /// The events that it caused, in order.
    pub events: Vec<Event>,
}

/// The actions of a game so far, and the states to which an undo returns.
#[derive(Default, Debug)]
pub(super) struct History {
    entries: Vec<HistoryEntry>,
    /// The state before each of the last building actions of this turn.
    undo: Vec<(Game, BuildOrder)>,
}

impl History {
    /// Adds an action with the state before it.
    ///
    /// A building action can be undone until an action of another kind is played, since the other kinds involve chance or another builder.
    pub(super) fn push(&mut self, entry: HistoryEntry, before: (Game, BuildOrder)) {
        if let Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_) = entry.action {
            self.undo.push(before);
        } else {
            self.undo.clear();
        }
        self.entries.push(entry);
    }

    /// Removes the last action and returns the state before it, if it can be undone.
    pub(super) fn undo(&mut self) -> Option<(Game, BuildOrder)> {
        let before = self.undo.pop()?;
        self.entries.pop();
        Some(before)
    }

    pub(super) fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }
}
