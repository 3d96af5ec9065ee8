//! The data that the main thread shares with the thread that waits for signals.

use constructor_common::files::Trace;

use crate::app::play::GameBackup;
use crate::tui::{Page, State};

/// The game, and how it is saved.
pub struct Shared {
    pub state: State,
    /// How the game is saved, once there is one.
    pub backup: Option<GameBackup>,
    /// The record of the game; `None` if the game is not recorded, or its record failed.
    pub recorded: Option<Recorded>,
    /// Whether the game is over or saved.
    pub has_ended: bool,
}

/// A record that can be continued.
pub struct Recorded {
    /// The command that continues it.
    pub command: String,
    /// The file after the last answer; `None` if it cannot be continued.
    pub trace: Option<Trace>,
}

impl Shared {
    /// Notes that the record failed: the game is saved in the backup from now on.
    pub fn is_kept_no_more(&mut self) {
        self.recorded = None;
        if let Page::Play(play) = &mut self.state.page {
            play.is_kept = false;
        }
    }

    /// Ends the game, and saves it if it is not over. Only the first call has an effect.
    ///
    /// Returns the messages for the user, and `true` if nothing of the game is lost.
    pub fn end(&mut self) -> (Vec<String>, bool) {
        if std::mem::replace(&mut self.has_ended, true) {
            return (Vec::new(), true);
        }
        match (self.state.play(), &self.backup, &self.recorded) {
            (Some(play), _, Some(Recorded { command, trace: Some(trace) })) if trace.is_intact() => {
                let is_over = play.is_over() || play.timeline.snapshots().len() == 1;
                let message = (!is_over).then(|| format!("the game is kept; continue it with: {command}"));
                (message.into_iter().collect(), true)
            }
            (Some(play), Some(backup), _) => backup.save(play.timeline.dialogue(), false),
            _ => (Vec::new(), true),
        }
    }
}
