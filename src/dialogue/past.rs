//! What was done in a game, for those who want to look back or go back.

use super::record::Record;
use crate::game::{Action, Builder, Game};

/// The actions of a game so far, and what was before those that can be taken back.
#[derive(Default)]
pub(super) struct Past {
    done: Vec<(Builder, Action)>,
    /// Before each of the last actions that built something, in this turn.
    before: Vec<(Game, Record)>,
}

impl Past {
    /// Takes down an action that was done. What was built can be taken back until something else is done: then chance or
    /// another builder has answered.
    pub(super) fn note(&mut self, builder: Builder, action: Action, game: &Game, record: Record) {
        if let Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_) = action {
            self.before.push((*game, record));
        } else {
            self.before.clear();
        }
        self.done.push((builder, action));
    }

    /// What was before the last action, if it can be taken back; it is forgotten.
    pub(super) fn take_back(&mut self) -> Option<(Game, Record)> {
        let before = self.before.pop()?;
        self.done.pop();
        Some(before)
    }

    /// Everything that was done and not taken back.
    pub(super) fn done(&self) -> &[(Builder, Action)] {
        &self.done
    }
}
