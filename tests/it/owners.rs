//! Each thing has one owner: tests over all members of a kind, taken from the declarations of options, signals and formats.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Arg, Command};
use constructor::app::options::{PathRole, command};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::program::{ChildGuard, Program, files_below, path, with_default_signals, with_time_limit};
use crate::times::is_long;

const SAVED: &str = include_str!("../../saves/one-move-from-winning.sv");
const LAYOUT: &str = include_str!("../../layout.txt");

/// What a program needs to be run with one path, by command and option.
fn content(option: &str) -> String {
    match option {
        "load" => SAVED.to_owned(),
        "board" => LAYOUT.to_owned(),
        "record" => record(),
        "units" => unit(),
        _ => "mine\n".to_owned(),
    }
}

/// A record of one game.
fn record() -> String {
    Program::new()
        .options(["-random-board", "-record", "r"])
        .input("0 4 10 17 20 30 40 52\n")
        .run()
        .file_text("r")
        .unwrap()
}

fn unit() -> String {
    let options = ["simulate", "-games", "4", "-max-turns", "9", "-unit", "u", "-quiet"];
    Program::new().options(options).run().file_text("u").unwrap()
}

/// The options of a command that are paths.
fn paths(command: &Command) -> Vec<(Arg, PathRole)> {
    command.get_arguments().filter_map(|arg| Some((arg.clone(), PathRole::of(arg)?))).collect()
}

