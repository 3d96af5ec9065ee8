//! Units: merged in any order they print what one run prints; damage, gaps and overlaps are found.

use constructor::players::{PlayerFactory, PlayerKind};
use constructor::simulate::{Simulation, Stats, Unit, signature};
use constructor::text::EDITIONS;
use sha2::{Digest, Sha256};

use crate::program::{Program, Run};
use crate::simulate::without_run;

/// Runs a part of a simulation and returns its unit.
pub fn unit(options: &[&str], first: u64, games: u64, threads: &str) -> String {
    let (first, games) = (first.to_string(), games.to_string());
    let part = ["-first", &first, "-games", &games, "-unit", "u", "-threads", threads, "-quiet"];
    let run = Program::new().options(options.iter().chain(&part)).run();
    assert_eq!((run.status, run.stdout_text(), run.stderr_text()), (0, String::new(), String::new()));
    run.file_text("u").unwrap()
}

/// Merges units, which are given as files `0`, `1`, ...
pub fn merge(units: &[&str], options: &[&str]) -> Run {
    let mut program = Program::new().options(["merge"]).options(options);
    for (number, unit) in units.iter().enumerate() {
        program = program.file(&number.to_string(), unit).options([number.to_string()]);
    }
    program.run()
}

#[track_caller]
fn refused(units: &[&str], said: &str) {
    let run = merge(units, &[]);
    assert_eq!(
        (run.status, run.stdout_text(), run.stderr_text()),
        (1, String::new(), format!("constructor: {said}\n"))
    );
}

const OPTIONS: [&str; 5] = ["simulate", "-players", "random,greedy,normal,expert", "-playouts", "2"];

#[test]
fn merged_units_print_what_one_run_prints() {
    let options = [&OPTIONS[..], &["-max-turns", "30", "-seed", "18446744073709551615", "-trades", "on"]].concat();
    let one = Program::new().options(&options).options(["-games", "70", "-json", "a.json"]).run();
    let parts =
        [(0, 20, "1"), (20, 1, "2"), (21, 29, "2"), (50, 20, "3")].map(|(a, n, threads)| unit(&options, a, n, threads));
    for order in [[0, 1, 2, 3, 0], [3, 1, 3, 0, 2], [2, 2, 1, 0, 3]] {
        let units = order.map(|part| parts[part].as_str());
        let merged = merge(&units, &["-json", "a.json", "-html", "a.html"]);
        assert_eq!((merged.status, merged.stderr_text()), (0, String::new()));
        assert_eq!(merged.stdout_text(), one.stdout_text());
        let [merged_json, one_json] = [&merged, &one].map(|run| without_run(&run.file_text("a.json").unwrap()));
        assert_eq!(merged_json, one_json);
        assert!(merged.file_text("a.html").unwrap().ends_with("</html>\n"));
    }
    // A folder of units, in which hidden files are left out.
    let program = Program::new().options(["merge", "units"]);
    std::fs::create_dir(program.folder().join("units")).unwrap();
    for (number, part) in parts.iter().enumerate() {
        std::fs::write(program.folder().join(format!("units/{number}.unit")), part).unwrap();
    }
    std::fs::write(program.folder().join("units/.new"), "half").unwrap();
    assert_eq!(program.run().stdout_text(), one.stdout_text());

    refused(&[&parts[0], &parts[2], &parts[3]], "games 20 to 20 are missing");
    refused(&[&parts[1]], "games 0 to 19 are missing");
    let overlapping = unit(&options, 10, 15, "1");
    refused(&[&parts[0], &overlapping], "1: its games 10 to 24 overlap with those of 0, 0 to 19");
    let shorter = unit(&options, 0, 10, "1");
    refused(&[&parts[0], &shorter], "1: its games 0 to 9 overlap with those of 0, 0 to 19");
    let other_seed = unit(&OPTIONS, 20, 5, "1");
    refused(&[&parts[0], &other_seed], "1: it is of another job than 0");
    refused(&["nonsense"], "0: not a unit: expected a line of JSON and a line with its checksum");
}

#[test]
fn sequential_tests_are_decided_by_the_longest_prefix() {
    let options = ["match", "-players", "greedy,random", "-sprt", "0.8,0.98", "-seed", "3"];
    let one = Program::new().options(options).options(["-games", "2560"]).run();
    let verdict = one.stdout_text().lines().nth(1).unwrap().to_owned();
    assert!(verdict.contains(" accepted after "), "{verdict}");
    let parts: Vec<_> = (0..5).map(|part| unit(&options, 512 * part, 512, "2")).collect();
    let all: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
    assert_eq!(merge(&all, &[]).stdout_text(), one.stdout_text());
    // A gap behind the decision does not matter; one before it leaves the test undecided.
    let boards: u64 = verdict.rsplit(' ').nth(1).unwrap().parse().unwrap();
    let needed = usize::try_from((4 * boards).div_ceil(512)).unwrap();
    let prefix: Vec<&str> = parts[..needed].iter().map(String::as_str).collect();
    assert_eq!(merge(&prefix, &[]).stdout_text(), one.stdout_text());
    let undecided = merge(&[&parts[1], &parts[2]], &[]);
    assert!(undecided.stderr_text().starts_with("constructor: games 0 to 511 are missing: decided by those before"));
    let refused = Program::new().options(options).options(["-first", "4", "-games", "8", "-unit", "u"]).run();
    assert!(refused.status == 2 && refused.stderr_text().contains("'-first 4' is not a multiple of 128"));
}

