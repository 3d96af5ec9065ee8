//! Records: written, replayed, recorded again, cut, damaged, continued.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use constructor::analysis;
use constructor::app::archive::transcript;
use constructor::app::play::JournalFile;
use constructor::game::{Builder, Trades};
use constructor::players::{PlayerFactory, PlayerKind};
use constructor::record::{JournalSetup, RecordLine, RecordedPlayer, Replay, read};
use constructor::simulate::{Recording, Simulation};
use constructor::text::{Dialogue, EDITIONS};
use constructor_common::frame::Io;
use serde_json::Value;

use crate::players::play_lines;
use crate::program::{ChildGuard, Program, path, with_default_signals};
use crate::reference_program::Start;
use crate::sessions::{Session, assert_same_lines, dialogue, session};
use crate::times::times;

/// Checks every line of a record against the schema.
#[track_caller]
pub fn check_schema(record: &str) {
    let schema: Value = serde_json::from_str(include_str!("../../docs/record.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in record.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = validator.iter_errors(&line).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
    }
}

/// Plays and records a session. Returns the output and the record.
fn recorded(session: &Session, typed: &[u8], folder: &Path) -> (String, String) {
    let file = folder.join("r.jsonl");
    let _ = fs::remove_file(&file);
    let dialogue: Dialogue = dialogue(session).with_history();
    let (mut journal, found) = JournalFile::open(&Io::new("game"), &file, None).unwrap();
    assert!(found.is_none());
    let setup = JournalSetup {
        edition: session.edition,
        seed: session.seed,
        trades: Trades::On,
        extras: false,
        random_layout: matches!(session.start, Start::Random),
    };
    let saved = matches!(session.start, Start::Load(_)).then(|| dialogue.session().saved_game());
    let people = Builder::ALL.map(|builder| RecordedPlayer::new(session.edition, builder, "human", None));
    journal.begin(setup, dialogue.game(), dialogue.session().drawn(), saved.as_ref(), &people).unwrap();
    let mut stdout = Vec::new();
    let _ = play_lines(dialogue, Some(&mut journal), typed, &mut stdout, |_, _| Ok(()));
    assert_eq!(journal.take_failure(), None);
    (String::from_utf8(stdout).unwrap(), fs::read_to_string(file).unwrap())
}

#[test]
fn sessions_are_replayed_and_recorded_again() {
    let folder = tempfile::tempdir().unwrap();
    let (mut actions, mut games) = (0, 0);
    for number in 0..times(150) {
        let session = session(number);
        let (stdout, record) = recorded(&session, &session.typed, folder.path());
        assert_eq!(stdout, session.expected.stdout, "session {number}: recording changes nothing");
        if number < 60 {
            check_schema(&record);
        }
        let (records, is_incomplete) = read(record.as_bytes()).unwrap();
        assert!(!is_incomplete);
        let mut replayed = Vec::new();
        let mut script = String::new();
        for record in &records {
            let (text, _) = transcript(record).unwrap_or_else(|error| panic!("session {number}: {error:?}"));
            replayed.extend(text);
            let mut replay = Replay::new(&record.header).unwrap();
            for line in &record.lines {
                for answer in replay.apply(line).unwrap() {
                    script += &answer.typed;
                    script.push('\n');
                }
            }
            actions += record.lines.iter().filter(|line| matches!(line, RecordLine::Action(_))).count();
        }
        assert_eq!(String::from_utf8(replayed).unwrap(), stdout, "session {number}");
        let again = recorded(&session, script.as_bytes(), folder.path()).1;
        assert_same_lines(&again, &record, number);
        games += records.len();
    }
    assert!(actions > 1_000 && games > times(150).try_into().unwrap(), "{actions} actions, {games} games");
}

/// The input of a whole game, with a command that saves it at the end of every turn.
fn script_that_saves(seed: &str) -> (String, u32) {
    let options = ["simulate", "-players", "normal,greedy,greedy,greedy", "-seed", seed, "-only", "0", "-quiet"];
    let script = Program::new().options(options).run().stdout_text();
    let (mut text, mut turn) = (String::new(), 0);
    for line in script.lines() {
        if line == "next" {
            turn += 1;
            text += &format!("save turn-{turn}.sv\n");
        }
        text += line;
        text.push('\n');
    }
    (text, turn)
}

#[test]
fn replay_saves_what_was_saved_at_every_turn() {
    let (script, turns) = script_that_saves("3");
    let mut simulation = Simulation::new(&EDITIONS[0], [(); 4].map(|()| PlayerFactory::from(PlayerKind::Greedy)));
    simulation.seed = 3;
    let seed = simulation.seed_of(0);
    let options =
        ["-random-board".to_owned(), "-seed".to_owned(), seed.to_string(), "-record".to_owned(), "r.jsonl".to_owned()];
    let run = Program::new().options(options).input(&script).run();
    let record = run.file_text("r.jsonl").unwrap();
    check_schema(&record);
    let replay = |options: &[&str]| {
        Program::new().file("r.jsonl", &record).options(["replay", "r.jsonl"].iter().chain(options)).run()
    };
    for turn in (1..=turns).step_by(7) {
        let replayed = replay(&["-turn", &turn.to_string(), "-save", "x.sv"]);
        assert_eq!(
            (replayed.status, replayed.stdout_text(), replayed.stderr_text()),
            (0, String::new(), String::new())
        );
        assert_eq!(replayed.files["x.sv"], run.files[&format!("turn-{turn}.sv")], "turn {turn}");
    }
    let printed = replay(&[]);
    assert_eq!((printed.status, printed.stdout_text()), (0, run.stdout_text()));
    assert_eq!(replay(&["-script"]).stdout_text(), script);
    assert_eq!(replay(&["-quiet"]).stdout_text(), "");
    let first = replay(&["-turn", "1"]).stdout_text();
    assert!(run.stdout_text().starts_with(&first) && first.ends_with("> ") && first.matches("'s turn.").count() == 2);
    for (options, said) in [
        (&["-turn", "99999"][..], "constructor: r.jsonl: there is no turn 99999; the last is"),
        (&["-game", "2"], "constructor: r.jsonl: there is no game 2; it has 1 game\n"),
        (&["-save", "no/x.sv"], "constructor: no/x.sv: not saved: No such file or directory\n"),
    ] {
        let run = replay(options);
        assert!(run.status == 1 && run.stderr_text().starts_with(said), "{}", run.stderr_text());
    }
}

#[test]
fn extra_commands_undo_and_computers_are_recorded() {
    let lines = "20 45 help log fair roll status hint next roll 8 human Red undo computer greedy fair roll next\n\
                 save x.sv\nboard\n\nroll roll next computer normal\n"
        .to_owned()
        + &"roll\nbuild-road 27\nundo\nnext\n".repeat(30);
    let options =
        ["-random-board", "-seed", "9", "-extras", "-players", "human,greedy,normal,random", "-playouts", "5"];
    let run = Program::new().options(options).options(["-record", "r.jsonl"]).input(&lines).run();
    let record = run.file_text("r.jsonl").unwrap();
    check_schema(&record);
    assert!(record.contains("\"player\":\"greedy\"") && record.contains("\"type\":\"player\""), "{record}");
    let replayed = Program::new().file("r.jsonl", &record).options(["replay", "r.jsonl"]).run();
    assert_eq!((replayed.status, replayed.stderr_text()), (0, String::new()));
    // A hint is not repeated: it would take as long again.
    let stdout = run.stdout_text();
    let (before, hint) = stdout.split_once("Best actions").unwrap();
    let after: String = hint.split_inclusive('\n').skip(4).collect();
    assert_same_lines(&replayed.stdout_text(), &(before.to_owned() + &after), 0);
}

#[test]
fn undo_is_replayed() {
    let rich =
        "0\n9 9 9 9 9 r 20 h 15 B 20 B\n0 0 0 0 0 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n0 0 0 0 0 r h 52 B 30 B\n";
    let rich = rich.to_owned() + include_str!("../../layout.txt") + "-1\n";
    let input = "roll 4\nimprove 20\nundo\nimprove 15\nimprove 15\nundo\nnext\n";
    let options = ["-load", "in.sv", "-extras", "-record", "r.jsonl"];
    let run = Program::new().file("in.sv", &rich).options(options).input(input).run();
    assert_eq!(run.stdout_text().matches("Undone").count(), 2, "{}", run.stdout_text());
    let record = run.file_text("r.jsonl").unwrap();
    check_schema(&record);
    let replay = |options: &[&str]| {
        Program::new().file("r.jsonl", &record).options(["replay", "r.jsonl"].iter().chain(options)).run()
    };
    assert_eq!(replay(&[]).stdout_text(), run.stdout_text());
    assert_eq!(replay(&["-save", "x.sv"]).files["x.sv"], run.files["backup.sv"]);
    let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    assert_eq!(moves.len(), 3, "the roll, one improvement and the end of the turn are left");
}

fn simulated() -> String {
    let greedy = PlayerFactory::from(PlayerKind::Greedy);
    let random = PlayerFactory::from(PlayerKind::Random);
    let mut simulation = Simulation::new(&EDITIONS[1], [greedy.clone(), random, greedy.clone(), greedy]);
    simulation.max_turns = 12;
    simulation.trades = Trades::On;
    let mut recording = Recording::new(&simulation);
    recording.play(&simulation, 5);
    recording.take()
}

#[test]
fn records_cut_anywhere_are_valid_up_to_the_last_whole_line() {
    let record = simulated();
    check_schema(&record);
    for cut in 0..=record.len() {
        let whole = record[..cut].matches('\n').count();
        let (records, is_incomplete) = read(&record.as_bytes()[..cut]).unwrap();
        assert_eq!(is_incomplete, cut > 0 && !record[..cut].ends_with('\n'), "cut at {cut}");
        assert_eq!(records.iter().map(|record| 1 + record.lines.len()).sum::<usize>(), whole, "cut at {cut}");
        if whole % 5 == 1 {
            transcript(&records[0]).unwrap();
        }
    }
}

#[test]
fn damaged_and_impossible_records_are_refused() {
    let record = simulated();
    let roll = record.lines().position(|line| line.contains("\"roll\"")).unwrap() + 1;
    let said = |record: &str| {
        let run = Program::new().file("r.jsonl", record).options(["replay", "-quiet", "r.jsonl"]).run();
        assert_eq!((run.status, run.stdout_text()), (1, String::new()));
        run.stderr_text()
    };
    let replaced = |from: &str, to: &str| {
        assert!(record.contains(from), "{from} is not in\n{record}");
        record.replacen(from, to, 1)
    };
    let line = |number: usize| record.lines().nth(number - 1).unwrap().to_owned() + "\n";
    for (damaged, expected) in [
        (String::new(), "there is no game".to_owned()),
        ("{}\n".to_owned(), "line 1: column 2: expected a field `turn`".to_owned()),
        ("nonsense\n".to_owned(), "line 1: column 2: expected".to_owned()),
        (record.split_inclusive('\n').skip(1).collect(), "line 1: expected the beginning of a game".to_owned()),
        (replaced("\"format\":1", "\"format\":3"), "line 1: format 3 is not known, only 1 and 2".to_owned()),
        (replaced("\"watan\"", "\"catan\""), "line 1: edition 'catan' is not known".to_owned()),
        (replaced("\"layout\":\"", "\"layout\":\"9 "), "line 1: layout or saved game: line 1: '9' is not".to_owned()),
        (
            replaced("\"builder\":\"Blue\",\"player\"", "\"builder\":\"Red\",\"player\""),
            "line 1: expected a player".to_owned(),
        ),
        (
            replaced("\"builder\":\"Blue\",\"action\"", "\"builder\":\"Green\",\"action\""),
            "line 2: 'Green' is not".to_owned(),
        ),
        (
            replaced("\"builder\":\"Blue\",\"action\"", "\"builder\":\"Red\",\"action\""),
            "line 2: it is not Red who".to_owned(),
        ),
        (replaced("\"points\":1", "\"points\":3"), "line 2: the builder has 1 points, not 3".to_owned()),
        (replaced("\"turn\":0", "\"turn\":1"), "line 2: turn 1 is out of order; it is turn 0".to_owned()),
        (record.replacen(&line(3), "", 1), "line 3: it is not".to_owned()),
        (record.replacen(&line(roll), &line(roll).replace("\"dice\":[", "\"dice\":[9,"), 1), format!("line {roll}: ")),
        (record.replacen(&line(roll), &line(roll).replace("\"roll\":", "\"roll\":1"), 1), format!("line {roll}: ")),
        (record.clone() + &line(2), "the game is over".to_owned()),
    ] {
        let found = said(&damaged);
        assert!(found.starts_with("constructor: r.jsonl: ") && found.contains(&expected), "{expected}: {found}");
    }
}

#[test]
fn chance_that_is_impossible_is_refused() {
    let greedy = PlayerFactory::from(PlayerKind::Greedy);
    let simulation = Simulation::new(&EDITIONS[0], [(); 4].map(|()| greedy.clone()));
    let mut recording = Recording::new(&simulation);
    recording.play(&simulation, 1);
    let record = recording.take();
    let error = |from: &str, to: &str| {
        assert!(record.contains(from), "{from}");
        let (records, _) = read(record.replacen(from, to, 1).as_bytes()).unwrap();
        transcript(&records[0]).unwrap_err().1.to_string()
    };
    assert_eq!(error("\"stolen\":\"", "\"stolen\":\"X"), "the units lost or stolen are not valid");
    let lost = record.lines().find(|line| line.contains("\"lost\"")).unwrap();
    let without = lost.split(",\"lost\"").next().unwrap().to_owned() + "," + lost.rsplit(',').next().unwrap();
    assert!(error(lost, &without).ends_with("cannot lose these units"));
    let stolen = record.split("\"stolen\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let others: Vec<_> =
        ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI"].into_iter().filter(|&name| name != stolen).collect();
    let refused = others.iter().filter(|other| {
        let text = record.replacen(&format!("\"stolen\":\"{stolen}\""), &format!("\"stolen\":\"{other}\""), 1);
        transcript(&read(text.as_bytes()).unwrap().0[0]).is_err()
    });
    assert!(refused.count() > 0, "what is not held cannot be stolen, and later lines would not fit");
}

#[test]
fn simulations_are_recorded() {
    let options =
        ["simulate", "-players", "normal,greedy,random,greedy", "-games", "1100", "-max-turns", "40", "-trades", "on"];
    let run = Program::new().options(options).options(["-seed", "2", "-records", "games", "-csv", "a.csv"]).run();
    assert_eq!((run.status, run.stderr_text()), (0, String::new()));
    let csv = run.file_text("a.csv").unwrap();
    let mut rows = csv.lines().skip(1);
    let mut number = 0;
    for name in ["games/games-000000000000.jsonl", "games/games-000000001024.jsonl"] {
        let text = run.file_text(name).unwrap();
        let (records, _) = read(text.as_bytes()).unwrap();
        for record in records {
            assert_eq!(record.header.game, Some(number));
            let replay = transcript(&record).unwrap_or_else(|error| panic!("game {number}: {error:?}")).1;
            for builder in Builder::ALL {
                let row: Vec<&str> = rows.next().unwrap().split(',').collect();
                let game = replay.dialogue().game();
                assert_eq!(row[9], game.points(builder).to_string(), "game {number}");
                assert_eq!(row[7], replay.players()[builder.index()].player);
                assert_eq!(row[8] == "1", game.winner() == Some(builder));
            }
            number += 1;
        }
    }
    assert_eq!(number, 1_100);
    check_schema(&run.file_text("games/games-000000001024.jsonl").unwrap());
    let threads = Program::new().options(options).options(["-seed", "2", "-records", "games", "-threads", "1"]).run();
    for (name, content) in &threads.files {
        assert_eq!(Some(content), run.files.get(name), "{name} does not depend on threads");
    }
    // Nothing is overwritten.
    let program = Program::new().options(options).options(["-records", "games", "-quiet"]);
    fs::create_dir(program.folder().join("games")).unwrap();
    fs::write(program.folder().join("games/games-000000000000.jsonl"), "mine").unwrap();
    let run = program.run();
    assert_eq!(
        (run.status, run.stderr_text().as_str()),
        (1, "constructor: games/games-000000000000.jsonl: it is there already; it is not overwritten\n")
    );
    assert_eq!(run.file_text("games/games-000000000000.jsonl").unwrap(), "mine");
}

#[test]
fn full_disk_is_said_once_and_the_game_goes_on() {
    let plain = Program::new().options(["-random-board"]).input("0 4 10 17 20 30 40 52\n").run();
    // A limit of 512 bytes is as good as a full disk: the header fits, and not all answers do.
    let program = Program::new();
    let mut limited = crate::program::with_time_limit("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$0\" -random-board -record r.jsonl", path().to_str().unwrap()]);
    let mut child = limited
        .current_dir(program.folder())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"0 4 10 17 20 30 40 52\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let mut files = crate::program::files_below(program.folder());
    let record = String::from_utf8(files.remove("r.jsonl").unwrap()).unwrap();
    assert!(record.len() > 300 && record.len() <= 512 && record.ends_with('\n'), "{record}");
    assert_eq!(read(record.as_bytes()).unwrap().0.len(), 1);
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), &files),
        (Some(0), plain.stdout_text(), &plain.files)
    );
    let said = "constructor: r.jsonl: File too large; the record ends here\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    let run = Program::new().options(["-random-board", "-record", "/dev/full"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (1, "constructor: /dev/full: not a regular file\n"));
}

