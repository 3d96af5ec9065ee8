//! Editions: the same game in other words, with other drawings and a few other rules.
//!
//! An edition is one value. The rules, the dialogue and the saved games ask it; nothing outside this module knows which
//! edition is played.

mod constructor;
mod figure;
mod watan;

use crate::board::Resource;
use crate::dice::DiceKind;
use crate::game::{Action, Builder, Residence, Rules};

pub use constructor::CONSTRUCTOR;
pub use figure::{Figure, Slot};
pub use watan::WATAN;

/// The editions that can be played, the usual one first.
pub static EDITIONS: [Edition; 2] = [CONSTRUCTOR, WATAN];

/// An edition of the game.
///
/// ```
/// use constructor::edition::{EDITIONS, Edition};
/// assert_eq!(Edition::named("watan").map(|edition| edition.words.title), Some("Student"));
/// assert_eq!(Edition::usual().name, EDITIONS[0].name);
/// ```
#[derive(Clone, Debug)]
pub struct Edition {
    /// What it is called on the command line; the program plays it too when this is its own name.
    pub name: &'static str,
    /// What things are called.
    pub words: Words,
    /// The words of the commands of a turn, in the order in which `help` lists them.
    pub commands: &'static [CommandWords],
    /// How the board is drawn.
    pub figure: Figure,
    /// How things are written on the drawing and in lists.
    pub marks: Marks,
    /// The few rules in which editions differ.
    pub rules: Rules,
    /// The dice with which every builder starts.
    pub first_dice: DiceKind,
    /// Whether the board is printed at the beginning of every turn; otherwise only once, after the setup.
    pub board_at_each_turn: bool,
    /// The file from which the layout is read when no option says where it comes from; `None` draws it.
    pub layout_file: Option<&'static str>,
}

impl Edition {
    /// The edition that is played when nothing else is asked for.
    #[must_use]
    pub fn usual() -> &'static Self {
        &EDITIONS[0]
    }

    /// The edition of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        EDITIONS.iter().find(|edition| edition.name == name)
    }

    /// What the builder is called.
    #[must_use]
    pub fn colour(&self, builder: Builder) -> &'static str {
        self.words.colours[builder.index()]
    }

    /// The builder who is called so, in capitals or not.
    ///
    /// ```
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::Builder;
    /// assert_eq!(CONSTRUCTOR.builder(b"RED"), Some(Builder::Red));
    /// assert_eq!(CONSTRUCTOR.builder(b"green"), None);
    /// ```
    #[must_use]
    pub fn builder(&self, word: &[u8]) -> Option<Builder> {
        Builder::ALL.into_iter().find(|&builder| word.eq_ignore_ascii_case(self.colour(builder).as_bytes()))
    }

    /// An action as it is typed, in answer to the question that asks for it.
    ///
    /// ```
    /// use constructor::edition::{CONSTRUCTOR, WATAN};
    /// use constructor::game::Action;
    /// use constructor::board::Edge;
    /// let road = Action::BuildRoad(Edge::new(7).unwrap());
    /// assert_eq!([&CONSTRUCTOR, &WATAN].map(|edition| edition.typed(road)), ["build-road 7", "achieve 7"]);
    /// ```
    #[must_use]
    pub fn typed(&self, action: Action) -> String {
        let command = |verb| self.commands.iter().find(|command| command.verb == verb).map_or("", |words| words.name());
        match action {
            Action::Settle(vertex) => vertex.to_string(),
            Action::Roll => "roll".to_owned(),
            Action::MoveGeese(tile) => tile.to_string(),
            Action::Rob(builder) => self.colour(builder).to_owned(),
            Action::BuildRoad(edge) => format!("{} {edge}", command(Verb::BuildRoad)),
            Action::BuildBasement(vertex) => format!("{} {vertex}", command(Verb::BuildBasement)),
            Action::Improve(vertex) => format!("{} {vertex}", command(Verb::Improve)),
            Action::Offer { to, give, take } => {
                let [give, take] = [give, take].map(|resource| self.words.resources[resource.index()]);
                format!("{} {} {give} {take}", command(Verb::Trade), self.colour(to))
            }
            Action::Accept => "yes".to_owned(),
            Action::Refuse => "no".to_owned(),
            Action::EndTurn => command(Verb::Next).to_owned(),
        }
    }
}

/// What things are called in an edition.
#[derive(Clone, Debug)]
pub struct Words {
    /// The colours of the four players; the first letter of each is its mark on the drawing.
    pub colours: [&'static str; Builder::COUNT],
    /// A player, as a title: `Builder`.
    pub title: &'static str,
    /// A player: `builder`.
    pub player: &'static str,
    /// Players: `builders`.
    pub players: &'static str,
    /// The resources, as tiles, gains and trades name them.
    pub resources: [&'static str; Resource::COUNT],
    /// What yields nothing.
    pub park: &'static str,
    /// What takes from those who hold too much: `geese`.
    pub geese: &'static str,
    /// What is asked in the setup, after the player's title, colour and a comma.
    pub setup_question: &'static str,
    /// What is collected to win: `building points`.
    pub points: &'static str,
    /// The resources, as a status counts them.
    pub counted: [&'static str; Resource::COUNT],
    /// What the list of a player's residences says after the colour.
    pub residences_heading: &'static str,
}

/// How things are written on the drawing and in lists.
#[derive(Clone, Debug)]
pub struct Marks {
    /// A road on the drawing, after its owner's initial.
    pub road: u8,
    /// The kinds of residence on the drawing, after the owner's initial.
    pub residences: [u8; Residence::COUNT],
    /// The kinds of residence in lists and in saved games.
    pub listed: [&'static str; Residence::COUNT],
    /// What stands before the roads in a saved game.
    pub saved_roads: &'static str,
    /// What stands before the residences in a saved game.
    pub saved_residences: &'static str,
    /// The geese on the drawing.
    pub geese: &'static str,
}

/// A command of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Prints the board.
    Board,
    /// Prints the status of all players.
    Status,
    /// Prints the current player's residences.
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

/// A command as the help text shows it: its name, and after it a word for each word that it takes.
#[derive(Clone, Copy, Debug)]
pub struct CommandWords {
    /// What it does.
    pub verb: Verb,
    /// Its line in the help text.
    pub usage: &'static str,
}

impl CommandWords {
    /// The word that is typed.
    ///
    /// ```
    /// use constructor::edition::{CommandWords, Verb};
    /// let save = CommandWords { verb: Verb::Save, usage: "save <file>" };
    /// assert_eq!(save.name(), "save");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}