fn small_unit() -> String {
    let greedy = PlayerFactory::from(PlayerKind::Greedy);
    let mut simulation = Simulation::new(&EDITIONS[0], [(); 4].map(|()| greedy.clone()));
    simulation.games = 3;
    let stats = Stats::play(&simulation, simulation.numbers(), |_| {});
    Unit::new(&simulation, &[stats]).write().unwrap()
}

#[test]
fn every_flipped_bit_is_found() {
    let text = small_unit();
    assert!(Unit::read(&text).is_ok());
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            // A text that is not UTF-8 is refused when it is read.
            if let Ok(damaged) = String::from_utf8(bytes) {
                assert!(Unit::read(&damaged).is_err(), "bit {bit} of byte {at}");
            }
        }
    }
    for cut in 0..text.len() {
        assert!(Unit::read(&text[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn units_that_do_not_agree_or_of_other_signatures_are_refused() {
    let own = signature();
    assert_eq!(own.len(), 16);
    let printed = Program::new().options(["bench", "-signature"]).run();
    assert_eq!((printed.status, printed.stdout_text()), (0, format!("{own}\n")));

    // What a computer that counts wrongly, or another version, would write.
    let forge = |from: &str, to: &str| {
        let text = small_unit();
        let line = text.lines().next().unwrap();
        assert!(line.contains(from), "{from} is not in {line}");
        let line = line.replacen(from, to, 1) + "\n";
        let checksum: String = Sha256::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{line}sha256 {checksum}\n")
    };
    let plies = small_unit().split("\"plies\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let wrong = forge(&format!("\"plies\":{plies}"), "\"plies\":7");
    refused(
        &[&small_unit(), &wrong],
        "1: it does not agree with 0 on games 0 to 2: one of the two computers computes wrongly",
    );
    let other = forge(&own, "0123456789abcdef");
    refused(
        &[&other],
        &format!("0: signature 0123456789abcdef, but this program's is {own}: it would have played other games"),
    );
    refused(&[&forge("\"unit\":1", "\"unit\":2")], "0: format 2 of units is not known, only 1");
    refused(&[&forge("\"games\":3", "\"games\":4")], "0: its numbers contradict each other");
    refused(&[&forge("\"seed\":\"0\"", "\"seed\":\"1\"")], "0: its numbers contradict each other");
}

#[test]
fn units_need_reproducible_games_of_whole_boards() {
    for (options, said) in [
        (&["simulate", "-unit", "u", "-think", "5"][..], "cannot be used with '-think <MS>'"),
        (&["simulate", "-unit", "u", "-players", "greedy,exec:true,greedy,greedy"], "their games are not reproducible"),
        (&["match", "-unit", "u", "-first", "2", "-games", "8"], "'-first 2' is not a multiple of 4"),
        (&["match", "-games", "6"], "'-games 6' is not a multiple of 4"),
        (&["match", "-games", "8", "-boards", "2"], "cannot be used with"),
        (&["merge"], "<UNIT>"),
    ] {
        let run = Program::new().options(options).run();
        assert!(run.status == 2 && run.stderr_text().contains(said), "{options:?}: {}", run.stderr_text());
    }
    let run = Program::new().options(["merge", "gone"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (1, "constructor: gone: No such file or directory\n"));
}

#[test]
#[ignore = "long: plays the games of the signature and measures"]
fn bench_prints_every_kind() {
    let run = Program::new().options(["bench"]).run();
    let text = run.stdout_text();
    for kind in PlayerKind::ALL {
        assert!(text.lines().any(|line| line.starts_with(kind.name())), "{text}");
    }
    assert!(text.ends_with(&format!("signature {}\n", signature())), "{text}");
}

#[test]
fn failed_write_leaves_the_old_unit() {
    let program = Program::new().file("u", "old");
    let command = format!("ulimit -f 1; {} simulate -games 40 -quiet -unit u", crate::program::path().display());
    let output =
        crate::program::with_time_limit("bash").args(["-c", &command]).current_dir(program.folder()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), said.as_str()),
        (Some(1), "constructor: u: nothing is written: File too large\n")
    );
    assert_eq!(std::fs::read_to_string(program.folder().join("u")).unwrap(), "old");
}