#[test]
fn games_are_added_to_records_only() {
    let play = |program: Program| program.options(["-random-board", "-record", "r.jsonl"]).input("0 4\n").run();
    let first = play(Program::new()).file_text("r.jsonl").unwrap();
    assert_eq!(first.lines().count(), 3);
    let run = play(Program::new().file("r.jsonl", first.clone() + "{\"turn\":0,\"buil"));
    assert_eq!(run.file_text("r.jsonl").unwrap(), first.clone() + &first, "the incomplete line is removed");
    for content in ["mine\n", "no line end", "{}\n"] {
        let run = play(Program::new().file("r.jsonl", content));
        assert_eq!((run.status, run.stdout_text().as_str()), (1, ""), "{content}");
        let said = run.stderr_text();
        assert!(said.starts_with("constructor: r.jsonl: not a record of games: "), "{content}: {said}");
        assert!(said.ends_with("; nothing is added to it\n"), "{content}: {said}");
        assert_eq!(run.file_text("r.jsonl").unwrap(), content);
    }
    let run = Program::new().options(["-random-board", "-record", "no/r.jsonl"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (1, "constructor: no/r.jsonl: No such file or directory\n"));
    let run = Program::new().file("r.jsonl", first.clone() + &first).options(["replay", "r.jsonl", "-game", "2"]).run();
    assert_eq!(run.status, 0);
    let both = Program::new().file("r.jsonl", first.clone() + &first).options(["replay", "r.jsonl"]).run();
    assert_eq!(both.stdout_text(), run.stdout_text().repeat(2));
}

#[test]
fn record_is_valid_after_kill() {
    let mut lines = 0;
    for round in 0..12_u64 {
        let program = Program::new();
        let mut child = ChildGuard(
            with_default_signals(path())
                .args(["-random-board", "-seed", &round.to_string(), "-record", "r.jsonl"])
                .args(["-players", "random,random,random,random", "-trades", "off"])
                .current_dir(program.folder())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap(),
        );
        thread::sleep(Duration::from_millis(15 + 7 * round));
        let _ = child.kill();
        child.wait().unwrap();
        let Ok(text) = fs::read(program.folder().join("r.jsonl")) else { continue };
        let (records, _) = read(&text).unwrap();
        for record in &records {
            transcript(record).unwrap();
            lines += record.lines.len();
        }
    }
    assert!(lines > 100, "{lines} lines");
}

#[test]
fn computers_are_recorded_with_their_budget_and_programs_with_their_substitutes() {
    let code = "#!/bin/sh\nread line; read line; exit\n";
    let options =
        ["-random-board", "-players", "expert,greedy,exec:./p,random", "-playouts", "7", "-record", "r.jsonl"];
    let run = Program::new().executable("p", code).options(options).run();
    let record = run.file_text("r.jsonl").unwrap();
    check_schema(&record);
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(header["players"][0], serde_json::json!({"builder": "Blue", "player": "expert", "playouts": 7}));
    assert_eq!(header["players"][2], serde_json::json!({"builder": "Orange", "player": "exec:./p"}));
    assert!(record.contains("{\"type\":\"player\",\"builder\":\"Orange\",\"player\":\"greedy\"}"), "{record}");
    let result: Value = serde_json::from_str(record.lines().nth_back(1).unwrap()).unwrap();
    assert_eq!((&result["type"], result["winner"].is_string()), (&"result".into(), true), "{record}");
    let replayed = Program::new().file("r.jsonl", &record).options(["replay", "r.jsonl"]).run();
    assert_eq!((replayed.status, replayed.stdout_text()), (0, run.stdout_text()));
}

/// Records with random damage are refused or replayed, without a panic; what is replayed keeps the rules.
#[test]
fn mutated_records_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/record");
    let mut random = crate::reference_program::ChaCha8::new(5);
    let mut below = |limit: usize| usize::try_from(random.below(u64::try_from(limit.max(1)).unwrap())).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let seed = fs::read(entry.unwrap().path()).unwrap();
        for _ in 0..times(40) {
            let mut lines: Vec<Vec<u8>> = seed.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            for _ in 0..=below(3) {
                let (from, to) = (below(lines.len()), below(lines.len()));
                let Some(line) = lines.get_mut(from) else { continue };
                let at = below(line.len());
                match below(6) {
                    0 => line[at] = b"0123456789\"{}[],:ntR"[below(20)],
                    1 => drop(line.remove(at)),
                    2 => line.insert(at, b"0123456789\"-"[below(12)]),
                    3 => lines.swap(from, to),
                    4 => drop(lines.remove(from)),
                    _ => lines.insert(to, lines[from].clone()),
                }
            }
            crate::properties::record(&lines.concat());
        }
    }
}

