//! Simulations: results and output.

use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Builder, Chance, Game, Phase, RandomChance, Trades};
use constructor::players::{Budget, Greedy, Player, PlayerKind, Random};
use constructor::rng;
use constructor::simulate::{GameResult, Schedule, Simulation, Stats, script};
use constructor::statistics::{sprt_llr, wilson_interval};
use constructor::text::Dialogue;
use constructor::text::{EDITIONS, Edition};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::fault_injection::strace_is_there;
use crate::players::play_lines;
use crate::program::{ChildGuard, Program, files_below, path, with_default_signals, with_time_limit};

const SAMPLE: &str = include_str!("../../layout.txt");

fn simulation(edition: &'static Edition, players: [PlayerKind; 4], trades: Trades) -> Simulation {
    let mut simulation = Simulation::new(edition, players.map(|kind| kind.factory(&Budget::playouts(20))));
    simulation.seed = 7;
    simulation.max_turns = 300;
    simulation.trades = trades;
    simulation
}

const MIXED: [PlayerKind; 4] = [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Random, PlayerKind::Greedy];

#[test]
fn script_replays_the_same_game() {
    for edition in &EDITIONS {
        for trades in [Trades::Off, Trades::On] {
            let simulation = simulation(edition, MIXED, trades);
            for number in 0..20 {
                let (lines, played) = script(&simulation, number);
                assert_eq!(played, simulation.play(number, |_, _| {}), "game {number} is always the same");
                let dialogue = Dialogue::new(edition, Box::new(RandomLayout), played.seed);
                let mut output = Vec::new();
                let (dialogue, end) = play_lines(dialogue, None, lines.as_bytes(), &mut output, |_, _| Ok(()));
                assert_eq!(*dialogue.game(), played.end, "game {number}");
                assert_eq!(end.is_ok(), played.end.winner().is_some(), "game {number}");
                let text = String::from_utf8(output).unwrap();
                assert!(!text.contains("Invalid") && !text.contains("You cannot"), "game {number}:\n{text}");
            }
        }
    }
}

#[test]
fn program_replays_its_script() {
    for options in [&["-seed", "5"][..], &["-board", "b.txt", "-trades", "on"], &["-edition", "watan"]] {
        let program = Program::new().file("b.txt", SAMPLE);
        let script = program.options(["simulate", "-only", "2"].iter().chain(options)).run();
        assert_eq!(script.status, 0, "{}", script.stderr_text());
        let how = script.stderr_text();
        let program = format!("play it with: {} ", path().display());
        let words = how.strip_prefix(&program).unwrap().strip_suffix(" < FILE\n").unwrap().split(' ');
        let run = Program::new().file("b.txt", SAMPLE).options(words).input(&script.stdout).run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()));
        assert!(run.stdout_text().ends_with("Would you like to play again?\n> "), "{}", run.stdout_text());
        assert_eq!(run.file_text("backup.sv"), None);
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let run = |threads: &str| {
        let options = ["simulate", "-games", "700", "-max-turns", "200", "-json", "a.json", "-csv", "a.csv"];
        let run = Program::new().options(options.into_iter().chain(["-threads", threads])).run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()));
        (run.stdout_text(), without_run(&run.file_text("a.json").unwrap()), run.file_text("a.csv").unwrap())
    };
    let alone = run("1");
    for threads in ["2", "5"] {
        assert_eq!(run(threads), alone, "{threads} threads");
    }

    let (table, json, csv) = alone;
    assert!(table.contains("\n700 games, "), "{table}");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4 * 700 + 1);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    for (number, row) in rows[1..].iter().enumerate() {
        let seat = number % 4;
        assert_eq!(row[0], (number / 4).to_string(), "rows are in the order of the games");
        assert_eq!((row[4], row[5]), (["1", "2", "3", "4"][seat], ["Blue", "Red", "Orange", "Yellow"][seat]));
    }
    let column = |name: &str| rows[0].iter().position(|&column| column == name).unwrap();
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().unwrap();
    let mut wins = 0.0;
    for player in 0..4 {
        let own: Vec<_> =
            rows[1..].iter().filter(|row| row[column("player_number")] == (player + 1).to_string()).collect();
        assert_eq!(own.len(), 700);
        let sum = |name: &str| own.iter().map(|row| number(row, name)).sum::<f64>();
        let summary = &json["players"][player];
        assert!(own.iter().all(|row| summary["player"] == row[column("player")]));
        let won = sum("won");
        assert!((summary["wins"].as_f64().unwrap() - won).abs() < 1e-9);
        wins += won;
        for name in [
            "points",
            "basements",
            "houses",
            "towers",
            "roads",
            "gained",
            "lost",
            "stolen",
            "robbed",
            "traded",
            "trades",
        ] {
            let mean = summary[format!("mean_{name}")].as_f64().unwrap();
            assert!((mean - sum(name) / 700.0).abs() < 1e-9, "{name}");
        }
    }
    assert!((json["without_result"].as_f64().unwrap() - (700.0 - wins)).abs() < 1e-9);
    let turns = rows[1..].iter().map(|row| number(row, "turns")).sum::<f64>() / 4.0;
    assert!((json["turns"]["mean"].as_f64().unwrap() - turns / 700.0).abs() < 1e-9);
}

