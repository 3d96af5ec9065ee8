//! Constructor, in two versions of the course.

use super::{BoardTemplate, CommandKind, CommandSpec, Edition, Strings, Symbols};
use crate::game::Rules;
use crate::session::DiceKind;

/// Constructor as of Fall 2020 and Spring 2021: builders, residences and roads on a board of bricks.
pub const CONSTRUCTOR: Edition = Edition {
    name: "constructor",
    about: "Fall 2020 and Spring 2021: builders with residences",
    strings: Strings {
        colours: ["Blue", "Red", "Orange", "Yellow"],
        title: "Builder",
        player: "builder",
        players: "builders",
        resources: ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI"],
        park: "PARK",
        geese: "geese",
        setup_question: "where do you want to build a basement?",
        points: "building points",
        resource_plurals: ["brick", "energy", "glass", "heat", "WiFi"],
        residences_heading: "has built:",
        vertex: "vertex",
        edge: "edge",
        road: "road",
        residences: ["basement", "house", "tower"],
    },
    commands: &[
        CommandSpec { kind: CommandKind::Board, usage: "board" },
        CommandSpec { kind: CommandKind::Status, usage: "status" },
        CommandSpec { kind: CommandKind::Residences, usage: "residences" },
        CommandSpec { kind: CommandKind::BuildRoad, usage: "build-road <edge#>" },
        CommandSpec { kind: CommandKind::BuildBasement, usage: "build-res <housing#>" },
        CommandSpec { kind: CommandKind::Improve, usage: "improve <housing#>" },
        CommandSpec { kind: CommandKind::Trade, usage: "trade <colour> <give> <take>" },
        CommandSpec { kind: CommandKind::Next, usage: "next" },
        CommandSpec { kind: CommandKind::Save, usage: "save <file>" },
        CommandSpec { kind: CommandKind::Help, usage: "help" },
    ],
    template: BoardTemplate::new(include_str!("constructor.txt")),
    symbols: Symbols {
        road: b'R',
        residences: *b"BHT",
        letters: ["B", "H", "T"],
        saved_roads: "r",
        saved_residences: "h",
        geese: "GEESE",
    },
    rules: Rules { geese_start_on_park: true, residences_stop_roads: true, second_basement_produces: false },
    first_dice: DiceKind::Loaded,
    board_at_each_turn: true,
    layout_file: Some("layout.txt"),
};

/// Constructor as of Winter 2024: the second basement of the setup gives one unit of each adjacent tile's resource.
pub const CONSTRUCTOR_2024: Edition = Edition {
    name: "constructor-2024",
    about: "Winter 2024: the second basement brings units at once",
    rules: Rules { second_basement_produces: true, ..CONSTRUCTOR.rules },
    ..CONSTRUCTOR
};
