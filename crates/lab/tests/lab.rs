//! The laboratory's commands from outside.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// How a run of the program ended, with the files in its folder.
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
    files: BTreeMap<String, String>,
}

/// Runs the program with these files and options in a folder of its own.
fn run(files: &[(&str, &str)], options: &str) -> Run {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let mut command = Command::cargo_bin("constructor-lab").unwrap();
    let output =
        command.current_dir(&folder).args(options.split(' ')).timeout(Duration::from_mins(5)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let files = fs::read_dir(&folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
    });
    let files = files.collect();
    Run { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr), files }
}

#[test]
fn tune_weights_resumes() {
    let tune = |weights: Option<&str>, rounds: &str, threads: &str| {
        let files: Vec<(&str, &str)> = weights.map(|weights| ("w.txt", weights)).into_iter().collect();
        let options = "tune --weights w.txt --boards 20 --seed 4 --rounds";
        run(&files, &format!("{options} {rounds} --threads {threads}"))
    };
    let all = tune(None, "6", "2");
    assert_eq!((all.status, all.stderr.clone()), (0, String::new()));
    let first = tune(None, "2", "1");
    let half = first.files["w.txt"].clone();
    assert!(half.starts_with("# rounds: 2\nbrick "), "{half}");
    let second = tune(Some(&half), "6", "1");
    assert_eq!(second.files["w.txt"], all.files["w.txt"]);
    assert_eq!(first.stdout.clone() + &second.stdout.clone(), all.stdout.clone());
    let rounds = all.stdout.clone();
    assert!(rounds.contains(": kept\n") && rounds.contains(": dropped\n"), "some rounds are better: {rounds}");
    for line in rounds.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [wins, before]: [u32; 2] = [words[5], words[11].trim_end_matches(':')].map(|word| word.parse().unwrap());
        assert!(line.starts_with("round ") && (wins > before) == line.ends_with(": kept"), "{line}");
    }

    let done = tune(Some(&half), "2", "1");
    assert_eq!((done.status, done.stdout.as_str()), (0, "2 rounds have already been played\n"));
    let damaged = tune(Some(&half.replace(": 2", ": -2")), "6", "1");
    let complaint = "constructor-lab: w.txt: line 1: expected '# rounds:' and a number\n";
    assert_eq!((damaged.status, damaged.stderr.as_str()), (1, complaint));

    let wrong = tune(Some("brick\n"), "1", "1");
    assert_eq!((wrong.status, wrong.stdout.clone()), (1, String::new()));
    assert_eq!(wrong.stderr.clone(), "constructor-lab: w.txt: line 1: expected 'brick' and a number\n");
    assert_eq!(wrong.files["w.txt"].clone(), "brick\n");
}

/// The same for the networks: the loss of the value network decreases from round to round.
#[test]
fn tune_network_resumes() {
    let learn = |network: Option<&str>, what: &str, rounds: &str, threads: &str| {
        let files: Vec<(&str, &str)> = network.map(|network| ("v.txt", network)).into_iter().collect();
        // Each game of placements takes eight searches.
        let games = if what == "placement" { "2" } else { "60" };
        let options = format!("tune --what {what} --weights v.txt --boards {games} --seed 4");
        run(&files, &format!("{options} --rounds {rounds} --threads {threads}"))
    };
    let points = "points: one-hot points, 0 to 10, in 11 rows";
    let step = "step: one-hot number of placements before this one, in 8 rows";
    for (what, rounds, group) in [("value", "6", points), ("placement", "3", step), ("turn", "3", points)] {
        let all = learn(None, what, rounds, "2");
        assert_eq!((all.status, all.stderr.clone()), (0, String::new()));
        let first = learn(None, what, "2", "1");
        let half = first.files["v.txt"].clone();
        assert!(half.starts_with(&format!("# rounds: 2\n# {group}\n")), "{half}");
        let second = learn(Some(&half), what, rounds, "1");
        assert_eq!(second.files["v.txt"], all.files["v.txt"]);
        let told = all.stdout.clone();
        assert_eq!(first.stdout.clone() + &second.stdout.clone(), told);
        let loss = |line: &str| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
        let losses: Vec<f64> = told.lines().map(loss).collect();
        assert_eq!(losses.len().to_string(), rounds);
        assert!(what != "value" || losses[5] < losses[0], "{losses:?}");
    }

    let wrong = learn(Some("brick 1\n"), "value", "1", "1");
    assert_eq!((wrong.status, wrong.stdout.clone()), (1, String::new()));
    assert_eq!(wrong.stderr.clone(), "constructor-lab: v.txt: line 1: expected 'points.0' and 64 numbers\n");
    let rollout = run(&[], "tune --what rollout --weights p.txt --boards 20 --rounds 3");
    assert_eq!((rollout.status, rollout.stderr.as_str()), (0, ""));
    assert!(rollout.files["p.txt"].starts_with("# rounds: 3\nbrick "));
}

