//! The colours and characters of the screen, by options and environment.

use std::env;

use crate::app::options::TuiOptions;
use crate::tui::{Colours, Theme};

/// Returns the theme that options and environment ask for.
pub fn of(options: &TuiOptions) -> Theme {
    Theme {
        colours: options.colours.unwrap_or_else(colours_of_environment),
        is_light: options.background.or_else(background_of_environment).unwrap_or(false),
        is_ascii: options.ascii || !has_utf8(),
    }
}

/// Returns the value of an environment variable; empty if it is not set.
fn variable(name: &str) -> String {
    env::var_os(name).map_or(String::new(), |value| value.to_string_lossy().into_owned())
}

/// Returns the colours that the environment asks for.
///
/// The variable `NO_COLOR` is used as described at no-color.org.
fn colours_of_environment() -> Colours {
    if !variable("NO_COLOR").is_empty() {
        Colours::None
    } else if ["truecolor", "24bit"].contains(&variable("COLORTERM").as_str()) {
        Colours::True
    } else if variable("TERM").contains("256color") {
        Colours::Indexed
    } else if variable("TERM").starts_with("vt") {
        Colours::None
    } else {
        Colours::Ansi
    }
}

/// Returns whether the terminal has to be asked for its background.
pub fn asks_terminal(options: &TuiOptions) -> bool {
    options.background.or_else(background_of_environment).is_none()
        && options.colours.unwrap_or_else(colours_of_environment) != Colours::None
}

/// Returns whether the environment says that the background is light: white or light grey of the 16 colours. Returns `None` if it says
/// nothing.
fn background_of_environment() -> Option<bool> {
    let colours = variable("COLORFGBG");
    let background = colours.rsplit(';').next().filter(|background| !background.is_empty())?;
    Some(["7", "15"].contains(&background))
}

/// Returns whether the locale uses UTF-8, by the first of the variables `LC_ALL`, `LC_CTYPE` and `LANG` that is set.
fn has_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
