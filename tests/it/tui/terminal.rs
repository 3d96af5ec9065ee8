//! The program at a real pseudo-terminal, behind a terminal emulator.

use std::fs;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::time::{Duration, Instant};

use constructor::app::cli::{Request, parse};
use constructor::app::screen;
use constructor::app::seats::Controller;
use constructor::game::{Action, Game, LegalActions};
use constructor::players::{Player, PlayerFactory};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::Rng;
use tempfile::TempDir;

use crate::program;
use crate::pty::Terminal;
use crate::support::program::Program;

/// The program at a terminal, and what an emulator shows of it.
struct Screen {
    terminal: Terminal,
    parser: vt100::Parser,
    parsed: usize,
    /// The modes before the program changed them.
    modes: String,
}

impl Deref for Screen {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl DerefMut for Screen {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.terminal
    }
}

/// How long the program may take to show what is expected.
const TIMEOUT: Duration = Duration::from_secs(30);

impl Screen {
    fn start(folder: &Path, options: &[&str]) -> Self {
        let program = program::path();
        let command: Vec<&str> =
            [program.to_str().unwrap(), "tui"].into_iter().chain(options.iter().copied()).collect();
        Self::of(Terminal::start_with(folder, &command, (80, 24), &[("LANG", "C.UTF-8"), ("NO_COLOR", "")]))
    }

    fn of(terminal: Terminal) -> Self {
        let modes = terminal.first_modes.clone();
        Self { terminal, parser: vt100::Parser::new(cells(24), cells(80), 0), parsed: 0, modes }
    }

    /// What the screen shows now.
    fn text(&mut self) -> String {
        let new = &self.terminal.bytes[self.parsed..];
        self.parser.process(new);
        self.parsed = self.terminal.bytes.len();
        self.parser.screen().contents()
    }

    /// Waits until the screen shows one of these texts, and returns it.
    #[track_caller]
    fn wait_for_any(&mut self, texts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.text();
            if texts.iter().any(|text| shown.contains(text)) {
                return shown;
            }
            assert!(begun.elapsed() < TIMEOUT, "{texts:?} is not on\n{shown}");
            self.settle(20);
        }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) -> String {
        self.wait_for_any(&[text])
    }

    /// Clicks on a text.
    #[track_caller]
    fn click(&mut self, text: &str) {
        let shown = self.wait_for(text);
        let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count();
        self.type_text(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", column + 1, row + 1));
        self.settle(30);
    }

    /// Checks that the terminal is as it was.
    #[track_caller]
    fn check_restored(&mut self) {
        self.text();
        let screen = self.parser.screen();
        let state =
            (screen.alternate_screen(), screen.hide_cursor(), screen.bracketed_paste(), screen.mouse_protocol_mode());
        assert_eq!(state, (false, false, false, vt100::MouseProtocolMode::None));
        assert_eq!(self.terminal.modes(), self.modes);
    }

    /// Whether the program has the screen.
    #[track_caller]
    fn check_entered(&mut self) {
        self.text();
        let screen = self.parser.screen();
        assert!(screen.alternate_screen() && screen.bracketed_paste());
        assert_ne!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_ne!(self.terminal.modes(), self.modes);
    }

    /// Waits for the end and checks the exit status and the terminal.
    #[track_caller]
    fn check_end(&mut self, status: i32) {
        assert_eq!(self.end(), Some(status), "{}", self.terminal.text);
        self.check_restored();
    }
}

/// A number of rows or columns, as the emulator takes it.
fn cells(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("layout.txt"), folder.path().join("layout.txt")).unwrap();
    fs::copy(root.join("saves/one-move-from-winning.sv"), folder.path().join("near.sv")).unwrap();
    folder
}

const PEOPLE: &str = "human,human,human,human";

/// Presses the keys that the prompt asks for until the game is over.
fn play_by_keys(screen: &mut Screen) {
    for _ in 0..5_000 {
        screen.settle(15);
        let shown = screen.text();
        let prompt = shown.lines().rev().nth(2).unwrap_or_default().to_owned();
        let keys = if shown.contains(" wins ") {
            return;
        } else if prompt.contains("where do you want") {
            "\t\x1b[C\x1b[B\r"
        } else if prompt.contains("loaded dice") {
            "f"
        } else if prompt.contains("roll the dice") || prompt.contains("to steal from") {
            "\r"
        } else if prompt.contains("Choose where to place") {
            "\t\r"
        } else if prompt.contains("accept?") {
            "n"
        } else if prompt.contains("or end the turn") {
            // The first place where something can be built, if there is one.
            "\t"
        } else if prompt.contains("build-") || prompt.contains("improve") || prompt.contains("tile") {
            "\r"
        } else {
            continue;
        };
        screen.type_text(keys);
        if keys == "\t" {
            screen.settle(25);
            if screen.text().lines().rev().nth(2).unwrap_or_default().contains("or end the turn") {
                screen.type_text("n");
            }
        }
    }
    panic!("the game does not end:\n{}", screen.text());
}

