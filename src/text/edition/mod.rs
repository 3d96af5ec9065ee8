//! Editions: the same game with other words, another board drawing and a few other rules.
//!
//! An edition is one value. Nothing outside this module depends on which edition is played.

mod constructor;
mod template;
mod watan;

use crate::board::{LayoutSource, Resource, Terrain};
use crate::game::{Builder, Hand, PlacementConflict, Residence, Rules, SavedGame};
use crate::session::{DiceKind, Session, SessionStart};

pub use constructor::{CONSTRUCTOR, CONSTRUCTOR_2024};
pub use template::{BoardTemplate, COMPACT_BOARD, Place, PlaceChoice, TemplateField};
pub use watan::WATAN;

/// The editions, the default one first.
pub static EDITIONS: [Edition; 3] = [CONSTRUCTOR, WATAN, CONSTRUCTOR_2024];

/// An edition of the game.
///
/// ```
/// use constructor::text::{EDITIONS, Edition};
/// assert_eq!(Edition::by_name("watan").map(|edition| edition.strings.title), Some("Student"));
/// assert_eq!(Edition::standard().name, EDITIONS[0].name);
/// ```
#[derive(Clone, Debug)]
pub struct Edition {
    /// The name for `-edition`. A program with this name plays the edition by default.
    pub name: &'static str,
    /// A line about the edition, for a person who chooses one.
    pub about: &'static str,
    /// The names of things.
    pub strings: Strings,
    /// The commands of a turn, in the order in which `help` lists them.
    pub commands: &'static [CommandSpec],
    /// The template from which the board is drawn.
    pub template: BoardTemplate,
    /// How things are marked on the board, in lists and in saved games.
    pub symbols: Symbols,
    /// The rules.
    pub rules: Rules,
    /// The dice with which every builder starts.
    pub first_dice: DiceKind,
    /// Whether the board is printed at the start of every turn. Otherwise it is printed only before and after the setup.
    pub board_at_each_turn: bool,
    /// The default layout file; if `None`, a random layout is drawn by default.
    pub layout_file: Option<&'static str>,
}

/// Editions are equal if their names are.
impl PartialEq for Edition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Edition {
    /// Returns the edition that is played by default.
    #[must_use]
    pub fn standard() -> &'static Self {
        &EDITIONS[0]
    }

    /// Returns the edition with this name, if there is one.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        EDITIONS.iter().find(|edition| edition.name == name)
    }

    /// Makes a new [`Session`] with the rules and the dice of this edition.
    #[must_use]
    pub fn new_session(&self, source: Box<dyn LayoutSource>, seed: u64) -> Session {
        Session::new(self.rules, self.first_dice, source, seed)
    }

    /// Begins a [`Session`] that continues a saved game with the rules and the dice of this edition.
    ///
    /// # Errors
    /// When two roads are on one edge, or two residences on one vertex.
    pub fn resume_session(&self, saved: &SavedGame, seed: u64) -> Result<Session, PlacementConflict> {
        Session::resume(self.rules, self.first_dice, saved, seed)
    }

    /// Begins a [`Session`] from a start, with the rules and the dice of this edition.
    ///
    /// # Errors
    /// When two roads of a saved game are on one edge, or two residences on one vertex.
    pub fn open_session(&self, start: &SessionStart, seed: u64) -> Result<Session, PlacementConflict> {
        start.session(self.rules, self.first_dice, seed)
    }

    /// Returns the name of a builder's colour.
    #[must_use]
    pub const fn colour(&self, builder: Builder) -> &'static str {
        self.strings.colours[builder.index()]
    }

    /// Returns the first letter of a builder's colour, which marks what the builder owns on the board.
    #[must_use]
    pub fn initial(&self, builder: Builder) -> u8 {
        self.colour(builder).bytes().next().unwrap_or(b'?')
    }

    /// Returns the builder with this colour, in any case.
    ///
    /// ```
    /// use constructor::game::Builder;
    /// use constructor::text::CONSTRUCTOR;
    /// assert_eq!(CONSTRUCTOR.parse_builder(b"RED"), Some(Builder::Red));
    /// assert_eq!(CONSTRUCTOR.parse_builder(b"green"), None);
    /// ```
    #[must_use]
    pub fn parse_builder(&self, word: &[u8]) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| word.eq_ignore_ascii_case(self.colour(builder).as_bytes()))
    }

    /// Parses a builder's colour, in any case.
    ///
    /// # Errors
    /// A message that lists the colours.
    pub fn parse_builder_or_list(&self, word: &[u8]) -> Result<Builder, String> {
        self.parse_builder(word)
            .ok_or_else(|| format!("Unknown colour; choose one of {}.", self.strings.colours.join(", ")))
    }

    /// Returns the name of a resource.
    #[must_use]
    pub const fn resource_name(&self, resource: Resource) -> &'static str {
        self.strings.resources[resource.index()]
    }

    /// Returns the units of a hand: `1 BRICK, 2 WIFI`.
    ///
    /// ```
    /// use constructor::game::Hand;
    /// use constructor::text::CONSTRUCTOR;
    /// assert_eq!(CONSTRUCTOR.units(Hand::new([1, 0, 0, 0, 2])), "1 BRICK, 2 WIFI");
    /// ```
    #[must_use]
    pub fn units(&self, hand: Hand) -> String {
        let units = hand.iter().map(|(resource, count)| format!("{count} {}", self.resource_name(resource)));
        units.collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of what a tile is: its resource and value, such as "WIFI on 8", or the park.
    #[must_use]
    pub fn terrain_name(&self, terrain: Terrain) -> String {
        match terrain {
            Terrain::Resource(resource, value) => format!("{} on {}", self.resource_name(resource), value.value()),
            Terrain::Park => self.strings.park.to_owned(),
        }
    }

    /// Returns a different letter for each resource: the first letter of the resource's name that no earlier resource uses.
    ///
    /// ```
    /// use constructor::text::{CONSTRUCTOR, WATAN};
    /// assert_eq!(CONSTRUCTOR.resource_letters(), ['B', 'E', 'G', 'H', 'W']);
    /// assert_eq!(WATAN.resource_letters(), ['C', 'L', 'E', 'S', 'T']);
    /// ```
    #[must_use]
    pub fn resource_letters(&self) -> [char; Resource::COUNT] {
        let mut letters = ['\0'; Resource::COUNT];
        for index in 0..Resource::COUNT {
            let name = self.strings.resources[index];
            letters[index] = name.chars().find(|letter| !letters.contains(letter)).unwrap_or('?');
        }
        letters
    }

    /// Returns the resource with this name, in any case.
    #[must_use]
    pub fn parse_resource(&self, word: &[u8]) -> Option<Resource> {
        let is_named =
            |resource: &Resource| word.eq_ignore_ascii_case(self.strings.resources[resource.index()].as_bytes());
        Resource::ALL.into_iter().find(is_named)
    }
}

