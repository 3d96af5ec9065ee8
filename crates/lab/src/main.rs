//! The program `constructor-lab`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use constructor_common::frame;
use constructor_lab::options::{Command, Options, YardstickName};
use constructor_lab::yardsticks::{alpha_beta::AlphaBeta, uct::Uct};
use constructor_lab::{calibrate, play, regret, tune};
use penguins::players::Player;

fn main() -> ExitCode {
    let begun = Instant::now();
    let command = Options::parse().command;
    if let Command::Yardstick { name, mut arguments } = command {
        // Another than the engine's, which it may play against.
        if !arguments.iter().any(|argument| argument.to_string_lossy().starts_with("id=")) {
            arguments.push(format!("id={name:?}").into());
        }
        let decide = |game: &_, deadline| match name {
            YardstickName::Plain => AlphaBeta.decide(game, deadline),
            YardstickName::Uct => Uct::new(constructor_common::rng::random_seed()).decide(game, deadline),
        };
        return penguins::app::run_with(&arguments, begun, decide).into();
    }
    let status = frame::run("constructor-lab", |io| match command {
        Command::Tune(options) => tune::tune(io, &options),
        Command::Calibrate(options) => calibrate::calibrate(io, &options),
        Command::Regret(options) => regret::regret(io, &options),
        Command::Match(options) => play::play_match(io, &options),
        Command::Yardstick { .. } => Ok(0),
    });
    status.into()
}