#[test]
fn game_is_played_to_its_end_by_keys() {
    let folder = folder();
    let options = ["-seed", "5", "-pace", "0", "-players", "human,greedy,greedy,greedy"];
    let mut screen = Screen::start(folder.path(), &options);
    play_by_keys(&mut screen);
    screen.type_text("q");
    screen.wait_for("leave?");
    screen.type_text("\r");
    screen.check_end(0);
}

#[test]
fn game_is_won_by_mouse_and_by_commands() {
    let folder = folder();
    let mut screen = Screen::start(folder.path(), &["-load", "near.sv", "-players", PEOPLE]);
    screen.wait_for("loaded dice");
    screen.check_entered();
    screen.click("Enter roll");
    screen.click("6 7 8");
    screen.click("i improve");
    screen.wait_for("improve");
    screen.type_text(":improve 32\r");
    screen.wait_for("Builder Blue wins");
    screen.type_text("q");
    screen.wait_for("leave?");
    screen.type_text("\r");
    screen.check_end(0);
    assert!(!folder.path().join("backup.sv").exists(), "there is nothing to continue");
}

#[test]
fn script_of_a_session_plays_the_text_game() {
    let folder = folder();
    let options = ["-seed", "9", "-pace", "0", "-random-board", "-players", "human,greedy,normal,random"];
    let mut screen = Screen::start(folder.path(), &options);
    screen.wait_for("Builder Blue, where");
    screen.type_text(":20 45 fair roll next roll next\r");
    screen.settle(300);
    screen.type_text(":script s.txt\r");
    screen.wait_for("play it with: constructor");
    screen.type_text("\r");
    screen.type_text(":save s.sv\r");
    screen.wait_for("The game is saved in s.sv.");
    screen.type_text("q\r");
    screen.check_end(0);
    let message = "constructor tui -seed 9 -pace 0 -players 'human,greedy,normal,random' -load backup.sv";
    assert!(screen.terminal.text.contains(message), "{}", screen.terminal.text);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let run = Program::new().options(["-seed", "9", "-random-board"]).input(read("s.txt")).run();
    assert_eq!(run.files["backup.sv"], read("s.sv"));
    assert_eq!(run.files["backup.sv"], read("backup.sv"));
}

#[test]
fn first_page_begins_and_continues_games() {
    let folder = folder();
    let mut screen = Screen::start(folder.path(), &["-pace", "0"]);
    assert!(!screen.wait_for("Begin").contains("Continue"));
    screen.type_text("\r");
    screen.wait_for("Builder Blue, where");
    screen.type_text("20\r");
    screen.settle(100);
    screen.type_text("\x03");
    screen.wait_for("leave?");
    screen.type_text("\x03");
    screen.check_end(0);
    let saved = fs::read(folder.path().join("backup.sv")).unwrap();
    let mut screen = Screen::start(folder.path(), &["-pace", "60000"]);
    screen.click("Continue");
    screen.wait_for("B1");
    screen.type_text("q\r");
    screen.check_end(0);
    assert_eq!(fs::read(folder.path().join("backup.sv")).unwrap(), saved);
    assert!(!folder.path().join("backup.1.sv").exists(), "the game that was continued is replaced");
}

#[test]
fn size_changes() {
    let folder = folder();
    let mut screen = Screen::start(folder.path(), &["-players", PEOPLE]);
    screen.wait_for("Builder Blue, where");
    for (size, shown) in
        [((120, 50), "  |         |"), ((70, 20), "54 places"), ((10, 3), "Too small"), ((80, 24), "=0")]
    {
        screen.parser.screen_mut().set_size(cells(size.1), cells(size.0));
        screen.terminal.resize(size);
        screen.wait_for(shown);
    }
    screen.type_text("q\r");
    screen.check_end(0);
}

