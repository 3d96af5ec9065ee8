//! The strings, symbols and switches of the contracts, written a second time for the reference program.

/// An edition of the reference program.
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the contract, one by one")]
pub struct SpecStrings {
    pub name: &'static str,
    pub figure: &'static str,
    /// The column of a resource's name, relative to the bar or stroke on its row.
    pub name_offset: usize,
    /// The format of a tile's value.
    pub value_width: usize,
    pub value_gap: usize,
    pub person: &'static str,
    pub question: &'static str,
    /// The five resources and the park.
    pub kinds: [&'static str; 6],
    pub points: &'static str,
    pub counted: [&'static str; 5],
    pub built: &'static str,
    /// The symbols of residences on the board and in lists, and of a road.
    pub drawn: [char; 3],
    pub listed: [char; 3],
    pub road: char,
    /// The words before roads and residences in a saved game.
    pub saved: [&'static str; 2],
    /// The commands with other names.
    pub list: &'static str,
    pub pave: &'static str,
    pub found: &'static str,
    pub help: [&'static str; 10],
    pub geese_on_park: bool,
    pub homes_stop_roads: bool,
    /// Whether the second basement of the setup gives one unit of each resource around it.
    pub second_basement_produces: bool,
    pub fair_at_first: bool,
    pub board_at_each_turn: bool,
    pub layout_file: bool,
}

const CONSTRUCTOR_STRINGS: SpecStrings = SpecStrings {
    name: "constructor",
    figure: include_str!("../figures/constructor-board.txt"),
    name_offset: 3,
    value_width: 4,
    value_gap: 2,
    person: "Builder",
    question: "where do you want to build a basement?",
    kinds: ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI", "PARK"],
    points: "building points",
    counted: ["brick", "energy", "glass", "heat", "WiFi"],
    built: "has built:",
    drawn: ['B', 'H', 'T'],
    listed: ['B', 'H', 'T'],
    road: 'R',
    saved: ["r", "h"],
    list: "residences",
    pave: "build-road",
    found: "build-res",
    help: [
        "board",
        "status",
        "residences",
        "build-road <edge#>",
        "build-res <housing#>",
        "improve <housing#>",
        "trade <colour> <give> <take>",
        "next",
        "save <file>",
        "help",
    ],
    geese_on_park: true,
    homes_stop_roads: true,
    second_basement_produces: false,
    fair_at_first: false,
    board_at_each_turn: true,
    layout_file: true,
};

pub static WATAN: SpecStrings = SpecStrings {
    name: "watan",
    figure: include_str!("../figures/watan-board.txt"),
    name_offset: 6,
    value_width: 9,
    value_gap: 7,
    person: "Student",
    question: "where do you want to complete an Assignment?",
    kinds: ["CAFFEINE", "LAB", "LECTURE", "STUDY", "TUTORIAL", "NETFLIX"],
    points: "course criteria",
    counted: ["caffeines", "labs", "lectures", "studies", "tutorials"],
    built: "has completed:",
    drawn: ['A', 'M', 'E'],
    listed: ['1', '2', '3'],
    road: 'A',
    saved: ["g", "c"],
    list: "criteria",
    pave: "achieve",
    found: "complete",
    help: [
        "board",
        "status",
        "criteria",
        "achieve <goal>",
        "complete <criterion>",
        "improve <criterion>",
        "trade <colour> <give> <take>",
        "next",
        "save <file>",
        "help",
    ],
    geese_on_park: false,
    homes_stop_roads: false,
    second_basement_produces: false,
    fair_at_first: true,
    board_at_each_turn: false,
    layout_file: false,
};

pub static CONSTRUCTOR: SpecStrings = CONSTRUCTOR_STRINGS;

pub static CONSTRUCTOR_2024: SpecStrings =
    SpecStrings { name: "constructor-2024", second_basement_produces: true, ..CONSTRUCTOR_STRINGS };

/// The editions in the order of the program's.
pub static ALL: [&SpecStrings; 3] = [&CONSTRUCTOR, &WATAN, &CONSTRUCTOR_2024];