/// Runs the program without input. Returns its status, and what it says on standard error.
fn run_piped(folder: &Path, words: &[String]) -> (Option<i32>, String) {
    let output = with_time_limit(path()).current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Begins a game of the full screen, which may ask before it does, and leaves it. Returns what is on the terminal.
fn visit_the_screen(folder: &Path, words: &[String]) -> String {
    let program = path();
    let words: Vec<&str> = std::iter::once(program.to_str().unwrap()).chain(words.iter().map(String::as_str)).collect();
    let mut terminal = crate::pty::Terminal::start_with(folder, &words, (80, 24), &[]);
    for keys in ["\r", "q", "\r"] {
        terminal.settle(300);
        if terminal.child.try_wait().unwrap().is_some() {
            break;
        }
        terminal.type_text(keys);
    }
    terminal.text.clone()
}

/// Every command with every pair of its options for paths that name the same file, by name, by symbolic link and by hard link:
/// refused, unless both only read it, and the file is as it was. The full screen may say so on its first page, or use only one.
#[test]
fn no_two_options_use_the_same_file() {
    let commands = command();
    let mut pairs = 0;
    for (name, command) in
        std::iter::once(("", &commands)).chain(commands.get_subcommands().map(|command| (command.get_name(), command)))
    {
        let paths = paths(command);
        for (one, role) in &paths {
            for (other, other_role) in &paths {
                if one.get_id() == other.get_id() {
                    continue;
                }
                let only_read =
                    [role, other_role].iter().all(|role| matches!(role, PathRole::Input | PathRole::Inputs));
                for second in ["f", "soft", "hard", "./f"] {
                    if name == "tui" && (only_read || second.starts_with(['s', '.'])) {
                        continue;
                    }
                    pairs += 1;
                    if !is_long() && pairs % 4 != 0 {
                        continue;
                    }
                    let program = Program::new().file("f", content(one.get_id().as_str()));
                    symlink("f", program.folder().join("soft")).unwrap();
                    fs::hard_link(program.folder().join("f"), program.folder().join("hard")).unwrap();
                    let before = files_below(program.folder());
                    let folder = program.folder().to_owned();
                    let mut words: Vec<String> = Vec::from([name.to_owned()]);
                    words.retain(|name| !name.is_empty());
                    for (arg, path) in [(one, "f"), (other, second)] {
                        words.extend(arg.get_long().map(|long| format!("-{long}")));
                        words.push(path.to_owned());
                    }
                    if name == "simulate" || name == "match" {
                        words.extend(["-games", "4", "-max-turns", "5", "-quiet"].map(str::to_owned));
                    }
                    let said = if name == "tui" {
                        visit_the_screen(&folder, &words)
                    } else {
                        let (status, said) = run_piped(&folder, &words);
                        assert!(only_read || status != Some(0), "{words:?} is not refused: {said}");
                        said
                    };
                    assert!(!said.contains("panicked"), "{words:?}: {said}");
                    let after = files_below(&folder);
                    for (file, text) in &before {
                        // A record that goes on grows.
                        let is_kept = after[file] == *text || name == "tui" && after[file].starts_with(text);
                        assert!(is_kept, "{words:?}: {file}: {said}");
                    }
                }
            }
        }
    }
    assert!(pairs > 250, "{pairs}");
}

/// What a game writes besides what options name: it replaces neither the record nor the transcript nor the backup.
#[test]
fn a_game_does_not_overwrite_what_it_writes() {
    let record = record();
    for (input, options, redirect) in [
        ("25 8 15 12 45 37 40 32 roll 4 save r.jsonl", "-random-board -record r.jsonl", ""),
        ("25 8 15 12 45 37 40 32 roll 4 save soft", "-random-board -record r.jsonl", ""),
        ("25 8 15 12 45 37 40 32 roll 4 save hard", "-random-board -record r.jsonl -extras", ""),
        ("25", "-random-board -record r.jsonl", ">> r.jsonl"),
        ("25", "-random-board -record r.jsonl", "2>> r.jsonl"),
        ("25", "-random-board -record backup.sv", ""),
    ] {
        let program = Program::new().file("r.jsonl", &record).file("backup.sv", &record);
        symlink("r.jsonl", program.folder().join("soft")).unwrap();
        fs::hard_link(program.folder().join("r.jsonl"), program.folder().join("hard")).unwrap();
        let line = format!("echo {input} | \"$0\" {options} {redirect}");
        let output = with_time_limit("sh")
            .args(["-c", &line, path().to_str().unwrap()])
            .current_dir(program.folder())
            .output()
            .unwrap();
        let files = files_below(program.folder());
        let text = String::from_utf8_lossy(&files["r.jsonl"]).into_owned();
        assert!(text.starts_with(&record), "{line}: {text}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &text[record.len()..];
        assert!(said.contains("constructor: "), "{line}: {said}");
        if options.contains("backup") {
            assert_eq!(String::from_utf8_lossy(&files["backup.sv"]), record);
        }
    }
}

/// Every command that runs for long, with what it needs.
const LONG: [&[&str]; 8] = [
    &["-random-board"],
    &["-random-board", "-record", "r.jsonl", "-extras"],
    &["simulate", "-games", "1000000000", "-csv", "c.csv", "-json", "j.json"],
    &["simulate", "-games", "1000000000", "-quiet", "-html", "h.html"],
    &["simulate", "-games", "100000", "-players", "exec:./noise,greedy,greedy,greedy", "-json", "j.json"],
    &["match", "-boards", "1000000", "-players", "expert,greedy", "-json", "j.json"],
    &["tournament", "normal", "greedy", "-boards", "1000000", "-file", "t.jsonl"],
    &["analyse", "record.jsonl", "-playouts", "1000000", "-html", "h.html", "-json", "j.json"],
];

/// A program that writes much to standard error, and plays for once.
const NOISE: &str = "#!/bin/sh
yes noise | head -n 20000 >&2
while read -r line; do case $line in \\?*) echo 1 2 3 4 5 6 7 8 9;; esac; done";

/// Starts a command in a folder with all that it may need. Its input stays open.
fn start(options: &[&str], stderr: Stdio) -> (Program, ChildGuard) {
    let program = Program::new().file("record.jsonl", record()).executable("noise", NOISE);
    let child = with_default_signals(path())
        .args(options)
        .current_dir(program.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut child = ChildGuard(child);
    wait_for_handlers(&mut child);
    let mut stdout = child.stdout.take().unwrap();
    // What is printed is read, so that only standard error can be stuck.
    thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
    (program, child)
}

fn wait_for_handlers(child: &mut Child) {
    let started = Instant::now();
    let catches = |child: &Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_owned();
        u64::from_str_radix(&mask, 16).is_ok_and(|mask| mask & 1 << (Signal::SIGTERM as i32 - 1) != 0)
    };
    while !catches(child) {
        assert!(started.elapsed() < Duration::from_secs(20) && child.try_wait().unwrap().is_none(), "no handler");
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(150));
}

/// Waits for the exit. Returns the status, and how long it took.
fn wait(child: &mut Child, options: &[&str]) -> (Option<i32>, Duration) {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), started.elapsed());
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{options:?} does not end");
        thread::sleep(Duration::from_millis(5));
    }
}