#[test]
fn suspended_game_leaves_the_terminal_and_returns() {
    let folder = folder();
    let program = program::path();
    let command = ["bash", "--norc", "--noprofile", "-i"];
    let variables = [("LANG", "C.UTF-8"), ("PS1", "$ "), ("PROGRAM", program.to_str().unwrap())];
    let mut screen = Screen::of(Terminal::start_with(folder.path(), &command, (80, 24), &variables));
    screen.wait_for("$ ");
    screen.modes = screen.terminal.modes();
    screen.type_text(&format!("$PROGRAM tui -seed 3 -players {PEOPLE}\n"));
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
    ("turn", &["-load", "near.sv", "-players", PEOPLE], "\r6\r", "or end the turn"),
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
        let line = format!("trap '' {ignored} 2>/dev/null; exec \"$0\" tui -players {PEOPLE}");
        let command = ["sh", "-c", &line, program.to_str().unwrap()];
        let terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("LANG", "C.UTF-8")]);
        let mut screen = Screen::of(terminal);
        screen.wait_for("Builder Blue, where");
        screen.type_text("20\r");
        screen.wait_for("Builder Red, where");
        let mut child = screen.terminal.close();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < TIMEOUT, "the program does not end without its terminal ({ignored})");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(folder.path().join("backup.sv").exists(), "{ignored}");
    }
}

#[test]
fn unfit_terminals_are_usage_errors() {
    let error = "error: the full screen needs a terminal as standard input; without 'tui' the game is played as text\n";
    Program::new().options(["tui"]).status(2).stdout("").stderr(error).check();
    let folder = folder();
    let command = [program::path().to_str().unwrap().to_owned(), "tui".to_owned()];
    let command = command.each_ref().map(String::as_str);
    let mut terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("TERM", "dumb")]);
    assert_eq!(terminal.end(), Some(2));
    assert!(terminal.text.contains("TERM names none; without 'tui' the game is played as text"), "{}", terminal.text);
    let missing = [command[0], "tui", "-load", "nothing.sv", "-players", PEOPLE];
    let mut terminal = Terminal::start_with(folder.path(), &missing, (80, 24), &[]);
    assert_eq!(terminal.end(), Some(1));
    assert_eq!(terminal.text, "constructor: nothing.sv: No such file or directory\r\n");
}

#[test]
fn idle_screen_neither_computes_nor_writes() {
    let folder = folder();
    let mut screen = Screen::start(folder.path(), &["-players", PEOPLE, "-random-board"]);
    screen.wait_for("chances by 10000 playouts");
    screen.settle(200);
    let ticks = |screen: &Screen| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", screen.terminal.child.id())).unwrap();
        let fields: Vec<String> = stat.rsplit_once(')').unwrap().1.split_whitespace().map(str::to_owned).collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (before, written) = (ticks(&screen), screen.terminal.bytes.len());
    screen.settle(1_000);
    assert!(ticks(&screen) - before <= 1, "at most a hundredth of a second");
    assert_eq!(screen.terminal.bytes.len(), written);
    screen.type_text("q\r");
    screen.check_end(0);
}

#[test]
fn no_color_means_no_colours() {
    let folder = folder();
    let program = program::path();
    let command = [program.to_str().unwrap(), "tui", "-players", PEOPLE];
    let variables = [("NO_COLOR", "1"), ("LANG", "C"), ("LC_ALL", "C")];
    let mut screen = Screen::of(Terminal::start_with(folder.path(), &command, (80, 24), &variables));
    screen.wait_for("Builder Blue, where");
    screen.settle(300);
    screen.type_text("q\r");
    screen.check_end(0);
    assert!(screen.terminal.bytes.is_ascii());
    let text = &screen.terminal.text;
    assert!(!text.contains("\x1b[38;") && !text.contains("\x1b[48;"), "{text:?}");
}

#[test]
fn what_programs_write_to_standard_error_goes_to_the_log() {
    let folder = folder();
    fs::write(folder.path().join("bot.sh"), "echo oh dear >&2\nwhile read line; do :; done\n").unwrap();
    let players = "exec:sh bot.sh,human,human,human";
    let mut screen = Screen::start(folder.path(), &["-think", "100", "-pace", "0", "-players", players]);
    screen.wait_for("takes over");
    screen.type_text("L");
    screen.wait_for("oh dear");
    screen.type_text("\x1b");
    screen.settle(100);
    screen.type_text("q\r");
    screen.check_end(0);
}

