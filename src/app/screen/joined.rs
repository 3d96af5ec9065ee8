//! The beginning of a game at a table over the network.

use std::sync::mpsc::Receiver;

use constructor_common::frame::Io;

use super::messages::LoopMessage;
use crate::app::remote::FromTable;
use crate::tui::Remote;

/// Waits until the first position of the table has come.
///
/// # Errors
/// Why it does not come.
pub fn first_position(io: &Io, inbox: &Receiver<LoopMessage>) -> Result<Remote, String> {
    let mut remote = Remote::default();
    for message in inbox {
        match message {
            LoopMessage::Table(FromTable::Message(message)) => {
                let can_show = remote.take(*message)?;
                if can_show {
                    return Ok(remote);
                }
            }
            LoopMessage::Table(FromTable::Lost(reason)) => {
                io.voice.say(format_args!("{reason}; joining again"));
            }
            LoopMessage::Table(FromTable::Ended(reason)) => return Err(reason),
            _ => {}
        }
    }
    Err("the table does not answer".to_owned())
}
