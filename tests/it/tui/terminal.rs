//! The program at a real pseudo-terminal, behind a terminal emulator.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::emulator::{PEOPLE, Screen, cells, folder};
use crate::program;
use crate::pty::Terminal;
use crate::support::program::Program;

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
    screen.wait_for("roll the dice");
    screen.check_entered();
    screen.type_text("f");
    screen.wait_for("roll the loaded dice");
    screen.click("Enter roll");
    screen.click("6 7 8");
    screen.click("i improve");
    screen.wait_for("improve");
    screen.type_text(":improve 32\r");
    screen.wait_for("Builder Blue wins");
    // Nothing is lost by leaving, so nothing is asked.
    screen.type_text("q");
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
    // The rest of the line is dropped: somebody was there first.
    screen.wait_for("Vertex 45 has");
    screen.type_text(":script s.txt\r");
    // Where the lines of the command break depends on the program's path.
    let shown = screen.wait_for("is written to s.txt");
    let words: Vec<&str> = shown.split(['│', ' ', '\n']).filter(|word| !word.is_empty()).collect();
    assert!(words.windows(3).any(|three| three == ["-seed", "9", "-random-board"]), "{shown}");
    screen.type_text("\r");
    screen.type_text(":save s.sv\r");
    screen.wait_for("The game is saved in s.sv.");
    screen.type_text("q\r");
    screen.check_end(0);
    let message = "constructor tui -seed 9 -pace 0 -players 'human,greedy,normal,random' -no-record -load backup.sv";
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
    assert!(!screen.wait_for("Begin").contains("Backup"));
    screen.type_text("\r");
    screen.wait_for("Builder Blue, where");
    screen.type_text("20\r");
    screen.settle(100);
    screen.type_text("\x03");
    screen.wait_for("leave?");
    // Back to the first page, which is then left.
    screen.type_text("\x03");
    screen.wait_for("Begin");
    screen.type_text("\x03");
    screen.check_end(0);
    let saved = fs::read(folder.path().join("backup.sv")).unwrap();
    let mut screen = Screen::start(folder.path(), &["-pace", "60000"]);
    // More than once in the same run.
    for _ in 0..2 {
        screen.wait_for("Begin");
        screen.click("Backup");
        screen.wait_for("1 basement");
        screen.type_text("q\r");
    }
    screen.wait_for("Begin");
    screen.type_text("q");
    screen.check_end(0);
    assert_eq!(fs::read(folder.path().join("backup.sv")).unwrap(), saved);
    assert!(!folder.path().join("backup.1.sv").exists(), "the game that was continued is replaced");
}

#[test]
fn size_changes() {
    let folder = folder();
    let mut screen = Screen::start(folder.path(), &["-players", PEOPLE]);
    screen.wait_for("Builder Blue, where");
    for (size, shown) in [((120, 50), "─ costs"), ((70, 20), "54 places"), ((10, 3), "Too small"), ((80, 24), "=0")] {
        screen.parser.screen_mut().set_size(cells(size.1), cells(size.0));
        screen.terminal.resize(size);
        screen.wait_for(shown);
    }
    screen.type_text("q\r");
    screen.check_end(0);
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
    let mut screen = Screen::start(folder.path(), &["-players", PEOPLE, "-load", "near.sv"]);
    screen.wait_for("to win ");
    let ticks = |screen: &Screen| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", screen.terminal.child.id())).unwrap();
        let fields: Vec<String> = stat.rsplit_once(')').unwrap().1.split_whitespace().map(str::to_owned).collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    // Until all playouts are done.
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let before = ticks(&screen);
        screen.settle(500);
        if ticks(&screen) == before {
            break;
        }
        assert!(Instant::now() < deadline, "it computes for ever");
    }
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
    fs::write(folder.path().join("bot.sh"), "echo oh dear >&2\n").unwrap();
    let players = "exec:sh bot.sh,human,human,human";
    let mut screen = Screen::start(folder.path(), &["-think", "20000", "-pace", "0", "-players", players]);
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

