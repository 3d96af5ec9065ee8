//! Constructor, the game of the Fall 2020 and Spring 2021 terms.

use super::{CommandWords, Edition, Figure, Marks, Verb, Words};
use crate::dice::DiceKind;
use crate::game::Rules;

/// Builders, residences and roads on a board of bricks.
pub const CONSTRUCTOR: Edition = Edition {
    name: "constructor",
    words: Words {
        colours: ["Blue", "Red", "Orange", "Yellow"],
        title: "Builder",
        player: "builder",
        players: "builders",
        resources: ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI"],
        park: "PARK",
        geese: "geese",
        setup_question: "where do you want to build a basement?",
        points: "building points",
        counted: ["brick", "energy", "glass", "heat", "WiFi"],
        residences_heading: "has built:",
    },
    commands: &[
        CommandWords { verb: Verb::Board, usage: "board" },
        CommandWords { verb: Verb::Status, usage: "status" },
        CommandWords { verb: Verb::Residences, usage: "residences" },
        CommandWords { verb: Verb::BuildRoad, usage: "build-road <edge#>" },
        CommandWords { verb: Verb::BuildBasement, usage: "build-res <housing#>" },
        CommandWords { verb: Verb::Improve, usage: "improve <housing#>" },
        CommandWords { verb: Verb::Trade, usage: "trade <colour> <give> <take>" },
        CommandWords { verb: Verb::Next, usage: "next" },
        CommandWords { verb: Verb::Save, usage: "save <file>" },
        CommandWords { verb: Verb::Help, usage: "help" },
    ],
    figure: Figure::new(include_str!("constructor.txt")),
    marks: Marks {
        road: b'R',
        residences: *b"BHT",
        listed: ["B", "H", "T"],
        saved_roads: "r",
        saved_residences: "h",
        geese: "GEESE",
    },
    rules: Rules { geese_start_on_park: true, residences_stop_roads: true },
    first_dice: DiceKind::Loaded,
    board_at_each_turn: true,
    layout_file: Some("layout.txt"),
};