/// Playouts by the players who play the game: the estimates are right on average, and the same on any number of threads.
#[test]
fn calibrate_compares_estimates_with_winners() {
    let calibrate = |options: &str| run(&[], &format!("calibrate {options}"));
    let done = calibrate("--games 60 --playouts 40 --seed 3 --threads 2");
    assert_eq!((done.status, done.stderr.clone()), (0, String::new()));
    let text = done.stdout.clone();
    assert_eq!(calibrate("--games 60 --playouts 40 --seed 3 --threads 1").stdout.clone(), text);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with(" positions of 60 games, 40 playouts each"), "{text}");
    assert_eq!(lines.len(), 15, "{text}");
    let columns = |line: &str| -> Vec<f64> {
        let numbers = line.replace('%', " ").replace(',', "");
        numbers.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let (mut estimates, mut won, mut mean) = (0.0, 0.0, 0.0);
    for line in &lines[3..13] {
        let numbers = columns(line);
        estimates += numbers[2];
        if let [low, high, count, said, came_true, ..] = numbers[..] {
            assert!((low..=high).contains(&said), "{line}");
            mean += count * said;
            won += count * came_true;
        }
    }
    let positions: f64 = columns(lines[0])[0];
    assert!((estimates - 4.0 * positions).abs() < 0.5, "{text}");
    // One of four builders wins, whatever is said of each.
    assert!((won / estimates - 25.0).abs() < 0.1 && (mean / estimates - 25.0).abs() < 0.3, "{text}");
    // Builders who are rated high win more often than those who are rated low.
    let (first, last) = (columns(lines[3]), columns(lines[11]));
    assert!(first[4] < 15.0 && last.len() > 3 && last[4] > 50.0, "{text}");

    // Four normal players play as in the plain estimate; greedy players do not, and are estimated better.
    let brier = |text: &str| {
        let (_, scores) = text.split_once("Brier score ").unwrap();
        let (fitted, plain) = scores.split_once("; ").unwrap();
        [fitted, plain.split(' ').next().unwrap()].map(|score| score.parse::<f64>().unwrap())
    };
    let [fitted, plain] = brier(&text);
    assert!((fitted - plain).abs() < 1e-9, "{text}");
    let greedy = calibrate("--players greedy,greedy,greedy,greedy --games 60 --estimates 40 --seed 3").stdout.clone();
    let [fitted, plain] = brier(&greedy);
    assert!(fitted < plain, "{greedy}");

    // Normal players offer nothing, so trades change neither their games nor their playouts.
    assert_eq!(calibrate("--games 60 --playouts 40 --seed 3 --trades").stdout.clone(), text);
    let trading = calibrate("--players greedy,greedy,greedy,greedy --games 60 --estimates 40 --seed 3 --trades");
    assert_ne!(trading.stdout.clone(), greedy);

    let wrong = calibrate("--players greedy,human,greedy,greedy");
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.clone().contains("expected four comma-separated players, each one of random,"));
}

/// The regret does not depend on threads, and a player who draws its actions regrets more than one who searches.
#[test]
fn regret_tells_players_apart() {
    let measure = |threads: u32| {
        let options = "regret --players random,linear,policy,expert --games 6 --judge 128 --spacing 12 --playouts 60";
        let done = run(&[], &format!("{options} --judge-setup 2 --threads {threads}"));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""));
        done.stdout
    };
    let text = measure(2);
    assert_eq!(measure(1), text);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].split_whitespace().eq(["turns", "roads", "geese", "setup"]) && lines.len() == 6, "{text}");
    let numbers = |line: &str| -> Vec<f64> {
        line.split(|c: char| c.is_whitespace() || "()".contains(c)).filter_map(|word| word.parse().ok()).collect()
    };
    let decisions = numbers(lines[1]);
    assert!(decisions[0] > 20.0 && decisions[1] > 2.0 && decisions[2] > 2.0 && decisions[3] > 4.0, "{text}");
    assert!(decisions[1] < decisions[0] && decisions[2] < decisions[0], "{text}");
    let [random, expert] = [2, 5].map(|line| numbers(lines[line]));
    assert!(random[0] > 0.1 && random[0] - expert[0] > 0.1 && random[3] > 0.0, "{text}");
}

