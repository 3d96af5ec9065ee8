//! Tournaments, and programs in simulations.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use constructor::simulate::{PairResult, Schedule, pairs, ratings};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::program::{ChildGuard, Program, path, with_default_signals};

const PLAYERS: [&str; 4] = ["tournament", "random", "normal", "greedy"];

#[test]
fn tournament_ranks_players_and_goes_on_from_its_file() {
    let whole = Program::new().options(PLAYERS).options(["-boards", "100", "-file", "t.jsonl"]).run();
    assert_eq!((whole.status, whole.stderr_text()), (0, String::new()));
    let table = whole.stdout_text();
    let ranked: Vec<&str> = table.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(ranked, ["normal", "greedy", "random"], "{table}");
    let file = whole.file_text("t.jsonl").unwrap();
    // Cut in the middle of a line, as after a crash.
    for cut in [0, file.len() / 2, file.len() - 5, file.len()] {
        let program = Program::new().file("t.jsonl", &file[..cut]).options(PLAYERS);
        let again = program.options(["-boards", "100", "-file", "t.jsonl", "-threads", "1"]).run();
        assert_eq!((again.status, again.stdout_text()), (0, table.clone()), "cut at {cut}");
        let sorted = |text: &str| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&again.file_text("t.jsonl").unwrap()), sorted(&file), "cut at {cut}");
    }
    let other =
        Program::new().file("t.jsonl", &file).options(PLAYERS).options(["-seed", "1", "-file", "t.jsonl"]).run();
    assert!(
        other.status == 1 && other.stderr_text().starts_with("constructor: t.jsonl: it is of another tournament: ")
    );
    let other = Program::new().file("t.jsonl", "mine\n").options(PLAYERS).options(["-file", "t.jsonl"]).run();
    assert!(other.stderr_text().starts_with("constructor: t.jsonl: line 1: not a tournament: "));
    assert_eq!(other.file_text("t.jsonl").unwrap(), "mine\n");
    let other = Program::new().file("t.jsonl", "no line end").options(PLAYERS).options(["-file", "t.jsonl"]).run();
    assert_eq!(other.stderr_text(), "constructor: t.jsonl: line 1: not a tournament\n");
    assert_eq!(other.file_text("t.jsonl").unwrap(), "no line end");
    for (options, said) in [
        (&["tournament", "greedy"][..], "expected 2 to 32 players"),
        (&["tournament", "x", "y"], "expected one of random"),
    ] {
        let run = Program::new().options(options).run();
        assert!(run.status == 2 && run.stderr_text().contains(said), "{}", run.stderr_text());
    }
}

#[test]
fn interrupted_tournament_prints_what_it_has() {
    let program = Program::new();
    let mut child = ChildGuard(
        with_default_signals(path())
            .args(["tournament", "greedy", "normal", "-boards", "1000000", "-file", "t.jsonl"])
            .current_dir(program.folder())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let started = Instant::now();
    let lines = || fs::read_to_string(program.folder().join("t.jsonl")).unwrap_or_default().lines().count();
    while lines() < 3 {
        assert!(started.elapsed() < Duration::from_secs(30));
        thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let mut table = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut table).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(table.contains("not finished: ") && table.contains("normal"), "{table}");
}

/// Three players whose true shares are known: ratings reproduce them.
#[test]
fn ratings_reproduce_shares() {
    // 64 % of the wins are 100 points of Elo.
    let share = |percent: u64| PairResult {
        boards: [100 - percent, 0, 0, 0, 0, 0, percent],
        without_result: 0,
        adjusted: None,
    };
    let found = ratings(2, &[share(64)]);
    assert!((found[0].elo - found[1].elo - 100.0).abs() < 2.0, "{found:?}");
    assert!(found[0].low < found[0].elo && found[0].elo < found[0].high);
    let drawn = PairResult { boards: [0, 0, 0, 50, 0, 0, 0], without_result: 0, adjusted: None };
    let even = ratings(3, &[drawn; 3]);
    assert!(even.iter().all(|rating| rating.elo.abs() < 1e-6 && rating.high - rating.low < 1e-6), "{even:?}");
    assert_eq!(pairs(4).collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    assert_eq!(Schedule::Pairs.games_per_board(), 6);
    let none = PairResult { boards: [1, 0, 0, 0, 0, 0, 0], without_result: 6, adjusted: None };
    assert!((none.score() - 0.5).abs() < 1e-9);
    assert!(ratings(2, &[PairResult::default()])[0].elo.abs() < 1e-9, "no games at all");
}

/// A program that plays by JSON: always the first action that it is offered.
const FIRST: &str = "#!/usr/bin/env python3\nimport json, sys\nfor line in sys.stdin:\n    \
    message = json.loads(line)\n    if message['type'] == 'choose':\n        \
    print(json.dumps({'id': message['id'], 'index': message['actions'][0]['index']}), flush=True)\n";

/// A program that plays by text: it places basements, and then ends its turns.
const TEXT: &str = "#!/usr/bin/env python3\nimport sys\nsite = 0\nfor line in sys.stdin:\n    \
    if not line.startswith('? '):\n        continue\n    what = line.split()[2]\n    \
    site += 7\n    answer = {'settle': str(site % 54), 'geese': str(site % 19), 'turn': 'next please', 'offer': 'no'}\n    \
    if what == 'rob':\n        answer['rob'] = ['Blue', 'Red', 'Orange', 'Yellow'][site % 4]\n    \
    print(answer[what], flush=True)\n";

#[test]
fn programs_play_in_simulations() {
    let options = ["simulate", "-games", "6", "-max-turns", "60", "-json", "a.json", "-csv", "a.csv", "-records", "r"];
    let players = "json:./first,exec:./text,greedy,random";
    for edition in ["constructor", "watan"] {
        let program = Program::new().executable("first", FIRST).executable("text", TEXT);
        let run = program.options(options).options(["-players", players, "-edition", edition, "-trades", "on"]).run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()));
        let json: serde_json::Value = serde_json::from_str(&run.file_text("a.json").unwrap()).unwrap();
        assert_eq!(json["players"][0]["player"], "json:./first");
        let faults = json["run"]["faults"].as_array().cloned().unwrap_or_default();
        // The program of the text is bound to place three basements in a row where it cannot; the other never fails.
        assert!(faults.iter().all(|fault| fault["player"] == "exec:./text"), "{faults:?}");
        assert!(run.file_text("a.csv").unwrap().contains(",json:./first,"));
        let record = run.file_text("r/games-000000000000.jsonl").unwrap();
        crate::records::check_schema(&record);
        for record in constructor::record::read(record.as_bytes()).unwrap().0 {
            constructor::app::archive::transcript(&record).unwrap();
        }
    }
}

