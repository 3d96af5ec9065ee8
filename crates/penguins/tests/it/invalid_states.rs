//! Invalid states and their error messages.

use penguins::state_file::StateFile;

use crate::program::{Folder, Run};

/// A text, and what is stdout of it.
const INVALID: [(&str, &str); 41] = [
    ("", "1:1: the file is empty: expected the numbers of rows and columns"),
    ("\n \r\n", "1:1: the file is empty: expected the numbers of rows and columns"),
    ("x\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("2\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("  1 2 3\n", "1:3: expected the numbers of rows and columns, each from 1 to 100"),
    ("0 1\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 0\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("101 1\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 101\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 -1\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 +1\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 1.0\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("1 99999999999999999999\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("\n1 1\n10\n", "1:1: expected the numbers of rows and columns, each from 1 to 100"),
    ("2 1\n10\n", "3:1: row 2 of 2 of the board is missing"),
    ("1 1", "2:1: row 1 of 1 of the board is missing"),
    ("1 2\n10\n", "2:3: this row of the board has 1 fields, expected 2"),
    ("2 2\n10 10\n\n10 10\n", "3:1: this row of the board has 0 fields, expected 2"),
    ("1 2\n10 10 10\n", "2:7: unexpected '10' after the 2 fields of this row"),
    ("1 1\n10 x\n", "2:4: unexpected 'x' after the 1 fields of this row"),
    ("1 2\n10 1\n", "2:4: expected a field of two digits (fish and player), found '1'"),
    ("1 2\n10 100\n", "2:4: expected a field of two digits (fish and player), found '100'"),
    ("1 2\n  1x 10\n", "2:3: expected a field of two digits (fish and player), found '1x'"),
    ("1 1\n-1\n", "2:1: expected a field of two digits (fish and player), found '-1'"),
    ("1 1\né\n", "2:1: expected a field of two digits (fish and player), found 'é'"),
    ("1 2\n10 40\n", "2:4: expected 0 to 3 fish, found 4"),
    ("1 1\n91\n", "2:1: expected 0 to 3 fish, found 9"),
    ("1 1\n10\nA 1\n", "3:1: expected a player's row of three items (id, number and score), found 2"),
    ("1 1\n10\n A 1 2 3\n", "3:2: expected a player's row of three items (id, number and score), found 4"),
    ("1 1\n10\n\nA 1 0\n", "3:1: expected a player's row of three items (id, number and score), found 0"),
    ("2 1\n10\n10\n10\n", "4:1: expected a player's row of three items (id, number and score), found 1"),
    ("1 1\n10\nA 0 1\n", "3:3: expected a player's number from 1 to 9, found '0'"),
    ("1 1\n10\nA 10 1\n", "3:3: expected a player's number from 1 to 9, found '10'"),
    ("1 1\n10\nA x 1\n", "3:3: expected a player's number from 1 to 9, found 'x'"),
    ("1 1\n10\nA 257 1\n", "3:3: expected a player's number from 1 to 9, found '257'"),
    ("1 1\n10\nA 1 0\nB 1 0\n", "4:3: number 1 is already taken by the player in line 3"),
    ("1 1\n10\nA 1 0\nB 2 0\nA 3 0\n", "5:1: the id 'A' is already taken by the player in line 3"),
    ("1 1\n10\nA 1 x\n", "3:5: expected a score of decimal digits, found 'x'"),
    ("1 1\n10\nA 1 -1\n", "3:5: expected a score of decimal digits, found '-1'"),
    ("1 1\n10\nA 1 1.5\n", "3:5: expected a score of decimal digits, found '1.5'"),
    ("1 1\n1\u{1b}[31m\n", "2:1: expected a field of two digits (fish and player), found '1\\u{1b}[31m'"),
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
