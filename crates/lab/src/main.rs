//! The program `constructor-lab`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use constructor_common::frame::{self, Failure, Io};
use constructor_lab::options::{Command, Options, YardstickName};
use constructor_lab::yardsticks::{alpha_beta::AlphaBeta, uct::Uct};
use constructor_lab::{calibrate, play, regret, tune, value};
use penguins::players::Player;

fn main() -> ExitCode {
    let started = Instant::now();
    let run = |command: &dyn Fn(&Io) -> Result<u8, Failure>| frame::run("constructor-lab", command);
    let status = match Options::parse().command {
        Command::Tune(options) => run(&|io| tune::tune(io, &options)),
        Command::Calibrate(options) => run(&|io| calibrate::calibrate(io, &options)),
        Command::Regret(options) => run(&|io| regret::regret(io, &options)),
        Command::Value(options) => run(&|io| value::value(io, &options)),
        Command::Match(options) => run(&|io| play::play_match(io, &options)),
        Command::Yardstick { name, mut arguments } => {
            // The default name must differ from the name of the engine, which may be the opponent.
            if !arguments.iter().any(|argument| argument.to_string_lossy().starts_with("id=")) {
                arguments.push(format!("id={name:?}").into());
            }
            penguins::app::run_with(&arguments, started, |game, deadline| match name {
                YardstickName::Plain => AlphaBeta.decide(game, deadline),
                YardstickName::Uct => Uct::new(constructor_common::rng::random_seed()).decide(game, deadline),
            })
        }
    };
    status.into()
}
