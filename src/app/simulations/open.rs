//! Opening a simulation, and how signals end it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use constructor_common::frame::Io;

use crate::app::bots::{BotPool, BotSettings};
use crate::app::options::PlayerChoice;
use crate::game::Trades;
use crate::players::{Budget, Limit, PlayerFactory};
use crate::simulate::Cancellation;
use crate::text::Edition;

/// Returns the factory of a player of simulations, in which people cannot play.
pub fn player_factory(
    player: &PlayerChoice,
    programs: &BotPool,
    edition: &'static Edition,
    trades: Trades,
    limit: Limit,
    cancellation: &Cancellation,
) -> PlayerFactory {
    match player {
        PlayerChoice::Computer(kind) => kind.factory(&Budget::new(limit).with_stop_signal(cancellation.stop.clone())),
        PlayerChoice::Program(command) => programs.factory(command.clone(), BotSettings { edition, trades, limit }),
        // The command line allows no people here.
        PlayerChoice::Human => PlayerFactory::new(&player.name(), || Box::new(crate::players::Random)),
    }
}

/// Makes signals end the games. Each further signal drops more work. The last one ends the program at once, since a reader of the results
/// may be stuck.
///
/// Returns a variable that holds the exit status of the last signal, or 0 before the first.
///
/// The first signal prints `message`, and lets no more games begin. With `drops_at_once` it also drops the games in progress; otherwise the
/// second signal does that.
pub fn stop_on_signals(
    io: &Io,
    programs: &BotPool,
    cancellation: &Cancellation,
    drops_at_once: bool,
    message: Option<&'static str>,
) -> Arc<AtomicU8> {
    let status_to_store = Arc::new(AtomicU8::new(0));
    let (stored, io_at_signal, groups) = (Arc::clone(&status_to_store), io.clone(), programs.groups.clone());
    let Cancellation { stop, drop_games } = cancellation.clone();
    let mut signals = 0_u32;
    io.on_signal(move |status| {
        stored.store(status, Ordering::Relaxed);
        signals += 1;
        match signals {
            1 => {
                if drops_at_once {
                    drop_games.stop();
                }
                stop.stop();
                if let Some(message) = &message {
                    io_at_signal.voice.say(message);
                }
            }
            2 if !drops_at_once => drop_games.stop(),
            _ => {
                drop(groups.kill_all());
                io_at_signal.exit(status);
            }
        }
    });
    status_to_store
}

/// Checks that no program has failed at its first question in every game.
///
/// # Errors
/// The warning about a program that does not play.
pub fn check_programs(programs: &BotPool) -> Result<(), String> {
    programs.broken().map_or(Ok(()), Err)
}
