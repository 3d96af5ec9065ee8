//! The messages that the threads of the screen send to the main thread.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Instant;

use constructor_common::signals::JobControl;
use crossterm::event::Event as InputEvent;

use crate::app::remote::FromTable;
use crate::tui::TuiEvent;

/// A message from another thread.
pub enum LoopMessage {
    /// An event for the state.
    TuiEvent(TuiEvent),
    /// An input event from the terminal.
    Input(InputEvent),
    /// Something from the table over the network.
    Table(FromTable),
    /// The terminal cannot be read any more.
    InputFailed(io::Error),
    /// The program is to stop, or was continued.
    Job(JobControl),
    /// A thread panicked.
    Panicked(String),
}

/// Returns a function that sends messages to the main thread.
pub fn sender(messages: &Sender<LoopMessage>) -> impl Fn(LoopMessage) + Send + Sync + use<> {
    let messages = messages.clone();
    // The receiver is gone once the program ends.
    move |message| drop(messages.send(message))
}

/// Starts a thread.
///
/// If the thread panics, a message about the panic is sent.
///
/// # Errors
/// When no thread can be started.
pub fn spawn<S: Fn(LoopMessage) + Send + 'static>(
    name: &str,
    send: S,
    run: impl FnOnce(&S) + Send + 'static,
) -> io::Result<()> {
    let thread = move || {
        if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| run(&send))) {
            send(LoopMessage::Panicked(panic_text(&*panic)));
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(thread).map(drop)
}

/// Returns the text of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("internal error: {}", text.unwrap_or_default())
}

/// Waits for a message. If there is a deadline, gives up at the deadline and returns `None`.
pub fn wait_for(inbox: &Receiver<LoopMessage>, deadline: Option<Instant>) -> Option<LoopMessage> {
    match deadline {
        None => inbox.recv().ok(),
        Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
    }
}