/// No temporary file is left, and what was to be written is whole or not there.
fn check_files(folder: &Path, options: &[&str]) {
    for (name, content) in files_below(folder) {
        assert!(!name.contains(".unfinished-"), "{options:?} leaves {name}");
        if name == "j.json" {
            serde_json::from_slice::<Value>(&content).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        }
    }
}

/// Every command that runs for long, with a standard error that is full and that nobody reads, ends at signals with its results.
#[test]
fn stuck_standard_error_hinders_no_signal() {
    let orders: [&[Signal]; 4] =
        [&[Signal::SIGINT], &[Signal::SIGINT, Signal::SIGINT], &[Signal::SIGTERM], &[Signal::SIGHUP]];
    for (number, options) in LONG.into_iter().enumerate() {
        for (order, signals) in orders.into_iter().enumerate() {
            if !is_long() && order != number % orders.len() {
                continue;
            }
            let (reader, mut writer) = std::io::pipe().unwrap();
            fcntl(writer.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
            while writer.write(&[b'x'; 4096]).is_ok() {}
            while writer.write(b"x").is_ok() {}
            fcntl(writer.as_fd(), FcntlArg::F_SETFL(OFlag::empty())).unwrap();
            let (program, mut child) = start(options, writer.into());
            for signal in signals {
                kill(Pid::from_raw(child.id().cast_signed()), *signal).unwrap();
                thread::sleep(Duration::from_millis(30));
            }
            let (status, took) = wait(&mut child, options);
            let codes: Vec<Option<i32>> = signals.iter().map(|signal| Some(128 + *signal as i32)).collect();
            assert!(codes.contains(&status), "{options:?}: {status:?}");
            // A second for standard error; the rest is what a loaded machine takes.
            assert!(took < Duration::from_secs(10), "{options:?}: {took:?}");
            check_files(program.folder(), options);
            let files = files_below(program.folder());
            if number < 2 {
                assert!(files.contains_key("backup.sv"), "{options:?}");
            }
            if options.contains(&"j.json") && options[0] == "simulate" {
                assert!(files.contains_key("j.json"), "{options:?} {signals:?} has no results");
            }
            drop(reader);
        }
    }
}

/// Every command that runs for long ends at every signal that is caught, with 128 plus its number, and leaves no temporary file.
#[test]
fn every_command_ends_at_every_signal() {
    let signals = [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGTERM,
        Signal::SIGABRT,
        Signal::SIGALRM,
        Signal::SIGVTALRM,
        Signal::SIGPROF,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGXCPU,
        #[cfg(target_os = "linux")]
        Signal::SIGSTKFLT,
        #[cfg(target_os = "linux")]
        Signal::SIGIO,
        #[cfg(target_os = "linux")]
        Signal::SIGPWR,
    ];
    let quick = [LONG[0], LONG[2], LONG[6], LONG[7]];
    for (number, signal) in signals.into_iter().enumerate() {
        // Each signal once, each command with several.
        for options in [quick[number % quick.len()], quick[(number + 2) % quick.len()]] {
            let (program, mut child) = start(options, Stdio::null());
            kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
            assert_eq!(wait(&mut child, options).0, Some(128 + signal as i32), "{options:?} {signal}");
            check_files(program.folder(), options);
        }
    }
}

/// At a terminal, the rare signals save a text game after its first answer.
#[test]
fn rare_signals_save_a_game_at_a_terminal() {
    for signal in [nix::libc::SIGTRAP, nix::libc::SIGSYS, 34, 64] {
        let folder = tempfile::tempdir().unwrap();
        let program = path();
        let command = [program.to_str().unwrap(), "-random-board"];
        let mut terminal = crate::pty::Terminal::start_with(folder.path(), &command, (80, 24), &[]);
        terminal.read_until("Builder Blue, where");
        terminal.type_text("0\n");
        terminal.read_until("Builder Red, where");
        thread::sleep(Duration::from_millis(100));
        let status =
            with_time_limit("sh").args(["-c", &format!("kill -{signal} {}", terminal.child.id())]).status().unwrap();
        assert!(status.success());
        let started = Instant::now();
        let status = loop {
            if let Some(status) = terminal.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "{signal}");
            thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(128 + signal));
        assert!(folder.path().join("backup.sv").exists(), "{signal}");
    }
}

