//! The command line, seen from outside.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;

use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};

use crate::program::{Program, Run, path, with_time_limit};

const SAMPLE: &str = include_str!("../../layout.txt");
const SAVED: &str = include_str!("../golden/load/setup-done/given/in.sv");

fn run(options: &[&str]) -> Run {
    Program::new()
        .file("layout.txt", SAMPLE)
        .file("b.txt", SAMPLE)
        .file("in.sv", SAVED)
        .options(options.iter().copied())
        .run()
}

/// Expects a usage error: status 2, a message that points to `--help`, and no output.
#[track_caller]
fn is_refused(options: &[&str], message: &str) {
    let run = run(options);
    let expected = starts_with(format!("error: {message}\n")).and(ends_with("\nFor more information, try '-help'.\n"));
    assert!(expected.eval(&run.stderr_text()), "{options:?}: {}", run.stderr_text());
    assert_eq!((run.status, run.stdout_text()), (2, String::new()), "{options:?}");
    assert_eq!(run.file_text("backup.sv"), None, "{options:?}");
}

#[track_caller]
fn is_taken(options: &[&str], first_line: &str) {
    let run = run(options);
    assert_eq!((run.status, run.stderr_text()), (0, String::new()), "{options:?}");
    assert!(contains(first_line).eval(&run.stdout_text()), "{options:?}: {}", run.stdout_text());
}

const SETUP: &str = "Builder Blue, where do you want to build a basement?";
const TURN: &str = "Builder Blue's turn.";

#[test]
fn options_in_any_order_with_one_dash_or_two() {
    for options in [
        &[][..],
        &["-seed", "7"],
        &["--seed", "7"],
        &["-seed=7"],
        &["--seed=7"],
        &["-seed", "0"],
        &["-seed", "18446744073709551615"],
        &["-board", "b.txt"],
        &["-board=b.txt"],
        &["--board", "b.txt", "-seed", "7"],
        &["-seed", "7", "--board=b.txt"],
        &["-random-board"],
        &["--random-board", "-seed", "7"],
        &["-board", "b.txt", "-random-board"],
    ] {
        is_taken(options, SETUP);
    }
    for options in [
        &["-load", "in.sv"][..],
        &["--load", "in.sv"],
        &["-load=in.sv"],
        &["--load=in.sv"],
        &["-random-board", "-load", "in.sv", "-seed", "7"],
        &["-seed=7", "-load=in.sv", "-random-board"],
    ] {
        is_taken(options, TURN);
    }
}

