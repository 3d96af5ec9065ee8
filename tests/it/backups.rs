//! The backup of a game that is cut short: kept, found again, and not written where others want it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Files, Program, copy_to, files_below, path};
use crate::pty::Terminal;

const SAMPLE: &str = include_str!("../../layout.txt");

/// The question after the first basement.
const RED: &str = "Builder Red, where do you want to build a basement?\r\n> ";

/// A directory with the default layout.
fn folder() -> Program {
    Program::new().file("layout.txt", SAMPLE)
}

fn program() -> String {
    path().to_str().unwrap().to_owned()
}

/// Plays at a terminal: Blue's first basement at this vertex, then the end of input. Returns what is printed after it.
fn play_at_terminal(folder: &Path, options: &[&str], vertex: u32) -> String {
    let program = program();
    let mut terminal = Terminal::start(folder, &[&[program.as_str()], options].concat());
    terminal.read_until("> ");
    terminal.type_text(&format!("{vertex}\n"));
    terminal.read_until(RED);
    let printed = terminal.text.len();
    terminal.type_text("\x04");
    assert_eq!(terminal.end(), Some(0));
    terminal.text[printed..].to_owned()
}

fn first_line_of_blue(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap().lines().nth(1).unwrap().to_owned()
}

#[test]
fn closed_terminal_saves_the_game() {
    let trials = |count: u32| {
        for _ in 0..count {
            let program = folder();
            // The kernel and the shell both send SIGHUP.
            let command = format!("{}; true", path().display());
            let mut terminal = Terminal::start(program.folder(), &["bash", "--norc", "-i", "-c", &command]);
            terminal.read_until("> ");
            let shell = terminal.close();
            let started = Instant::now();
            let backup = program.folder().join("backup.sv");
            while !backup.exists() {
                assert!(
                    started.elapsed() < Duration::from_secs(20),
                    "not saved: {:?}",
                    files_below(program.folder()).keys()
                );
                thread::sleep(Duration::from_millis(1));
            }
            drop(shell);
            let left: Vec<String> = files_below(program.folder()).into_keys().collect();
            assert_eq!(left, ["backup.sv", "layout.txt"]);
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| trials(50));
        }
    });
}

#[test]
fn terminal_is_told_where_the_game_is() {
    let program = folder();
    let said = play_at_terminal(program.folder(), &["-extras", "-board", "layout.txt"], 3);
    let game = path().display().to_string();
    let expected = format!(
        "\r\nconstructor: the game is saved in backup.sv; continue it with: {game} -extras -load backup.sv\r\n"
    );
    assert_eq!(said, expected);

    let mut terminal = Terminal::start(program.folder(), &[&game, "-load", "backup.sv"]);
    terminal.read_until(RED);
    terminal.type_text("\x03");
    assert_eq!(terminal.end(), Some(130));
    let expected =
        format!("^C\r\nconstructor: the game is saved in backup.sv; continue it with: {game} -load backup.sv\r\n");
    assert!(terminal.text.ends_with(&expected), "{}", terminal.text);
}