/// Text that would command a terminal, or pass for a line of its own.
const HOSTILE: &str = "\u{1b}]0;pwned\u{7}\u{1b}[31mRED\nconstructor: lie\u{202e}";

/// Every fourth of these; all of them in the long tests.
fn sample<T>(all: Vec<T>) -> Vec<T> {
    all.into_iter().step_by(if is_long() { 1 } else { 4 }).collect()
}

/// All variants of a JSON value with hostile text in place of one string or one name, or with a field of that name.
fn variants(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::String(text) => all.extend([Value::from(HOSTILE), Value::from(format!("{text}{HOSTILE}"))]),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for variant in variants(item) {
                    let mut changed = items.clone();
                    changed[index] = variant;
                    all.push(Value::Array(changed));
                }
            }
        }
        Value::Object(fields) => {
            let mut more = fields.clone();
            more.insert(HOSTILE.to_owned(), Value::from(HOSTILE));
            all.push(Value::Object(more));
            for (name, field) in fields {
                let mut renamed = fields.clone();
                renamed.remove(name);
                renamed.insert(HOSTILE.to_owned(), field.clone());
                all.push(Value::Object(renamed));
                for variant in variants(field).into_iter().chain([Value::from(HOSTILE)]) {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), variant);
                    all.push(Value::Object(changed));
                }
            }
        }
        _ => all.push(Value::from(HOSTILE)),
    }
    all
}

/// Runs a command on a file, and checks that nothing it says commands the terminal. Returns whether it was refused.
fn says_nothing_hostile(name: &str, content: &str, options: &[&str]) -> bool {
    let run = Program::new().file(name, content).options(options).run();
    for (stream, text) in [("stdout", run.stdout_text()), ("stderr", run.stderr_text())] {
        let is_bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(is_bad), "{stream} of {options:?} on\n{content}\n{text:?}");
        assert!(!text.lines().any(|line| line == "constructor: lie"), "{stream} of {options:?}: {text}");
    }
    assert!([0, 1].contains(&run.status), "{options:?}: {}", run.stderr_text());
    run.status == 1
}

/// Control characters in every string and every name of every format, through every command that reads it: no stream has them.
#[test]
fn foreign_text_is_escaped() {
    let mut refused = 0;
    // A game with a roll, a 7, and things that were typed.
    let input = "0 4 10 17 20 30 40 52 board\nroll 7 3 next roll 6 nonsense\n";
    let record = Program::new().options(["-random-board", "-record", "r"]).input(input).run().file_text("r").unwrap();
    let lines: Vec<&str> = record.lines().collect();
    let mut kinds = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        let names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        if kinds.contains(&names) {
            continue;
        }
        kinds.push(names);
        for variant in sample(variants(&value)) {
            let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            changed[number] = variant.to_string();
            let text = changed.join("\n") + "\n";
            refused += u32::from(says_nothing_hostile("r", &text, &["replay", "r"]));
            if variant.to_string().len() % 5 == 0 {
                says_nothing_hostile("r", &text, &["analyse", "r", "-playouts", "1", "-search", "1"]);
                says_nothing_hostile("r", &text, &["-random-board", "-record", "r", "-game", "1"]);
            }
        }
    }
    assert!(
        refused > if is_long() { 50 } else { 12 } && kinds.len() >= 4,
        "{refused} refused of {} kinds of lines",
        kinds.len()
    );

    let unit = unit();
    let value: Value = serde_json::from_str(unit.lines().next().unwrap()).unwrap();
    let mut few = sample(sample(variants(&value)));
    few.retain(|variant| {
        !is_long() || variant.to_string().len() % 3 == 0 || variant.to_string().contains("signature\":\"\\u")
    });
    assert!(few.len() > if is_long() { 20 } else { 3 });
    for variant in few {
        let line = format!("{variant}\n");
        let sum: String =
            <sha2::Sha256 as sha2::Digest>::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        says_nothing_hostile("u", &format!("{line}sha256 {sum}\n"), &["merge", "u"]);
    }

    let options = ["tournament", "greedy", "random", "-boards", "1", "-file", "t", "-quiet"];
    let file = Program::new().options(options).run().file_text("t").unwrap();
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (number, value) in lines.iter().enumerate() {
        for variant in sample(variants(value)) {
            let mut changed = lines.clone();
            changed[number] = variant;
            let text: String = changed.iter().map(|line| format!("{line}\n")).collect();
            says_nothing_hostile("t", &text, &options);
        }
    }
    for (content, options) in [
        (format!("{HOSTILE}\n"), &["-load", "f"][..]),
        (SAVED.replacen(' ', HOSTILE, 3), &["-load", "f"]),
        (LAYOUT.replacen(' ', HOSTILE, 2), &["-board", "f"]),
    ] {
        assert!(says_nothing_hostile("f", &content, options), "{options:?}");
    }
    // What is typed on the command line.
    for options in [
        &["-players", HOSTILE][..],
        &["-edition", HOSTILE],
        &["-seed", HOSTILE],
        &[HOSTILE],
        &["help", HOSTILE],
        &["simulate", "-players", HOSTILE],
        &["match", "-sprt", HOSTILE],
        &["tournament", HOSTILE, "greedy"],
    ] {
        let text = Program::new().options(options).run().stderr_text();
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{options:?}: {text:?}");
    }
}