/// A program that plays one game, by JSON, with the first action that it is offered; and after that does what follows.
const PLAYS_ONCE: &str = "#!/bin/sh
if mkdir played 2>/dev/null; then
    while read -r line; do
        case $line in *choose*) echo \"$line\" | sed 's/.*\"actions\":\\[{\"index\":\\([0-9]*\\).*/{\"index\":\\1}/';; esac
    done
    exit
fi";

#[test]
fn faults_of_programs_are_counted_and_reported() {
    let slow = "#!/bin/sh\nwhile read line; do :; done\n";
    let options = ["match", "-boards", "1", "-max-turns", "20", "-think", "300", "-json", "a.json"];
    for (code, reason) in [
        (slow, "timed out"),
        ("#!/bin/sh\nexit\n", "exited"),
        ("#!/bin/sh\nwhile read l; do echo x; done\n", "gave 3 invalid answers in a row"),
    ] {
        // It plays the first of its games, so that the others are not in vain.
        let code = format!("{PLAYS_ONCE}\n{}", code.strip_prefix("#!/bin/sh\n").unwrap());
        let program = Program::new().executable("p", &code).options(options);
        let run = program.options(["-players", "json:./p,greedy", "-threads", "1"]).run();
        assert_eq!(run.status, 0, "{}", run.stderr_text());
        let said = run.stdout_text();
        let last = said.lines().last().unwrap();
        assert!(last.starts_with(&format!("json:./p {reason}")), "{said}");
        assert!(last.ends_with(" in 3 of the games; a greedy player went on"), "{said}");
        assert!(said.contains("1 json:./p (failed)"), "{said}");
        let json: serde_json::Value = serde_json::from_str(&run.file_text("a.json").unwrap()).unwrap();
        let fault = &json["run"]["faults"][0];
        assert_eq!((fault["player"].as_str(), fault["games"].as_u64()), (Some("json:./p"), Some(3)));
        assert_eq!(json["players"][0]["failed"], 3);
    }
    // One that never plays ends the run.
    for (player, reason) in [
        ("exec:./gone", "cannot be started: No such file or directory"),
        ("json:./p", "exited"),
        ("exec:./p", "exited"),
    ] {
        let program = Program::new().executable("p", "#!/bin/sh\nexit\n").options(options);
        let run = program.options(["-players", &format!("{player},greedy")]).run();
        let said = format!("constructor: {player} {reason}, at its first question in every game\n");
        assert_eq!((run.status, run.stdout_text().as_str(), run.stderr_text()), (1, "", said));
        assert_eq!(run.file_text("a.json"), None);
    }
}

#[test]
fn tournament_counts_every_board_once() {
    let options = ["tournament", "greedy", "random", "-boards", "4", "-file", "t.jsonl"];
    let file = Program::new().options(options).run().file_text("t.jsonl").unwrap();
    let line = file.lines().nth(1).unwrap();
    for wrong in [
        format!("{file}{line}\n"),
        file.replace("\"pair\":[1,2]", "\"pair\":[1,1]"),
        file.replace("\"first\":0", "\"first\":2"),
        file.replace("\"boards\":[", "\"boards\":[18446744073709551615,").replacen(",0,", ",", 1),
    ] {
        let run = Program::new().file("t.jsonl", &wrong).options(options).run();
        let said = run.stderr_text();
        assert!(
            run.status == 1 && said.ends_with(": these boards do not follow those before them\n"),
            "{wrong}: {said}"
        );
        assert_eq!(run.file_text("t.jsonl").unwrap(), wrong);
    }
    let program = Program::new();
    let held = fs::File::create(program.folder().join("t.jsonl")).unwrap();
    held.lock().unwrap();
    let run = program.options(options).run();
    assert_eq!(run.stderr_text(), "constructor: t.jsonl: another tournament writes to it\n");
}
