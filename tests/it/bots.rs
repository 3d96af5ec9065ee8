//! Programs as players.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{Program, Run, path, with_default_signals};
use crate::table::typed_and_text;

const SAMPLE: &str = include_str!("../../layout.txt");

/// The text bot of the documentation, as an executable file `bot.py`.
fn documented_bot(program: Program) -> Program {
    let text = include_str!("../../docs/bots.md");
    let code = text.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    program.executable("bot.py", &format!("#!/usr/bin/env python3\n{code}"))
}

/// Whether a command is there. Without it, nothing is tested.
fn is_there(command: &str) -> bool {
    let is_there = Command::new(command).arg("--version").output().is_ok_and(|run| run.status.success());
    if !is_there {
        println!("not tested: {command} is not there");
    }
    is_there
}

/// Checks that what was typed plays the same game again.
fn check_replay(run: &Run, program: Program, options: &[&str]) {
    let (typed, printed) = typed_and_text(&run.stdout_text());
    let again = program.options(options).input(typed).run();
    assert!(again.stdout_text() == printed, "what was typed plays another game");
}

#[test]
fn bot_of_the_documentation_plays() {
    if !is_there("python3") {
        return;
    }
    for seed in ["4", "6"] {
        let options = ["-random-board", "-seed", seed, "-players"];
        let run =
            documented_bot(Program::new()).options(options).options(["greedy,exec:./bot.py,normal,exec:./bot.py"]);
        let run = run.run();
        assert_eq!((run.status, run.stderr_text().as_str()), (0, ""), "nobody is replaced");
        assert!(run.stdout_text().ends_with("Would you like to play again?\n> no\n"), "{}", run.stdout_text());
        check_replay(&run, Program::new(), &options[..3]);
    }
}

