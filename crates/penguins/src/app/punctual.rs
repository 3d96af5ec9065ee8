//! An answer in time, whatever holds a search up.
//!
//! A search looks at the clock between positions. The system can keep it for longer: a page of a fresh table may have to wait until memory
//! was compacted into huge pages, which has taken more than a second. So a search has a thread of its own, and nobody waits for it longer
//! than until its deadline and a little.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Returns how much later than its deadline a search of this time may answer: most of the reserve that
/// [`deadline`](super::one_turn::deadline) leaves.
///
/// Meanwhile it looks at the clock a last time and frees its table.
fn grace(time: Duration) -> Duration {
    const LEAST: Duration = Duration::from_micros(2_500);
    const MOST: Duration = Duration::from_millis(25);
    (LEAST + time / 50).min(MOST)
}

/// Returns what a search on a thread of its own finds; `None` if it has not answered soon after the deadline.
///
/// The thread then goes on until the program ends. Where there can be no other thread, it searches on this one.
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