#[test]
fn command_that_continues_the_game_keeps_its_options() {
    let program = folder();
    let options = ["--players", "human,human,human,exec:sh -c 'cat > /dev/null' --seed 3", "--seed=4", "-random-board"];
    let said = play_at_terminal(program.folder(), &options, 3);
    let expected = "-players \"human,human,human,exec:sh -c 'cat > /dev/null' --seed 3\" -seed 4 -load backup.sv\r\n";
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn finished_game_is_not_offered_to_be_continued() {
    let program = folder().file("in.sv", include_str!("../../saves/one-move-from-winning.sv"));
    let mut terminal = Terminal::start(program.folder(), &[&self::program(), "-load", "in.sv"]);
    terminal.read_until("> ");
    terminal.type_text("roll 6 improve 32\n");
    terminal.read_until("Would you like to play again?\r\n> ");
    let printed = terminal.text.len();
    terminal.type_text("\x04");
    assert_eq!((terminal.end(), &terminal.text[printed..]), (Some(0), ""));
    assert!(!program.folder().join("backup.sv").exists());
}

#[test]
fn terminal_keeps_earlier_backups() {
    let program = folder();
    for vertex in 0..12 {
        let said = play_at_terminal(program.folder(), &[], vertex);
        assert_eq!(said.contains("constructor: the game before it is now backup.1.sv\r\n"), vertex > 0, "{said}");
    }
    let names: Vec<String> = files_below(program.folder()).into_keys().filter(|name| name != "layout.txt").collect();
    let kept: Vec<String> = (1..=9).map(|number| format!("backup.{number}.sv")).collect();
    assert_eq!(names, [&kept[..], &["backup.sv".to_owned()]].concat());
    for (age, name) in ["backup.sv".to_owned()].iter().chain(&kept).enumerate() {
        assert_eq!(first_line_of_blue(program.folder(), name), format!("0 0 0 0 0 r h {} B", 11 - age), "{name}");
    }
    // A game that goes on replaces its own backup.
    let mut terminal = Terminal::start(program.folder(), &[&self::program(), "-load", "backup.sv"]);
    terminal.read_until(RED);
    terminal.type_text("20\n\x04");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(first_line_of_blue(program.folder(), "backup.1.sv"), "0 0 0 0 0 r h 10 B");
}

#[test]
fn two_games_that_end_together_are_both_saved() {
    for _ in 0..20 {
        let program = folder();
        let games: Vec<Terminal> = [3, 7]
            .into_iter()
            .map(|vertex| {
                let mut terminal = Terminal::start(program.folder(), &[&self::program()]);
                terminal.read_until("> ");
                terminal.type_text(&format!("{vertex}\n"));
                terminal.read_until(RED);
                terminal
            })
            .collect();
        let mut closed: Vec<_> = games.into_iter().map(Terminal::close).collect();
        for game in &mut closed {
            game.wait().unwrap();
        }
        let mut saved = ["backup.sv", "backup.1.sv"].map(|name| first_line_of_blue(program.folder(), name));
        saved.sort();
        assert_eq!(saved, ["0 0 0 0 0 r h 3 B", "0 0 0 0 0 r h 7 B"]);
    }
}

#[test]
fn games_are_kept_where_the_backup_cannot_be_written() {
    let program = folder();
    fs::create_dir(program.folder().join("backup.sv")).unwrap();
    for vertex in 0..11 {
        let said = play_at_terminal(program.folder(), &[], vertex);
        assert!(said.contains("backup.sv: not saved: is a directory\r\n"), "{said}");
    }
    // The latest is the one that moved nothing, or the first.
    let kept: Vec<String> =
        (1..=9).map(|number| first_line_of_blue(program.folder(), &format!("backup.{number}.sv"))).collect();
    assert!(
        kept.contains(&"0 0 0 0 0 r h 10 B".to_owned()) && kept.contains(&"0 0 0 0 0 r h 9 B".to_owned()),
        "{kept:?}"
    );
}

#[test]
fn game_is_saved_on_a_nearly_full_disk() {
    // Pages that are left when the second game ends, and what it says.
    for pages in 0..4 {
        let program = folder();
        let script = format!(
            "mkdir disk; mount -t tmpfs -o size=64k none disk || exit 77; cp layout.txt disk; cd disk; printf '3\\n' | {game} >/dev/null; \
             fallocate -l 4096 last 2>/dev/null; while head -c 4096 /dev/zero > filler-$((n = n + 1)) 2>/dev/null; do :; done; \
             rm -f filler-$n; for i in $(seq {pages}); do rm filler-$((n - i)); done; {game}; cp *.sv ..",
            game = self::program()
        );
        let command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", &script];
        let mut terminal = Terminal::start(program.folder(), &command);
        if !terminal.read_until_any(&["> ", "unshare"]).contains("> ") {
            println!("not tested: {}", terminal.text);
            return;
        }
        terminal.type_text("7\n");
        terminal.read_until(RED);
        terminal.type_text("\x04");
        terminal.end();
        let saved: Vec<String> = files_below(program.folder())
            .into_keys()
            .filter(|name| name.starts_with("backup"))
            .map(|name| first_line_of_blue(program.folder(), &name))
            .collect();
        assert!(saved.contains(&"0 0 0 0 0 r h 3 B".to_owned()), "{pages} pages: {saved:?}, {}", terminal.text);
        let is_saved = saved.contains(&"0 0 0 0 0 r h 7 B".to_owned());
        assert_eq!(is_saved, pages > 0, "{pages} pages: {saved:?}, {}", terminal.text);
        assert_eq!(is_saved, terminal.text.contains("the game is saved in backup."), "{}", terminal.text);
    }
}

#[test]
fn script_replaces_the_backup_silently() {
    let program = || folder().file("backup.sv", "earlier").input("0");
    let game = program().run().file_text("backup.sv").unwrap();
    program().left(Files::from([("backup.sv".to_owned(), game.into_bytes())])).check();
}

/// Runs a command for each directory as a user who may not do everything, after `prepare` as the test's own user. Nothing is
/// tested by an ordinary user, who cannot make files of others.
fn as_nobody(prepare: impl Fn(&Path), expected: &str) -> Option<Files> {
    const NOBODY: u32 = 65_534;
    let program = folder();
    let folder = program.folder();
    if chown(folder, Some(NOBODY), Some(NOBODY)).is_err() {
        println!("not tested: only root can give files to others");
        return None;
    }
    fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    // The program, where others may read it.
    copy_to(&folder.join("game"));
    prepare(folder);
    let output = assert_cmd::Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "./game"])
        .current_dir(folder)
        .write_stdin("0")
        .timeout(Duration::from_mins(1))
        .output()
        .unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), expected));
    let mut files = files_below(folder);
    files.retain(|name, _| name != "game" && name != "layout.txt");
    Some(files)
}

