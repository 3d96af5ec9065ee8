//! Signals that end the program. They are held back from all that the program does and taken by a thread that waits for
//! them, so there is no handler and nothing that a handler may not do.

use std::{fs, io, thread};

use nix::sys::signal::{SigSet, Signal};

/// The signals that ask the program to end: Ctrl-C, `kill`, and a terminal that closes.
const ENDING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// What a shell adds to the number of the signal that ended a program, to make its exit status.
const ENDED_BY_SIGNAL: u8 = 128;

/// Has `end` called, on a thread of its own and with the exit status that is due, when one of the signals comes that ask
/// the program to end. A second one ends the program at once. Signals that the program was started to ignore, as
/// `nohup` does, stay ignored. A file that grows beyond its limit is an error from now on, and no signal.
///
/// To be called by the only thread that there is, since threads that run already would take the signals themselves.
///
/// # Errors
/// When the system has no room for another thread.
pub fn watch(end: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored();
    let ending: SigSet = ENDING.into_iter().filter(|&signal| ignored & bit(signal) == 0).collect();
    let mut held = ending;
    held.add(Signal::SIGXFSZ);
    held.thread_block()?;
    let waiting = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(signal) = ending.wait() {
            // The next one does what signals do by themselves. If it cannot be let through, it waits for the end.
            let _ = ending.thread_unblock();
            end(ENDED_BY_SIGNAL + signal as u8);
            // Only this thread lets signals through. It stays, so that the next one ends the program.
            loop {
                thread::park();
            }
        }
    });
    if let Err(error) = waiting {
        // Nobody would take them: they do again what signals do by themselves.
        ending.thread_unblock()?;
        return Err(error);
    }
    Ok(())
}

/// The signals that the program was started to ignore, each a [`bit`]. Where the system does not tell, there are none.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Where a signal stands in the masks that the system shows.
const fn bit(signal: Signal) -> u64 {
    1 << (signal as u64 - 1)
}
