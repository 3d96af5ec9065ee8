//! Computer players at the table of the text game.

use crate::program::{Program, Run, path};
use crate::pty::Terminal;

const SAMPLE: &str = include_str!("../../layout.txt");

fn run(options: &[&str], input: &str) -> Run {
    Program::new().file("layout.txt", SAMPLE).options(options.iter().copied()).input(input).run()
}

/// Splits the output into the input echoed after each prompt and the text that a piped game prints.
pub fn typed_and_text(stdout: &str) -> (String, String) {
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
fn computers_print_replayable_input() {
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
fn persons_are_asked_in_their_turn() {
    let played = run(&["-players", "human,easy,human,easy", "-seed", "7"], "0 10\n99\n20\n52\nroll\n12\nnext\n");
    let text = played.stdout_text();
    let line = |text: &str, start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(line(&text, "> You cannot build here."), 1, "99 is no vertex\n{text}");
    assert_eq!(line(&text, "Builder Blue, where do you want"), 2, "Blue was asked twice:\n{text}");
    assert!(text.contains("Builder Orange, where do you want to build a basement?\n> Builder Yellow"), "{text}");
    // Red rolls fair dice and plays until Orange is asked, at the end of the input.
    assert!(text.contains("Builder Red's turn.\n"), "{text}");
    assert!(text.contains("> fair\n> roll\n"), "{text}");
    assert!(text.ends_with("> "), "{text}");
    let backup = played.file_text("backup.sv").unwrap();
    assert!(backup.starts_with("2\n") || text.contains("trade Blue") || text.contains("trade Orange"), "{backup}");
}

#[test]
fn persons_are_asked_to_play_again() {
    const SAVED: &str = include_str!("../../saves/one-move-from-winning.sv");
    let program = || Program::new().file("in.sv", SAVED).options(["-load", "in.sv"]);
    let run = program().options(["-players", "easy,easy,easy,human", "-seed", "2"]).run();
    let text = run.stdout_text();
    assert!(text.ends_with("Would you like to play again?\n> "), "{text}");
    let run = program().options(["-players", "easy,easy,easy,easy", "-seed", "2"]).run();
    assert!(run.stdout_text().ends_with("Would you like to play again?\n> no\n"), "{}", run.stdout_text());
}

#[test]
fn hard_player_with_playouts_is_deterministic() {
    let play = || run(&["-players", "human,hard,hard,hard", "-playouts", "30", "-seed", "5"], "30\n").stdout;
    assert_eq!(play(), play());
}

#[test]
fn players_think_with_several_threads() {
    let play = |threads: &str, thinking: [&str; 2]| {
        let players = ["-random-board", "-players", "expert,hard,greedy,greedy", "-seed", "5", "-threads", threads];
        run(&[&players[..], &thinking].concat(), "")
    };
    for threads in ["1", "3"] {
        let game = play(threads, ["-playouts", "40"]);
        assert_eq!((game.status, game.stderr_text()), (0, String::new()));
        assert!(game.stdout_text().ends_with("Would you like to play again?\n> no\n"), "{}", game.stdout_text());
        assert_eq!(play(threads, ["-playouts", "40"]).stdout, game.stdout, "{threads} threads: the same game again");
    }
    let timed = play("2", ["-think", "1"]);
    assert_eq!((timed.status, timed.stderr_text()), (0, String::new()));
}

#[test]
fn players_option_refuses_unknown_players() {
    for (players, complaint) in [
        (
            "human,easy",
            "expected four comma-separated players, each one of human, random, greedy, classic, normal, hard, expert, exec:COMMAND",
        ),
        ("human,easy,easy,eazy", "invalid value 'human,easy,easy,eazy' for '-players <A,B,C,D>'"),
    ] {
        let run = run(&["-players", players], "");
        assert_eq!((run.status, run.stdout_text().as_str()), (2, ""));
        assert!(run.stderr_text().contains(complaint), "{}", run.stderr_text());
    }
}

/// A saved game in Blue's turn, after a roll of 12, with enough resources to build.
const RICH: &str =
    "0\n9 9 9 9 9 r 55 h 37 B 20 B\n0 0 0 0 0 r h 4 B 40 B\n0 0 0 0 0 r h 17 B 10 B\n3 3 3 3 3 r h 52 B 30 B\n";

fn rich(options: &[&str], input: &str) -> Run {
    let saved = format!("{RICH}{SAMPLE}-1\n");
    let options = [&["-load", "in.sv", "-seed", "3"], options].concat();
    Program::new().file("in.sv", saved).options(options).input(input).run()
}

#[test]
fn extras_are_off_by_default() {
    let run = rich(&[], "hint undo log computer human roll 12 hint undo log computer human\n");
    let text = run.stdout_text();
    assert_eq!(text.matches("Invalid command.").count(), 10, "{text}");
    let help = |options: &[&str]| rich(options, "roll 12 help").stdout_text();
    assert!(
        !help(&[]).contains("undo")
            && help(&["-extras"]).contains("\nhelp\nAlso:\nhint\nundo\nlog\ncomputer <player>\n")
    );
}

/// The text from a prompt on at which this is typed, without the prompts, in a game with the extra commands.
fn with_extras(options: &[&str], input: &str) -> String {
    let options = [&["-extras", "-playouts", "200"], options].concat();
    let text = rich(&options, input).stdout_text();
    text.lines().filter(|line| !line.starts_with(['|', ' ']) && !line.starts_with(">  ")).collect::<Vec<_>>().join("\n")
}

/// With the extra commands, every refusal is followed by its reason or by what can be typed; without them, by nothing.
#[test]
fn refusals_have_reasons() {
    let cases = [
        ("roll 12 build-road 71", "You cannot build here.", "Edge 71 is not next to what Blue has built."),
        ("roll 12 build-road 99", "You cannot build here.", "There is no place with this number."),
        ("roll 12 improve", "Invalid command.", "Usage: improve <housing#>"),
        ("roll 12 improve 53", "You cannot build here.", "Nothing is built on vertex 53."),
        ("roll 12 trade Blue HEAT WIFI", "Invalid command.", "This takes another builder."),
        ("roll 12 nonsense", "Invalid command.", "Type help to see the commands."),
        ("nonsense", "Invalid command.", "Type roll to roll the dice. Yours are loaded; fair makes them fair."),
        ("roll 13", "Invalid roll.", "Type what the dice show, 2 to 12."),
        (
            "roll 7 99",
            "Invalid tile.",
            "Type the number of a tile, 0 to 18. It produces nothing while the geese are there.",
        ),
    ];
    for (input, refusal, reason) in cases {
        let expected = format!("{refusal}\n{reason}\n");
        let text = rich(&["-extras"], input).stdout_text();
        assert!(text.contains(&expected), "{input}: {text}");
        let plain = rich(&[], input).stdout_text();
        assert!(plain.contains(refusal) && !plain.contains(reason), "{input}: {plain}");
    }
    let text = rich(&["-extras", "-trades", "off"], "roll 12 trade Blue HEAT WIFI next").stdout_text();
    assert!(text.contains("> Trades are turned off.\n> "), "there is no second reason: {text}");
}

#[test]
fn help_board_status_and_hint_work_at_every_prompt() {
    let saved = format!("1\n0 0 0 0 0 r h 0 B\n{}{SAMPLE}-1\n", "0 0 0 0 0 r h\n".repeat(3));
    let setup = |input: &str| {
        let program = Program::new().file("in.sv", &saved).input(input);
        program.options(["-load", "in.sv", "-extras", "-playouts", "200"]).run().stdout_text()
    };
    let cases = [
        (
            setup("help board status hint"),
            "Type the number of a vertex, such as 2. It and those next to it must be free.\n",
        ),
        (
            rich(&["-extras", "-playouts", "200"], "help board status hint").stdout_text(),
            "Type roll to roll the dice. Yours are loaded; fair makes them fair.\n",
        ),
        (
            rich(&["-extras", "-playouts", "200"], "roll help board status hint").stdout_text(),
            "Type what the dice show, 2 to 12.\n",
        ),
        (
            rich(&["-extras", "-playouts", "200"], "roll 7 help board status hint").stdout_text(),
            "Type the number of a tile, 0 to 18. It produces nothing while the geese are there.\n",
        ),
        (
            rich(&["-extras", "-playouts", "200"], "roll 7 18 help board status hint").stdout_text(),
            "Type whom to steal a unit from: ",
        ),
        (
            rich(&["-extras", "-playouts", "200"], "roll 12 trade Yellow HEAT WIFI help board status hint")
                .stdout_text(),
            "Type yes to give Blue one WIFI for one HEAT, or no.\n",
        ),
    ];
    for (text, answers) in cases {
        let (_, text) = text.split_once(answers).unwrap_or_else(|| panic!("{answers}: {text}"));
        for expected in [
            "Also:\nboard\nstatus\nsave <file>\nhint\nundo\nlog\ncomputer <player>\nhuman <colour>\nhelp\n",
            "Costs:\nroad: 1 HEAT, 1 WIFI\nbasement: 1 BRICK, 1 ENERGY, 1 GLASS, 1 WIFI\nhouse: 2 GLASS, 3 HEAT\n",
            "|12| is vertex 12, or what Blue has there: BB basement, BH house, BT tower\n",
            "--71--|53|\n",
            "\nYellow has ",
            ", by 200 playouts of each:\n",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        assert!(!text.contains("Invalid"), "{text}");
    }
}

#[test]
fn extras_print_rolls_trades_and_the_result() {
    let text = with_extras(&[], "roll 12 trade Yellow HEAT WIFI yes log");
    assert!(text.contains("Builder Blue rolls 12.\n"), "{text}");
    assert!(text.contains("\n> Builder Blue gives Yellow one HEAT for one WIFI.\n"), "{text}");
    assert!(text.contains("> turn 1, Blue: roll 12; "), "{text}");
    assert!(text.contains("\nturn 1, Blue: offer Yellow HEAT for WIFI\nturn 1, Yellow: yes\n"), "{text}");
    let won = Program::new().file("in.sv", include_str!("../../saves/one-move-from-winning.sv"));
    let won = won.options(["-load", "in.sv", "-extras"]).input("roll 6 improve 32 help\nlog\nno\n").run().stdout_text();
    let result = won.split_once("> Builder Blue wins.\nBlue has 10 building points, ").unwrap().1;
    let points: Vec<&str> = result.lines().skip(1).take(3).map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert!(points.is_sorted_by(|one, other| one >= other), "the best first: {points:?}");
    assert!(result.contains("Would you like to play again?\n> Type yes for another game, or no.\nAlso:\n"), "{result}");
    assert!(result.contains("Blue: improve 32; Blue wins\n"), "{result}");
    // Nothing of it without the option.
    let plain = rich(&[], "roll 12 trade Yellow HEAT WIFI yes save a.sv").stdout_text();
    assert!(!plain.contains("rolls") && !plain.contains("gives") && !plain.contains("Saved"), "{plain}");
}

#[test]
fn undo_save_and_controllers_are_confirmed() {
    let text = with_extras(&[], "roll 12 build-road 60 undo save a.sv human red computer random");
    let expected = "> > Undone: build-road 60\n> Saved in a.sv.\n> A human plays Red.\n> A random player plays Blue.\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn trades_can_be_turned_off() {
    for extras in [&[][..], &["-extras"]] {
        let run = rich(&[&["-trades", "off"], extras].concat(), "roll 12 trade Red HEAT WIFI next");
        let text = run.stdout_text();
        assert!(text.contains("> Trades are turned off.\n") && !text.contains("offers"), "{text}");
    }
    let played = run(&["-random-board", "-players", "greedy,greedy,greedy,greedy", "-trades", "off"], "");
    assert!(!played.stdout_text().contains("trade"));
}

#[test]
fn random_seed_is_printed_and_replays_the_game() {
    let drawn = || run(&["-random-board", "-seed", "random", "-players", "greedy,greedy,greedy,greedy"], "");
    let game = drawn();
    assert!(drawn().stdout != game.stdout, "another seed");
    let stderr = game.stderr_text();
    let seed = stderr.strip_prefix("constructor: using -seed ").unwrap().trim_end();
    let again = run(&["-random-board", "-seed", seed, "-players", "greedy,greedy,greedy,greedy"], "");
    assert!(again.stdout == game.stdout && again.stderr_text().is_empty());
}

#[test]
fn thinking_is_shown_at_a_terminal() {
    let folder = Program::new();
    let game = path().display().to_string();
    let options = ["-extras", "-random-board", "-players", "hard,human,human,human", "-think", "300"];
    let mut terminal = Terminal::start(folder.folder(), &[&[game.as_str()], &options[..]].concat());
    let text = terminal.read_until("Builder Red");
    assert!(text.contains("> Blue is thinking ...\r\x1b[K> "), "{text:?}");
    terminal.type_text("\x04");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn undo_reverts_building() {
    let status = "Blue has 2 building points, 9 brick, 9 energy, 9 glass, 9 heat, and 9 WiFi.";
    let run = rich(&["-extras"], "undo roll 12 undo build-road 60 improve 37 undo undo undo status log residences\n");
    let text = run.stdout_text();
    assert_eq!(text.matches("There is nothing to undo.\n").count(), 3, "{text}");
    assert_eq!(text.matches(status).count(), 2, "at the beginning and again:\n{text}");
    let log = "> turn 1, Blue: roll 12; Red gains 1 WIFI\n> Blue has built:\n37 B\n20 B\n> ";
    assert!(text.contains(log), "{text}");
    let again = rich(&["-extras"], "roll 12 improve 37 build-road 60 undo log save a.sv next undo\n");
    let text = again.stdout_text();
    assert!(text.contains("> turn 1, Blue: roll 12; Red gains 1 WIFI\nturn 1, Blue: improve 37\n> "), "{text}");
    assert!(text.ends_with("> There is nothing to undo.\n> "), "the turn has ended:\n{text}");
    assert!(again.file_text("a.sv").unwrap().contains("\n9 9 7 6 9 r 55 h 37 H 20 B\n"));
}

#[test]
fn hint_names_three_actions_with_win_rates() {
    let run = rich(&["-extras", "-playouts", "300"], "hint roll 12 hint\n");
    let text = run.stdout_text();
    let hints: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.trim_start_matches("> "))
        .filter_map(|line| line.split_once(" % (standard error ")?.0.split_once(": "))
        .collect();
    assert_eq!(hints.len(), 4, "{text}");
    assert_eq!(hints[0].0, "roll");
    let chances: Vec<u32> = hints.iter().map(|(_, chance)| chance.parse().unwrap()).collect();
    assert!(chances[1] >= chances[2] && chances[2] >= chances[3] && chances[1] <= 100, "{text}");
    assert!(hints[1..].iter().all(|(action, _)| action.contains(' ') || *action == "next"), "{text}");
}

#[test]
fn controller_command_changes_who_plays() {
    let run = rich(
        &["-extras"],
        "computer easy\nno\nno\nno\nnext\ncomputer HARDER\nhuman green\nroll 12 log\nhuman blue\nnext\n",
    );
    let text = run.stdout_text();
    assert!(text.contains("> A greedy player plays Blue.\n> fair\n> roll\n"), "the computer plays at once:\n{text}");
    assert!(text.contains("Unknown player; choose one of random, greedy, classic, normal, hard, expert.\n"), "{text}");
    assert!(text.contains("Unknown colour; choose one of Blue, Red, Orange, Yellow.\n"), "{text}");
    // The computer ended Blue's turn, so `next` came before Red's roll.
    assert!(text.contains("Builder Red's turn."), "{text}");
    assert!(text.contains("> Invalid command.\n"), "{text}");
    assert!(text.contains("Blue: roll "), "{text}");
    // All four are handed over, and the input ends before the question to play again.
    let run = rich(&["-extras", "-players", "human,easy,easy,normal"], "computer normal\n");
    assert!(run.stdout_text().ends_with("Would you like to play again?\n> no\n"), "{}", run.stdout_text());
}
