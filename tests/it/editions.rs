//! An edition is one value: adding one needs no change elsewhere.

use constructor::board::{Layout, Resource, Roll, Terrain, Tile};
use constructor::text::save::{read_game, write_game};
use constructor::text::words::Words;
use constructor::text::{CONSTRUCTOR, CommandKind, CommandSpec, Edition, Strings, Symbols};
use constructor::text::{Dialogue, Output};

/// An edition about keepers on a coral reef.
static REEF: Edition = Edition {
    name: "reef",
    strings: Strings {
        colours: ["Amber", "Coral", "Jade", "Pearl"],
        title: "Keeper",
        player: "keeper",
        players: "keepers",
        resources: ["SAND", "SHELL", "KELP", "SALT", "LIGHT"],
        park: "WRECK",
        geese: "sharks",
        setup_question: "where do you want to dig a den?",
        points: "shoals",
        resource_plurals: ["sand", "shells", "kelp", "salt", "light"],
        residences_heading: "has dug:",
        vertex: "burrow",
        edge: "tunnel",
        road: "tunnel",
        residences: ["hole", "den", "warren"],
    },
    commands: &[
        CommandSpec { kind: CommandKind::BuildRoad, usage: "swim <current>" },
        CommandSpec { kind: CommandKind::Residences, usage: "dens" },
        CommandSpec { kind: CommandKind::Help, usage: "help" },
    ],
    symbols: Symbols {
        road: b'~',
        residences: *b"dgr",
        letters: ["den", "grotto", "reef"],
        saved_roads: "currents",
        saved_residences: "dens",
        geese: "SHARK",
    },
    ..CONSTRUCTOR
};

#[test]
fn edition_is_only_data() {
    let salt = Terrain::Resource(Resource::Heat, Roll::new(8).unwrap());
    let mut ground = [salt; Tile::COUNT];
    ground[4] = Terrain::Park;
    let mut dialogue = Dialogue::new(&REEF, Box::new(Layout::new(ground)), 0);
    let mut text = Output::default();
    dialogue.begin(&mut text);
    for line in ["0 4 10 17 20 30 40 52", "roll 8 swim 0 dens help buy", "next", "roll 7 4 0 amber"] {
        let mut line = Words::new(line.as_bytes());
        while !line.is_blank() {
            dialogue.answer(&mut line, &mut text);
        }
    }
    let text = String::from_utf8(text.bytes().to_vec()).unwrap();
    let mut rest = text.as_str();
    for expected in [
        "                    | 0|-- 0--| 1|\n",
        "                      |  SALT   |\n",
        "  |  SALT   |         |  WRECK  |         |  SALT   |\n",
        "  |         |         |  SHARK  |         |         |\n",
        "Keeper Amber, where do you want to dig a den?\n",
        "                    |Ad|-- 0--| 1|\n",
        "Keeper Amber's turn.\nAmber has 2 shoals, 0 sand, 0 shells, 0 kelp, 0 salt, and 0 light.\n",
        "Keeper Amber gained:\n2 SALT\n",
        "You do not have enough resources.\n",
        "Amber has dug:\n0 den\n52 den\n",
        "Valid commands:\nswim <current>\ndens\nhelp\n",
        "Invalid command.\n",
    ] {
        let found = rest.find(expected).unwrap_or_else(|| panic!("{expected:?} is not in\n{rest}"));
        rest = &rest[found + expected.len()..];
    }
}

#[test]
fn edition_defines_saved_games() {
    let ground = "3 8 ".repeat(Tile::COUNT);
    let text = format!(
        "2\n0 0 1 0 0 currents 0 1 dens 0 grotto\n0 0 0 0 0 currents dens 53 den\n{nothing}{nothing}{}\n-1\n",
        ground.trim_end(),
        nothing = "0 0 0 0 0 currents dens\n",
    );
    let position = read_game(&REEF, text.as_bytes()).unwrap();
    assert_eq!(write_game(&REEF, &position), text);
    let mut dialogue = Dialogue::resume(&REEF, &position, 0).unwrap();
    let mut drawn = Output::default();
    dialogue.begin(&mut drawn);
    assert!(drawn.bytes().starts_with(b"                    |Ag|--A~--| 1|\n"));
    let error = read_game(&CONSTRUCTOR, text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 2: 'currents' is not the mark 'r'");
}
