//! What the program does: the command line goes in, files are read and written, text is printed, the exit status comes out.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use constructor_common::atomic_file::AtomicFile;
use constructor_common::{atomic_file, io_error_text};

use crate::arguments::{self, Generate, Play, Referee, Request, Tournament, USAGE};
use crate::board::{Board, Field};
use crate::game::Phase;
use crate::generate::generate;
use crate::players::Player;
use crate::players::best::Best;
use crate::referee::check::Truth;
use crate::referee::program::adopt_orphans;
use crate::referee::{Called, Match, Outcome, Record};
use crate::tournament::{aligned, table};
use crate::turn::{self, Ending, complain, name, read_state};

/// Does what the arguments ask for, which come without the program's own name, and says with which exit status it ended: 0
/// when it was done, 1 when there is nothing to do, 2 when an input is not valid, 3 when anything else failed. The time at
/// which the program began is when the time for a decision begins.
#[must_use]
pub fn run(args: &[OsString], begun: Instant) -> u8 {
    let ending = match arguments::parse(args) {
        Ok(Request::Id(mut id)) => {
            id.push(b'\n');
            print(&id)
        }
        Ok(Request::Help) => print(USAGE.as_bytes()),
        Ok(Request::Version) => print(concat!("penguins ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()),
        Ok(Request::Turn(turn)) => one_turn(&turn, begun),
        Ok(Request::Generate(wanted)) => one_board(&wanted),
        Ok(Request::Referee(game)) => one_game(&game),
        Ok(Request::Tournament(tournament)) => many_games(&tournament),
        Ok(Request::Play(play)) => at_the_terminal(&play),
        Err(usage) => {
            complain(usage);
            // There is nobody left to tell when this cannot be shown.
            let _ = io::stderr().write_all(USAGE.as_bytes());
            Ending::Failed
        }
    };
    ending.status()
}

fn print(text: &[u8]) -> Ending {
    match io::stdout().write_all(text).and_then(|()| io::stdout().flush()) {
        Ok(()) => Ending::Made,
        // Whoever read it has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ending::Made,
        Err(error) => {
            complain(format_args!("standard output: {}", io_error_text(&error)));
            Ending::Failed
        }
    }
}

fn one_turn(turn: &arguments::Turn, begun: Instant) -> Ending {
    if cfg!(feature = "interactive") {
        return turn::take(turn, crate::play::ask);
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    turn::take(turn, |game| Best { threads }.decide(game, turn::deadline(turn, begun)))
}

/// A seed that nobody knows beforehand.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_nanos()) << 32 ^ u64::from(std::process::id())
}

fn one_board(wanted: &Generate) -> Ending {
    match generate(wanted.wanted, wanted.seed.unwrap_or_else(any_seed)) {
        Ok(board) => {
            let text = Truth { board, rows: Vec::new() }.text();
            match atomic_file::write(&wanted.output, &text) {
                Ok(()) => Ending::Made,
                Err(error) => {
                    complain(format_args!("{}: {error}", name(&wanted.output)));
                    Ending::Failed
                }
            }
        }
        Err(no_board) => {
            complain(no_board);
            Ending::Failed
        }
    }
}

fn failed(path: &Path, what: &str, error: &io::Error) -> Ending {
    complain(format_args!("{}: {what}{}", name(path), io_error_text(error)));
    Ending::Failed
}

/// The board in a file, on which a game can begin.
fn read_board(path: &Path) -> Result<Board, String> {
    let state = read_state(path)?;
    let has_penguin = |board: &Board| board.places().any(|place| matches!(board.get(place), Field::Penguin(_)));
    if !state.rows().is_empty() || has_penguin(state.board()) {
        return Err(format!("{}: a game has begun on this board", name(path)));
    }
    Ok(state.board().clone())
}

fn one_game(game: &Referee) -> Ending {
    let board = match read_board(&game.board) {
        Ok(board) => board,
        Err(what) => {
            complain(what);
            return Ending::BadState;
        }
    };
    let mut log = match game.log.as_deref().map(AtomicFile::create).transpose() {
        Ok(log) => log,
        Err(error) => return failed(game.log.as_deref().unwrap_or(Path::new("")), "", &error),
    };
    adopt_orphans();
    // The children of the first thread are orphans, so it does not start any.
    let played = thread::scope(|scope| {
        let log = &mut log;
        let play = move || {
            let seed = any_seed();
            let game = Match::new(board, game.penguins, (game.time, game.policy), &game.contestants, seed)?;
            let unwritten = RefCell::new(None);
            let records = game.play(|called| {
                let line = described(&called);
                if let Outcome::Wrong(_) = called.outcome {
                    complain(&line);
                }
                if let Some(Err(error)) = log.as_mut().map(|log| writeln!(log, "{line}")) {
                    unwritten.replace(Some(error));
                }
            });
            Ok((records, unwritten.into_inner()))
        };
        thread::Builder::new().spawn_scoped(scope, play).map(thread::ScopedJoinHandle::join)
    });
    let (records, unwritten) = match played {
        Ok(Ok(Ok(played))) => played,
        Ok(Ok(Err(refused))) => {
            let refused: crate::referee::Refused = refused;
            complain(refused);
            return Ending::Failed;
        }
        Ok(Err(_)) | Err(_) => {
            complain("the game could not be played");
            return Ending::Failed;
        }
    };
    let path = game.log.as_deref().unwrap_or(Path::new(""));
    if let Some(error) = unwritten {
        return failed(path, "not saved: ", &error);
    }
    if let Some(Err(error)) = log.map(AtomicFile::commit) {
        complain(format_args!("{}: {error}", name(path)));
        return Ending::Failed;
    }
    print(result(records).as_bytes())
}

/// A call as a line of the log.
fn described(called: &Called<'_>) -> String {
    let phase = match called.phase {
        Phase::Placement { .. } => "placement",
        Phase::Movement => "movement",
    };
    let what = match called.outcome {
        Outcome::Did(done) => match done.action {
            crate::game::Action::Place(place) => place.to_string(),
            crate::game::Action::Slide { from, to } => format!("{from} to {to}"),
        },
        Outcome::Nothing => "nothing to do".to_owned(),
        Outcome::Unchecked => "done, unchecked".to_owned(),
        Outcome::Wrong(wrong) => format!("FAULT, {wrong}"),
    };
    let time = called.time.as_secs_f64() * 1e3;
    let mut line = format!("{phase} {}: {}: {what} ({time:.1} ms)", called.round, called.name);
    if !called.complained.is_empty() {
        line.push_str(&format!(" [{}]", called.complained));
    }
    line
}

/// The final table, most fish first.
fn result(mut records: Vec<Record>) -> String {
    records.sort_by_key(|record| std::cmp::Reverse(record.score));
    let mut rows = vec![["id", "place", "number", "fish", "faults"].map(str::to_owned)];
    for record in &records {
        let place = 1 + records.iter().filter(|other| other.score > record.score).count();
        let faults = record.faults.values().sum::<u64>();
        let number = if record.number == 0 { "-".to_owned() } else { record.number.to_string() };
        rows.push([record.name.clone(), place.to_string(), number, record.score.to_string(), faults.to_string()]);
    }
    aligned(&rows)
}

fn many_games(tournament: &Tournament) -> Ending {
    adopt_orphans();
    let all = tournament.games();
    let progress = |played: u64| {
        // About twenty lines in all.
        if played == all || played.is_multiple_of(all.div_ceil(20)) {
            complain(format_args!("{played} of {all} games"));
        }
    };
    match tournament.play(progress) {
        Ok(standings) => print(table(&standings).as_bytes()),
        Err(failed) => {
            complain(failed);
            Ending::Failed
        }
    }
}

fn at_the_terminal(play: &Play) -> Ending {
    let board = match &play.board {
        Some(path) => match read_board(path) {
            Ok(board) => board,
            Err(what) => {
                complain(what);
                return Ending::BadState;
            }
        },
        None => match generate(play.wanted, play.seed.unwrap_or_else(any_seed)) {
            Ok(board) => board,
            Err(no_board) => {
                complain(no_board);
                return Ending::Failed;
            }
        },
    };
    crate::play::play(board, play)
}