#[test]
fn options_help_and_version_go_to_stdout() {
    for options in [&["-h"][..], &["-help"], &["--help"], &["--h"], &["-seed", "7", "-help"]] {
        is_taken(options, "Usage: constructor [OPTIONS]\n       constructor <COMMAND>\n");
        let help = run(options).stdout_text();
        for option in ["-seed <N>", "-load <FILE>", "-board <FILE>", "-random-board", "-h, -help", "-version"] {
            assert!(help.contains(option), "{option} is not in\n{help}");
        }
        assert!(!help.contains("--"), "{help}");
    }
    for options in [&["-version"][..], &["--version"]] {
        let run = run(options);
        let expected = format!("constructor {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!((run.status, run.stdout_text(), run.stderr_text()), (0, expected, String::new()));
    }
    let version = run(&["version"]).stdout_text();
    let lines: Vec<&str> = version.lines().collect();
    let [name, commit, "features: cli, serde, tui"] = lines[..] else { panic!("{version}") };
    assert_eq!(name, format!("constructor {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(
        commit,
        format!("commit: {}", option_env!("CONSTRUCTOR_COMMIT").filter(|it| !it.is_empty()).unwrap_or("unknown"))
    );
}

/// The help of every command fits a screen of 80 columns; with `-all` it says more.
#[test]
fn help_fits_a_screen() {
    let commands = [
        "",
        "tui",
        "serve",
        "join",
        "simulate",
        "match",
        "tournament",
        "merge",
        "bench",
        "replay",
        "analyse",
        "board",
        "games",
    ];
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let help = run(&[&words[..], &["-help"]].concat()).stdout_text();
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{command}: {widest}");
        assert!(help.lines().count() <= 48, "{command}: {} lines", help.lines().count());
        let in_full = run(&[&words[..], &["-help", "-all"]].concat()).stdout_text();
        assert!(in_full.len() > help.len() && !in_full.contains("--"), "{command}: {in_full}");
        if !command.is_empty() {
            assert_eq!(run(&["help", command]).stdout_text(), help);
        }
    }
    let missing =
        "the following required arguments were not provided:\n  -help\n\nUsage: constructor simulate -help -all";
    is_refused(&["simulate", "-all"], missing);
}

#[test]
fn options_refuse_unknown_option_with_suggestion() {
    is_refused(&["-sead", "7"], "unexpected argument '-sead' found\n\n  tip: a similar argument exists: '-seed'");
    is_refused(&["--sead=7"], "unexpected argument '--sead' found\n\n  tip: a similar argument exists: '-seed'");
    is_refused(&["-randomboard"], "unexpected argument '-randomboard' found");
    is_refused(&["-x"], "unexpected argument '-x' found");
    is_refused(&["-7"], "unexpected argument '-7' found");
    is_refused(&["-load", "in.sv", "-edit"], "unexpected argument '-edit' found");
    for asked in ["-h", "-help", "-version"] {
        is_refused(&[asked, "-foo"], "unexpected argument '-foo' found");
        is_refused(&["-foo", asked], "unexpected argument '-foo' found");
    }
}

#[test]
fn options_errors_quote_words_as_typed() {
    is_refused(&["-seeds=5"], "unexpected argument '-seeds' found\n\n  tip: a similar argument exists: '-seed'");
    is_refused(&["--seeds=5"], "unexpected argument '--seeds' found\n\n  tip: a similar argument exists: '-seed'");
    is_refused(&["---seed"], "unexpected argument '---seed' found");
    is_refused(&["-hx"], "unexpected argument '-hx' found");
    is_refused(&["-random-board", "see --load"], "unexpected argument 'see --load' found");
    is_refused(&["-\x1b]0;title\x07"], "unexpected argument '-\\u{1b}]0;title\\u{7}' found");
    is_refused(&["--"], "unexpected argument '--' found");
    let expected = "expected a whole number from 0 to 18446744073709551615, or random";
    is_refused(&["--seed=--seed"], &format!("invalid value '--seed' for '-seed <N>': {expected}"));
}

#[test]
fn options_refuse_extra_words() {
    is_refused(&["in.sv"], "unrecognized subcommand 'in.sv'");
    is_refused(&["simulat"], "unrecognized subcommand 'simulat'\n\n  tip: a similar subcommand exists: 'simulate'");
    is_refused(&["-"], "unexpected argument '-' found");
    is_refused(&["-load", "in.sv", "extra"], "unexpected argument 'extra' found");
    is_refused(&["--", "-seed"], "unexpected argument '-seed' found");
    is_refused(&["a--load"], "unrecognized subcommand 'a--load'");
    is_refused(&["-seed", "3", "simulate"], "unexpected argument 'simulate' found");
}

#[test]
fn options_refuse_missing_value() {
    for option in ["-seed <N>", "-load <FILE>", "-board <FILE>"] {
        let name = option.split(' ').next().unwrap();
        let message = format!("a value is required for '{option}' but none was supplied");
        is_refused(&[name], &message);
        is_refused(&[name, "-random-board"], &message);
        is_refused(&["-random-board", &format!("-{name}")], &message);
        for no_value in ["-h", "-help", "--help", "--h", "-version", "-load", "--seed", "-seed=7", "--board=b.txt"] {
            is_refused(&[name, no_value], &message);
        }
    }
    is_refused(&["-load", ""], "a value is required for '-load <FILE>' but none was supplied");
    is_refused(&["-board="], "a value is required for '-board <FILE>' but none was supplied");
    is_refused(&["-random-board=yes"], "unexpected value 'yes' for '-random-board' found; no more were expected");
}

#[test]
fn options_check_range_of_seed() {
    for seed in ["-1", "18446744073709551616", "1.5", "0x10", "seven", " 7"] {
        let expected = "expected a whole number from 0 to 18446744073709551615, or random";
        is_refused(&["-seed", seed], &format!("invalid value '{seed}' for '-seed <N>': {expected}"));
    }
}

#[test]
fn options_refuse_repetition() {
    is_refused(&["-seed", "1", "--seed=1"], "the argument '-seed <N>' cannot be used multiple times");
    is_refused(&["-load", "in.sv", "-load", "in.sv"], "the argument '-load <FILE>' cannot be used multiple times");
    is_refused(&["-board=b.txt", "-board=b.txt"], "the argument '-board <FILE>' cannot be used multiple times");
    is_refused(&["-random-board", "--random-board"], "the argument '-random-board' cannot be used multiple times");
    is_refused(&["-h", "--help"], "the argument '-help' cannot be used multiple times");
    is_refused(&["-version", "-version"], "the argument '-version' cannot be used multiple times");
}

#[test]
fn options_refuse_load_with_board() {
    let message = "the argument '-load <FILE>' cannot be used with '-board <FILE>'";
    is_refused(&["-load", "in.sv", "-board", "b.txt"], message);
    let message = "the argument '-board <FILE>' cannot be used with '-load <FILE>'";
    is_refused(&["-random-board", "-board", "b.txt", "-load", "in.sv"], message);
}

#[test]
fn options_refuse_unknown_edition() {
    is_taken(&["-edition", "watan"], "Student Blue, where do you want to complete an Assignment?");
    is_taken(&["--edition=constructor"], SETUP);
    let values = "[possible values: constructor, watan, constructor-2024]";
    is_refused(&["-edition", "catan"], &format!("invalid value 'catan' for '-edition <NAME>'\n  {values}"));
    is_refused(&["-edition", "Watan"], &format!("invalid value 'Watan' for '-edition <NAME>'\n  {values}"));
    is_refused(&["-edition"], &format!("a value is required for '-edition <NAME>' but none was supplied\n  {values}"));
    is_refused(
        &["-edition", "watan", "-edition", "watan"],
        "the argument '-edition <NAME>' cannot be used multiple times",
    );
}

#[test]
fn program_name_chooses_edition() {
    for (name, options, question) in [
        ("watan", &[][..], "Student Blue, where do you want to complete an Assignment?"),
        ("watan", &["-edition", "constructor"], SETUP),
        ("watan-2", &[], SETUP),
        ("game", &["-edition=watan"], "Student Blue, where do you want to complete an Assignment?"),
    ] {
        let folder = Program::new().file("layout.txt", SAMPLE);
        let link = folder.folder().join(name);
        symlink(path(), &link).unwrap();
        let output = with_time_limit(&link).current_dir(folder.folder()).args(options).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.ends_with(&format!("{question}\n> ")), "{name} {options:?}: {text}");
    }
}

