//! The referee, with programs that break every rule.

use crate::program::{Folder, Run, path};

/// A board on which both players can move for a while.
const BOARD: &str = "4 4\n10 10 20 10\n10 30 10 10\n10 10 10 20\n20 10 10 10\n";

/// A game of a script against the program, with two penguins each. The script has the id `Bad`; it can call `play` for
/// a legal turn.
fn game(script: &str, parameters: &str) -> (Run, Folder) {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    let program = path().display();
    let code = format!(
        "#!/bin/sh\n[ \"$1\" = id ] && {{ echo Bad; exit; }}\nplay() {{ {program} id=Bad time=5 \"$@\"; }}\n\
         case $1 in *placement) placement=1;; *) placement=;; esac\n{script}\n"
    );
    folder.write_program("bad", &code);
    let run = folder.run(&format!("referee board.txt penguins=2 {parameters} -- ./bad -- {program} id=Good time=5"));
    (run, folder)
}

/// The faults of a player in the table.
fn faults(run: &Run, id: &str) -> u64 {
    let row = run.stdout.lines().find(|line| line.starts_with(id)).expect("everybody is in the table");
    row.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The fish of a player in the table.
fn fish(run: &Run, id: &str) -> u64 {
    let row = run.stdout.lines().find(|line| line.starts_with(id)).expect("everybody is in the table");
    row.split_whitespace().nth(3).unwrap().parse().unwrap()
}

/// Scripts and their faults.
const FAULTS: [(&str, &str); 23] = [
    ("play \"$@\"; s=$?; [ $placement ] && play \"$@\" && exit 0; exit $s", "several placements: 2 penguins"),
    ("play \"$@\"; s=$?; [ $s = 1 ] && exit 3; exit $s", "exit 3"),
    ("play \"$@\"; s=$?; [ $s = 1 ] && exit 0; exit $s", "exit 0 without a move"),
    ("exit 0", "exit 0 without a move"),
    (": > board.txt", "no state: 1:1: the file is empty"),
    ("rm board.txt", "no state: no file"),
    ("head -c 2000000 /dev/zero > board.txt", "no state: more than 1048576 bytes, which is too large"),
    ("rm board.txt; mkdir board.txt", "no state: no file"),
    ("rm board.txt; mkfifo board.txt", "no state: no file"),
    ("play \"$@\"; s=$?; sed -i '6{h;d};7G' board.txt; exit $s", "another's row"),
    ("play \"$@\"; s=$?; sed -i 's/^Bad 1/Bad 5/;s/01/05/' board.txt; exit $s", "wrong number: 5 and not 1"),
    ("play \"$@\"; s=$?; sed -i 's/^Bad/Worse/' board.txt; exit $s", "wrong id: Worse"),
    ("play \"$@\"; s=$?; sed -i 's/^\\(Bad . [0-9]\\)/\\11/' board.txt; exit $s", "wrong score: 11 and not 1"),
    ("play \"$@\"; s=$?; [ $placement ] || sed -i 's/02/00/' board.txt; exit $s", "another's penguin: "),
    (
        "play \"$@\"; s=$?; [ $placement ] || sed -i '/^Good/d;s/02/00/g' board.txt; exit $s",
        "another's row: 1 rows and not 2",
    ),
    ("play \"$@\"; s=$?; sed -i 's/^Good 2/Good 3/;s/02/03/' board.txt; exit $s", "another's row: Good"),
    ("play \"$@\"; s=$?; sed -i '1s/.*/4 3/;s/ ..$//' board.txt; exit $s", "another size: 4 x 3 and not 4 x 4"),
    ("play \"$@\"; s=$?; sed -i 's/30/20/' board.txt; exit $s", "another field: b2"),
    ("exit 1", "exit 1 with a move"),
    ("exit 2", "exit 2"),
    ("exit 77", "another exit: 77"),
    ("kill -SEGV $$", "crash: signal 11"),
    ("echo oh no >&2; exit 3", "exit 3"),
];

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_names_every_fault() {
    for (script, fault) in FAULTS {
        let (run, _) = game(script, "");
        assert_eq!(run.status, Some(0), "{script}\n{}", run.stderr);
        let named = run.stderr.lines().filter(|line| line.contains(&format!(": Bad: FAULT, {fault}"))).count();
        assert!(named > 0, "{script}\n{}", run.stderr);
        let all = run.stderr.lines().filter(|line| line.contains(": Bad: FAULT")).count() as u64;
        assert_eq!((faults(&run, "Bad"), faults(&run, "Good")), (all, 0), "{script}\n{}", run.stderr);
        assert!(fish(&run, "Good") > 2, "{script}\n{}", run.stdout);
    }
}

/// Scripts that make no fault.
const RIGHT: [&str; 9] = [
    "play \"$@\"",
    // Some programs leave the fish digit on the penguin's field.
    "play \"$@\"; s=$?; sed -i 's/01/11/g' board.txt; exit $s",
    // Other blanks, and no newline at the end.
    "play \"$@\"; s=$?; sed -i 's/ /   /g' board.txt; truncate -s -1 board.txt; exit $s",
    // A program that needs a newline at the end: the referee always writes one.
    "[ -z \"$(tail -c 1 board.txt)\" ] || exit 2; play \"$@\"",
    // Much output.
    "play \"$@\"; s=$?; head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; exit $s",
    // Files in its own directory persist.
    "[ $placement ] && mkdir -p own && echo x > own/file; [ -s own/file ] || exit 3; play \"$@\"",
    // Children that would write later.
    "play \"$@\"; s=$?; (sleep 0.2; echo late > board.txt) & exit $s",
    "play \"$@\"; s=$?; setsid sh -c 'sleep 0.2; echo late > board.txt' & exit $s",
    // A child keeps the output open.
    "play \"$@\"; s=$?; sleep 100 & exit $s",
];

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_accepts_all_that_is_legal() {
    for script in RIGHT {
        let (run, _) = game(script, "");
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{script}");
        assert_eq!((faults(&run, "Bad"), faults(&run, "Good")), (0, 0), "{script}");
        assert!(fish(&run, "Bad") > 2 && fish(&run, "Good") > 2, "{script}\n{}", run.stdout);
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_keeps_program_that_refuses_last_newline_out() {
    let (run, _) = game("[ -z \"$(tail -c 1 board.txt)\" ] && exit 2; play \"$@\"", "");
    assert_eq!(faults(&run, "Bad"), 6);
    assert!(run.stderr.contains("Bad: FAULT, exit 2"), "{}", run.stderr);
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_kills_hanging_program_with_children() {
    for isolation in ISOLATION {
        let (run, _) = game("sleep 80008 & wait", &format!("time=300 {isolation}"));
        assert!(run.stderr.contains("Bad: FAULT, overrun"), "{}", run.stderr);
        assert_eq!((faults(&run, "Bad"), faults(&run, "Good")), (6, 0));
        assert!(!sleeps("80008"), "{isolation}");
    }
}

/// A process that is killed when the test ends, also by a panic.
pub struct ChildGuard(pub std::process::Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a process runs `sleep` for this many seconds.
fn sleeps(seconds: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        command == format!("sleep\0{seconds}\0").as_bytes()
    })
}

/// Whether the system allows namespaces.
fn namespaces_are_allowed() -> bool {
    let mut unshare = std::process::Command::new("unshare");
    let allowed = unshare.args(["--user", "--map-root-user", "--mount", "--pid", "--fork", "true"]).output();
    let allowed = allowed.is_ok_and(|output| output.status.success());
    if !allowed {
        println!("not tested: the system does not allow namespaces");
    }
    allowed
}

/// Both ways to keep programs apart: in namespaces, where the system allows them, and by looking after each call.
const ISOLATION: [&str; 2] = ["isolation=on", "isolation=off"];

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn no_process_outlives_its_call() {
    for isolation in ISOLATION {
        let script = "play \"$@\"; s=$?; sleep 80001 & setsid sh -c 'sleep 80002; true' & setsid env -i sleep 80003 &\n\
                      PENGUINS_CALL=forged setsid sleep 80009 &\n\
                      (setsid sh -c '(setsid sh -c \"sleep 80004; true\" &); sleep 80005; true' &)\nsleep 0.05; exit $s";
        let (run, _) = game(script, isolation);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{isolation}");
        for seconds in ["80001", "80002", "80003", "80004", "80005", "80009"] {
            assert!(!sleeps(seconds), "{isolation}: sleep {seconds} goes on");
        }
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn whoever_changes_the_directory_of_another_is_blamed() {
    let write = "play \"$@\"; s=$?; for d in ../program-*; do [ $d/ -ef . ] || echo x > $d/board.txt; done; exit $s";
    let remove = "play \"$@\"; s=$?; for d in ../program-*; do [ $d/ -ef . ] || rm -r $d; done; exit $s";
    let daemon = "play \"$@\"; s=$?; setsid env -i sh -c 'while true; do for d in ../program-*; do [ $d/ -ef . ] || echo x > $d/board.txt; done; done' & sleep 0.05; exit $s";
    for script in [write, remove, daemon] {
        let (run, _) = game(script, "isolation=off");
        assert!(run.stderr.contains(": Bad: FAULT, another's directory: Good"), "{script}: {}", run.stderr);
        assert_eq!(faults(&run, "Good"), 0, "{script}: {}", run.stderr);
        // In namespaces, there is no other directory.
        if !namespaces_are_allowed() {
            continue;
        }
        let (run, _) = game(script, "isolation=on");
        assert_eq!((faults(&run, "Bad"), faults(&run, "Good")), (0, 0), "{script}: {}", run.stderr);
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn whoever_fills_the_disk_is_blamed() {
    for isolation in ISOLATION {
        let Some(run) = game_on_a_small_disk("cat /dev/zero > filler 2>/dev/null", isolation) else { return };
        assert!(run.stderr.contains(": Bad: FAULT, disk: "), "{}", run.stderr);
        assert_eq!(faults(&run, "Good"), 0, "{}", run.stderr);
        assert!(fish(&run, "Good") > 5, "{}", run.stdout);
    }
}

/// A game against a script that does this after each legal turn, on a disk of 512 KiB, whose content is then listed on standard error.
/// `None` if the system does not allow such a disk.
fn game_on_a_small_disk(misdeed: &str, isolation: &str) -> Option<Run> {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    let program = path().display();
    let turn = format!("{program} id=Bad time=5 \"$@\"; s=$?\n{misdeed}; exit $s");
    folder.write_program("bad", &format!("#!/bin/sh\n[ \"$1\" = id ] && {{ echo Bad; exit; }}\n{turn}\n"));
    let game = format!("referee board.txt penguins=2 {isolation} -- ./bad -- {program} id=Good time=10");
    let script = format!(
        "mkdir small; mount -t tmpfs -o size=512k none small && TMPDIR=$PWD/small {program} {game}; ls -A small >&2"
    );
    let mut unshare = assert_cmd::Command::new("unshare");
    unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).current_dir(folder.path("."));
    let run = crate::program::run(unshare.timeout(std::time::Duration::from_mins(1)));
    if run.stderr.starts_with("unshare") {
        println!("not tested: {}", run.stderr);
        return None;
    }
    Some(run)
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn interrupted_referee_leaves_nothing() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    for (isolation, signal) in ISOLATION.into_iter().zip([Signal::SIGTERM, Signal::SIGINT]) {
        let folder = Folder::new();
        folder.write("board.txt", BOARD);
        folder.write_program(
            "bad",
            "#!/bin/sh\n[ \"$1\" = id ] && { echo Bad; exit; }\nsetsid sleep 80006 & sleep 80007\n",
        );
        std::fs::create_dir(folder.path("tmp")).unwrap();
        let child = std::process::Command::new("env")
            .arg("--default-signal")
            .arg(path())
            .args(["referee", "board.txt", "penguins=1", "time=60000", isolation, "log=log"])
            .args(["--", "@first", "--", "./bad"])
            .current_dir(folder.path("."))
            .env("TMPDIR", folder.path("tmp"))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut child = ChildGuard(child);
        let started = std::time::Instant::now();
        let wait = || {
            std::thread::sleep(std::time::Duration::from_millis(5));
            assert!(started.elapsed() < std::time::Duration::from_secs(30), "{isolation}");
        };
        while !(sleeps("80006") && sleeps("80007")) {
            wait();
        }
        kill(Pid::from_raw(child.0.id().cast_signed()), signal).unwrap();
        let status = loop {
            match child.0.try_wait().unwrap() {
                Some(status) => break status,
                None => wait(),
            }
        };
        assert_eq!(status.code(), Some(128 + signal as i32), "{isolation}");
        while sleeps("80006") || sleeps("80007") {
            wait();
        }
        assert_eq!(std::fs::read_dir(folder.path("tmp")).unwrap().count(), 0, "{isolation}");
        assert_eq!(folder.names(), ["bad", "board.txt", "log", "tmp"]);
        assert!(folder.read("log").unwrap().starts_with("placement 1: @first: a1 ("), "the log so far");
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_refuses_jump_over_penguin() {
    let folder = Folder::new();
    folder.write("board.txt", "1 4\n10 10 30 00\n");
    let place = |id: &str, code: &str| format!("#!/bin/sh\n[ \"$1\" = id ] && {{ echo {id}; exit; }}\n{code}\n");
    folder.write_program("bad", &place("Bad", "case $1 in *placement) grep -q Bad board.txt && exit 1; sed -i 's/^10 10/01 10/;$aBad 1 1' board.txt;; *) sed -i 's/^01 02 30/00 02 01/;s/Bad 1 1/Bad 1 4/' board.txt;; esac"));
    folder.write_program("good", &place("Good", "case $1 in *placement) grep -q Good board.txt && exit 1; sed -i 's/^01 10/01 02/;$aGood 2 1' board.txt;; *) grep -q '02 30' board.txt || exit 1; sed -i 's/02 30/00 02/;s/Good 2 1/Good 2 4/' board.txt;; esac"));
    let run = folder.run("referee board.txt penguins=1 -- ./bad -- ./good");
    assert!(run.stderr.contains("Bad: FAULT, illegal slide: a1 to a3: blocked by the penguin at a2"), "{}", run.stderr);
    assert_eq!((faults(&run, "Good"), fish(&run, "Good"), fish(&run, "Bad")), (0, 4, 1), "{}", run.stderr);
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_policies_forfeit_and_raw() {
    let cheat = "play \"$@\"; s=$?; sed -i 's/^Bad 1 .*/Bad 1 99/' board.txt; exit $s";
    let (run, _) = game(cheat, "policy=forfeit");
    assert_eq!((faults(&run, "Bad"), fish(&run, "Bad")), (1, 0), "{}", run.stderr);
    let (run, _) = game(cheat, "policy=raw");
    assert_eq!((faults(&run, "Bad"), fish(&run, "Bad")), (0, 99), "{}", run.stderr);
    // The game ends although no program ever exits with 1.
    let (run, _) = game("exit 0", "policy=raw");
    assert_eq!(run.status, Some(0));
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn referee_refuses_equal_ids() {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    let program = path().display();
    let run = folder.run(&format!("referee board.txt penguins=1 -- {program} -- {program} time=5"));
    assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""));
    assert_eq!(run.stderr, "penguins: the programs 1 and 2 have the same id, Tuxedo\n");
    let run = folder.run("referee board.txt penguins=1 -- @greedy -- @greedy");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn referee_accepts_program_without_id() {
    for isolation in ISOLATION {
        let folder = Folder::new();
        folder.write("board.txt", "1 3\n10 20 10\n");
        folder.write_program(
            "mute",
            "#!/bin/sh\n[ $1 = id ] && exit 5\n[ $1 = name ] && exit 5\ngrep -q Mute board.txt && exit 1\nsed -i 's/^10/01/;$aMute 1 1' board.txt\n",
        );
        let run = folder.run(&format!("referee board.txt penguins=1 log=log.txt {isolation} -- ./mute -- @first"));
        assert_eq!((run.status, fish(&run, "Mute")), (Some(0), 1), "{}", run.stdout);
        let log = folder.read("log.txt").unwrap();
        assert!(log.starts_with("placement 1: Mute: a1 ("), "{log}");
    }
}

#[test]
fn program_that_cannot_be_started_is_an_error() {
    for isolation in ISOLATION {
        let folder = Folder::new();
        folder.write("board.txt", BOARD);
        for command in ["referee board.txt", "tournament boards=1000"] {
            let run = folder.run(&format!("{command} penguins=1 {isolation} -- @first -- ./no-such-program"));
            assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""));
            assert_eq!(run.stderr, "penguins: ./no-such-program: No such file or directory\n", "{isolation}");
        }
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn hard_links_are_not_taken_for_changes() {
    // The log of the referee changes with each call; the program has a link to it.
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    std::fs::create_dir(folder.path("tmp")).unwrap();
    let program = path().display();
    let log = folder.path(".unfinished-*").display().to_string();
    let code = format!(
        "#!/bin/sh\n[ $1 = id ] && {{ echo Linker; exit; }}\nln {log} . 2>/dev/null\n{program} id=Linker time=5 \"$@\"\n"
    );
    folder.write_program("linker", &code);
    let args = format!("referee board.txt penguins=1 isolation=off log=log -- ./linker -- {program} id=Good time=5");
    let run = crate::program::run(folder.command().env("TMPDIR", folder.path("tmp")).args(args.split(' ')));
    assert_eq!((run.stderr.as_str(), faults(&run, "Linker"), faults(&run, "Good")), ("", 0, 0));
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn hidden_data_counts_and_is_removed() {
    for isolation in ISOLATION {
        let hide = "mkdir -p h; head -c 400000 /dev/zero > h/data 2>/dev/null; chmod 0 h";
        let Some(run) = game_on_a_small_disk(hide, isolation) else { return };
        assert!(run.stderr.contains(": Bad: FAULT, disk: "), "{}", run.stderr);
        assert!(run.stderr.lines().all(|line| line.contains(": Bad: FAULT, ")), "nothing is left: {}", run.stderr);
        assert_eq!(faults(&run, "Good"), 0, "{}", run.stderr);
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn programs_have_no_signals_blocked() {
    for isolation in ISOLATION {
        let script = "sh -c 'kill -ALRM $$'; [ $? = 142 ] || exit 9; play \"$@\"";
        let (run, _) = game(script, isolation);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{isolation}");
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn files_written_when_asked_for_the_id_are_nobodys_fault() {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    let program = path().display();
    folder.write_program("logger", &format!("#!/bin/sh\necho $1 >> own.log\n{program} id=Logger time=5 \"$@\"\n"));
    folder.write_program(
        "named",
        &format!("#!/bin/sh\n[ $1 = id ] && {{ echo Named; exit; }}\n{program} id=Named time=5 \"$@\"\n"),
    );
    let run = folder.run("referee board.txt penguins=1 isolation=off -- ./named -- ./logger");
    assert_eq!((run.stderr.as_str(), faults(&run, "Named"), faults(&run, "Logger")), ("", 0, 0));
}

#[test]
fn referee_refuses_equal_names() {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    folder.write_program("twin", "#!/bin/sh\n[ \"$1\" = name ] && echo Twin\n");
    let run = folder.run("referee board.txt penguins=1 -- ./twin -- ./twin");
    assert_eq!((run.status, run.stderr.as_str()), (Some(3), "penguins: the programs 1 and 2 have the same id, Twin\n"));
}

#[test]
fn referee_table_is_sorted_by_fish() {
    let folder = Folder::new();
    folder.write("board.txt", "2 4\n10 10 30 30\n20 10 30 30\n");
    let run = folder.run("referee board.txt penguins=1 -- @first -- @first -- @greedy");
    let ids: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!((ids.len(), ids[0]), (4, "id"), "{}", run.stdout);
    let scores: Vec<u64> = ["@first ", "@first-2", "@greedy"].map(|id| fish(&run, id)).to_vec();
    let shown: Vec<u64> =
        run.stdout.lines().skip(1).map(|line| line.split_whitespace().nth(3).unwrap().parse().unwrap()).collect();
    assert!(shown.is_sorted_by(|one, other| one >= other), "{}", run.stdout);
    assert_eq!(scores.iter().sum::<u64>(), shown.iter().sum::<u64>());
}

#[test]
fn referee_reports_usage_errors() {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    folder.write("begun.txt", "1 1\n01\nA 1 1\n");
    folder.write("bad.txt", "1 1\n");
    let cases = [
        ("referee board.txt -- @first", 3, "penguins= is missing"),
        ("referee penguins=1 -- @first", 3, "BOARD is missing"),
        ("referee board.txt penguins=1", 3, "expected 1 to 9 programs, not 0"),
        ("referee board.txt penguins=1 --", 3, "expected a program after '--'"),
        (
            "referee board.txt penguins=1 -- @worst",
            3,
            "unknown player @worst: expected one of @best, @greedy, @first, @random",
        ),
        ("referee board.txt penguins=1 policy=kind -- @first", 3, "policy=kind: expected revert, forfeit or raw"),
        ("referee board.txt penguins=1 log=no/log -- @first", 3, "no/log: not saved: No such file or directory"),
        ("referee no.txt penguins=1 -- @first", 2, "no.txt: No such file or directory"),
        ("referee bad.txt penguins=1 -- @first", 2, "bad.txt:2:1: row 1 of 1 of the board is missing"),
        ("referee begun.txt penguins=1 -- @first", 2, "begun.txt: a game has begun on this board"),
    ];
    for (args, status, message) in cases {
        folder.refuses(args, status, message);
    }
}
