//! The command line of `tournament`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::simulate::{computer_named, computers, max_turns, threads, threads_of};
use super::{
    PlayerName, board, budget, budget_of, edition, edition_of, help, number, option, seed, switch, trades, trades_of,
};
use crate::app::bots::Programs;
use crate::app::seats::Controller;
use crate::game::Trades;
use crate::players::Limit;
use crate::simulate::Interruption;
use crate::text::Edition;

/// The name of the command.
pub(super) const TOURNAMENT: &str = "tournament";

/// The options of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentOptions {
    /// The players.
    pub players: Vec<Controller>,
    /// The budget of each player for each decision.
    pub limit: Limit,
    /// The programs that play.
    pub programs: Programs,
    /// The signals that end it early.
    pub interruption: Interruption,
    /// The number of boards of each pair.
    pub boards: u64,
    /// The seed from which the seeds of all boards are derived.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The number of turns after which a game ends without a result.
    pub max_turns: u64,
    /// The file with the layout; `None` draws one for each board.
    pub board: Option<PathBuf>,
    /// Whether players offer trades.
    pub trades: Trades,
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The file with the results so far.
    pub file: Option<PathBuf>,
    /// Whether only errors are printed.
    pub quiet: bool,
}

/// The least and the most players.
const MIN_PLAYERS: usize = 2;
const MAX_PLAYERS: usize = 32;

pub(super) fn command() -> Command {
    Command::new(TOURNAMENT)
        .about("Play every player against every other, and print their ratings")
        .disable_help_flag(true)
        .arg(
            Arg::new("players")
                .value_name("PLAYER")
                .help(format!("Players, each one of {}", computers()))
                .action(ArgAction::Append)
                .num_args(1..)
                .required_unless_present("help")
                .value_parser(parse_player),
        )
        .arg(
            option(
                "boards",
                "N",
                "Boards of each pair; each is played six times, two seats for each of the pair, four seats in all",
            )
            .default_value("50")
            .value_parser(number(1..=1_000_000_u64)),
        )
        .arg(
            option("file", "FILE", "Write results to FILE as they come; an interrupted tournament goes on from there")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(seed("Seed from which the seeds of all boards are derived"))
        .args(budget())
        .arg(threads())
        .arg(max_turns())
        .arg(board())
        .arg(trades("off"))
        .arg(edition())
        .arg(switch("quiet", "Print only errors"))
        .arg(help())
}

fn parse_player(name: &str) -> Result<PlayerName, String> {
    computer_named(name).ok_or_else(|| format!("expected one of {}", computers()))
}

/// # Errors
/// When there are too few or too many players.
pub(super) fn options(matches: &mut ArgMatches, default: &'static Edition) -> Result<TournamentOptions, String> {
    let interruption = Interruption::default();
    let budget = budget_of(matches).with_stop_signal(interruption.stop.clone());
    let players: Vec<PlayerName> = matches.remove_many("players").map_or_else(Vec::new, Iterator::collect);
    if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&players.len()) {
        return Err(format!("expected {MIN_PLAYERS} to {MAX_PLAYERS} players"));
    }
    Ok(TournamentOptions {
        players: players.into_iter().map(|name| name.controller(&budget)).collect(),
        limit: budget.limit(),
        programs: Programs::default(),
        interruption,
        boards: matches.remove_one("boards").unwrap_or_default(),
        seed: matches.remove_one("seed").unwrap_or_default(),
        threads: threads_of(matches),
        max_turns: matches.remove_one("max-turns").unwrap_or_default(),
        board: matches.remove_one("board"),
        trades: trades_of(matches),
        edition: edition_of(matches, default),
        file: matches.remove_one("file"),
        quiet: matches.get_flag("quiet"),
    })
}