/// Weights of a file play: those of the program tie with themselves, and others do not.
#[test]
fn matches_play_weights_of_files() {
    let weights = include_str!("../../../src/players/data/linear.txt");
    let (value, turn) =
        (include_str!("../../../src/players/data/value.txt"), include_str!("../../../src/players/data/turn.txt"));
    let mut none = String::new();
    for line in weights.lines().filter(|line| !line.starts_with('#')) {
        none += line.split_whitespace().next().unwrap_or_default();
        none += " 0\n";
    }
    let files = [("w.txt", weights), ("none.txt", &none), ("v.txt", value), ("t.txt", turn)];
    let first = |players: &str, more: &str| {
        let done = run(&files, &format!("match --players {players} {more}"));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{players}");
        done.stdout.lines().next().unwrap().to_owned()
    };
    assert!(first("normal:w.txt,normal", "--boards 10").contains(" wins 10 of 40 games"));
    let wins = first("normal:none.txt,normal", "--boards 10");
    assert!((0..4).any(|count| wins.contains(&format!(" wins {count} of 40 games"))), "{wins}");
    for expert in ["value:v.txt", "turn:t.txt"] {
        let wins = first(&format!("{expert},expert"), "--boards 2 --playouts 8");
        assert!(wins.contains(" wins 2 of 8 games"), "{wins}");
    }
    for (player, said) in [
        ("value:w.txt", "w.txt: line "),
        ("better:w.txt", "'better:w.txt': expected normal, linear, policy, value, placement or turn before the colon"),
        ("value:x.txt", "x.txt: No such file or directory"),
        ("human", "Unknown player; choose one of "),
    ] {
        let done = run(&files, &format!("match --players {player},normal --boards 1"));
        assert_eq!((done.status, done.stdout.as_str()), (1, ""));
        assert!(done.stderr.starts_with(&format!("constructor-lab: {said}")), "{}", done.stderr);
    }
}

#[test]
fn weights_are_whole_when_a_signal_arrives() {
    for milliseconds in [50, 150] {
        let folder = TempDir::new().unwrap();
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("constructor-lab"))
            .args(["tune", "--boards", "1", "--weights", "w.txt", "--rounds", "1000000"])
            .current_dir(&folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let weights = folder.path().join("w.txt");
        for _ in 0..3_000 {
            if weights.exists() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(milliseconds));
        let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file");
        assert!(fs::read_to_string(&weights).unwrap().starts_with("# rounds: "));
    }
}

/// A yardstick plays a turn of Penguins by the course's parameters.
#[test]
fn yardsticks_play_penguins() {
    let state = "5 5\n10 10 10 10 10\n10 10 10 10 10\n10 10 10 10 10\n10 10 10 10 10\n10 10 10 10 10\n";
    for (name, id) in [("plain", "Plain"), ("uct", "Uct")] {
        let done =
            run(&[("in.txt", state)], &format!("yardstick {name} phase=placement penguins=1 time=50 in.txt out.txt"));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{name}");
        assert!(done.files["out.txt"].contains(&format!("{id} 1 1")), "{}", done.files["out.txt"]);
    }
}

/// Each folder of `signatures` has options, the expected output, and the expected files. They are the same on every machine.
#[test]
fn training_is_the_same_everywhere() {
    let cases: Vec<_> = fs::read_dir("tests/signatures").unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let read = |name: &str| fs::read_to_string(case.join(name)).unwrap();
        let done = run(&[], read("options").trim_end());
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{case:?}");
        assert_eq!(done.stdout, read("stdout"), "{case:?}");
        for entry in fs::read_dir(case.join("left")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            assert_eq!(done.files[name], fs::read_to_string(&path).unwrap(), "{case:?}: {name}");
        }
    }
}

/// The figures do not depend on threads, and an untrained network is worse in both.
#[test]
fn value_tells_networks_apart() {
    let untrained = run(&[], "tune --what value --weights v.txt --rounds 1 --boards 1").files["v.txt"].clone();
    let measure = |network: &str, threads: u32| {
        let options = "value --players normal,greedy --boards 60 --positions 60 --judge 100 --seed 3";
        let done = run(&[("v.txt", &untrained)], &format!("{options}{network} --threads {threads}"));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""));
        done.stdout
    };
    let text = measure("", 2);
    assert_eq!(measure("", 1), text);
    let figures = |text: &str| -> [f64; 2] {
        let of_line = |line: &str| {
            line.split([' ', '(']).filter(|word| word.contains('.')).find_map(|word| word.parse().ok()).unwrap()
        };
        let [noise, error] = &text.lines().map(of_line).collect::<Vec<f64>>()[..] else { panic!("{text}") };
        [*noise, *error]
    };
    let [noise, error] = figures(&text);
    assert!((0.2..0.8).contains(&noise) && (0.05..0.11).contains(&error), "{text}");
    let worse = measure(" --network v.txt", 2);
    assert!(figures(&worse)[0] > noise && figures(&worse)[1] > 0.15, "{worse}");
    let wrong = run(&[("v.txt", "# rounds: 1\nnothing 1\n")], "value --network v.txt");
    assert_eq!((wrong.status, wrong.stdout.as_str()), (1, ""));
    assert!(wrong.stderr.starts_with("constructor-lab: v.txt: line 2: expected '"), "{}", wrong.stderr);
}
