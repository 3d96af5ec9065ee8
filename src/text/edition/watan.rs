//! Students of Watan, as of Fall 2019.

use super::{BoardTemplate, CommandKind, CommandSpec, Edition, Strings, Symbols};
use crate::game::Rules;
use crate::session::DiceKind;

/// Students of Watan: students, criteria and goals on a board of hexagons.
pub const WATAN: Edition = Edition {
    name: "watan",
    about: "Students of Watan, Fall 2019: students with assignments",
    strings: Strings {
        colours: ["Blue", "Red", "Orange", "Yellow"],
        title: "Student",
        player: "student",
        players: "students",
        resources: ["CAFFEINE", "LAB", "LECTURE", "STUDY", "TUTORIAL"],
        park: "NETFLIX",
        geese: "geese",
        setup_question: "where do you want to complete an Assignment?",
        points: "course criteria",
        resource_plurals: ["caffeines", "labs", "lectures", "studies", "tutorials"],
        residences_heading: "has completed:",
        vertex: "criterion",
        edge: "goal",
        road: "goal",
        residences: ["assignment", "midterm", "exam"],
    },
    commands: &[
        CommandSpec { kind: CommandKind::Board, usage: "board" },
        CommandSpec { kind: CommandKind::Status, usage: "status" },
        CommandSpec { kind: CommandKind::Residences, usage: "criteria" },
        CommandSpec { kind: CommandKind::BuildRoad, usage: "achieve <goal>" },
        CommandSpec { kind: CommandKind::BuildBasement, usage: "complete <criterion>" },
        CommandSpec { kind: CommandKind::Improve, usage: "improve <criterion>" },
        CommandSpec { kind: CommandKind::Trade, usage: "trade <colour> <give> <take>" },
        CommandSpec { kind: CommandKind::Next, usage: "next" },
        CommandSpec { kind: CommandKind::Save, usage: "save <file>" },
        CommandSpec { kind: CommandKind::Help, usage: "help" },
    ],
    template: BoardTemplate::new(include_str!("watan.txt")),
    symbols: Symbols {
        road: b'A',
        residences: *b"AME",
        letters: ["1", "2", "3"],
        saved_roads: "g",
        saved_residences: "c",
        geese: "GEESE",
    },
    rules: Rules { geese_start_on_park: false, residences_stop_roads: false, second_basement_produces: false },
    first_dice: DiceKind::Fair,
    board_at_each_turn: false,
    layout_file: None,
};