/// A summary without what differs from run to run.
pub fn without_run(json: &str) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(json).unwrap();
    let run = json.as_object_mut().unwrap().remove("run").unwrap();
    assert!(run["duration_s"].as_f64().unwrap() >= 0.0 && run["command"].as_str().unwrap().contains("constructor"));
    json
}

/// What is counted in bulk equals what events tell.
#[test]
fn seat_results_equal_events() {
    for (edition, trades) in [(&EDITIONS[0], Trades::On), (&EDITIONS[2], Trades::Off)] {
        let simulation = simulation(edition, MIXED, trades);
        for number in 0..30 {
            let mut actions = Vec::new();
            let played = simulation.play(number, |game, action| actions.push((*game, action)));
            let mut sums = [[0; 5]; 4];
            let mut after = actions.iter().skip(1).map(|(game, _)| *game).chain([played.end]);
            for (before, action) in &actions {
                let after = after.next().unwrap();
                let by = before.current_player().unwrap();
                for builder in Builder::ALL {
                    let [had, has] = [before, &after].map(|game| u64::from(game.hand(builder).total()));
                    let [gained, lost, stolen, robbed, traded] = &mut sums[builder.index()];
                    match action {
                        // On a 7 only units are lost, otherwise only gained.
                        Action::Roll | Action::Settle(_) if has >= had => *gained += has - had,
                        Action::Roll => *lost += had - has,
                        Action::Rob(_) if builder == by => *stolen += has - had,
                        Action::Rob(from) if builder == *from => *robbed += had - has,
                        Action::Accept => {
                            let Phase::Offered(offer) = before.phase() else { unreachable!() };
                            *traded += u64::from([offer.from, offer.to].contains(&builder));
                        }
                        _ => {}
                    }
                }
            }
            let counted = played.seats.map(|seat| [seat.gained, seat.lost, seat.stolen, seat.robbed, seat.traded]);
            assert_eq!(counted, sums, "game {number}");
            for (builder, seat) in Builder::ALL.into_iter().zip(played.seats) {
                let own: Vec<_> = actions
                    .iter()
                    .filter(|(game, action)| {
                        game.current_player() == Some(builder) && matches!(action, Action::Settle(_))
                    })
                    .map(|(_, action)| *action)
                    .collect();
                assert_eq!(seat.first_sites.map(|vertex| Action::Settle(vertex.unwrap())), own[..]);
            }
        }
    }
}