#[test]
fn help_is_under_the_name_of_the_program() {
    let folder = Program::new();
    let link = folder.folder().join("watan");
    symlink(path(), &link).unwrap();
    let run = |options: &[&str]| {
        let output = with_time_limit(&link).current_dir(folder.folder()).args(options).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(
        run(&["-help"])
            .starts_with("A game of students for four players\n\nUsage: watan [OPTIONS]\n       watan <COMMAND>\n")
    );
    assert!(run(&["match", "-help"]).contains("Usage: watan match [OPTIONS]\n"));
    assert!(run(&["-x"]).contains("Usage: watan [OPTIONS]\n"));
}

#[test]
fn options_check_ranges_of_numbers() {
    for (options, expected) in [
        (["simulate", "-games", "1e6"], "'1e6' for '-games <N>': expected a whole number from 1 to 1000000000000"),
        (["simulate", "-threads", "0"], "'0' for '-threads <T>': expected a whole number from 1 to 1024"),
        (["match", "-boards", "-1"], "'-1' for '-boards <N>': expected a whole number from 1 to 250000000000"),
        (["match", "-games", ""], "'' for '-games <N>': expected a whole number from 4 to 1000000000000"),
    ] {
        is_refused(&options, &format!("invalid value {expected}"));
    }
    is_refused(&["-threads", "0"], "invalid value '0' for '-threads <T>': expected a whole number from 1 to 1024");
    is_refused(
        &["-playouts", "x"],
        "invalid value 'x' for '-playouts <N>': expected a whole number from 1 to 100000000",
    );
}

#[test]
fn options_accept_any_file_name() {
    let odd = OsString::from_vec(b"\xff caf\xe9 .sv".to_vec());
    for name in ["-in.sv".into(), "--in".into(), "-5".into(), "a game.sv".into(), " ".into(), "=".into(), odd] {
        let name: OsString = name;
        let program = Program::new();
        std::fs::write(program.folder().join(&name), SAVED).unwrap();
        let run = program.options([OsString::from("-load"), name.clone()]).run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()), "{name:?}");
        assert!(run.stdout_text().contains(TURN), "{name:?}");
    }
    let program = Program::new().file("-seed", SAVED).options(["-load=-seed"]);
    assert!(program.run().stdout_text().contains(TURN), "a file with the name of an option, behind a =");
}

#[test]
fn errors_escape_file_names() {
    let run = Program::new().options(["-load", "no\nsuch\x1b[31m\u{202e} file"]).run();
    assert_eq!(run.stderr_text(), "constructor: no\\nsuch\\u{1b}[31m\\u{202e} file: No such file or directory\n");
    assert_eq!((run.status, run.stdout.len()), (1, 0));
}

#[test]
fn load_refuses_huge_file() {
    let mut largest = SAVED.to_owned();
    largest.push_str(&"\n".repeat((1 << 20) - largest.len()));
    let run = Program::new().file("in.sv", &largest).options(["-load", "in.sv"]).run();
    assert_eq!((run.status, run.stderr_text().as_str()), (0, ""));
    Program::new()
        .file("in.sv", largest + "\n")
        .options(["-load", "in.sv"])
        .status(1)
        .stdout("")
        .stderr("constructor: in.sv: more than 1048576 bytes, which is too large\n")
        .check();
    let run = Program::new().options(["-load", "/dev/zero"]).run();
    assert_eq!(run.status, 1);
}
