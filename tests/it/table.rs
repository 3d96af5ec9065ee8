//! Computer players at the table: what they type, and that it could have been typed.

use crate::program::{Program, Run};

const SAMPLE: &str = include_str!("../../layout.txt");

fn run(options: &[&str], input: &str) -> Run {
    Program::new().file("layout.txt", SAMPLE).options(options.iter().copied()).input(input).run()
}

/// What was typed after each prompt, and the text without it, as it is when all of it is piped in.
fn typed_and_text(stdout: &str) -> (String, String) {
    let (mut typed, mut text) = (String::new(), String::new());
    for line in stdout.split_inclusive('\n') {
        match line.strip_prefix("> ") {
            Some(answer) => {
                typed.push_str(answer);
                text.push_str("> ");
            }
            None => text.push_str(line),
        }
    }
    (typed, text)
}

#[test]
fn what_computers_type_plays_the_same_game() {
    for (edition, players, seed) in [
        ("constructor", "easy,normal,random,easy", "1"),
        ("constructor", "normal,easy,easy,normal", "2"),
        ("constructor", "easy,easy,easy,easy", "3"),
        ("watan", "easy,random,normal,easy", "4"),
        ("watan", "normal,normal,easy,normal", "5"),
    ] {
        let common = ["-edition", edition, "-seed", seed, "-random-board"];
        let played = run(&[&common[..], &["-players", players]].concat(), "");
        assert_eq!((played.status, played.stderr_text().as_str()), (0, ""), "{players}");
        assert!(played.files.keys().all(|name| name == "layout.txt"), "the game came to its end");
        let (typed, text) = typed_and_text(&played.stdout_text());
        assert!(typed.contains("trade") || !players.contains("easy,easy"), "computers offer trades:\n{typed}");
        assert!(typed.ends_with("no\n") && !text.contains("Invalid") && !text.contains("You c"), "{text}");
        let again = run(&common, &typed);
        assert!(again.stdout_text() == text, "{players}: what was typed plays another game");
    }
}

#[test]
fn a_person_is_asked_when_it_is_their_turn() {
    let played = run(&["-players", "human,easy,human,easy", "-seed", "7"], "0 10\n99\n20\n52\nroll\n12\nnext\n");
    let text = played.stdout_text();
    let line = |text: &str, start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(line(&text, "> You cannot build here."), 1, "99 is no vertex\n{text}");
    assert_eq!(line(&text, "Builder Blue, where do you want"), 2, "Blue was asked twice:\n{text}");
    assert!(text.contains("Builder Orange, where do you want to build a basement?\n> Builder Yellow"), "{text}");
    // Red has said fair and rolled, and plays until Orange is asked, who does not answer any more.
    assert!(text.contains("Builder Red's turn.\n"), "{text}");
    assert!(text.contains("> fair\n> roll\n"), "{text}");
    assert!(text.ends_with("> "), "{text}");
    let backup = played.file_text("backup.sv").unwrap();
    assert!(backup.starts_with("2\n") || text.contains("trade Blue") || text.contains("trade Orange"), "{backup}");
}

#[test]
fn a_person_is_asked_whether_to_play_again() {
    const SAVED: &str = include_str!("../../saves/one-move-from-winning.sv");
    let program = || Program::new().file("in.sv", SAVED).options(["-load", "in.sv"]);
    let run = program().options(["-players", "easy,easy,easy,human", "-seed", "2"]).run();
    let text = run.stdout_text();
    assert!(text.ends_with("Would you like to play again?\n> "), "{text}");
    let run = program().options(["-players", "easy,easy,easy,easy", "-seed", "2"]).run();
    assert!(run.stdout_text().ends_with("Would you like to play again?\n> no\n"), "{}", run.stdout_text());
}

#[test]
fn a_hard_player_with_playouts_is_always_the_same() {
    let play = || run(&["-players", "human,hard,hard,hard", "-playouts", "30", "-seed", "5"], "30\n").stdout;
    assert_eq!(play(), play());
}

#[test]
fn players_that_are_not_there_are_refused() {
    for (players, complaint) in [
        ("human,easy", "wanted are four of human, random, easy, normal, hard, with commas between"),
        ("human,easy,easy,eazy", "invalid value 'human,easy,easy,eazy' for '-players <A,B,C,D>'"),
    ] {
        let run = run(&["-players", players], "");
        assert_eq!((run.status, run.stdout_text().as_str()), (2, ""));
        assert!(run.stderr_text().contains(complaint), "{}", run.stderr_text());
    }
}