#[test]
fn stats_add_all_games() {
    let simulation = simulation(&EDITIONS[0], MIXED, Trades::On);
    let mut games = Vec::new();
    let all = Stats::play(&simulation, 0..60, |played| games.push(played.clone()));
    let mut parts = Stats::play(&simulation, 20..60, |_| {});
    parts.merge(&Stats::play(&simulation, 0..20, |_| {}));
    assert_eq!(parts, all);

    assert_eq!((all.games, all.turns.len()), (60, 60));
    assert_eq!(all.players.iter().map(|sums| sums.wins).sum::<u64>() + all.without_result, 60);
    assert_eq!(all.wins_by_seat.iter().sum::<u64>() + all.without_result, 60);
    assert_eq!(all.plies, games.iter().map(|played| played.plies).sum::<u64>());
    assert!(all.players.iter().any(|sums| sums.trades > 0), "somebody trades");
    for player in 0..4 {
        let sums = &all.players[player];
        let of_all = |value: &dyn Fn(&GameResult, Builder) -> u64| -> u64 {
            let seat =
                |played: &GameResult| Builder::ALL[played.seating.iter().position(|&there| there == player).unwrap()];
            games.iter().map(|played| value(played, seat(played))).sum()
        };
        assert_eq!(sums.points, of_all(&|played, seat| played.end.points(seat).into()));
        assert_eq!(sums.roads, of_all(&|played, seat| played.end.roads(seat).len().into()));
        assert_eq!(sums.trades, of_all(&|played, seat| played.seats[seat.index()].trades));
        let houses = |played: &GameResult, seat| (played.end.residences(seat) & played.end.houses()).len().into();
        let towers = |played: &GameResult, seat| (played.end.residences(seat) & played.end.towers()).len().into();
        let [basements, _, _] = sums.residences;
        assert_eq!(sums.residences[1..], [of_all(&houses), of_all(&towers)]);
        assert_eq!(basements + 2 * of_all(&houses) + 3 * of_all(&towers), sums.points);
    }
    for (number, played) in games.iter().enumerate() {
        // Players rotate by one seat from game to game.
        assert_eq!(played.seating[number % 4], 0, "game {number}");
        let points: u64 = Builder::ALL.map(|builder| u64::from(played.end.points(builder))).iter().sum();
        let rolls: u64 = played.rolls.iter().sum();
        assert!(points >= 8 && rolls >= played.turns, "game {number}");
    }
    let mut without_rotation = simulation;
    without_rotation.schedule = Schedule::Fixed;
    assert_eq!(without_rotation.seating(3), [0, 1, 2, 3]);
}

/// Outputs of `SplitMix64`, computed independently.
#[test]
fn seed_of_is_split_mix64() {
    for (seed, number, expected) in [
        (0, 0, 0),
        (0, 1, 0xe220_a839_7b1d_cdaf),
        (7, 3, 0xe698_4080_bab1_2a02),
        (u64::MAX, 12_345_678_901, 0xe0ae_6ad8_0f24_84ce),
    ] {
        let mut simulation = simulation(&EDITIONS[0], MIXED, Trades::Off);
        simulation.seed = seed;
        assert_eq!(simulation.seed_of(number), expected);
    }
}