#[test]
fn full_disk_is_told_before_the_game_is_lost() {
    let folder = folder();
    let program = program::path();
    let line = format!("ulimit -f 0; exec \"$0\" tui -no-record -seed 1 -players {PEOPLE}");
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
    fs::write(folder.path().join("bot.sh"), "exec yes flood >&2\n").unwrap();
    let players = "human,human,human,json:sh bot.sh";
    let mut screen = Screen::start(folder.path(), &["-pace", "0", "-players", players]);
    screen.wait_for("messages of programs");
    std::thread::sleep(Duration::from_millis(500));
    let status = fs::read_to_string(format!("/proc/{}/status", screen.terminal.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u32 = peak.split_whitespace().next().unwrap().parse().unwrap();
    assert!(kilobytes < 60_000, "{peak}");
    screen.type_text("q\r");
    screen.check_end(0);
}

/// The games of a record, each replayed.
fn replayed(folder: &Path) -> Vec<constructor::record::Replay> {
    let text = fs::read(folder.join("r.jsonl")).unwrap();
    let (records, is_incomplete) = constructor::record::read(&text).unwrap();
    assert!(!is_incomplete);
    crate::records::check_schema(std::str::from_utf8(&text).unwrap());
    records.iter().map(|record| constructor::app::archive::transcript(record).unwrap().1).collect()
}

#[test]
fn games_are_recorded_and_looked_at() {
    let folder = folder();
    let options = ["-seed", "9", "-pace", "0", "-random-board", "-players", PEOPLE, "-record", "r.jsonl"];
    let mut screen = Screen::start(folder.path(), &options);
    screen.wait_for("Builder Blue, where");
    screen.type_text(":0 4 10 17 20 30 40 52 fair roll\r");
    screen.settle(200);
    screen.type_text(":save a.sv\r");
    screen.wait_for("The game is saved in a.sv.");
    let [first] = &replayed(folder.path())[..] else { panic!("one game") };
    assert_eq!(first.dialogue().saved_game().into_bytes(), fs::read(folder.path().join("a.sv")).unwrap());
    assert_eq!(first.turn(), 1);
    // Going on from the setup branches off: the record keeps what came later.
    screen.type_text("[[[");
    screen.wait_for("Looking back");
    screen.type_text("gg");
    screen.wait_for("It goes on from here");
    let [first, branch] = &replayed(folder.path())[..] else { panic!("two games") };
    assert_eq!((first.turn(), branch.turn()), (1, 0));
    screen.type_text("q\r");
    screen.read_until("continue it with: ");
    screen.check_end(0);
    assert!(screen.terminal.text.contains("-record r.jsonl"), "{}", screen.terminal.text);
    assert!(!screen.terminal.text.contains("-load"), "{}", screen.terminal.text);

    // The unfinished game goes on where it was, and so does its record.
    let before = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let mut screen = Screen::start(folder.path(), &["-record", "r.jsonl"]);
    screen.read_until("r.jsonl: going on with game 2, setup (constructor)");
    screen.wait_for("Builder");
    screen.type_text(":52\r");
    screen.settle(200);
    screen.type_text("q\r");
    screen.check_end(0);
    let after = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    assert!(after.starts_with(&before) && after.lines().count() == before.lines().count() + 1, "{after}");
    // A game that is looked at is not changed. If it goes on, it does so as a branch.
    for typed in ["", ":5\r"] {
        let mut screen = Screen::start(folder.path(), &["-record", "r.jsonl", "-game", "1"]);
        screen.wait_for("Blue");
        screen.type_text(typed);
        screen.settle(200);
        screen.type_text("q\r");
        screen.check_end(0);
        let is_same = fs::read_to_string(folder.path().join("r.jsonl")).unwrap() == after;
        assert_eq!(is_same, typed.is_empty());
    }
    let [_, _, third] = &replayed(folder.path())[..] else { panic!("three games") };
    assert_eq!(third.turn(), 1, "a branch of the first game, at its end");
}

#[test]
fn damaged_record_is_not_opened() {
    let folder = folder();
    fs::write(folder.path().join("r.jsonl"), "{\"type\":\"game\"}\n").unwrap();
    let mut screen = Screen::start(folder.path(), &["-record", "r.jsonl"]);
    screen.check_end(1);
    let said = "r.jsonl: not a record of games: line 1: expected a field `format`";
    assert!(screen.terminal.text.contains(said), "{}", screen.terminal.text);
}

/// The terminal is asked for its background; the answer, whenever it comes, is never taken for keys, and no key is lost.
#[test]
fn background_is_asked_of_the_terminal() {
    // The quiet colours of BRICK on a light and on a dark terminal.
    let (light, dark) = ("48;2;240;200;180m", "48;2;126;64;44m");
    for (delay, answer, expected) in [
        (0, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", light),
        (0, "\x1b]11;rgb:1e1e/1e1e/2e2e\x07", dark),
        (60, "\x1b]11;rgb:fd/f6/e3\x1b\\", light),
        (400, "\x1b]11;rgb:ffff/ffff/ffff\x07", light),
        (2_000, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", light),
    ] {
        let folder = folder();
        let variables = [("COLORTERM", "truecolor"), ("COLORFGBG", "")];
        let mut screen = Screen::start_with(folder.path(), &["-random-board", "-players", PEOPLE], &variables);
        screen.read_until("\x1b]11;?");
        std::thread::sleep(Duration::from_millis(delay));
        // Before, within and after the answer: the first placement.
        screen.type_text(&format!("2{answer}0\r"));
        screen.wait_for("Builder Red, where");
        assert!(screen.text().contains("1 basement"), "{}", screen.text());
        let bytes = String::from_utf8_lossy(&screen.terminal.bytes).into_owned();
        let last = bytes.rfind(light).max(bytes.rfind(dark));
        assert!(last.is_some() && bytes.rfind(expected) == last, "{delay} ms, {answer:?}");
        screen.type_text("q\r");
        screen.check_end(0);
    }
}

/// Runs a command with the home of the games that were kept.
fn with_home(folder: &Path, options: &[&str]) -> (i32, String) {
    let mut command = program::with_time_limit(program::path());
    let run = command.args(options).env("HOME", folder.join("home")).env_remove("XDG_DATA_HOME").output().unwrap();
    let text = [run.stdout, run.stderr].concat();
    (run.status.code().unwrap(), String::from_utf8(text).unwrap())
}

/// Starts a kept game of a person against greedy players, who play at once.
fn against_greedy_players(folder: &Path) -> Screen {
    let options = ["-keep", "-seed", "5", "-random-board", "-pace", "0", "-players", "human,greedy,greedy,greedy"];
    let mut screen = Screen::start(folder, &options);
    screen.wait_for("Builder Blue, where");
    screen
}

/// Starts `games` with these options, which open a kept game.
fn resumed(folder: &Path, options: &[&str]) -> Screen {
    let program = program::path();
    let command = [&[program.to_str().unwrap(), "games"], options].concat();
    Screen::of(Terminal::start_with(folder, &command, (80, 24), &[("LANG", "C.UTF-8"), ("COLORFGBG", "15;0")]))
}

#[test]
fn games_are_kept_and_go_on() {
    let folder = folder();
    let games = folder.path().join("home/.local/share/constructor/games");
    let list = |options: &[&str]| with_home(folder.path(), &[&["games"], options].concat());
    assert!(list(&[]).1.starts_with("No game is kept in "));
    let options = ["-keep", "-random-board", "-seed", "3", "-pace", "0", "-players", "human,greedy,greedy,greedy"];
    let mut screen = Screen::start(folder.path(), &options);
    screen.wait_for("Builder Blue, where");
    screen.type_text("20\r");
    screen.wait_for("Builder Blue, where");
    screen.settle(300);
    screen.type_text("q\r");
    screen.check_end(0);
    let text = screen.terminal.text.clone();
    assert!(text.contains("the game is kept; continue it with: ") && text.contains(" games -resume"), "{text}");
    assert!(!folder.path().join("backup.sv").exists());
    let mode = fs::metadata(&games).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let (status, text) = list(&[]);
    assert!(
        status == 0
            && text.starts_with("  1* ")
            && text.contains("B human 1p, R greedy 2p")
            && text.contains("* can be continued"),
        "{text}"
    );
    assert!(list(&["-show", "1"]).1.contains("Builder Blue, where do you want to build a basement?\n> 20\n"));
    let (status, text) = list(&["-analyse", "1", "-resume", "1"]);
    assert!(status == 2 && text.contains("cannot be used with"), "{text}");
    assert_eq!(
        list(&["-show", "2"]),
        (1, "constructor: there is no kept game 2; constructor games lists them\n".to_owned())
    );
    // The first page offers it first; it goes on even after the program was killed.
    for _ in 0..2 {
        let mut screen = Screen::start(folder.path(), &["-keep"]);
        screen.wait_for("Go on");
        screen.type_text("\r");
        screen.wait_for("1 basement");
        screen.terminal.child.kill().unwrap();
    }
    let mut screen = Screen::start(folder.path(), &["-keep", "-pace", "0"]);
    screen.wait_for("Kept in ~/.local/share/constructor/games");
    screen.type_text("\r");
    screen.wait_for("1 basement");
    screen.type_text("\t\r");
    screen.wait_for("2 basements");
    screen.settle(300);
    screen.type_text("q\r");
    screen.wait_for("Begin");
    let text = screen.text();
    assert!(text.contains(", turn 1") && text.contains("B human 2p, R greedy 2p"), "{text}");
    screen.type_text("q");
    screen.check_end(0);
    assert!(list(&[]).1.contains("B human 2p, R greedy 2p, O greedy 2p, Y greedy 2p"), "{}", list(&[]).1);
    assert_eq!(fs::read_dir(&games).unwrap().count(), 1, "a run without a new game leaves no file");
    // By the command that was printed.
    let mut screen = resumed(folder.path(), &["-resume"]);
    screen.wait_for("2 basements");
    screen.type_text("q\r");
    screen.check_end(0);
    let page = folder.path().join("page.html");
    let analysis = list(&["-analyse", "1", "-html", page.to_str().unwrap()]);
    assert!(fs::read_to_string(page).unwrap().contains("<html"));
    assert!(analysis.0 == 0 && analysis.1.contains("Nobody has won yet."), "{analysis:?}");
    // Without a file, the game is named first.
    let printed = || {
        let (status, text) = list(&["-analyse", "1"]);
        let (game, analysis) = text.split_once("\n\n").unwrap();
        assert!(game.starts_with("Game 1, "), "{text}");
        (status, analysis.to_owned())
    };
    // The analysis is kept, and read from its file.
    let kept = || fs::read_dir(games.with_file_name("analyses")).unwrap().map(|entry| entry.unwrap().path());
    let [file] = kept().collect::<Vec<_>>().try_into().unwrap();
    let content = fs::read_to_string(&file).unwrap();
    assert_eq!(printed(), analysis);
    let mut changed: serde_json::Value = serde_json::from_str(&content).unwrap();
    changed["balances"][0]["start"] = 0.875.into();
    fs::write(&file, changed.to_string()).unwrap();
    assert!(printed().1.contains("  88  "));
    // A damaged file is replaced by a new analysis.
    fs::write(&file, &content[..content.len() / 2]).unwrap();
    assert_eq!(printed(), analysis);
    assert!(kept().count() == 1 && fs::metadata(&file).unwrap().len() == content.len() as u64);
}

#[test]
fn choices_are_those_of_the_last_run() {
    let folder = folder();
    let options = ["-keep", "-random-board", "-seed", "3", "-players", PEOPLE];
    let begin = |more: &[&str]| {
        let mut screen = Screen::start(folder.path(), &[&options[..], more].concat());
        screen.wait_for("Builder Blue, where");
        screen
    };
    // What an option says counts for one run; what a key says, for later ones too.
    let mut screen = begin(&["-mouse", "off"]);
    screen.type_text("c");
    assert!(!screen.text().contains("  advice (a)"), "{}", screen.text());
    screen.type_text("a");
    screen.wait_for("Advice is shown");
    screen.type_text("q\r");
    screen.check_end(0);
    let file = folder.path().join("home/.local/share/constructor/screen.json");
    let kept = fs::read_to_string(&file).unwrap();
    let players = r#"[null,"greedy","normal","normal"]"#;
    assert_eq!(
        kept,
        format!(
            r#"{{"pace_ms":400,"mouse":true,"chances":false,"automatic":false,"players":{players},"order":"tree"}}"#
        )
    );
    let mut screen = begin(&[]);
    screen.wait_for("chances hidden (c)");
    // Advice is of one game.
    assert!(!screen.text().contains("advice (a)"), "{}", screen.text());
    assert!(!screen.text().contains("bar of chances: after"), "{}", screen.text());
    screen.type_text("q\r");
    screen.check_end(0);
    // The players of a game that was begun on the first page.
    let mut screen = Screen::start(folder.path(), &["-keep", "-seed", "3"]);
    screen.wait_for("Begin");
    screen.type_text("\x1b[H");
    let red = |screen: &mut Screen, name: &str| screen.text().contains(&format!("Red        < {name} >"));
    for _ in 0..20 {
        screen.settle(20);
        let text = screen.text();
        if text.contains("greedy: builds") && red(&mut screen, "greedy") {
            break;
        }
        screen.type_text("\x1b[B");
    }
    screen.type_text("\x1b[C\x1b[F\r");
    screen.wait_for("Builder Blue, where");
    screen.type_text("q\r");
    screen.wait_for("Begin");
    assert!(red(&mut screen, "classic"), "{}", screen.text());
    screen.type_text("q");
    screen.check_end(0);
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("Begin");
    assert!(red(&mut screen, "classic"), "{}", screen.text());
    screen.type_text("q");
    screen.check_end(0);
    // What is not such a file counts as none.
    for text in ["", "[]", r#"{"pace_ms":-1}"#, r#"{"players":[1]}"#] {
        fs::write(&file, text).unwrap();
        let mut screen = begin(&[]);
        screen.wait_for("bar of chances: after");
        assert!(!screen.text().contains("  advice (a)"), "{}", screen.text());
        screen.type_text("q\r");
        screen.check_end(0);
    }
}

#[test]
fn without_a_folder_the_game_is_saved_and_that_is_said() {
    let folder = folder();
    fs::write(folder.path().join("home"), "a file").unwrap();
    let mut screen = Screen::start(folder.path(), &["-keep", "-players", PEOPLE]);
    screen.wait_for("Games are not kept");
    screen.type_text("20\r");
    screen.wait_for("Builder Red, where");
    screen.type_text("q\r");
    screen.check_end(0);
    assert!(screen.terminal.text.contains("the game is saved in backup.sv"), "{}", screen.terminal.text);
}

#[test]
fn finished_game_is_analysed_by_a_key() {
    let folder = folder();
    let players = "greedy,greedy,greedy,greedy";
    let mut screen = Screen::start(folder.path(), &["-seed", "5", "-random-board", "-pace", "0", "-players", players]);
    screen.wait_for("Builder Orange wins");
    screen.type_text("A");
    screen.wait_for("Analysing: ");
    screen.wait_for(" left;");
    screen.type_text("\x1b");
    screen.settle(100);
    screen.type_text("q");
    screen.wait_for("leaving again stops it");
    screen.type_text("q");
    screen.check_end(0);
}

#[test]
fn games_from_a_saved_one_are_listed_with_its_points() {
    let folder = folder();
    let save = concat!(env!("CARGO_MANIFEST_DIR"), "/saves/mid-game.sv");
    let players = "human,human,human,human";
    let mut screen = Screen::start(folder.path(), &["-keep", "-seed", "5", "-load", save, "-players", players]);
    screen.wait_for("roll the dice");
    screen.type_text("\r");
    screen.wait_for("turn 1");
    screen.type_text("q");
    screen.wait_for("The game is kept");
    screen.type_text("\r");
    screen.check_end(0);
    let (_, text) = with_home(folder.path(), &["games"]);
    assert!(text.contains("B human 6p, R human 4p, O human 5p, Y human 5p"), "{text}");
}

/// Plays two games in one run: the first to its end, and the beginning of the second. Returns the record.
fn two_games(folder: &Path) -> std::path::PathBuf {
    let players = "greedy,greedy,greedy,greedy";
    let options = ["-keep", "-seed", "5", "-random-board", "-pace", "0", "-players", players];
    let mut screen = Screen::start(folder, &options);
    screen.wait_for("Builder Orange wins");
    screen.type_text("y");
    // The second game begins, and is left at its end, too.
    screen.wait_for("after ");
    screen.settle(300);
    screen.type_text("q\r");
    screen.check_end(0);
    only_record(folder)
}

/// Returns the only record of the kept games.
fn only_record(folder: &Path) -> std::path::PathBuf {
    let games = folder.join("home/.local/share/constructor/games");
    fs::read_dir(games).unwrap().next().unwrap().unwrap().path()
}

/// A branch stays one, and games keep their numbers, when the game that it branches off goes on.
#[test]
fn branch_stays_one_when_its_game_goes_on() {
    let folder = folder();
    let leave = |screen: &mut Screen| {
        screen.settle(300);
        screen.type_text("q\r");
        screen.check_end(0);
    };
    // Which games the list has, and how they stand.
    let list = || {
        let list = with_home(folder.path(), &["games"]).1;
        let games = list.lines().filter_map(|line| {
            Some((line.get(..4)?.to_owned(), line.get(23..)?.rsplit_once(": ")?.0.trim().to_owned()))
        });
        games.collect::<BTreeMap<String, String>>()
    };
    let mut screen = against_greedy_players(folder.path());
    screen.type_text("20\r");
    screen.wait_for("2 basements");
    screen.settle(300);
    screen.type_text("39\r");
    screen.wait_for("turn 1");
    screen.settle(300);
    screen.type_text("[\x1b[H");
    screen.wait_for("Looking back");
    screen.type_text("gg");
    screen.wait_for("It goes on from here");
    screen.type_text("22\r");
    screen.wait_for("2 basements");
    leave(&mut screen);
    let [first, branch] = ["  1*", "  2*"].map(str::to_owned);
    let expected =
        [(first.clone(), "turn 1".to_owned()), (branch.clone(), "setup (from setup: basement 22)".to_owned())];
    assert_eq!(list(), BTreeMap::from(expected.clone()));
    // What goes on last is proposed, though it is the first of the file.
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    screen.wait_for("Builder Blue");
    screen.type_text(":fair roll next\r");
    screen.settle(1_000);
    leave(&mut screen);
    let games = list();
    assert_eq!(games.get(&branch), Some(&expected[1].1), "{games:?}");
    assert!(games.len() == 2 && games[&first].starts_with("turn ") && games[&first] != "turn 1", "{games:?}");
    // Going on with the branch hides none of them.
    let mut screen = resumed(folder.path(), &["-resume", "2"]);
    screen.wait_for("Builder Blue");
    screen.type_text("40\r");
    screen.wait_for("turn 1");
    leave(&mut screen);
    let games = list();
    assert_eq!(games.get(&branch).map(String::as_str), Some("turn 1 (from setup: basement 22)"), "{games:?}");
    let mut screen = resumed(folder.path(), &["-resume"]);
    screen.wait_for("turn 1");
    leave(&mut screen);
    // A second branch, of a game that is not the last of its file.
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    screen.wait_for("pace 400 ms");
    screen.type_text("[\x1b[H");
    screen.wait_for("Looking back");
    screen.type_text("gg");
    screen.wait_for("It goes on from here");
    screen.type_text("12\r");
    screen.wait_for("2 basements");
    leave(&mut screen);
    let games = list();
    assert_eq!(games["  3*"], "setup (from setup: basement 12)", "{games:?}");
    // Without the game, its branches are still known as some.
    assert_eq!(with_home(folder.path(), &["games", "-remove", "1"]).0, 0);
    let games = list();
    let left = ["turn 1, branch at setup: basement 22", "setup, branch at setup: basement 12"];
    assert_eq!(games.values().map(String::as_str).collect::<Vec<_>>(), left, "{games:?}");
}

#[test]
fn looking_at_a_finished_game_changes_nothing() {
    let folder = folder();
    let record = two_games(folder.path());
    let before = fs::read(&record).unwrap();
    let list = with_home(folder.path(), &["games"]).1;
    assert_eq!(list.lines().count(), 4, "{list}");
    // The older of the two games.
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("2 games, 2 finished, 0 won by people");
    screen.type_text("\x1b[A\x1b[A\r\x1b[B\r");
    screen.wait_for("Builder Orange wins");
    screen.terminal.child.kill().unwrap();
    assert_eq!(with_home(folder.path(), &["games", "-show", "2"]).0, 0);
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    // Its end first, then back from there.
    screen.wait_for("Builder Orange wins");
    screen.type_text("[");
    screen.wait_for("Looking back");
    screen.type_text("q\r");
    screen.check_end(0);
    assert_eq!(fs::read(&record).unwrap(), before, "looking adds nothing");
    // Playing again copies the game in the file, since its dice go on from there, but the list has it once.
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    screen.wait_for("Builder Orange wins");
    screen.type_text("y");
    screen.wait_for("2 basements");
    screen.type_text("q\r");
    screen.check_end(0);
    assert!(fs::read(&record).unwrap().len() > before.len());
    let list = with_home(folder.path(), &["games"]).1;
    assert_eq!(list.lines().filter(|line| line.contains(" wins, turn ")).count(), 2, "{list}");
    assert!(list.contains("  3* ") && !list.contains("a branch"), "{list}");
}

#[test]
fn kept_games_are_removed_and_brought_back_unless_their_file_is_in_use() {
    let folder = folder();
    let record = two_games(folder.path());
    let list = || with_home(folder.path(), &["games"]).1;
    let games = |arguments: &[&str]| with_home(folder.path(), &[&["games"], arguments].concat());
    let (claim, lines) = (fs::File::open(&record).unwrap(), fs::read_to_string(&record).unwrap());
    claim.lock().unwrap();
    let (status, text) = games(&["-remove", "2"]);
    assert!(status == 1 && text.ends_with(": another run uses it\n") && list().contains("2 games"), "{text}");
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("2 games, 2 finished");
    screen.type_text("\x1b[A\x1b[A\ru");
    screen.wait_for("no game was removed");
    screen.wait_for("A analyse  n name  x remove  / find");
    screen.type_text("x");
    screen.wait_for("another run uses it");
    drop(claim);
    // The newer game goes; the older one stays as it was, and as old as it was.
    let both = list();
    screen.type_text("x");
    screen.wait_for("Game 2 is removed; u brings it back");
    screen.wait_for("x remove  u undo");
    let left = list();
    assert!(left.contains("1 game, 1 finished") && left.contains("Removed: 2; -bring-back K"), "{left}");
    assert_eq!(left.lines().next(), both.lines().nth(1));
    // Who confirms what needs no answer opens no game.
    screen.type_text("\r");
    screen.wait_for("x has removed the game without a question");
    screen.type_text("u");
    screen.wait_for("Game 2 is back");
    assert_eq!(list(), both);
    // A name stays with its game.
    screen.type_text("nmy?\u{1b}");
    screen.wait_for("A analyse  n name");
    screen.type_text("nn\u{15}My first?\r");
    screen.wait_for("\"My first?\"");
    let is_named = || list().lines().next().unwrap().contains("  \"My first?\" ");
    assert!(is_named(), "{}", list());
    // Words show the games that have all of them.
    screen.type_text("/FIRST turn");
    screen.wait_for("1 of 2 games with \"FIRST\" and \"turn\"");
    screen.type_text(" none");
    screen.wait_for("0 of 2 games");
    screen.type_text("\u{15}");
    screen.wait_for("2 games, 2 finished");
    screen.type_text("none");
    screen.wait_for("0 of 2 games");
    screen.type_text("\rx");
    screen.wait_for("x does nothing now");
    screen.type_text("\u{1b}");
    screen.wait_for("2 games, 2 finished");
    // All games of the file go, and come back one after another, also in another run.
    screen.type_text("x");
    screen.wait_for("Game 2 is removed");
    screen.type_text("x");
    screen.wait_for("Game 1 is removed");
    screen.terminal.child.kill().unwrap();
    assert_eq!(fs::read_to_string(&record).unwrap(), lines);
    let text = list();
    assert!(text.starts_with("No game is kept in ") && text.contains("Removed: 1, 2; "), "{text}");
    assert_eq!(games(&["-bring-back"]), (0, "Game 1 is back.\n".to_owned()));
    assert_eq!(games(&["-bring-back", "1"]), (1, "constructor: game 1 was not removed\n".to_owned()));
    assert_eq!(games(&["-bring-back", "2"]), (0, "Game 2 is back.\n".to_owned()));
    assert!(is_named(), "{}", list());
    assert_eq!(games(&["-name", "2", "-to", ""]).0, 0);
    assert_eq!(list(), both);
    assert_eq!(games(&["-name", "2", "-to", " A\u{1b} "]), (0, "Game 2 is named \"A\\u{1b}\".\n".to_owned()));
    assert!(list().lines().next().unwrap().contains("  \"A\\u{1b}\" "), "{}", list());
    let none = "constructor: there is no kept game 3; constructor games lists them\n".to_owned();
    for arguments in [&["-name", "3", "-to", "A"][..], &["-remove", "3"], &["-show", "3"]] {
        assert_eq!(games(arguments), (1, none.clone()), "{arguments:?}");
    }
    let (status, text) = games(&["-name", "2", "-to", &"a".repeat(31)]);
    assert!(status == 2 && text.contains("expected at most 30 letters"), "{text}");
    let (status, text) = games(&["-remove", "1"]);
    assert!(status == 0 && text.starts_with("Game 1 is removed: "), "{text}");
    // A finished game was last played at its end; without that time, when the next one began.
    let number = |line: usize| list().lines().nth(line).unwrap()[..3].trim().to_owned();
    for (name, time) in [("ended", "1000000000"), ("begun", "1100000000")] {
        let record = two_games(folder.path());
        let text = fs::read_to_string(&record).unwrap();
        // The result of the first game and the header of the second.
        let (older, newer) = text.split_once("{\"type\":\"result\"").unwrap();
        let (result, newer) = newer.split_once('\n').unwrap();
        let member = |text: &str, name: &str| {
            let rest = text.split_once(&format!("\"{name}\":")).unwrap().1;
            format!("\"{name}\":{}", rest.split([',', '}']).next().unwrap())
        };
        let (ended, begun) = (member(result, "ended"), member(newer, "begun"));
        let result = match name {
            "ended" => result.replace(&ended, &format!("\"ended\":{time}")),
            _ => result.replace(&format!(",{ended}"), ""),
        };
        let newer = newer.replacen(&begun, "\"begun\":1100000000", 1);
        let older = older.replacen(&member(older, "begun"), "\"begun\":1000000000", 1);
        fs::write(&record, format!("{older}{{\"type\":\"result\"{result}\n{newer}")).unwrap();
        let year = if name == "ended" { " 2001-09-0" } else { " 2004-11-" };
        let dates = |list: &str| list.lines().filter(|line| line.contains(year)).count();
        assert_eq!(dates(&list()), 1, "{}", list());
        // New games get new numbers.
        assert!(!["1", "2"].contains(&&*number(0)), "{}", list());
        assert_eq!(games(&["-remove", &number(0)]).0, 0);
        assert_eq!(dates(&list()), 1, "{}", list());
        fs::remove_file(&record).unwrap();
    }
}

/// The file of games that were removed is deleted at a later start.
#[test]
fn removed_games_are_deleted_after_thirty_days() {
    let folder = folder();
    let record = two_games(folder.path());
    for number in ["1", "2"] {
        assert_eq!(with_home(folder.path(), &["games", "-remove", number]).0, 0);
    }
    let file = record.parent().unwrap().with_file_name("list.json");
    let begin_and_leave = || {
        let mut screen = Screen::start(folder.path(), &["-keep"]);
        screen.wait_for("Enter begins the game");
        screen.type_text("q");
        screen.check_end(0);
    };
    begin_and_leave();
    let text = fs::read_to_string(&file).unwrap();
    let parts: Vec<&str> = text.split("\"removed\":").collect();
    let [first, second, third] = parts[..] else { panic!("{text}") };
    let after_time = |part: &str| part.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    // One of the two was removed long ago, then both.
    let one = format!("{first}\"removed\":1{}\"removed\":{third}", after_time(second));
    let both = format!("{first}\"removed\":1{}\"removed\":1{}", after_time(second), after_time(third));
    for (text, stays) in [(one, true), (both, false)] {
        fs::write(&file, text).unwrap();
        begin_and_leave();
        assert_eq!(record.exists(), stays);
    }
    assert_eq!(with_home(folder.path(), &["games"]).1.lines().count(), 1);
}

#[test]
fn kept_games_are_analysed_from_the_list_and_missed_when_they_are_gone() {
    let folder = folder();
    two_games(folder.path());
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("2 games, 2 finished");
    // Any key closes the page of keys, and a key without a meaning names it.
    screen.type_text("?");
    screen.wait_for("Left Right  change it");
    screen.type_text("?\x1b[A\x1b[A\r?");
    screen.wait_for("A           analyse it");
    screen.type_text("?z");
    screen.wait_for("z does nothing now; ? shows the keys.");
    screen.type_text("A");
    screen.wait_for("Analysing: ");
    // The game is left with its analysis.
    screen.type_text("q");
    screen.wait_for("A analyse  n name  x remove");
    // Another run removes the game that is chosen: the other one is not taken for it.
    assert_eq!(with_home(folder.path(), &["games", "-remove", "2"]).0, 0);
    screen.type_text("\r");
    screen.wait_for("the game is not there any more");
    screen.type_text("\r");
    screen.wait_for("The game is over; y plays another one");
    screen.terminal.child.kill().unwrap();
}

/// Writes a record that ends within the first game of this one.
fn write_unfinished(file: &Path, record: &str) {
    let lines: Vec<&str> = record.lines().take(60).collect();
    fs::write(file, lines.join("\n") + "\n").unwrap();
}

/// A finished game whose file another run uses can be viewed; an unfinished one goes on only there.
#[test]
fn finished_games_that_are_open_elsewhere_are_viewed() {
    let folder = folder();
    let record = two_games(folder.path());
    let text = fs::read_to_string(&record).unwrap();
    let claim = fs::File::open(&record).unwrap();
    claim.lock().unwrap();
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("2 games, 2 finished");
    screen.type_text("\x1b[A\x1b[A\r\r");
    screen.wait_for("The game is over; y plays another one");
    screen.type_text("\r");
    screen.wait_for("another window");
    // What is played on from it is kept in another file.
    screen.type_text("{g");
    screen.wait_for("the old game stays in the list");
    screen.type_text("g");
    screen.wait_for("It goes on from here");
    screen.type_text("ss");
    screen.settle(200);
    screen.type_text("q\r");
    screen.wait_for("3 games, 2 finished");
    screen.wait_for("branch at ");
    assert_eq!(fs::read_to_string(&record).unwrap(), text);
    screen.terminal.child.kill().unwrap();
    let files = fs::read_dir(record.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let others: Vec<_> = files.filter(|file| *file != record).collect();
    let kept = others.iter().filter(|file| !fs::read(file).unwrap().is_empty()).count();
    assert!(kept == 1 && others.iter().all(|file| fs::remove_file(file).is_ok()), "{others:?}");
    write_unfinished(&record, &text);
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("1 game, 0 finished");
    screen.type_text("\x1b[F\x1b[A\x1b[A\r\r");
    screen.wait_for("is open in another window");
    screen.terminal.child.kill().unwrap();
}

/// The analysis of an unfinished game begins, and leads back to the list.
#[test]
fn unfinished_games_are_analysed_from_the_list() {
    let folder = folder();
    let record = two_games(folder.path());
    let text = fs::read_to_string(&record).unwrap().replace("\"player\":\"greedy\"", "\"player\":\"human\"");
    write_unfinished(&record, &text);
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("1 game, 0 finished");
    screen.type_text("\x1b[F\x1b[A\x1b[A\rA");
    screen.wait_for("Analysing: ");
    screen.type_text("\x1b");
    screen.wait_for("1 game, 0 finished");
    // The program does not end unasked while it is made.
    screen.type_text("qq");
    screen.wait_for("A game is being analysed; leaving again stops it.");
    screen.type_text("q");
    screen.check_end(0);
}

#[test]
fn games_of_one_person_are_listed_as_won_or_lost() {
    let folder = folder();
    let record = two_games(folder.path());
    let text = fs::read_to_string(&record).unwrap();
    for (person, said) in [("Orange", "  won as Orange, turn "), ("Blue", "  lost to Orange, turn ")] {
        let (before, after) = text.split_once(&format!("\"builder\":\"{person}\",\"player\":\"")).unwrap();
        let after = after.split_once('"').unwrap().1;
        let person = format!("{before}\"builder\":\"{person}\",\"player\":\"human\"{after}");
        fs::write(&record, person).unwrap();
        let list = with_home(folder.path(), &["games"]).1;
        assert!(list.lines().nth(1).unwrap().contains(said) && list.contains(" wins, turn "), "{list}");
    }
    // A computer takes over the person's builder before the last action of the first game.
    for (colour, said) in [("Orange", "greedy won as Orange, turn "), ("Blue", "greedy lost to Orange, turn ")] {
        let [human, greedy] =
            ["human", "greedy"].map(|player| format!("\"builder\":\"{colour}\",\"player\":\"{player}\""));
        let text = text.replacen(&greedy, &human, 1);
        let result = text.find("{\"type\":\"result\"").unwrap();
        let end = text[..result].trim_end().rfind('\n').unwrap() + 1;
        let line = format!("{{\"type\":\"player\",{greedy}}}\n");
        fs::write(&record, text[..end].to_owned() + &line + &text[end..]).unwrap();
        let list = with_home(folder.path(), &["games"]).1;
        assert!(list.contains(said) && list.contains(", 0 won by people"), "{list}");
    }
}

/// A computer player that takes over a person's seat plays until the game ends; the next game, and what goes on from an earlier moment, is
/// the person's again. The record has all of it.
#[test]
fn person_has_the_seat_again_after_a_computer_took_over() {
    let folder = folder();
    let mut screen = against_greedy_players(folder.path());
    screen.type_text(":computer greedy\r");
    screen.wait_for("Builder Orange wins");
    // A change after the end is no part of the game.
    screen.type_text(":human red\r");
    screen.settle(100);
    screen.type_text("y");
    screen.wait_for("Builder Blue, where");
    screen.wait_for("Blue is yours again. Builder Blue");
    screen.type_text("q\r");
    screen.check_end(0);
    let record = only_record(folder.path());
    let players = || {
        let (records, _) = constructor::record::read(&fs::read(&record).unwrap()).unwrap();
        let of = |record: &constructor::record::Record| {
            ["Blue", "Red"].map(|colour| {
                let players = record.players_of(colour).into_iter();
                constructor::record::joined_names(players.map(|player| &*player.player))
            })
        };
        records.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(players(), [["human+greedy", "greedy"], ["human", "human"]]);
    let list = with_home(folder.path(), &["games"]).1;
    assert!(list.contains(": B human+greedy ") && list.contains(", R greedy "), "{list}");
    // The finished game is opened, and goes on from the beginning.
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    screen.wait_for("Builder Orange wins");
    screen.type_text("[");
    screen.wait_for("Looking back");
    screen.type_text(&"{".repeat(300));
    screen.type_text("gg");
    screen.wait_for("It goes on from here. Blue is yours again.");
    screen.type_text("20\r");
    screen.wait_for("2 basements");
    screen.settle(300);
    screen.type_text("q\r");
    screen.check_end(0);
    assert_eq!(players()[2], ["human", "greedy"]);
}

/// A builder that is taken back within a turn keeps its player when the game goes on, and a computer that did nothing is not among its players.
#[test]
fn builder_that_was_taken_back_within_a_turn_stays() {
    let folder = folder();
    let mut screen = against_greedy_players(folder.path());
    screen.type_text("20\r");
    screen.wait_for("2 basements");
    screen.settle(300);
    screen.type_text("p:computer greedy\r");
    screen.wait_for("is played by greedy now");
    screen.settle(300);
    screen.type_text("s");
    screen.wait_for("Blue: basement 39");
    screen.settle(300);
    // The choice of the dice is no action.
    screen.type_text("s");
    screen.wait_for("Blue: roll 8");
    screen.settle(300);
    screen.type_text(":human blue\r");
    screen.wait_for("You play Blue now");
    screen.type_text("q\r");
    screen.check_end(0);
    let record = only_record(folder.path());
    let content = fs::read_to_string(&record).unwrap();
    let players: Vec<&str> = content.lines().filter(|line| line.contains(r#""type":"player""#)).collect();
    assert!(players.len() == 2 && players[1].contains("human"), "{players:?}");
    let (records, _) = constructor::record::read(content.as_bytes()).unwrap();
    let (_, again) = constructor::record::resume(&records[0], |_, _| {}).unwrap();
    assert_eq!(again.players[0].player, "human");
    let mut screen = resumed(folder.path(), &["-resume", "1"]);
    screen.wait_for("Builder Blue");
    screen.type_text("p:computer greedy\r");
    screen.wait_for("is played by greedy now");
    screen.type_text(":human blue\r");
    screen.wait_for("You play Blue now");
    screen.type_text("q\r");
    screen.check_end(0);
    let (records, _) = constructor::record::read(&fs::read(&record).unwrap()).unwrap();
    assert_eq!(records[0].players_of("Blue").len(), 2, "{:?}", records[0].players_of("Blue"));
}

#[test]
fn game_whose_record_vanishes_is_saved() {
    for how in ["removed", "replaced", "cut", "removed at the end"] {
        let folder = folder();
        let options = ["-keep", "-random-board", "-seed", "3", "-pace", "0", "-players", "human,greedy,greedy,greedy"];
        let mut screen = Screen::start(folder.path(), &options);
        screen.wait_for("Builder Blue, where");
        screen.type_text("20\r");
        screen.wait_for("2 basements");
        screen.settle(300);
        let record = only_record(folder.path());
        match how {
            "replaced" => {
                fs::remove_file(&record).unwrap();
                fs::write(&record, "something else\n").unwrap();
            }
            "cut" => fs::File::options().write(true).open(&record).unwrap().set_len(10).unwrap(),
            _ => fs::remove_file(&record).unwrap(),
        }
        if how != "removed at the end" {
            screen.type_text("\t\r");
            screen.wait_for("somebody has removed or changed it");
            screen.type_text("\x1b");
            screen.settle(100);
        }
        screen.type_text("q\r");
        screen.check_end(0);
        let text = &screen.terminal.text;
        assert!(text.contains("the game is saved in backup.sv") && !text.contains("the game is kept"), "{how}: {text}");
        assert!(folder.path().join("backup.sv").exists(), "{how}");
    }
}

#[test]
fn foreign_files_among_kept_games_do_no_harm() {
    let folder = folder();
    let record = two_games(folder.path());
    let games = record.parent().unwrap();
    let fifo = games.join("2026-01-01-000000-1.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    fs::write(games.join("2026\x1b[31m-x.jsonl"), fs::read(&record).unwrap()).unwrap();
    fs::write(games.join("2026-01-01-000000-2.jsonl"), "garbage\n").unwrap();
    fs::write(games.join("2026-01-01-000000-3.jsonl"), "").unwrap();
    fs::create_dir(games.join("2026-01-01-000000-4.jsonl")).unwrap();
    let (status, list) = with_home(folder.path(), &["games"]);
    assert!(status == 0 && list.lines().count() == 4 && !list.contains('\x1b'), "{list:?}");
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("All games  2 games, ");
    screen.type_text("\x1b[F\r");
    screen.wait_for("where do you want to build a basement?");
    screen.terminal.child.kill().unwrap();
    // The new game's file is there until the next start, since nothing was done in it.
    assert_eq!(fs::read_dir(games).unwrap().count(), 7);
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("All games  2 games, ");
    screen.terminal.child.kill().unwrap();
    assert_eq!(fs::read_dir(games).unwrap().count(), 6);
}

#[test]
fn loaded_rolls_stay_in_a_branch_of_a_resumed_game() {
    let folder = folder();
    let options = ["-keep", "-random-board", "-seed", "3", "-pace", "0", "-players", PEOPLE];
    let mut screen = Screen::start(folder.path(), &options);
    screen.wait_for("Builder Blue, where");
    screen.type_text(":20 8 32 45 40 27 15 37 load roll 6 next load roll 8\r");
    screen.wait_for("turn 2  ");
    screen.settle(300);
    screen.type_text("q\r");
    screen.check_end(0);
    let mut screen = Screen::start(folder.path(), &["-keep"]);
    screen.wait_for("Go on");
    screen.type_text("\r");
    screen.wait_for("turn 2  ");
    screen.type_text("[");
    screen.settle(100);
    screen.type_text("gg");
    screen.wait_for("It goes on from here");
    assert!(screen.text().contains("Builder Red's turn"), "{}", screen.text());
    screen.type_text("q\r");
    screen.wait_for("Begin");
    screen.type_text("q");
    screen.check_end(0);
    let (status, text) = with_home(folder.path(), &["games", "-show", "1"]);
    assert_eq!(status, 0, "{text}");
}
