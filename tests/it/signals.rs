//! Signals that end the program save the game first, wherever the program is.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::fault_injection::strace_is_there;
use crate::program::{ChildGuard, Program, files_below, path, with_default_signals};

const SAMPLE: &str = include_str!("../../layout.txt");

/// A running game in a directory of its own, with pipes.
struct Running {
    program: Program,
    child: ChildGuard,
    input: ChildStdin,
    output: Option<ChildStdout>,
}

impl Running {
    /// Starts the program, or a command in which `{}` stands for it.
    fn start(command: &[&str]) -> Self {
        Self::start_with(Program::new().file("layout.txt", SAMPLE), command)
    }

    fn start_with(program: Program, command: &[&str]) -> Self {
        let words: Vec<String> = command.iter().map(|word| word.replace("{}", path().to_str().unwrap())).collect();
        let mut child = with_default_signals(&words[0])
            .args(&words[1..])
            .current_dir(program.folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { program, child: ChildGuard(child), input, output: Some(output) }
    }

    fn folder(&self) -> &Path {
        self.program.folder()
    }

    /// Types a line and reads up to the given number of prompts.
    fn type_line(&mut self, line: &str, prompts: usize) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.read_prompts(prompts)
    }

    fn read_prompts(&mut self, prompts: usize) -> String {
        let mut text = String::new();
        for _ in 0..prompts {
            let mut byte = [0];
            let prompt = text.len();
            while !text[prompt..].ends_with("> ") {
                assert_eq!(self.output.as_mut().unwrap().read(&mut byte).unwrap(), 1, "the output ends after {text}");
                text.push(byte[0].into());
            }
        }
        text
    }

    /// Waits until the program catches signals.
    fn wait_for_handler(&self) {
        let started = Instant::now();
        let is_caught = || {
            let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
            u64::from_str_radix(mask, 16).unwrap() & 1 << (Signal::SIGTERM as u64 - 1) != 0
        };
        while !is_caught() {
            assert!(started.elapsed() < Duration::from_secs(30), "the program does not wait for signals");
            thread::sleep(Duration::from_millis(1));
        }
        // The games begin.
        thread::sleep(Duration::from_millis(100));
    }

    fn send(&self, signal: Signal) {
        let process = Pid::from_raw(self.child.id().try_into().unwrap());
        kill(process, signal).unwrap();
    }

    /// Waits until standard error has taken what it can, and the program goes on all the same.
    fn wait_until_standard_error_is_stuck(&self) {
        thread::sleep(Duration::from_millis(1500));
        assert!(fs::read_to_string(format!("/proc/{}/status", self.child.id())).is_ok());
    }

    /// Waits until the program is blocked writing to this stream.
    fn wait_until_stuck_writing_to(&self, stream: u32) {
        const WRITE: u32 = if cfg!(target_arch = "x86_64") { 1 } else { 64 };
        let started = Instant::now();
        let stuck = || {
            let Ok(call) = fs::read_to_string(format!("/proc/{}/syscall", self.child.id())) else {
                // The system does not tell; half a second is long enough.
                thread::sleep(Duration::from_millis(500));
                return true;
            };
            let mut words = call.split(' ');
            words.next() == Some(&WRITE.to_string())
                && words.next().is_some_and(|file| {
                    let link = format!("/proc/{}/fd/{}", self.child.id(), u32::from_str_radix(&file[2..], 16).unwrap());
                    let stream = format!("/proc/{}/fd/{stream}", self.child.id());
                    fs::read_link(link).unwrap() == fs::read_link(stream).unwrap()
                })
        };
        while !stuck() {
            assert!(started.elapsed() < Duration::from_secs(30), "the program does not wait");
            thread::sleep(Duration::from_millis(1));
        }
        // The call may have been passing; check again a little later.
        thread::sleep(Duration::from_millis(50));
    }