/// The names of things in an edition.
#[derive(Clone, Debug)]
pub struct Strings {
    /// The colours of the four players.
    pub colours: [&'static str; Builder::COUNT],
    /// The title of a player, such as `Builder`.
    pub title: &'static str,
    /// The word for a player, such as `builder`.
    pub player: &'static str,
    /// The plural of that word, such as `builders`.
    pub players: &'static str,
    /// The names of the resources on tiles, in gains and in trades.
    pub resources: [&'static str; Resource::COUNT],
    /// The name of a tile without a resource.
    pub park: &'static str,
    /// The geese.
    pub geese: &'static str,
    /// The question of the setup, after the player's title and colour.
    pub setup_question: &'static str,
    /// The word for points, such as `building points`.
    pub points: &'static str,
    /// The names of the resources in a status, after a number.
    pub resource_plurals: [&'static str; Resource::COUNT],
    /// The heading of the list of a player's residences, after the colour.
    pub residences_heading: &'static str,
    /// The players' word for a vertex.
    pub vertex: &'static str,
    /// The players' word for an edge.
    pub edge: &'static str,
    /// The word for a road, such as `road`.
    pub road: &'static str,
    /// The words for the kinds of residence, such as `basement`.
    pub residences: [&'static str; Residence::COUNT],
}

/// How things are marked on the board, in lists and in saved games.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// The character for a road on the board, written after the owner's initial.
    pub road: u8,
    /// The characters for the kinds of residence on the board, written after the owner's initial.
    pub residences: [u8; Residence::COUNT],
    /// The marks for the kinds of residence in lists and in saved games.
    pub letters: [&'static str; Residence::COUNT],
    /// The word before the roads in a saved game.
    pub saved_roads: &'static str,
    /// The word before the residences in a saved game.
    pub saved_residences: &'static str,
    /// The mark for the geese on the board.
    pub geese: &'static str,
}

/// The kinds of command of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// Prints the board.
    Board,
    /// Prints the status of all players.
    Status,
    /// Lists the current player's residences.
    Residences,
    /// Builds a road.
    BuildRoad,
    /// Builds a basement.
    BuildBasement,
    /// Improves a residence.
    Improve,
    /// Offers a trade.
    Trade,
    /// Ends the turn.
    Next,
    /// Saves the game.
    Save,
    /// Lists the commands.
    Help,
}

impl CommandKind {
    /// Describes the effect of a command of this kind.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Board => "prints the board",
            Self::Status => "prints points and resources of all players",
            Self::Residences => "lists what you have built",
            Self::BuildRoad => "builds on an edge next to what you have built",
            Self::BuildBasement => "builds on a free vertex at the end of one of your edges",
            Self::Improve => "improves what you have built on a vertex",
            Self::Trade => "offers one unit for one",
            Self::Next => "ends your turn",
            Self::Save => "saves the game",
            Self::Help => "lists the commands",
        }
    }
}

/// A command of a turn.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// The kind of the command.
    pub kind: CommandKind,
    /// The line in the help: the name and a placeholder for each argument.
    pub usage: &'static str,
}

impl CommandSpec {
    /// Returns the command's name, as it is typed.
    ///
    /// ```
    /// use constructor::text::{CommandKind, CommandSpec};
    /// let save = CommandSpec { kind: CommandKind::Save, usage: "save <file>" };
    /// assert_eq!(save.name(), "save");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}
