//! Students of Watan, the game of the Fall 2019 term.

use super::{CommandWords, Edition, Figure, Marks, Verb, Words};
use crate::dice::DiceKind;
use crate::game::Rules;

/// Students, criteria and goals on a board of hexagons.
pub const WATAN: Edition = Edition {
    name: "watan",
    words: Words {
        colours: ["Blue", "Red", "Orange", "Yellow"],
        title: "Student",
        player: "student",
        players: "students",
        resources: ["CAFFEINE", "LAB", "LECTURE", "STUDY", "TUTORIAL"],
        park: "NETFLIX",
        geese: "geese",
        setup_question: "where do you want to complete an Assignment?",
        points: "course criteria",
        counted: ["caffeines", "labs", "lectures", "studies", "tutorials"],
        residences_heading: "has completed:",
    },
    commands: &[
        CommandWords { verb: Verb::Board, usage: "board" },
        CommandWords { verb: Verb::Status, usage: "status" },
        CommandWords { verb: Verb::Residences, usage: "criteria" },
        CommandWords { verb: Verb::BuildRoad, usage: "achieve <goal>" },
        CommandWords { verb: Verb::BuildBasement, usage: "complete <criterion>" },
        CommandWords { verb: Verb::Improve, usage: "improve <criterion>" },
        CommandWords { verb: Verb::Trade, usage: "trade <colour> <give> <take>" },
        CommandWords { verb: Verb::Next, usage: "next" },
        CommandWords { verb: Verb::Save, usage: "save <file>" },
        CommandWords { verb: Verb::Help, usage: "help" },
    ],
    figure: Figure::new(include_str!("watan.txt")),
    marks: Marks {
        road: b'A',
        residences: *b"AME",
        listed: ["1", "2", "3"],
        saved_roads: "g",
        saved_residences: "c",
        geese: "GEESE",
    },
    rules: Rules { geese_start_on_park: false, residences_stop_roads: false },
    first_dice: DiceKind::Fair,
    board_at_each_turn: false,
    layout_file: None,
};