#[test]
fn program_that_cannot_be_started_is_an_error() {
    let folder = folder();
    let program = program::path();
    let command = [program.to_str().unwrap(), "tui", "-players", "exec:./nobody,human,human,human"];
    let mut terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[]);
    assert_eq!(terminal.end(), Some(1));
    assert_eq!(terminal.text, "constructor: ./nobody: No such file or directory\r\n");
}

#[test]
fn thinking_is_cut_short() {
    let folder = folder();
    let options = ["-think", "600000", "-pace", "0", "-players", "expert,human,human,human"];
    let mut screen = Screen::start(folder.path(), &options);
    screen.wait_for("thinks ...");
    screen.type_text("x");
    screen.wait_for("Builder Red, where");
    screen.type_text("q\r");
    screen.check_end(0);
}

/// A player that panics when it has to choose.
struct Panicking;

impl Player for Panicking {
    fn choose(&mut self, _game: &Game, _actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        panic!("a panic made for the purpose");
    }
}

/// Not a test: what [`panic_saves_the_game_and_restores_the_terminal`] starts at a terminal.
#[test]
#[ignore = "runs at the terminal of another test"]
fn game_with_a_player_that_panics() {
    let args = ["constructor", "tui", "-players", "human,human,human,human"].map(Into::into);
    let Ok(Request::Tui(mut options)) = parse(args) else { unreachable!() };
    options.game.players[1] = Controller::Computer(PlayerFactory::new("panicking", || Box::new(Panicking)));
    assert_eq!(format!("{:?}", screen::run(*options)), format!("{:?}", std::process::ExitCode::from(101)));
}

#[test]
fn panic_saves_the_game_and_restores_the_terminal() {
    let folder = folder();
    let tests = std::env::current_exe().unwrap();
    let name = "tui::terminal::game_with_a_player_that_panics";
    let command = [tests.to_str().unwrap(), "--ignored", "--exact", name, "--nocapture"];
    let terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("LANG", "C.UTF-8")]);
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

#[test]
fn full_disk_is_told_before_the_game_is_lost() {
    let folder = folder();
    let program = program::path();
    let line = format!("ulimit -f 0; exec \"$0\" tui -seed 1 -players {PEOPLE}");
    let command = ["sh", "-c", &line, program.to_str().unwrap()];
    let terminal = Terminal::start_with(folder.path(), &command, (80, 24), &[("LANG", "C.UTF-8")]);
    let mut screen = Screen::of(terminal);
    screen.wait_for("Builder Blue, where");
    screen.type_text("q\r");
    screen.wait_for("The game is not saved");
    screen.check_entered();
    screen.type_text("\x1b");
    screen.settle(100);
    screen.type_text("q");
    screen.wait_for("leave?");
    screen.type_text("\r");
    screen.check_end(1);
    assert!(
        screen.terminal.text.contains("constructor: backup.sv: not saved: File too large"),
        "{}",
        screen.terminal.text
    );
}

#[test]
fn flood_of_messages_is_cut_off() {
    let folder = folder();
    fs::write(folder.path().join("bot.sh"), "while :; do echo flood; done >&2\n").unwrap();
    let players = "human,human,human,json:sh bot.sh";
    let mut screen = Screen::start(folder.path(), &["-pace", "0", "-players", players]);
    screen.wait_for("are dropped");
    std::thread::sleep(Duration::from_millis(500));
    let status = fs::read_to_string(format!("/proc/{}/status", screen.terminal.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u32 = peak.split_whitespace().next().unwrap().parse().unwrap();
    assert!(kilobytes < 60_000, "{peak}");
    screen.type_text("q\r");
    screen.check_end(0);
}

#[test]
fn terminal_that_does_not_read_is_restored() {
    let folder = folder();
    let options = ["-seed", "1", "-pace", "0", "-players", "random,random,random,random"];
    let mut screen = Screen::start(folder.path(), &options);
    // Nothing is read, so the buffer of the terminal fills up.
    std::thread::sleep(Duration::from_secs(1));
    kill(Pid::from_raw(screen.terminal.child.id().cast_signed()), Signal::SIGTERM).unwrap();
    let begun = Instant::now();
    while screen.terminal.child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < TIMEOUT);
        std::thread::sleep(Duration::from_millis(5));
    }
    screen.check_end(128 + Signal::SIGTERM as i32);
    assert!(folder.path().join("backup.sv").exists());
}
