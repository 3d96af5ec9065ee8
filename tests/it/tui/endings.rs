//! Signals, suspending, closed terminals and panics: the game is saved, and the terminal is as it was.

use std::fs;
use std::time::{Duration, Instant};

use constructor::app::options::{CliRequest, parse};
use constructor::app::screen;
use constructor::game::{Action, Builder, Game, LegalActions};
use constructor::players::Player;
use constructor_common::frame;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::Rng;

use super::emulator::{PEOPLE, Screen, TIMEOUT, folder};
use crate::program;
use crate::pty::Terminal;

#[test]
fn suspended_game_leaves_the_terminal_and_returns() {
    let folder = folder();
    let program = program::path();
    let command = ["bash", "--norc", "--noprofile", "-i"];
    let variables = [("LANG", "C.UTF-8"), ("PS1", "$ "), ("PROGRAM", program.to_str().unwrap())];
    let mut screen = Screen::of(Terminal::start_with(folder.path(), &command, (80, 24), &variables));
    screen.wait_for("$ ");
    screen.modes = screen.terminal.modes();
    screen.type_text(&format!("$PROGRAM tui -no-record -seed 3 -players {PEOPLE}\n"));
    for stop in 0..3 {
        screen.wait_for("Builder Blue, where");
        screen.check_entered();
        if stop == 1 {
            screen.type_text(":undo");
        }
        if stop == 2 {
            // From outside, as by `kill`.
            let children =
                fs::read_to_string(format!("/proc/{0}/task/{0}/children", screen.terminal.child.id())).unwrap();
            let game: i32 = children.split_whitespace().next().unwrap().parse().unwrap();
            kill(Pid::from_raw(game), Signal::SIGTSTP).unwrap();
        } else {
            screen.type_text("\x1a");
        }
        screen.read_until("Stopped");
        screen.settle(50);
        screen.text();
        assert!(!screen.parser.screen().alternate_screen() && !screen.parser.screen().hide_cursor());
        screen.type_text("echo shel''l works\n");
        screen.read_until("shell works");
        screen.type_text("fg\n");
        screen.settle(100);
        if stop == 1 {
            screen.wait_for(":undo");
            screen.type_text("\x1b");
        }
    }
    screen.wait_for("Builder Blue, where");
    screen.type_text("q\r");
    screen.read_until("the game is saved in backup.sv");
    // The shell has the terminal again.
    screen.settle(300);
    screen.type_text("exit\n");
    screen.end();
}

/// What is done before a signal arrives, and what the screen shows then.
const PHASES: [(&str, &[&str], &str, &str); 6] = [
    ("first page", &[], "", "Begin"),
    ("setup", &["-players", PEOPLE], "20\r", "Builder Red, where"),
    ("turn", &["-load", "near.sv", "-players", PEOPLE], "f\r6\r", "or end the turn"),
    ("dialog", &["-players", PEOPLE], "?", "keys of this moment"),
    ("line", &["-players", PEOPLE], ":ro", ":ro"),
    ("thinking", &["-think", "600000", "-players", "expert,human,human,human"], "", "thinks ..."),
];

#[test]
fn signals_save_the_game_and_restore_the_terminal() {
    let signals = [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGTERM,
        Signal::SIGUSR1,
        Signal::SIGALRM,
        Signal::SIGABRT,
    ];
    for (number, (phase, options, keys, shown)) in PHASES.into_iter().enumerate() {
        for (other, signal) in signals.into_iter().enumerate() {
            // Every signal in the turn, and a few in every phase.
            if phase != "turn" && (number + other) % 3 != 0 {
                continue;
            }
            let folder = folder();
            let mut screen = Screen::start(folder.path(), options);
            screen.wait_for_any(&["Begin", "where do you want", "roll", "thinks"]);
            screen.type_text(keys);
            screen.wait_for(shown);
            let game = Pid::from_raw(screen.terminal.child.id().cast_signed());
            kill(game, signal).unwrap();
            // A second one changes nothing.
            kill(game, Signal::SIGTERM).unwrap();
            let status = screen.end().unwrap();
            assert!(
                [128 + signal as i32, 128 + Signal::SIGTERM as i32].contains(&status),
                "{phase}, {signal}: {status}"
            );
            screen.check_restored();
            let is_saved = folder.path().join("backup.sv").exists();
            assert_eq!(is_saved, phase != "first page", "{phase}, {signal}");
        }
    }
}

#[test]
fn closed_terminal_saves_the_game() {
    for ignored in ["", "HUP"] {
        let folder = folder();
        let program = program::path();
        let line = format!("trap '' {ignored} 2>/dev/null; exec \"$0\" tui -no-record -players {PEOPLE}");
        let command = ["sh", "-c", &line, program.to_str().unwrap()];
        let terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("LANG", "C.UTF-8")]);
        let mut screen = Screen::of(terminal);
        screen.wait_for("Builder Blue, where");
        screen.type_text("20\r");
        screen.wait_for("Builder Red, where");
        let mut child = screen.terminal.close();
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < TIMEOUT, "the program does not end without its terminal ({ignored})");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(folder.path().join("backup.sv").exists(), "{ignored}");
    }
}

#[test]
fn terminal_that_does_not_read_is_restored() {
    let folder = folder();
    let options = ["-seed", "1", "-pace", "0", "-players", "random,random,random,random"];
    let mut screen = Screen::start(folder.path(), &options);
    // Nothing is read, so the buffer of the terminal fills up.
    std::thread::sleep(Duration::from_secs(1));
    kill(Pid::from_raw(screen.terminal.child.id().cast_signed()), Signal::SIGTERM).unwrap();
    let started = Instant::now();
    while screen.terminal.child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < TIMEOUT);
        std::thread::sleep(Duration::from_millis(5));
    }
    screen.check_end(128 + Signal::SIGTERM as i32);
    assert!(folder.path().join("backup.sv").exists());
}

/// A player that panics when it has to choose.
struct Panicking;

/// The variable that asks for a game with this player.
const PANICS: &str = "GAME_THAT_PANICS";

impl Player for Panicking {
    fn choose(&mut self, _game: &Game, _actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        panic!("a panic made for the purpose");
    }
}

/// What [`panic_saves_the_game_and_restores_the_terminal`] starts at a terminal, and nothing else.
#[test]
fn game_with_a_player_that_panics() {
    if std::env::var_os(PANICS).is_none() {
        return;
    }
    let args = ["constructor", "tui", "-no-record", "-players", "human,human,human,human"].map(Into::into);
    let Ok(CliRequest::Tui(options)) = parse(args) else { unreachable!() };
    let status = frame::run("constructor", |io| {
        screen::run_with(io, *options, |seats| seats.seat_player(Builder::Red, Box::new(Panicking)))
    });
    assert_eq!(status, 101);
}

#[test]
fn panic_saves_the_game_and_restores_the_terminal() {
    let folder = folder();
    let tests = std::env::current_exe().unwrap();
    let name = "tui::endings::game_with_a_player_that_panics";
    let command = [tests.to_str().unwrap(), "--exact", name, "--nocapture"];
    let terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("LANG", "C.UTF-8"), (PANICS, "1")]);
    let mut screen = Screen::of(terminal);
    screen.wait_for("Builder Blue, where");
    screen.check_entered();
    screen.type_text("20\r");
    screen.check_end(0);
    let text = &screen.terminal.text;
    assert!(text.contains("constructor: internal error: a panic made for the purpose"), "{text}");
    assert!(text.contains("the game is saved in backup.sv"), "{text}");
    assert!(folder.path().join("backup.sv").exists());
}