/// The same games, played action by action.
#[test]
fn play_equals_actions_of_players() {
    let mut simulation = simulation(&EDITIONS[1], MIXED, Trades::On);
    simulation.max_turns = 90;
    let (mut longest, mut trades) = (0, 0);
    for number in 0..40 {
        let played = simulation.play(number, |_, _| {});
        let mut chance = rng::from_seed(played.seed);
        // The players' generator has the seed of the game with these bits changed.
        let mut draws = rng::from_seed(played.seed ^ 0x9d5c_3a0f_71e2_84b6);
        let mut game = Game::new(simulation.edition.rules, RandomLayout.layout(&mut chance));
        let (mut greedy, mut random): ([Greedy; 4], _) = (Default::default(), Random);
        let (mut turns, mut plies, mut accepted) = (0, 0, [0; 4]);
        let mut rolls = [0; 11];
        while turns < 90
            && let Some(builder) = game.current_player()
        {
            let actions = game.legal_actions(Trades::On);
            let seated = (builder.index() + 4 - usize::try_from(number % 4).unwrap()) % 4;
            let action = if game.phase() == Phase::TurnStart(builder) {
                greedy[builder.index()].begin_turn();
                Action::Roll
            } else if actions.len() == 1 {
                actions.nth(0).unwrap()
            } else if MIXED[seated] == PlayerKind::Greedy {
                greedy[builder.index()].choose(&game, &actions, &mut draws).unwrap()
            } else {
                random.choose(&game, &actions, &mut draws).unwrap()
            };
            match (action, game.phase()) {
                (Action::EndTurn, _) => turns += 1,
                (Action::Accept, Phase::Offered(offer)) => accepted[offer.from.index()] += 1,
                _ => {}
            }
            plies += 1;
            if action == Action::Roll {
                let roll = RandomChance(&mut chance.clone()).roll();
                rolls[usize::from(roll.value()) - 2] += 1;
            }
            game.apply(action, &mut RandomChance(&mut chance), |_| {}).unwrap();
        }
        assert_eq!((played.end, played.turns, played.plies), (game, turns, plies), "game {number}");
        let by_seat = played.seats.map(|seat| seat.trades);
        assert_eq!((played.rolls, by_seat), (rolls, accepted), "game {number}");
        longest = longest.max(turns);
        trades += accepted.iter().sum::<u64>();
    }
    assert!(longest == 90 && trades > 100, "{longest} turns, {trades} trades");
}

#[test]
fn table_shows_settings_and_results() {
    let run = |options: &[&str]| {
        let program = Program::new();
        let options = ["simulate", "-games", "40", "-json", "a.json"].iter().chain(options);
        let run = program.options(options).run();
        let json: serde_json::Value = serde_json::from_str(&run.file_text("a.json").unwrap()).unwrap();
        (run.stdout_text(), json)
    };
    let (_, json) = run(&[]);
    assert_eq!((&json["job"]["trades"], &json["job"]["schedule"]), (&false.into(), &"rotated".into()));
    let (table, json) = run(&["-trades", "on", "-rotate-seats", "off", "-max-turns", "60"]);
    assert_eq!((&json["job"]["trades"], &json["job"]["schedule"]), (&true.into(), &"fixed".into()));
    assert_eq!((&json["job"]["max_turns"], &json["games"]), (&60.into(), &40.into()));

    // The longest bar has 50 characters.
    let rolls = json["rolls"].as_array().unwrap().iter().map(|roll| roll["times"].as_f64().unwrap());
    let rolls: Vec<f64> = rolls.collect();
    let all: f64 = rolls.iter().sum();
    let most = rolls.iter().copied().fold(0.0, f64::max);
    let bars: Vec<(f64, f64)> = table
        .lines()
        .filter_map(|line| {
            let (share, bar) = line.get(3..)?.split_once(" % #")?;
            Some((share.trim().parse().ok()?, f64::from(u32::try_from(bar.len() + 1).unwrap())))
        })
        .collect();
    assert_eq!(bars.len(), 11);
    for ((share, bar), count) in bars.into_iter().zip(rolls) {
        let expected = 100.0 * count / all;
        assert!((share - expected).abs() <= 0.05 && (bar - 50.0 * count / most).abs() <= 0.5, "{share} % {bar}");
    }
}

#[test]
fn simulate_reports_output_error_except_closed_pipe() {
    let run = |target: &str| {
        let script = format!("{} simulate -games 3 {target}; echo $? >&2", path().display());
        let output = with_time_limit("sh").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(run("> /dev/full"), "constructor: standard output: No space left on device\n1\n");
    let closed = format!("({{ sleep 0.2; {} simulate -games 3; echo $? >&2; }} | true)", path().display());
    let output = with_time_limit("sh").args(["-c", &closed]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "0\n", "nobody reads it");
}

#[test]
fn simulate_works_without_more_threads() {
    if !strace_is_there() {
        return;
    }
    // Only the thread that waits for signals can be spawned.
    let options = ["-f", "-o", "/dev/null", "-e", "inject=clone,clone3:error=EAGAIN:when=2+"];
    let simulate = ["simulate", "-games", "40", "-threads", "2", "-seed", "3"];
    let output = with_time_limit("strace").args(options).arg(path()).args(simulate).output().unwrap();
    let expected = with_time_limit(path()).args(simulate).output().unwrap();
    assert!(output.status.success() && expected.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout), String::from_utf8(expected.stdout));
}