    /// Waits for the exit, for a minute at most. Returns the status, standard error, and the saved game.
    fn end(mut self) -> (ExitStatus, String, Option<String>) {
        let deadline = Instant::now() + Duration::from_mins(1);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        };
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let files = files_below(self.folder());
        assert!(files.keys().all(|name| !name.starts_with('.')), "{:?}", files.keys());
        (status, stderr, files.get("backup.sv").map(|backup| String::from_utf8(backup.clone()).unwrap()))
    }

    /// Waits for the end by this signal, and returns what was printed. At most 64 KiB fit in the pipe.
    #[track_caller]
    fn ends_with_results(mut self, signal: Signal) -> (String, String) {
        let mut output = self.output.take().unwrap();
        let (status, stderr, _) = self.end();
        assert_eq!(status.code(), Some(128 + signal as i32), "{stderr}");
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        (text, stderr)
    }

    /// Waits for the end by this signal, and checks that the game is saved.
    #[track_caller]
    fn ends_by(self, signal: Signal) -> String {
        let (status, stderr, backup) = self.end();
        assert_eq!((status.code(), stderr.as_str()), (Some(128 + signal as i32), ""));
        backup.expect("the game is saved")
    }
}

const ENDING: [Signal; 9] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGXCPU,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
    Signal::SIGPWR,
];

const SETUP: &str = "0 4 10 17 20 30 40 52";

#[test]
fn signal_saves_the_game_at_any_prompt() {
    // Input, the number of prompts that it causes, and the start of the saved game.
    let afterwards = [
        ("", 0, "0\n0 0 0 0 0 r h\n"),
        ("0 4", 2, "2\n0 0 0 0 0 r h 0 B\n0 0 0 0 0 r h 4 B\n"),
        (SETUP, 8, "0\n0 0 0 0 0 r h 0 B 52 B\n"),
        ("0 4 10 17 20 30 40 52 roll", 9, "0\n0 0 0 0 0 r h 0 B 52 B\n"),
        ("0 4 10 17 20 30 40 52 roll 12", 10, "1\n0 0 0 0 0 r h 0 B 52 B\n0 0 0 0 1 r h 4 B 40 B\n"),
        ("0 4 10 17 20 30 40 52 roll 7", 10, "1\n0 0 0 0 0 r h 0 B 52 B\n"),
        ("0 4 10 17 20 30 40 52 roll 12 next roll 7 18", 13, "2\n0 0 0 0 0 r h 0 B 52 B\n0 0 0 0 1 r h"),
        ("0 4 10 17 20 30 40 52 roll 12 next roll 12 trade Blue WIFI HEAT", 14, "2\n0 0 0 0 0 r h 0 B 52 B\n0 0 0 0 2"),
    ];
    for signal in ENDING {
        for (typed, prompts, expected) in afterwards {
            let mut running = Running::start(&["{}"]);
            running.read_prompts(1);
            if !typed.is_empty() {
                running.type_line(typed, prompts);
            }
            running.send(signal);
            let backup = running.ends_by(signal);
            assert!(backup.starts_with(expected), "{signal} after {typed:?}: {backup}");
            assert_eq!(backup.lines().count(), 7);
        }
    }
}

#[test]
fn signal_saves_the_game_while_output_is_blocked() {
    let mut running = Running::start(&["{}"]);
    running.type_line(SETUP, 9);
    // The pipe takes 64 KiB of the 1.3 MB.
    running.input.write_all(("roll 12\n".to_owned() + &"board\n".repeat(500)).as_bytes()).unwrap();
    running.wait_until_stuck_writing_to(1);
    running.send(Signal::SIGTERM);
    let backup = running.ends_by(Signal::SIGTERM);
    assert!(backup.starts_with("1\n0 0 0 0 0 r h 0 B 52 B\n0 0 0 0 1 r h 4 B 40 B\n"), "{backup}");
}

#[test]
fn second_signal_does_not_interrupt_the_save() {
    for trial in 0..100 {
        let mut running = Running::start(&["{}"]);
        running.read_prompts(1);
        let signals = [[Signal::SIGHUP, Signal::SIGHUP], [Signal::SIGTERM, Signal::SIGINT]][trial % 2];
        running.send(signals[0]);
        thread::sleep(Duration::from_micros(50 * (trial as u64 / 2)));
        running.send(signals[1]);
        let (status, stderr, backup) = running.end();
        assert!(signals.map(|signal| Some(128 + signal as i32)).contains(&status.code()), "{status}");
        assert_eq!((stderr.as_str(), backup.is_some()), ("", true));
    }
}

