//! Signals that end a program. They are blocked in all threads, and one thread waits for them, so no code runs in a signal
//! handler.

use std::{fs, io, thread};

use nix::sys::signal::{SigSet, Signal};

/// The signals that are left alone: they report a fault of the program itself, or do not end a program by default.
const NOT_TERMINATING: [Signal; 16] = [
    Signal::SIGSEGV,
    Signal::SIGBUS,
    Signal::SIGFPE,
    Signal::SIGILL,
    Signal::SIGTRAP,
    Signal::SIGSYS,
    Signal::SIGCHLD,
    Signal::SIGCONT,
    Signal::SIGTSTP,
    Signal::SIGTTIN,
    Signal::SIGTTOU,
    Signal::SIGURG,
    Signal::SIGWINCH,
    Signal::SIGPIPE,
    // Cannot be blocked.
    Signal::SIGKILL,
    Signal::SIGSTOP,
];

/// What a shell adds to the number of a signal for the exit status of the program that it ended.
const SIGNAL_STATUS: u8 = 128;

/// Makes a file that exceeds its size limit an error (`EFBIG`) instead of the end of the program, in this thread and those that it
/// spawns.
///
/// # Errors
/// When the system refuses.
pub fn block_file_size_signal() -> io::Result<()> {
    let signals: SigSet = [Signal::SIGXFSZ].into_iter().collect();
    Ok(signals.thread_block()?)
}

/// Calls `handle` with the exit status, 128 plus the signal's number, on a thread of its own, for every signal that would end the
/// program. While it runs, further signals wait. Signals that were ignored at the start, as by `nohup`, stay ignored.
///
/// Call it while there is only one thread: other threads would receive the signals themselves.
///
/// # Errors
/// When no thread can be spawned. The signals then have their default effect.
pub fn on_termination(mut handle: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored_mask();
    let is_handled = |signal: &Signal| {
        !NOT_TERMINATING.contains(signal) && *signal != Signal::SIGXFSZ && ignored & mask_bit(*signal) == 0
    };
    let terminating: SigSet = Signal::iterator().filter(is_handled).collect();
    terminating.thread_block()?;
    let waiting = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while let Ok(signal) = terminating.wait() {
            handle(SIGNAL_STATUS + signal as u8);
        }
    });
    if let Err(error) = waiting {
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