#[test]
fn greedy_beats_random() {
    let players = [PlayerKind::Greedy, PlayerKind::Random, PlayerKind::Random, PlayerKind::Random];
    let mut simulation = simulation(&EDITIONS[0], players, Trades::Off);
    simulation.max_turns = 10_000;
    let tally = Stats::play(&simulation, 0..600, |_| {});
    let (low, _) = wilson_interval(tally.players[0].wins, tally.games);
    assert!(low > 0.9, "{} of {} games", tally.players[0].wins, tally.games);
}

#[test]
fn signal_prints_the_results_so_far() {
    let program = Program::new();
    let child = with_default_signals(path())
        .args(["simulate", "-games", "1000000000", "-csv", "a.csv"])
        .current_dir(program.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = ChildGuard(child);
    // Once the file exists, signals are handled.
    let started = Instant::now();
    while std::fs::read_dir(program.folder()).unwrap().next().is_none() {
        assert!(started.elapsed() < Duration::from_secs(30), "no file is begun");
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(300));
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let (mut table, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut table).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let said = "constructor: interrupted: waiting for the games in progress; a second signal drops them\n";
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(130), said));
    let games = table.lines().find_map(|line| line.split_once(" of 1,000,000,000 games (interrupted), ")).unwrap().0;
    let games: usize = games.replace(',', "").parse().unwrap();
    let rows = std::fs::read_to_string(program.folder().join("a.csv")).unwrap().lines().count() - 1;
    assert_eq!(rows, 4 * games, "the rows are those of the games in the table");
    assert!(games > 0);
}

#[test]
fn simulate_reports_errors() {
    let run = |options: &[&str]| {
        let run = Program::new().options(["simulate", "-games", "2"].iter().chain(options)).run();
        (run.status, run.stderr_text(), run.stdout_text().is_empty())
    };
    let missing = "constructor: b.txt: No such file or directory\n".to_owned();
    assert_eq!(run(&["-board", "b.txt"]), (1, missing, true));
    let not_saved = "constructor: no/a.csv: not saved: No such file or directory\n".to_owned();
    assert_eq!(run(&["-csv", "no/a.csv"]), (1, not_saved, true));
    let not_saved = "constructor: no/a.json: not saved: No such file or directory\n".to_owned();
    assert_eq!(run(&["-json", "no/a.json"]), (1, not_saved, true));
    assert_eq!(run(&["-quiet"]), (0, String::new(), true));

    for (options, complaint) in [
        (&["-players", "greedy,greedy,greedy"][..], "invalid value 'greedy,greedy,greedy' for '-players <A,B,C,D>'"),
        (
            &["-players", "a,b,c,d"],
            "invalid value 'a,b,c,d' for '-players <A,B,C,D>': expected four comma-separated players, each one of random, greedy",
        ),
        (&["-threads", "0"], "invalid value '0' for '-threads <T>'"),
        (&["-max-turns", "0"], "invalid value '0' for '-max-turns <N>'"),
        (&["-trades", "maybe"], "invalid value 'maybe' for '-trades <on|off>'"),
        (&["-only"], "a value is required for '-only <I>'"),
        (&["-load", "a", "-board", "b"], "the argument '-load <FILE>' cannot be used with '-board <FILE>'"),
    ] {
        let (status, stderr, silent) = run(options);
        assert!(status == 2 && silent && stderr.contains(complaint), "{options:?}: {stderr}");
    }
}

