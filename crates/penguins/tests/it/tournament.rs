//! `penguins tournament`.

use crate::program::{Folder, path};

#[test]
fn tournament_plays_every_rotation() {
    let folder = Folder::new();
    let args = "tournament boards=3 rows=5 cols=6 penguins=2 seed=4 time=500 -- @greedy -- @first -- @random";
    let run = folder.run(args);
    assert_eq!(run.status, Some(0));
    let rows: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 4, "{}", run.stdout);
    assert_eq!(rows[0][..5], ["id", "points", "first", "games", "share"]);
    let points: Vec<f64> = rows[1..].iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(
        (points.iter().sum::<f64>() - 9.0).abs() < 0.2 && points.is_sorted_by(|one, other| one >= other),
        "{}",
        run.stdout
    );
    let mut ids: Vec<&str> = rows[1..].iter().map(|row| row[0]).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["@first", "@greedy", "@random"]);
    assert!(rows[1..].iter().all(|row| row[3] == "9" && row.last() == Some(&"0")), "{}", run.stdout);
    let progress: String = (1..=9).map(|played| format!("penguins: {played} of 9 games\n")).collect();
    assert_eq!(run.stderr, progress);
    // The number of jobs changes only the times.
    let results = |stdout: &str| -> Vec<String> {
        stdout.lines().map(|line| line.split_whitespace().take(10).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(results(&folder.run(&args.replace(" -- @greedy", " jobs=1 -- @greedy")).stdout), results(&run.stdout));
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn tournament_counts_faults_by_kind() {
    let folder = Folder::new();
    folder.write_program("lazy", "#!/bin/sh\n[ $1 = id ] && echo Lazy\nexit 0\n");
    let program = path().display();
    let run = folder.run(&format!("tournament boards=2 rows=4 cols=4 penguins=1 -- ./lazy -- {program} time=2"));
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    // Three faults in each phase of four games.
    assert!(run.stdout.ends_with("\nLazy: exit 0 without a move, 24 times\n"), "{}", run.stdout);
    let first = run.stdout.lines().nth(1).unwrap();
    assert!(first.starts_with("Tuxedo") && first.ends_with(" 0"), "{}", run.stdout);
}

#[test]
fn tournament_writes_csv_and_json() {
    let folder = Folder::new();
    let run =
        folder.run("tournament boards=2 rows=5 cols=6 penguins=2 seed=4 csv=a.csv json=a.json -- @greedy -- @first");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let csv = folder.read("a.csv").unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let header = "game,board,seed,seat,contestant,id,fish,won,faults,calls,time_ms,longest_ms";
    assert_eq!((rows[0].join(","), rows.len()), (header.to_owned(), 1 + 8));
    let places: Vec<String> = rows[1..].iter().map(|row| row[..6].join(",")).collect();
    assert_eq!(places[..4], ["0,0,4,1,1,@greedy", "0,0,4,2,2,@first", "1,0,4,1,2,@first", "1,0,4,2,1,@greedy"]);
    assert_eq!(places[7], "3,1,5,2,1,@greedy");
    let json: serde_json::Value = serde_json::from_str(&folder.read("a.json").unwrap()).unwrap();
    assert_eq!((&json["boards"], &json["shape"], &json["policy"]), (&2.into(), &"full".into(), &"revert".into()));
    for standing in json["standings"].as_array().unwrap() {
        let of = |row: &&Vec<&str>| row[5] == standing["id"].as_str().unwrap();
        let wins = rows.iter().filter(of).filter(|row| row[7] == "1").count();
        assert_eq!((&standing["games"], &standing["wins"]), (&4.into(), &wins.into()), "{standing}");
    }
    assert_eq!((&json["games"], &json["interrupted"]), (&4.into(), &false.into()));
    // The files are opened before the first game.
    folder.refuses(
        "tournament boards=1000000 csv=no/a.csv -- @first -- @first",
        3,
        "no/a.csv: not saved: No such file or directory",
    );
    folder.refuses(
        "tournament boards=1000000 csv=a json=a -- @first -- @first",
        3,
        "a: two results cannot go to the same file",
    );
}

#[test]
fn interrupted_tournament_reports_the_finished_games() {
    let folder = Folder::new();
    let child = std::process::Command::new("timeout")
        .args(["60", "env", "--default-signal"])
        .arg(path())
        .args(["tournament", "boards=1000000", "rows=5", "cols=6", "json=a.json", "--", "@first", "--", "@random"])
        .current_dir(folder.path("."))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    // `timeout` passes the signal on.
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id().cast_signed()), nix::sys::signal::Signal::SIGTERM)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("penguins: interrupted after ") && stderr.contains(" of 2000000 games\n"), "{stderr}");
    let json: serde_json::Value = serde_json::from_str(&folder.read("a.json").unwrap()).unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    let games: Vec<&str> = table.lines().skip(1).map(|line| line.split_whitespace().nth(3).unwrap()).collect();
    assert_eq!(games, [json["games"].to_string(), json["games"].to_string()]);
    assert_eq!((output.status.code(), &json["interrupted"]), (Some(143), &true.into()));
    assert_eq!(folder.names(), ["a.json"]);
}

#[test]
fn tournament_reports_errors() {
    let folder = Folder::new();
    for (args, message) in [
        ("tournament -- @first", "expected 2 to 9 programs, not 1"),
        ("tournament boards=0 -- @first -- @first", "boards=0: expected a number from 1 to 1000000"),
        ("tournament more -- @first -- @first", "unexpected word 'more'"),
        (
            "tournament rows=3 cols=3 -- @first -- @first",
            "6 penguins need 12 floes with one fish, but there are only 9 floes",
        ),
    ] {
        folder.refuses(args, 3, message);
    }
    let same = folder.run(&format!("tournament -- {0} -- {0}", path().display()));
    assert_eq!(same.status, Some(3));
    assert!(same.stderr.ends_with("penguins: the programs 1 and 2 have the same id, Tuxedo\n"), "{}", same.stderr);
}