#[test]
fn signal_saves_the_game_while_standard_error_is_blocked() {
    let mut running = Running::start(&["{}"]);
    running.type_line(SETUP, 9);
    running.input.write_all(("roll 12\n".to_owned() + &"save no/such/folder\n".repeat(2000)).as_bytes()).unwrap();
    running.wait_until_standard_error_is_stuck();
    running.send(Signal::SIGTERM);
    // Standard error is read only after the end, so that it stays blocked.
    let started = Instant::now();
    while running.child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(30), "the program does not end");
        thread::sleep(Duration::from_millis(5));
    }
    let (status, stderr, backup) = running.end();
    assert_eq!(status.code(), Some(128 + Signal::SIGTERM as i32));
    let is_expected = |line: &str| {
        line.starts_with("constructor: no/such/folder: not saved: ") || line.ends_with(" more messages were dropped")
    };
    assert!(stderr.lines().all(is_expected), "{stderr}");
    assert!(backup.unwrap().starts_with("1\n0 0 0 0 0 r h 0 B 52 B\n"));
}

#[test]
fn ignored_signals_stay_ignored() {
    let mut running = Running::start(&["sh", "-c", "trap '' HUP INT; exec {}"]);
    running.read_prompts(1);
    running.send(Signal::SIGHUP);
    running.send(Signal::SIGINT);
    assert!(running.type_line(SETUP, 8).contains("Builder Blue's turn."));
    running.send(Signal::SIGTERM);
    running.ends_by(Signal::SIGTERM);
}

#[test]
fn suspended_game_continues() {
    let mut running = Running::start(&["{}"]);
    running.read_prompts(1);
    for _ in 0..3 {
        running.send(Signal::SIGSTOP);
        thread::sleep(Duration::from_millis(5));
        running.send(Signal::SIGCONT);
    }
    assert!(running.type_line(SETUP, 8).contains("Builder Blue's turn."));
    running.send(Signal::SIGTSTP);
    running.send(Signal::SIGCONT);
    assert!(running.type_line("roll", 1).contains("Input a roll"));
    drop(running.input);
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
}

#[test]
fn signal_during_startup_ends_the_program() {
    let folder = Program::new();
    let fifo = folder.folder().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = with_default_signals(path()).args(["-load", "fifo"]).current_dir(folder.folder()).spawn().unwrap();
    let mut child = ChildGuard(child);
    // Opening for writing waits for the reader. Nothing is written.
    let writer = fs::File::options().write(true).open(&fifo).unwrap();
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(128 + Signal::SIGINT as i32));
    drop(writer);
    assert!(!folder.folder().join("backup.sv").exists());
}

#[test]
fn signal_ends_program_without_signal_thread() {
    if !strace_is_there() {
        return;
    }
    // With -D, the tracer is a separate process and the child is the program itself. It gets no thread.
    let no_thread = ["strace", "-D", "-f", "-o", "/dev/null", "-e", "inject=clone,clone3:error=EAGAIN", "{}"];
    let mut running = Running::start(&no_thread);
    running.read_prompts(1);
    running.send(Signal::SIGINT);
    let (status, stderr, backup) = running.end();
    assert_eq!((status.signal(), backup), (Some(Signal::SIGINT as i32), None));
    let complaint =
        "constructor: a signal ends the program without saving anything: Resource temporarily unavailable\n";
    assert_eq!(stderr, complaint);
}

