//! The command line of the full-screen game.

use std::env;
use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, Resettable};
use clap::{ArgMatches, Command};

use super::{Options, START, game_command, help, is_on, number, on_off, option, resume_command, shell_quote, switch};
use crate::text::Edition;
use crate::tui::{Colours, Preferences, Theme};

/// The name of the subcommand.
pub(super) const TUI: &str = "tui";

/// The options of the full-screen game.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// The options of the game.
    pub game: Options,
    /// Whether the players are given; otherwise the first page asks.
    pub has_players: bool,
    /// The name under which the program was started, as a shell reads it.
    pub program: String,
    /// The command line, as a shell reads it, without the options that the first page chooses.
    pub resume_command: String,
    /// Colours and characters.
    pub theme: Theme,
    /// What the player can also change during the game.
    pub preferences: Preferences,
}

/// The options that the first page chooses, besides how the game begins.
const CHOSEN: [&str; 4] = ["--edition", "--players", "--playouts", "--think"];

/// The options that the text game has, and not the full-screen game.
const TEXT_ONLY: [&str; 3] = ["extras", "help", "version"];

pub(super) fn command() -> Command {
    let game = game_command();
    let of_game = game.get_arguments().filter(|arg| !TEXT_ONLY.contains(&arg.get_id().as_str())).cloned();
    Command::new(TUI)
        .about("Play on the full screen, by keys, by mouse, or by commands")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(of_game)
        .mut_arg("seed", |arg| arg.default_value("random"))
        .mut_arg("players", |arg| arg.default_value(Resettable::Reset))
        .arg(
            option("pace", "MS", "Pause before each action of a computer player, in milliseconds")
                .default_value("400")
                .value_parser(number(0..=60_000_u64)),
        )
        .arg(
            option("colours", "HOW", "Colours to use; auto is by the environment: NO_COLOR, COLORTERM, TERM")
                .default_value("auto")
                .value_parser(PossibleValuesParser::new(["auto", "none", "16", "256", "true"])),
        )
        .arg(
            option("background", "KIND", "Background of the terminal; auto is by COLORFGBG, or else dark")
                .default_value("auto")
                .value_parser(PossibleValuesParser::new(["auto", "dark", "light"])),
        )
        .arg(switch("ascii", "Use ASCII characters only, as without a UTF-8 locale"))
        .arg(option("mouse", "WHEN", "Use the mouse").default_value("on").value_parser(on_off()))
        .arg(option("chances", "WHEN", "Estimate the chances to win").default_value("on").value_parser(on_off()))
        .arg(help())
}

/// The options of a command line with double dashes.
pub(super) fn options(matches: &mut ArgMatches, default: &'static Edition, args: &[OsString]) -> TuiOptions {
    let has_players = matches.contains_id("players");
    let value = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let preferences = Preferences {
        pace_ms: matches.get_one("pace").copied().unwrap_or_default(),
        mouse: is_on(matches, "mouse"),
        chances: is_on(matches, "chances"),
        hints: false,
    };
    let theme = Theme {
        colours: colours(&value("colours")),
        is_light: match value("background").as_str() {
            "auto" => has_light_background(),
            kind => kind == "light",
        },
        is_ascii: matches.get_flag("ascii") || !has_utf8(),
    };
    TuiOptions {
        game: super::options(matches, default, args),
        has_players,
        program: args.first().map_or(String::new(), |program| shell_quote(&program.to_string_lossy())),
        resume_command: resume_command(args, &[&START[..], &CHOSEN[..]].concat()),
        theme,
        preferences,
    }
}

/// The value of an environment variable; empty if it is not set.
fn variable(name: &str) -> String {
    env::var_os(name).map_or(String::new(), |value| value.to_string_lossy().into_owned())
}

/// The colours of a value of `-colours`. `NO_COLOR` is that of no-color.org.
fn colours(how: &str) -> Colours {
    match how {
        "none" => Colours::None,
        "16" => Colours::Ansi,
        "256" => Colours::Indexed,
        "true" => Colours::True,
        _ if !variable("NO_COLOR").is_empty() => Colours::None,
        _ if ["truecolor", "24bit"].contains(&variable("COLORTERM").as_str()) => Colours::True,
        _ if variable("TERM").contains("256color") => Colours::Indexed,
        _ if variable("TERM").starts_with("vt") => Colours::None,
        _ => Colours::Ansi,
    }
}

/// Whether the terminal says that its background is light: white or light grey of the 16 colours.
fn has_light_background() -> bool {
    let colours = variable("COLORFGBG");
    colours.rsplit(';').next().is_some_and(|background| ["7", "15"].contains(&background))
}

/// Whether the locale is one of UTF-8: by the first of these variables that is set.
fn has_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