/// Runs a shell command in which `{}` stands for the program. Returns the status, standard output and standard error.
fn shell(folder: &Program, command: &str) -> (Option<i32>, String, String) {
    let command = command.replace("{}", path().to_str().unwrap());
    let output = assert_cmd::Command::new("bash")
        .args(["-c", &command])
        .current_dir(folder.folder())
        .timeout(Duration::from_mins(1))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn outputs_are_opened_before_the_first_game() {
    let endless = "-games 1000000000000 -players hard,hard,hard,hard";
    for (files, said) in [
        ("-csv a.csv -json no/a.json", "no/a.json: not saved: No such file or directory"),
        ("-csv . ", ".: not saved: is a directory"),
        ("-csv a.csv -json a.csv", "a.csv: two results cannot go to the same file"),
        (
            "-csv a.csv -json ../$(basename $PWD)/a.csv",
            "../NAME/a.csv: two results cannot go to the same file: this is a.csv",
        ),
        ("-csv link -json real", "real: two results cannot go to the same file: this is link"),
        ("-csv - -json -", "-: two results cannot go to the same file"),
        ("-csv - -json /dev/stdout", "/dev/stdout: two results cannot go to the same file"),
        ("-csv log >> log", "log: standard output goes there already; for the results alone, use -"),
        ("-csv /dev/stdout > log", "/dev/stdout: standard output goes there already; for the results alone, use -"),
    ] {
        let program = Program::new();
        std::os::unix::fs::symlink("real", program.folder().join("link")).unwrap();
        let name = program.folder().file_name().unwrap().to_str().unwrap().to_owned();
        let (status, stdout, stderr) = shell(&program, &format!("{{}} simulate {endless} {files}"));
        assert_eq!((status, stdout.as_str()), (Some(1), ""), "{files}");
        assert_eq!(stderr, format!("constructor: {}\n", said.replace("NAME", &name)), "{files}");
        let left: Vec<String> = files_below(program.folder()).into_keys().filter(|name| name != "log").collect();
        assert_eq!(left, [""; 0], "{files}");
    }
    // Standard error goes to the file.
    let program = Program::new();
    shell(&program, "{} simulate -csv log 2> log");
    let log = std::fs::read_to_string(program.folder().join("log")).unwrap();
    assert_eq!(log, "constructor: log: standard error goes there already\n");
}

#[test]
fn outputs_go_to_standard_output_pipes_and_devices() {
    let program = Program::new();
    let (status, table, _) = shell(&program, "{} simulate -games 3 -csv a.csv -json a.json");
    assert_eq!(status, Some(0));
    let files = files_below(program.folder());
    let [csv, json] = ["a.csv", "a.json"].map(|name| String::from_utf8(files[name].clone()).unwrap());
    let run = |command: &str| shell(&Program::new(), &command.replace("{}", "{} simulate -games 3"));
    assert_eq!(run("{} -csv - 2>/dev/null"), (Some(0), csv.clone(), String::new()));
    assert_eq!(run("{} -csv /dev/stdout"), (Some(0), csv.clone(), table.clone()), "a pipe");
    let (status, printed, stderr) = run("{} -json -");
    assert_eq!((status, without_run(&printed), stderr), (Some(0), without_run(&json), table.clone()));
    assert_eq!(run("{} -json - -quiet >/dev/null"), (Some(0), String::new(), String::new()));
    assert_eq!(run("{} -csv /dev/null -json /dev/null"), (Some(0), table.clone(), String::new()));
    assert_eq!(run("{} -csv >(cat >&2)"), (Some(0), table, csv), "another pipe");
    // A reader that has enough ends the games.
    let (_, first, _) = shell(&Program::new(), "{} simulate -games 1000000000000 -csv - -quiet | head -n 3");
    assert_eq!(first.lines().count(), 3);
}

#[test]
fn table_is_printed_when_an_output_fails() {
    let (_, table, _) = shell(&Program::new(), "{} simulate -games 600");
    let program = Program::new();
    let (status, stdout, stderr) = shell(
        &program,
        "ulimit -f 20; {} simulate -games 600 -threads 1 -csv a.csv -json a.json | cat; echo ${PIPESTATUS[0]}",
    );
    assert_eq!((status, stdout), (Some(0), table + "1\n"));
    assert!(stderr.starts_with("constructor: a.csv: only the first "), "{stderr}");
    assert!(stderr.ends_with(" bytes are written: File too large\n"), "{stderr}");
    let files = files_below(program.folder());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.csv", "a.json"], "no temporary file");
    assert!(files["a.csv"].ends_with(b"\n") && files["a.csv"].starts_with(b"game,seed"), "whole rows");
    let (status, stdout, stderr) = shell(&Program::new(), "{} simulate -games 3 -csv /dev/full -quiet");
    let said = "constructor: /dev/full: nothing is written: No space left on device\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (Some(1), "", said));
}

#[test]
fn file_size_limit_is_an_error() {
    let program = Program::new();
    let (status, _, stderr) =
        shell(&program, "ulimit -f 0; {} simulate -only 3 2>&1 > a | cat >&2; exit ${PIPESTATUS[0]}");
    assert_eq!((status, stderr.as_str()), (Some(1), "constructor: standard output: File too large\n"));
}

#[test]
fn only_names_a_game_and_quotes_the_board() {
    let refused = |options: &str| shell(&Program::new(), &format!("{{}} simulate {options}")).2;
    let said = "error: there is no game 10: '-games 10' are those from 0 to 9\n";
    assert!(refused("-games 10 -only 10").starts_with(said));
    assert!(refused("-only 3 -csv a").contains("cannot be used with"));
    assert!(refused("-think 5 -playouts 7").contains("cannot be used with"));
    let program = Program::new().file("a b;c.txt", include_str!("../../layout.txt"));
    let (_, _, stderr) = shell(&program, "{} simulate -only 1 -board 'a b;c.txt'");
    assert!(stderr.ends_with("-board 'a b;c.txt' < FILE\n"), "{stderr}");
}

#[test]
fn simulate_help_lists_options() {
    for options in [["simulate", "-help"], ["simulate", "-h"], ["simulate", "--help"]] {
        let run = Program::new().options(options).run();
        let help = run.stdout_text();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()));
        for option in
            ["-games <N>", "-players <A,B,C,D>", "-max-turns <N>", "-rotate-seats <on|off>", "-only <I>", "-quiet"]
        {
            assert!(help.contains(option), "{option} is not in\n{help}");
        }
        assert!(!help.contains("--"), "{help}");
    }
}

