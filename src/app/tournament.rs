//! Running `tournament`: every player against every other, ratings, and a file from which it goes on.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use constructor_common::{display_path, escape, io_error_text, output, signals};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::cli::TournamentOptions;
use super::open_game::{player_factory, read_layout};
use super::seats::Controller;
use super::{exit_with_error, print_error, progress};
use crate::board::Layout;
use crate::players::PlayerFactory;
use crate::simulate::{
    self, Fault, Interruption, Outputs, PairResult, Progress, Rating, Schedule, Simulation, pairs, ratings,
};
use crate::statistics::grouped;
use crate::text::save;

/// Plays the tournament and prints the ratings. A terminating signal ends it early, with the results so far.
#[must_use]
pub fn run_tournament(options: &TournamentOptions) -> ExitCode {
    play(options).unwrap_or_else(exit_with_error)
}

/// What a file of results begins with: all that decides how games are played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "expected an object")]
struct Setting {
    tournament: u32,
    program: String,
    edition: String,
    board: Option<String>,
    seed: String,
    trades: bool,
    max_turns: u64,
    playouts: Option<u32>,
    think_ms: Option<u64>,
    players: Vec<String>,
}

/// Results of some boards of a pair, a line of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    /// The numbers of the two players, from 1.
    pair: [usize; 2],
    /// The number of the first board.
    first: u64,
    /// The number of boards on which the first player won 0, 1, ... 6 games.
    boards: [u64; 7],
    without_result: u64,
}

/// The version of the file.
const FORMAT: u32 = 1;

/// The most boards of a line.
const MAX_BOARDS: u64 = 1_000_000;

/// The boards that are played at a time by players that do not think.
const BOARDS_AT_A_TIME: u64 = 64;

fn play(options: &TournamentOptions) -> Result<ExitCode, String> {
    let layout = options.board.clone().map(read_layout).transpose().map_err(|error| error.to_string())?;
    let names = names(options);
    let mut file = match &options.file {
        Some(path) => Some(ResultsFile::open(path, &setting(options, layout.as_ref(), names.clone()))?),
        None => None,
    };
    let count = names.len();
    let mut results: Vec<PairResult> = pairs(count).map(|_| PairResult::default()).collect();
    let done = |result: &PairResult| result.boards.iter().sum::<u64>();
    for (line, played) in file.iter().flat_map(|file| (2..).zip(&file.played)) {
        let pair = pairs(count).position(|(one, other)| [one + 1, other + 1] == played.pair);
        let boards = played.boards.iter().try_fold(0_u64, |sum, &boards| sum.checked_add(boards));
        let boards = boards.filter(|&boards| boards <= MAX_BOARDS && played.without_result <= 6 * boards);
        match (pair, boards) {
            (Some(pair), Some(_)) if done(&results[pair]) == played.first => {
                results[pair].add(&PairResult { boards: played.boards, without_result: played.without_result });
            }
            _ => {
                let name = options.file.as_deref().map_or(String::new(), display_path);
                return Err(format!("{name}: line {line}: these boards do not follow those before them"));
            }
        }
    }
    let all = options.boards * Schedule::Pairs.games_of_a_board() * results.len() as u64;
    let bar = progress::games(options.quiet, all);
    let signal_status = stop_on_signals(options, &bar);
    let stop = &options.interruption.stop;
    let factories: Vec<_> = options
        .players
        .iter()
        .map(|player| player_factory(player, &options.programs, options.edition, options.trades, options.limit))
        .collect();
    let is_slow = factories.iter().any(PlayerFactory::is_slow);
    let at_a_time = if is_slow { options.threads.get() as u64 } else { BOARDS_AT_A_TIME };
    let mut failures = Vec::new();
    while !stop.is_stopped() && failures.is_empty() {
        // The pair with the fewest boards, so that the ratings so far are even.
        let next = results.iter().zip(pairs(count)).enumerate().min_by_key(|(_, (result, _))| done(result));
        let Some((pair, (result, (one, other)))) = next.filter(|(_, (result, _))| done(result) < options.boards) else {
            break;
        };
        let first = done(result);
        let boards = at_a_time.min(options.boards - first);
        let players = [one, one, other, other].map(|player| factories[player].clone());
        let simulation = simulation(options, players, layout, (first, boards));
        let played: u64 = results.iter().map(PairResult::games).sum();
        let mut reporter = Reporter { bar: &bar, played };
        let stats = simulate::run(
            &simulation,
            simulation.numbers(),
            options.threads,
            &options.interruption,
            Outputs::default(),
            &mut reporter,
        );
        if stats.games < simulation.games {
            // Interrupted: these boards are played again.
            break;
        }
        let played =
            Played { pair: [one + 1, other + 1], first, boards: stats.boards, without_result: stats.without_result };
        results[pair].add(&PairResult { boards: played.boards, without_result: played.without_result });
        failures.extend(file.as_mut().and_then(|file| file.add(&played).err()));
    }
    bar.finish_and_clear();
    if !options.quiet {
        let text = table(&names, &results, &options.programs.faults(), options.boards);
        failures.extend(output::print(text.as_bytes()).err());
    }
    failures.iter().for_each(print_error);
    let interrupted = signal_status.load(Ordering::Relaxed);
    Ok(if failures.is_empty() || interrupted != 0 { ExitCode::from(interrupted) } else { ExitCode::FAILURE })
}

