//! Signals that end a program. A thread waits for them; the signal handlers, which are those of the crate `signal-hook`, only wake it up.
//!
//! The signals are not blocked, since programs that this one starts would inherit the blocking.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::{fs, io, thread};

use nix::sys::signal::{Signal, raise};
use nix::unistd::{Pid, getpgid, getppid, getsid};
use signal_hook::consts::signal as number;
use signal_hook::iterator::{Handle, Signals};

/// The signals that end a program by default, with three exceptions: signals that report a fault of the program itself, such as SIGSEGV;
/// SIGPIPE, which Rust ignores; and the real-time signals, since catching all of them took 0.3 ms at every start.
const TERMINATING: &[c_int] = &[
    number::SIGHUP,
    number::SIGINT,
    number::SIGQUIT,
    number::SIGTERM,
    number::SIGABRT,
    number::SIGALRM,
    number::SIGVTALRM,
    number::SIGPROF,
    number::SIGUSR1,
    number::SIGUSR2,
    number::SIGXCPU,
];

/// Further signals that end a program on this system.
#[cfg(target_os = "linux")]
const TERMINATING_HERE: &[Signal] = &[Signal::SIGSTKFLT, Signal::SIGIO, Signal::SIGPWR];
#[cfg(not(target_os = "linux"))]
const TERMINATING_HERE: &[Signal] = &[];

/// The number that a shell adds to a signal's number for the exit status of a program that the signal ended.
const SIGNAL_STATUS: u8 = 128;

/// Makes writing beyond the limit of the file size an error (`EFBIG`), which would otherwise end the program.
///
/// # Errors
/// When the system refuses.
pub fn catch_file_size_signal() -> io::Result<()> {
    signal_hook::flag::register(number::SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// A handle to the caught signals, by which more signals can be caught.
#[derive(Clone, Debug)]
pub struct Caught(Handle);

impl Caught {
    /// Catches the [rare signals](rare_signals) too.
    ///
    /// A signal that cannot be caught keeps its default effect.
    pub fn catch_rare(&self) {
        let ignored = ignored_mask();
        for signal in rare_signals().filter(|signal| ignored & 1 << (signal - 1) == 0) {
            let _ = self.0.add_signal(signal);
        }
    }
}

/// Calls `handle` for every signal that would end the program, on a thread of its own, with the exit status: 128 plus the signal's number.
///
/// While `handle` runs, further signals wait. Signals that were ignored at the start, as by `nohup`, stay ignored.
///
/// # Errors
/// When no thread can be spawned, or a signal cannot be caught. The signals then have their default effect.
pub fn on_termination(mut handle: impl FnMut(u8) + Send + 'static) -> io::Result<Caught> {
    let ignored = ignored_mask();
    let signals = TERMINATING.iter().copied().chain(TERMINATING_HERE.iter().map(|&signal| signal as c_int));
    let signals: Vec<c_int> = signals.filter(|signal| ignored & 1 << (signal - 1) == 0).collect();
    let (ready, is_ready) = mpsc::channel();
    // The thread itself catches the signals: if it cannot be started, they keep their default effect.
    thread::Builder::new().name("signals".to_owned()).spawn(move || match Signals::new(signals) {
        Ok(mut signals) => {
            let _ = ready.send(Ok(Caught(signals.handle())));
            for signal in signals.forever() {
                handle(u8::try_from(signal).map_or(u8::MAX, |signal| SIGNAL_STATUS.saturating_add(signal)));
            }
        }
        Err(error) => {
            let _ = ready.send(Err(error));
        }
    })?;
    is_ready.recv().unwrap_or_else(|_| Err(io::Error::other("the thread ended")))
}

/// Returns the mask of the signals that were ignored when the program started. Returns 0 where the system does not report it.
fn ignored_mask() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Returns the signals that would also end the program, but hardly ever do: SIGTRAP, SIGSYS, and the real-time signals of Linux that the C
/// library leaves to programs.
///
/// SIGILL, SIGFPE, SIGSEGV and SIGBUS report faults, after which nothing can be relied on.
pub fn rare_signals() -> impl Iterator<Item = c_int> {
    let real_time = (34..=64).filter(|_| cfg!(target_os = "linux"));
    [number::SIGTRAP, number::SIGSYS].into_iter().chain(real_time)
}

/// A request of the user at the terminal to stop or continue the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobControl {
    /// The program has to stop.
    Stop,
    /// It was continued.
    Continue,
}

/// Calls `handle` on a separate thread when the program is asked to stop (SIGTSTP) and when it was continued. The program is not stopped
/// automatically.
///
/// # Errors
/// When no thread can be spawned, or a signal cannot be caught.
pub fn on_job_control(mut handle: impl FnMut(JobControl) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([number::SIGTSTP, number::SIGCONT])?;
    let wait = move || {
        for signal in signals.forever() {
            handle(if signal == number::SIGCONT { JobControl::Continue } else { JobControl::Stop });
        }
    };
    thread::Builder::new().name("job control".to_owned()).spawn(wait).map(drop)
}

/// Stops the program until it is continued. Does nothing unless another process can continue it: a process of the same session in another
/// process group, such as a shell with job control.
pub fn stop_until_continued() {
    if has_job_control() {
        let _ = raise(Signal::SIGSTOP);
    }
}

/// Returns whether an ancestor of this process in its session leads another process group.
fn has_job_control() -> bool {
    let (Ok(session), Ok(group)) = (getsid(None), getpgid(None)) else { return false };
    let mut ancestor = getppid();
    while getsid(Some(ancestor)) == Ok(session) {
        if getpgid(Some(ancestor)) != Ok(group) {
            return true;
        }
        match crate::process::state_and_parent(ancestor.as_raw()) {
            Some((_, parent)) => ancestor = Pid::from_raw(parent),
            None => return false,
        }
    }
    false
}