#[test]
fn match_repeats_boards_and_dice() {
    let mut simulation = simulation(&EDITIONS[0], MIXED, Trades::Off);
    simulation.schedule = Schedule::Match;
    for board in 0..5 {
        let mut rolls = vec![];
        let games: Vec<_> = (0..4)
            .map(|seat| {
                let mut dice = vec![];
                let played = simulation.play(4 * board + seat, |game, action| {
                    if action == Action::Roll {
                        dice.push(*game);
                    }
                });
                rolls.push(dice.len());
                played
            })
            .collect();
        let layouts: Vec<_> = games.iter().map(|played| *played.end.layout()).collect();
        assert!(layouts.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(games.iter().map(|played| played.seating[0]).collect::<Vec<_>>(), [0, 3, 2, 1]);
        // The rolls of all four games are equal, up to the length of the shortest.
        let shortest = *rolls.iter().min().unwrap();
        assert!(shortest > 20);
        assert_eq!(games[0].seed, games[3].seed);
        assert_ne!(games[0].seed, simulation.seed_of(4 * board + 4));
    }
    let run = Program::new().options(["match", "-players", "greedy,random", "-boards", "50"]).run();
    let first = run.stdout_text();
    let line = first.lines().next().unwrap();
    assert!(line.starts_with("greedy wins 1") && line.contains(" of 200 games against three of random: 9"), "{line}");
    let again = Program::new().options(["match", "-players", "greedy,random", "-boards", "50", "-threads", "1"]).run();
    assert_eq!(again.stdout_text(), first);
}

/// In a match the three opponents may have another time limit.
#[test]
fn match_accepts_two_time_limits() {
    let run = |think: &str| {
        let options = ["match", "-players", "greedy,random", "-boards", "5", "-think", think];
        Program::new().options(options).run()
    };
    let (one, two) = (run("7"), run("1,9"));
    assert_eq!((one.status, two.status), (0, 0), "{}{}", one.stderr_text(), two.stderr_text());
    assert_eq!(one.stdout_text(), two.stdout_text(), "neither of them thinks");
    for think in ["0", "5,", "5,6,7", "x", "1,3600001", ""] {
        let run = run(think);
        let wanted = "expected one or two comma-separated numbers from 1 to 3600000";
        assert_eq!((run.status, run.stderr_text().contains(wanted)), (2, true), "{think}: {}", run.stderr_text());
    }
}

/// With error probabilities of 5 %, the test ends at a likelihood ratio of 19.
#[test]
fn verdict_follows_likelihood_ratio() {
    let shares = [0.25, 0.4];
    let mut simulation = simulation(&EDITIONS[0], MIXED, Trades::Off);
    simulation.sprt = Some(shares);
    let mut seen = [0; 3];
    for won in 0..=60 {
        let tally = Stats { boards: [60 - won, 40, 30, 10, won / 10, 0, 0], ..Stats::default() };
        let ratio = sprt_llr(tally.boards.first_chunk::<5>().unwrap(), shares);
        let expected = [19_f64.ln() <= ratio, ratio <= -19_f64.ln()];
        seen[usize::from(expected[0]) + 2 * usize::from(expected[1])] += 1;
        let expected = expected[0].then_some(0.4).or(expected[1].then_some(0.25));
        assert_eq!(simulation.verdict(&tally), expected, "{ratio}");
    }
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
    assert_eq!(simulation.verdict(&Stats::default()), None, "nothing was played");
    // Between the logarithms of 19 and of 21.
    let close = Stats { boards: [14, 20, 23, 6, 1, 0, 0], ..Stats::default() };
    let ratio = sprt_llr(close.boards.first_chunk::<5>().unwrap(), shares);
    assert!(ratio > 19_f64.ln() && ratio < 21_f64.ln(), "{ratio}");
    assert_eq!(simulation.verdict(&close), Some(0.4));
}

#[test]
fn sprt_stops_a_match() {
    let run = |shares: &str, threads: &str| {
        let options = ["match", "-players", "normal,greedy", "-boards", "5000", "-sprt", shares, "-threads", threads];
        let run = Program::new().options(options).run();
        (run.status, run.stdout_text(), run.stderr_text())
    };
    // The share is about 42 %.
    let (status, text, _) = run("0.25,0.40", "2");
    let verdict = text.lines().nth(1).unwrap();
    assert!(verdict.starts_with("sequential test of 25.0 % against 40.0 %: 40.0 % accepted after "), "{text}");
    assert_eq!((status, text.clone()), (run("0.25,0.40", "1").0, run("0.25,0.40", "1").1), "threads change nothing");
    let boards: u64 = verdict.rsplit(' ').nth(1).unwrap().parse().unwrap();
    assert!(boards.is_multiple_of(32) && boards < 500, "{verdict}");
    assert!(text.contains(&format!(" of {} games", 4 * boards)), "{text}");
    assert!(run("0.45,0.60", "2").1.contains(": 45.0 % accepted after "));
    let (status, _, stderr) = run("0.5,0.4", "1");
    assert!(status == 2 && stderr.contains("expected two comma-separated win rates from 0 to 1"), "{stderr}");
}

/// The headings of the table for people are those of the edition; the columns of data are the same in all editions.
#[test]
fn headings_follow_the_edition() {
    for (edition, headings) in [("constructor", "B      H      T  roads"), ("watan", "A      M      E  goals")] {
        let options = ["simulate", "-edition", edition, "-games", "2", "-csv", "rows.csv"];
        let run = Program::new().options(options).run();
        assert!(run.stdout_text().lines().next().unwrap().contains(headings), "{}", run.stdout_text());
        assert!(run.file_text("rows.csv").unwrap().lines().next().unwrap().contains("basements,houses,towers"));
    }
}
