//! Standard input and output as files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Duplicates standard input.
///
/// # Errors
/// When it is closed.
pub fn stdin() -> io::Result<RetryOnWouldBlock> {
    io::stdin().as_fd().try_clone_to_owned().map(|input| RetryOnWouldBlock(input.into()))
}

/// Duplicates standard output.
///
/// # Errors
/// When it is closed.
pub fn stdout() -> io::Result<RetryOnWouldBlock> {
    io::stdout().as_fd().try_clone_to_owned().map(|output| RetryOnWouldBlock(output.into()))
}

/// A stream that is tried again on `EAGAIN`: another process that shares it may have made it non-blocking.
#[derive(Debug)]
pub struct RetryOnWouldBlock(pub File);

impl RetryOnWouldBlock {
    fn retry<T>(&mut self, ready: PollFlags, mut operation: impl FnMut(&mut File) -> io::Result<T>) -> io::Result<T> {
        loop {
            match operation(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // If this fails, the loop still works, by busy waiting.
                    let _ = poll(&mut [PollFd::new(self.0.as_fd(), ready)], PollTimeout::NONE);
                }
                done => return done,
            }
        }
    }
}

impl Read for RetryOnWouldBlock {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.retry(PollFlags::POLLIN, |file| file.read(buffer))
    }
}

impl Write for RetryOnWouldBlock {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(PollFlags::POLLOUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
