//! The options of the full-screen game.

use clap::Args;

use super::game::GameOptions;
use super::shared::{number, on_off, one_of};
use crate::tui::{Colours, MAX_PACE_MS};

/// The options of the full-screen game.
#[derive(Clone, PartialEq, Debug, Args)]
#[command(mut_arg("seed", |arg| arg.default_value("random")))]
#[command(mut_arg("players", |arg| arg.help("The player of each builder; or ask on the first page")))]
pub struct TuiOptions {
    /// The options of the game.
    #[command(flatten)]
    pub game: GameOptions,
    /// Milliseconds before a computer's action
    ///
    /// 0 to 60000; computer players and programs wait that long. Without it, as last chosen by keys, and 400 at first.
    #[arg(long, value_name = "MS", value_parser = number(0..=MAX_PACE_MS))]
    pub pace: Option<u64>,
    /// Do not keep the games of this run
    ///
    /// Without it, and without --record, they are kept in $XDG_DATA_HOME/constructor/games, or below ~/.local/share; the command games lists
    /// them.
    #[expect(clippy::doc_markdown, reason = "the text of the help")]
    #[arg(long, conflicts_with = "record")]
    pub no_record: bool,
    /// Colours: auto, none, 16, 256 or true
    ///
    /// With auto, the environment decides: NO_COLOR, COLORTERM and TERM.
    #[expect(clippy::doc_markdown, reason = "the text of the help")]
    #[arg(long, value_name = "HOW", hide_possible_values = true, default_value = "auto", value_parser = one_of(COLOURS))]
    pub colours: ColourChoice,
    /// Background: auto, dark or light
    ///
    /// With auto, COLORFGBG decides; without that, the terminal is asked; without an answer, it is dark.
    #[arg(long, value_name = "KIND", hide_possible_values = true, default_value = "auto", value_parser = one_of(BACKGROUNDS))]
    pub background: Background,
    /// Use ASCII characters only
    ///
    /// This is also so without a UTF-8 locale.
    #[arg(long)]
    pub ascii: bool,
    /// Use the mouse
    ///
    /// Without it, as last chosen by a key, and on at first.
    #[arg(long, value_name = "on|off", hide_possible_values = true, value_parser = on_off(), action = clap::ArgAction::Set)]
    pub mouse: Option<bool>,
    /// Estimate the chances to win
    ///
    /// Without it, as last chosen by a key, and on at first.
    #[arg(long, value_name = "on|off", hide_possible_values = true, value_parser = on_off(), action = clap::ArgAction::Set)]
    pub chances: Option<bool>,
    /// The command line, quoted for a shell, without the options that are chosen on the first page.
    #[arg(skip)]
    pub base_command: String,
}

/// The colours to use; `None` for those that the environment asks for.
type ColourChoice = Option<Colours>;

const COLOURS: [(&str, ColourChoice); 5] = [
    ("auto", None),
    ("none", Some(Colours::None)),
    ("16", Some(Colours::Ansi)),
    ("256", Some(Colours::Indexed)),
    ("true", Some(Colours::True)),
];

/// Whether the background of the terminal is light; `None` if the environment or the terminal says it.
type Background = Option<bool>;

const BACKGROUNDS: [(&str, Background); 3] = [("auto", None), ("dark", Some(false)), ("light", Some(true))];

/// The options that are chosen on the first page, besides those that say how the game begins.
pub(super) const CHOSEN: [&str; 4] = ["edition", "players", "playouts", "think"];