/// Whether a process with this id runs.
fn runs(process: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

#[test]
fn signal_ends_bot_process_too() {
    for signal in ENDING {
        let program = Program::new().executable("bot", "#!/bin/sh\nsleep 300 &\necho $$ $! > \"${0%bot}pids\"\nwait\n");
        let (pids, bot) = (program.folder().join("pids"), program.folder().join("bot"));
        let players = format!("human,human,human,exec:{}", bot.display());
        let mut running = Running::start(&["{}", "-players", &players, "-think", "100000"]);
        // Up to Yellow, played by a program that does not answer.
        running.read_prompts(1);
        running.type_line("0 4 10", 3);
        let started = Instant::now();
        while fs::read_to_string(&pids).map_or(true, |text| !text.ends_with('\n')) {
            assert!(started.elapsed() < Duration::from_secs(30), "the program does not start");
            thread::sleep(Duration::from_millis(5));
        }
        running.send(signal);
        let backup = running.ends_by(signal);
        assert!(backup.starts_with("3\n0 0 0 0 0 r h 0 B\n"), "{backup}");
        let pids: Vec<i32> =
            fs::read_to_string(&pids).unwrap().split_whitespace().map(|pid| pid.parse().unwrap()).collect();
        let started = Instant::now();
        while pids.iter().any(|&pid| runs(pid)) {
            assert!(started.elapsed() < Duration::from_secs(30), "{pids:?} go on");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn signal_interrupts_a_hint() {
    let mut running = Running::start(&["{}", "-extras", "-think", "100000"]);
    running.type_line(SETUP, 9);
    writeln!(running.input, "hint").unwrap();
    thread::sleep(Duration::from_millis(200));
    running.send(Signal::SIGINT);
    running.ends_by(Signal::SIGINT);
}

#[test]
fn first_signal_stops_a_simulation_of_thinkers() {
    let thinkers = ["{}", "simulate", "-players", "hard,hard,hard,hard", "-playouts", "100000000"];
    let running = Running::start(&thinkers);
    running.wait_for_handler();
    running.send(Signal::SIGINT);
    let (stdout, stderr) = running.ends_with_results(Signal::SIGINT);
    assert!(stdout.contains("\n0 of 1,000 games (interrupted), 0 without a result"), "{stdout}");
    assert_eq!(stderr, "constructor: interrupted: the games in progress are dropped\n");
}

#[test]
fn second_signal_drops_endless_games() {
    let parks = "5 2 ".repeat(18) + "5 2";
    let running = Running::start_with(
        Program::new().file("b.txt", parks),
        &["{}", "simulate", "-board", "b.txt", "-max-turns", "1000000000", "-games", "100", "-csv", "a.csv"],
    );
    let mut running = running;
    running.wait_for_handler();
    running.send(Signal::SIGTERM);
    thread::sleep(Duration::from_millis(300));
    assert!(running.child.try_wait().unwrap().is_none(), "the first signal waits for the games");
    running.send(Signal::SIGTERM);
    let (stdout, stderr) = running.ends_with_results(Signal::SIGTERM);
    assert!(stdout.contains("\n0 of 100 games (interrupted)"), "{stdout}");
    let said = "constructor: interrupted: waiting for the games in progress; a second signal drops them\n";
    assert_eq!(stderr, said);
}

#[test]
fn signal_at_the_start_of_a_simulation_leaves_no_temporary_file() {
    for trial in 0_u32..60 {
        let options = ["{}", "simulate", "-games", "100000", "-csv", "a.csv", "-json", "a.json"];
        let running = Running::start(&options);
        thread::sleep(Duration::from_micros(100 * u64::from(trial)));
        running.send([Signal::SIGTERM, Signal::SIGHUP][usize::from(trial % 2 == 0)]);
        // Checks that no file begins with a dot.
        running.end();
    }
}

#[test]
fn third_signal_ends_a_simulation_whose_reader_has_stopped() {
    let mut running = Running::start(&["{}", "simulate", "-games", "100000000", "-csv", "-", "-json", "a.json"]);
    running.wait_until_stuck_writing_to(1);
    for _ in 0..3 {
        assert!(running.child.try_wait().unwrap().is_none());
        running.send(Signal::SIGINT);
        thread::sleep(Duration::from_millis(200));
    }
    let (status, _, _) = running.end();
    assert_eq!(status.code(), Some(130));
}

#[test]
fn nothing_is_played_after_the_game_was_saved() {
    // Standard error is stuck, so saying where the game is takes a second, in which more input is there.
    for _ in 0..5 {
        let mut running = Running::start(&["{}"]);
        running.type_line(SETUP, 9);
        running.input.write_all(("roll 12\n".to_owned() + &"save no/such/folder\n".repeat(2000)).as_bytes()).unwrap();
        running.wait_until_standard_error_is_stuck();
        running.send(Signal::SIGTERM);
        thread::sleep(Duration::from_millis(50));
        let mut stderr = running.child.stderr.take().unwrap();
        let reader = thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let _ = running.input.write_all("save late.sv next roll 12\n".repeat(50).as_bytes());
        let deadline = Instant::now() + Duration::from_secs(30);
        while running.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        }
        reader.join().unwrap().unwrap();
        let files = files_below(running.folder());
        assert_eq!(files.keys().collect::<Vec<_>>(), ["backup.sv", "layout.txt"]);
        assert!(files["backup.sv"].starts_with(b"1\n"), "in Blue's turn");
        assert_eq!(running.child.wait().unwrap().code(), Some(128 + Signal::SIGTERM as i32));
    }
}