/// Programs that do not play as they should.
const BAD: [(&str, &str, bool); 6] = [
    ("exits at once", "exit 3", true),
    ("says nothing", "exec cat >/dev/null", true),
    ("answers nonsense", "while read -r line; do echo nonsense; done", true),
    ("floods standard error", "yes error | head -c 3000000 >&2; exit 1", true),
    ("closes its input", "exec <&-; sleep 1", true),
    ("answers in binary", "while read -r line; do printf '\\000\\033[2J\\n'; done", true),
];

/// One table of bad programs, by both protocols, at every place where programs play: each ends in time, the failure is named once,
/// and a run in which a program never plays ends with status 1.
#[test]
fn bad_programs_are_judged_alike_everywhere() {
    let common = ["-think", "60"];
    for (what, code, never_plays) in BAD {
        for protocol in ["exec", "json"] {
            let player = format!("{protocol}:./p");
            let four = format!("{player},greedy,greedy,greedy");
            let pair = format!("{player},greedy");
            let text = ["-random-board", "-seed", "3", "-players", &four];
            let simulate = ["simulate", "-games", "4", "-threads", "1", "-max-turns", "20", "-players", &four];
            let matched = ["match", "-boards", "1", "-threads", "1", "-max-turns", "20", "-players", &pair];
            let tournament = ["tournament", &player, "greedy", "-boards", "1", "-threads", "1", "-max-turns", "20"];
            for (place, options) in
                [("text", &text[..]), ("simulate", &simulate), ("match", &matched), ("tournament", &tournament)]
            {
                let started = Instant::now();
                let program = Program::new().executable("p", &format!("#!/bin/sh\n{code}\n")).options(options);
                let run = program.options(common).run();
                let said = run.stderr_text();
                let at_table = place == "text";
                assert_eq!(run.status, i32::from(never_plays && !at_table), "{what}, {protocol}, {place}: {said}");
                let about = said.lines().filter(|line| line.contains("./p")).count();
                assert_eq!(about, 1, "{what}, {protocol}, {place}: {said}");
                let consequence =
                    if at_table { "a greedy player takes over" } else { "at its first question in every game" };
                assert!(said.contains(consequence), "{what}, {protocol}, {place}: {said}");
                if what == "floods standard error" && !at_table {
                    assert!(said.len() < 10_000 && said.contains("error ... "), "{place}: {} bytes", said.len());
                }
                if what == "answers nonsense" {
                    assert!(said.contains("the last 'nonsense': "), "{what}, {protocol}, {place}: {said}");
                }
                assert!(started.elapsed() < Duration::from_secs(30), "{what}, {protocol}, {place}");
                if !at_table {
                    assert_eq!(run.stdout_text(), "", "{what}, {protocol}, {place}");
                }
            }
        }
    }
    // A program that cannot be started.
    let run = Program::new().options(["-random-board", "-players", "exec:./gone,greedy,greedy,greedy"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (1, "constructor: ./gone: No such file or directory\n"));
}

/// Endless and huge inputs are refused in little memory.
#[test]
fn endless_inputs_are_refused() {
    for options in [
        "replay /dev/zero",
        "analyse /dev/zero",
        "merge /dev/zero",
        "-load /dev/zero",
        "-random-board -record /dev/zero",
    ] {
        let line = format!("ulimit -v 2000000; exec \"$0\" {options}");
        let output = with_time_limit("sh").args(["-c", &line, path().to_str().unwrap()]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{options}");
        assert!(output.stderr.starts_with(b"constructor: /dev/zero: "), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output =
        with_time_limit("sh").args(["-c", "yes | \"$0\" replay -", path().to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("constructor: -: line 1: "));
}

/// A simulation that begins with a saved game plays on from there, and its scripts and records begin with it.
#[test]
fn simulations_begin_with_a_saved_game() {
    let options = ["simulate", "-load", "s.sv", "-games", "20", "-players", "greedy,greedy,random,random"];
    let with = |more: &[&str]| Program::new().file("s.sv", SAVED).options(options.iter().chain(more)).run();
    let run = with(&["-csv", "c.csv", "-records", "r", "-unit", "u", "-json", "j.json"]);
    assert_eq!(run.status, 0, "{}", run.stderr_text());
    let csv = run.file_text("c.csv").unwrap();
    // Seats do not rotate: Blue is the first player in every game.
    assert_eq!(csv.lines().filter(|line| line.contains(",Blue,1,greedy,")).count(), 20, "{csv}");
    let json: Value = serde_json::from_str(&run.file_text("j.json").unwrap()).unwrap();
    assert_eq!(json["job"]["saved"].as_str().unwrap(), SAVED);
    let record = run.file_text("r/games-000000000000.jsonl").unwrap();
    assert_eq!(constructor::record::read(record.as_bytes()).unwrap().0[7].header.saved.as_deref(), Some(SAVED));
    let replayed = Program::new().file("r", &record).options(["replay", "-quiet", "r"]).run();
    assert_eq!((replayed.status, replayed.stderr_text().as_str()), (0, ""));
    let merged = Program::new().file("u", run.file_text("u").unwrap()).options(["merge", "u"]).run();
    assert_eq!((merged.status, merged.stdout_text()), (0, run.stdout_text()));
    // Its script plays the same game as text.
    let script = with(&["-only", "3"]);
    let how = script.stderr_text();
    let words = how.trim_end().strip_suffix(" < FILE").unwrap().split(' ').skip(4);
    let played = Program::new().file("s.sv", SAVED).options(words).input(&script.stdout).run();
    assert_eq!((played.status, played.stderr_text().as_str()), (0, ""), "{how}");
    assert!(played.stdout_text().ends_with("Would you like to play again?\n> "), "{}", played.stdout_text());
    let rotated = with(&["-rotate-seats", "on", "-csv", "-", "-quiet"]);
    assert!(rotated.stdout_text().contains(",Blue,2,greedy,"));
    let refused = Program::new().options(["match", "-load", "s.sv"]).run();
    assert_eq!(refused.status, 2);
}

/// A standard output that another process has made non-blocking gets everything that a command prints.
#[test]
fn non_blocking_standard_output_gets_everything() {
    let commands: [&[&str]; 3] = [
        &["simulate", "-games", "600", "-seed", "1", "-threads", "1", "-csv", "-"],
        &["board", "-random-board", "-seed", "1", "-svg", "-"],
        &["simulate", "-help", "-all"],
    ];
    for options in commands {
        let expected = Program::new().options(options).run().stdout;
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        fcntl(writer.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
        // A pipe that holds one page, and has little room left.
        fcntl(writer.as_fd(), FcntlArg::F_SETPIPE_SZ(4096)).unwrap();
        writer.write_all(&[b'x'; 3_500]).unwrap();
        let mut child = with_default_signals(path())
            .args(options)
            .stdout(writer)
            .stderr(Stdio::null())
            .spawn()
            .map(ChildGuard)
            .unwrap();
        thread::sleep(Duration::from_millis(200));
        let mut printed = Vec::new();
        reader.read_to_end(&mut printed).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{options:?}");
        assert!(expected.len() > 2_000 && printed[3_500..] == expected, "{options:?}");
    }
}
