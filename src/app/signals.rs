//! Signals that end the program. They are blocked in all threads, and one thread waits for them, so no code runs in a signal
//! handler.

use std::{fs, io, thread};

use nix::sys::signal::{SigSet, Signal};

/// The signals that ask the program to end: Ctrl-C, `kill`, and a terminal that closes.
const TERMINATING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// What a shell adds to the number of a signal for the exit status of the program that it ended.
const SIGNAL_STATUS: u8 = 128;

/// Calls `end` with the exit status, on a thread of its own, when a terminating signal arrives. A second signal ends the program
/// at once. Signals that were ignored at the start, as by `nohup`, stay ignored. SIGXFSZ is blocked, so a file that exceeds its
/// size limit is an error.
///
/// Call it while there is only one thread: other threads would receive the signals themselves.
///
/// # Errors
/// When no thread can be spawned.
pub fn on_termination(end: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored_mask();
    let terminating: SigSet = TERMINATING.into_iter().filter(|&signal| ignored & mask_bit(signal) == 0).collect();
    let mut blocked = terminating;
    blocked.add(Signal::SIGXFSZ);
    blocked.thread_block()?;
    let waiting = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(signal) = terminating.wait() {
            // The next signal has its default effect. If unblocking fails, it waits for the end.
            let _ = terminating.thread_unblock();
            end(SIGNAL_STATUS + signal as u8);
            // Only this thread has the signals unblocked. It must stay, so that the next one ends the program.
            loop {
                thread::park();
            }
        }
    });
    if let Err(error) = waiting {
        // No thread waits for the signals: restore their default effect.
        terminating.thread_unblock()?;
        return Err(error);
    }
    Ok(())
}

/// The mask of the signals that were ignored when the program started; 0 where the system does not tell.
fn ignored_mask() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// The bit of a signal in the system's masks.
const fn mask_bit(signal: Signal) -> u64 {
    1 << (signal as u64 - 1)
}
