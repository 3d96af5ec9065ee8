//! Counts the positions that can be reached from a saved game, by depth.
//!
//!     cargo run --release --example perft -- FILE [DEPTH]

use std::process::ExitCode;

use constructor::game::{Game, Trades, perft};
use constructor::text::{CONSTRUCTOR, save};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("perft: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: perft FILE [DEPTH]")?;
    let max_depth = args.next().map_or(Ok(3), |depth| depth.parse()).map_err(|_| "expected a number for DEPTH")?;
    let text = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let saved = save::read_game(&CONSTRUCTOR, &text).map_err(|error| format!("{path}: {error}"))?;
    let game = Game::from_saved(CONSTRUCTOR.rules, &saved).map_err(|error| format!("{path}: {error}"))?;
    for depth in 1..=max_depth {
        println!("{depth} {}", perft(&game, depth, Trades::Off));
    }
    Ok(())
}