#[test]
fn blank_lines_and_slips_of_others_are_no_questions() {
    if !is_there("python3") {
        return;
    }
    // A person who types blank lines, words that are refused and questions.
    let slips = "\n\nx\n0\n\n99\n52\n".to_owned() + &"\nstatus\nfair\nroll\n\n\nstatus\nboard\n3\nnext\n".repeat(60);
    let program = || documented_bot(Program::new()).file("layout.txt", SAMPLE).input(&slips);
    let run = program().options(["-players", "human,exec:./bot.py,greedy,greedy", "-seed", "4"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (0, ""), "nobody is replaced");
    // A bot beside one that answers every other question with an empty line.
    let careless = "#!/bin/sh\npython3 ./bot.py \"$@\" | sed -u 'i\\\\'\n";
    let run = program().executable("careless", careless).input("");
    let run = run.options(["-players", "exec:./careless,exec:./bot.py,greedy,greedy", "-seed", "4"]).run();
    assert!(!run.stderr_text().contains("bot.py"), "{}", run.stderr_text());
}

#[test]
fn text_bot_is_told_of_answers_and_asked_explicitly() {
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", "#!/bin/sh\ntee heard | grep nothing\n");
    let options = ["-think", "500", "-players", "human,exec:./p,human,human"];
    let run = program.options(options).input("99  x\n\n 0 \n").run();
    let asked = |colour: &str| format!("Builder {colour}, where do you want to build a basement?\n");
    let heard = run.file_text("heard").unwrap();
    let (before, told) = heard.split_once(&asked("Blue")).unwrap();
    assert!(before.ends_with("|52|--71--|53|\n") && !before.contains("Builder"), "the board: {before}");
    assert_eq!(told, format!("> 0\n{}? Red settle\n", asked("Red")));
}

#[test]
fn only_the_used_words_of_an_answer_are_shown() {
    let code = "#!/bin/sh\nwhile read line; do case $line in \\?*settle) echo $((v * 9)) x y; v=$((v + 1));; \
                \\?*roll) echo fair roll next; echo roll 3;; \\?*turn) echo next status;; \\?*) echo 1;; esac; done\n";
    let options = ["-random-board", "-seed", "3"];
    let program = Program::new().executable("p", code);
    let run = program.options(options).options(["-players", "exec:./p,greedy,normal,greedy"]).run();
    assert!(run.stdout_text().contains("> fair\n> "), "{}", run.stdout_text());
    check_replay(&run, Program::new(), &options);
}

#[test]
fn offers_and_questions_are_valid_answers() {
    let rich = format!(
        "0\n9 9 9 9 9 r 55 h 37 B 20 B\n0 0 0 0 0 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n3 3 3 3 3 r h 52 B 30 B\n{SAMPLE}-1\n"
    );
    for (commands, input) in [
        ("trade Red HEAT WIFI;".repeat(4), "no\n".repeat(4)),
        ("status;board;residences;help;status;".to_owned(), String::new()),
    ] {
        let commands = commands.replace(';', "\\n");
        let code = format!(
            "#!/bin/sh\nprintf '{commands}next\\n' > todo; while read line; do case $line in \\?*roll) [ -f fair ] && echo roll; [ -f fair ] || echo fair; touch fair;; \
             \\?*turn) head -n 1 todo; sed -i 1d todo;; \\?*) echo 4;; esac; done\n"
        );
        let program = Program::new().file("in.sv", &rich).executable("p", &code);
        let run = program.options(["-load", "in.sv", "-players", "exec:./p,human,human,human"]).input(input).run();
        assert_eq!((run.status, run.stderr_text().as_str()), (0, ""), "{}", run.stdout_text());
        assert!(run.stdout_text().contains("Builder Red's turn."), "{}", run.stdout_text());
    }
}

#[test]
fn failing_bot_is_replaced() {
    for (code, why) in [
        ("#!/bin/sh\n", "exited"),
        ("#!/bin/sh\nread line; echo 17; exit 1\n", "exited"),
        ("#!/bin/sh\nexec sleep 5\n", "timed out"),
        ("#!/bin/sh\nexec yes board\n", "gave 3 invalid answers in a row"),
        ("#!/bin/sh\nexec yes save x.sv\n", "gave 3 invalid answers in a row"),
        ("#!/bin/sh\nexec tr '\\0' x < /dev/zero\n", "timed out"),
        ("#!/bin/sh\nwhile true; do printf '\\033[2J\\n'; done\n", "gave 3 invalid answers in a row"),
        ("#!/bin/sh\nwhile true; do printf '\\342\\200\\256roll\\n'; done\n", "gave 3 invalid answers in a row"),
    ] {
        let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
        let run = program.options(["-think", "500", "-players", "greedy,exec:./p,greedy,greedy", "-seed", "1"]).run();
        let said = run.stderr_text();
        let (start, end) = (format!("constructor: ./p, which plays Red, {why}"), ": a greedy player takes over\n");
        assert!(run.status == 0 && said.starts_with(&start) && said.ends_with(end), "{code}: {said}");
        if why.contains("invalid") {
            let reason = if code.contains("\\0") || code.contains("\\3") {
                "it is blank, too long"
            } else {
                "You cannot build here"
            };
            assert!(said.contains(", the last '") && said.contains(&format!("': {reason}")), "{code}: {said}");
        }
        let text = run.stdout_text();
        assert!(text.ends_with("Would you like to play again?\n> no\n") && text.is_ascii(), "{code}: {text}");
        assert!(!text.contains('\x1b'), "{code}");
        assert!(!run.files.contains_key("x.sv"), "a program cannot save");
    }
}

#[test]
fn long_line_is_one_invalid_answer_and_the_last_line_needs_no_newline() {
    let code = "#!/bin/sh\nread_question() { while read line; do case $line in \\?*) return;; esac; done; }\n\
                read_question; head -c 9000 /dev/zero | tr '\\0' x; echo; read_question; printf 17\n";
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
    let run = program.options(["-players", "human,exec:./p,human,human"]).input("0\n").run();
    let text = run.stdout_text();
    let asked = |colour: &str| format!("Builder {colour}, where do you want to build a basement?\n> ");
    assert!(text.ends_with(&format!("{}\n> 17\n{}", asked("Red"), asked("Orange"))), "{text}");
    assert_eq!(run.stderr_text(), "");
}

#[test]
fn endless_turn_and_unread_input_replace_a_bot() {
    let rich = format!(
        "0\n9 9 9 9 9 r 55 h 37 B 20 B\n9 9 9 9 9 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n3 3 3 3 3 r h 52 B 30 B\n{SAMPLE}-1\n"
    );
    let trader = "#!/bin/sh\nwhile read line; do case $line in \\?*roll) echo roll;; \\?*number) echo 12;; \\?*offer) echo yes;; \
                  \\?*turn) if [ \"$even\" ]; then echo trade Red HEAT WIFI; even=; else echo trade Red WIFI HEAT; even=1; fi;; esac; done\n";
    let program = Program::new().file("in.sv", &rich).executable("p", trader);
    let run = program.options(["-load", "in.sv", "-players", "exec:./p,exec:./p,human,human"]).run();
    let said = "constructor: ./p, which plays Blue, gave 100 commands in a turn: a greedy player takes over\n";
    assert!(run.stderr_text().starts_with(said), "{}", run.stderr_text());
    // A program that reads nothing, while a person trades with another for ever.
    let program = Program::new().file("in.sv", rich).executable("p", "#!/bin/sh\nexec sleep 100\n");
    let input = "roll 12\n".to_owned()
        + &"trade Red HEAT WIFI yes trade Red WIFI HEAT yes\n".repeat(9000)
        + "next roll 12 next";
    let run = program.options(["-load", "in.sv", "-players", "human,human,exec:./p,human"]).input(input).run();
    let said = "constructor: ./p, which plays Orange, does not read its input: a greedy player takes over\n";
    assert_eq!(run.stderr_text(), said);
}

#[test]
fn changing_the_dice_for_ever_replaces_a_bot() {
    let code = "#!/bin/sh\nwhile read line; do case $line in \\?*roll) if [ \"$even\" ]; then echo load; even=; else echo fair; even=1; fi;; \\?*) echo $((n * 9)); n=$((n + 1));; esac; done\n";
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
    let run = program.options(["-players", "exec:./p,greedy,greedy,greedy"]).run();
    let said = "constructor: ./p, which plays Blue, gave 100 commands in a turn: a greedy player takes over\n";
    assert_eq!((run.status, run.stderr_text().as_str()), (0, said));
}

#[test]
fn bots_have_no_signals_blocked() {
    let code = "#!/bin/sh\nexec sed -n /SigBlk/wmask /proc/self/status\n";
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
    let run = program.options(["-players", "human,exec:./p,human,human"]).input("0\n").run();
    assert_eq!(run.file_text("mask").unwrap(), "SigBlk:\t0000000000000000\n");
}

#[test]
fn command_has_arguments_and_quotes() {
    let code = "#!/bin/sh\nprintf '%s|' \"$@\" > args\n";
    let program = Program::new().file("layout.txt", SAMPLE).executable("my bot", code);
    let run = program.options(["-players", "exec:'./my bot' -a \"b, c\" d\\ e,human,human,human"]).run();
    assert_eq!(run.file_text("args").unwrap(), "-a|b, c|d e|Blue|");
    let refused = Program::new().options(["-players", "exec:./bot 'open,human,human,human"]).run();
    assert_eq!(refused.status, 2);
}

#[test]
fn missing_bot_is_an_error() {
    let run = Program::new().file("layout.txt", SAMPLE).options(["-players", "human,human,human,exec:./nobody"]).run();
    assert_eq!((run.status, run.stdout_text().as_str()), (1, ""));
    assert_eq!(run.stderr_text(), "constructor: ./nobody: No such file or directory\n");
}

/// Whether a process runs a command with this argument.
fn runs(argument: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
        command.starts_with(b"sleep") && command.split(|&byte| byte == 0).any(|word| word == argument.as_bytes())
    })
}

