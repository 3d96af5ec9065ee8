//! Invalid states and their error messages.

use penguins::state_file::StateFile;

use crate::program::{Folder, Run};

/// A text, and what is stdout of it.
const INVALID: [(&str, &str); 41] = [
    ("", "1:1: the file is empty: it should begin with the numbers of rows and columns"),
    ("\n \r\n", "1:1: the file is empty: it should begin with the numbers of rows and columns"),
    ("x\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("2\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("  1 2 3\n", "1:3: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("0 1\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 0\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("101 1\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 101\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 -1\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 +1\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 1.0\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("1 99999999999999999999\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("\n1 1\n10\n", "1:1: the first line should be the numbers of rows and columns, each from 1 to 100"),
    ("2 1\n10\n", "3:1: row 2 of the board's 2 is missing"),
    ("1 1", "2:1: row 1 of the board's 1 is missing"),
    ("1 2\n10\n", "2:3: this row of the board has 1 fields and should have 2"),
    ("2 2\n10 10\n\n10 10\n", "3:1: this row of the board has 0 fields and should have 2"),
    ("1 2\n10 10 10\n", "2:7: this row of the board goes on after its 2 fields: '10'"),
    ("1 1\n10 x\n", "2:4: this row of the board goes on after its 1 fields: 'x'"),
    ("1 2\n10 1\n", "2:4: a field is two digits, fish and player, and not '1'"),
    ("1 2\n10 100\n", "2:4: a field is two digits, fish and player, and not '100'"),
    ("1 2\n  1x 10\n", "2:3: a field is two digits, fish and player, and not '1x'"),
    ("1 1\n-1\n", "2:1: a field is two digits, fish and player, and not '-1'"),
    ("1 1\né\n", "2:1: a field is two digits, fish and player, and not 'é'"),
    ("1 2\n10 40\n", "2:4: a field has 0 to 3 fish, and not 4"),
    ("1 1\n91\n", "2:1: a field has 0 to 3 fish, and not 9"),
    ("1 1\n10\nA 1\n", "3:1: a player's row is an id, a number and a score: three items, and not 2"),
    ("1 1\n10\n A 1 2 3\n", "3:2: a player's row is an id, a number and a score: three items, and not 4"),
    ("1 1\n10\n\nA 1 0\n", "3:1: a player's row is an id, a number and a score: three items, and not 0"),
    ("2 1\n10\n10\n10\n", "4:1: a player's row is an id, a number and a score: three items, and not 1"),
    ("1 1\n10\nA 0 1\n", "3:3: a player's number is 1 to 9, and not '0'"),
    ("1 1\n10\nA 10 1\n", "3:3: a player's number is 1 to 9, and not '10'"),
    ("1 1\n10\nA x 1\n", "3:3: a player's number is 1 to 9, and not 'x'"),
    ("1 1\n10\nA 257 1\n", "3:3: a player's number is 1 to 9, and not '257'"),
    ("1 1\n10\nA 1 0\nB 1 0\n", "4:3: number 1 belongs to the player in line 3 already"),
    ("1 1\n10\nA 1 0\nB 2 0\nA 3 0\n", "5:1: the id 'A' belongs to the player in line 3 already"),
    ("1 1\n10\nA 1 x\n", "3:5: a score is a number from 0, and not 'x'"),
    ("1 1\n10\nA 1 -1\n", "3:5: a score is a number from 0, and not '-1'"),
    ("1 1\n10\nA 1 1.5\n", "3:5: a score is a number from 0, and not '1.5'"),
    ("1 1\n1\u{1b}[31m\n", "2:1: a field is two digits, fish and player, and not '1\\u{1b}[31m'"),
];

#[test]
fn parse_reports_line_and_column() {
    for (text, message) in INVALID {
        let invalid = StateFile::parse(text.as_bytes()).map(drop).map_err(|invalid| invalid.to_string());
        assert_eq!(invalid, Err(message.to_owned()), "{text:?}");
    }
}

#[test]
fn program_exits_with_2_and_keeps_invalid_file() {
    for (text, message) in INVALID {
        for args in ["phase=movement board.txt out.txt", "phase=placement penguins=1 board.txt board.txt"] {
            let folder = Folder::new();
            folder.write("board.txt", text);
            let stderr = format!("penguins: board.txt:{message}\n");
            assert_eq!(folder.run(args), Run { status: Some(2), stdout: String::new(), stderr }, "{text:?}");
            assert_eq!(folder.names(), ["board.txt"]);
            assert_eq!(folder.read("board.txt").as_deref(), Some(text));
        }
    }
}
