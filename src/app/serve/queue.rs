//! The lines that wait for one client.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// The bytes that may wait for a client.
const MAX_BYTES: usize = 256 * 1024;

#[derive(Debug, Default)]
struct Waiting {
    texts: VecDeque<Arc<str>>,
    bytes: usize,
    is_closed: bool,
}

/// A queue of limited size, from the table to the thread that writes to a client.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// The next thing in a client's queue.
#[derive(Debug)]
pub enum Taken {
    /// A text to send.
    Text(Arc<str>),
    /// Nothing has come for a while.
    Nothing,
    /// The stream ends.
    End,
}

/// Returns the length of a text for the limit. The whole game, which a client gets first, may be longer than the limit.
fn counted(text: &str) -> usize {
    text.len().min(MAX_BYTES / 2)
}

impl Queue {
    /// Adds a text. Returns `false` if too much waits: then the client reads too slowly, and its stream ends.
    pub fn push(&self, text: Arc<str>) -> bool {
        let mut waiting = self.waiting.lock();
        let has_room = waiting.bytes + counted(&text) <= MAX_BYTES;
        if has_room {
            waiting.bytes += counted(&text);
            waiting.texts.push_back(text);
        } else {
            waiting.texts.clear();
            waiting.is_closed = true;
        }
        self.changed.notify_one();
        has_room
    }

    /// Ends the stream after what waits.
    pub fn close(&self) {
        self.waiting.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next text.
    pub fn take(&self, patience: Duration) -> Taken {
        let mut waiting = self.waiting.lock();
        let is_idle = |waiting: &mut Waiting| waiting.texts.is_empty() && !waiting.is_closed;
        let _ = self.changed.wait_while_for(&mut waiting, is_idle, patience);
        match waiting.texts.pop_front() {
            Some(text) => {
                waiting.bytes -= counted(&text);
                Taken::Text(text)
            }
            None if waiting.is_closed => Taken::End,
            None => Taken::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_is_joined_and_a_slow_reader_is_not_waited_for() {
        let queue = Queue::default();
        assert!(queue.push("x".repeat(4 * MAX_BYTES).into()) && queue.push("presence".into()));
        for length in [4 * MAX_BYTES, "presence".len()] {
            assert!(matches!(queue.take(Duration::ZERO), Taken::Text(text) if text.len() == length));
        }
        let pushed = (0..1_000).take_while(|_| queue.push("x".repeat(1_024).into())).count();
        assert_eq!(pushed, MAX_BYTES / 1_024);
        assert!(matches!(queue.take(Duration::ZERO), Taken::End));
    }
}