fn assert_ends(argument: &str) {
    let started = Instant::now();
    while runs(argument) {
        assert!(started.elapsed() < Duration::from_secs(10), "sleep {argument} goes on");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_process_outlives_the_game() {
    // In its group, in a session of its own, with a parent that has ended, and with an empty environment.
    let code = "#!/bin/sh\nsleep 70001 & setsid sleep 70002 & (setsid sh -c 'sleep 70003; true' &) ; setsid env -i sleep 70004 &\n\
                sleep 0.3; read line; echo 17; cat > /dev/null\n";
    let play = |players: &str, input: &str| {
        let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
        program.options(["-think", "900", "-players", players]).input(input).run()
    };
    play("human,exec:./p,human,human", "0\n");
    // The program is replaced, and the game goes on to its end.
    let run = play("greedy,exec:./p,greedy,greedy", "");
    assert!(run.stderr_text().contains("takes over"), "{}", run.stderr_text());
    for argument in ["70001", "70002", "70003", "70004"] {
        assert_ends(argument);
    }
}

#[test]
fn process_that_keeps_forking_does_not_outlive_the_game() {
    if !is_there("python3") {
        return;
    }
    let code = "#!/usr/bin/env python3\nimport os, sys, time\nend = time.time() + 8\nif os.fork() == 0:\n    os.setsid()\n    \
                while time.time() < end:\n        if os.fork():\n            os._exit(0)\n        time.sleep(0.0003)\n    \
                open('survived', 'w').close()\n    os._exit(0)\nsys.stdin.read()\n";
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", code);
    let folder = program.folder().to_owned();
    let mut command = assert_cmd::Command::new(path());
    command.args(["-players", "human,human,human,exec:./p"]).current_dir(&folder).timeout(Duration::from_mins(1));
    let started = Instant::now();
    command.write_stdin("0\n").assert().success();
    assert!(started.elapsed() < Duration::from_secs(7), "the game ends first");
    thread::sleep(Duration::from_secs(9).saturating_sub(started.elapsed()));
    assert!(!folder.join("survived").exists());
}

#[test]
fn no_process_is_left_when_no_thread_can_be_spawned() {
    if !crate::fault_injection::strace_is_there() {
        return;
    }
    let program = Program::new().file("layout.txt", SAMPLE).executable("p", "#!/bin/sh\nexec sleep 70005\n");
    // The second thread: the first waits for signals.
    let mut traced = with_default_signals("strace");
    traced.args(["-o", "/dev/null", "-e", "inject=clone3:error=EAGAIN:when=3+"]).arg(path());
    traced.args(["-players", "exec:./p,human,human,human"]).current_dir(program.folder()).env("LC_ALL", "C");
    let output = assert_cmd::Command::from_std(traced).timeout(Duration::from_mins(1)).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.status.code(), stderr.as_ref()),
        (Some(1), "constructor: ./p: Resource temporarily unavailable\n")
    );
    assert_ends("70005");
}

