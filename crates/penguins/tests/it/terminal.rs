//! `penguins play`.

use crate::program::{Folder, Run, run};

/// A board of one row with few moves.
const ROW: &str = "1 6\n10 20 10 10 30 10\n";

fn typed(folder: &Folder, args: &str, input: &str) -> Run {
    run(folder.command().args(args.split_whitespace()).write_stdin(input))
}

#[test]
fn play_two_people_to_the_end() {
    let folder = Folder::new();
    folder.write("board.txt", ROW);
    let game = typed(&folder, "play board.txt players=human,human penguins=1", "a1\n1 4\na1 a3\na4 a6\n");
    let expected = "\
Type help for a list of commands.
         1   2   3   4   5   6
  1 a    1   2   1   1   3   1
human-1, player 1, 0 fish, place a penguin> human-1 places a penguin on a1: 1 fish.
         1   2   3   4   5   6
  1 a   [1]  2   1   1   3   1
human-2, player 2, 0 fish, place a penguin> human-2 places a penguin on a4: 1 fish.
All penguins are placed. They begin to move.
         1   2   3   4   5   6
  1 a   [1]  2   1  [2]  3   1
human-1, player 1, 1 fish, move a penguin> human-1 slides from a1 to a3: 1 fish.
         1   2   3   4   5   6
  1 a    ~   2  [1] [2]  3   1
human-2, player 2, 1 fish, move a penguin> human-2 slides from a4 to a6: 1 fish.
         1   2   3   4   5   6
  1 a    ~   2  [1]  ~   3  [2]
human-1, player 1, 2 fish, move a penguin> \n";
    assert_eq!(game, Run { status: Some(0), stdout: expected.to_owned(), stderr: String::new() });
    let game = typed(&folder, "play board.txt players=human,human penguins=1", "a1\na4\na1 a3\na4 a6\na3 a2\na6 a5\n");
    let end = "\
human-2, player 2, 2 fish, move a penguin> human-2 slides from a6 to a5: 3 fish.
         1   2   3   4   5   6
  1 a    ~  [1]  ~   ~  [2]  ~
Nobody can move any more.
human-2  5 fish
human-1  4 fish
";
    assert!(game.stdout.ends_with(end), "{}", game.stdout);
}

#[test]
fn play_explains_bad_input() {
    let folder = Folder::new();
    folder.write("board.txt", "2 5\n10 10 10 00 10\n20 00 10 10 00\n");
    let input = "b1\nb2\na1\na1\na3\nx9\nz1\na1\n3\n3 x\na1 a1\na1 b3\na1 a5\na1 a3\nb1 a1\na1 a4\nmoves a9\nmoves\nmoves a1\nsave\n\n";
    let game = typed(&folder, "play board.txt players=human,human penguins=1", input);
    let stdout: Vec<&str> =
        game.stdout.lines().filter_map(|line| line.split_once("> ")).map(|(_, stdout)| stdout).collect();
    let expected = [
        "b1 has 2 fish; penguins are placed on floes with exactly one",
        "b2 is water",
        "human-1 places a penguin on a1: 1 fish.",
        "a penguin of player 1 is on a1",
        "human-2 places a penguin on a3: 1 fish.",
        "to move a penguin, name its field and its target, such as b7 b3",
        "to move a penguin, name its field and its target, such as b7 b3",
        "to move a penguin, name its field and its target, such as b7 b3",
        "'3' is a row: the column is missing, as in 3 7",
        "'x' is no column: a column is a number from 1",
        "the penguin is on a1 already",
        "a1 and b3 are neither in one row nor in one column",
        "blocked by the penguin at a3",
        "a penguin of player 2 is on a3",
        "no penguin of player 1 is on b1",
        "blocked by the penguin at a3",
        "none of your penguins is there",
        "a1 to b1 a2",
        "a1 to b1 a2",
        "name one file, such as save game.txt",
    ];
    assert_eq!(stdout[..expected.len()], expected);
    let words =
        typed(&folder, "play board.txt players=human,human penguins=1", "jump\nmoves\nmoves jump\nmoves a1 a2\nhelp\n");
    assert!(words.stdout.contains("> 'jump' is no field: fields are named like b7, or 2 7\n"), "{}", words.stdout);
    assert!(words.stdout.contains("> a1 a2 a3 a5 b3 b4\n"), "{}", words.stdout);
    assert!(words.stdout.contains("> name one of your penguins, such as moves b7\n"), "{}", words.stdout);
    for command in ["moves", "hint", "undo", "board", "save", "load", "help", "quit"] {
        assert!(words.stdout.contains(&format!("\n  {command}")), "{command}");
    }
}

