//! The program: runs the command line and returns the exit status.

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let started = Instant::now();
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    penguins::app::run(&args, started).into()
}
