//! The program `constructor`: see [`constructor::app`].

use std::process::ExitCode;

fn main() -> ExitCode {
    constructor::app::run(std::env::args_os(), option_env!("CONSTRUCTOR_COMMIT"))
}