/// The names of the players; those that occur twice are numbered.
fn names(options: &TournamentOptions) -> Vec<String> {
    let names: Vec<_> = options.players.iter().map(Controller::name).collect();
    let number = |place: usize| names[..=place].iter().filter(|&name| *name == names[place]).count();
    let is_single = |place: usize| names.iter().filter(|&name| *name == names[place]).count() == 1;
    let name = |place: usize| {
        if is_single(place) { names[place].clone() } else { format!("{} ({})", names[place], number(place)) }
    };
    (0..names.len()).map(name).collect()
}

fn setting(options: &TournamentOptions, layout: Option<&Layout>, players: Vec<String>) -> Setting {
    Setting {
        tournament: FORMAT,
        program: crate::PROGRAM.to_owned(),
        edition: options.edition.name.to_owned(),
        board: layout.map(|layout| save::write_layout(layout).trim_end().to_owned()),
        seed: options.seed.to_string(),
        trades: options.trades == crate::game::Trades::On,
        max_turns: options.max_turns,
        playouts: options.limit.playouts(),
        think_ms: options.limit.milliseconds(),
        players,
    }
}

/// The games of some boards of a pair. All pairs play the same boards.
fn simulation(
    options: &TournamentOptions,
    players: [PlayerFactory; 4],
    layout: Option<Layout>,
    (first, boards): (u64, u64),
) -> Simulation {
    let mut simulation = Simulation::new(options.edition, players);
    if let Some(layout) = layout {
        simulation.source = Box::new(layout);
    }
    simulation.schedule = Schedule::Pairs;
    simulation.first = first * Schedule::Pairs.games_of_a_board();
    simulation.games = boards * Schedule::Pairs.games_of_a_board();
    simulation.seed = options.seed;
    simulation.max_turns = options.max_turns;
    simulation.trades = options.trades;
    simulation
}

/// Moves the bar.
struct Reporter<'r> {
    bar: &'r ProgressBar,
    /// The games played before.
    played: u64,
}

impl Progress for Reporter<'_> {
    fn played(&mut self, games: u64) {
        self.bar.set_position(self.played + games);
    }
}

/// Stops at a signal; at a second one, at once. Returns where the exit status is stored.
fn stop_on_signals(options: &TournamentOptions, bar: &ProgressBar) -> Arc<AtomicU8> {
    let status_to_store = Arc::new(AtomicU8::new(0));
    let (stored, bar, quiet) = (Arc::clone(&status_to_store), bar.clone(), options.quiet);
    let (Interruption { stop, drop_games }, groups) = (options.interruption.clone(), options.programs.groups.clone());
    let waiting = signals::on_termination(move |status| {
        if stored.swap(status, Ordering::Relaxed) != 0 {
            drop(groups.kill_all());
            process::exit(status.into());
        }
        drop_games.stop();
        stop.stop();
        if !quiet {
            bar.suspend(|| print_error("interrupted: the boards in progress are dropped"));
        }
    });
    if let Err(error) = waiting {
        print_error(format_args!("a signal will end it without results: {}", io_error_text(&error)));
    }
    status_to_store
}