#[test]
fn play_undo_save_and_load() {
    let folder = Folder::new();
    folder.write("board.txt", ROW);
    let args = "play board.txt players=human,human penguins=1";
    let undone = typed(&folder, args, "undo\na1\nundo\na3\nsave game.txt\na6\na3 a2\nsave later.txt\n");
    assert!(undone.stdout.contains("> there is nothing to undo\n"), "{}", undone.stdout);
    assert!(undone.stdout.contains("> saved in game.txt\n"));
    // Once all have begun, the player to act comes first.
    assert_eq!(folder.read("game.txt").unwrap(), "1 6\n10 20 01 10 30 10\nhuman-1 1 1\n");
    assert_eq!(folder.read("later.txt").unwrap(), "1 6\n10 01 00 10 30 02\nhuman-2 2 1\nhuman-1 1 3\n");
    let loaded = typed(&folder, args, "load game.txt\na1\n");
    assert!(
        loaded.stdout.contains("human-2, player 2, 0 fish, place a penguin> human-2 places a penguin on a1"),
        "{}",
        loaded.stdout
    );
    let over = typed(&folder, args, "load later.txt\na6 a4\na2 a1\na4 a5\n");
    assert!(over.stdout.contains("Nobody can move any more.\nhuman-2  5 fish\nhuman-1  4 fish\n"), "{}", over.stdout);
    folder.write("bad.txt", "1 1\n07\n");
    let bad = typed(&folder, args, "load no.txt\nload bad.txt\nsave no/file.txt\n");
    assert!(bad.stdout.contains("> no.txt: No such file or directory\n"), "{}", bad.stdout);
    assert!(bad.stdout.contains("> bad.txt:2:1: a penguin of player 7, who has no row\n"), "{}", bad.stdout);
    assert!(bad.stdout.contains("> no/file.txt: not saved: No such file or directory\n"), "{}", bad.stdout);
}

#[test]
fn play_skips_blocked_player_with_notice() {
    let folder = Folder::new();
    folder.write("board.txt", "1 5\n10 00 10 20 10\n");
    let game = typed(&folder, "play board.txt players=human,human penguins=1", "a1\na3\na3 a4\na4 a5\n");
    assert_eq!(game.stdout.matches("human-1 cannot move any more and is skipped.\n").count(), 1, "{}", game.stdout);
    assert!(game.stdout.ends_with("human-2  4 fish\nhuman-1  1 fish\n"), "{}", game.stdout);
}

#[test]
fn play_against_computer_with_hints() {
    let folder = Folder::new();
    let game = typed(&folder, "play players=best,greedy,first,random rows=4 cols=5 penguins=1 seed=2 time=5", "");
    assert_eq!((game.status, game.stderr.as_str()), (Some(0), ""));
    assert!(
        game.stdout.contains("best-1 places a penguin on ") && game.stdout.contains("random-4 places a penguin on ")
    );
    assert!(game.stdout.contains("Nobody can move any more.\n"), "{}", game.stdout);
    folder.write("board.txt", "1 3\n20 10 20\n");
    let hint = typed(&folder, "play board.txt players=human,human penguins=1 time=5", "hint\nquit\n");
    assert!(
        hint.stdout.ends_with("place a penguin> hint: a2\nhuman-1, player 1, 0 fish, place a penguin> "),
        "{}",
        hint.stdout
    );
}

#[test]
fn play_reports_errors() {
    let folder = Folder::new();
    folder.write("bad.txt", "1 1\n");
    let expected = "2 to 9 of human, best, greedy, first, random, with commas between them";
    for (args, status, message) in [
        ("play players=human", 3, format!("players=human: expected {expected}")),
        ("play players=human,worst", 3, format!("players=human,worst: expected {expected}")),
        ("play board.txt more", 3, "unexpected word 'more'".to_owned()),
        ("play board.txt", 2, "board.txt: No such file or directory".to_owned()),
        ("play bad.txt", 2, "bad.txt:2:1: row 1 of 1 of the board is missing".to_owned()),
    ] {
        folder.refuses(args, status, &message);
    }
}

/// With the feature `interactive`, a person decides.
#[test]
#[cfg(feature = "interactive")]
fn interactive_feature_asks_a_person() {
    let folder = Folder::new();
    folder.write("board.txt", ROW);
    let run = typed(&folder, "phase=placement penguins=1 board.txt board.txt", "moves\na2\nb9\na4\n");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("player 1, place a penguin> a1 a3 a4 a6\n"), "{}", run.stdout);
    assert_eq!(folder.read("board.txt").unwrap(), "1 6\n10 20 10 01 30 10\nTuxedo 1 1\n");
    let run = typed(&folder, "phase=movement board.txt board.txt", "");
    assert_eq!((run.status, run.stderr.as_str()), (Some(3), "penguins: no decision was made\n"));
}
