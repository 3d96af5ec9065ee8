//! The program: arguments in, exit status out.

use std::process::ExitCode;

fn main() -> ExitCode {
    constructor::run(std::env::args_os())
}