/// The ratings and the shares of each against each.
fn table(names: &[String], results: &[PairResult], faults: &[Fault], boards: u64) -> String {
    let mut order: Vec<(usize, Rating)> = ratings(names.len(), results).into_iter().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| other.elo.total_cmp(&one.elo));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().clamp(6, 30);
    let cut = |name: &str| escape(name).chars().take(width).collect::<String>();
    let mut text = format!(
        "{:>3} {:<width$} {:>7} {:>16} {:>9} {:>8}  against",
        "", "player", "rating", "95 % CI", "games", "win rate"
    );
    (1..=names.len()).for_each(|rank| text += &format!(" {rank:>6}"));
    text.push('\n');
    for (rank, (player, rating)) in (1..).zip(&order) {
        // The result against each other player, from this one's side.
        let against = |other: usize| {
            let pair = pairs(names.len()).position(|pair| pair == ((*player).min(other), (*player).max(other)))?;
            let result = results[pair];
            let (wins, share) =
                if *player < other { (result.wins(), result.share()) } else { (result.losses(), 1.0 - result.share()) };
            Some((wins, result.games(), share)).filter(|(_, games, _)| *games > 0)
        };
        let all: Vec<_> = (0..names.len()).filter_map(against).collect();
        let (wins, games) = all.iter().fold((0, 0), |(wins, games), one| (wins + one.0, games + one.1));
        let interval = format!("{:+.0} to {:+.0}", rating.low, rating.high);
        text += &format!(
            "{rank:>3} {:<width$} {:>+7.0} {interval:>16} {:>9} {:>6.1} %         ",
            cut(&names[*player]),
            rating.elo,
            grouped(games),
            100.0 * crate::statistics::ratio(wins, games)
        );
        for (other, _) in &order {
            text += &against(*other).map_or("      -".to_owned(), |(_, _, share)| format!(" {:>4.0} %", 100.0 * share));
        }
        text.push('\n');
    }
    let least = results.iter().map(|result| result.boards.iter().sum::<u64>()).min().unwrap_or_default();
    if least < boards {
        text += &format!("\nnot finished: {} of {} boards of each pair\n", grouped(least), grouped(boards));
    }
    for fault in faults {
        text += &format!("{fault}\n");
    }
    text
}

/// A file of results that grows.
struct ResultsFile {
    file: File,
    name: String,
    /// What it had when it was opened.
    played: Vec<Played>,
}

impl ResultsFile {
    /// # Errors
    /// When it cannot be opened, or is of another tournament.
    fn open(path: &Path, setting: &Setting) -> Result<Self, String> {
        let name = display_path(path);
        let error = |error: std::io::Error| format!("{name}: {}", io_error_text(&error));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(error)?;
        file.try_lock().map_err(|_| format!("{name}: another tournament writes to it"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(error)?;
        let whole = text.rfind('\n').map_or(0, |newline| newline + 1);
        let mut lines = text[..whole].lines();
        let mut played = Vec::new();
        let line = serde_json::to_string(setting).map_err(|error| error.to_string())?;
        match lines.next() {
            None if !line.starts_with(&text) => return Err(format!("{name}: line 1: not a tournament")),
            None => {
                file.set_len(0).map_err(error)?;
                file.write_all(format!("{line}\n").as_bytes()).map_err(error)?;
            }
            Some(first) => {
                let there: Setting = serde_json::from_str(first)
                    .map_err(|reason| format!("{name}: line 1: not a tournament: {reason}"))?;
                if there != *setting {
                    return Err(format!("{name}: it is of another tournament: {first}"));
                }
                for (number, line) in (2..).zip(lines) {
                    let line =
                        serde_json::from_str(line).map_err(|reason| format!("{name}: line {number}: {reason}"))?;
                    played.push(line);
                }
                // After a crash, the last line may be incomplete.
                file.set_len(whole as u64).map_err(error)?;
            }
        }
        Ok(Self { file, name, played })
    }

    fn add(&mut self, played: &Played) -> Result<(), String> {
        let line = serde_json::to_string(played).map_err(|error| error.to_string())?;
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| format!("{}: {}", self.name, io_error_text(&error)))
    }
}
