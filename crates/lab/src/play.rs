//! Players that are made from names and files of weights, and matches between these players.

use std::path::Path;
use std::sync::Arc;

use constructor::players::{
    Linear, Mcts, Network, PLACEMENT_NETWORK, Player, PlayerFactory, PlayerKind, TURN_NETWORK, TurnPolicy,
    VALUE_NETWORK, Weights,
};
use constructor::simulate::{Simulation, table};
use constructor_common::display_path;
use constructor_common::files::MAX_FILE_SIZE;
use constructor_common::frame::{Failure, Io};

use crate::options::{MatchOptions, Thinking};

/// Makes the factory of a player: a kind of player; `linear`, the linear player with the expert's weights; `policy`, the turn policy; or
/// `normal`, `linear`, `policy`, `value`, `placement` or `turn` with a colon and a file of weights.
///
/// The players `value`, `placement` and `turn` are experts with the network of the file.
///
/// # Errors
/// When there is no such player, or the file cannot be read or has other weights.
pub fn player(io: &Io, name: &str, thinking: &Thinking) -> Result<PlayerFactory, String> {
    let make = |make: Box<dyn Fn() -> Box<dyn Player> + Send + Sync>| PlayerFactory::new(name, make);
    let Some((kind, file)) = name.split_once(':') else {
        return match name {
            "linear" => Ok(make(Box::new(|| Box::new(Linear::new(Weights::rollout()))))),
            "policy" => Ok(make(Box::new(|| Box::new(TurnPolicy::default())))),
            _ => {
                PlayerKind::named(name).map(|kind| kind.factory(&thinking.budget())).map_err(|error| error.to_string())
            }
        };
    };
    let path = Path::new(file);
    let text = String::from_utf8_lossy(&io.files.input(path, MAX_FILE_SIZE)?).into_owned();
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", display_path(path));
    let network = |spec| Network::parse(spec, &text).map(Arc::new).map_err(|error| wrong(&error));
    let expert = |spec| {
        let (network, budget) = (network(spec)?, thinking.budget());
        let factory = make(Box::new(move || Box::new(Mcts::new(budget.clone()).with_network(Arc::clone(&network)))));
        Ok(factory.thinking(thinking.limit()))
    };
    match kind {
        "normal" | "linear" => {
            let weights = Weights::parse(&text).map_err(|error| wrong(&error))?;
            Ok(make(Box::new(move || Box::new(Linear::new(weights.clone())))))
        }
        "policy" => {
            let network = network(&TURN_NETWORK)?;
            Ok(make(Box::new(move || Box::new(TurnPolicy::new(Arc::clone(&network))))))
        }
        "value" => expert(&VALUE_NETWORK),
        "placement" => expert(&PLACEMENT_NETWORK),
        "turn" => expert(&TURN_NETWORK),
        _ => Err(format!("'{name}': expected normal, linear, policy, value, placement or turn before the colon")),
    }
}

/// Plays a match and prints its statistics.
///
/// # Errors
/// When a player cannot be made, or standard output fails.
pub fn play_match(io: &Io, options: &MatchOptions) -> Result<u8, Failure> {
    let [one, other] = &options.players[..] else {
        return Err("expected two comma-separated players".to_owned().into());
    };
    let [one, other] = [one, other].map(|name| player(io, name, &options.thinking));
    let mut simulation = Simulation::versus(options.common.edition, one?, other?);
    simulation.seed = options.common.seed;
    simulation.games = options.boards * simulation.schedule.games_per_board();
    let stats = simulation.run(options.common.threads());
    io.print(table(&simulation, &stats).as_bytes())?;
    Ok(0)
}
