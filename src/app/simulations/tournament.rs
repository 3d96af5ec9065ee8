//! Running `tournament`: plays every player against every other, computes ratings, and keeps the results in a file from which a tournament
//! can be continued.

use std::path::Path;
use std::sync::atomic::Ordering;

use constructor_common::display_path;
use constructor_common::files::AppendedFile;
use constructor_common::frame::{Failure, Io};
use indicatif::ProgressBar;

use super::open::{check_programs, player_factory, stop_on_signals};
use crate::app::bots::BotPool;
use crate::app::io::games;
use crate::app::options::{PlayerChoice, TournamentOptions};
use crate::app::play::read_layout;
use crate::board::Layout;
use crate::game::Trades;
use crate::players::PlayerFactory;
use crate::simulate::{
    self, Adjustment, Cancellation, KeepOptions, PlayedBoards, ProgramFault, Progress, Schedule, Simulation,
    TOURNAMENT_FORMAT, Tournament, TournamentSetting,
};
use crate::text::save;

/// The number of boards that are played at a time if no player thinks.
const BOARDS_AT_A_TIME: u64 = 64;

/// Plays the tournament and prints the ratings.
///
/// A terminating signal ends it early, with the results so far.
///
/// # Errors
/// When a file cannot be read or written, or a program does not play.
pub fn tournament(io: &Io, options: &TournamentOptions) -> Result<u8, Failure> {
    let layout = options.board.as_ref().map(|path| read_layout(io, path)).transpose();
    let layout = layout?;
    let mut tournament = Tournament::new(setting(options, layout.as_ref()));
    let mut file = options.file.as_ref().map(|path| open_file(io, path, &mut tournament)).transpose()?;
    let cancellation = Cancellation::default();
    let programs = BotPool::new(io.voice.clone(), cancellation.clone());
    let message = Some("interrupted: the boards in progress are dropped").filter(|_| !options.quiet);
    let signal_status = stop_on_signals(io, &programs, &cancellation, true, message);
    let all = options.boards * Schedule::Pairs.games_per_board() * tournament.pairs() as u64;
    let bar = games(&io.voice, options.quiet, all);
    let limit = options.budget.limit();
    let factories: Vec<_> = options
        .players
        .iter()
        .map(|player| player_factory(player, &programs, options.edition, options.trades, limit, &cancellation))
        .collect();
    let is_slow = factories.iter().any(PlayerFactory::is_slow);
    let at_a_time = if is_slow { options.threads().get() as u64 } else { BOARDS_AT_A_TIME };
    let mut failures = Vec::new();
    while !cancellation.stop.is_stopped() && failures.is_empty() {
        let Some((pair, (one, other), first)) = tournament.next(options.boards) else { break };
        let players = [one, one, other, other].map(|player| factories[player].clone());
        let simulation = simulation(options, players, layout, (first, at_a_time.min(options.boards - first)));
        let before = programs.faults();
        let stats = simulate::run(
            &simulation,
            simulation.numbers(),
            options.threads(),
            &cancellation,
            KeepOptions::default(),
            &mut TournamentReporter { bar: &bar, played: tournament.games() },
        );
        if stats.games < simulation.games {
            // Interrupted: these boards are played again.
            break;
        }
        let faults = new_faults(&before, programs.faults());
        let (boards, without_result) = (stats.boards, stats.without_result);
        let adjusted = options.adjust.map(|_| stats.adjusted);
        let played = PlayedBoards { pair: [one + 1, other + 1], first, boards, without_result, adjusted, faults };
        let line = tournament.play(pair, &played);
        failures.extend(file.as_mut().and_then(|file| file.write(&line).err()));
    }
    bar.finish_and_clear();
    check_programs(&programs)?;
    if !options.quiet {
        failures.extend(io.print(tournament.table(options.boards).as_bytes()).err());
    }
    let failed = io.report(&failures);
    Ok(match signal_status.load(Ordering::Relaxed) {
        0 => failed,
        interrupted => interrupted,
    })
}

/// Returns the faults in `now` that are not counted in `before`.
fn new_faults(before: &[ProgramFault], now: Vec<ProgramFault>) -> Vec<ProgramFault> {
    let known =
        |fault: &ProgramFault| before.iter().find(|other| other.player == fault.player && other.reason == fault.reason);
    let new = now
        .into_iter()
        .map(|fault| ProgramFault { games: fault.games - known(&fault).map_or(0, |known| known.games), ..fault });
    new.filter(|fault| fault.games > 0).collect()
}

/// Returns the names of the players. A number is added to names that occur more than once.
fn names(options: &TournamentOptions) -> Vec<String> {
    let names: Vec<_> = options.players.iter().map(PlayerChoice::name).collect();
    let number = |place: usize| names[..=place].iter().filter(|&name| *name == names[place]).count();
    let is_single = |place: usize| names.iter().filter(|&name| *name == names[place]).count() == 1;
    let name = |place: usize| {
        if is_single(place) { names[place].clone() } else { format!("{} ({})", names[place], number(place)) }
    };
    (0..names.len()).map(name).collect()
}

fn setting(options: &TournamentOptions, layout: Option<&Layout>) -> TournamentSetting {
    TournamentSetting {
        tournament: TOURNAMENT_FORMAT,
        program: crate::PROGRAM.to_owned(),
        edition: options.edition.name.to_owned(),
        board: layout.map(|layout| save::write_layout(layout).trim_end().to_owned()),
        seed: options.seed.to_string(),
        trades: options.trades == Trades::On,
        max_turns: options.max_turns,
        playouts: options.budget.limit().playouts(),
        think_ms: options.budget.limit().milliseconds(),
        adjust: options.adjust,
        players: names(options),
    }
}

/// Returns a simulation of some boards of a pair.
///
/// All pairs play the same boards.
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
    simulation.first = first * Schedule::Pairs.games_per_board();
    simulation.games = boards * Schedule::Pairs.games_per_board();
    simulation.seed = options.seed;
    simulation.max_turns = options.max_turns;
    simulation.trades = options.trades;
    simulation.adjustment = options.adjust.map(Adjustment::new);
    simulation
}

/// Moves the progress bar.
struct TournamentReporter<'r> {
    bar: &'r ProgressBar,
    /// The number of games played before.
    played: u64,
}

impl Progress for TournamentReporter<'_> {
    fn played(&mut self, games: u64) {
        self.bar.set_position(self.played + games);
    }
}

/// Opens the file of results, and adds the results in it to the tournament.
///
/// # Errors
/// When it cannot be opened, or is of another tournament.
fn open_file(io: &Io, path: &Path, tournament: &mut Tournament) -> Result<AppendedFile, String> {
    let mut file = io.files.append(path, &format!("{}: another tournament writes to it", display_path(path)))?;
    let name = file.name().to_owned();
    let named = |reason: String| format!("{name}: {reason}");
    let text = |line: Option<&[u8]>| String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    let mut lines = file.lines()?;
    let first = text(lines.next_line()?);
    if !first.ends_with('\n') {
        if !tournament.first_line().starts_with(&first) {
            return Err(named("line 1: not a tournament".to_owned()));
        }
        file.cut(0)?;
        file.write(&tournament.first_line())?;
        return Ok(file);
    }
    tournament.check_first_line(&first).map_err(named)?;
    let mut length = first.len() as u64;
    for number in 2.. {
        let line = text(lines.next_line()?);
        if !line.ends_with('\n') {
            break;
        }
        length += line.len() as u64;
        tournament.read_line(&line).map_err(|reason| named(format!("line {number}: {reason}")))?;
    }
    // After a crash, the last line may be incomplete.
    file.cut(length)?;
    Ok(file)
}