const SAVED: &[u8] = b"1\n0 0 0 0 0 r h 0 B\n";

#[test]
fn backup_is_written_in_place_where_the_directory_is_read_only() {
    let files = as_nobody(
        |folder| {
            chown(folder, Some(0), Some(0)).unwrap();
            fs::write(folder.join("backup.sv"), "earlier, and longer than what replaces it\n".repeat(20)).unwrap();
            fs::set_permissions(folder.join("backup.sv"), Permissions::from_mode(0o666)).unwrap();
        },
        "",
    );
    let Some(files) = files else { return };
    assert!(files["backup.sv"].starts_with(SAVED) && files["backup.sv"].ends_with(b"\n4\n"), "{files:?}");
    assert_eq!(files.len(), 1);
}

#[test]
fn backup_is_written_in_place_in_a_sticky_directory() {
    let files = as_nobody(
        |folder| {
            chown(folder, Some(0), Some(0)).unwrap();
            fs::set_permissions(folder, Permissions::from_mode(0o1777)).unwrap();
            fs::write(folder.join("backup.sv"), "").unwrap();
            fs::set_permissions(folder.join("backup.sv"), Permissions::from_mode(0o666)).unwrap();
        },
        "",
    );
    let Some(files) = files else { return };
    assert!(files["backup.sv"].starts_with(SAVED), "{files:?}");
    assert_eq!(files.len(), 1);
}

#[test]
fn backup_does_not_follow_the_link_of_another_user() {
    // Both can write to the file; the link is another user's.
    let prepare = |mode: u32| {
        move |folder: &Path| {
            fs::write(folder.join("diary.txt"), "dear diary").unwrap();
            chown(folder.join("diary.txt"), Some(65_534), None).unwrap();
            symlink("diary.txt", folder.join("backup.sv")).unwrap();
            if mode == 0o1777 {
                chown(folder, Some(0), Some(0)).unwrap();
            }
            fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }
    };
    // The directory is the player's: the link is replaced.
    let Some(files) = as_nobody(prepare(0o755), "") else { return };
    assert_eq!(files["diary.txt"], b"dear diary");
    assert!(files["backup.sv"].starts_with(SAVED));
    // It is shared and sticky: the link stays, and the game is saved beside it.
    let said =
        "constructor: backup.sv: not saved: Operation not permitted\nconstructor: the game is saved in backup.1.sv\n";
    let files = as_nobody(prepare(0o1777), said).unwrap();
    assert_eq!(
        (files["diary.txt"].as_slice(), files["backup.sv"].as_slice()),
        (&b"dear diary"[..], &b"dear diary"[..])
    );
    assert!(files["backup.1.sv"].starts_with(SAVED));
}

#[test]
fn backup_follows_an_own_link() {
    let program = folder().input("0");
    symlink("elsewhere.sv", program.folder().join("backup.sv")).unwrap();
    let run = program.run();
    assert!(run.files["elsewhere.sv"].starts_with(SAVED), "{:?}", run.files.keys());
}

#[test]
fn save_names_the_reason_why_a_target_is_no_file() {
    let run = |target: &str| {
        let game = folder().options(["-load", "in.sv"]).file("in.sv", include_str!("../../saves/after-setup.sv"));
        game.input(format!("roll 5 save {target}")).run().stderr_text()
    };
    assert_eq!(run("/dev/stdout"), "constructor: /dev/stdout: not saved: not a regular file\n");
    assert_eq!(run("/dev/full"), "constructor: /dev/full: not saved: not a regular file\n");
    assert_eq!(run("/proc/self/comm"), "constructor: /proc/self/comm: not saved: no file can be created beside it\n");
}
