//! Signals that end a program. They are blocked in all threads, and one thread waits for them, so no code runs in a signal
//! handler.

use std::{fs, io, thread};

use nix::sys::signal::{SigSet, Signal};

/// The signals that end a program by default, but for those that report a fault of the program itself, such as SIGSEGV, the
/// real-time signals, and SIGPIPE, which Rust ignores.
const TERMINATING: &[Signal] = &[
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGABRT,
    Signal::SIGALRM,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGXCPU,
    #[cfg(target_os = "linux")]
    Signal::SIGIO,
    #[cfg(target_os = "linux")]
    Signal::SIGPWR,
    #[cfg(target_os = "linux")]
    Signal::SIGSTKFLT,
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

/// Calls `handle` with the exit status, 128 plus the signal's number, on a thread of its own, for every [terminating](TERMINATING) signal.
/// While it runs, further signals wait. Signals that were ignored at the start, as by `nohup`, stay ignored.
///
/// Call it while there is only one thread: other threads would receive the signals themselves.
///
/// # Errors
/// When no thread can be spawned. The signals then have their default effect.
pub fn on_termination(mut handle: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    let ignored = ignored_mask();
    let terminating: SigSet = TERMINATING.iter().copied().filter(|&signal| ignored & mask_bit(signal) == 0).collect();
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