#[test]
fn memory_does_not_grow_with_the_game() {
    let rich = format!(
        "0\n9 9 9 9 9 r 55 h 37 B 20 B\n9 9 9 9 9 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n3 3 3 3 3 r h 52 B 30 B\n{SAMPLE}-1\n"
    );
    let program = Program::new().file("in.sv", &rich).executable("p", "#!/bin/sh\nexec cat > /dev/null\n");
    fs::write(program.folder().join("input"), "roll 12\n".to_owned() + &"status board\n".repeat(60_000)).unwrap();
    // 120 MB of boards: with less than 150 MB of address space, they cannot be kept.
    let play = format!("{} -load in.sv -players human,human,human,exec:./p < input > /dev/null", path().display());
    let mut shell = assert_cmd::Command::new("bash");
    // Each arena of the allocator takes 64 MB of address space, and threads that meet in one make another.
    shell.args(["-c", &format!("ulimit -v 150000; {play}")]).env("MALLOC_ARENA_MAX", "1").current_dir(program.folder());
    let output = shell.timeout(Duration::from_mins(1)).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

/// The messages that a program heard, checked against the schema.
fn checked_messages(heard: &str) -> Vec<Value> {
    let schema: Value = serde_json::from_str(include_str!("../../docs/bots.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let messages: Vec<Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for message in &messages {
        let errors: Vec<String> = validator.iter_errors(message).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {message}");
    }
    messages
}

#[test]
fn example_bots_play_and_messages_fit_the_schema() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bots");
    for (interpreter, bot) in [("python3", "random_bot.py"), ("node", "leader_bot.mjs")] {
        if !is_there(interpreter) {
            continue;
        }
        for edition in ["constructor", "watan", "constructor-2024"] {
            let code = format!("#!/bin/sh\ntee heard | {interpreter} {examples}/{bot} \"$@\" | tee said\n");
            let players = "greedy,normal,json:./p,greedy";
            let options = ["-edition", edition, "-random-board", "-seed", "5"];
            let program = Program::new().executable("p", &code).options(options);
            let run = program.options(["-players", players]).run();
            assert_eq!((run.status, run.stderr_text().as_str()), (0, ""), "{bot}");
            let messages = checked_messages(&run.file_text("heard").unwrap());
            checked_messages(&run.file_text("said").unwrap());
            let count = |kind: &str| messages.iter().filter(|message| message["type"] == kind).count();
            assert!(count("start") == 1 && count("choose") > 10 && count("events") > 100 && count("refused") == 0);
            assert!(messages.last().unwrap()["events"].to_string().contains("won"));
            check_replay(&run, Program::new(), &options);
        }
    }
}

#[test]
fn bots_are_told_of_undo_and_that_trades_are_off() {
    let rich = format!(
        "0\n9 9 9 9 9 r 55 h 37 B 20 B\n9 9 9 9 9 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n3 3 3 3 3 r h 52 B 30 B\n{SAMPLE}-1\n"
    );
    let json = "#!/bin/sh\ntee json | while read line; do case $line in *during-turn*choose*|*choose*during-turn*) echo '{\"text\":\"trade Blue HEAT WIFI\"}';; esac; done\n";
    let text = "#!/bin/sh\nexec cat > text\n";
    let program = Program::new().file("in.sv", rich).executable("j", json).executable("t", text);
    let options = ["-load", "in.sv", "-extras", "-trades", "off", "-players", "human,json:./j,exec:./t,human"];
    let run = program.options(options).input("roll 12 build-road 60 undo next").run();
    assert!(run.file_text("text").unwrap().contains("\n> build-road 60\n> undo\nUndone: build-road 60\n> next\n"));
    let messages = checked_messages(&run.file_text("json").unwrap());
    let roads = |message: &Value| message["state"]["saved"]["builders"][0]["roads"].clone();
    let starts: Vec<Value> = messages.iter().filter(|message| message["type"] == "start").map(roads).collect();
    assert_eq!(starts, [json!([55]), json!([55])], "at the beginning and after the undo");
    let refused: Vec<&Value> = messages.iter().filter(|message| message["type"] == "refused").collect();
    assert_eq!(refused[0]["reason"], "trades are turned off");
    assert!(messages.iter().all(|message| !message["actions"].to_string().contains("trade")));
}

#[test]
fn json_bot_is_told_why_an_answer_is_refused() {
    let answers = [
        ("{\"index\":0}", "Vertex 0 has Blue's basement."),
        ("{\"index\":361}", "there is no action 361"),
        ("{\"text\":\"roll\"}", "an argument is missing or malformed"),
        ("{\"id\":9,\"index\":40}", "the answer is not to question 1"),
        ("{}", "expected either index or text"),
        ("40", "column 2: expected an object, not integer `40`"),
    ];
    for (answer, reason) in answers {
        let code = format!(
            "#!/bin/sh\nread start; read told; read question; echo '{answer}'; read refused; echo \"$refused\" > heard; read question; echo '{{\"text\":\"40\"}}'; cat > rest\n"
        );
        let program = Program::new().file("layout.txt", SAMPLE).executable("p", &code);
        let run = program.options(["-players", "human,json:./p,human,human"]).input("0\n").run();
        let heard: Value = serde_json::from_str(&run.file_text("heard").unwrap()).unwrap();
        assert_eq!(heard, json!({"type": "refused", "reason": reason}));
        assert!(run.stdout_text().contains("> 40\nBuilder Orange"), "{}", run.stdout_text());
        let rest = checked_messages(&run.file_text("rest").unwrap());
        assert_eq!(rest[0]["events"], json!([{"residence-built": ["red", 40, "basement"]}]));
    }
}