#[test]
fn nothing_is_read_and_overwritten() {
    let record = simulated();
    let near = include_str!("../../saves/one-move-from-winning.sv");
    for options in [
        &["replay", "r", "-save", "r"][..],
        &["analyse", "r", "-json", "./r"],
        &["analyse", "r", "-html", "r"],
        &["board", "-load", "s", "-svg", "s"],
        &["merge", "r", "-json", "r"],
    ] {
        let run = Program::new().file("r", &record).file("s", near).options(options).run();
        assert_eq!(run.status, 1, "{options:?}");
        assert!(run.stderr_text().ends_with(" is read; it is not overwritten\n"), "{}", run.stderr_text());
        assert_eq!((run.file_text("r").unwrap().as_str(), run.file_text("s").unwrap().as_str()), (&*record, near));
    }
}

#[test]
fn records_of_two_programs_and_pipes_are_refused() {
    let program = Program::new();
    let file = fs::File::create(program.folder().join("r.jsonl")).unwrap();
    file.lock().unwrap();
    let run = program.options(["-random-board", "-record", "r.jsonl"]).run();
    assert_eq!(
        (run.status, run.stderr_text().as_str()),
        (1, "constructor: r.jsonl: another game is being recorded there\n")
    );
    let program = Program::new();
    nix::unistd::mkfifo(&program.folder().join("p"), nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    let output = crate::program::with_time_limit(path())
        .args(["-random-board", "-record", "p"])
        .current_dir(program.folder())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "constructor: p: not a regular file\n");
    // A game that cannot begin leaves no record of it.
    let players = "greedy,greedy,greedy,exec:./gone";
    let run = Program::new().options(["-random-board", "-record", "r.jsonl", "-players", players]).run();
    assert_eq!((run.status, run.file_text("r.jsonl").as_deref()), (1, None));
}
