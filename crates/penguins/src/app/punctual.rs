//! Answering in time, even if a search is held up.
//!
//! A search reads the clock between positions, but the system can hold it up for longer: before a page of a new table can be used, memory
//! may be compacted into huge pages, which has taken more than a second. So a search runs on a thread of its own, whose result is awaited
//! only until shortly after the deadline.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Returns how long after its deadline a search of this duration may answer. This is most of the reserve that
/// [`deadline`](super::one_turn::deadline) leaves.
///
/// In this time, the search reads the clock a last time and frees its table.
fn grace(time: Duration) -> Duration {
    const LEAST: Duration = Duration::from_micros(2_500);
    const MOST: Duration = Duration::from_millis(25);
    (LEAST + time / 50).min(MOST)
}

/// Runs a search on a thread of its own and returns its result; `None` if it has not answered shortly after the deadline.
///
/// In that case, the thread continues until the program ends. If no thread can be spawned, the search runs on the calling thread.
pub fn in_time<T: Send + 'static>(deadline: Instant, search: impl FnOnce() -> T + Clone + Send + 'static) -> Option<T> {
    let (sender, answer) = mpsc::channel();
    let on_thread = search.clone();
    if thread::Builder::new().spawn(move || drop(sender.send(on_thread()))).is_err() {
        return Some(search());
    }
    let time = deadline.saturating_duration_since(Instant::now());
    answer.recv_timeout(time + grace(time)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_a_search_that_is_held_up() {
        let started = Instant::now();
        let deadline = started + Duration::from_millis(50);
        let held_up = || {
            thread::sleep(Duration::from_mins(1));
            1
        };
        assert_eq!(in_time(deadline, held_up), None);
        assert!(started.elapsed() >= Duration::from_millis(50) && started.elapsed() < Duration::from_secs(20));
        assert_eq!(in_time(Instant::now() + Duration::from_mins(1), || 2), Some(2));
        assert_eq!(in_time(started, held_up), None, "the deadline has passed");
    }
}
